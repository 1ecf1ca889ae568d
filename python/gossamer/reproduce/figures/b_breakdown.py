"""Paper B: communication time by kind of message at scale 18 (drawn only), and bytes (given)."""

from pathlib import Path

from ..bfs_predictions import predicted
from ..extent import extent
from ..plots import bars
from ..report import Row, compared
from ..systems import PEACH3, TCA

KINDS = ("flag", "out", "tree")


def messages(scale: int) -> list[Row]:
    """Paper B's table: bytes and times of each kind."""
    half = (1 << scale) // 2
    bytes_of = {"flag": 4, "out": 4 * half, "tree": 8 * half}
    rows: list[Row] = []
    for kind, sent in predicted(scale, PEACH3, "published").messages.items():
        times = int(sent["rounds"])
        often = "1" if kind == "tree" else "4 to 7"
        inside = times == 1 if kind == "tree" else 4 <= times <= 7
        rows += [
            Row("B messages", f"bytes of one {kind} message", bytes_of[kind],
                sent["bytes"] / sent["messages"], "B"),
            Row("B messages", f"{kind} messages of one search, times", often,
                often if inside else str(times),
                reason=f"{times} on this graph: its levels decide."),
        ]  # fmt: skip
    return rows


def run(folder: Path) -> list[Row]:
    scale = max(extent.scales)
    cases = [(s, v) for v in ("published", "compact") for s in (TCA, PEACH3)]
    bars(
        folder, "b_breakdown", [f"{s.title}, {v}" for s, v in cases],
        {
            kind: [1e6 * predicted(scale, s, v).messages[kind]["seconds"] for s, v in cases]
            for kind in KINDS
        },
        "us", f"B: communication at scale {scale}, 2 nodes (predicted; drawn only)",
    )  # fmt: skip
    rows = messages(scale)
    for system in (TCA, PEACH3):
        for kind in KINDS:
            spent = predicted(scale, system, "published").messages[kind]["seconds"]
            rows.append(Row("B breakdown", f"{system.title}, {kind}", None, 1e6 * spent, "us"))
    return compared(folder, "b_breakdown", rows)

"""Paper B: communication time by kind of message at scale 18 (drawn only), and bytes (given)."""

from pathlib import Path

from ..bfs_predictions import measured, predicted
from ..extent import extent
from ..here import Here, Machines
from ..plots import bars
from ..report import Row, compared
from ..systems import PEACH3, TCA

SPENT = "Sending and waiting, slowest rank; a rank waits also for one that computes."
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


def took(here: Here, scale: int, variant: str) -> dict[str, float]:
    """Microseconds by kind, where ranks tell sending from work."""
    found = measured(scale, here, variant).messages
    return {m.kind: 1e3 * m.milliseconds for m in found if m.milliseconds is not None}


def run(folder: Path, machines: Machines = ()) -> list[Row]:
    scale = max(extent.scales)
    cases = [(s, v) for v in ("published", "compact") for s in (TCA, PEACH3)]
    bars(
        folder, "b_breakdown", [f"{s.title}, {v}" for s, v in cases],
        {
            kind: [1e6 * predicted(scale, s, v).messages[kind]["seconds"] for s, v in cases]
            for kind in KINDS
        },
        "us", f"B: communication at scale {scale}, 2 nodes (predicted; drawn only)",
        measured={
            f"{here.title}, {variant}": took(here, scale, variant)
            for here in machines
            for variant in ("published", "compact")
        },
    )  # fmt: skip
    rows = messages(scale)
    for system in (TCA, PEACH3):
        for kind in KINDS:
            spent = predicted(scale, system, "published").messages[kind]["seconds"]
            rows.append(Row("B breakdown", f"{system.title}, {kind}", None, 1e6 * spent, "us"))
    for here in machines:
        rows += [
            here.row("B breakdown", f"scale {scale}, {kind}", us, "us", SPENT)
            for kind, us in took(here, scale, "published").items()
        ]
    return compared(folder, "b_breakdown", rows)

"""Paper B: communication time by kind of message at scale 18 (drawn only), and bytes (given)."""

from pathlib import Path

from bfs_predictions import predicted
from report import Row, bars, main
from systems import PEACH3, TCA

SCALE = 18
KINDS = ("flag", "out", "tree")


def run(folder: Path) -> list[Row]:
    cases = [(s, v) for v in ("published", "compact") for s in (TCA, PEACH3)]
    bars(
        folder, "b_breakdown", [f"{s.title}, {v}" for s, v in cases],
        {
            kind: [1e6 * predicted(SCALE, s, v).messages[kind]["seconds"] for s, v in cases]
            for kind in KINDS
        },
        "us", "B: communication at scale 18, 2 nodes (predicted; drawn only)",
    )  # fmt: skip
    rows: list[Row] = []
    one = predicted(SCALE, PEACH3, "published")
    published = {"flag": 4, "out": 4 * (1 << SCALE) // 2, "tree": 8 * (1 << SCALE) // 2}
    for kind in KINDS:
        sent = one.messages[kind]
        rows.append(
            Row("B messages", f"bytes of one {kind} message", published[kind],
                sent["bytes"] / sent["messages"], "B")
        )  # fmt: skip
    for system in (TCA, PEACH3):
        for kind in KINDS:
            spent = predicted(SCALE, system, "published").messages[kind]["seconds"]
            rows.append(Row("B breakdown", f"{system.title}, {kind}", None, 1e6 * spent, "us"))
    return rows


if __name__ == "__main__":
    main(run)

"""Paper B: TEPS of a search on two nodes by scale (drawn only), compact frontiers beside it."""

from pathlib import Path

from bfs_predictions import SCALES, predicted
from report import Row, lines, main
from systems import MPI, PEACH3, PEACH3_MPI, TCA

SYSTEMS = (TCA, MPI, PEACH3, PEACH3_MPI)


def run(folder: Path) -> list[Row]:
    for variant in ("published", "compact"):
        lines(
            folder, f"b_teps_{variant}", [1 << s for s in SCALES],
            {s.title: [1e-6 * predicted(k, s, variant).teps for k in SCALES] for s in SYSTEMS},
            ("vertices", "MTEPS"), f"B: TEPS, 2 nodes, {variant} (predicted; drawn only)",
        )  # fmt: skip
    rows: list[Row] = []
    for system in SYSTEMS:
        one = predicted(18, system, "published")
        rows.append(Row("B TEPS", f"{system.title}, scale 18", None, 1e-6 * one.teps, "MTEPS"))
    dense, compact = (predicted(18, PEACH3, v) for v in ("published", "compact"))
    rows.append(
        Row("B TEPS", "PEACH3, scale 18: compact frontiers over published", None,
            dense.seconds / compact.seconds, "times")
    )  # fmt: skip
    levels = {predicted(k, PEACH3, "published").levels for k in SCALES}
    inside = all(4 <= n <= 7 for n in levels)
    rows.append(
        Row("B TEPS", "levels of a search", "4 to 7",
            "4 to 7" if inside else f"{min(levels)} to {max(levels)}")
    )  # fmt: skip
    return rows


if __name__ == "__main__":
    main(run)

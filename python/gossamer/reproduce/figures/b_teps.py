"""Paper B: TEPS of a search on two nodes by scale (drawn only), compact frontiers beside it."""

from pathlib import Path

from ..bfs_predictions import measured, predicted
from ..extent import extent
from ..here import Machines
from ..plots import lines
from ..report import NOT_IN_PAPER, Row, compared
from ..systems import MPI, PEACH3, PEACH3_MPI, TCA

SYSTEMS = (TCA, MPI, PEACH3, PEACH3_MPI)


def levels() -> Row:
    """Paper B counts 4 to 7."""
    found = {predicted(k, PEACH3, "published").levels for k in extent.scales}
    inside = all(4 <= n <= 7 for n in found)
    return Row(
        "B TEPS", "levels of a search", "4 to 7",
        "4 to 7" if inside else f"{min(found)} to {max(found)}",
        reason=f"{sorted(found)} on these graphs.",
    )  # fmt: skip


def run(folder: Path, machines: Machines = ()) -> list[Row]:
    for variant in ("published", "compact"):
        lines(
            folder, f"b_teps_{variant}", [1 << s for s in extent.scales],
            {
                s.title: [1e-6 * predicted(k, s, variant).teps for k in extent.scales]
                for s in SYSTEMS
            },
            ("vertices", "MTEPS"), f"B: TEPS, 2 nodes, {variant} (predicted; drawn only)",
            ours_only=[s.title for s in SYSTEMS] if variant == "compact" else (),
            measured={
                h.title: {1 << k: 1e-6 * measured(k, h, variant).teps for k in extent.scales}
                for h in machines
            },
        )  # fmt: skip
    largest = max(extent.scales)
    rows = [
        Row("B TEPS", f"{system.title}, scale {largest}", None,
            1e-6 * predicted(largest, system, "published").teps, "MTEPS")
        for system in SYSTEMS
    ]  # fmt: skip
    dense, compact = (predicted(largest, PEACH3, v) for v in ("published", "compact"))
    rows.append(
        Row("B TEPS", f"PEACH3, scale {largest}: compact frontiers over published", NOT_IN_PAPER,
            dense.seconds / compact.seconds, "times")
    )  # fmt: skip
    rows.append(levels())
    rows += [
        here.row("B TEPS", f"scale {largest}, {variant}",
                 1e-6 * measured(largest, here, variant).teps, "MTEPS")
        for here in machines
        for variant in ("published", "compact")
    ]  # fmt: skip
    return compared(folder, "b_teps", rows)

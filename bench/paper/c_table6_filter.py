"""C Table 6: filtering 105 MB on two unequal GPUs, statically split and to whoever is free.

Predicted in virtual time; the ratio of the two GPUs' speeds is taken from the static rows, so that
only the first-available rows say anything. `--cpu` measures two CPU ranks of which one is slowed
down, which is no figure of the paper's."""

from __future__ import annotations

import sys
from pathlib import Path

import gossamer as gs
import numpy as np
from extent import extent
from report import Row, compared, main

MACHINE = "sim:k40c-m4000,ranks=2"
#: Elements (millions) and ms: K40c, M4000, and the whole.
STATIC = ((12.6, 5.73), (13.6, 27.04), 27.37)
FIRST_AVAILABLE = ((20.9, 8.84), (5.2, 10.90), 11.26)
NAMES = ("K40c", "M4000")
ELEMENTS = round(1e6 * (STATIC[0][0] + STATIC[1][0]))
#: The paper does not say what the predicate keeps.
PREDICATE = "<0.5"
ANY = "first-available"


def slowdowns(array: np.ndarray) -> list[float]:
    """Factors that give each rank the published rate of the static rows, results left in place."""
    alone = gs.filter(array, PREDICATE, MACHINE, split="even", gather=False)
    return [
        max(1.0, ms / 1e3 / (1e6 * millions) / (share.busy / share.elements))
        for (millions, ms), share in zip(STATIC[:2], alone.shares, strict=True)
    ]


def rows_of(name: str, published: tuple, result: gs.FilterResult, calibration: bool) -> list[Row]:
    """A schedule's six published numbers."""
    scale = ELEMENTS / sum(share.elements for share in result.shares)
    rows = []
    for gpu, (millions, ms), share in zip(NAMES, published[:2], result.shares, strict=True):
        rows += [
            Row("C Table 6", f"{name}: elements on the {gpu}", millions,
                share.elements * scale / 1e6, "M", calibration),
            Row("C Table 6", f"{name}: time on the {gpu}", ms, share.busy * scale * 1e3, "ms",
                calibration),
        ]  # fmt: skip
    total = Row(
        "C Table 6", f"{name}: total", published[2], result.milliseconds * scale, "ms", calibration,
        reason=f"{result.milliseconds / result.ideal_milliseconds:.3f} of what both would take "
        "without a pause.",
    )  # fmt: skip
    return [*rows, total]


def run(folder: Path) -> list[Row]:
    array = np.random.default_rng(1).random(ELEMENTS if len(extent.ranks) > 3 else 1 << 22,
                                            dtype=np.float32)  # fmt: skip
    factors = slowdowns(array)
    results = {
        split: gs.filter(array, PREDICATE, MACHINE, split=split, gather=False, slowdown=factors)
        for split in ("even", ANY)
    }
    rows = rows_of("static", STATIC, results["even"], calibration=True)
    rows += rows_of("first available", FIRST_AVAILABLE, results[ANY], calibration=False)
    return compared(folder, "c_table6_filter", rows)


def measure(slow: float = 4.0, repeat: int = 5) -> None:
    """Two CPU ranks, each slowed down in turn: best of some runs, since cores are shared."""
    array = np.random.default_rng(1).random(1 << 25, dtype=np.float32)
    for factors in ([1.0, slow], [slow, 1.0]):
        for split in ("even", ANY):
            best = min(
                (gs.filter(array, PREDICATE, "cpu:2x1", split=split, slowdown=factors)
                 for _ in range(repeat)),
                key=lambda result: result.milliseconds,
            )  # fmt: skip
            given = " ".join(f"{share.elements / 1e6:.1f}M" for share in best.shares)
            print(
                f"slowdown {factors}, {split}: {best.milliseconds:.1f} ms, "
                f"ideal {best.ideal_milliseconds:.1f} ms "
                f"({best.milliseconds / best.ideal_milliseconds:.3f}), elements {given}"
            )


if __name__ == "__main__":
    if "--cpu" in sys.argv:
        measure()
    else:
        main(run)

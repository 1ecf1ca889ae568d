"""C Table 6: filtering 105 MB on two unequal GPUs, statically split and to whoever is free.

Predicted in virtual time; the ratio of the two GPUs' speeds is taken from the static rows, so that
only the first-available rows say anything. `--cpu` measures two CPU ranks of which one is slowed
down, which is no figure of the paper's."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import gossamer as gs
import numpy as np
import numpy.typing as npt
from extent import extent
from plots import lines
from report import Row, compared, main

Floats = npt.NDArray[np.float32]
MACHINE = "sim:k40c-m4000,ranks=2"
#: Elements (millions) and ms: K40c, M4000, and the whole.
STATIC = ((12.6, 5.73), (13.6, 27.04), 27.37)
FIRST_AVAILABLE = ((20.9, 8.84), (5.2, 10.90), 11.26)
NAMES = ("K40c", "M4000")
ELEMENTS = round(1e6 * (STATIC[0][0] + STATIC[1][0]))
#: The paper does not say what the predicate keeps.
PREDICATE = "<0.5"
ANY = "first-available"
FEEDING = (
    "The first GPU's rank is the host, too: between pieces of its own work it sends the other its "
    "segments, 8 us each, and that counts as busy."
)
REASONS = {
    "static": ("Equal halves here; the paper's are not quite.", FEEDING),
    "first available": ("The GPU that feeds gets less for it. " + FEEDING, FEEDING),
}


def slowdowns(array: Floats) -> list[float]:
    """Factors that give each rank the published rate of the static rows, results left in place."""
    alone = gs.filter(array, PREDICATE, MACHINE, split="even", gather=False)
    return [
        max(1.0, ms / 1e3 / (1e6 * millions) / (share.busy / share.elements))
        for (millions, ms), share in zip(STATIC[:2], alone.shares, strict=True)
    ]


def rows_of(
    name: str, published: tuple[Any, ...], result: gs.FilterResult, calibration: bool
) -> list[Row]:
    """A schedule's five published numbers."""
    scale = ELEMENTS / sum(share.elements for share in result.shares)
    rows = []
    for gpu, (millions, ms), share in zip(NAMES, published[:2], result.shares, strict=True):
        rows += [
            Row("C Table 6", f"{name}: elements on the {gpu}", millions,
                share.elements * scale / 1e6, "M", calibration, REASONS[name][0]),
            Row("C Table 6", f"{name}: time on the {gpu}", ms, share.busy * scale * 1e3, "ms",
                calibration, REASONS[name][1]),
        ]  # fmt: skip
    pause = f"{result.milliseconds / result.ideal_milliseconds:.3f} of what both would take "
    total = Row(
        "C Table 6", f"{name}: total", published[2], result.milliseconds * scale, "ms", calibration,
        pause + "without a pause. " + REASONS[name][1],
    )  # fmt: skip
    return [*rows, total]


def totals(array: Floats, factors: list[float], split: str, slowness: list[float]) -> list[float]:
    """ms for all elements, by how many times slower the second GPU is."""
    scale = ELEMENTS / array.size
    runs = (
        gs.filter(array, PREDICATE, MACHINE, split=split, gather=False,
                  slowdown=[factors[0], factors[0] * times])
        for times in slowness
    )  # fmt: skip
    return [result.milliseconds * scale for result in runs]


def run(folder: Path) -> list[Row]:
    elements = ELEMENTS if len(extent.ranks) > 3 else 1 << 22
    array = np.random.default_rng(1).random(elements, dtype=np.float32)
    factors = slowdowns(array)
    results = {
        split: gs.filter(array, PREDICATE, MACHINE, split=split, gather=False, slowdown=factors)
        for split in ("even", ANY)
    }
    at = round(factors[1] / factors[0], 2)
    slowness = sorted([1, 2, 3, at, 6, 8])
    lines(
        folder, "c_table6_filter", slowness,
        {name: totals(array, factors, split, slowness)
         for name, split in (("static", "even"), ("first available", ANY))},
        ("second GPU slower by", "ms"), "C Table 6: filtering on two unequal GPUs (predicted)",
        published={"static": {at: STATIC[2]}, "first available": {at: FIRST_AVAILABLE[2]}},
    )  # fmt: skip
    rows = rows_of("static", STATIC, results["even"], calibration=True)
    rows += rows_of("first available", FIRST_AVAILABLE, results[ANY], calibration=False)
    return compared(folder, "c_table6_filter", rows)


def measure(fast: float = 20.0, slow: float = 80.0, repeat: int = 5) -> None:
    """Two CPU ranks, each slowed down in turn: best of some runs, since cores are shared."""
    array = np.random.default_rng(1).random(1 << 23, dtype=np.float32)
    for factors in ([fast, slow], [slow, fast]):
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

"""C Table 6: filtering 105 MB on two unequal GPUs, statically split and to whoever is free. The
paper's 250 MB are 10 bytes for each of its elements; these are floats.

Predicted in virtual time; the ratio of the two GPUs' speeds is taken from the static rows, so that
only the first-available rows say anything. `--machine SPEC` measures on ranks that differ by nature
(cpu:1x4+cuda:0) or by `--slowdown`, how many times its work's own time each takes (cpu:2x1 with 20
80; cuda:0-1 with 1 4)."""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import gossamer as gs

from ..extent import extent
from ..measured_file import save
from ..plots import lines
from ..report import NOT_IN_PAPER, Row, arguments, compared, measured, show

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
HALVES = "Equal halves here; the paper's are not quite."


def reasons(name: str, gpu: str, result: gs.FilterResult) -> tuple[str, str]:
    """Of a GPU's elements and of its time."""
    if name == "static":
        return HALVES, FEEDING if gpu == NAMES[0] else HALVES
    slow = result.shares[1]
    ahead = (
        f"The {NAMES[1]} has a segment at a time, since a slow GPU gets few ahead: it waits for "
        f"{result.milliseconds - 1e3 * slow.busy:.1f} of {result.milliseconds:.1f} ms, between "
        f"its {slow.segments} segments. What it does not get the {NAMES[0]} does."
    )
    return ahead, f"{ahead} {FEEDING}" if gpu == NAMES[0] else ahead


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
        elements, busy = reasons(name, gpu, result)
        rows += [
            Row("C Table 6", f"{name}: elements on the {gpu}", millions,
                share.elements * scale / 1e6, "M", calibration, elements),
            Row("C Table 6", f"{name}: time on the {gpu}", ms, share.busy * scale * 1e3, "ms",
                calibration, busy),
        ]  # fmt: skip
    pause = f"{result.milliseconds / result.ideal_milliseconds:.3f} of what both would take "
    total = Row(
        "C Table 6", f"{name}: total", published[2], result.milliseconds * scale, "ms", calibration,
        f"{pause}without a pause. {reasons(name, NAMES[name == 'static'], result)[1]}",
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


#: Both GPUs at work without a pause, by the static rows' rates, in ms.
IDEAL = (STATIC[0][0] + STATIC[1][0]) / sum(millions / ms for millions, ms in STATIC[:2])


def host_array(elements: int, machine: gs.Machine) -> tuple[Floats, str]:
    """In memory that GPUs read by themselves, where CuPy is there to take some."""
    drawn = np.random.default_rng(1).random(elements, dtype=np.float32)
    if all(device.kind == "cpu" for device in machine.devices):
        return drawn, "plain memory"
    try:
        import cupyx
    except ImportError:
        return drawn, "pageable memory"
    pinned: Floats = cupyx.empty_pinned(elements, dtype=np.float32)
    pinned[:] = drawn
    return pinned, "pinned memory"


def ideal_milliseconds(machine: gs.Machine, array: Floats, slowdown: list[float]) -> float:
    """Of all ranks at the rates that each has alone, the way to it included."""
    part, rate = array[: max(1, array.size // 4)], 0.0
    for r, device in enumerate(machine.devices):
        alone = f"cpu:1x{device.threads}" if device.kind == "cpu" else f"cuda:{device.ordinal}"
        took = [
            gs.filter(part, PREDICATE, alone, gather=False, slowdown=slowdown[r : r + 1])
            for _ in range(4)
        ]
        rate += part.size / statistics.median(one.milliseconds for one in took[1:])
    return array.size / rate


def measured_rows(
    name: str, published: float, results: list[gs.FilterResult], ideal: float | None
) -> list[Row]:
    """A schedule's whole time, what it is of the ideal one (medians), and who got what. `ideal` in
    ms; None: by the time that each rank was busy, of GPUs in their kernels."""
    over = sorted(one.milliseconds / (ideal or one.ideal_milliseconds) for one in results)
    shares = zip(*([share.elements for share in one.shares] for one in results), strict=True)
    given = ", ".join(f"{statistics.median(share) / 1e6:.1f}" for share in shares)
    return [
        Row("C Table 6", f"{name}: total", NOT_IN_PAPER,
            statistics.median(one.milliseconds for one in results), "ms", False,
            f"Elements by rank: {given} M."),
        Row("C Table 6", f"{name}: total over the ideal", published / IDEAL,
            statistics.median(over), "times", False,
            f"{len(results)} runs: {over[0]:.3f} to {over[-1]:.3f}."),
    ]  # fmt: skip


def _parser() -> argparse.ArgumentParser:
    parser = arguments(__doc__)
    parser.add_argument("--machine", required=True, nargs="+", help="e.g. cpu:1x4+cuda:0")
    parser.add_argument(
        "--slowdown", type=float, nargs="+", default=[], help="a factor of each rank's"
    )
    parser.add_argument("--millions", type=float, default=ELEMENTS / 1e6, help="elements")
    parser.add_argument("--repeat", type=int, default=9)
    parser.add_argument("--json", type=Path)
    return parser


def on_machines(words: Sequence[str] | None = None) -> list[Row]:
    """Both schedules in turns, results left where they are."""
    given = _parser().parse_args(words)
    if len(given.machine) != 1:
        raise gs.UsageError("C Table 6: one machine, whose ranks differ")
    machine = gs.Machine(given.machine[0])
    elements = 1 << 22 if given.quick else round(1e6 * given.millions)
    array, where = host_array(elements, machine)
    together = any(device.share > 1 for device in machine.devices)
    ideal = None if together else ideal_milliseconds(machine, array, given.slowdown)
    results: dict[str, list[gs.FilterResult]] = {"even": [], ANY: []}
    for _ in range(1 if given.quick else given.repeat + 1):
        for split, so_far in results.items():
            so_far.append(gs.filter(array, PREDICATE, machine, split=split, gather=False,
                                    slowdown=given.slowdown))  # fmt: skip
    timed = {split: runs[0 if given.quick else 1 :] for split, runs in results.items()}
    rows = measured_rows(f"static, {where}", STATIC[2], timed["even"], ideal)
    rows += measured_rows(f"first available, {where}", FIRST_AVAILABLE[2], timed[ANY], ideal)
    rows = measured(rows)
    if given.json:
        save(given.json, rows, [machine])
    return compared(given.folder, "c_table6_filter", rows)


if __name__ == "__main__":
    show(on_machines())

"""Paper D, sections 4.1 and 4.2, on a model of its machine: what the text has of Fig. 3 to 6.

The model (`chips` of system `grappa`) has what the paper measured of one core, of a chip's memory
and of the link between chips, and its counts of buffers; the rest follows.
"""

import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from gossamer.bench import pointer_chase
from gossamer.simulation import System

from ..plots import lines
from ..report import NOT_IN_PAPER, Row, compared

#: Lists or tasks of each of six cores.
COUNTS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 24, 32, 48)
DELAYED = (1, 4, 8, 16, 24, 32, 40, 44, 46, 48, 50, 52, 53, 54, 56, 64, 80, 88, 94, 100, 110, 130)
UPDATES = (0, 1, 2, 4, 8, 16, 32)
SETS = tuple(1 << k for k in range(6, 23))
DELAY = 3e-6
#: The network's rate that paper D wants to keep up with.
WANTED = 100.0
QUEUE = (
    "32 places of the queue, answers by an exponential distribution; answers that all take as long "
    "would give 342, so that the real ones must differ more."
)


LOST = (
    "Prefetches that find no buffer are lost, and the core waits for some of their lines; the link "
    "alone would be full."
)
FULL = (
    "Six tasks a core fill the 32 places: a step of 5 ns (assumed) keeps a quarter of a task from "
    "them, one of 15 ns would make it 42. The text gives the number alone."
)
#: With how many tasks more a core goes on while it waits for a lost line: the model's, which is
#: assumed, and others.
AHEAD: int = tomllib.loads(System("grappa").description)["chips"]["ahead"]
AHEADS = (0, 1, 2)


@cache
def rate(lists: int, cores: int = 6, ahead: int = AHEAD, **options: Any) -> float:
    """Millions of references a second."""
    done = pointer_chase(
        lists, machine=f"sim:grappa,ranks={cores},chips.ahead={ahead}", nodes=2,
        references=200 * max(lists, 20), repeat=1, **options,
    )  # fmt: skip
    return done.rate / 1e6


def reached(counts: Sequence[int], rates: Sequence[float], least: float) -> int:
    """The first count whose rate is that high."""
    return next(n for n, r in zip(counts, rates, strict=True) if r >= least)


def concurrency(folder: Path) -> list[Row]:
    by_lists = [rate(n, way="loop") for n in COUNTS]
    by_tasks = [rate(n) for n in COUNTS]
    lines(
        folder, "d_memory", [6 * n for n in COUNTS], {"lists": by_lists, "tasks": by_tasks},
        ("references under way, six cores", "million references a second"),
        "D Fig. 3 and 4: one chip (predicted)",
    )  # fmt: skip
    ten, last = by_tasks[COUNTS.index(10)], by_tasks[-1]
    return [
        Row("D 4.1", "one core by lists, most", 107.0, rate(16, 1, way="loop"), "M/s", True),
        Row("D 4.1", "two chips into one's memory", 360.0, rate(8, 12, way="loop"), "M/s", True,
            reason="The cores of the other chip get no more than the link's 175."),
        Row("D 4.1", "six cores by lists, most", 277.0, max(by_lists), "M/s", reason=QUEUE),
        Row("D 4.1", "… from how many references on", 36,
            6 * reached(COUNTS, by_lists, 0.99 * max(by_lists))),
        Row("D 4.1", "six cores by tasks, most", 275.0, max(by_tasks), "M/s", reason=QUEUE),
        Row("D 4.1", "… at 48 tasks, 8 a core", 275.0, by_tasks[COUNTS.index(8)], "M/s",
            reason=QUEUE),
        Row("D 4.1", "… from how many tasks on", 48,
            6 * reached(COUNTS, by_tasks, 0.99 * max(by_tasks)), reason=FULL),
        Row("D 4.1", "tasks beyond 10 a core: the rate", "falls",
            "falls" if last < ten else "stays",
            reason=f"From {ten:.0f} to {last:.0f} M/s at {COUNTS[-1]} a core."),
    ]  # fmt: skip


def pressure(folder: Path) -> list[Row]:
    rows = []
    for name, tasks in (("a", 8), ("b", 48)):
        found = {n: [rate(tasks, working_set=s, updates=n) for s in SETS] for n in UPDATES}
        curves = {f"{n} updates": rates for n, rates in found.items()}
        lines(
            folder, f"d_memory_pressure_{name}", SETS, curves,
            ("bytes of each task's set", "million references a second"),
            f"D Fig. 5 ({name}): {tasks} tasks a core (predicted)",
        )  # fmt: skip
        small = {n: r[0] for n, r in found.items()}
        if name == "a":
            near = max(n for n, r in small.items() if r >= 0.9 * small[0])
            rows.append(Row("D Fig. 5", "8 tasks, small sets: updates near the most", 4, near))
            continue
        rows += [
            Row("D Fig. 5", "48 tasks, small sets: updates at 100 M/s", 16,
                max(n for n, r in small.items() if r >= WANTED)),
            Row("D Fig. 5", "48 tasks, 2 updates: sets at 100 M/s", 32,
                max(s for s, r in zip(SETS, found[2], strict=True) if r >= WANTED) // 1024, "KB"),
        ]  # fmt: skip
    return rows


def delayed(folder: Path) -> list[Row]:
    rates = [rate(n, delay=DELAY, memory_node=1) for n in DELAYED]
    lines(
        folder, "d_memory_delay", [6 * n for n in DELAYED], {"six cores": rates},
        ("tasks, six cores", "million references a second"),
        "D Fig. 6: 3 us, over the link between chips (predicted)",
    )  # fmt: skip
    return [
        Row("D 4.2", "over the link, by lists", 175.0, rate(8, way="loop", memory_node=1), "M/s",
            True),
        Row("D Fig. 6", "tasks a core for 100 M/s", 53, reached(DELAYED, rates, WANTED)),
        Row("D Fig. 6", "most", 173.0, max(rates), "M/s", reason=LOST),
        Row("D Fig. 6", "… from how many tasks on", 564,
            6 * reached(DELAYED, rates, 0.98 * max(rates)), reason=LOST),
    ]  # fmt: skip


def gone_on(ahead: int) -> list[Row]:
    """What the number of tasks to go on with changes, and what it leaves alone."""
    fallen = 100 * rate(48, ahead=ahead) / rate(10, ahead=ahead)
    behind = [rate(n, ahead=ahead, delay=DELAY, memory_node=1) for n in DELAYED]
    return [
        Row("D ahead", f"ahead {ahead}: {what}", NOT_IN_PAPER, found, unit,
            reason=f"The model has {AHEAD}, assumed.")
        for what, found, unit in (
            ("six cores, 8 tasks a core", rate(8, ahead=ahead), "M/s"),
            ("48 tasks a core, of the rate at 10", fallen, "%"),
            ("tasks a core for 100 M/s behind 3 us", reached(DELAYED, behind, WANTED), ""),
            ("most behind 3 us", max(behind), "M/s"),
        )
    ]  # fmt: skip


def run(folder: Path) -> list[Row]:
    rows = concurrency(folder) + pressure(folder) + delayed(folder)
    rows += [row for ahead in AHEADS for row in gone_on(ahead)]
    return compared(folder, "d_memory", rows)

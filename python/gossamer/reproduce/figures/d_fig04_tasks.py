"""Paper D, Fig. 4: the same by tasks that yield at each reference; loops and fibers beside them."""

from pathlib import Path

from gossamer import NotCompiled

from ..d_chases import chases, millions, of_host
from ..here import Here, Machines
from ..plots import lines
from ..report import NOT_IN_PAPER, Row, compared, measured
from .d_fig03_lists import HOST


def ways() -> list[str]:
    """Fibers where they are compiled in."""
    try:
        chases.walk(1, Here("cpu:1x1"), "fibers", references=1)
    except NotCompiled:
        return ["loop", "tasks"]
    return ["loop", "tasks", "fibers"]


def run(folder: Path, machines: Machines = ()) -> list[Row]:
    rows = []
    curves: dict[str, list[float | None]] = {}
    # Way beside way at every point: what else the host does changes within minutes.
    for machine in machines or (of_host()[0], of_host()[-1]):
        rates: dict[str, list[float]] = {way: [] for way in ways()}
        for n in chases.in_flight:
            for way, found in rates.items():
                found.append(chases.walk(n, machine, way).rate)
        best = {way: max(found) for way, found in rates.items()}
        curves |= {f"{way}, {machine.spec}": [millions(r) for r in of] for way, of in rates.items()}
        rows += [
            Row("D Fig. 4", f"{machine.spec}: {way}, most", NOT_IN_PAPER, millions(rate), "M/s")
            for way, rate in best.items()
        ]
        rows.append(
            Row("D Fig. 4", f"{machine.spec}: tasks, of the best loop", NOT_IN_PAPER,
                100 * best["tasks"] / best["loop"], "%")
        )  # fmt: skip
        if not machines and machine == of_host()[-1]:
            rows.append(
                Row("D Fig. 4", "all cores of a chip, tasks, most", 275.0, millions(best["tasks"]),
                    "M/s", reason=HOST)
            )  # fmt: skip
    lines(
        folder, "d_fig04_tasks", list(chases.in_flight), curves,
        ("lists a core", "million references a second"), "Fig. 4: tasks, loops and fibers",
    )  # fmt: skip
    return compared(folder, "d_fig04_tasks", measured(rows))

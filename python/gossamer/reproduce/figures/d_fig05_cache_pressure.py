"""Paper D, Fig. 5 a, b: tasks with a working set of their own, which they update meanwhile."""

import re
from pathlib import Path

from ..d_chases import chases, millions, of_host
from ..here import Here, Machines
from ..plots import lines
from ..report import NOT_IN_PAPER, Row, compared, measured

#: Fig. 5 a and b.
TASKS = {"a": 8, "b": 48}


def run(folder: Path, machines: Machines = ()) -> list[Row]:
    rows = []
    for machine in machines or of_host()[-1:]:
        # Plots have the name of each machine where there are several.
        end = "_" + re.sub(r"\W+", "_", machine.spec) if len(machines) > 1 else ""
        for part, tasks in TASKS.items():
            rows += _part(folder, machine, part, tasks, end)
    return compared(folder, "d_fig05_cache_pressure", measured(rows))


def _part(folder: Path, machine: Here, part: str, tasks: int, end: str) -> list[Row]:
    """a or b on one machine."""
    curves = {
        f"{updates} updates": [
            millions(
                chases.walk(
                    tasks, machine, working_set=size, updates=updates,
                    references=chases.references // 4,
                ).rate
            )
            for size in chases.working_sets
        ]
        for updates in chases.updates
    }  # fmt: skip
    lines(
        folder, f"d_fig05{part}_cache_pressure{end}", list(chases.working_sets), curves,
        ("bytes of each task's working set", "million references a second"),
        f"Fig. 5 {part}: {tasks} tasks a core, {machine.spec}",
    )  # fmt: skip
    return [
        Row(f"D Fig. 5 {part}", f"{machine.spec}: {tasks} tasks, {name}, {size}", NOT_IN_PAPER,
            rates[at], "M/s")
        for size, at in (("64 B", 0), ("largest set", -1))
        for name, rates in curves.items()
    ]  # fmt: skip

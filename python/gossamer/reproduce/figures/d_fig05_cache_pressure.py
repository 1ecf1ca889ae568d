"""Paper D, Fig. 5 a, b: tasks with a working set of their own, which they update meanwhile."""

from pathlib import Path

from ..d_chases import chases, machines, millions
from ..plots import lines
from ..report import NOT_IN_PAPER, Row, compared, measured

#: Fig. 5 a and b.
TASKS = {"a": 8, "b": 48}


def run(folder: Path) -> list[Row]:
    machine = machines()[-1]
    rows = []
    for part, tasks in TASKS.items():
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
            folder, f"d_fig05{part}_cache_pressure", list(chases.working_sets), curves,
            ("bytes of each task's working set", "million references a second"),
            f"Fig. 5 {part}: {tasks} tasks a core, {machine}",
        )  # fmt: skip
        rows += [
            Row(f"D Fig. 5 {part}", f"{tasks} tasks, {name}, 64 B", NOT_IN_PAPER, rates[0], "M/s")
            for name, rates in curves.items()
        ]
        rows += [
            Row(f"D Fig. 5 {part}", f"{tasks} tasks, {name}, largest set", NOT_IN_PAPER, rates[-1],
                "M/s")
            for name, rates in curves.items()
        ]  # fmt: skip
    return compared(folder, "d_fig05_cache_pressure", measured(rows))

"""The README's table of tasks, from results as bench/problem/tasks.py writes them."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from task_rows import task_lines


def row(**changes: object) -> dict[str, object]:
    plain: dict[str, object] = {
        "what": "spawn", "value": 7.264, "unit": "ns", "goal": "≤ 15 ns", "beside": {}, "ratio": "",
    }  # fmt: skip
    return plain | changes


def test_rows_have_rivals_ratio_and_goal() -> None:
    results = {
        "date": "2026-01-02", "processor": "P", "cores": 2, "command": "c", "rounds": [5, 3],
        "results": [
            row(),
            row(what="chase", value=237.6, unit="M/s", beside={"loop": 250.0}, ratio="%"),
            row(what="GUPS", value=1280.4, unit="M/s", beside={"MPI": 98.0, "x": 1}, ratio="×"),
        ],
    }  # fmt: skip
    lines = task_lines(results)
    assert lines[0].startswith("Tasks on 2 cores of an P (2026-01-02, `c`), the best of 5 runs")
    assert lines[-3:] == [
        "| spawn | 7.26 ns |  |  | ≤ 15 ns |",
        "| chase | 238 M/s | loop 250 M/s | 95 % | ≤ 15 ns |",
        "| GUPS | 1280 M/s | MPI 98 M/s, x 1 M/s | 13 × | ≤ 15 ns |",
    ]

"""Later calls on CPUs and on a GPU, by the wall: which side is faster for which graph.

    python bench/problem/call_sides.py [--machines cpu:1x2 cuda:0] [--graphs SPEC ...]
                                       [--algorithms NAME ...] [--out FILE.json]

Milliseconds, medians of up to seven calls after one, on a graph whose rows lie where they are read.
A side that took more than ten seconds for a call is not asked for larger graphs of the family.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gossamer as gs
import numpy as np
from measured_rows import MeasuredRows

GRAPHS = (
    "kron:6", "kron:9", "kron:12", "kron:15", "kron:18", "road:8", "road:30", "road:100",
    "road:300", "road:1000",
)  # fmt: skip
SECONDS_AT_MOST = 10.0
RUNS, SECONDS_OF_RUNS = 7, 2.0
Run = Callable[[gs.Graph, gs.Machine], Any]


def some(graph: gs.Graph, count: int) -> Any:
    beginning = np.flatnonzero(np.asarray(graph.degrees) > 0)
    count = min(count, beginning.size)
    return np.random.default_rng(1).choice(beginning, count, replace=False)


ALGORITHMS: dict[str, Run] = {
    "triangles": gs.triangles,
    "core_numbers": gs.core_numbers,
    "strong_components": gs.strong_components,
    "spanning_forest": gs.spanning_forest,
    "communities": gs.communities,
    "betweenness, 16 sources": lambda g, m: gs.betweenness(g, m, sources=some(g, 16)),
    "distances, 64 sources": lambda g, m: gs.distances(g, some(g, 64), machine=m),
    "diameter": gs.diameter,
    "random_walks": lambda g, m: gs.random_walks(g, machine=m, length=20),
    "hits": gs.hits,
    "independent_set": gs.independent_set,
    "coloring": gs.coloring,
}


def wall(call: Callable[[], Any]) -> float:
    begin = time.perf_counter()
    call()
    return time.perf_counter() - begin


def later_calls(run: Run, graph: gs.Graph, machine: gs.Machine) -> float:
    """Milliseconds."""
    run(graph, machine)
    taken: list[float] = []
    while len(taken) < RUNS and sum(taken) < SECONDS_OF_RUNS:
        taken.append(wall(lambda: run(graph, machine)))
    return 1e3 * statistics.median(taken)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--machines", nargs="+", default=["cpu:1x2", "cuda:0"])
    parser.add_argument("--graphs", nargs="+", default=GRAPHS)
    parser.add_argument("--algorithms", nargs="+", choices=list(ALGORITHMS), default=ALGORITHMS)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    machines = {spec: gs.Machine(spec) for spec in given.machines}
    rows = MeasuredRows(given.machines[-1], given.out)
    too_slow: set[tuple[str, str, str]] = set()
    for spec in given.graphs:
        family = spec.split(":")[0]
        graph = gs.generate(spec, weights=True)
        facts = {"graph": spec, "vertices": graph.vertices, "arcs": graph.arcs}
        for name in given.algorithms:
            row: dict[str, Any] = {"what": name, **facts}
            for where, machine in machines.items():
                if (family, name, where) in too_slow:
                    continue
                row[where] = later_calls(ALGORITHMS[name], graph, machine)
                if row[where] > 1e3 * SECONDS_AT_MOST:
                    too_slow.add((family, name, where))
            rows.add(row)


if __name__ == "__main__":
    main()

"""Betweenness on GPUs: milliseconds of the device, of one source and of sixteen.

    python bench/problem/gpu_betweenness.py [--machine cuda:0] [--graphs kron:22 road:2000 ...]
                                            [--out FILE.json]

Medians of seven runs after one. Sources are drawn among vertices with arcs. Scores are compared to
those of CPUs, to a relative 1e-9; of sixteen sources of each graph, all of edges, too.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import gossamer as gs
import numpy as np
from measured_rows import MeasuredRows, timed


def sources_of(graph: gs.Graph, count: int) -> list[int]:
    beginning = np.flatnonzero(np.asarray(graph.degrees) > 0)
    return [int(v) for v in np.random.default_rng(1).choice(beginning, count, replace=False)]


def measured(graph: gs.Graph, machine: gs.Machine, count: int, edges: bool) -> dict[str, Any]:
    sources = sources_of(graph, count)
    search = gs.BetweennessSearch(graph, machine, sources=sources, edges=edges)
    found, said = timed(search.run)
    right = gs.betweenness(graph, "cpu", sources=sources, edges=edges)
    np.testing.assert_allclose(found.scores, right.scores, 1e-9, 0)
    return {
        "graph": graph.name, "sources": count, "edges": edges, **said,
        "ms_a_source": said["ms"] / count,
        "rescaled": found.rescaled, "phases": found.phases, "cpu_ms": right.milliseconds,
    }  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--machine", default="cuda:0")
    parser.add_argument(
        "--graphs", nargs="+", default=["kron:22", "road:2000", "uniform:20:16", "grid:2000x2000"]
    )
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    machine = gs.Machine(given.machine)
    rows = MeasuredRows(given.machine, given.out)
    for spec in given.graphs:
        graph = gs.generate(spec)
        for count, edges in ((1, False), (4, False), (16, False), (16, True)):
            rows.add(measured(graph, machine, count, edges))


if __name__ == "__main__":
    main()

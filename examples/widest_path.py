"""Widest paths: how much can be sent along one path from a vertex to every other.

The width of a path is its smallest weight, and the widest path is what is looked for. None of the
built-in algorithms does that; as a vertex program it is one line, and runs on CPU ranks and GPUs.

    python widest_path.py [MACHINE ...]            # default: cpu:1 cpu:3; for example cuda

Each machine's widths are compared with those of a maximum spanning tree, whose paths are widest
(Hu, Operations Research 9, 1961), and with the other machines', to the bit.
"""

from __future__ import annotations

import sys

import gossamer as gs
import numpy as np
from scipy.sparse.csgraph import breadth_first_order, minimum_spanning_tree


def widths_by_spanning_tree(graph: gs.Graph, source: int) -> np.ndarray:
    """Along the paths of a maximum spanning tree; -infinity where there is none."""
    matrix = graph.to_scipy().astype(np.float64)
    matrix.data = -matrix.data
    tree = minimum_spanning_tree(matrix).tocoo()
    near = {v: [] for v in range(graph.vertices)}
    for u, v, negative in zip(tree.row, tree.col, tree.data, strict=True):
        near[int(u)].append((int(v), -negative))
        near[int(v)].append((int(u), -negative))
    widths = np.full(graph.vertices, -np.inf)
    widths[source] = np.inf
    order, _ = breadth_first_order(tree, source, directed=False)
    for u in order:
        for v, weight in near[int(u)]:
            if widths[v] == -np.inf:
                widths[v] = min(widths[u], weight)
    return widths


def main(machines: list[str]) -> int:
    graph = gs.kronecker(10, weights=True)
    source = int(gs.draw_sources(graph, 1)[0])
    widest = gs.vertex_program(update="max", propagate="min(value, weight)", dtype="float64")
    wanted = widths_by_spanning_tree(graph, source)
    for machine in machines:
        result = widest.run(graph, source, machine)
        if not np.array_equal(result.values, wanted):
            print(f"widest_path: {machine} differs at {np.flatnonzero(result.values != wanted)}")
            return 3
        reached = np.isfinite(result.values)
        print(
            f"{machine} ({result.engine}): {reached.sum()} vertices reached from {source}, "
            f"widths {result.values[reached].min():g} to {result.values[reached].max():g}: verified"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or ["cpu:1", "cpu:3"]))

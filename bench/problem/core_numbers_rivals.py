"""Core numbers beside NetworKit and igraph: the same graphs, in turns.

    python bench/problem/core_numbers_rivals.py [GRAPH ...] [--rounds 5] [--machine cpu]
        [--against networkit,igraph] [--out FILE]

GRAPH is a generator, a file or a data set; its undirected simple graph counts. Each library holds
the graph before it is timed. `first` is Gossamer's first call, which counts degrees, `call` a later
one. Wall and processor milliseconds, the least of the rounds: on a busy machine processor time says
more.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

import gossamer as gs
import numpy as np
from rivals import Times, installed, of_rounds, options_of, timed, write_report
from triangles_rivals import edges

GRAPHS = ("kron:18", "data:road-NY", "data:cnr-2000", "data:slashdot")


def networkit(graph: gs.Graph, numbers: Any) -> Callable[[], object]:
    import networkit as nk

    u, v = edges(graph)
    held = nk.GraphFromCoo((np.ones(u.size), (u, v)), n=graph.vertices, directed=False)

    def call() -> Any:
        return nk.centrality.CoreDecomposition(held).run()

    np.testing.assert_array_equal(call().scores(), numbers)
    return call


def networkit_buckets(graph: gs.Graph, numbers: Any) -> Callable[[], object]:
    import networkit as nk

    u, v = edges(graph)
    held = nk.GraphFromCoo((np.ones(u.size), (u, v)), n=graph.vertices, directed=False)

    def call() -> Any:
        return nk.centrality.CoreDecomposition(held, enforceBucketQueueAlgorithm=True).run()

    np.testing.assert_array_equal(call().scores(), numbers)
    return call


def igraph(graph: gs.Graph, numbers: Any) -> Callable[[], object]:
    import igraph as ig

    held = ig.Graph(graph.vertices, np.column_stack(edges(graph)))
    np.testing.assert_array_equal(held.coreness(), numbers)
    return lambda: held.coreness()


PEERS = {"networkit": [networkit, networkit_buckets], "igraph": [igraph]}


def compare(name: str, options: argparse.Namespace) -> dict[str, Any]:
    read = gs.read(name) if ":" not in name or name.startswith("data:") else gs.generate(name)
    graph = read.rebuild(symmetrize=True, deduplicate=True, remove_self_loops=True)
    where = gs.Machine(options.machine)
    result = gs.core_numbers(graph, where)
    gs.verify_core_numbers(graph, result.numbers)
    makers = [make for of in installed(options) for make in PEERS[of]]
    peers = {make.__name__: make(graph, result.numbers) for make in makers}
    times: Times = {}
    for _ in range(options.rounds):
        graph.forget()
        for of, work in {
            "first": lambda: gs.core_numbers(graph, where).numbers,
            "call": lambda: gs.core_numbers(graph, where).numbers,
            **peers,
        }.items():
            times.setdefault(of, []).append(timed(work))
    return {
        "graph": name,
        "vertices": graph.vertices,
        "edges": graph.arcs // 2,
        "degeneracy": result.degeneracy,
        **of_rounds(times),
    }


def main() -> None:
    write_report(options_of(__doc__, GRAPHS, PEERS), compare)


if __name__ == "__main__":
    main()

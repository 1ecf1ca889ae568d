"""Triangles beside NetworKit, igraph and rustworkx: the same graphs, in turns.

    python bench/problem/triangles_rivals.py [GRAPH ...] [--rounds 3] [--machine cpu]
        [--against networkit,igraph,rustworkx] [--out FILE]

GRAPH is a generator, a file or a data set; its undirected simple graph is counted. Each library
holds the graph before it is timed and computes every vertex's clustering coefficient, but for
rustworkx, which has transitivity alone. `first` is Gossamer's first call, which lays rows out,
`call` a later one. Wall and processor milliseconds, the least of the rounds: on a busy machine
processor time says more.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

import gossamer as gs
import numpy as np
from rivals import Times, installed, of_rounds, options_of, timed, write_report

GRAPHS = ("kron:18", "data:road-NY", "data:cnr-2000", "data:slashdot")


def edges(graph: gs.Graph) -> tuple[Any, Any]:
    """Ends of each edge once."""
    u = np.repeat(np.arange(graph.vertices), graph.degrees)
    v = np.asarray(graph.indices).astype(u.dtype)
    return u[u < v], v[u < v]


def networkit(graph: gs.Graph, coefficients: Any) -> Callable[[], object]:
    import networkit as nk

    u, v = edges(graph)
    held = nk.GraphFromCoo((np.ones(u.size), (u, v)), n=graph.vertices, directed=False)

    def call() -> Any:
        return nk.centrality.LocalClusteringCoefficient(held, turbo=True).run()

    np.testing.assert_allclose(call().scores(), coefficients, rtol=1e-9)
    return call


def igraph(graph: gs.Graph, coefficients: Any) -> Callable[[], object]:
    import igraph as ig

    held = ig.Graph(graph.vertices, np.column_stack(edges(graph)))
    found = held.transitivity_local_undirected(mode="zero")
    np.testing.assert_allclose(found, coefficients, rtol=1e-9)
    return lambda: held.transitivity_local_undirected(mode="zero")


def rustworkx(graph: gs.Graph, coefficients: Any) -> Callable[[], object]:
    import rustworkx as rx

    held = rx.PyGraph(multigraph=False)
    held.add_nodes_from(range(graph.vertices))
    u, v = edges(graph)
    held.add_edges_from_no_data(list(zip(u.tolist(), v.tolist(), strict=True)))
    return lambda: rx.transitivity(held)


PEERS = {"networkit": networkit, "igraph": igraph, "rustworkx": rustworkx}


def compare(name: str, options: argparse.Namespace) -> dict[str, Any]:
    read = gs.read(name) if ":" not in name or name.startswith("data:") else gs.generate(name)
    graph = read.rebuild(symmetrize=True, deduplicate=True, remove_self_loops=True)
    where = gs.Machine(options.machine)
    result = gs.triangles(graph, where)
    gs.verify_triangles(graph, result.counts)
    there = installed(options)
    peers = {of: PEERS[of](graph, result.clustering) for of in there}
    times: Times = {}
    for _ in range(options.rounds):
        graph.forget()
        for of, work in {
            "first": lambda: gs.triangles(graph, where).counts,
            "call": lambda: gs.triangles(graph, where).counts,
            **peers,
        }.items():
            times.setdefault(of, []).append(timed(work))
    return {
        "graph": name,
        "vertices": graph.vertices,
        "edges": graph.arcs // 2,
        "triangles": result.total,
        **of_rounds(times),
    }


def main() -> None:
    write_report(options_of(__doc__, GRAPHS, PEERS, rounds=3), compare)


if __name__ == "__main__":
    main()

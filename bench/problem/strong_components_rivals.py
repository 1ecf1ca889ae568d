"""Strong components beside SciPy, NetworKit, igraph and rustworkx: the same graphs, in turns.

    python bench/problem/strong_components_rivals.py [GRAPH ...] [--rounds 5] [--machine cpu]
        [--against scipy,networkit,igraph,rustworkx] [--out FILE]

GRAPH is a file or a data set, taken as it is, or a generator, of whose edges half keep one way
alone, by a fixed rule. Each library holds the graph before it is timed, and must find as many
components. `first` is Gossamer's first call, which reverses arcs, `call` a later one. Wall and
processor milliseconds, the least of the rounds: on a busy machine processor time says more.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

import gossamer as gs
import numpy as np
from rivals import Times, installed, of_rounds, options_of, timed, write_report

GRAPHS = ("kron:18", "data:cnr-2000", "data:slashdot", "web:300000:10")


def ends(graph: gs.Graph) -> tuple[Any, Any]:
    """Of each arc."""
    u = np.repeat(np.arange(graph.vertices), graph.degrees)
    return u, np.asarray(graph.indices).astype(u.dtype)


def scipy(graph: gs.Graph) -> Callable[[], int]:
    from scipy.sparse import csgraph

    held = graph.to_scipy()
    return lambda: csgraph.connected_components(held, connection="strong")[0]


def networkit(graph: gs.Graph) -> Callable[[], int]:
    import networkit as nk

    u, v = ends(graph)
    held = nk.GraphFromCoo((np.ones(u.size), (u, v)), n=graph.vertices, directed=True)

    def call() -> int:
        found = nk.components.StronglyConnectedComponents(held).run()
        return found.numberOfComponents()

    return call


def igraph(graph: gs.Graph) -> Callable[[], int]:
    import igraph as ig

    held = ig.Graph(graph.vertices, np.column_stack(ends(graph)), directed=True)
    return lambda: len(held.connected_components(mode="strong"))


def rustworkx(graph: gs.Graph) -> Callable[[], int]:
    import rustworkx as rx

    held = rx.PyDiGraph()
    held.add_nodes_from(range(graph.vertices))
    u, v = ends(graph)
    held.add_edges_from_no_data(list(zip(u.tolist(), v.tolist(), strict=True)))
    return lambda: len(rx.strongly_connected_components(held))


PEERS = {"scipy": scipy, "networkit": networkit, "igraph": igraph, "rustworkx": rustworkx}


def prepared(name: str) -> gs.Graph:
    if ":" not in name or name.startswith("data:"):
        return gs.read(name)
    graph = gs.generate(name)
    u, v = ends(graph)
    # Of half the edges one arc, whose direction follows from its ends, and both of the others.
    small = np.minimum(u, v) * graph.vertices + np.maximum(u, v)
    of_edge = (small * 2654435761 >> 7) % 4
    kept = (of_edge > 1) | ((of_edge == 0) == (u < v))
    return gs.from_edges(u[kept], v[kept], n=graph.vertices, name=name)


def compare(name: str, options: argparse.Namespace) -> dict[str, Any]:
    graph = prepared(name)
    where = gs.Machine(options.machine)
    result = gs.strong_components(graph, where)
    gs.verify_strong_components(graph, result.labels)
    peers = {of: PEERS[of](graph) for of in installed(options)}
    for of, call in peers.items():
        if (count := call()) != result.count:
            raise AssertionError(f"{of}: {count} components, not {result.count}")
    times: Times = {}
    for _ in range(options.rounds):
        graph.forget()
        for of, work in {
            "first": lambda: gs.strong_components(graph, where).labels,
            "call": lambda: gs.strong_components(graph, where).labels,
            **peers,
        }.items():
            times.setdefault(of, []).append(timed(work))
    return {
        "graph": name,
        "vertices": graph.vertices,
        "arcs": graph.arcs,
        "components": result.count,
        "largest": result.largest,
        **of_rounds(times),
    }


def main() -> None:
    write_report(options_of(__doc__, GRAPHS, PEERS), compare)


if __name__ == "__main__":
    main()

"""Spanning forests beside SciPy, NetworKit, igraph and rustworkx: the same graphs, in turns.

    python bench/problem/spanning_forest_rivals.py [GRAPH ...] [--rounds 5] [--machine cpu]
        [--against scipy,networkit,igraph,rustworkx] [--limit 60] [--out FILE]

GRAPH is a generator, whose weights are 1 to 255, a file or a data set; its undirected simple graph
counts. Graphs without weights get them, 1 to 1000, drawn by a fixed seed (`--unweighted`: none).
Each library holds the graph before it is timed, and must find the same weight, but for NetworKit's
union, which is of the largest forests. `first` is Gossamer's first call, `call` a later one. Who
takes longer than the limit is timed once. Wall and processor milliseconds, the least of the rounds:
on a busy machine processor time says more.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

import gossamer as gs
import numpy as np
from rivals import Times, installed, of_rounds, options_of, timed, write_report

GRAPHS = ("kron:18", "data:road-NY", "data:cnr-2000", "data:slashdot")

#: Both ends of each edge once, and its weight.
Edges = tuple[Any, Any, Any]
Peer = tuple[Callable[[], object], Callable[[Any], float | None]]


def scipy(n: int, edges: Edges) -> Peer:
    from scipy.sparse import coo_array, csgraph

    u, v, w = edges
    held = coo_array((w.astype(np.float64), (u, v)), shape=(n, n)).tocsr()
    return lambda: csgraph.minimum_spanning_tree(held), lambda found: found.sum()


def _of_networkit(n: int, edges: Edges) -> Any:
    import networkit as nk

    u, v, w = edges
    values = w.astype(np.float64)
    return nk.GraphFromCoo((values, (u, v)), n=n, directed=False, weighted=True)


def networkit_kruskal(n: int, edges: Edges) -> Peer:
    import networkit as nk

    held = _of_networkit(n, edges)
    return lambda: nk.graph.KruskalMSF(held).run(), lambda found: found.getTotalWeight()


def networkit_prim(n: int, edges: Edges) -> Peer:
    import networkit as nk

    held = _of_networkit(n, edges)
    return lambda: nk.graph.PrimMSF(held).run(), lambda found: found.getTotalWeight()


def networkit_union(n: int, edges: Edges) -> Peer:
    """Of the largest weights: none to compare, since it is a union of forests."""
    import networkit as nk

    held = _of_networkit(n, edges)
    return lambda: nk.graph.UnionMaximumSpanningForest(held).run(), lambda found: None


def igraph(n: int, edges: Edges) -> Peer:
    import igraph as ig

    u, v, w = edges
    held, weights = ig.Graph(n, np.column_stack([u, v])), w.tolist()
    if (w == 1).all():
        return lambda: held.spanning_tree(return_tree=False), lambda found: len(found)
    return (
        lambda: held.spanning_tree(weights, return_tree=False),
        lambda found: w[found].sum(),
    )


def rustworkx(n: int, edges: Edges) -> Peer:
    import rustworkx as rx

    held = rx.PyGraph(multigraph=False)
    held.add_nodes_from(range(n))
    held.add_edges_from(list(zip(*(of.tolist() for of in edges), strict=True)))
    return (
        lambda: rx.minimum_spanning_edges(held, weight_fn=float),
        lambda found: sum(w for _, _, w in found),
    )


PEERS = {
    "scipy": [scipy],
    "networkit": [networkit_kruskal, networkit_prim, networkit_union],
    "igraph": [igraph],
    "rustworkx": [rustworkx],
}


def prepared(name: str, weighted: bool) -> tuple[gs.Graph, Edges]:
    """The graph, and its edges for others."""
    if ":" not in name or name.startswith("data:"):
        read = gs.read(name)
    else:
        read = gs.generate(name, weights=weighted)
    read = read.rebuild(symmetrize=True, deduplicate=True, remove_self_loops=True)
    u = np.repeat(np.arange(read.vertices), read.degrees)
    v = np.asarray(read.indices).astype(u.dtype)
    once = u < v
    u, v = u[once], v[once]
    if not weighted:
        w = np.ones(u.size, np.int32)
        return gs.from_csr(read.indptr, read.indices, symmetric=True, name=name), (u, v, w)
    if read.weights is not None:
        return read, (u, v, np.asarray(read.weights)[once])
    w = np.random.default_rng(1).integers(1, 1001, u.size).astype(np.int32)
    return gs.from_edges(u, v, w, n=read.vertices, symmetrize=True, name=name), (u, v, w)


def compare(name: str, options: argparse.Namespace) -> dict[str, Any]:
    graph, edges = prepared(name, not options.unweighted)
    where = gs.Machine(options.machine)
    result = gs.spanning_forest(graph, where)
    gs.verify_spanning_forest(graph, result.arcs)
    works: dict[str, Callable[[], object]] = {
        "first": lambda: gs.spanning_forest(graph, where).arcs,
        "call": lambda: gs.spanning_forest(graph, where).arcs,
    }
    times: Times = {}
    for of in installed(options):
        for make in PEERS[of]:
            call, weigh = make(graph.vertices, edges)
            kept: list[object] = []
            once = timed(lambda call=call, kept=kept: kept.append(call()))
            weight = weigh(kept.pop())
            if weight is not None and float(weight) != float(result.weight):
                raise AssertionError(f"{make.__name__}: {weight}, not {result.weight}")
            if once[0] > 1e3 * options.limit:
                times[make.__name__] = [once]
            else:
                works[make.__name__] = call
    for _ in range(options.rounds):
        graph.forget()
        for of, work in works.items():
            times.setdefault(of, []).append(timed(work))
    return {
        "graph": name,
        "weighted": not options.unweighted,
        "vertices": graph.vertices,
        "edges": edges[0].size,
        "trees": result.trees,
        "weight": result.weight,
        **of_rounds(times),
    }


def main() -> None:
    parser = options_of(__doc__, GRAPHS, PEERS)
    parser.add_argument("--unweighted", action="store_true")
    parser.add_argument("--limit", type=float, default=60, help="seconds")
    write_report(parser, compare)


if __name__ == "__main__":
    main()

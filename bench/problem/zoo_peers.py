"""SciPy, NetworKit and igraph on a graph of Gossamer's, which each holds before it is timed."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from typing import Any

import gossamer as gs
import numpy as np

#: Answers for a source, which components and PageRank leave aside.
Peer = Callable[[int], Any]
DAMPING, TOLERANCE = 0.85, 1e-6


def peers_of(graph: gs.Graph, algorithm: str) -> dict[str, Peer]:
    """Those that are installed and have the algorithm, by name."""
    made = {"scipy": scipy_peer, "networkit": networkit_peer, "igraph": igraph_peer}
    found = ((name, make) for name, make in made.items() if importlib.util.find_spec(name))
    return {name: make(graph, algorithm) for name, make in found}


def edges(graph: gs.Graph) -> tuple[Any, Any, Any]:
    """Ends and weights of each edge once."""
    u = np.repeat(np.arange(graph.vertices), np.diff(graph.indptr))
    v = np.asarray(graph.indices).astype(np.int64)
    once = u < v
    return u[once], v[once], np.asarray(graph.weights)[once].astype(np.float64)


def scipy_peer(graph: gs.Graph, algorithm: str) -> Peer:
    from scipy.sparse import csgraph, diags

    matrix = graph.to_scipy().astype(np.float64)
    if algorithm == "bfs":
        return lambda source: csgraph.breadth_first_order(matrix, source)
    if algorithm == "sssp":
        return lambda source: csgraph.dijkstra(matrix, indices=source)
    if algorithm == "components":
        return lambda source: csgraph.connected_components(matrix, directed=False)
    matrix.data[:] = 1
    degrees = np.maximum(np.asarray(graph.degrees), 1)
    push = (diags(1 / degrees) @ matrix).T.tocsr()
    dangling = np.asarray(graph.degrees) == 0

    def power_iteration(source: int) -> Any:
        n = graph.vertices
        ranks = np.full(n, 1 / n)
        for _ in range(100):
            lost = ranks[dangling].sum() / n
            then = DAMPING * (push @ ranks + lost) + (1 - DAMPING) / n
            change, ranks = np.abs(then - ranks).sum(), then
            if change <= TOLERANCE:
                break
        return ranks

    return power_iteration


def networkit_peer(graph: gs.Graph, algorithm: str) -> Peer:
    import networkit as nk

    u, v, w = edges(graph)
    weighted = algorithm == "sssp"
    held = nk.GraphFromCoo((w, (u, v)), n=graph.vertices, weighted=weighted, directed=False)
    if algorithm == "bfs":
        return lambda source: nk.distance.BFS(held, source, storePaths=False).run()
    if algorithm == "sssp":
        return lambda source: nk.distance.Dijkstra(held, source, storePaths=False).run()
    if algorithm == "components":
        return lambda source: nk.components.ParallelConnectedComponents(held).run()

    def ranked(source: int) -> Any:
        ranking = nk.centrality.PageRank(held, DAMPING, TOLERANCE)
        ranking.norm = nk.centrality.Norm.l1norm  # as everybody else's
        return ranking.run()

    return ranked


def igraph_peer(graph: gs.Graph, algorithm: str) -> Peer:
    import igraph

    u, v, w = edges(graph)
    held = igraph.Graph(n=graph.vertices, edges=np.stack([u, v], axis=1))
    if algorithm == "bfs":
        return lambda source: held.bfs(source)
    if algorithm == "sssp":
        held.es["weight"] = w
        return lambda source: held.distances(source, weights="weight")
    if algorithm == "components":
        return lambda source: held.connected_components()
    return lambda source: held.pagerank(damping=DAMPING)

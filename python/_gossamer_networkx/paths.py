"""Shortest paths themselves: lists of nodes."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Hashable, Iterator
from itertools import starmap
from typing import Any

import gossamer as gs
import networkx as nx
import numpy as np
import numpy.typing as npt

from .graph import ConvertedGraph
from .machine import machine
from .refusal import refuses, weight_refused
from .shortest_paths import (
    by_node,
    check_sources,
    hop_searches,
    hops,
    lengths_of,
    method_refused,
    near_to_far,
    nearest,
    not_beyond,
    sources_refused,
    weighted_searches,
)
from .traversal import levels

Parents = npt.NDArray[np.int64]


# --- by hops -------------------------------------------------------------------------------------


def hop_paths(
    G: ConvertedGraph,
    source: int,
    depths: npt.NDArray[np.int32],
    cutoff: float | None,
    *,
    reverse: bool = False,
) -> dict[Any, list[Any]]:
    """Paths in NetworkX's order; with `reverse` they lead to the source."""
    node = G.nodes[source]
    paths: dict[Any, list[Any]] = {node: [node]}
    found = levels(G, [source], depths, cutoff, reverse=reverse)
    next(found)
    for level, parents in found:
        for node, parent in zip(G.named(level), G.named(parents), strict=True):
            paths[node] = [node, *paths[parent]] if reverse else [*paths[parent], node]
    return paths


def single_source_shortest_path(
    G: ConvertedGraph, source: Hashable, cutoff: float | None = None
) -> dict[Any, list[Any]]:
    if source not in G:
        raise nx.NodeNotFound(f"Source {source} not in G")
    return hop_paths(G, G.index(source), hops(G, source), cutoff)


def single_target_shortest_path(
    G: ConvertedGraph, target: Hashable, cutoff: float | None = None
) -> dict[Any, list[Any]]:
    if target not in G:
        raise nx.NodeNotFound(f"Target {target} not in G")
    return hop_paths(G, G.index(target), hops(G, target, reverse=True), cutoff, reverse=True)


def all_pairs_shortest_path(
    G: ConvertedGraph, cutoff: float | None = None
) -> Iterator[tuple[Any, dict[Any, list[Any]]]]:
    return (
        (G.nodes[found.source], hop_paths(G, found.source, found.depths, cutoff))
        for found in hop_searches(G)
    )


# --- by weight -----------------------------------------------------------------------------------


def _path(G: ConvertedGraph, parents: Parents, target: int) -> list[Any] | None:
    """The path to one node, if there is one. A source is its own parent."""
    if parents[target] < 0:
        return None
    path = [target]
    while (parent := int(parents[path[-1]])) != path[-1]:
        path.append(parent)
    return list(G.named(path[::-1]))


def tree_paths(
    G: ConvertedGraph, parents: Parents, taken: npt.NDArray[np.int64]
) -> dict[Any, list[Any]]:
    """The paths to these nodes."""
    parent_of, nodes = parents.data, G.nodes
    made: dict[int, list[Any]] = {}
    for taken_node in taken.tolist():
        node = taken_node
        # Along weights of zero a parent may come behind its children.
        missing = []
        while node not in made and parent_of[node] != node:
            missing.append(node)
            node = parent_of[node]
        path = made.setdefault(node, [nodes[node]])
        for child in reversed(missing):
            path = made[child] = [*path, nodes[child]]
    return {nodes[node]: made[node] for node in taken.tolist()}


def _tree(
    G: ConvertedGraph, source: int, weight: Hashable | None, *, reverse: bool = False
) -> tuple[npt.NDArray[Any], Parents]:
    """Lengths and parents; −1: no path."""
    if weight is None:
        graph = G.graph(reverse=reverse)
        by_hops = gs.bfs(graph, source, machine(), deterministic=True)
        return by_hops.depths, by_hops.parents
    found = gs.sssp(G.graph(weight, reverse=reverse), source, machine(), parents=True)
    assert found.parents is not None
    return lengths_of(G, weight, found.raw_distances, found.is_reached), found.parents


def _forest(
    G: ConvertedGraph, sources: list[int], weight: Hashable | None
) -> tuple[npt.NDArray[Any], Parents]:
    """Lengths from the nearest of several nodes, and parents; −1: no path."""
    if len(sources) == 1:
        return _tree(G, sources[0], weight)
    lengths = nearest(G, sources, weight)
    tails = np.repeat(np.arange(len(G)), np.diff(G.rows.indptr))
    heads = G.rows.indices
    parents = np.full(len(G), -1)
    parents[sources] = sources
    weights = 1 if weight is None else G.weights(weight)
    tight = (lengths[tails] >= 0) & (lengths[tails] + weights == lengths[heads])
    tight &= parents[heads] < 0
    closer = tight & (lengths[tails] < lengths[heads])
    parents[heads[closer]] = tails[closer]
    # Who is as far as all its parents, along weights that add nothing, is found from one of them.
    level = np.flatnonzero(tight & ~closer & (parents[heads] < 0))
    successors: dict[int, list[int]] = {}
    for tail, head in zip(tails[level].tolist(), heads[level].tolist(), strict=True):
        successors.setdefault(tail, []).append(head)
    found = deque(tail for tail in successors if parents[tail] >= 0)
    while found:
        tail = found.popleft()
        for head in successors.get(tail, ()):
            if parents[head] < 0:
                parents[head] = tail
                found.append(head)
    return lengths, parents


def _lengths_and_paths(
    G: ConvertedGraph,
    sources: Collection[Hashable],
    target: Any,
    cutoff: Any,
    weight: Hashable | None,
) -> tuple[Any, Any]:
    """Of all nodes, or of one."""
    starts = check_sources(G, sources)
    if target in sources:
        return 0, [target]
    lengths, parents = _forest(G, starts, weight)
    within = not_beyond(cutoff, lengths, starts)
    if target is None:
        return by_node(G, lengths, within), tree_paths(G, parents, near_to_far(lengths, within))
    if target in G:
        at = G.index(target)
        path = _path(G, parents, at)
        length = lengths[at].item()
        if path is not None and (cutoff is None or length <= cutoff):
            return length, path
    raise nx.NetworkXNoPath(f"No path to {target}.")


@refuses(sources_refused)
def multi_source_dijkstra(
    G: ConvertedGraph,
    sources: Collection[Hashable],
    target: Hashable | None = None,
    cutoff: Any = None,
    weight: Hashable | None = "weight",
) -> tuple[Any, Any]:
    return _lengths_and_paths(G, sources, target, cutoff, weight)


@refuses(sources_refused)
def multi_source_dijkstra_path(
    G: ConvertedGraph,
    sources: Collection[Hashable],
    cutoff: Any = None,
    weight: Hashable | None = "weight",
) -> dict[Any, list[Any]]:
    paths: dict[Any, list[Any]] = _lengths_and_paths(G, sources, None, cutoff, weight)[1]
    return paths


@refuses(weight_refused)
def single_source_dijkstra(
    G: ConvertedGraph,
    source: Hashable,
    target: Hashable | None = None,
    cutoff: Any = None,
    weight: Hashable | None = "weight",
) -> tuple[Any, Any]:
    return _lengths_and_paths(G, [source], target, cutoff, weight)


@refuses(weight_refused)
def single_source_dijkstra_path(
    G: ConvertedGraph, source: Hashable, cutoff: Any = None, weight: Hashable | None = "weight"
) -> dict[Any, list[Any]]:
    paths: dict[Any, list[Any]] = _lengths_and_paths(G, [source], None, cutoff, weight)[1]
    return paths


@refuses(weight_refused)
def dijkstra_path(
    G: ConvertedGraph, source: Hashable, target: Hashable, weight: Hashable | None = "weight"
) -> Any:
    return _lengths_and_paths(G, [source], target, None, weight)[1]


@refuses(weight_refused)
def all_pairs_dijkstra(
    G: ConvertedGraph, cutoff: Any = None, weight: Hashable | None = "weight"
) -> Iterator[tuple[Any, tuple[dict[Any, Any], dict[Any, list[Any]]]]]:
    def found(source: int, lengths: npt.NDArray[Any], parents: Parents) -> Any:
        within = not_beyond(cutoff, lengths, [source])
        taken = near_to_far(lengths, within)
        return G.nodes[source], (by_node(G, lengths, within), tree_paths(G, parents, taken))

    return starmap(found, weighted_searches(G, weight, parents=True))


@refuses(weight_refused)
def all_pairs_dijkstra_path(
    G: ConvertedGraph, cutoff: Any = None, weight: Hashable | None = "weight"
) -> Iterator[tuple[Any, dict[Any, list[Any]]]]:
    return ((node, paths) for node, (_, paths) in all_pairs_dijkstra(G, cutoff, weight))


# --- by either -----------------------------------------------------------------------------------


@refuses(method_refused)
def shortest_path(
    G: ConvertedGraph,
    source: Hashable | None = None,
    target: Hashable | None = None,
    weight: Hashable | None = None,
    method: str = "dijkstra",
) -> Any:
    if method not in ("dijkstra", "bellman-ford"):
        raise ValueError(f"method not supported: {method}")
    if source is not None and target is not None:
        return _between(G, source, target, weight)
    if source is None and target is None:
        if weight is None:
            return all_pairs_shortest_path(G)
        return all_pairs_dijkstra_path(G, weight=weight)
    if source is not None:
        if weight is None:
            return single_source_shortest_path(G, source)
        return single_source_dijkstra_path(G, source, weight=weight)
    if target not in G:
        # NetworkX turns the graph around and takes the target for a source.
        kind = "Source {} not in G" if weight is None else "Node {} not found in graph"
        raise nx.NodeNotFound(kind.format(target))
    if weight is None:
        return single_target_shortest_path(G, target)
    lengths, parents = _tree(G, G.index(target), weight, reverse=True)
    paths = tree_paths(G, parents, near_to_far(lengths))
    return {node: path[::-1] for node, path in paths.items()}


def bidirectional_shortest_path(G: ConvertedGraph, source: Hashable, target: Hashable) -> list[Any]:
    return _between(G, source, target, None)


def _between(
    G: ConvertedGraph, source: Hashable, target: Hashable, weight: Hashable | None
) -> list[Any]:
    if source not in G:
        raise nx.NodeNotFound(f"Source {source} is not in G")
    if target not in G:
        raise nx.NodeNotFound(f"Target {target} is not in G")
    path = _path(G, _tree(G, G.index(source), weight)[1], G.index(target))
    if path is None:
        raise nx.NetworkXNoPath(f"No path between {source} and {target}.")
    return path

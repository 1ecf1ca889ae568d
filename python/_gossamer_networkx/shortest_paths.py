"""Lengths of shortest paths, and who can be reached."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import gossamer as gs
import networkx as nx
import numpy as np
import numpy.typing as npt

from .graph import ConvertedGraph
from .machine import machine
from .refusal import refuses, weight_refused


def hops(G: ConvertedGraph, source: Hashable, *, reverse: bool = False) -> npt.NDArray[np.int32]:
    """Arcs from a node to each node, or with `reverse` from each to it; −1: no path."""
    start = G.index(source)
    return gs.bfs(G.graph(reverse=reverse), start, machine()).depths


def _distances(
    G: ConvertedGraph, source: Hashable, weight: Hashable, *, reverse: bool = False
) -> npt.NDArray[Any]:
    """Weight of the shortest path to each node; −1: no path. Integers where weights are."""
    found = gs.sssp(G.graph(weight, reverse=reverse), G.index(source), machine())
    kind = np.int64 if G.weights(weight).dtype == np.int64 else np.float64
    there = found.is_reached
    lengths: npt.NDArray[Any] = np.full(len(G), -1, kind)
    lengths[there] = found.raw_distances[there]
    return lengths


def _by_node(G: ConvertedGraph, lengths: npt.NDArray[Any], within: Any) -> dict[Any, Any]:
    """From near to far, those at one distance in the graph's order."""
    taken = np.flatnonzero((lengths >= 0) & within)
    taken = taken[np.argsort(lengths[taken], kind="stable")]
    return dict(zip(G.named(taken.tolist()), lengths[taken].tolist(), strict=True))


def _hops_by_node(G: ConvertedGraph, node: Hashable, cutoff: Any, reverse: bool) -> dict[Any, int]:
    lengths = hops(G, node, reverse=reverse)
    # A further level is begun while the last is less than the cutoff.
    within = True if cutoff is None else (lengths - 1 < cutoff) | (lengths == 0)
    return _by_node(G, lengths, within)


def single_source_shortest_path_length(
    G: ConvertedGraph, source: Hashable, cutoff: Any = None
) -> dict[Any, int]:
    if source not in G:
        raise nx.NodeNotFound(f"Source {source} is not in G")
    return _hops_by_node(G, source, cutoff, reverse=False)


def single_target_shortest_path_length(
    G: ConvertedGraph, target: Hashable, cutoff: Any = None
) -> dict[Any, int]:
    if target not in G:
        raise nx.NodeNotFound(f"Target {target} is not in G")
    return _hops_by_node(G, target, cutoff, reverse=True)


def _weighted(given: Mapping[str, Any]) -> str | None:
    return "weight: None" if given["weight"] is None else weight_refused(given)


@refuses(_weighted)
def single_source_dijkstra_path_length(
    G: ConvertedGraph, source: Hashable, cutoff: Any = None, weight: Hashable = "weight"
) -> dict[Any, Any]:
    return _distances_by_node(G, source, cutoff, weight, reverse=False)


def _distances_by_node(
    G: ConvertedGraph, node: Hashable, cutoff: Any, weight: Hashable, reverse: bool
) -> dict[Any, Any]:
    if node not in G:
        raise nx.NodeNotFound(f"Node {node} not found in graph")
    lengths = _distances(G, node, weight, reverse=reverse)
    within: Any = True
    if cutoff is not None:
        within = lengths <= cutoff
        within[G.index(node)] = True
    return _by_node(G, lengths, within)


@refuses(_weighted)
def dijkstra_path_length(
    G: ConvertedGraph, source: Hashable, target: Hashable, weight: Hashable = "weight"
) -> Any:
    if source not in G:
        raise nx.NodeNotFound(f"Node {source} not found in graph")
    if source == target:
        return 0
    length = _distances(G, source, weight)[G.index(target)].item() if target in G else -1
    if length < 0:
        raise nx.NetworkXNoPath(f"Node {target} not reachable from {source}")
    return length


def _length_refused(given: Mapping[str, Any]) -> str | None:
    if given["source"] is None and given["target"] is None:
        return "all pairs"
    if given["weight"] is not None and given["method"] == "bellman-ford":
        return "method: Bellman-Ford"
    return weight_refused(given)


@refuses(_length_refused)
def shortest_path_length(
    G: ConvertedGraph,
    source: Hashable | None = None,
    target: Hashable | None = None,
    weight: Hashable | None = None,
    method: str = "dijkstra",
) -> Any:
    if method not in ("dijkstra", "bellman-ford"):
        raise ValueError(f"method not supported: {method}")
    if source is not None and target is not None:
        if weight is not None:
            return dijkstra_path_length(G, source, target, weight)
        length = _hops_between(G, source, target)
        if length < 0:
            raise nx.NetworkXNoPath(f"No path between {source} and {target}.")
        return length
    reverse = source is None
    node = target if reverse else source
    if weight is not None:
        return _distances_by_node(G, node, None, weight, reverse)
    if node not in G:
        # NetworkX turns the graph around and takes the target for a source.
        raise nx.NodeNotFound(f"Source {node} is not in G")
    return _hops_by_node(G, node, None, reverse)


def _hops_between(G: ConvertedGraph, source: Hashable, target: Hashable) -> int:
    if source not in G:
        raise nx.NodeNotFound(f"Source {source} is not in G")
    if target not in G:
        raise nx.NodeNotFound(f"Target {target} is not in G")
    return int(hops(G, source)[G.index(target)])


@refuses(lambda given: "all pairs" if None in (given["source"], given["target"]) else None)
def has_path(G: ConvertedGraph, source: Hashable, target: Hashable) -> bool:
    return _hops_between(G, source, target) >= 0


def _reached(G: ConvertedGraph, source: Hashable, reverse: bool) -> set[Any]:
    if source not in G:
        kind = "digraph" if G.is_directed() else "graph"
        raise nx.NetworkXError(f"The node {source} is not in the {kind}.")
    return set(G.named(np.flatnonzero(hops(G, source, reverse=reverse) > 0).tolist()))


def descendants(G: ConvertedGraph, source: Hashable) -> set[Any]:
    return _reached(G, source, reverse=False)


def ancestors(G: ConvertedGraph, source: Hashable) -> set[Any]:
    return _reached(G, source, reverse=True)


def descendants_at_distance(G: ConvertedGraph, source: Hashable, distance: Any) -> set[Any]:
    if source not in G:
        raise nx.NetworkXError(f"The node {source} is not in the graph.")
    depths = hops(G, source)
    return set(G.named(np.flatnonzero((depths == distance) & (depths >= 0)).tolist()))

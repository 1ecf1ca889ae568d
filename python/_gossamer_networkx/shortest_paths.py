"""Lengths of shortest paths, and who can be reached."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping
from typing import Any

import gossamer as gs
import networkx as nx
import numpy as np
import numpy.typing as npt

from .graph import ConvertedGraph
from .machine import compiled, machine
from .refusal import refuses, weight_refused


def hops(G: ConvertedGraph, source: Hashable, *, reverse: bool = False) -> npt.NDArray[np.int32]:
    """Arcs from a node to each node, or with `reverse` from each to it; −1: no path."""
    start = G.index(source)
    return gs.bfs(G.graph(reverse=reverse), start, machine()).depths


def hops_from_any(G: ConvertedGraph, sources: list[int]) -> npt.NDArray[np.int32]:
    """As :func:`hops`, from the nearest of some nodes: one search, from a vertex that has an arc to
    each of them."""
    indptr, indices = G.arcs()
    rows = gs.from_csr(
        np.append(indptr, len(indices) + len(sources)),
        np.concatenate([indices, np.array(sources, indices.dtype)]),
    )
    depths = gs.bfs(rows, len(G), machine()).depths[:-1]
    return np.where(depths < 0, -1, depths - 1).astype(np.int32)


def hop_searches(G: ConvertedGraph, *, parents: bool = False) -> Iterator[gs.BfsResult]:
    """Searches from each node, prepared once, and run as they are asked for; parents are the same
    in every run if asked for."""
    if not len(G):
        return iter(())
    ranks = gs.ranks_for_bfs(G.graph(), machine())
    search = gs.BfsSearch(ranks.machine.place(G.graph()), deterministic=parents)
    return map(search.run, range(len(G)))


def lengths_of(
    G: ConvertedGraph,
    weight: Hashable | None,
    distances: npt.NDArray[Any],
    there: npt.NDArray[np.bool_],
) -> npt.NDArray[Any]:
    """An engine's distances; −1: no path. Integers where weights are, or without any."""
    whole = weight is None or G.weights(weight).dtype == np.int64
    kind = np.int64 if whole else np.float64
    lengths: npt.NDArray[Any] = np.full(len(G), -1, kind)
    lengths[there] = distances[there]
    return lengths


def _distances(
    G: ConvertedGraph, source: Hashable, weight: Hashable | None, *, reverse: bool = False
) -> npt.NDArray[Any]:
    """Weight of the shortest path to each node; −1: no path. Without a weight its arcs."""
    if weight is None:
        return hops(G, source, reverse=reverse)
    found = gs.sssp(G.graph(weight, reverse=reverse), G.index(source), machine())
    return lengths_of(G, weight, found.raw_distances, found.is_reached)


def weighted_searches(
    G: ConvertedGraph, weight: Hashable | None, *, parents: bool = False
) -> Iterator[tuple[int, npt.NDArray[Any], Any]]:
    """Lengths of :func:`_distances`, from each node, and parents if asked for; prepared once, and
    run as they are asked for."""
    if not len(G):
        return iter(())
    if weight is None:
        searches = hop_searches(G, parents=parents)
        return ((found.source, found.depths, found.parents) for found in searches)
    search = gs.SsspSearch(G.graph(weight), machine(), parents=parents)
    results = map(search.run, range(len(G)))
    return (
        (found.source, lengths_of(G, weight, found.raw_distances, found.is_reached), found.parents)
        for found in results
    )


#: Both need no compiler.
_NEAREST = gs.vertex_program("min", "value + weight", "float64")
_FEWEST = gs.vertex_program("min", "value + 1", "float64")


def nearest(G: ConvertedGraph, starts: list[int], weight: Hashable | None) -> npt.NDArray[Any]:
    """Weight of the shortest path from the nearest of several nodes; −1: no path."""
    with compiled():
        program = _FEWEST if weight is None else _NEAREST
        values = program.run(G.graph(weight), starts, machine()).values
    return lengths_of(G, weight, values, np.isfinite(values))


def near_to_far(lengths: npt.NDArray[Any], within: Any = True) -> npt.NDArray[np.int64]:
    """Who has a length; those at one distance in the graph's order."""
    taken = np.flatnonzero((lengths >= 0) & within)
    return taken[np.argsort(lengths[taken], kind="stable")]


def by_node(G: ConvertedGraph, lengths: npt.NDArray[Any], within: Any = True) -> dict[Any, Any]:
    """Lengths from near to far."""
    taken = near_to_far(lengths, within)
    return dict(zip(G.named(taken.tolist()), lengths[taken].tolist(), strict=True))


def _hops_by_node(G: ConvertedGraph, node: Hashable, cutoff: Any, reverse: bool) -> dict[Any, int]:
    return hops_within(G, hops(G, node, reverse=reverse), cutoff)


def hops_within(G: ConvertedGraph, depths: npt.NDArray[np.int32], cutoff: Any) -> dict[Any, int]:
    # A further level is begun while the last is less than the cutoff.
    within = True if cutoff is None else (depths - 1 < cutoff) | (depths == 0)
    return by_node(G, depths, within)


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


def all_pairs_shortest_path_length(
    G: ConvertedGraph, cutoff: Any = None
) -> Iterator[tuple[Any, dict[Any, int]]]:
    searches = hop_searches(G)
    return ((G.nodes[found.source], hops_within(G, found.depths, cutoff)) for found in searches)


@refuses(weight_refused)
def all_pairs_dijkstra_path_length(
    G: ConvertedGraph, cutoff: Any = None, weight: Hashable | None = "weight"
) -> Iterator[tuple[Any, dict[Any, Any]]]:
    return (
        (G.nodes[source], by_node(G, lengths, not_beyond(cutoff, lengths, [source])))
        for source, lengths, _ in weighted_searches(G, weight)
    )


@refuses(weight_refused)
def single_source_dijkstra_path_length(
    G: ConvertedGraph, source: Hashable, cutoff: Any = None, weight: Hashable | None = "weight"
) -> dict[Any, Any]:
    return _distances_by_node(G, source, cutoff, weight, reverse=False)


def _distances_by_node(
    G: ConvertedGraph, node: Hashable, cutoff: Any, weight: Hashable | None, reverse: bool
) -> dict[Any, Any]:
    if node not in G:
        raise nx.NodeNotFound(f"Node {node} not found in graph")
    lengths = _distances(G, node, weight, reverse=reverse)
    return by_node(G, lengths, not_beyond(cutoff, lengths, [G.index(node)]))


def not_beyond(cutoff: Any, lengths: npt.NDArray[Any], sources: list[int]) -> Any:
    """Whose length is within the cutoff; those of sources always are."""
    if cutoff is None:
        return True
    within = lengths <= cutoff
    within[sources] = True
    return within


def sources_refused(given: Mapping[str, Any]) -> str | None:
    if not isinstance(given["sources"], Collection):
        return "sources: not a collection"
    return weight_refused(given)


def check_sources(G: ConvertedGraph, sources: Collection[Hashable]) -> list[int]:
    """Their indices."""
    if not sources:
        raise ValueError("sources must not be empty")
    for source in sources:
        if source not in G:
            raise nx.NodeNotFound(f"Node {source} not found in graph")
    return sorted({G.index(source) for source in sources})


@refuses(sources_refused)
def multi_source_dijkstra_path_length(
    G: ConvertedGraph,
    sources: Collection[Hashable],
    cutoff: Any = None,
    weight: Hashable | None = "weight",
) -> dict[Any, Any]:
    starts = check_sources(G, sources)
    lengths = nearest(G, starts, weight)
    return by_node(G, lengths, not_beyond(cutoff, lengths, starts))


@refuses(weight_refused)
def dijkstra_path_length(
    G: ConvertedGraph, source: Hashable, target: Hashable, weight: Hashable | None = "weight"
) -> Any:
    if source not in G:
        raise nx.NodeNotFound(f"Node {source} not found in graph")
    if source == target:
        return 0
    length = _distances(G, source, weight)[G.index(target)].item() if target in G else -1
    if length < 0:
        raise nx.NetworkXNoPath(f"Node {target} not reachable from {source}")
    return length


def method_refused(given: Mapping[str, Any]) -> str | None:
    if given["weight"] is not None and given["method"] == "bellman-ford":
        return "method: Bellman-Ford"
    return weight_refused(given)


@refuses(method_refused)
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
    if source is None and target is None:
        if weight is None:
            return all_pairs_shortest_path_length(G)
        return all_pairs_dijkstra_path_length(G, weight=weight)
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

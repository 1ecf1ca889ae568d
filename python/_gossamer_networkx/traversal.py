"""Breadth-first traversals in NetworkX's order.

An engine finds how far each node is. NetworkX lists a level as its nodes are found from the one
before: by parent, and of one parent in the order of its neighbours. That is put together here.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Hashable, Iterator, Mapping
from itertools import groupby
from operator import itemgetter
from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt

from .graph import ConvertedGraph
from .refusal import refuses
from .shortest_paths import hops, hops_from_any

Indices = npt.NDArray[np.int64]

#: Since NetworkX 3.7.
_PREDECESSORS_END = "deprecated::" in (nx.bfs_predecessors.orig_func.__doc__ or "")
#: Levels of so few nodes are gone through one by one: NumPy's calls would take longer.
_FEW_NODES = 8


def arcs_from(
    indptr: npt.NDArray[Any], indices: npt.NDArray[Any], tails: Indices
) -> tuple[Indices, Indices]:
    """Tails and heads of all arcs of these nodes, in order."""
    starts = indptr[tails]
    counts = indptr[tails + 1] - starts
    ends = np.cumsum(counts)
    at = np.repeat(starts - ends + counts, counts) + np.arange(counts.sum())
    return np.repeat(tails, counts), indices[at].astype(np.int64, copy=False)


def _levels(
    G: ConvertedGraph, source: Hashable, limit: float | None = None, *, reverse: bool = False
) -> Iterator[tuple[list[int], list[int]]]:
    """As :func:`levels`, behind a search of its own."""
    return levels(G, [G.index(source)], hops(G, source, reverse=reverse), limit, reverse=reverse)


def levels(
    G: ConvertedGraph,
    sources: list[int],
    depths: npt.NDArray[np.int32],
    limit: float | None,
    *,
    reverse: bool = False,
) -> Iterator[tuple[list[int], list[int]]]:
    """The nodes of each level, and the one that each was found from; sources are level 0, and their
    own. Nodes of level `limit` or beyond lead to no others."""
    limit = math.inf if limit is None else limit
    indptr, indices = G.arcs(reverse=reverse)
    depth_of, starts = depths.data, indptr.data  # which give numbers quickly
    place = np.empty(len(G), np.int64)
    level = parents = sources
    depth = 0
    while level:
        yield level, parents
        if depth >= limit:
            return
        depth += 1
        if len(level) <= _FEW_NODES:
            found: dict[int, int] = {}
            for tail in level:
                for head in indices[starts[tail] : starts[tail + 1]].tolist():
                    if depth_of[head] == depth:
                        found.setdefault(head, tail)
            level, parents = list(found), list(found.values())
        else:
            tails, heads = arcs_from(indptr, indices, np.array(level))
            new = depths[heads] == depth
            tails, heads = tails[new], heads[new]
            # Of several arcs to a head the first: it is written last.
            place[heads[::-1]] = np.arange(heads.size)[::-1]
            first = place[heads] == np.arange(heads.size)
            level, parents = heads[first].tolist(), tails[first].tolist()


def _edges(
    G: ConvertedGraph, source: Hashable, depth_limit: float | None
) -> Iterator[tuple[Any, Any]]:
    """Pairs of a parent and a node that was found from it."""
    if source not in G:
        kind = "digraph" if G.is_directed() else "graph"
        raise nx.NetworkXError(f"The node {source} is not in the {kind}.")
    found = _levels(G, source, depth_limit)
    next(found)
    for level, parents in found:
        yield from zip(G.named(parents), G.named(level), strict=True)


def _order_refused(given: Mapping[str, Any]) -> str | None:
    if given.get("sort_neighbors") is not None:
        return "sort_neighbors"
    if given.get("reverse") and given["G"].is_directed():
        return "reverse: the order of predecessors is not converted"
    return None


@refuses(_order_refused)
def bfs_edges(
    G: ConvertedGraph,
    source: Hashable,
    reverse: bool = False,
    depth_limit: float | None = None,
    sort_neighbors: Callable[..., Any] | None = None,
) -> Iterator[tuple[Any, Any]]:
    yield from _edges(G, source, depth_limit)


@refuses(_order_refused)
def bfs_tree(
    G: ConvertedGraph,
    source: Hashable,
    reverse: bool = False,
    depth_limit: float | None = None,
    sort_neighbors: Callable[..., Any] | None = None,
) -> Any:
    tree = nx.DiGraph()
    tree.add_node(source)
    tree.add_edges_from(_edges(G, source, depth_limit))
    return tree


@refuses(_order_refused)
def bfs_predecessors(
    G: ConvertedGraph,
    source: Hashable,
    depth_limit: float | None = None,
    sort_neighbors: Callable[..., Any] | None = None,
) -> Iterator[tuple[Any, Any]]:
    if _PREDECESSORS_END:
        warnings.warn(
            "bfs_predecessors is deprecated by NetworkX; bfs_edges has the same pairs, turned",
            DeprecationWarning, stacklevel=2,
        )  # fmt: skip
    for parent, node in _edges(G, source, depth_limit):
        yield node, parent


@refuses(_order_refused)
def bfs_successors(
    G: ConvertedGraph,
    source: Hashable,
    depth_limit: float | None = None,
    sort_neighbors: Callable[..., Any] | None = None,
) -> Iterator[tuple[Any, list[Any]]]:
    none = True
    for parent, pairs in groupby(_edges(G, source, depth_limit), itemgetter(0)):
        yield parent, [node for _, node in pairs]
        none = False
    if none:
        yield source, []


def bfs_layers(G: ConvertedGraph, sources: Any) -> Iterator[list[Any]]:
    first = [sources] if sources in G else list(set(sources))
    for source in first:
        if source not in G:
            raise nx.NetworkXError(f"The node {source} is not in the graph.")
    at = [G.index(source) for source in first]
    for level, _ in levels(G, at, hops_from_any(G, at), None):
        yield list(G.named(level))


def predecessor(
    G: ConvertedGraph,
    source: Hashable,
    target: Hashable | None = None,
    cutoff: float | None = None,
    return_seen: bool | None = None,
) -> Any:
    if source not in G:
        raise nx.NodeNotFound(f"Source {source} not in G")
    # NetworkX looks at the cutoff behind a level, and takes 0 for none.
    by_level = [level for level, _ in _levels(G, source, max(cutoff, 1) if cutoff else None)]
    order = np.array([node for level in by_level for node in level])
    depths = np.full(len(G), -1)
    depths[order] = np.repeat(np.arange(len(by_level)), [len(level) for level in by_level])
    rank = np.empty(len(G), np.int64)
    rank[order] = np.arange(order.size)
    tails, heads = arcs_from(G.rows.indptr, G.rows.indices, order)
    nearer = depths[heads] == depths[tails] + 1
    # Of parallel edges, which are neighbours in their row, the first.
    nearer[1:] &= (tails[1:] != tails[:-1]) | (heads[1:] != heads[:-1])
    tails, heads = tails[nearer], heads[nearer]
    by_head = np.argsort(rank[heads], kind="stable")
    counts = np.bincount(rank[heads], minlength=order.size)
    before = iter(G.named(tails[by_head].tolist()))
    pred = {
        node: [next(before) for _ in range(count)]
        for node, count in zip(G.named(order.tolist()), counts.tolist(), strict=True)
    }
    seen = dict(zip(G.named(order.tolist()), depths[order].tolist(), strict=True))
    if target is None:
        return (pred, seen) if return_seen else pred
    found = pred.get(target, [])
    return (found, seen.get(target, -1)) if return_seen else found

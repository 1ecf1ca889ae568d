"""Triangles, clustering coefficients and transitivity."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping
from typing import Any

import gossamer as gs
import networkx as nx
import numpy as np
import numpy.typing as npt
from networkx.utils import not_implemented_for

from .graph import ConvertedGraph
from .machine import compiled, machine
from .refusal import brief, refuses, weight_refused
from .traversal import arcs_from

Counts = npt.NDArray[np.int64]

#: As many arcs are looked at in the time of NumPy's calls for one node.
_CALLS = 1000


def _refused(given: Mapping[str, Any]) -> str | None:
    return "a directed graph" if given["G"].is_directed() else None


def _of_few(given: Mapping[str, Any]) -> bool:
    nodes = given["nodes"]
    many = isinstance(nodes, Collection) and 10 * len(nodes) > len(given["G"])
    return nodes is not None and not many


@refuses(_refused)
@not_implemented_for("multigraph")
def transitivity(G: ConvertedGraph) -> float:
    if not len(G):
        return 0
    found = _found(G)
    # Each triangle closes a pair of neighbours of three nodes.
    return 3 * found.total / int(found.pairs.sum()) if found.total else 0


@brief(_of_few)
@not_implemented_for("directed")
def triangles(G: ConvertedGraph, nodes: Any = None) -> Any:
    if nodes is None:
        if not len(G):
            return {}
        return dict(zip(G.nodes, _found(G).counts.tolist(), strict=True))
    found = dict(_of_some(G, nodes))
    return found[nodes] if nodes in G else found


@brief(_of_few)
@refuses(weight_refused)
@not_implemented_for("multigraph")
def clustering(G: ConvertedGraph, nodes: Any = None, weight: Hashable | None = None) -> Any:
    taken = G.nodes if nodes is None else list(dict.fromkeys(bunch(G, nodes)))
    if not taken:
        return {}
    found = _found(G, weight)
    at = np.array([G.index(node) for node in taken], np.int64)
    # NetworkX's zeros are integers.
    found_here = (c or 0 for c in found.clustering[at].tolist())
    coefficients = dict(zip(taken, found_here, strict=True))
    return coefficients[nodes] if nodes in G else coefficients


@brief(_of_few)
@refuses(weight_refused)
@not_implemented_for("multigraph")
def average_clustering(
    G: ConvertedGraph, nodes: Any = None, weight: Hashable | None = None, count_zeros: bool = True
) -> float:
    counted = [c for c in clustering(G, nodes, weight).values() if count_zeros or c]
    mean: float = sum(counted) / len(counted)
    return mean


def _found(G: ConvertedGraph, weight: Hashable | None = None) -> gs.TrianglesResult:
    """NotImplementedError for weights that are all zero, of which NetworkX says what is wrong."""
    weighted = weight is not None and G.rows.indices.size > 0
    if weighted and not G.weights(weight).any():
        raise NotImplementedError(f"edge attribute {weight!r}: all are zero")
    with compiled():
        return gs.triangles(G.graph(weight if weighted else None), machine(), weighted=weighted)


@not_implemented_for("multigraph")
def _of_some(G: ConvertedGraph, nodes: Any) -> Iterator[tuple[Any, int]]:
    """Nodes, with their triangles."""
    taken = list(dict.fromkeys(bunch(G, nodes)))
    at = np.array([G.index(node) for node in taken], np.int64)
    indptr, indices = G.arcs()
    _, heads = arcs_from(indptr, indices, at)
    work = int(np.diff(indptr)[heads].sum()) + _CALLS * at.size
    if work <= indices.size:
        return ((node, _of_one(G, i)) for node, i in zip(taken, at.tolist(), strict=True))
    return zip(taken, _found(G).counts[at].tolist(), strict=True)


def bunch(G: ConvertedGraph, nodes: Any) -> Iterator[Any]:
    """Those that are nodes, of one or several."""
    if nodes in G:
        yield nodes
        return
    try:
        several = iter(nodes)
    except TypeError:
        raise nx.NetworkXError(f"Node {nodes} is not in the graph.") from None
    for node in several:
        try:
            hash(node)
        except TypeError:
            message = f"Node {node} in sequence nbunch is not a valid node."
            raise nx.NetworkXError(message) from None
        if node in G:
            yield node


def _of_one(G: ConvertedGraph, node: int) -> int:
    """Triangles of a node, in a graph without parallel edges."""
    indptr, indices = G.arcs()
    near = indices[indptr[node] : indptr[node + 1]]
    near = near[near != node]
    is_near = np.zeros(len(G), bool)
    is_near[near] = True
    tails, heads = arcs_from(indptr, indices, near)
    return int(np.count_nonzero(is_near[heads] & (heads != tails))) // 2

"""Triangles of undirected graphs."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt
from networkx.utils import not_implemented_for
from scipy.sparse import csr_array

from .graph import ConvertedGraph
from .refusal import brief, refuses
from .traversal import arcs_from

Counts = npt.NDArray[np.int64]

#: Terms of a product that are added up together, of 12 bytes.
_AT_ONCE = 1 << 22
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
    simple = G.graph().rebuild(remove_self_loops=True)
    count = simple.count_triangles()
    degrees = simple.degrees
    # Each triangle is a pair of neighbours of three nodes, in either order.
    return 6 * count / int((degrees * (degrees - 1)).sum()) if count else 0


@brief(_of_few)
@not_implemented_for("directed")
def triangles(G: ConvertedGraph, nodes: Any = None) -> Any:
    if nodes is None:
        return dict(zip(G.nodes, _of_all(G).tolist(), strict=True))
    found = dict(_of_some(G, nodes))
    return found[nodes] if nodes in G else found


@not_implemented_for("multigraph")
def _of_some(G: ConvertedGraph, nodes: Any) -> Iterator[tuple[Any, int]]:
    """Nodes, with their triangles."""
    taken = list(dict.fromkeys(_bunch(G, nodes)))
    at = np.array([G.index(node) for node in taken], np.int64)
    indptr, indices = G.arcs()
    _, heads = arcs_from(indptr, indices, at)
    work = int(np.diff(indptr)[heads].sum()) + _CALLS * at.size
    if work <= indices.size:
        return ((node, _of_one(G, i)) for node, i in zip(taken, at.tolist(), strict=True))
    return zip(taken, _of_all(G)[at].tolist(), strict=True)


def _bunch(G: ConvertedGraph, nodes: Any) -> Iterator[Any]:
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


def _of_all(G: ConvertedGraph) -> Counts:
    """Triangles of all nodes.

    Each edge leads to the end of more edges, so that no node has many arcs (Chiba and Nishizeki,
    SIAM Journal on Computing 14, 1985). A triangle has a first, a second and a last node then.
    """
    ahead = _forward(G)
    back = ahead.T.tocsr()
    counts = np.zeros(len(G), np.int64)
    for rows in _blocks(ahead, ahead):
        # From the first node over the second to the last, which is behind the first, too.
        last = (ahead[rows] @ ahead).multiply(ahead[rows])
        counts[rows] += last.sum(axis=1)
    for rows in _blocks(back, ahead):
        # From the second node to the first, and on to the last.
        last = (back[rows] @ ahead).multiply(ahead[rows])
        counts[rows] += last.sum(axis=1)
        counts += last.sum(axis=0)
    return counts


def _forward(G: ConvertedGraph) -> csr_array:
    """A simple graph's edges, each from the end of fewer edges."""
    indptr, indices = G.arcs()
    degrees = np.diff(indptr)
    rank = np.empty(len(G), np.int64)
    rank[np.argsort(degrees, kind="stable")] = np.arange(len(G))
    taken = np.repeat(rank, degrees) < rank[indices]
    before = np.concatenate([[0], np.cumsum(taken)])
    heads = indices[taken]
    ahead = csr_array((np.ones(heads.size, np.int32), heads, before[indptr]), (len(G), len(G)))
    ahead.sum_duplicates()  # parallel edges
    ahead.data[:] = 1
    return ahead


def _blocks(first: csr_array, second: csr_array) -> Iterator[slice]:
    """Rows of a product whose terms fit in memory."""
    terms = np.cumsum(first @ np.diff(second.indptr).astype(np.int64))
    start = 0
    while start < terms.size:
        before = terms[start - 1] if start else 0
        end = int(np.searchsorted(terms, before + _AT_ONCE, "right"))
        yield slice(start, max(end, start + 1))
        start = max(end, start + 1)

"""Generations of directed graphs without cycles, in NetworkX's order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt

from .graph import ConvertedGraph
from .refusal import brief
from .traversal import arcs_from

#: Generations of so few nodes are gone through one by one: NumPy's calls would take longer.
_FEW_NODES = 16
_CHANGED = "Graph changed during iteration"
_UNFEASIBLE = "Graph contains a cycle or graph changed during iteration"


def _generations(G: ConvertedGraph) -> Iterator[list[int]]:
    """Nodes whose predecessors are all in generations before. Nodes on cycles, and behind them, are
    in none."""
    indptr, indices = G.rows.indptr, G.rows.indices
    missing = np.bincount(indices, minlength=len(G))
    count, starts, heads = missing.data, indptr.data, indices.data  # which give numbers quickly
    place = np.empty(len(G), np.int64)
    level = np.flatnonzero(missing == 0).tolist()
    while level:
        yield level
        if len(level) <= _FEW_NODES:
            found = []
            for tail in level:
                for head in heads[starts[tail] : starts[tail + 1]]:
                    left = count[head] - 1
                    count[head] = left
                    if not left:
                        found.append(head)
            level = found
        else:
            level = _behind(indptr, indices, np.array(level), missing, place)


def _behind(
    indptr: npt.NDArray[Any],
    indices: npt.NDArray[Any],
    tails: npt.NDArray[np.int64],
    missing: npt.NDArray[np.int64],
    place: npt.NDArray[np.int64],
) -> list[int]:
    """The next generation, by the last arc to each node; one arc less is missing for each."""
    _, heads = arcs_from(indptr, indices, tails)
    np.subtract.at(missing, heads, 1)
    order = np.arange(heads.size)
    place[heads] = order  # of several arcs to a head the last
    found: list[int] = heads[(missing[heads] == 0) & (place[heads] == order)].tolist()
    return found


def _named(G: ConvertedGraph) -> Iterator[list[Any]]:
    """Generations; raises what NetworkX may raise when nodes come or go meanwhile."""
    if not G.is_directed():
        raise nx.NetworkXError("Topological sort not defined on undirected graphs.")
    nodes, now = G.nodes, G.nodes_now()
    listed = 0
    for level in _generations(G):
        names = [nodes[i] for i in level]
        if listed and len(now) != len(nodes):
            gone = len(now) < len(nodes) and all(name in now for name in names)
            raise nx.NetworkXUnfeasible(_UNFEASIBLE) if gone else RuntimeError(_CHANGED)
        listed += len(level)
        yield names
    if listed < len(G):
        raise nx.NetworkXUnfeasible(_UNFEASIBLE)


@brief(lambda _: True)
def topological_generations(G: ConvertedGraph) -> Iterator[list[Any]]:
    yield from _named(G)


@brief(lambda _: True)
def topological_sort(G: ConvertedGraph) -> Iterator[Any]:
    for generation in _named(G):
        yield from generation


@brief(lambda _: True)
def is_directed_acyclic_graph(G: ConvertedGraph) -> bool:
    return G.is_directed() and sum(map(len, _generations(G))) == len(G)

"""Connected and weakly connected components."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

import gossamer as gs
import networkx as nx
import numpy as np
from networkx.utils import not_implemented_for

from .graph import ConvertedGraph
from .machine import machine
from .shortest_paths import hops


def _sets(G: ConvertedGraph) -> Iterator[set[Any]]:
    """By the first node of each."""
    if not len(G):
        return iter(())
    # A label is the smallest index of its component.
    labels = gs.components(G.graph(), machine()).labels
    order = np.argsort(labels, kind="stable")
    starts = np.flatnonzero(np.diff(labels[order])) + 1
    return (set(G.named(part.tolist())) for part in np.split(order, starts))


def _count(G: ConvertedGraph) -> int:
    return gs.components(G.graph(), machine()).count if len(G) else 0


def _is_one(G: ConvertedGraph) -> bool:
    if not len(G):
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    return _count(G) == 1


@not_implemented_for("directed")
def connected_components(G: ConvertedGraph) -> Iterator[set[Any]]:
    return _sets(G)


@not_implemented_for("directed")
def number_connected_components(G: ConvertedGraph) -> int:
    return _count(G)


@not_implemented_for("directed")
def is_connected(G: ConvertedGraph) -> bool:
    return _is_one(G)


@not_implemented_for("directed")
def node_connected_component(G: ConvertedGraph, n: Hashable) -> set[Any]:
    return set(G.named(np.flatnonzero(hops(G, n) >= 0).tolist()))


@not_implemented_for("undirected")
def weakly_connected_components(G: ConvertedGraph) -> Iterator[set[Any]]:
    return _sets(G)


@not_implemented_for("undirected")
def number_weakly_connected_components(G: ConvertedGraph) -> int:
    return _count(G)


@not_implemented_for("undirected")
def is_weakly_connected(G: ConvertedGraph) -> bool:
    return _is_one(G)

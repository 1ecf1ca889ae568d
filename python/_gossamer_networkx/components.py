"""Connected and weakly connected components."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from typing import Any

import gossamer as gs
import networkx as nx
import numpy as np
import numpy.typing as npt
from networkx.utils import not_implemented_for

from .graph import ConvertedGraph
from .machine import compiled, machine
from .refusal import refuses
from .shortest_paths import hops


def _sets(G: ConvertedGraph) -> Iterator[set[Any]]:
    """By the first node of each."""
    if not len(G):
        return iter(())
    # A label is the smallest index of its component.
    parts = members_by_label(gs.components(G.graph(), machine()).labels)
    return (set(G.named(part.tolist())) for part in parts)


def _strong(G: ConvertedGraph) -> gs.StrongComponentsResult:
    with compiled():
        return gs.strong_components(G.graph(), machine())


def members_by_label(labels: npt.NDArray[Any]) -> list[npt.NDArray[np.intp]]:
    """The nodes of each label, in its order."""
    order = np.argsort(labels, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(labels[order])) + 1)


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


@not_implemented_for("undirected")
def strongly_connected_components(G: ConvertedGraph) -> Iterator[set[Any]]:
    if not len(G):
        return iter(())
    labels = _strong(G).labels
    parts = members_by_label(labels)
    order = _sinks_first(gs.condensation(G.graph(), labels))
    return (set(G.named(parts[part].tolist())) for part in order)


def _sinks_first(graph: gs.Graph) -> list[int]:
    """Vertices of a graph without circles, each behind all that its arcs lead to: NetworkX finds
    components in such an order, too."""
    left = graph.degrees.tolist()
    turned = graph.transposed()
    starts, before = turned.indptr.tolist(), turned.indices.tolist()
    order = [vertex for vertex, arcs in enumerate(left) if not arcs]
    for vertex in order:
        for other in before[starts[vertex] : starts[vertex + 1]]:
            left[other] -= 1
            if not left[other]:
                order.append(other)
    return order


@not_implemented_for("undirected")
def number_strongly_connected_components(G: ConvertedGraph) -> int:
    return _strong(G).count if len(G) else 0


@not_implemented_for("undirected")
def is_strongly_connected(G: ConvertedGraph) -> bool:
    if not len(G):
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    return _strong(G).count == 1


def _refused(given: Mapping[str, Any]) -> str | None:
    return "NetworkX numbers components in its own order" if given["scc"] is None else None


@refuses(_refused)
@not_implemented_for("undirected")
def condensation(G: ConvertedGraph, scc: Any = None) -> Any:
    made = nx.DiGraph()
    mapping: dict[Any, int] = {}
    made.graph["mapping"] = mapping
    if not len(G):
        return made
    members = dict(enumerate(scc))
    for i, component in members.items():
        mapping.update((node, i) for node in component)
    made.add_nodes_from(range(len(members)))
    numbers = np.array([mapping[node] for node in G.nodes], np.int64)
    tails = np.repeat(numbers, np.diff(G.rows.indptr))
    heads = numbers[G.rows.indices]
    arcs = np.unique((tails * len(members) + heads)[tails != heads])
    ends = (of.tolist() for of in (arcs // len(members), arcs % len(members)))
    made.add_edges_from(zip(*ends, strict=True))
    nx.set_node_attributes(made, members, "members")
    return made

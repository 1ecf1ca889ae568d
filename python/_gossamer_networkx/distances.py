"""Closeness and harmonic centrality, eccentricities and what follows from them, by hops."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import gossamer as gs
import networkx as nx
import numpy as np

from .graph import ConvertedGraph
from .machine import compiled, machine
from .refusal import refuses
from .triangles import bunch


def _chosen(G: ConvertedGraph, nodes: Any) -> list[Any]:
    """All, one or several, each once."""
    return G.nodes if nodes is None else list(dict.fromkeys(bunch(G, nodes)))


def _by_hops(given: Mapping[str, Any]) -> str | None:
    weight = given.get("distance", given.get("weight"))
    return "distances by weight" if weight is not None else None


# --- centrality ----------------------------------------------------------------------------------


@refuses(_by_hops)
def closeness_centrality(
    G: ConvertedGraph, u: Hashable = None, distance: Any = None, wf_improved: bool = True
) -> Any:
    if u is not None and u not in G:
        raise nx.NodeNotFound(f"Source {u} is not in G")
    if not len(G):
        return {}
    vertices = None if u is None else np.array([G.index(u)])
    with compiled():
        found = gs.closeness(G.graph(), machine(), vertices=vertices, wf_improved=bool(wf_improved))
    numbers = found.values.tolist()
    return dict(zip(G.nodes, numbers, strict=True)) if u is None else numbers[0]


def _harmonic_refused(given: Mapping[str, Any]) -> str | None:
    return "paths from chosen sources" if given["sources"] is not None else _by_hops(given)


@refuses(_harmonic_refused)
def harmonic_centrality(
    G: ConvertedGraph, nbunch: Any = None, distance: Any = None, sources: Any = None
) -> dict[Any, Any]:
    nodes = _chosen(G, nbunch)
    if not nodes:
        return {}
    vertices = None if len(nodes) == len(G) else np.array([G.index(node) for node in nodes])
    with compiled():
        found = gs.harmonic(G.graph(), machine(), vertices=vertices)
    order = G.nodes if vertices is None else nodes
    # Who is reached by none has NetworkX's integer.
    return dict(zip(order, (x or 0 for x in found.values.tolist()), strict=True))


# --- eccentricities ------------------------------------------------------------------------------


def _given_lengths(given: Mapping[str, Any]) -> str | None:
    lengths = given.get("sp", given.get("e"))
    return "of lengths that are given" if lengths is not None else _by_hops(given)


def _given_or_nothing(given: Mapping[str, Any]) -> str | None:
    return _given_lengths(given) if len(given["G"]) else "of no nodes"


def _connected(G: ConvertedGraph, found: gs.DistancesResult, usebounds: Any = False) -> None:
    """NetworkXError, as NetworkX has it with bounds and without, of a graph in parts."""
    if found.all_reached:
        return
    if usebounds is True and not G.is_directed():
        raise nx.NetworkXError("Cannot compute metric because graph is not connected.")
    of = "digraph is not strongly connected" if G.is_directed() else "graph is not connected"
    raise nx.NetworkXError(f"Found infinite path length because the {of}")


@refuses(_given_lengths)
def eccentricity(G: ConvertedGraph, v: Any = None, sp: Any = None, weight: Any = None) -> Any:
    nodes = _chosen(G, v)
    if not nodes:
        return {}
    vertices = None if len(nodes) == len(G) else np.array([G.index(node) for node in nodes])
    with compiled():
        found = gs.eccentricity(G.graph(), machine(), vertices=vertices)
    _connected(G, found)
    numbers = dict(zip(G.nodes if vertices is None else nodes, found.values.tolist(), strict=True))
    return numbers[v] if v in G else numbers


def _extremes(G: ConvertedGraph, usebounds: Any) -> gs.DistancesResult:
    with compiled():
        found = gs.eccentricity(G.graph(), machine())
    _connected(G, found, usebounds)
    return found


@refuses(_given_or_nothing)
def diameter(G: ConvertedGraph, e: Any = None, usebounds: bool = False, weight: Any = None) -> int:
    with compiled():
        found = gs.diameter(G.graph(), machine())
    _connected(G, found, usebounds)
    return found.diameter


@refuses(_given_or_nothing)
def radius(G: ConvertedGraph, e: Any = None, usebounds: bool = False, weight: Any = None) -> int:
    return _extremes(G, usebounds).radius


@refuses(_given_or_nothing)
def periphery(
    G: ConvertedGraph, e: Any = None, usebounds: bool = False, weight: Any = None
) -> list[Any]:
    return list(G.named(_extremes(G, usebounds).periphery.tolist()))


@refuses(_given_or_nothing)
def center(
    G: ConvertedGraph, e: Any = None, usebounds: bool = False, weight: Any = None
) -> list[Any]:
    return list(G.named(_extremes(G, usebounds).center.tolist()))

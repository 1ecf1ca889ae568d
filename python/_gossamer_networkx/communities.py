"""Communities, and their modularity."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from typing import Any

import gossamer as gs
import numpy as np
from networkx.algorithms.community.quality import NotAPartition

from .components import members_by_label
from .graph import ConvertedGraph
from .machine import compiled, machine
from .refusal import refuses, weight_refused


def _modularity_refused(given: Mapping[str, Any]) -> str | None:
    if given["G"].is_directed():
        return "a directed graph"
    resolution = given["resolution"]
    if not isinstance(resolution, int | float) or not 0 <= resolution < math.inf:
        return f"resolution {resolution!r}"
    return weight_refused(given)


def _refused(given: Mapping[str, Any]) -> str | None:
    if given["max_level"] is not None:
        return "max_level"
    return _modularity_refused(given)


def _found(
    G: ConvertedGraph, weight: Hashable, resolution: float, seed: Any, method: str
) -> list[set[Any]]:
    if not len(G):
        return []
    with compiled():
        labels = gs.communities(
            G.graph(weight), machine(), method=method, resolution=float(resolution),
            # NetworkX has made a generator of whatever it was given.
            seed=0 if seed is None else int(seed.randrange(1 << 62)),
        ).labels  # fmt: skip
    return [set(G.named(part.tolist())) for part in members_by_label(labels)]


@refuses(_refused)
def louvain_communities(
    G: ConvertedGraph, weight: Hashable = "weight", resolution: float = 1,
    threshold: float = 0.0000001, max_level: int | None = None, seed: Any = None,
) -> list[set[Any]]:  # fmt: skip
    return _found(G, weight, resolution, seed, "louvain")


@refuses(_refused)
def leiden_communities(
    G: ConvertedGraph, weight: Hashable = "weight", resolution: float = 1,
    max_level: int | None = None, seed: Any = None,
) -> list[set[Any]]:  # fmt: skip
    return _found(G, weight, resolution, seed, "leiden")


@refuses(_modularity_refused)
def modularity(
    G: ConvertedGraph, communities: Any, weight: Hashable = "weight", resolution: float = 1
) -> float:
    given = communities if isinstance(communities, list) else list(communities)
    labels = np.full(len(G), -1, np.int64)
    places = G.rows.names.places
    members = 0
    for label, community in enumerate(given):
        found = [places[node] for node in community if node in G]
        labels[found] = label
        members += len(community)
    if members != len(G) or (labels < 0).any():
        raise NotAPartition(G, given)
    graph = G.graph(weight) if G.rows.indices.size else None
    if graph is None or (graph.weights is not None and not np.asarray(graph.weights).any()):
        raise ZeroDivisionError("division by zero")
    return gs.modularity(graph, labels, float(resolution))

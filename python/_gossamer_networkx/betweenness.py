"""Betweenness of nodes and edges, without weights."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from typing import Any

import gossamer as gs
import networkx as nx
import numpy as np

from .graph import ConvertedGraph
from .machine import compiled, machine
from .refusal import refuses


def _refused(given: Mapping[str, Any]) -> str | None:
    if given["weight"] is not None:
        return "weights"
    return "no sample" if given["k"] == 0 and len(given["G"]) else None


@refuses(_refused)
def betweenness_centrality(
    G: ConvertedGraph, k: int | None = None, normalized: bool = True,
    weight: Hashable | None = None, endpoints: bool = False, seed: Any = None,
) -> dict[Any, float]:  # fmt: skip
    if k == len(G):  # all, and nothing is drawn
        k = None
    found = _found(G, k, seed, normalized=bool(normalized), endpoints=bool(endpoints))
    if found is None:
        return {}
    return dict(zip(G.nodes, found.scores.tolist(), strict=True))


@refuses(_refused)
def edge_betweenness_centrality(
    G: ConvertedGraph, k: int | None = None, normalized: bool = True,
    weight: Hashable | None = None, seed: Any = None,
) -> dict[Any, float]:  # fmt: skip
    found = _found(G, k, seed, normalized=bool(normalized), edges=True)
    if found is None:
        return {}
    assert isinstance(found, gs.EdgeBetweennessResult)
    ends = (G.named(of.tolist()) for of in (found.tails, found.heads))
    scores = dict(zip(zip(*ends, strict=True), found.scores[found.arcs].tolist(), strict=True))
    return dict(_by_key(G, scores)) if G.is_multigraph() else scores


def _by_key(G: ConvertedGraph, scores: Mapping[Any, float]) -> Iterator[tuple[Any, float]]:
    """Parallel edges have one score each, whichever of them was read."""
    for u, v, key in G.living().edges(keys=True):
        score = scores.get((u, v))
        yield (u, v, key), scores[v, u] if score is None else score


def _found(
    G: ConvertedGraph, k: int | None, seed: Any, **options: Any
) -> gs.BetweennessResult | None:
    """From the nodes that NetworkX draws, too; None of a graph without nodes."""
    sources = None
    if k is not None:
        drawn = nx.utils.create_py_random_state(seed).sample(list(G.nodes), k)
        sources = np.array([G.index(node) for node in drawn], np.int64)
    if not len(G):
        return None
    with compiled():
        return gs.betweenness(G.graph(), machine(), sources=sources, **options)

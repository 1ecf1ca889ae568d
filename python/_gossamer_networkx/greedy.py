"""Independent sets and colourings, by an order that is drawn."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import gossamer as gs
import networkx as nx
from gossamer.algorithm.coloring import coloring_of
from gossamer.algorithm.independent_set import independent_set_of

from .graph import ConvertedGraph
from .machine import compiled, machine
from .refusal import refuses

_RANDOM = ("random_sequential", nx.coloring.strategy_random_sequential)


def _set_refused(given: Mapping[str, Any]) -> str | None:
    if given["G"].is_directed():
        return "a directed graph"
    if given["nodes"] is not None:
        return "nodes"
    return None


@refuses(_set_refused)
def maximal_independent_set(
    G: ConvertedGraph, nodes: Iterable[Any] | None = None, seed: Any = None
) -> list[Any]:
    if not len(G):
        raise NotImplementedError("no nodes: NetworkX's error")
    # NetworkX has made a generator of whatever it was given.
    drawn = int(seed.randrange(1 << 62))
    with compiled(), gs.vertex_steps(G.graph(None), machine()) as s:
        found = independent_set_of(s, drawn)
    return list(G.named(found.members.tolist()))


def _coloring_refused(given: Mapping[str, Any]) -> str | None:
    if given["G"].is_directed():
        return "a directed graph"
    if given["strategy"] not in _RANDOM:
        return "strategy: not random_sequential"
    if given["interchange"]:
        return "interchange"
    return None


@refuses(_coloring_refused)
def greedy_color(
    G: ConvertedGraph,
    strategy: str | Callable[..., Any] = "largest_first",
    interchange: bool = False,
) -> dict[Any, int]:
    if not len(G):
        return {}
    drawn = random.getrandbits(62)  # as NetworkX's strategy does
    with compiled(), gs.vertex_steps(G.graph(None), machine()) as s:
        found = coloring_of(s, drawn)
    return dict(zip(G.nodes, found.colors.tolist(), strict=True))

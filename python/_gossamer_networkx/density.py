"""Cores of graphs."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

import gossamer as gs
import networkx as nx
import numpy as np
from networkx.utils import not_implemented_for

from .graph import ConvertedGraph
from .machine import compiled, machine


@not_implemented_for("multigraph")
def core_number(G: ConvertedGraph) -> dict[Any, int]:
    return _core_numbers(G)


def _core_numbers(G: ConvertedGraph) -> dict[Any, int]:
    if not len(G):
        return {}
    tails = np.repeat(np.arange(len(G)), np.diff(G.rows.indptr))
    if (tails == G.rows.indices).any():
        raise nx.NetworkXNotImplemented(
            "Input graph has self loops which is not permitted; "
            "Consider using G.remove_edges_from(nx.selfloop_edges(G))."
        )
    with compiled():
        numbers = gs.core_numbers(G.graph(), machine()).numbers
    return dict(zip(G.nodes, numbers.tolist(), strict=True))


Cores = Mapping[Any, Any]


def _part(G: ConvertedGraph, k: Any, cores: Cores | None, taken: Callable[[Any, Any], bool]) -> Any:
    """A copy of the nodes whose core number is taken beside k, by default the largest."""
    cores = _core_numbers(G) if cores is None else cores
    k = max(cores.values()) if k is None else k
    return G.living().subgraph(node for node in cores if taken(cores[node], k)).copy()


@not_implemented_for("multigraph")
def k_core(G: ConvertedGraph, k: Any = None, core_number: Cores | None = None) -> Any:
    return _part(G, k, core_number, operator.ge)


@not_implemented_for("multigraph")
def k_shell(G: ConvertedGraph, k: Any = None, core_number: Cores | None = None) -> Any:
    return _part(G, k, core_number, operator.eq)


@not_implemented_for("multigraph")
def k_crust(G: ConvertedGraph, k: Any = None, core_number: Cores | None = None) -> Any:
    cores = _core_numbers(G) if core_number is None else core_number
    return _part(G, max(cores.values()) - 1 if k is None else k, cores, operator.le)


@not_implemented_for("multigraph")
def k_corona(G: ConvertedGraph, k: Any, core_number: Cores | None = None) -> Any:
    cores = _core_numbers(G) if core_number is None else core_number
    k = max(cores.values()) if k is None else k
    source = G.living()
    return source.subgraph(
        node
        for node in cores
        if cores[node] == k and sum(cores[other] >= k for other in source[node]) == k
    ).copy()

"""Centralities by iteration."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from numbers import Real
from typing import Any

import gossamer as gs
import networkx as nx
import numpy as np
import numpy.typing as npt
from gossamer.algorithm.eigenvector import by_iteration
from gossamer.algorithm.katz import katz_of
from networkx.utils import not_implemented_for

from .graph import ConvertedGraph
from .machine import compiled, machine
from .refusal import refuses, weight_refused


def _not_real(values: Iterable[Any]) -> bool:
    return not all(isinstance(value, Real) for value in values)


def _refused(given: Mapping[str, Any]) -> str | None:
    for name in ("alpha", "tol"):
        if _not_real([given.get(name, 0)]):
            return f"{name}: not a real number"
    if not isinstance(given["max_iter"], int):
        return "max_iter: not an integer"
    start = given["nstart"]
    if start is not None and not _has_all(start, given["G"]):
        return "nstart: not a real number for each node"
    return weight_refused(given)


def _has_all(start: Any, nodes: Iterable[Any]) -> bool:
    if not isinstance(start, Mapping) or _not_real(start.values()):
        return False
    return set(start) == set(nodes)


def _katz_refused(given: Mapping[str, Any]) -> str | None:
    beta = given["beta"]
    if _not_real(beta.values() if isinstance(beta, Mapping) else [beta]):
        return "beta: not a real number, or one for each node"
    return _refused(given)


def _by_node(
    G: ConvertedGraph, values: npt.NDArray[np.float64], nstart: Mapping[Any, Any] | None
) -> dict[Any, float]:
    """In the order of the start, as NetworkX has them."""
    found = dict(zip(G.nodes, values.tolist(), strict=True))
    return found if nstart is None else {node: found[node] for node in nstart}


@refuses(_katz_refused)
@not_implemented_for("multigraph")
def katz_centrality(
    G: ConvertedGraph,
    alpha: float = 0.1,
    beta: float | Mapping[Any, float] = 1.0,
    max_iter: int = 1000,
    tol: float = 1.0e-6,
    nstart: Mapping[Any, float] | None = None,
    normalized: bool = True,
    weight: Hashable | None = None,
) -> dict[Any, float]:
    if not len(G):
        return {}
    if isinstance(beta, Mapping):
        if set(beta) != set(G):
            raise nx.NetworkXError("beta dictionary must have a value for every node")
        added = G.values(beta)
    else:
        added = np.full(len(G), float(beta))
    if max_iter < 1:
        raise nx.PowerIterationFailedConvergence(max_iter)
    begin = None if nstart is None else G.values(nstart)
    with compiled(), gs.vertex_steps(G.graph(weight), machine()) as s:
        found = katz_of(
            s, float(alpha), added, begin, float(tol), max_iter, normalized, weight is not None
        )
    if not found.converged:
        raise nx.PowerIterationFailedConvergence(max_iter)
    return _by_node(G, found.values, nstart)


@refuses(_refused)
@not_implemented_for("multigraph")
def eigenvector_centrality(
    G: ConvertedGraph,
    max_iter: int = 100,
    tol: float = 1.0e-6,
    nstart: Mapping[Any, float] | None = None,
    weight: Hashable | None = None,
) -> dict[Any, float]:
    if not len(G):
        raise nx.NetworkXPointlessConcept("cannot compute centrality for the null graph")
    start = np.ones(len(G)) if nstart is None else G.values(nstart)
    if not start.any():
        raise nx.NetworkXError("initial vector cannot have all zero values")
    total = len(G) if nstart is None else sum(nstart.values())
    if not total:
        raise ZeroDivisionError
    if max_iter < 1:
        raise nx.PowerIterationFailedConvergence(max_iter)
    weight = weight or None  # which NetworkX takes for none
    with compiled(), gs.vertex_steps(G.graph(weight), machine()) as s:
        found = by_iteration(s, start / total, float(tol), max_iter, weight is not None)
    if not found.converged:
        raise nx.PowerIterationFailedConvergence(max_iter)
    return _by_node(G, found.values, nstart)

"""Centralities by iteration, as steps at all vertices."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping
from numbers import Real
from typing import Any

import gossamer as gs
import networkx as nx
import numpy as np
import numpy.typing as npt
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
    with compiled(), gs.vertex_steps(G.graph(weight), machine()) as s:
        s.numbers(alpha=float(alpha), enough=len(G) * float(tol), moved=0.0)
        s.fields(katz=0.0 if nstart is None else G.values(nstart), beta=added)
        with s.repeat(until="moved < enough", at_most=max_iter):
            s.send("katz" if weight is None else "katz * weight", "sum", into="got")
            s.map(new="alpha * got + beta")
            s.reduce("abs(new - katz)", "sum", into="moved")
            s.map(katz="new")
        katz, converged = s["katz"], s["moved"] < s["enough"]
    if not converged:
        raise nx.PowerIterationFailedConvergence(max_iter)
    length = math.hypot(*katz.tolist()) if normalized else 1.0
    return _by_node(G, katz * (1 / length) if length else katz, nstart)


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
        s.numbers(enough=len(G) * float(tol), moved=0.0)
        s.fields(x=start / total)
        with s.repeat(until="moved < enough", at_most=max_iter):
            s.send("x" if weight is None else "x * weight", "sum", into="got")
            # One more of the vertex itself: else the signs of a bipartite graph would alternate.
            s.map(new="x + got")
            # Large weights have squares beyond what floats hold.
            s.reduce("abs(new)", "max", into="largest")
            s.set(largest="largest if largest > 0 else 1.0")
            s.reduce("(new / largest) * (new / largest)", "sum", into="square")
            s.set(length="largest * sqrt(square)")
            s.map(new="new / length if length > 0 else new")
            s.reduce("abs(new - x)", "sum", into="moved")
            s.map(x="new")
        x, converged = s["x"], s["moved"] < s["enough"]
    if not converged:
        raise nx.PowerIterationFailedConvergence(max_iter)
    return _by_node(G, x, nstart)

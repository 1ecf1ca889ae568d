"""Hubs and authorities."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from numbers import Real
from typing import Any

import gossamer as gs
import networkx as nx
import numpy as np
from gossamer.algorithm.hits import hits_of

from .graph import ConvertedGraph
from .machine import compiled, machine
from .refusal import refuses

_THEIRS = inspect.signature(nx.hits.orig_func)
#: Since NetworkX 3.7 there are two, which scale differently; before there was svd's.
_METHODS = ("power_iteration", "svd") if "method" in _THEIRS.parameters else ("svd",)
#: Products with AᵀA in one of NetworkX's iterations, which are those of ARPACK.
_ROUNDS = 20
#: Smaller residuals are lost in rounding.
_LEAST = 1e-12


def _refused(given: Mapping[str, Any]) -> str | None:
    if not isinstance(given["max_iter"], int):
        return "max_iter: not an integer"
    if not isinstance(given["tol"], Real) or not float(given["tol"]) >= 0:
        return "tol: not a real number from zero up"
    start = given["nstart"]
    if start is not None and not _is_start(start, given["G"]):
        return "nstart: not a positive float for each node, in the graph's order"
    if given.get("method", _METHODS[0]) not in _METHODS:
        return "method: neither power_iteration nor svd"
    return None


def _is_start(start: Any, nodes: Iterable[Any]) -> bool:
    if not isinstance(start, Mapping) or list(start) != list(nodes):
        return False
    values = np.array(list(start.values()))  # SciPy refuses integers
    return values.dtype.kind == "f" and bool(((values > 0) & np.isfinite(values)).all())


@refuses(_refused)
def hits(
    G: ConvertedGraph,
    max_iter: int = 100,
    tol: float = 1.0e-8,
    nstart: Mapping[Any, float] | None = None,
    normalized: bool = True,
    *,
    method: str = _METHODS[0],
) -> tuple[dict[Any, float], dict[Any, float]]:
    if not len(G):
        return {}, {}
    if max_iter <= 0:
        raise nx.PowerIterationFailedConvergence(max_iter)
    weights = G.weights("weight")
    if len(G) == 1 or not weights.any():
        raise NotImplementedError("one node, or no arc that weighs: SciPy's errors")
    start = np.ones(len(G)) if nstart is None else G.values(nstart)
    weighted = not bool((weights == 1).all())
    enough = max(float(tol) * float(tol), _LEAST)
    with compiled(), gs.vertex_steps(G.graph("weight" if weighted else None), machine()) as s:
        found = hits_of(
            s, start / start.max(), enough, _ROUNDS * max_iter, weighted, sums=normalized
        )
    if not found.converged:
        raise nx.PowerIterationFailedConvergence(max_iter)
    hubs, authorities = found.hubs, found.authorities
    if not normalized and method == "power_iteration":
        hubs, authorities = hubs / hubs.max(), authorities / authorities.max()
    return (
        dict(zip(G.nodes, hubs.tolist(), strict=True)),
        dict(zip(G.nodes, authorities.tolist(), strict=True)),
    )


if len(_METHODS) == 1:  # as NetworkX has it
    _own = inspect.signature(hits)
    _old = [one for one in _own.parameters.values() if one.name != "method"]
    hits.__signature__ = _own.replace(parameters=_old)  # type: ignore[attr-defined]

"""Hubs and authorities, as steps at all vertices.

Authorities are the first right singular vector of the adjacency matrix A: where the Rayleigh
quotient of AᵀA is largest. Conjugate gradients find it (Bradbury and Fletcher, Numerische
Mathematik 9, 1966). They need the square root of the rounds that power iteration takes.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from numbers import Real
from typing import Any

import gossamer as gs
import networkx as nx
import numpy as np
import numpy.typing as npt

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
_DONE = "square <= (enough * rho) * (enough * rho)"


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
    hubs, authorities = _vectors(G, weights, start / start.max(), max_iter, float(tol))
    if normalized:
        hubs, authorities = hubs / hubs.sum(), authorities / authorities.sum()
    elif method == "power_iteration":
        hubs, authorities = hubs / hubs.max(), authorities / authorities.max()
    return (
        dict(zip(G.nodes, hubs.tolist(), strict=True)),
        dict(zip(G.nodes, authorities.tolist(), strict=True)),
    )


if len(_METHODS) == 1:  # as NetworkX has it
    _own = inspect.signature(hits)
    _old = [one for one in _own.parameters.values() if one.name != "method"]
    hits.__signature__ = _own.replace(parameters=_old)  # type: ignore[attr-defined]


def _vectors(
    G: ConvertedGraph,
    weights: npt.NDArray[Any],
    start: npt.NDArray[np.float64],
    max_iter: int,
    tol: float,
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Hubs, and authorities of length 1."""
    plain = bool((weights == 1).all())
    with compiled(), gs.vertex_steps(G.graph(None if plain else "weight"), machine()) as s:
        # Squares of very large or small weights would not be floats.
        s.numbers(scale=1 / float(weights.max()), enough=max(tol * tol, _LEAST), before=0.0)
        s.fields(x=start, r=0.0, p=0.0)
        _multiply(s, "x", "y", plain)
        s.reduce("y * y", "sum", into="square")
        s.map(x="y / sqrt(square)")
        _multiply(s, "x", "y", plain)
        _measure(s)
        with s.repeat(until=_DONE, at_most=_ROUNDS * max_iter):
            _ascend(s, plain)
        if not s["square"] <= (s["enough"] * s["rho"]) ** 2:
            raise nx.PowerIterationFailedConvergence(max_iter)
        found = s["x"]
        # From a positive start to a vector without signs, but for rounding.
        found = np.maximum(found if found.sum() > 0 else -found, 0)
        s.fields(x=found / np.sqrt(found @ found))
        s.send("x" if plain else "x * weight", "sum", into="hub", along="in")
        return s["hub"], s["x"]


def _multiply(s: gs.VertexSteps, x: str, into: str, plain: bool) -> None:
    """By AᵀA."""
    times = "" if plain else " * (weight * scale)"
    s.send(x + times, "sum", into="hub", along="in")
    s.send("hub" + times, "sum", into=into)


def _ascend(s: gs.VertexSteps, plain: bool) -> None:
    """From x, of length 1, to the best of all combinations with one direction p; y is AᵀA x."""
    s.reduce("gradient * (gradient - r)", "sum", into="changed")
    s.set(turn="max(changed, 0.0) / before if before > 0 else 0.0", before="square")
    s.map(r="gradient", p="gradient + turn * p")
    s.reduce("x * p", "sum", into="along")
    s.map(p="p - along * x")
    s.reduce("p * p", "sum", into="size")
    # What is left of a gradient of rounding errors may lie along x. The loop is gone once at least.
    s.set(size=f"sqrt(size) if not ({_DONE}) else 0.0")
    s.map(p="p / size if size > 0 else 0.0")
    _multiply(s, "p", "q", plain)
    s.reduce("x * q", "sum", into="cross")
    s.reduce("p * q", "sum", into="own")
    # The larger eigenvalue's vector of the matrix (rho cross, cross own), without cancellation.
    s.set(half="(rho - own) / 2")
    s.set(root="sqrt(half * half + cross * cross)")
    s.set(u="half + root if half >= 0 else cross", v="cross if half >= 0 else root - half")
    s.set(length="sqrt(u * u + v * v)")
    s.set(u="u / length if length > 0 else 1.0", v="v / length if length > 0 else 0.0")
    s.map(x="u * x + v * p", y="u * y + v * q", p="size * p")
    _measure(s)


def _measure(s: gs.VertexSteps) -> None:
    """The Rayleigh quotient, its gradient, and the square of that."""
    s.reduce("x * y", "sum", into="rho")
    s.map(gradient="y - rho * x")
    s.reduce("gradient * gradient", "sum", into="square")

"""Checks of hubs and authorities, Katz's and eigenvector centrality, in NumPy: what defines them is
computed once more. Nothing is shared with the steps that find them."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np
import numpy.typing as npt

from gossamer.arguments import flags, instance, number
from gossamer.arrays import number_array
from gossamer.errors import UsageError
from gossamer.graph import Graph

from .arc_blocks import ArcBlocks
from .prepared import run_verifier

Vector = npt.NDArray[np.float64]

#: What adding in another order may change of numbers of size 1.
_ROUNDING = 1e-12
#: Products with AᵀA that look for better authorities.
_SEARCHES = 12


def _checked(of: str, graph: Any, weighted: Any, tolerance: Any) -> float:
    instance(graph, Graph, f"{of}: graph")
    flags(of, weighted=weighted)
    if weighted and graph.weights is None:
        raise UsageError(f"{of}: weighted: {graph.name} has no weights")
    close = number(tolerance, f"{of}: tolerance")
    if close < 0:
        raise UsageError(f"{of}: tolerance: zero or more, not {close:g}")
    return close


def _vector(given: Any, name: str) -> Vector:
    return np.ascontiguousarray(number_array(given, name), np.float64)


def _along(arcs: ArcBlocks, x: Vector) -> Vector:
    """What comes in over arcs: Aᵀ x."""
    out = np.zeros(arcs.vertices)
    for block in arcs:
        sent = x[block.tails] if block.weights is None else x[block.tails] * block.weights
        out += np.bincount(block.heads, sent, arcs.vertices)
    return out


def _against(arcs: ArcBlocks, x: Vector) -> Vector:
    """What comes back over arcs: A x."""
    out = np.zeros(arcs.vertices)
    for block in arcs:
        sent = x[block.heads] if block.weights is None else x[block.heads] * block.weights
        rows = block.stop - block.first
        out[block.first : block.stop] = np.bincount(block.tails - block.first, sent, rows)
    return out


def _strange(graph: Graph, x: Vector, name: str, signed: bool = False) -> str | None:
    """What is wrong with a vector before anything is computed."""
    if x.size != graph.vertices:
        return f"there are {x.size} {name}, the graph has {graph.vertices} vertices"
    bad = np.flatnonzero(~np.isfinite(x) if signed else ~(np.isfinite(x) & (x >= 0)))
    if bad.size:
        v = int(bad[0])
        return f"{name} of vertex {graph.name_of(v)} is {x[v]}"
    return None


def verify_hits(
    graph: Graph,
    hubs: Any,
    authorities: Any,
    *,
    weighted: bool = False,
    tolerance: float = 1e-9,
    timeout: float | None = None,
) -> None:
    """Checks hubs and authorities, whoever made them: neither is negative, each sums to 1, hubs are
    what authorities give, AᵀA keeps the direction of authorities but for `tolerance` of their
    length, and no search of a few steps stretches more than it does there.

    VerificationError names the first violation; Timeout after `timeout` seconds; UsageError for an
    array that is none of numbers.
    """
    what = "verify_hits"
    close = _checked(what, graph, weighted, tolerance)
    h, a = _vector(hubs, f"{what}: hubs"), _vector(authorities, f"{what}: authorities")

    def check(limit: float | None) -> tuple[bool, str]:
        why = _strange(graph, h, "hubs") or _strange(graph, a, "authorities")
        why = why or _hits_differ(graph, ArcBlocks(graph, weighted, limit), h, a, close)
        return why is None, why or ""

    run_verifier(f"hits of {graph.name}", what, timeout, check)


def _hits_differ(graph: Graph, arcs: ArcBlocks, h: Vector, a: Vector, close: float) -> str | None:
    if graph.weights is not None:
        # Products of the smallest or largest weights would not be floats. A power of two is exact.
        _, exponent = np.frexp(np.asarray(graph.weights).max(initial=0))
        arcs.factor = 2.0 ** min(-int(exponent), 1023)
    uniform = np.ones(arcs.vertices)
    out, into = _against(arcs, uniform), _along(arcs, uniform)
    if not into.any():
        return "not all zero, though no arc weighs" if h.any() or a.any() else None
    scale = 1 / max(float(out.max()), float(into.max()))
    for name, x in (("hubs", h), ("authorities", a)):
        if not abs(x.sum() - 1) <= 1e-9:
            return f"{name} sum to {x.sum():.12g}, not to 1"
    y = _against(arcs, a) * scale
    if not y.any():
        return "authorities are where no arc leads that weighs"
    wanted = y / y.sum()
    far = np.abs(h - wanted)
    bad = np.flatnonzero(far > 1e-9 * wanted + _ROUNDING)
    if bad.size:
        v = int(bad[0])
        return f"the hub of vertex {graph.name_of(v)} is {h[v]}, by its authorities {wanted[v]}"
    z = _along(arcs, y) * scale
    stretch = float(a @ z) / float(a @ a)
    off = float(np.linalg.norm(z - stretch * a)) / (stretch * float(np.linalg.norm(a)))
    if not off <= close + _ROUNDING:
        return f"authorities change their direction by {off:.3e}, more than {close:.3e}"
    x = into / np.linalg.norm(into)
    for _ in range(_SEARCHES):
        x = _along(arcs, _against(arcs, x) * scale) * scale
        best = float(np.linalg.norm(x))
        if best * (1 - 1e-6) > stretch * (1 + close):
            return f"authorities are stretched by {stretch:.6g}, others by {best:.6g}: not the most"
        x /= best
    return None


def verify_katz(
    graph: Graph,
    values: Any,
    *,
    alpha: float = 0.1,
    beta: Any = 1.0,
    normalized: bool = True,
    weighted: bool = False,
    tolerance: float = 1e-6,
    timeout: float | None = None,
) -> None:
    """Checks Katz centralities, whoever made them, by their definition: x = alpha Aᵀ x + beta, to
    `tolerance` a vertex in the mean. `normalized`: they have the length 1, and the equation holds
    of some multiple of them. beta: a number, or one for each vertex.

    VerificationError names the first violation; Timeout after `timeout` seconds; UsageError for an
    array that is none of numbers.
    """
    what = "verify_katz"
    close = _checked(what, graph, weighted, tolerance)
    flags(what, normalized=normalized)
    factor = number(alpha, f"{what}: alpha")
    x = _vector(values, f"{what}: values")
    if isinstance(beta, numbers.Real):
        own = np.full(graph.vertices, number(beta, f"{what}: beta"))
    else:
        own = _vector(beta, f"{what}: beta")
    if own.size != graph.vertices:
        raise UsageError(f"{what}: beta: {own.size} numbers for {graph.vertices} vertices")

    def check(limit: float | None) -> tuple[bool, str]:
        why = _strange(graph, x, "katz", signed=True)
        if why is None:
            arcs = ArcBlocks(graph, weighted, limit)
            why = _katz_differs(arcs, x, factor, own, normalized, close)
        return why is None, why or ""

    run_verifier(f"katz of {graph.name}", what, timeout, check)


def _katz_differs(
    arcs: ArcBlocks, x: Vector, alpha: float, own: Vector, normalized: bool, close: float
) -> str | None:
    if not own.any():
        return None if not x.any() else "not all zero, though beta is"
    if normalized and not abs(np.linalg.norm(x) - 1) <= 1e-9:
        return f"their length is {np.linalg.norm(x):.12g}, not 1"
    came = alpha * _along(arcs, x)
    rest = x - came
    factor = _closest(rest, own) if normalized else 1.0
    if not factor > 0:
        return "no multiple of them is made by walks"
    size = abs(factor) * float(np.abs(x).mean() + np.abs(came).mean())
    off = float(np.abs(factor * rest - own).mean())
    if not off <= close + _ROUNDING * size:
        return f"one more iteration changes a vertex by {off:.3e} in the mean, not {close:.3e}"
    return None


def _closest(rest: Vector, own: Vector) -> float:
    """The factor for which its multiple of `rest` differs from `own` by least in the 1-norm: the
    median of their quotients, each of the weight of its `rest`."""
    there = np.flatnonzero(rest)
    if not there.size:
        return 0.0
    quotients, weights = own[there] / rest[there], np.abs(rest[there])
    order = np.argsort(quotients)
    sums = np.cumsum(weights[order])
    return float(quotients[order[np.searchsorted(sums, sums[-1] / 2)]])


def verify_eigenvector(
    graph: Graph,
    values: Any,
    *,
    weighted: bool = False,
    tolerance: float = 1e-6,
    timeout: float | None = None,
) -> None:
    """Checks eigenvector centralities, whoever made them: none is negative, their length is 1, and
    I + Aᵀ keeps their direction, to `tolerance` a vertex in the mean.

    Where a graph is not strongly connected, another eigenvector without signs would pass as well.
    VerificationError names the first violation; Timeout after `timeout` seconds; UsageError for an
    array that is none of numbers.
    """
    what = "verify_eigenvector"
    close = _checked(what, graph, weighted, tolerance)
    x = _vector(values, f"{what}: values")

    def check(limit: float | None) -> tuple[bool, str]:
        why = _strange(graph, x, "eigenvector")
        if why is None:
            why = _eigenvector_differs(ArcBlocks(graph, weighted, limit), x, close)
        return why is None, why or ""

    run_verifier(f"eigenvector of {graph.name}", what, timeout, check)


def _eigenvector_differs(arcs: ArcBlocks, x: Vector, close: float) -> str | None:
    if not abs(np.linalg.norm(x) - 1) <= 1e-9:
        return f"their length is {np.linalg.norm(x):.12g}, not 1"
    new = x + _along(arcs, x)
    new /= new.max()  # squares of large numbers would not be floats
    new /= np.linalg.norm(new)
    off = float(np.abs(new - x).mean())
    if not off <= close + _ROUNDING:
        return f"one more iteration changes a vertex by {off:.3e} in the mean, not {close:.3e}"
    return None

"""Hubs and authorities: good hubs point to good authorities, to which good hubs point.

Authorities are the first right singular vector of the adjacency matrix A: where the Rayleigh
quotient of AᵀA is largest. Conjugate gradients find it (rayleigh.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from gossamer.errors import UsageError
from gossamer.graph import Graph
from gossamer.machine import Machine
from gossamer.machine.placed_graph import PlacedGraph
from gossamer.vertex_steps import VertexSteps

from .by_name import Column
from .by_steps import (
    StepsBytes,
    StepsResult,
    check_limits,
    check_weights,
    opened,
    said_of,
    vertex_values,
)
from .fixed_point import warn_unless_converged
from .options import hinting
from .rayleigh import ascend, measure, without_signs

TAKEN = StepsBytes(fields=56, gathered=8, arrays=24)

_DONE = "square <= (enough * rho) * (enough * rho)"


@dataclass(frozen=True, kw_only=True, repr=False)
class HitsResult(StepsResult):
    """Hubs and authorities of a graph."""

    _arrays: ClassVar[tuple[str, ...]] = ("authorities", "hubs")

    #: Of each vertex, how much good hubs point to it; they sum to 1. Zeros without arcs that weigh.
    authorities: npt.NDArray[np.float64]
    #: … and how much it points to good authorities.
    hubs: npt.NDArray[np.float64]
    #: Of conjugate gradients, of two products with the matrix each.
    iterations: int
    converged: bool
    #: Length of AᵀA a − ρ a over that of ρ a, for authorities a and their Rayleigh quotient ρ. It
    #: may be more than the tolerance: numbers below 0, by which the search ends, become 0.
    change: float
    #: Whether arcs counted by their weights.
    weighted: bool

    def _columns(self) -> dict[str, Column]:
        return {"authority": Column(self.authorities), "hub": Column(self.hubs)}


@hinting
def hits(
    graph: Graph | PlacedGraph,
    machine: Machine | str | None = None,
    *,
    start: Any = None,
    tolerance: float = 1e-10,
    max_iterations: int = 1000,
    weighted: bool = False,
    memory: int | str | None = None,
    timeout: float | None = None,
) -> HitsResult:
    """Hubs and authorities of all vertices, as NetworkX defines them; each sum to 1.

    NetworkX: ``hits``.

    start: what the search for authorities begins with: a positive number for each vertex; None: all
    alike. tolerance: stop when AᵀA changes the direction of authorities by this at most, relative
    to their length; below 1e-12 it is lost in rounding. max_iterations: give up after so many.
    weighted: each arc counts by its weight. `machine`, `memory` and `timeout` are those of
    :func:`vertex_steps`; a placed graph brings its machine.

    ConvergenceWarning where it did not converge. UsageError: numbers out of range, `weighted`
    without weights. InputError: a weight that is negative or not finite. NotCompiled: no compiler,
    or ranks that run no steps.
    """
    what = "hits"
    steps = opened(what, graph, machine, memory, timeout)
    close, most = check_limits(what, tolerance, max_iterations)
    check_weights(what, steps.graph, weighted)
    begin = vertex_values(what, "start", 1.0 if start is None else start, steps.graph)
    if begin.min() <= 0:
        vertex = steps.graph.name_of(int(begin.argmin()))
        raise UsageError(f"{what}: start: {begin.min():g} of vertex {vertex} is not positive")
    result = hits_of(steps, begin / begin.max(), close, most, weighted)
    warn_unless_converged(
        f"hits of {steps.graph.name}", result,
        "of its length: more max_iterations, or a larger tolerance, may help",
    )  # fmt: skip
    return result


def hits_of(
    steps: VertexSteps, start: Any, enough: float, most: int, weighted: bool, sums: bool = True
) -> HitsResult:
    """As :func:`hits`, of arguments that were checked, for who says by himself that it did not
    converge. `sums`: scaled to the sum 1, else authorities of length 1, and what A makes of them.
    """
    weights = np.asarray(steps.graph.weights) if weighted else None
    largest = 1.0 if weights is None else float(weights.max(initial=0))
    if steps.graph.arcs == 0 or largest == 0:
        zeros = np.zeros(steps.graph.vertices)
        return HitsResult(
            **said_of("hits", steps), authorities=zeros, hubs=zeros.copy(), iterations=0,
            converged=True, change=0.0, weighted=weighted,
        )  # fmt: skip
    plain = weights is None or bool(weights.min() == largest == 1)
    # Squares of very large or small weights would not be floats, nor is one over the very smallest.
    scale = min(1 / largest, 2.0**1023)
    steps.numbers(scale=scale, enough=enough, before=0.0)
    steps.fields(x=start, r=0.0, p=0.0)
    _multiply(steps, "x", "y", plain)
    steps.reduce("y * y", "sum", into="square")
    steps.map(x="y / sqrt(square)")

    def multiply(x: str, into: str) -> None:
        _multiply(steps, x, into, plain)

    multiply("x", "y")
    measure(steps)
    with steps.repeat(until=_DONE, at_most=most) as loop:
        ascend(steps, multiply, _DONE)
    steps.set(converged=_DONE)
    # From a positive start to a vector without signs, but for rounding, and for what is left to do
    # where several pairs are nearly as good. So it is measured again, which gives hubs as well.
    without_signs(steps)
    multiply("x", "y")
    measure(steps)
    authorities, hubs = steps["x"], steps["hub"]
    if sums:
        authorities /= authorities.sum()
        hubs /= hubs.sum()
    elif not plain:
        hubs /= scale
    return HitsResult(
        **said_of("hits", steps), authorities=authorities, hubs=hubs, iterations=loop.rounds,
        converged=steps["converged"], change=float(np.sqrt(steps["square"])) / steps["rho"],
        weighted=weighted,
    )  # fmt: skip


def _multiply(s: VertexSteps, x: str, into: str, plain: bool) -> None:
    """By AᵀA."""
    times = "" if plain else " * (weight * scale)"
    s.send(x + times, "sum", into="hub", along="in")
    s.send("hub" + times, "sum", into=into)

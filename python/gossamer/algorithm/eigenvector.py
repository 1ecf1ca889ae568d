"""Eigenvector centrality: a vertex is as central as those that point to it together.

Of an undirected graph without weights conjugate gradients find it (rayleigh.py). Else it is power
iteration, of a matrix that need not be symmetric.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from gossamer.errors import UsageError
from gossamer.graph import Graph
from gossamer.graph.shape import GraphShape
from gossamer.machine import Machine
from gossamer.machine.placed_graph import PlacedGraph
from gossamer.vertex_steps import VertexSteps

from .by_steps import StepsBytes, check_limits, check_weights, opened, vertex_values
from .fixed_point import FixedPointResult, found, iterated, warn_unless_converged
from .options import hinting
from .rayleigh import ascend, measure, scale, without_signs

BY_ITERATION = StepsBytes(fields=24, gathered=8, arrays=16)
BY_GRADIENTS = StepsBytes(fields=64, gathered=8, arrays=16)


@dataclass(frozen=True, kw_only=True, repr=False)
class EigenvectorResult(FixedPointResult):
    """Eigenvector centralities of a graph."""

    _column: ClassVar[str] = "eigenvector"


@hinting
def eigenvector(
    graph: Graph | PlacedGraph,
    machine: Machine | str | None = None,
    *,
    start: Any = None,
    tolerance: float = 1e-6,
    max_iterations: int = 100,
    weighted: bool = False,
    memory: int | str | None = None,
    timeout: float | None = None,
) -> EigenvectorResult:
    """Eigenvector centrality of all vertices, as NetworkX defines it: by arcs that come in, of
    length 1, of the largest eigenvalue.

    NetworkX: ``eigenvector_centrality``.

    start: what iterations begin with: a positive number for each vertex; None: all alike.
    tolerance: stop when an iteration changes a vertex by less, in the mean. max_iterations: give up
    after so many. weighted: each arc counts by its weight. `machine`, `memory` and `timeout` are
    those of :func:`vertex_steps`; a placed graph brings its machine.

    ConvergenceWarning where it did not converge. UsageError: numbers out of range, `weighted`
    without weights. InputError: a weight that is negative or not finite. NotCompiled: no compiler,
    or ranks that run no steps.
    """
    what = "eigenvector"
    steps = opened(what, graph, machine, memory, timeout)
    enough, most = check_limits(what, tolerance, max_iterations)
    check_weights(what, steps.graph, weighted)
    begin = vertex_values(what, "start", 1.0 if start is None else start, steps.graph)
    if begin.min() <= 0:
        vertex = steps.graph.name_of(int(begin.argmin()))
        raise UsageError(f"{what}: start: {begin.min():g} of vertex {vertex} is not positive")
    result = eigenvector_of(steps, begin / begin.sum(), enough, most, weighted)
    warn_unless_converged(
        f"eigenvector of {steps.graph.name}", result,
        "a vertex, in the mean: more max_iterations, or a larger tolerance, may help",
    )  # fmt: skip
    return result


def taken(graph: Graph | GraphShape, weighted: bool) -> StepsBytes:
    """What :func:`eigenvector_of` takes at most: a shape may not know that it is symmetric."""
    sure = isinstance(graph, Graph) and not graph.symmetric
    return BY_ITERATION if weighted or sure else BY_GRADIENTS


def eigenvector_of(
    steps: VertexSteps, start: Any, enough: float, most: int, weighted: bool
) -> EigenvectorResult:
    """Of arguments that were checked, for who says by himself that it did not converge."""
    find = by_iteration if weighted or not steps.graph.symmetric else _by_gradients
    return find(steps, start, enough, most, weighted)


def by_iteration(
    steps: VertexSteps, start: Any, enough: float, most: int, weighted: bool
) -> EigenvectorResult:
    """As :func:`eigenvector_of`, by NetworkX's power iteration, of any graph."""
    steps.fields(x=np.asarray(start, np.float64))
    return EigenvectorResult(
        **iterated("eigenvector", steps, _iteration(steps, weighted), enough, most, weighted)
    )


def _iteration(steps: VertexSteps, weighted: bool) -> Callable[[], None]:
    """What makes the field ``new`` of ``x``."""

    def once() -> None:
        steps.send("x * weight" if weighted else "x", "sum", into="got")
        # One more of the vertex itself: else the signs of a bipartite graph would alternate.
        steps.map(new="x + got")
        # Large weights have squares beyond what floats hold.
        steps.reduce("abs(new)", "max", into="largest")
        steps.set(largest="largest if largest > 0 else 1.0")
        steps.reduce("(new / largest) * (new / largest)", "sum", into="square")
        steps.set(length="largest * sqrt(square)")
        steps.map(new="new / length if length > 0 else new")

    return once


def _by_gradients(
    steps: VertexSteps, start: Any, enough: float, most: int, weighted: bool
) -> EigenvectorResult:
    """As :func:`eigenvector_of`, of an undirected graph without weights, in fewer iterations."""

    def multiply(x: str, into: str) -> None:
        steps.send(x, "sum", into=into)

    def compare() -> None:
        # To first order what an iteration x + Ax would change, were it scaled to length 1.
        steps.reduce("abs(gradient)", "sum", into="moved")

    done = "moved < enough * (1.0 + rho)"
    steps.numbers(enough=enough * steps.graph.vertices, before=0.0)
    steps.fields(x=np.asarray(start, np.float64), r=0.0, p=0.0)
    scale(steps)
    multiply("x", "y")
    measure(steps)
    compare()
    with steps.repeat(until=done, at_most=most) as loop:
        ascend(steps, multiply, done)
        compare()
    steps.set(converged=done)
    without_signs(steps)
    once = _iteration(steps, weighted)
    return EigenvectorResult(**found("eigenvector", steps, once, loop, weighted))

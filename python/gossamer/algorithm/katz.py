"""Katz centrality: all walks that end at a vertex count, each arc of a walk by a factor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from gossamer.arguments import flags, number
from gossamer.errors import UsageError
from gossamer.graph import Graph
from gossamer.machine import Machine
from gossamer.machine.placed_graph import PlacedGraph

from .by_steps import StepsBytes, check_limits, check_weights, opened, vertex_values
from .fixed_point import FixedPointResult, iterated, warn_unless_converged
from .options import hinting

TAKEN = StepsBytes(fields=32, gathered=8, arrays=16)


@dataclass(frozen=True, kw_only=True, repr=False)
class KatzResult(FixedPointResult):
    """Katz centralities of a graph."""

    _column: ClassVar[str] = "katz"


@hinting
def katz(
    graph: Graph | PlacedGraph,
    machine: Machine | str | None = None,
    *,
    alpha: float = 0.1,
    beta: Any = 1.0,
    start: Any = None,
    tolerance: float = 1e-6,
    max_iterations: int = 1000,
    normalized: bool = True,
    weighted: bool = False,
    memory: int | str | None = None,
    timeout: float | None = None,
) -> KatzResult:
    """Katz centrality of all vertices, as NetworkX defines it: x = alpha Aᵀ x + beta.

    NetworkX: ``katz_centrality``.

    alpha: the factor of each arc of a walk; below one over the largest eigenvalue, or it does not
    converge. beta: what each vertex has of its own: a number, one for each vertex, or a dict by
    name. start: likewise, what iterations begin with; None: zeros. tolerance: stop when an
    iteration changes a vertex by less, in the mean, before scaling. max_iterations: give up after
    so many. normalized: of length 1. weighted: each arc counts by its weight. `machine`, `memory`
    and `timeout` are those of :func:`vertex_steps`; a placed graph brings its machine.

    ConvergenceWarning where it did not converge. UsageError: numbers out of range, `weighted`
    without weights. InputError: a weight that is negative or not finite. NotCompiled: no compiler,
    or ranks that run no steps.
    """
    what = "katz"
    steps = opened(what, graph, machine, memory, timeout)
    factor = number(alpha, f"{what}: alpha")
    if factor < 0:
        raise UsageError(f"{what}: alpha: zero or more, not {factor:g}")
    enough, most = check_limits(what, tolerance, max_iterations)
    flags(what, normalized=normalized)
    check_weights(what, steps.graph, weighted)
    own = vertex_values(what, "beta", beta, steps.graph)
    begin = None if start is None else vertex_values(what, "start", start, steps.graph)
    result = katz_of(steps, factor, own, begin, enough, most, normalized, weighted)
    warn_unless_converged(
        f"katz of {steps.graph.name}", result,
        f"a vertex, in the mean: alpha={factor:g} may be one over the largest eigenvalue, or more",
        smaller_than(f"alpha than {factor:g}"),
    )  # fmt: skip
    return result


def smaller_than(alpha: str) -> str:
    """What helps where it diverged."""
    return f"a smaller {alpha}, below one over the largest eigenvalue"


def katz_of(
    steps: Any, alpha: float, beta: Any, start: Any, enough: float, most: int, normalized: bool,
    weighted: bool,
) -> KatzResult:  # fmt: skip
    """As :func:`katz`, of arguments that were checked, for who says by himself that it did not
    converge."""
    steps.numbers(alpha=alpha)
    steps.fields(x=0.0 if start is None else start, beta=beta)

    def once() -> None:
        steps.send("x * weight" if weighted else "x", "sum", into="got")
        steps.map(new="alpha * got + beta")

    found = iterated("katz", steps, once, enough, most, weighted)
    if normalized:
        _scale(found["values"])
    return KatzResult(**found)


def _scale(values: Any) -> None:
    """To the length 1, in place."""
    # Squares of large numbers would not be floats.
    largest = max(float(values.max()), -float(values.min()))
    if 0 < largest < np.inf:
        values /= largest
        values /= np.sqrt(values @ values)

"""Iterations of a map of vectors to its fixed point, by vertex steps: what Katz's and eigenvector
centrality share."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from gossamer.errors import ConvergenceWarning
from gossamer.vertex_steps import Repeated, VertexSteps

from .by_name import Column
from .by_steps import StepsResult, said_of


@dataclass(frozen=True, kw_only=True, repr=False)
class FixedPointResult(StepsResult):
    """Numbers of vertices that another iteration would hardly change."""

    _arrays: ClassVar[tuple[str, ...]] = ("values",)
    _column: ClassVar[str]

    #: Of each vertex, float64.
    values: npt.NDArray[np.float64]
    iterations: int
    #: Whether the last iteration changed a vertex by less than the tolerance, in the mean.
    converged: bool
    #: By how much one more would change a vertex, in the mean.
    change: float
    #: Whether arcs counted by their weights.
    weighted: bool

    def _columns(self) -> dict[str, Column]:
        return {self._column: Column(self.values)}


def iterated(
    what: str,
    steps: VertexSteps,
    once: Callable[[], None],
    enough: float,
    max_iterations: int,
    weighted: bool,
) -> dict[str, Any]:
    """Runs `once`, which makes the field ``new`` of ``x``, until they differ by less than `enough`
    a vertex, and says what a :class:`FixedPointResult` has, values not yet scaled.

    The test is NetworkX's. It says what the last iteration changed, and the next may change more:
    so one is made for the answer.
    """
    n = steps.graph.vertices
    steps.numbers(enough=n * enough, moved=0.0)
    # What has left the range of floats converges no more.
    with steps.repeat(until="moved < enough or not moved < inf", at_most=max_iterations) as loop:
        once()
        steps.reduce("abs(new - x)", "sum", into="moved")
        steps.map(x="new")
    steps.set(converged="moved < enough")
    return found(what, steps, once, loop, weighted)


def found(
    what: str, steps: VertexSteps, once: Callable[[], None], loop: Repeated, weighted: bool
) -> dict[str, Any]:
    """What a :class:`FixedPointResult` has of ``x`` and the number ``converged``, behind a loop."""
    once()
    steps.reduce("abs(new - x)", "sum", into="change")
    values = steps["x"]
    return said_of(what, steps) | {
        "values": values,
        "iterations": loop.rounds,
        "converged": steps["converged"],
        "change": steps["change"] / max(1, steps.graph.vertices),
        "weighted": weighted,
    }


def warn_unless_converged(what: str, result: Any, advice: str, smaller: str = "") -> None:
    """ConvergenceWarning, which says what may help: `smaller`, where numbers left the range of
    floats. It names the line that called who asks, who is decorated (:func:`hinting`)."""
    if result.converged:
        return
    said = (
        f"did not converge in {result.iterations} iterations: one more would change it by "
        f"{result.change:.3g} {advice}"
    )
    if diverged(result):
        said = beyond_floats(result.iterations, smaller)
    warnings.warn(f"{what} {said}", ConvergenceWarning, stacklevel=4)


def diverged(result: Any) -> bool:
    """Whether numbers left the range of floats."""
    return not math.isfinite(result.change)


def beyond_floats(iterations: int, smaller: str) -> str:
    """What is said of it. `smaller`: what may help, if anything."""
    said = f"diverged: after {iterations} iterations numbers are beyond the range of floats"
    return f"{said}; take {smaller}" if smaller else said

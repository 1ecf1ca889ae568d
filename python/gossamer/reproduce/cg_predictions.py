"""Conjugate gradient on both systems and on machines that are there, run once for all benches that
look at it."""

from functools import cache

import numpy as np

import gossamer as gs
from gossamer.simulation import CgPrediction, System, cg

from .extent import extent
from .here import Here
from .systems import matrix


@cache
def predicted(name: str, system: System, ranks: int) -> CgPrediction:
    """1,000 iterations, as paper E has it."""
    return cg(matrix(name), system, ranks)


def milliseconds(name: str, system: System) -> dict[int, float]:
    """By number of ranks."""
    return {p: 1e3 * predicted(name, system, p).seconds for p in extent.ranks}


@cache
def measured(name: str, here: Here) -> gs.CgResult:
    """By paper E's operations, on all ranks: the fastest of a few runs of `extent.iterations`,
    whose last residual is verified."""
    on = matrix(name)
    solver = gs.CgSolver(
        on, here.machine(), iterations=extent.iterations, exchange="allgather", engine="published",
        use="all",
    )  # fmt: skip
    right = np.ones(on.vertices)
    runs = [solver.solve(right) for _ in range(extent.repeat)]
    reached = runs[0].residual / runs[0].right_side_norm
    gs.verify_cg(on, right, runs[0].x, rtol=2 * reached, iterations=runs[0].iterations)
    return min(runs, key=lambda one: one.milliseconds)


def as_published(milliseconds: float) -> float:
    """Of 1,000 iterations; they are alike."""
    return milliseconds * 1000 / extent.iterations

"""Whole programs in virtual time on ``sim`` machines: conjugate gradient and a search."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gossamer.algorithm.bfs import BfsSearch
from gossamer.algorithm.cg import CgSolver
from gossamer.arguments import instance, integer
from gossamer.errors import UsageError
from gossamer.graph import Graph

from .systems import System


@dataclass(frozen=True)
class CgPrediction:
    """Conjugate gradient on some ranks of a system."""

    ranks: int
    #: Of `iterations` iterations.
    seconds: float
    iterations: int
    #: Seconds of rank 0 by operation (paper E, Fig. 15); they add up to about `seconds`.
    parts: dict[str, float]

    @property
    def largest(self) -> str:
        """The operation that takes most."""
        return max(self.parts, key=lambda name: self.parts[name])


def cg(matrix: Graph, system: System, ranks: int, iterations: int = 1000) -> CgPrediction:
    """Runs paper E's iteration (one product, three dot products, three vector updates, one
    allgather, three scalar allreduces) in virtual time. Iterations are alike, so few are run."""

    instance(system, System, "cg: system")
    if integer(iterations, "cg: iterations") < 1:
        raise UsageError(f"cg: iterations: 1 or more, not {iterations}")

    def run(length: int) -> tuple[float, dict[str, float]]:
        solver = CgSolver(
            matrix, system.machine(ranks), iterations=length, exchange="allgather",
            engine="published",
        )  # fmt: skip
        result = solver.solve(np.ones(matrix.vertices))
        return 1e-3 * result.milliseconds, {k: 1e-3 * v for k, v in result.phases.items()}

    first, few = 1, min(5, max(2, iterations))
    (short, short_parts), (long, long_parts) = run(first), run(few)
    steps = few - first

    def extended(a: float, b: float) -> float:
        """From the first iteration on all cost the same."""
        return a + (b - a) / steps * (iterations - first)

    return CgPrediction(
        ranks,
        extended(short, long),
        iterations,
        {name: extended(short_parts[name], long_parts[name]) for name in long_parts},
    )


@dataclass(frozen=True)
class BfsPrediction:
    """Breadth-first search on some ranks of a system."""

    ranks: int
    #: ``"published"`` (paper B's messages of fixed size) or ``"compact"`` (frontiers as lists).
    variant: str
    seconds: float
    teps: float
    levels: int
    #: Seconds by phase: expand, exchange, agree, tree.
    parts: dict[str, float]
    #: By kind (flag, out, tree): rounds, messages, bytes, seconds, and, for the published variant,
    #: bytes and count of one message by paper B's formulas.
    messages: dict[str, dict[str, float]]


#: Messages of fixed size (paper B), or frontiers as lists.
_VARIANTS = ("published", "compact")


def _formulas(vertices: int, ranks: int) -> dict[str, int]:
    """Paper B's bytes of one message: 4, 4 N / p and 8 N / p."""
    return {"flag": 4, "out": 4 * vertices // ranks, "tree": 8 * vertices // ranks}


def bfs(graph: Graph, system: System, ranks: int, source: int, variant: str) -> BfsPrediction:
    """Runs a search from the vertex with index `source` in virtual time."""
    if variant not in _VARIANTS:
        raise UsageError(f"bfs: variant {variant!r} is none of {', '.join(_VARIANTS)}")
    instance(system, System, "bfs: system")
    placed = system.machine(ranks).place(graph)
    if variant == "published":
        search = BfsSearch(placed, engine="published")
    else:
        search = BfsSearch(placed, direction="top-down")
    result = search.run(source)
    formulas = _formulas(graph.vertices, ranks)
    messages: dict[str, dict[str, float]] = {}
    for kind in result.messages:
        assert kind.milliseconds is not None  # both variants tell sending from work
        messages[kind.kind] = {
            "rounds": kind.rounds,
            "messages": kind.messages,
            "bytes": kind.bytes,
            "seconds": 1e-3 * kind.milliseconds,
        }
        if variant == "published":
            messages[kind.kind]["formula_bytes"] = formulas[kind.kind]
    return BfsPrediction(
        ranks,
        variant,
        1e-3 * result.milliseconds,
        result.teps,
        result.levels,
        {name: 1e-3 * ms for name, ms in result.phases.items()},
        messages,
    )

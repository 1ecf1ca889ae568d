"""Triangles: counts, clustering coefficients, transitivity."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, TypedDict, Unpack

import numpy as np
import numpy.typing as npt

from gossamer import _gossamer
from gossamer.arguments import flags, instance
from gossamer.arrays import number_array
from gossamer.errors import VerificationError
from gossamer.graph import Graph
from gossamer.graph.shape import GraphShape
from gossamer.machine import Machine
from gossamer.machine.placed_graph import PlacedGraph
from gossamer.machine.plans import MemoryPlan
from gossamer.trace import Trace

from .by_name import Column
from .options import defaults, spelled_out
from .prepared import Prepared, ValuesResult, run_verifier, vertex_numbers


@dataclass(frozen=True, repr=False)
class TrianglesResult(ValuesResult):
    """Triangles of a graph."""

    _arrays: ClassVar[tuple[str, ...]] = ("counts", "pairs")

    #: Triangles of the graph, each once, whatever their directions and weights.
    total: int
    #: The sum of all counts over the sum of all pairs; 0 without pairs.
    transitivity: float
    #: The mean of :attr:`clustering`; 0 without vertices.
    average_clustering: float
    #: Rows to counts, slowest rank; on GPUs by their clocks.
    milliseconds: float
    #: Milliseconds by phase: count, collect. orient, laying out rows, is not part of
    #: `milliseconds`, and 0 where an earlier call left them.
    phases: dict[str, float]
    #: Pairs of neighbours of each vertex: d (d - 1) / 2. In a directed graph pairs of arcs,
    #: d (d - 1) - 2 b, of d arcs in both directions together and b neighbours in both directions.
    pairs: npt.NDArray[np.int64]

    @cached_property
    def counts(self) -> npt.NDArray[Any]:
        """What the triangles of each vertex are worth, int64, or float64 with weights: their
        number, in an undirected graph without weights.
        """
        return self._here()

    @cached_property
    def clustering(self) -> npt.NDArray[np.float64]:
        """Clustering coefficient of each vertex: its count over its pairs, 0 without pairs."""
        return self.counts / np.maximum(self.pairs, 1)

    def _columns(self) -> dict[str, Column]:
        return {"triangles": Column(self.counts), "clustering": Column(self.clustering)}


class TrianglesOptions(TypedDict, total=False):
    """Those of :class:`TrianglesSearch`."""

    engine: str
    weighted: bool
    memory: int | str | None
    timeout: float | None
    trace: Trace | str | Path | None


_explicit = spelled_out(TrianglesOptions, defaults("triangles"))


class TrianglesSearch(Prepared):
    """Prepared for a graph on a machine, run any number of times.

    Loops are dropped, parallel arcs and both directions of an edge are one edge. In a directed
    graph a triangle is worth the product of its edges' numbers of directions, as Fagiolo defines
    it; ``graph.rebuild(symmetrize=True)`` is the undirected one. weighted: an edge is worth the
    cube root of its weight over the largest of all arcs, in a directed graph the sum over its
    directions, and a triangle the product of its edges; of parallel arcs the smallest weight
    counts. engine: ``auto``, or one of ``gossamer.engines("triangles")``. memory: bytes that each
    device may be asked for, ``"device=3G"`` of GPUs alone. timeout: seconds that a run, or a wait
    for a silent rank, may last. trace: records every run; of the function a path, too. All ranks
    read the same rows, so there is no partition; each GPU has a copy.

    UsageError: an engine that does not exist, `weighted` without weights. InputError: a weight that
    is negative or not finite. NotCompiled: ranks that are processes, CPU ranks and GPUs together.
    """

    _algorithm = "triangles"
    _make = _gossamer.make_triangles_search
    _plan = _gossamer.plan_triangles
    _handle: _gossamer.TrianglesSearch

    @_explicit
    def __init__(
        self,
        graph: Graph | PlacedGraph,
        machine: Machine | str | None = None,
        **options: Unpack[TrianglesOptions],
    ) -> None:
        self._handle = self._prepare(graph, machine, options)

    def run(self) -> TrianglesResult:
        """Counts the triangles."""
        return TrianglesResult(**self._named(self._handle.run()), work=None)

    @classmethod
    @_explicit
    def plan(
        cls,
        graph: Graph | GraphShape,
        machine: Machine | str | None = None,
        **options: Unpack[TrianglesOptions],
    ) -> MemoryPlan:
        """What a run takes beside the graph."""
        return cls._planned(graph, machine, options)


@spelled_out(TrianglesOptions, defaults("triangles"), TrianglesSearch)
def triangles(
    graph: Graph | PlacedGraph,
    machine: Machine | str | None = None,
    **options: Unpack[TrianglesOptions],
) -> TrianglesResult:
    """Triangles of each vertex and of the graph, clustering coefficients and transitivity.

    NetworkX: ``triangles``, ``clustering``, ``average_clustering``, ``transitivity``.

    `machine` is a :class:`Machine`, a spec, or None for ``auto``; a placed graph brings its
    machine. The options are those of :class:`TrianglesSearch`.
    """
    return TrianglesSearch._once(graph, machine, options, lambda search: search.run())


def verify_triangles(
    graph: Graph, counts: Any, *, weighted: bool = False, timeout: float | None = None
) -> None:
    """Checks counts by searching rows of neighbours for each other's, whoever made them. Numbers
    that are no integers may differ by a relative 1e-9.

    VerificationError names the first violation, in the file's own vertex ids; Timeout after
    `timeout` seconds; UsageError for an array that is none of numbers, and `weighted` without
    weights.
    """
    instance(graph, Graph, "verify_triangles: graph")
    flags("verify_triangles", weighted=weighted)
    given = number_array(counts, "verify_triangles: counts")
    whole = given.dtype.kind in "iu" and not weighted
    array = np.ascontiguousarray(given, np.int64 if whole else np.float64)
    run_verifier(
        f"triangles of {graph.name}", "verify_triangles", timeout,
        lambda limit: _gossamer.verify_triangles(graph._handle, array, weighted, limit),
    )  # fmt: skip


def compare_triangles(graph: Graph, counts: Any, expected: Any) -> None:
    """Compares counts with somebody else's, one number a vertex each; they may differ by a relative
    1e-9.

    VerificationError names the first vertex whose counts differ, in the file's own ids; UsageError
    for an array that is none of numbers.
    """
    instance(graph, Graph, "compare_triangles: graph")
    of = f"triangles of {graph.name}"
    ours = vertex_numbers(graph, counts, "compare_triangles: counts", of)
    theirs = vertex_numbers(graph, expected, "compare_triangles: expected", of)
    different = np.flatnonzero(~np.isclose(ours, theirs, rtol=1e-9, atol=0))
    if different.size:
        v = int(different[0])
        raise VerificationError(
            f"{of}: vertex {graph.name_of(v)} has {ours[v]}, expected {theirs[v]}"
        )

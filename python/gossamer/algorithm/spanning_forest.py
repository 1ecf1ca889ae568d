"""Minimum spanning forest: the edges that join each component into a tree at least weight."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypedDict, Unpack

import numpy as np
import numpy.typing as npt

from gossamer import _gossamer
from gossamer.arguments import flags, imported, instance
from gossamer.arrays import number_array
from gossamer.errors import UsageError, VerificationError
from gossamer.graph import Graph
from gossamer.graph.shape import GraphShape
from gossamer.html import table
from gossamer.machine import Machine
from gossamer.machine.placed_graph import PlacedGraph
from gossamer.machine.plans import MemoryPlan
from gossamer.trace import Trace

from .options import defaults, spelled_out
from .prepared import Prepared, run_verifier

Numbers = npt.NDArray[Any]


@dataclass(frozen=True, kw_only=True, repr=False)
class SpanningForestResult:
    """A forest's edges, in the order of their arcs.

    An edge's arc leads from its smaller vertex to its larger: ``graph.indices[arc]`` is the larger
    one. Beside arcs there are :attr:`tails`, :attr:`heads` and :attr:`weights`, and
    :meth:`named_edges`.
    """

    engine: str
    #: Why it.
    engine_reason: str
    #: Ranks that worked.
    ranks_used: int
    #: Why not all of the machine's, or why CPUs for ``auto``; empty when all did.
    ranks_reason: str
    #: One a component, those of one vertex, too.
    trees: int
    #: Of all edges together: an int where weights are, or where there are none.
    weight: int | float
    #: Of joining components.
    rounds: int
    #: Rows to arcs, slowest rank.
    milliseconds: float
    #: Milliseconds by phase: gather, join, collect.
    phases: dict[str, float]
    #: Places of the edges' arcs among the graph's, ascending.
    arcs: npt.NDArray[np.int64]
    #: No engine has a worklist.
    work: None = None
    _graph: Graph | None = None

    def __getstate__(self) -> dict[str, Any]:
        """Without the graph, whose part of it is taken before."""
        return {**vars(self), "_ends": self._ends, "weights": self.weights, "_names": self._names,
                "_graph": None}  # fmt: skip

    @cached_property
    def _names(self) -> Numbers:
        assert self._graph is not None
        return self._graph.names

    @cached_property
    def _ends(self) -> tuple[Numbers, Numbers]:
        assert self._graph is not None
        tails, heads = _gossamer.ends_of_arcs(self._graph._handle, self.arcs)
        return np.asarray(tails), np.asarray(heads)

    @property
    def tails(self) -> npt.NDArray[np.int64]:
        """The smaller vertex of each edge."""
        return self._ends[0]

    @property
    def heads(self) -> npt.NDArray[np.int64]:
        """The larger vertex of each edge."""
        return self._ends[1]

    @cached_property
    def weights(self) -> Numbers:
        """The weight of each edge; ones of a graph without weights."""
        assert self._graph is not None
        of_arcs = self._graph.weights
        return np.ones(len(self.arcs), np.int32) if of_arcs is None else of_arcs[self.arcs]

    def named_edges(self) -> Iterator[tuple[Any, Any, int | float]]:
        """Both vertices by name, and the weight, of each edge."""
        ends = (self._names[of].tolist() for of in (self.tails, self.heads))
        return zip(*ends, self.weights.tolist(), strict=True)

    def to_frame(self) -> Any:
        """``from``, ``to`` and ``weight`` of each edge as a pandas DataFrame, with arcs as its
        index; vertices by name. UsageError where pandas is not installed."""
        pandas = imported("pandas", "to_frame")
        names, weights = self._names, self.weights
        columns = {"from": names[self.tails], "to": names[self.heads], "weight": weights}
        return pandas.DataFrame(columns, pandas.Index(self.arcs, name="arc"))

    def _shown(self) -> dict[str, Any]:
        shown = ("trees", "weight", "engine", "ranks_used", "milliseconds")
        return {"edges": len(self.arcs)} | {name: getattr(self, name) for name in shown}

    def __repr__(self) -> str:
        said = ", ".join(
            f"{name}={value:.4g}" if name == "milliseconds" else f"{name}={value!r}"
            for name, value in self._shown().items()
        )
        return f"{type(self).__name__}({said})"

    def _repr_html_(self) -> str:
        rows = [(name.replace("_", " "), value) for name, value in self._shown().items()]
        return table(type(self).__name__, rows)


class SpanningForestOptions(TypedDict, total=False):
    """Those of :class:`SpanningForestSearch`."""

    engine: str
    memory: int | str | None
    timeout: float | None
    trace: Trace | str | Path | None


_explicit = spelled_out(SpanningForestOptions, defaults("spanning_forest"))


class SpanningForestSearch(Prepared):
    """Prepared for a graph on a machine, run any number of times.

    Edges are in one order, by weight and among equals by arc, so that there is one forest, on every
    machine. Weights may have any sign; without weights every edge weighs one. Loops are in no
    forest. engine: ``auto``, or one of ``gossamer.engines("spanning_forest")``. memory: bytes that
    each device may be asked for, ``"device=3G"`` of GPUs alone. timeout: seconds that a run, or a
    wait for a silent rank, may last. trace: records every run; of the function a path, too. All
    ranks read the same rows, so there is no partition.

    UsageError: an engine that does not exist, a directed graph (``graph.rebuild(symmetrize=True)``
    is the undirected one). InputError: a weight that is NaN or infinite. NotCompiled: ranks that
    are processes.
    """

    _algorithm = "spanning_forest"
    _make = _gossamer.make_spanning_forest_search
    _plan = _gossamer.plan_spanning_forest
    _handle: _gossamer.SpanningForestSearch

    @_explicit
    def __init__(
        self,
        graph: Graph | PlacedGraph,
        machine: Machine | str | None = None,
        **options: Unpack[SpanningForestOptions],
    ) -> None:
        self._handle = self._prepare(graph, machine, options)

    def run(self) -> SpanningForestResult:
        """Finds the forest."""
        return SpanningForestResult(**self._finished(self._handle.run()), _graph=self.graph)

    @classmethod
    @_explicit
    def plan(
        cls,
        graph: Graph | GraphShape,
        machine: Machine | str | None = None,
        **options: Unpack[SpanningForestOptions],
    ) -> MemoryPlan:
        """What a run takes beside the graph."""
        return cls._planned(graph, machine, options)


@spelled_out(SpanningForestOptions, defaults("spanning_forest"), SpanningForestSearch)
def spanning_forest(
    graph: Graph | PlacedGraph,
    machine: Machine | str | None = None,
    **options: Unpack[SpanningForestOptions],
) -> SpanningForestResult:
    """The minimum spanning forest of an undirected graph: edges that join each component into a
    tree, of the least weight together.

    NetworkX: ``minimum_spanning_edges``, ``minimum_spanning_tree``.

    `machine` is a :class:`Machine`, a spec, or None for ``auto``; a placed graph brings its
    machine. The options are those of :class:`SpanningForestSearch`.
    """
    return SpanningForestSearch._once(graph, machine, options, lambda search: search.run())


def verify_spanning_forest(
    graph: Graph, arcs: Any, *, any_of_equals: bool = False, timeout: float | None = None
) -> None:
    """Checks a forest, whoever made it, by its edges' arcs from smaller to larger vertices, in any
    order: they close no circle, and every other edge comes behind all edges of the path between its
    ends. `any_of_equals`: of edges of one weight any may be there.

    VerificationError names the first violation, in the file's own vertex ids; Timeout after
    `timeout` seconds; UsageError for an array that is none of whole numbers, and for a directed
    graph.
    """
    what = "verify_spanning_forest"
    instance(graph, Graph, f"{what}: graph")
    array = _arcs(arcs, f"{what}: arcs")
    flags(what, any_of_equals=any_of_equals)
    run_verifier(
        f"spanning forest of {graph.name}", what, timeout,
        lambda limit: _gossamer.verify_spanning_forest(graph._handle, array, any_of_equals, limit),
    )  # fmt: skip


def _arcs(given: Any, name: str) -> npt.NDArray[np.int64]:
    array = number_array(given, name)
    with np.errstate(invalid="ignore"):
        whole = array.astype(np.int64)
    if (whole != array).any():
        raise UsageError(f"{name}: not whole numbers")
    return np.ascontiguousarray(whole)


def compare_spanning_forests(graph: Graph, arcs: Any, expected: Any) -> None:
    """Compares a forest with somebody else's, by the arcs of both in any order.

    VerificationError names the first edge that only one of them has, in the file's own ids, or an
    arc that comes twice; UsageError for an array that is none of whole numbers.
    """
    what = "compare_spanning_forests"
    instance(graph, Graph, f"{what}: graph")
    ours, theirs = _arcs(arcs, f"{what}: arcs"), _arcs(expected, f"{what}: expected")
    of = f"spanning forest of {graph.name}"
    for array in (ours, theirs):
        bad = array[(array < 0) | (array >= graph.arcs)]
        if bad.size:
            raise VerificationError(f"{of}: there is no arc {bad[0]}")
        once, times = np.unique(array, return_counts=True)
        if once.size < array.size:
            raise VerificationError(f"{of}: arc {once[times > 1][0]} comes twice")
    different = np.setxor1d(ours, theirs)
    if different.size:
        arc = int(different[0])
        tail = int(np.searchsorted(graph.indptr, arc, "right")) - 1
        ends = f"{graph.name_of(tail)} - {graph.name_of(int(graph.indices[arc]))}"
        what = "expected not" if arc in ours else "expected"
        raise VerificationError(f"{of}: the edge {ends} is {what} to be in it")

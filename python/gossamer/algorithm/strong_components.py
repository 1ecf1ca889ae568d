"""Strong components: vertices of which each reaches each other along arcs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, TypedDict, Unpack

import numpy as np
import numpy.typing as npt

from gossamer import _gossamer
from gossamer.arguments import instance
from gossamer.arrays import id_array
from gossamer.errors import VerificationError
from gossamer.graph import Graph
from gossamer.graph.input import from_edges
from gossamer.graph.shape import GraphShape
from gossamer.machine import Machine
from gossamer.machine.placed_graph import PlacedGraph
from gossamer.machine.plans import MemoryPlan
from gossamer.trace import Trace

from .by_name import Column
from .options import defaults, spelled_out
from .prepared import Prepared, ValuesResult, run_verifier


@dataclass(frozen=True, repr=False)
class StrongComponentsResult(ValuesResult):
    """Strong components of a graph."""

    _arrays: ClassVar[tuple[str, ...]] = ("labels",)

    #: Number of components.
    count: int
    #: Vertices of the largest.
    largest: int
    #: Its label; of several as large the smallest.
    largest_label: int
    #: Vertices that trimming found to be components; those that the pivot's searches leave.
    trimmed: int
    #: Rows to labels, slowest rank.
    milliseconds: float
    #: Milliseconds by phase: search, trim, rest; on a GPU search is all that it does, and rest what
    #: it leaves to the host. reverse, reversing arcs, is not part of `milliseconds`, and 0 where an
    #: earlier call left them.
    phases: dict[str, float]

    @cached_property
    def labels(self) -> npt.NDArray[np.signedinteger[Any]]:
        """Smallest vertex (index) of each vertex's component, as wide as the graph's ids."""
        return self._here()

    def _columns(self) -> dict[str, Column]:
        return {"label": Column(self.labels, vertices=True)}


class StrongComponentsOptions(TypedDict, total=False):
    """Those of :class:`StrongComponentsSearch`."""

    engine: str
    memory: int | str | None
    timeout: float | None
    trace: Trace | str | Path | None


_explicit = spelled_out(StrongComponentsOptions, defaults("strong_components"))


class StrongComponentsSearch(Prepared):
    """Prepared for a graph on a machine, run any number of times.

    Of an undirected graph they are its components. engine: ``auto``, or one of
    ``gossamer.engines("strong_components")``. memory: bytes that each device may be asked for,
    ``"device=3G"`` of GPUs alone. timeout: seconds that a run, or a wait for a silent rank, may
    last. trace: records every run; of the function a path, too. All ranks read the same rows, so
    there is no partition.

    UsageError: an engine that does not exist. NotCompiled: ranks that are processes.
    """

    _algorithm = "strong_components"
    _make = _gossamer.make_strong_components_search
    _plan = _gossamer.plan_strong_components
    _handle: _gossamer.StrongComponentsSearch

    @_explicit
    def __init__(
        self,
        graph: Graph | PlacedGraph,
        machine: Machine | str | None = None,
        **options: Unpack[StrongComponentsOptions],
    ) -> None:
        self._handle = self._prepare(graph, machine, options)

    def run(self) -> StrongComponentsResult:
        """Finds the components."""
        return StrongComponentsResult(**self._named(self._handle.run()), work=None)

    @classmethod
    @_explicit
    def plan(
        cls,
        graph: Graph | GraphShape,
        machine: Machine | str | None = None,
        **options: Unpack[StrongComponentsOptions],
    ) -> MemoryPlan:
        """What a run takes beside the graph."""
        return cls._planned(graph, machine, options)


@spelled_out(StrongComponentsOptions, defaults("strong_components"), StrongComponentsSearch)
def strong_components(
    graph: Graph | PlacedGraph,
    machine: Machine | str | None = None,
    **options: Unpack[StrongComponentsOptions],
) -> StrongComponentsResult:
    """Strong components of a graph: vertices of which each reaches each other along arcs.

    NetworkX: ``strongly_connected_components``.

    `machine` is a :class:`Machine`, a spec, or None for ``auto``; a placed graph brings its
    machine. The options are those of :class:`StrongComponentsSearch`. :func:`compare_labels`
    compares labels with somebody else's.
    """
    return StrongComponentsSearch._once(graph, machine, options, lambda search: search.run())


def verify_strong_components(graph: Graph, labels: Any, *, timeout: float | None = None) -> None:
    """Checks labels, whoever made them: searches that keep to one label must meet all who have it,
    along arcs and against them, and between components arcs must lead in no circle.

    VerificationError names the first violation, in the file's own vertex ids; Timeout after
    `timeout` seconds; UsageError for an array that is none of integers.
    """
    instance(graph, Graph, "verify_strong_components: graph")
    given = id_array(labels, "verify_strong_components: labels", "labels")
    run_verifier(
        f"strong components of {graph.name}", "verify_strong_components", timeout,
        lambda limit: _gossamer.verify_strong_components(graph._handle, given, limit),
    )  # fmt: skip


def condensation(graph: Graph, labels: Any) -> Graph:
    """The graph of components, which has no circles: an arc from one to another where any leads so,
    once.

    NetworkX: ``condensation``.

    `labels`: of :func:`strong_components`, or any other that are the smallest vertex of each
    component. Components are in the order of their labels, and named as those vertices are:
    ``np.unique(labels, return_inverse=True)[1]`` is the component of each vertex.

    VerificationError for labels that are not one a vertex, or no vertices; UsageError for an array
    that is none of integers.
    """
    instance(graph, Graph, "condensation: graph")
    given = id_array(labels, "condensation: labels", "labels")
    if len(given) != graph.vertices:
        raise VerificationError(
            f"condensation of {graph.name}: labels need one entry for each of the "
            f"{graph.vertices} vertices"
        )
    first, at, component = np.unique(given, return_index=True, return_inverse=True)
    strange = first[(first < 0) | (first >= graph.vertices)]
    if strange.size:
        raise VerificationError(
            f"condensation of {graph.name}: labels are vertices, and {strange[0]} is none"
        )
    other = np.flatnonzero(first != at)
    if other.size:
        one = other[0]
        raise VerificationError(
            f"condensation of {graph.name}: label {first[one]} is not the smallest vertex with "
            f"it, which is {at[one]}"
        )
    tails = np.repeat(component, graph.degrees)
    heads = component[graph.indices]
    across = tails != heads
    arcs = np.unique(tails[across] * np.int64(max(1, first.size)) + heads[across])
    return from_edges(
        arcs // max(1, first.size), arcs % max(1, first.size), n=int(first.size),
        names=graph.names[first].tolist(), name=f"condensation of {graph.name}",
    )  # fmt: skip

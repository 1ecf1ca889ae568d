"""Weak components: which vertices are connected, whatever the direction of arcs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Unpack

import numpy as np
import numpy.typing as npt

from gossamer import _gossamer
from gossamer.arguments import instance
from gossamer.arrays import id_array
from gossamer.errors import VerificationError
from gossamer.graph import Graph
from gossamer.graph.shape import GraphShape
from gossamer.machine import Machine
from gossamer.machine.placed_graph import PlacedGraph
from gossamer.machine.plans import MemoryPlan

from .by_name import Column
from .options import RunOptions, defaults, spelled_out
from .prepared import Prepared, ValuesResult, run_verifier, vertex_numbers


@dataclass(frozen=True, repr=False)
class ComponentsResult(ValuesResult):
    """Components of a graph."""

    _arrays: ClassVar[tuple[str, ...]] = ("labels",)

    #: Number of components.
    count: int
    #: Vertices of the largest.
    largest: int
    #: Its label; of several as large the smallest.
    largest_label: int
    #: Graph to finished labels, slowest rank; on GPUs by their clocks, without bringing labels to
    #: the host.
    milliseconds: float
    #: Milliseconds by phase: sample, hook, compress; on several ranks merge. With engine ``async``
    #: propagate; on several ranks exchange, agree. With ``routed`` pack, hook, exchange, compress;
    #: on several ranks merge.
    phases: dict[str, float]
    #: Engine ``routed``: edges that each rank got. Empty with other engines.
    edges_of_ranks: list[int]

    @cached_property
    def labels(self) -> npt.NDArray[np.signedinteger[Any]]:
        """Smallest vertex (index) of each vertex's component, as wide as the graph's ids. They stay
        on a GPU that found them until the first access.
        """
        return self._here()

    def _columns(self) -> dict[str, Column]:
        return {"label": Column(self.labels, vertices=True)}


class ComponentsOptions(RunOptions, total=False):
    """Those of :class:`ComponentsSearch`."""

    spill: str
    deterministic: bool


_explicit = spelled_out(ComponentsOptions, defaults("components"))


class ComponentsSearch(Prepared):
    """Prepared for a graph on a machine, run any number of times.

    engine: ``auto``, or one of ``gossamer.engines("components")``, its own options behind its name:
    ``"routed:packet=64K"``. partition: which rank owns which vertices, on several ranks: ``auto``
    (ranges with as many arcs each), ``ranges``, ``edges``, ``hash``, ``metis``, or the part of
    every vertex (:func:`read_partition`); results are in the graph's own numbering whatever it is;
    ``routed``, whose ranks own nothing, takes ``auto``. deterministic: asks for the same labels in
    every run; they are, with or without, and with all engines. use: of several GPUs ``auto`` takes
    one where more would take longer (the result says why), ``all`` takes all, and so does any
    partition. memory: bytes that each device may be asked for, ``"device=3G"`` of GPUs alone.
    spill: where rows lie that GPUs have no room for: ``host``, ``none``, or ``auto`` (``host``
    unless `memory` is given). timeout: seconds that a run, or a wait for a silent rank, may last.
    trace: records every run; of the function a path, too.
    On GPUs the rows are uploaded once; ``routed`` sends edges from the host in each run.
    ``"routed:edges=prestaged"`` has them on their ranks before the clock starts.

    UsageError: an engine, an option or a use that does not exist. NotCompiled: an engine that does
    not run on such ranks.
    """

    _algorithm = "components"
    _make = _gossamer.make_components_search
    _plan = _gossamer.plan_components
    _handle: _gossamer.ComponentsSearch

    @_explicit
    def __init__(
        self,
        graph: Graph | PlacedGraph,
        machine: Machine | str | None = None,
        **options: Unpack[ComponentsOptions],
    ) -> None:
        self._handle = self._prepare(graph, machine, options)

    def run(self) -> ComponentsResult:
        """Finds the components."""
        return ComponentsResult(**self._named(self._handle.run()))

    @classmethod
    @_explicit
    def plan(
        cls,
        graph: Graph | GraphShape,
        machine: Machine | str | None = None,
        **options: Unpack[ComponentsOptions],
    ) -> MemoryPlan:
        """What a run takes beside the graph."""
        return cls._planned(graph, machine, options)


@spelled_out(ComponentsOptions, defaults("components"), ComponentsSearch)
def components(
    graph: Graph | PlacedGraph,
    machine: Machine | str | None = None,
    **options: Unpack[ComponentsOptions],
) -> ComponentsResult:
    """Weak components of a graph.

    NetworkX: ``weakly_connected_components``, ``connected_components``.

    `machine` is a :class:`Machine`, a spec, or None for ``auto``; a placed graph brings its machine
    and partition, and is laid out as this algorithm needs it. The options are those of
    :class:`ComponentsSearch`.
    """
    return ComponentsSearch._once(graph, machine, options, lambda search: search.run())


def verify_components(graph: Graph, labels: Any, *, timeout: float | None = None) -> None:
    """Checks labels by searches over both directions, whoever made them.

    VerificationError names the first violation, in the file's own vertex ids; Timeout after
    `timeout` seconds; UsageError for an array that is none of integers.
    """
    instance(graph, Graph, "verify_components: graph")
    given = id_array(labels, "verify_components: labels", "labels")
    run_verifier(
        f"components of {graph.name}", "verify_components", timeout,
        lambda limit: _gossamer.verify_components(graph._handle, given, limit),
    )  # fmt: skip


def compare_labels(graph: Graph, labels: Any, expected: Any) -> None:
    """Compares labels with somebody else's: whether both put the same vertices together, whatever
    they call components. One number a vertex each.

    VerificationError names two vertices that are together in one of them alone, in the file's own
    ids; UsageError for an array that is none of numbers.
    """
    instance(graph, Graph, "compare_labels: graph")
    of = f"components of {graph.name}"
    ours = vertex_numbers(graph, labels, "compare_labels: labels", of)
    theirs = vertex_numbers(graph, expected, "compare_labels: expected", of)
    here, there = _first_of_component(ours), _first_of_component(theirs)
    different = np.flatnonzero(here != there)
    if not different.size:
        return
    v = int(different[0])
    together = here[v] < there[v]
    u = int(min(here[v], there[v]))
    raise VerificationError(
        f"{of}: vertices {graph.name_of(u)} and {graph.name_of(v)} are in "
        + ("one component, expected in two" if together else "two components, expected in one")
    )


def _first_of_component(labels: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """The smallest vertex of each vertex's component, by labels of any kind."""
    _, first, component = np.unique(labels, return_index=True, return_inverse=True)
    smallest: npt.NDArray[np.int64] = first[component]
    return smallest

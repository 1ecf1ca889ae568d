"""Weak components: which vertices are connected, whatever the direction of arcs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from gossamer import _gossamer
from gossamer.arguments import flags, instance, memory_bytes, seconds
from gossamer.arrays import id_array
from gossamer.graph import Graph
from gossamer.graph.shape import GraphShape, planning_handle
from gossamer.machine import Machine, laid_out, machine_of
from gossamer.machine.placed_graph import PlacedGraph
from gossamer.machine.plans import MemoryPlan, memory_plan

from .runs import finished, run_verifier, worklist_options
from .values import ValuesResult


@dataclass(frozen=True)
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


class ComponentsSearch:
    """Prepared for a graph on a machine, run any number of times.

    engine: ``auto`` (which is ``sync``), ``sync`` (hook and compress), ``async`` (smallest labels
    travel along arcs by a distributed worklist, the smallest first, one thread a rank; a directed
    graph's arcs are written down in both directions), ``tasks`` (each rank joins its own arcs,
    and tells owners what their vertices were joined with; one thread a rank), ``routed`` (edges
    are sent in segments to whichever rank is free, and all ranks' labels merged in the end) or, on
    GPUs, ``host`` (the worklist of ``async``, its rounds launched and its messages sent by host
    threads).
    balance: how idle ranks of ``async`` on CPUs get work: ``none`` or ``steal`` (parts of others'
    rows). priority: order of that worklist, ``soft`` or on CPUs ``none`` (first in, first out, for
    comparison). partition: which rank owns which vertices, on several ranks: ``auto`` (ranges with
    as many arcs each), ``ranges``, ``edges``, ``hash``, ``metis``, or the part of every vertex
    (:func:`read_partition`); results are in the graph's own numbering whatever it is; ``routed``,
    whose ranks own nothing, takes ``auto``. route: how messages of ``host`` travel, ``direct`` to
    the owner or along a ``ring``. packet: bytes of the largest segment of ``routed`` and ``host``,
    None to choose them. deterministic: asks for the same labels in every run; they are, with or
    without, and with all engines. timeout: seconds that a run, or a wait for a silent rank, may
    last.

    On GPUs of this process engines ``sync``, ``async`` and ``host`` run, whose rows are uploaded
    once, and ``routed``, which sends edges from the host in each run, to GPUs and CPU ranks alike.
    use: of several GPUs ``auto`` takes one where more would take longer (the result says why),
    ``all`` takes all, and so does any partition.

    UsageError: an engine or a use that does not exist. NotCompiled: GPUs with engine ``tasks``, of
    MPI processes, and but for ``routed`` beside CPU ranks.
    """

    def __init__(
        self,
        graph: Graph | PlacedGraph,
        machine: Machine | str | None = None,
        *,
        engine: str = "auto",
        balance: str = "none",
        priority: str = "soft",
        partition: Any = "auto",
        route: str = "direct",
        packet: int | str | None = None,
        deterministic: bool = False,
        use: str = "auto",
        memory: int | str | None = None,
        timeout: float | None = None,
    ) -> None:
        self.graph: Graph
        self.machine: Machine
        self.graph, self.machine, partition = laid_out("components", graph, machine, partition)
        self._timeout = timeout
        flags("components", deterministic=deterministic)
        how = worklist_options(
            "components", engine, balance, priority, partition, route, packet, use
        )
        self._handle = _gossamer.make_components_search(
            self.machine._handle,
            self.graph._on(self.machine, engine in ("auto", "sync")),
            engine,
            *how,
            deterministic,
            use,
            memory_bytes(memory),
            seconds(timeout, "components"),
        )

    def run(self) -> ComponentsResult:
        """Finds the components."""
        raw = self._handle.run()
        return ComponentsResult(**finished("components", raw, self.machine, self._timeout))

    @staticmethod
    def plan(
        graph: Graph | GraphShape,
        machine: Machine,
        *,
        engine: str = "auto",
        balance: str = "none",
        priority: str = "soft",
        partition: Any = "auto",
        route: str = "direct",
        packet: int | str | None = None,
        use: str = "auto",
        memory: int | str | None = None,
    ) -> MemoryPlan:
        """What a run takes beside the graph."""
        how = worklist_options(
            "components", engine, balance, priority, partition, route, packet, use
        )
        return memory_plan(
            _gossamer.plan_components(
                machine_of(machine)._handle,
                planning_handle(graph, machine_of(machine), partition),
                engine,
                *how,
                use,
                memory_bytes(memory),
            )
        )


def components(
    graph: Graph | PlacedGraph, machine: Machine | str | None = None, **options: Any
) -> ComponentsResult:
    """Weak components of a graph.

    `machine` is a :class:`Machine`, a spec, or None for ``auto``; a placed graph brings its machine
    and partition, and is laid out as this algorithm needs it. `options` are those of
    :class:`ComponentsSearch`.
    """
    return ComponentsSearch(graph, machine, **options).run()


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

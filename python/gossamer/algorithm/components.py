"""Weak components: which vertices are connected, whatever the direction of arcs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from gossamer import _gossamer
from gossamer.arguments import instance, seconds
from gossamer.arrays import id_array
from gossamer.graph import Graph
from gossamer.graph.shape import GraphShape, planning_handle
from gossamer.machine import Machine, laid_out, machine_of
from gossamer.machine.placed_graph import PlacedGraph
from gossamer.machine.plans import MemoryPlan, memory_plan

from .options import named_options
from .runs import finished, run_verifier
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

    engine: ``auto``, or one of ``gossamer.engines("components")``, its own options behind its
    name: ``"routed:packet=64K"``. partition: which rank owns which vertices, on several ranks:
    ``auto`` (ranges with as many arcs each), ``ranges``, ``edges``, ``hash``, ``metis``, or the
    part of every vertex (:func:`read_partition`); results are in the graph's own numbering whatever
    it is; ``routed``, whose ranks own nothing, takes ``auto``. deterministic: asks for the same
    labels in every run; they are, with or without, and with all engines. use: of several GPUs
    ``auto`` takes one where more would take longer (the result says why), ``all`` takes all, and so
    does any partition. memory: bytes that each device may be asked for. timeout: seconds that a
    run, or a wait for a silent rank, may last. On GPUs the rows are uploaded once; ``routed`` sends
    edges from the host in each run.

    UsageError: an engine, an option or a use that does not exist. NotCompiled: an engine that does
    not run on such ranks.
    """

    def __init__(
        self,
        graph: Graph | PlacedGraph,
        machine: Machine | str | None = None,
        *,
        engine: str = "auto",
        partition: Any = "auto",
        deterministic: bool = False,
        use: str = "auto",
        memory: int | str | None = None,
        timeout: float | None = None,
    ) -> None:
        self.graph: Graph
        self.machine: Machine
        self.graph, self.machine, partition = laid_out("components", graph, machine, partition)
        self._timeout = timeout
        how = named_options(
            "components", partition, engine=engine, deterministic=deterministic, use=use,
            memory=memory,
        )  # fmt: skip
        self._handle = _gossamer.make_components_search(
            self.machine._handle, self.graph._on(self.machine, engine in ("auto", "sync")),
            timeout=seconds(timeout, "components"), **how,
        )  # fmt: skip

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
        partition: Any = "auto",
        use: str = "auto",
        memory: int | str | None = None,
    ) -> MemoryPlan:
        """What a run takes beside the graph."""
        how = named_options("components", partition, engine=engine, use=use, memory=memory)
        machine = machine_of(machine)
        handle = planning_handle(graph, machine, partition)
        return memory_plan(_gossamer.plan_components(machine._handle, handle, **how))


def components(
    graph: Graph | PlacedGraph,
    machine: Machine | str | None = None,
    *,
    engine: str = "auto",
    partition: Any = "auto",
    deterministic: bool = False,
    use: str = "auto",
    memory: int | str | None = None,
    timeout: float | None = None,
) -> ComponentsResult:
    """Weak components of a graph.

    `machine` is a :class:`Machine`, a spec, or None for ``auto``; a placed graph brings its machine
    and partition, and is laid out as this algorithm needs it. The options are those of
    :class:`ComponentsSearch`.
    """
    return ComponentsSearch(
        graph, machine, engine=engine, partition=partition, deterministic=deterministic, use=use,
        memory=memory, timeout=timeout,
    ).run()  # fmt: skip


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

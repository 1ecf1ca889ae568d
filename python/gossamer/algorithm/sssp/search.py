"""Searches for shortest paths, prepared for a graph on a machine."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from gossamer import _gossamer
from gossamer.algorithm.options import named_options
from gossamer.algorithm.runs import finished
from gossamer.algorithm.values import ValuesResult
from gossamer.arguments import integer, seconds
from gossamer.graph import Graph
from gossamer.graph.shape import GraphShape, planning_handle
from gossamer.machine import Machine, laid_out, machine_of
from gossamer.machine.placed_graph import PlacedGraph
from gossamer.machine.plans import MemoryPlan, memory_plan

from .distances import UNREACHED


@dataclass(frozen=True)
class SsspResult(ValuesResult):
    """Distances of one search."""

    _arrays: ClassVar[tuple[str, ...]] = ("distances", "parents")

    #: Index of the source.
    source: int
    #: Parent of every vertex, −1 = not reached; the source is its own. None unless asked for.
    parents: npt.NDArray[np.int64] | None
    #: Vertices with a distance, the source included.
    reached: int
    #: Arcs looked at, all ranks.
    relaxations: int
    #: Times that a bucket was taken up, or with engines ``async`` and ``host`` a window of
    #: distances; on a GPU times that its blocks met after relaxing.
    rounds: int
    #: Width of a bucket, or of the first window, in the unit of weights; 0 without windows
    #: (``priority=none``).
    delta: float
    #: Why it; empty without windows.
    delta_reason: str
    #: Source to finished distances and parents, slowest rank; on a GPU distances by its clock,
    #: without bringing them to the host.
    milliseconds: float
    #: Milliseconds by phase: relax, parents; on several ranks exchange, agree.
    phases: dict[str, float]

    @property
    def is_reached(self) -> npt.NDArray[np.bool_]:
        """Whether each vertex has a distance."""
        there: npt.NDArray[np.bool_] = (
            self.distances != UNREACHED
            if self.distances.dtype == np.uint32
            else np.isfinite(self.distances)
        )
        return there

    @cached_property
    def distances(self) -> npt.NDArray[Any]:
        """Distance of every vertex: uint32 for integer weights (4294967295 = not reached), else of
        the weights' type (infinity = not reached). They stay on a GPU that found them until the
        first access.
        """
        return self._here()


class SsspSearch:
    """A search prepared for a graph on a machine: weights checked once, any number of runs.

    engine: ``auto``, or one of ``gossamer.engines("sssp")``, its own options behind its name:
    ``"async:balance=steal"``. delta: width of a bucket, or of the first window of a worklist, whose
    later ones adapt; in the unit of weights, None to choose it from weights and degrees. parents:
    also a tree. deterministic: asks for the same parents in every run; these are, with or without.
    partition: which rank owns which vertices, on several ranks: ``auto`` (ranges with as many arcs
    each), ``ranges``, ``edges``, ``hash``, ``metis``, or the part of every vertex
    (:func:`read_partition`); results are in the graph's own numbering whatever it is. A partition
    is one for all ranks, of several GPUs too; ``sync``, which searches on one of them, refuses it
    there. use: of several GPUs ``auto`` takes one for ``async`` and ``host`` where several were
    slower, on networks of short rows and graphs of fewer than 2^28 arcs, unless it lacks memory;
    ``all`` takes all, and makes ``auto`` on several GPUs ``async`` (``host`` where their kernels
    take turns); a partition means ``all``. memory: bytes that each device may be asked for.
    timeout: seconds that a run, or a wait for a silent rank, may last.
    Distances and parents are the same with all engines. On GPUs the rows are uploaded once.

    InputError: a weight that is negative or not finite. UsageError: no weights, an engine or an
    option that does not exist, ``sync`` with a partition on several GPUs. NotCompiled: an engine
    that does not run on such ranks.
    """

    def __init__(
        self,
        graph: Graph | PlacedGraph,
        machine: Machine | str | None = None,
        *,
        engine: str = "auto",
        delta: float | None = None,
        parents: bool = False,
        deterministic: bool = False,
        partition: Any = "auto",
        use: str = "auto",
        memory: int | str | None = None,
        timeout: float | None = None,
    ) -> None:
        self.graph: Graph
        self.machine: Machine
        self.graph, self.machine, partition = laid_out("sssp", graph, machine, partition)
        self._timeout = timeout
        how = named_options(
            "sssp", partition, engine=engine, delta=delta, parents=parents,
            deterministic=deterministic, use=use, memory=memory,
        )  # fmt: skip
        there = engine in ("auto", "sync") and (not parents or self.graph.symmetric)
        self._handle = _gossamer.make_sssp_search(
            self.machine._handle, self.graph._on(self.machine, there),
            timeout=seconds(timeout, "sssp"), **how,
        )  # fmt: skip

    def run(self, source: int) -> SsspResult:
        """Searches from the vertex with this index."""
        raw = self._handle.run(integer(source, "sssp: source"))
        return SsspResult(**finished("sssp", raw, self.machine, self._timeout))

    @staticmethod
    def plan(
        graph: Graph | GraphShape,
        machine: Machine,
        *,
        engine: str = "auto",
        parents: bool = False,
        partition: Any = "auto",
        use: str = "auto",
        memory: int | str | None = None,
        weight_bytes: int = 4,
    ) -> MemoryPlan:
        """What a search takes beside the graph; `weight_bytes`: of a :class:`GraphShape`."""
        how = named_options(
            "sssp", partition, engine=engine, parents=parents, use=use, memory=memory
        )
        machine = machine_of(machine)
        handle = planning_handle(graph, machine, partition)
        if isinstance(handle, _gossamer.Graph):
            return memory_plan(_gossamer.plan_sssp(machine._handle, handle, **how))
        return memory_plan(_gossamer.plan_sssp_shape(machine._handle, handle, weight_bytes, **how))


def sssp(
    graph: Graph | PlacedGraph,
    source: int,
    machine: Machine | str | None = None,
    *,
    engine: str = "auto",
    delta: float | None = None,
    parents: bool = False,
    deterministic: bool = False,
    partition: Any = "auto",
    use: str = "auto",
    memory: int | str | None = None,
    timeout: float | None = None,
) -> SsspResult:
    """Shortest paths from the vertex with index `source`.

    `machine` is a :class:`Machine`, a spec, or None for ``auto``; a placed graph brings its machine
    and partition, and is laid out as this algorithm needs it. The options are those of
    :class:`SsspSearch`, which serves many sources.
    """
    source = integer(source, "sssp: source")  # before weights are checked for nothing
    return SsspSearch(
        graph, machine, engine=engine, delta=delta, parents=parents, deterministic=deterministic,
        partition=partition, use=use, memory=memory, timeout=timeout,
    ).run(source)  # fmt: skip

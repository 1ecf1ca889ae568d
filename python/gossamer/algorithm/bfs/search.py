"""Breadth-first searches, prepared for a placed graph, and the ranks they are run on."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from gossamer import _gossamer
from gossamer.algorithm.options import named_options
from gossamer.arguments import (
    instance,
    integer,
    memory_bytes,
    seconds,
    seed_number,
    texts,
)
from gossamer.errors import UsageError, check_time
from gossamer.graph import Graph
from gossamer.graph.shape import GraphShape, part_ids, planning_handle
from gossamer.machine import Machine, machine_of
from gossamer.machine.placed_graph import PlacedGraph
from gossamer.machine.plans import MemoryPlan, memory_plan
from gossamer.trace import Trace, recorder

from .result import BfsResult


class BfsSearch:
    """A search prepared for a placed graph: work memory is taken once, any number of runs.

    direction: ``auto`` (direction-optimising), ``top-down`` or ``bottom-up``.
    engine: ``auto``, or one of ``gossamer.engines("bfs")``, its own options behind its name:
    ``"vector-queue:transport=direct,results=slices"``.
    deterministic: parents are the smallest possible vertices, whatever the schedule.
    alpha, beta: top-down → bottom-up when frontier edges > unexplored edges / alpha, back when the
    frontier < vertices / beta.
    timeout: seconds that a run, or a wait for a silent rank, may last.
    trace: records every run.
    """

    def __init__(
        self,
        placed: PlacedGraph,
        *,
        direction: str = "auto",
        engine: str = "auto",
        deterministic: bool = False,
        alpha: float = 15.0,
        beta: float = 18.0,
        timeout: float | None = None,
        trace: Trace | None = None,
    ) -> None:
        self.placed: PlacedGraph = instance(
            placed, PlacedGraph, "bfs: graph", "a PlacedGraph (see Machine.place)"
        )
        self._timeout = timeout
        how = named_options(
            "bfs", direction=direction, engine=engine, deterministic=deterministic, alpha=alpha,
            beta=beta,
        )  # fmt: skip
        self._handle = _gossamer.make_bfs_search(
            placed._handle, timeout=seconds(timeout, "bfs"), trace=recorder(trace), **how
        )

    def run(self, source: int) -> BfsResult:
        """Searches from the vertex with this index. Results stay valid after later runs."""
        result = BfsResult(self._handle.run(integer(source, "bfs: source")), self.placed)
        if not self.placed.machine.virtual:
            # The slowest rank's time, so that all processes of a run agree.
            check_time("bfs", result.milliseconds / 1e3, self._timeout)
        return result

    @staticmethod
    def plan(
        machine: Machine,
        graph: Graph | GraphShape,
        *,
        partition: Any = "auto",
        renumber: str = "none",
        memory: int | str | None = None,
        direction: str = "auto",
        engine: str = "auto",
        deterministic: bool = False,
    ) -> MemoryPlan:
        """What the placement and a search take together, before anything is placed.

        A :class:`GraphShape` stands for a graph that has not been made or read yet.
        """
        name, part_of = part_ids(partition)
        texts("bfs", renumber=renumber)
        how = named_options("bfs", direction=direction, engine=engine, deterministic=deterministic)
        machine = machine_of(machine)
        handle = planning_handle(graph, machine, partition)
        raw = _gossamer.plan_bfs(
            machine._handle, handle, name, part_of, renumber, True, memory_bytes(memory), **how
        )
        return memory_plan(raw)


class BfsRanks(NamedTuple):
    """How many ranks a search uses."""

    #: What to search on.
    machine: Machine
    #: Why it has fewer ranks than the one asked about, or all although fewer would be faster;
    #: empty: all, which nothing stands against.
    reason: str = ""
    #: What that takes for granted of a graph that is not there yet; empty: nothing.
    provided: str = ""


def ranks_for_bfs(
    machine: Machine,
    graph: Graph | GraphShape,
    use: str = "auto",
    *,
    renumber: str = "none",
    memory: int | str | None = None,
    engine: str = "auto",
    deterministic: bool = False,
) -> BfsRanks:
    """The ranks of `machine` to search `graph` on.

    use: ``auto`` (one GPU of several where more would only wait for each other, unless it lacks
    memory for a search with the other options) or ``all``.
    """
    machine = machine_of(machine)
    texts("bfs", renumber=renumber)
    how = named_options("bfs", engine=engine, deterministic=deterministic)
    if use not in ("auto", "all"):
        raise UsageError(f"bfs: use '{use}' is neither auto nor all")
    if use == "all" or machine.size == 1:
        return BfsRanks(machine)
    spec, reason, provided = _gossamer.choose_bfs_ranks(
        machine._handle, planning_handle(graph, machine), renumber, memory_bytes(memory), **how
    )
    return BfsRanks(machine if spec == machine.spec else machine_of(spec), reason, provided)


def use_of_ranks(use: str, partition: Any, engine: str) -> str:
    """`use` for :func:`ranks_for_bfs`: a partition is one for all ranks, and engines that it was
    not measured for are asked for by name."""
    free = isinstance(partition, str) and partition == "auto"
    free = free and engine.partition(":")[0] in ("auto", "single_kernel", "async")
    return use if free or use != "auto" else "all"


def bfs(
    graph: Graph | PlacedGraph,
    source: int,
    machine: Machine | str | None = None,
    *,
    direction: str = "auto",
    engine: str = "auto",
    deterministic: bool = False,
    timeout: float | None = None,
    partition: Any = "auto",
    renumber: str = "none",
    memory: int | str | None = None,
    use: str = "auto",
    trace: Trace | str | Path | None = None,
) -> BfsResult:
    """Searches a graph breadth-first from the vertex with index `source`.

    A plain graph is placed on `machine` (a :class:`Machine`, a spec, or None for ``auto``) first;
    for many sources place it once, and use :class:`BfsSearch`, whose options these are.
    `partition`, `renumber` and `memory` are those of :meth:`Machine.place`; without a partition
    and another engine, `use` says how many of the machine's GPUs: see :func:`ranks_for_bfs`. A path
    as `trace` is a file to write the trace of this run to.
    """
    source = integer(source, "bfs: source")  # before the graph is placed for nothing
    texts("bfs", engine=engine)
    seconds(timeout, "bfs")
    if not isinstance(graph, PlacedGraph):
        instance(graph, Graph, "bfs: graph", "a Graph or a PlacedGraph")
    if isinstance(graph, PlacedGraph):
        if machine is not None and machine is not graph.machine:
            raise UsageError("bfs: a placed graph has its machine; give no other")
        placed = graph
    else:
        where = machine_of(machine)
        where = ranks_for_bfs(
            where, graph, use_of_ranks(use, partition, engine),
            renumber=renumber, memory=memory, engine=engine, deterministic=deterministic,
        ).machine  # fmt: skip
        placed = where.place(graph, partition=partition, renumber=renumber, memory=memory)
    path = trace if isinstance(trace, (str, Path)) else None
    recording = Trace() if isinstance(trace, (str, Path)) else trace
    search = BfsSearch(
        placed, direction=direction, engine=engine, deterministic=deterministic, timeout=timeout,
        trace=recording,
    )  # fmt: skip
    result = search.run(source)
    if path is not None and recording is not None and placed.machine.here():
        recording.write(path)
    return result


def draw_sources(graph: Graph | PlacedGraph, count: int, seed: int = 1) -> list[int]:
    """Up to `count` distinct vertices of degree ≥ 1, the same ones for a seed, placed or not."""
    count = integer(count, "draw_sources: count")
    if count < 1:
        raise UsageError("draw_sources: count is not positive")
    if not isinstance(graph, PlacedGraph):
        instance(graph, Graph, "draw_sources: graph", "a Graph or a PlacedGraph")
    # Degrees are read where they are.
    return _gossamer.draw_sources(graph._facts, count, seed_number(seed, "draw_sources"))

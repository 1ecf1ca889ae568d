"""Breadth-first search: prepared for a placed graph or in one call, the ranks it is run on, what it
gives and says of itself, and the verifier."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, TypedDict, Unpack

import numpy as np
import numpy.typing as npt

from gossamer import _gossamer
from gossamer.arguments import (
    device_ordinal,
    flags,
    instance,
    integer,
    memory_of_devices,
    seconds,
    seed_number,
    texts,
    thread_count,
)
from gossamer.arrays import Array, id_array, number_array, uploaded
from gossamer.errors import UsageError, VerificationError, check_time
from gossamer.graph import Graph
from gossamer.graph.names import VertexNames
from gossamer.graph.shape import GraphShape, part_ids, planning_handle
from gossamer.machine import Machine, chosen_machine, machine_of
from gossamer.machine.placed_graph import PlacedGraph
from gossamer.machine.plans import MemoryPlan, memory_plan
from gossamer.trace import Trace, recorder

from .by_name import Column, Paths
from .options import defaults, named_options, spelled_out
from .prepared import WorklistCounters, run_verifier, vertex_of


@dataclass(frozen=True)
class BfsLevel:
    """One level as it ran."""

    #: Vertices in the frontier that was expanded.
    frontier: int
    #: ``"top-down"`` or ``"bottom-up"``.
    direction: str
    #: 0 with engine ``async``, whose levels overlap.
    milliseconds: float


@dataclass(frozen=True)
class BfsMessages:
    """Messages of one kind, all ranks together."""

    #: ``"flag"`` (agreement on direction and end), ``"out"`` (frontiers) or ``"tree"`` (the
    #: result's way to one place; none where it stays distributed).
    kind: str
    #: Times that the ranks exchanged; 0 with one rank.
    rounds: int
    #: Puts between two ranks.
    messages: int
    #: Bytes of their contents.
    bytes: int
    #: Sending and waiting, slowest rank; None where words leave while their sender works on, and
    #: nobody told the two apart (engine ``tasks``; GPUs by one kernel or ``async``).
    milliseconds: float | None


@dataclass(frozen=True)
class BfsOverlap:
    """The exchange of one level (engine ``vector_queue``): in every stage each rank receives one
    other's frontier."""

    #: Bytes received in each stage, all ranks together.
    bytes_per_stage: list[int]
    #: What the copies took, summed over stages and ranks; None where nobody can tell (kernels that
    #: read a peer's memory).
    copy_milliseconds: float | None
    #: What computing waited for them, or did them itself, summed likewise.
    idle_milliseconds: float
    #: Bytes per second while copies ran, all ranks together; None like `copy_milliseconds`.
    throughput: float | None
    #: Share of the copies that computing did not wait for, 0 to 1; None likewise.
    hidden: float | None


@dataclass(frozen=True)
class Part:
    """One rank's share of a result, in the memory of its device."""

    rank: int
    #: Parents by local index, as placed ids (-1 = none).
    parents: Array
    #: Depths by local index (-1 = not reached).
    depths: Array
    _placed: _gossamer.PlacedGraph

    @property
    def device(self) -> str:
        """``"cpu"`` or ``"cuda:K"``."""
        return self.depths.device

    @cached_property
    def vertices(self) -> npt.NDArray[np.int64]:
        """Graph vertex of each local index, -1 for holes; on the host."""
        return self._placed.vertices_of(self.rank)


@dataclass(frozen=True)
class KeptSearch:
    """What a pickle keeps of a search: all that the library's own result says but where it lies."""

    graph: Graph
    facts: dict[str, Any]
    #: What methods without arguments gave, by name.
    given: dict[str, Any]

    @classmethod
    def of(cls, handle: _gossamer.BfsResult | KeptSearch, graph: Graph) -> KeptSearch:
        if isinstance(handle, KeptSearch):
            return handle
        facts = {name: getattr(handle, name) for name in _FACTS}
        return cls(graph, facts, {name: getattr(handle, name)() for name in _GIVEN})

    def __getattr__(self, name: str) -> Any:
        if name in _FACTS:
            return self.facts[name]
        if name in _GIVEN:
            return lambda: self.given[name]
        raise AttributeError(name)


_FACTS = (
    "source", "levels", "reached", "arcs_of_reached", "milliseconds", "teps", "engine",
    "engine_reason", "ranks_used", "hidden", "link_limit",
)  # fmt: skip
_GIVEN = ("per_level", "phases", "messages", "overlap", "work", "parents", "depths")


class BfsResult(Paths):
    """Parents and depths of one search; they stay where they were computed until asked for."""

    _values_in: ClassVar[tuple[str, ...]] = ("depths", "parents")

    def __init__(self, handle: _gossamer.BfsResult, placed: PlacedGraph) -> None:
        #: The library's result, or what a pickle kept of it.
        self._handle: _gossamer.BfsResult | KeptSearch = handle
        self._placed: PlacedGraph | None = placed
        #: Why not all ranks of the machine that :func:`bfs` was given, or why CPUs for ``auto``;
        #: empty: all, or placed before.
        self.ranks_reason = ""

    @property
    def placed(self) -> PlacedGraph:
        """What was searched; UsageError of a copy from a pickle, which has the graph alone."""
        if self._placed is None:
            raise UsageError("placed: a pickle keeps the graph alone, not where it lay")
        return self._placed

    @property
    def graph(self) -> Graph:
        """What was searched; UsageError when it lies in parts on its ranks."""
        if isinstance(self._handle, KeptSearch):
            return self._handle.graph
        return self.placed.graph

    def __reduce__(self) -> Any:
        """Pickles the arrays, as the host has them, and the graph; UsageError when that lies in
        parts on its ranks."""
        return _from_pickle, (KeptSearch.of(self._handle, self.graph), self.ranks_reason)

    def __copy__(self) -> BfsResult:
        return self  # it never changes

    @property
    def source(self) -> int:
        """Index of the source."""
        return self._handle.source

    @property
    def levels(self) -> int:
        """Number of non-empty frontiers: the largest depth + 1."""
        return self._handle.levels

    @property
    def reached(self) -> int:
        """Vertices in the tree, the source included."""
        return self._handle.reached

    @property
    def edges(self) -> int:
        """Arcs in rows of reached vertices; half of them (rounded down) if symmetric."""
        arcs = self._handle.arcs_of_reached
        whole = isinstance(self._handle, KeptSearch)
        return arcs // 2 if (self.graph if whole else self.placed).symmetric else arcs

    @property
    def milliseconds(self) -> float:
        """Wall time from the source to finished parents on their owners, slowest rank."""
        return self._handle.milliseconds

    @property
    def teps(self) -> float:
        """Traversed edges per second: `edges` over that time (Graph500)."""
        return self._handle.teps

    @property
    def engine(self) -> str:
        """What ran: the engine that was asked for, or the one that ``auto`` chose."""
        return self._handle.engine

    @property
    def engine_reason(self) -> str:
        """Why it."""
        return self._handle.engine_reason

    @property
    def ranks_used(self) -> int:
        """Ranks that worked: all of those that the graph was placed on."""
        return self._handle.ranks_used

    @property
    def per_level(self) -> list[BfsLevel]:
        """Every level as it ran."""
        return [
            BfsLevel(frontier, "bottom-up" if up else "top-down", milliseconds)
            for frontier, up, milliseconds, levels in self._handle.per_level()
            for _ in range(levels)
        ]

    @property
    def phases(self) -> dict[str, float]:
        """Milliseconds by phase: expand, exchange, agree, deterministic, tree, gather. What an
        engine cannot tell apart is part of ``expand``."""
        return {name: 1e3 * seconds for name, seconds in self._handle.phases().items()}

    @property
    def messages(self) -> list[BfsMessages]:
        """What ranks sent each other, by paper B's kinds: flag, out, tree."""
        return [
            BfsMessages(
                kind, rounds, messages, sent, None if math.isnan(seconds) else 1e3 * seconds
            )
            for kind, rounds, messages, sent, seconds in self._handle.messages()
        ]

    @property
    def overlap(self) -> list[BfsOverlap]:
        """One a level with engine ``vector_queue`` on several ranks, else empty."""
        return [
            BfsOverlap(
                stages, _known(1e3 * copy), 1e3 * idle, _known(throughput),
                hidden if copy > 0 else None,
            )
            for stages, copy, idle, throughput, hidden in self._handle.overlap()
        ]  # fmt: skip

    @property
    def work(self) -> WorklistCounters | None:
        """What the worklist of engine ``async`` did; None with other engines."""
        return WorklistCounters.of(self._handle.work())

    @property
    def hidden(self) -> float | None:
        """`BfsOverlap.hidden` of all levels together; None where there is none."""
        return None if math.isnan(self._handle.hidden) else self._handle.hidden

    @property
    def link_limit(self) -> float | None:
        """Bytes per second that the links into all ranks take together, by what the hardware or
        the model says; None where it says nothing."""
        return _known(self._handle.link_limit)

    @cached_property
    def parents(self) -> npt.NDArray[np.int64]:
        """Parent of every vertex, -1 = not reached; the source is its own parent."""
        return self._handle.parents()

    @cached_property
    def depths(self) -> npt.NDArray[np.int32]:
        """Depth of every vertex, -1 = not reached."""
        return self._handle.depths()

    def _vertex_names(self) -> VertexNames:
        return self.graph._vertex_names

    def _as_given(self, vertex: int) -> Any:
        whole = self._placed is None or self._placed.whole
        return super()._as_given(vertex) if whole else vertex

    def _columns(self) -> dict[str, Column]:
        there = self.depths >= 0
        return {"depth": Column(self.depths, there), "parent": Column(self.parents, there, True)}

    @cached_property
    def parts(self) -> list[Part]:
        """One part per rank, without copies; UsageError of a copy from a pickle."""
        if isinstance(self._handle, KeptSearch):
            raise UsageError("parts: a pickle keeps the arrays alone, not where they lay")
        placed = self._handle.placed
        return [
            Part(
                rank,
                Array(*self._handle.part(rank, True)),
                Array(*self._handle.part(rank, False)),
                placed,
            )
            for rank in range(self._handle.part_count)
        ]

    def gather(self, device: str | int = "cpu", what: str = "parents") -> Any:
        """All `parents` or `depths` in the graph's numbering, as one array on one device.

        ``"cpu"`` gives a NumPy array. ``"cuda:K"`` or K gives an :class:`Array` on that GPU:
        without a copy when the whole result lies there in the graph's numbering, otherwise by way
        of the host.
        """
        if what not in ("parents", "depths"):
            raise UsageError(f"gather: '{what}' is neither parents nor depths")
        ordinal = device_ordinal(device)
        if ordinal < 0:
            return self.parents if what == "parents" else self.depths
        here = None if isinstance(self._handle, KeptSearch) else self._handle
        if here is not None and here.part_count == 1 and here.placed.identity:
            view = Array(*here.part(0, what == "parents", self.placed.vertices))
            if view.device == f"cuda:{ordinal}":
                return view
        return uploaded(self.parents if what == "parents" else self.depths, ordinal)

    def verify(
        self, *, threads: int = 0, smallest_parents: bool = False, timeout: float | None = None
    ) -> None:
        """Checks the Graph500 rules; VerificationError names the first violation.

        On the host, with `threads`, where the graph is `whole`; else by the ranks, each for its own
        rows. smallest_parents: of a whole graph's tree, also that it is the one of
        ``deterministic``.
        """
        there = self._handle
        if not isinstance(there, KeptSearch) and not self.placed.whole:
            run_verifier(
                f"bfs from {self.source}", "verify", timeout,
                lambda limit: _gossamer.verify_parts(there, limit),
            )  # fmt: skip
            return
        verify_bfs(
            self.graph, self.source, self.parents, self.depths, threads=threads,
            smallest_parents=smallest_parents, timeout=timeout,
        )  # fmt: skip

    def compare_depths(self, expected: Any) -> None:
        """Compares depths with somebody else's: one number a vertex, infinity or -1 = not reached.
        VerificationError names the first difference; UsageError when that is no array of numbers.
        """
        theirs = number_array(expected, "compare_depths: expected")
        theirs = np.where(theirs == -1, np.inf, theirs.astype(np.float64))
        # As unsigned numbers -1 is what distances have there.
        ok, reason = _gossamer.compare_distances(
            self.graph._handle, np.ascontiguousarray(self.depths).view(np.uint32), theirs, 0
        )
        if not ok:
            raise VerificationError(f"bfs on {self.graph.name}: {reason}")

    def __repr__(self) -> str:
        return (
            f"BfsResult(source {self._as_given(self.source)!r}, {self.reached} reached in "
            f"{self.levels} levels, {self.milliseconds:.3f} ms, {self.teps:.3g} TEPS)"
        )


def _from_pickle(kept: KeptSearch, ranks_reason: str) -> BfsResult:
    found = BfsResult.__new__(BfsResult)
    found._handle, found._placed, found.ranks_reason = kept, None, ranks_reason
    return found


def _known(value: float) -> float | None:
    return value if value > 0 else None


def verify_bfs(
    graph: Graph,
    source: Any,
    parents: Any,
    depths: Any,
    *,
    threads: int = 0,
    smallest_parents: bool = False,
    timeout: float | None = None,
) -> None:
    """Checks parents and depths against the Graph500 rules, on the host, whoever made them.

    smallest_parents: each parent must be the smallest vertex one level above that has an arc to it,
    as results of ``deterministic`` searches are.

    VerificationError names the first violation, in the file's own vertex ids; Timeout after
    `timeout` seconds.
    """
    flags("verify_bfs", smallest_parents=smallest_parents)
    source = vertex_of(instance(graph, Graph, "verify_bfs: graph"), source, "verify_bfs: source")
    given = (
        graph._handle,
        source,
        id_array(parents, "verify_bfs: parents").astype(np.int64, copy=False),
        id_array(depths, "verify_bfs: depths", "depths").astype(np.int32, copy=False),
        thread_count(threads, "verify_bfs"),
        smallest_parents,
    )
    run_verifier(
        f"bfs from {graph.name_of(source)}", "verify_bfs", timeout,
        lambda limit: _gossamer.verify_bfs(*given, limit),
    )  # fmt: skip


class BfsOptions(TypedDict, total=False):
    """Those of :class:`BfsSearch`."""

    direction: str
    engine: str
    deterministic: bool
    alpha: float
    beta: float
    timeout: float | None


_explicit = spelled_out(BfsOptions, defaults("bfs"))


class BfsSearch:
    """A search prepared for a placed graph: work memory is taken once, any number of runs.

    direction: ``auto`` (direction-optimising), ``top-down`` or ``bottom-up``.
    engine: ``auto``, or one of ``gossamer.engines("bfs")``, its own options behind its name:
    ``"vector_queue:transport=direct,results=slices"``.
    deterministic: parents are the smallest possible vertices, whatever the schedule.
    alpha, beta: top-down → bottom-up when frontier edges > unexplored edges / alpha, back when the
    frontier < vertices / beta.
    timeout: seconds that a run, or a wait for a silent rank, may last.
    trace: records every run.
    """

    @_explicit
    def __init__(
        self, placed: PlacedGraph, *, trace: Trace | None = None, **options: Unpack[BfsOptions]
    ) -> None:
        self.placed: PlacedGraph = instance(
            placed, PlacedGraph, "bfs: graph", "a PlacedGraph (see Machine.place)"
        )
        self._timeout = options.get("timeout")
        how = named_options("bfs", options)
        self._handle = _gossamer.make_bfs_search(
            placed._handle, timeout=seconds(self._timeout, "bfs"), trace=recorder(trace), **how
        )

    def run(self, source: Any) -> BfsResult:
        """Searches from the vertex with this index, or name where names are not integers.

        Results stay valid after later runs.
        """
        index = vertex_of(self.placed, source, "bfs: source")
        result = BfsResult(self._handle.run(index), self.placed)
        if not self.placed.machine.virtual:
            # The slowest rank's time, so that all processes of a run agree.
            check_time("bfs", result.milliseconds / 1e3, self._timeout)
        return result

    @staticmethod
    @_explicit
    def plan(
        graph: Graph | GraphShape,
        machine: Machine | str | None = None,
        *,
        partition: Any = "auto",
        renumber: str = "none",
        by_columns: bool = False,
        memory: int | str | None = None,
        spill: str = "auto",
        **options: Unpack[BfsOptions],
    ) -> MemoryPlan:
        """What the placement and a search take together, before anything is placed.

        A :class:`GraphShape` stands for a graph that has not been made or read yet. :func:`bfs`
        places `by_columns` for engine ``vector_queue``.
        """
        name, part_of = part_ids(partition)
        texts("bfs", renumber=renumber, spill=spill)
        flags("bfs", by_columns=by_columns)
        how = named_options("bfs", options)
        machine = machine_of(machine)
        handle = planning_handle(graph, machine, partition)
        raw = _gossamer.plan_bfs(
            machine._handle, handle, name, part_of, renumber, True, by_columns,
            memory_of_devices(memory), spill, **how,
        )  # fmt: skip
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


@_explicit
def ranks_for_bfs(
    graph: Graph | GraphShape,
    machine: Machine | str | None = None,
    use: str = "auto",
    *,
    renumber: str = "none",
    memory: int | str | None = None,
    spill: str = "auto",
    **options: Unpack[BfsOptions],
) -> BfsRanks:
    """The ranks of `machine` to search `graph` on.

    use: ``auto`` (one GPU of several where more would only wait for each other, unless it lacks
    memory for a search with the other options; the CPUs in place of the GPUs that ``auto`` stands
    for where they are faster) or ``all``.
    """
    machine = machine_of(machine)
    texts("bfs", use=use, renumber=renumber, spill=spill)
    how = named_options("bfs", options)
    if use not in ("auto", "all"):
        raise UsageError(f"bfs: use '{use}' is neither auto nor all")
    if use == "auto" and isinstance(graph, Graph):
        chosen, reason = chosen_machine("bfs", graph, machine, options)
        if reason:
            return BfsRanks(chosen, reason)
    if use == "all" or machine.size == 1:
        return BfsRanks(machine)
    spec, reason, provided = _gossamer.choose_bfs_ranks(
        machine._handle, planning_handle(graph, machine), renumber, memory_of_devices(memory),
        spill, **how,
    )  # fmt: skip
    return BfsRanks(machine if spec == machine.spec else machine_of(spec), reason, provided)


def use_of_ranks(use: str, partition: Any, engine: str) -> str:
    """`use` for :func:`ranks_for_bfs`: a partition is one for all ranks, and engines that it was
    not measured for are asked for by name."""
    free = isinstance(partition, str) and partition == "auto"
    free = free and engine.partition(":")[0] in ("auto", "single_kernel", "async")
    return use if free or use != "auto" else "all"


def reads_columns(engine: str) -> bool:
    """Whether the engine searches a graph that is placed by columns (:meth:`Machine.place`)."""
    return engine.partition(":")[0] == "vector_queue"


@spelled_out(BfsOptions, defaults("bfs"), BfsSearch)
def bfs(
    graph: Graph | PlacedGraph,
    source: Any,
    machine: Machine | str | None = None,
    *,
    partition: Any = "auto",
    renumber: str = "none",
    memory: int | str | None = None,
    spill: str = "auto",
    use: str = "auto",
    trace: Trace | str | Path | None = None,
    **options: Unpack[BfsOptions],
) -> BfsResult:
    """Searches a graph breadth-first from the vertex with index `source`, or that name where names
    are not integers.

    NetworkX: ``bfs_edges``, ``bfs_predecessors``, ``single_source_shortest_path_length``.

    A plain graph is placed on `machine` (a :class:`Machine`, a spec, or None for ``auto``) first;
    for many sources place it once, and use :class:`BfsSearch`, whose options these are.
    `partition`, `renumber`, `memory` and `spill` are those of :meth:`Machine.place`; without a
    partition and another engine, `use` says how many of the machine's GPUs: see
    :func:`ranks_for_bfs`. A path as `trace` is a file to write the trace of this run to.
    """
    engine = options.get("engine", "auto")
    texts("bfs", engine=engine, use=use)
    seconds(options.get("timeout"), "bfs")
    if not isinstance(graph, PlacedGraph):
        instance(graph, Graph, "bfs: graph", "a Graph or a PlacedGraph")
    source = vertex_of(graph, source, "bfs: source")  # before the graph is placed for nothing
    reason = ""
    if isinstance(graph, PlacedGraph):
        if machine is not None and machine is not graph.machine:
            raise UsageError("bfs: a placed graph has its machine; give no other")
        placed = graph
    else:
        where = machine_of(machine)
        where, reason, _ = ranks_for_bfs(
            graph, where, use_of_ranks(use, partition, engine), renumber=renumber, memory=memory,
            spill=spill, **options,
        )  # fmt: skip
        placed = where.place(
            graph, partition=partition, renumber=renumber, by_columns=reads_columns(engine),
            memory=memory, spill=spill,
        )  # fmt: skip
    path = trace if isinstance(trace, (str, Path)) else None
    recording = Trace() if isinstance(trace, (str, Path)) else trace
    result = BfsSearch(placed, trace=recording, **options).run(source)
    result.ranks_reason = reason
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

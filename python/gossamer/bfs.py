"""Breadth-first search over every rank of a machine, and its verifier."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _gossamer
from .arrays import Array, id_array, integer, seed_number
from .errors import UsageError, VerificationError, check_time
from .graph import Graph, memory_bytes
from .machine import (
    GraphShape,
    Machine,
    MemoryPlan,
    PlacedGraph,
    memory_plan,
    part_ids,
    planning_handle,
    shared_machine,
)

__all__ = [
    "BfsLevel",
    "BfsMessages",
    "BfsResult",
    "BfsSearch",
    "Part",
    "bfs",
    "draw_sources",
    "verify_bfs",
]


@dataclass(frozen=True)
class BfsLevel:
    """One level as it ran."""

    #: Vertices in the frontier that was expanded.
    frontier: int
    #: ``"top-down"`` or ``"bottom-up"``.
    direction: str
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
    #: Sending and waiting, slowest rank.
    milliseconds: float


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


class BfsResult:
    """Parents and depths of one search; they stay where they were computed until asked for."""

    def __init__(self, handle: _gossamer.BfsResult, graph: Graph) -> None:
        self._handle = handle
        self.graph: Graph = graph

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
        return arcs // 2 if self.graph.symmetric else arcs

    @property
    def milliseconds(self) -> float:
        """Wall time from the source to finished parents on their owners, slowest rank."""
        return self._handle.milliseconds

    @property
    def teps(self) -> float:
        """Traversed edges per second: `edges` over that time (Graph500)."""
        return self._handle.teps

    @property
    def per_level(self) -> list[BfsLevel]:
        """Every level as it ran."""
        return [
            BfsLevel(frontier, "bottom-up" if up else "top-down", milliseconds)
            for frontier, up, milliseconds in self._handle.per_level()
        ]

    @property
    def phases(self) -> dict[str, float]:
        """Milliseconds by phase: expand, exchange, agree, deterministic, tree, gather."""
        return {name: 1e3 * seconds for name, seconds in self._handle.phases().items()}

    @property
    def messages(self) -> list[BfsMessages]:
        """What ranks sent each other, by paper B's kinds: flag, out, tree."""
        return [
            BfsMessages(kind, rounds, messages, sent, 1e3 * seconds)
            for kind, rounds, messages, sent, seconds in self._handle.messages()
        ]

    @cached_property
    def parents(self) -> npt.NDArray[np.int64]:
        """Parent of every vertex, -1 = not reached; the source is its own parent."""
        return self._handle.parents()

    @cached_property
    def depths(self) -> npt.NDArray[np.int32]:
        """Depth of every vertex, -1 = not reached."""
        return self._handle.depths()

    @cached_property
    def parts(self) -> list[Part]:
        """One part per rank, without copies."""
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
        ordinal = _ordinal(device)
        if ordinal < 0:
            return self.parents if what == "parents" else self.depths
        parts = self.parts
        if len(parts) == 1 and self._handle.placed.identity:
            view = Array(*self._handle.part(0, what == "parents", self.graph.vertices))
            if view.device == f"cuda:{ordinal}":
                return view
        host = self.parents if what == "parents" else self.depths
        there, address = _gossamer.upload(host, ordinal)
        return Array(there, address, host.size, host.itemsize, ordinal)

    def verify(self, *, threads: int = 0, timeout: float | None = None) -> None:
        """Checks the Graph500 rules on the host; VerificationError names the first violation."""
        verify_bfs(
            self.graph, self.source, self.parents, self.depths, threads=threads, timeout=timeout
        )

    def __repr__(self) -> str:
        return (
            f"BfsResult(source {self.source}, {self.reached} reached in {self.levels} levels, "
            f"{self.milliseconds:.3f} ms, {self.teps:.3g} TEPS)"
        )


def _ordinal(device: str | int) -> int:
    if not isinstance(device, str):
        return integer(device, "gather: device", 1 << 31)
    if device == "cpu":
        return -1
    kind, _, number = device.partition(":")
    if kind == "cuda" and (number == "" or number.isdecimal()):
        return int(number or 0)
    raise UsageError(f"no such device: '{device}' (cpu, cuda:K)")


class BfsSearch:
    """A search prepared for a placed graph: work memory is taken once, any number of runs.

    direction: ``auto`` (direction-optimising), ``top-down`` or ``bottom-up``.
    engine: ``auto`` or the name of an engine.
    deterministic: parents are the smallest possible vertices, whatever the schedule.
    alpha, beta: top-down → bottom-up when frontier edges > unexplored edges / alpha, back when the
    frontier < vertices / beta.
    timeout: seconds that a run, or a wait for a silent rank, may last.
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
    ) -> None:
        self.placed: PlacedGraph = placed
        self._timeout = timeout
        self._handle = _gossamer.make_bfs_search(
            placed._handle, direction, engine, deterministic, alpha, beta, timeout
        )

    def run(self, source: int) -> BfsResult:
        """Searches from the vertex with this index. Results stay valid after later runs."""
        result = BfsResult(self._handle.run(integer(source, "bfs: source")), self.placed.graph)
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
        return memory_plan(
            _gossamer.plan_bfs(
                machine._handle,
                planning_handle(graph),
                name,
                part_of,
                renumber,
                True,
                memory_bytes(memory),
                direction,
                engine,
                deterministic,
            )
        )


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
) -> BfsResult:
    """Searches a graph breadth-first from the vertex with index `source`.

    A plain graph is placed on `machine` (a :class:`Machine`, a spec, or None for ``auto``) first;
    for many sources place it once, and use :class:`BfsSearch`, whose options these are.
    `partition`, `renumber` and `memory` are those of :meth:`Machine.place`.
    """
    source = integer(source, "bfs: source")  # before the graph is placed for nothing
    if isinstance(graph, PlacedGraph):
        if machine is not None and machine is not graph.machine:
            raise UsageError("bfs: a placed graph has its machine; give no other")
        placed = graph
    else:
        where = machine if isinstance(machine, Machine) else shared_machine(machine or "auto")
        placed = where.place(graph, partition=partition, renumber=renumber, memory=memory)
    search = BfsSearch(
        placed, direction=direction, engine=engine, deterministic=deterministic, timeout=timeout
    )
    return search.run(source)


def verify_bfs(
    graph: Graph,
    source: int,
    parents: Any,
    depths: Any,
    *,
    threads: int = 0,
    timeout: float | None = None,
) -> None:
    """Checks parents and depths against the Graph500 rules, on the host, whoever made them.

    VerificationError names the first violation, in the file's own vertex ids; Timeout after
    `timeout` seconds.
    """
    source = integer(source, "verify_bfs: source")
    start = time.monotonic()
    ok, reason = _gossamer.verify_bfs(
        graph._handle,
        source,
        id_array(parents, "verify_bfs: parents").astype(np.int64, copy=False),
        id_array(depths, "verify_bfs: depths").astype(np.int32, copy=False),
        threads,
        timeout,
    )
    check_time("the verification", time.monotonic() - start, timeout)
    if not ok:
        raise VerificationError(f"bfs from {graph.name_of(source)}: {reason}")


def draw_sources(graph: Graph, count: int, seed: int = 1) -> list[int]:
    """Up to `count` distinct vertices of degree ≥ 1, the same ones for a seed."""
    count = integer(count, "draw_sources: count")
    if count < 1:
        raise UsageError("draw_sources: count is not positive")
    return _gossamer.draw_sources(graph._handle, count, seed_number(seed, "draw_sources"))

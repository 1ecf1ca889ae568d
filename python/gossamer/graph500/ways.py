"""The ways in which Graph500 makes its graph: on the host from a list, or on the ranks in parts."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from gossamer import _gossamer
from gossamer.algorithm.bfs import BfsResult, verify_bfs
from gossamer.arguments import memory_bytes
from gossamer.errors import UsageError
from gossamer.graph import Graph, Progress
from gossamer.graph.shape import GraphShape
from gossamer.machine import Machine
from gossamer.machine.placed_graph import PlacedGraph
from gossamer.machine.plans import MemoryPlan, PlanEntry

#: Bytes a vertex, at most, while a search is validated on the host: its parents and depths there,
#: and the verifier's own copy of the depths.
_VALIDATION_BYTES = 8 + 4 + 4


def _tree(result: BfsResult) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]:
    """Parents and depths as they are validated on the host."""
    return result.parents, result.depths


def _result(result: BfsResult) -> BfsResult:
    """A result as it is validated on the ranks."""
    return result


class Way(Protocol):
    """How a run makes its graph, counts the list's entries and validates."""

    #: Seconds by step of the construction, once it is done; the last step is the search's.
    seconds: dict[str, float]

    def plan(self, shape: GraphShape, search: tuple[PlanEntry, ...]) -> MemoryPlan:
        """Everything at its peak; `search`: what the search takes beside the placement."""

    def generate(self, progress: Progress | None) -> float:
        """Seconds that making the edge list took."""

    def construct(self, progress: Progress | None) -> PlacedGraph:
        """From the list to a placed graph."""

    def entries(self, result: BfsResult) -> int:
        """Entries of the list inside the tree's component."""

    def validate(self, result: BfsResult, timeout: float | None) -> None:
        """VerificationError when the tree is wrong."""


class OnHost:
    """The edge list lies in host memory, the graph is built there and laid over the machine."""

    def __init__(
        self, spec: str, machine: Machine, renumber: str, threads: int, memory: Any
    ) -> None:
        self.seconds: dict[str, float] = {}
        self._spec = spec
        self._machine = machine
        self._renumber = renumber
        self._threads = threads
        self._memory = memory
        self._list: _gossamer.EdgeList | None = None
        self._by_source: npt.NDArray[np.int64] = np.empty(0, np.int64)

    def plan(self, shape: GraphShape, search: tuple[PlanEntry, ...]) -> MemoryPlan:
        placing = self._machine.plan(shape, renumber=self._renumber, memory=self._memory)
        raw = _gossamer.plan_generate(self._spec, False, False, 0, 0, -1)
        n = shape.vertices
        own = [
            PlanEntry(-1, "host", "graph", raw["graph_bytes"], "at most"),
            PlanEntry(-1, "host", "edges by first end", 8 * n),
            PlanEntry(-1, "host", "validation", _VALIDATION_BYTES * n, "at most"),
        ]
        ranks = (*placing.entries, *search)
        plan = MemoryPlan((*own, *ranks), placing.limits)
        # The list and its arcs while they are sorted lie there before the rest, not beside it.
        first = raw["host_bytes"] + 8 * n - sum(e.bytes for e in plan.on_host(self._machine))
        if first > 0:
            own.insert(0, PlanEntry(-1, "host", "edge list and sorting", first, "at most"))
        return MemoryPlan((*own, *ranks), placing.limits)

    def generate(self, progress: Progress | None) -> float:
        start = time.perf_counter()
        self._list = _gossamer.generate_list(
            self._spec, self._threads, memory_bytes(self._memory), progress
        )
        return time.perf_counter() - start

    def construct(self, progress: Progress | None) -> PlacedGraph:
        if self._list is None:
            raise UsageError("graph500: no edge list; generate() comes first")
        # What is counted afterwards is of the list, which the graph consumes.
        self._by_source = self._list.count_by_source(self._threads)
        start = time.perf_counter()
        graph = Graph(_gossamer.build_list(self._list, self._threads, progress))
        self._list = None
        built = time.perf_counter()
        placed = self._machine.place(graph, renumber=self._renumber, memory=self._memory)
        self.seconds = {"build": built - start, "place": time.perf_counter() - built}
        return placed

    def entries(self, result: BfsResult) -> int:
        # An entry lies in the component when its first end does.
        return int(np.sum(self._by_source, where=result.depths >= 0))

    def validate(self, result: BfsResult, timeout: float | None) -> None:
        parents, depths = _tree(result)
        verify_bfs(
            result.graph, result.source, parents, depths, threads=self._threads, timeout=timeout
        )


class InParts:
    """The graph is made on the ranks (:meth:`Machine.generate`): neither its list nor the whole
    graph is ever in one place."""

    def __init__(self, spec: str, machine: Machine, renumber: str, memory: Any) -> None:
        if renumber != "none":
            raise UsageError(f"graph500: graphs made in parts are not renumbered ('{renumber}')")
        self.seconds: dict[str, float] = {}
        self._spec = spec
        self._machine = machine
        self._memory = memory
        self._ready = False

    def plan(self, shape: GraphShape, search: tuple[PlanEntry, ...]) -> MemoryPlan:
        making = self._machine.plan_generate(self._spec, memory=self._memory)
        # A byte a vertex: Kronecker graphs have nowhere near 254 levels.
        memory_of = {e.rank: e.memory for e in making.entries}
        checks = [
            PlanEntry(rank, memory, "validation", shape.vertices, "about")
            for rank, memory in sorted(memory_of.items())
        ]
        later: dict[int, int] = {}
        for e in (*search, *checks):
            later[e.rank] = later.get(e.rank, 0) + e.bytes
        # Rows are sorted before there is a search: only what that takes beyond it counts.
        making_entries = [
            replace(e, bytes=max(0, e.bytes - later[e.rank])) if e.purpose == "sorting" else e
            for e in making.entries
        ]
        return MemoryPlan((*making_entries, *search, *checks), making.limits)

    def generate(self, progress: Progress | None) -> float:
        self._ready = True  # there is no list: making its entries is part of the construction
        return 0.0

    def construct(self, progress: Progress | None) -> PlacedGraph:
        if not self._ready:
            raise UsageError("graph500: no edge list; generate() comes first")
        start = time.perf_counter()
        placed = self._machine.generate(self._spec, memory=self._memory, progress=progress)
        self.seconds = {"generate": time.perf_counter() - start}
        return placed

    def entries(self, result: BfsResult) -> int:
        return _gossamer.entries_of_reached(result._handle)

    def validate(self, result: BfsResult, timeout: float | None) -> None:
        _result(result).verify(timeout=timeout)

"""What a breadth-first search gives: parents and depths, and their verifier."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from gossamer import _gossamer
from gossamer.algorithm.runs import run_verifier
from gossamer.algorithm.worklist import WorklistCounters
from gossamer.arguments import device_ordinal, instance, integer, thread_count
from gossamer.arrays import Array, id_array, number_array, uploaded
from gossamer.errors import UsageError, VerificationError
from gossamer.graph import Graph
from gossamer.machine.placed_graph import PlacedGraph

from .records import BfsLevel, BfsMessages, BfsOverlap, Part


class BfsResult:
    """Parents and depths of one search; they stay where they were computed until asked for."""

    def __init__(self, handle: _gossamer.BfsResult, placed: PlacedGraph) -> None:
        self._handle = handle
        #: What was searched.
        self.placed: PlacedGraph = placed

    @property
    def graph(self) -> Graph:
        """What was searched; UsageError when it lies in parts on its ranks."""
        return self.placed.graph

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
        return arcs // 2 if self.placed.symmetric else arcs

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
    def per_level(self) -> list[BfsLevel]:
        """Every level as it ran."""
        return [
            BfsLevel(frontier, "bottom-up" if up else "top-down", milliseconds)
            for frontier, up, milliseconds in self._handle.per_level()
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
        """One a level with engine ``vector-queue`` on several ranks, else empty."""
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
        ordinal = device_ordinal(device)
        if ordinal < 0:
            return self.parents if what == "parents" else self.depths
        parts = self.parts
        if len(parts) == 1 and self._handle.placed.identity:
            view = Array(*self._handle.part(0, what == "parents", self.placed.vertices))
            if view.device == f"cuda:{ordinal}":
                return view
        return uploaded(self.parents if what == "parents" else self.depths, ordinal)

    def verify(self, *, threads: int = 0, timeout: float | None = None) -> None:
        """Checks the Graph500 rules; VerificationError names the first violation.

        On the host, with `threads`, where the graph is `whole`; else by the ranks, each for its own
        rows.
        """
        if not self.placed.whole:
            run_verifier(
                f"bfs from {self.source}", "verify", timeout,
                lambda limit: _gossamer.verify_parts(self._handle, limit),
            )  # fmt: skip
            return
        verify_bfs(
            self.graph, self.source, self.parents, self.depths, threads=threads, timeout=timeout
        )

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
            f"BfsResult(source {self.source}, {self.reached} reached in {self.levels} levels, "
            f"{self.milliseconds:.3f} ms, {self.teps:.3g} TEPS)"
        )


def _known(value: float) -> float | None:
    return value if value > 0 else None


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
    given = (
        instance(graph, Graph, "verify_bfs: graph")._handle,
        source,
        id_array(parents, "verify_bfs: parents").astype(np.int64, copy=False),
        id_array(depths, "verify_bfs: depths", "depths").astype(np.int32, copy=False),
        thread_count(threads, "verify_bfs"),
    )
    run_verifier(
        f"bfs from {graph.name_of(source)}", "verify_bfs", timeout,
        lambda limit: _gossamer.verify_bfs(*given, limit),
    )  # fmt: skip

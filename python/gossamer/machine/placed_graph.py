"""Graphs laid over a machine."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from gossamer import _gossamer
from gossamer.errors import UsageError
from gossamer.graph import Graph
from gossamer.graph.csr import GraphFacts

from .plans import MemoryPlan, memory_plan

if TYPE_CHECKING:
    from gossamer.graph.statistics import PartitionQuality

    from .machine import Machine


class PlacedGraph(GraphFacts):
    """A graph laid over a machine: slices on every rank, kept and reused."""

    _handle: _gossamer.PlacedGraph

    def __init__(
        self, handle: _gossamer.PlacedGraph, machine: Machine, graph: Graph | None = None,
        partition: Any = "auto",
    ) -> None:  # fmt: skip
        self._handle = handle
        #: As :meth:`Machine.place` was given it.
        self.partition: Any = partition
        #: Where it lies.
        self.machine: Machine = machine
        self._graph = graph

    @property
    def _facts(self) -> _gossamer.PlacedGraph:
        return self._handle

    @property
    def graph(self) -> Graph:
        """What was placed; UsageError unless `whole`."""
        if self._graph is None:
            raise UsageError(f"{self.name} lies in parts on its ranks: no host array holds it")
        return self._graph

    @property
    def whole(self) -> bool:
        """False for what :meth:`Machine.generate` made: its parts are all there is."""
        return self._handle.whole

    @property
    def seconds(self) -> float:
        """Time spent partitioning, renumbering and uploading."""
        return self._handle.seconds

    @property
    def uploads(self) -> int:
        """How many times slices were uploaded to devices: 1, whatever the number of runs."""
        return self._handle.uploads

    @property
    def identity(self) -> bool:
        """True when placed ids are the graph's own indices."""
        return self._handle.identity

    @cached_property
    def part_of(self) -> npt.NDArray[np.int32]:
        """Rank of every vertex, by the partition that was placed."""
        ranks = np.empty(self.vertices, np.int32)
        for rank in range(self.machine.size):
            vertices = self._handle.vertices_of(rank)
            ranks[vertices[vertices >= 0]] = rank
        return ranks

    def partition_quality(self) -> PartitionQuality:
        """Cut, balance and halo of the partition that was placed, in O(n + m) on the host."""
        return self.graph.partition_quality(self.part_of, self.machine.size)

    @property
    def plan(self) -> MemoryPlan:
        """What the placement took."""
        return memory_plan(self._handle.plan())

    def __repr__(self) -> str:
        return f"PlacedGraph({self.name!r} on {self.machine.spec!r})"

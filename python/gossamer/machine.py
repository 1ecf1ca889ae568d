"""Machines: devices, how they reach each other, and graphs laid over them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _gossamer
from .arrays import id_array
from .errors import UsageError
from .graph import Graph, memory_bytes

if TYPE_CHECKING:
    from .statistics import PartitionQuality

__all__ = ["Device", "GraphShape", "Link", "Machine", "MemoryPlan", "PlacedGraph", "PlanEntry"]


@dataclass(frozen=True)
class Device:
    """What one rank runs on."""

    #: ``"cpu"`` or ``"cuda"``.
    kind: str
    #: CUDA ordinal, -1 for CPU teams.
    ordinal: int
    #: Threads of the team; 1 for a GPU.
    threads: int
    #: Ranks that share the GPU.
    share: int
    name: str
    #: Bytes: the GPU's memory, or the host's limit.
    memory: int
    #: Streaming multiprocessors, or cores of the team.
    units: int
    #: PCI bus id of a GPU.
    pci: str


@dataclass(frozen=True)
class Link:
    """How one rank's code reaches another's memory."""

    #: ``self``, ``nvlink``, ``pcie``, ``host`` or ``none``.
    reach: str
    #: The transport that serves the pair: ``threads``, ``peer``, ``pinned``, …
    transport: str
    #: Loads and stores on the other's memory.
    load_store: bool
    #: Remote atomics.
    atomic: bool
    #: Atomics and signals are applied by somebody else.
    proxied: bool


@dataclass(frozen=True)
class PlanEntry:
    """Bytes that a rank takes for one purpose, in ``host``, ``pinned`` or ``device`` memory."""

    rank: int
    memory: str
    purpose: str
    bytes: int
    #: ``exact``, ``at most`` or ``about``: less than exact for a graph that is not there yet.
    certainty: str = "exact"


@dataclass(frozen=True)
class MemoryPlan:
    """Everything that will be allocated, before it is."""

    entries: tuple[PlanEntry, ...]
    #: Bytes that each rank may take.
    limits: tuple[int, ...]

    @property
    def total(self) -> int:
        """Bytes in all."""
        return sum(e.bytes for e in self.entries)

    def of(self, rank: int) -> int:
        """Bytes of one rank."""
        return sum(e.bytes for e in self.entries if e.rank == rank)


def memory_plan(raw: dict[str, Any]) -> MemoryPlan:
    """A plan as the bindings give it."""
    return MemoryPlan(tuple(PlanEntry(*e) for e in raw["entries"]), tuple(raw["limits"]))


def part_ids(partition: Any) -> tuple[str, Any]:
    """A partition argument as (name, part of every vertex or None)."""
    if isinstance(partition, str):
        if partition == "file":
            raise UsageError("partition: give the parts as an array (see read_partition)")
        return partition, None
    return "file", id_array(partition, "partition").astype(np.int32, copy=False)


@dataclass(frozen=True)
class GraphShape:
    """What is known of a graph before it is made or read: enough to plan for it."""

    vertices: int
    #: Stored arcs.
    arcs: int
    #: False: not known to be symmetric; both directions are planned for.
    symmetric: bool
    #: ``exact``, ``at most`` or ``about``.
    vertices_are: str = "exact"
    arcs_are: str = "exact"


def planning_handle(graph: Graph | GraphShape) -> _gossamer.Graph | _gossamer.GraphShape:
    """What the bindings plan with."""
    if not isinstance(graph, GraphShape):
        return graph._handle
    return _gossamer.GraphShape(
        graph.vertices, graph.arcs, graph.symmetric, graph.vertices_are, graph.arcs_are
    )


class Machine:
    """The devices named by a spec, one rank each.

    ``auto``, ``cpu``, ``cpu:P``, ``cpu:PxT``, ``cuda``, ``cuda:0-3``, ``cuda:0,2``, ``cuda:0*3``
    (three ranks share a GPU), and sums of those such as ``cpu:1x2+cuda:0-1``.
    """

    def __init__(self, spec: str = "auto") -> None:
        self._handle = _gossamer.open_machine(spec)

    @property
    def spec(self) -> str:
        """The spec as resolved."""
        return self._handle.spec

    @property
    def size(self) -> int:
        """Number of ranks."""
        return self._handle.size

    def __len__(self) -> int:
        return self.size

    def __repr__(self) -> str:
        return f"Machine({self.spec!r}, {self.size} ranks, fabric {self.fabric})"

    @property
    def fabric(self) -> str:
        """The transports in use, joined by ``+``."""
        return self._handle.fabric

    @property
    def beyond(self) -> str:
        """What to say when ranks are more than the nodes of the modelled hardware; else empty."""
        return self._handle.beyond

    @property
    def all_direct(self) -> bool:
        """True when every rank can load from and store to every other's memory."""
        return self._handle.all_direct

    @property
    def virtual(self) -> bool:
        """True when times are those of a modelled system, not measured."""
        return self.fabric == "sim"

    def here(self, rank: int = 0) -> bool:
        """Whether a rank runs in this process: always, unless ranks are MPI processes.

        Every process of an MPI machine makes the same calls in the same order, and has the same
        results; ``if machine.here():`` is for what one of them does alone, such as printing.
        """
        return self._handle.here(rank)

    @cached_property
    def devices(self) -> list[Device]:
        """The device of each rank."""
        return [Device(**d) for d in self._handle.devices()]

    @property
    def sharing(self) -> list[str]:
        """Whether kernels of ranks that share a GPU run at the same time, for each rank.

        ``run alone`` where no other rank shares the device, else ``run together`` or
        ``take turns``, found out by a trial at the first call.
        """
        return self._handle.sharing()

    @property
    def links(self) -> list[list[Link]]:
        """``links[i][j]``: how rank i reaches rank j."""
        ranks = range(self.size)
        return [[self.link(i, j) for j in ranks] for i in ranks]

    def link(self, source: int, target: int) -> Link:
        """How one rank reaches another."""
        return Link(**self._handle.link(source, target))

    def place(
        self,
        graph: Graph,
        *,
        partition: Any = "auto",
        renumber: str = "none",
        both_directions: bool = True,
        memory: int | str | None = None,
    ) -> PlacedGraph:
        """Lays a graph over the machine; keep the result and run from any number of sources.

        partition: ``auto``, ``ranges``, ``edges``, ``hash``, ``metis``, or the part of every
        vertex.
        renumber: ``none`` or ``degree`` (inside each rank).
        both_directions: keep the in-adjacency of directed graphs (bottom-up search needs it).
        memory: limit per device, in bytes or text such as ``"16G"``.
        """
        name, part_of = part_ids(partition)
        return PlacedGraph(
            _gossamer.place(
                self._handle,
                graph._handle,
                name,
                part_of,
                renumber,
                both_directions,
                memory_bytes(memory),
            ),
            self,
            graph,
        )

    def plan(
        self,
        graph: Graph | GraphShape,
        *,
        partition: Any = "auto",
        renumber: str = "none",
        both_directions: bool = True,
        memory: int | str | None = None,
    ) -> MemoryPlan:
        """What :meth:`place` would take; arcs of a :class:`GraphShape` count as spread evenly."""
        name, part_of = part_ids(partition)
        return memory_plan(
            _gossamer.plan_placement(
                self._handle,
                planning_handle(graph),
                name,
                part_of,
                renumber,
                both_directions,
                memory_bytes(memory),
            )
        )


class PlacedGraph:
    """A graph laid over a machine: slices on every rank, kept and reused."""

    def __init__(self, handle: _gossamer.PlacedGraph, machine: Machine, graph: Graph) -> None:
        self._handle = handle
        #: Where it lies.
        self.machine: Machine = machine
        #: What was placed.
        self.graph: Graph = graph

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
        ranks = np.empty(self.graph.vertices, np.int32)
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
        return f"PlacedGraph({self.graph!r} on {self.machine.spec!r})"


@lru_cache(maxsize=8)
def shared_machine(spec: str) -> Machine:
    """One machine per spec for calls that name none or a spec: opening takes milliseconds."""
    return Machine(spec)

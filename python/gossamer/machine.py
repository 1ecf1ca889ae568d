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
from .graph import Graph, Progress, memory_bytes
from .plans import MemoryPlan, memory_plan

if TYPE_CHECKING:
    from .statistics import PartitionQuality

__all__ = ["Device", "GraphShape", "Link", "Machine", "PlacedGraph"]


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
    (three ranks share a GPU), and sums of those such as ``cpu:1x2+cuda:0-1``; ``mpi``, ``mpi:T``
    and ``mpi:cuda`` for one rank per process of an MPI job.
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
    def gpu_messages(self) -> str:
        """How GPU memory goes into messages: ``CUDA-aware MPI`` or ``pinned host memory``.

        Empty unless the ranks are GPUs of MPI processes (``mpi:cuda``).
        """
        return self._handle.gpu_messages

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

    def generate(
        self, spec: str, *, memory: int | str | None = None, progress: Progress | None = None
    ) -> PlacedGraph:
        """Makes a generator's graph on the ranks, in parts: neither its edge list nor the whole
        graph is ever in one place. The parts are those of ``place(generate(spec))``.

        For graphs without weights, of 512 vertices a rank or more, on CPU ranks. The result is not
        `whole`: searches run on it and are verified where they lie.
        memory: limit per device; CapacityError before it is exceeded.
        progress: called as ``progress(done, total)``.
        """
        return PlacedGraph(
            _gossamer.generate_placed(self._handle, spec, memory_bytes(memory), progress), self
        )

    def plan_generate(self, spec: str, *, memory: int | str | None = None) -> MemoryPlan:
        """What :meth:`generate` takes; columns of several ranks are taken to lie evenly."""
        return memory_plan(_gossamer.plan_generate_placed(self._handle, spec, memory_bytes(memory)))

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

    def __init__(
        self, handle: _gossamer.PlacedGraph, machine: Machine, graph: Graph | None = None
    ) -> None:
        self._handle = handle
        #: Where it lies.
        self.machine: Machine = machine
        self._graph = graph

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
    def name(self) -> str:
        """The graph's name."""
        return self._handle.name

    @property
    def vertices(self) -> int:
        """The graph's vertices."""
        return self._handle.vertices

    @property
    def arcs(self) -> int:
        """The graph's stored arcs."""
        return self._handle.arcs

    @property
    def symmetric(self) -> bool:
        """Whether the graph is symmetric."""
        return self._handle.symmetric

    @property
    def steps(self) -> list[str]:
        """Transformations on the way in, in words."""
        return self._handle.steps

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


@lru_cache(maxsize=8)
def shared_machine(spec: str) -> Machine:
    """One machine per spec for calls that name none or a spec: opening takes milliseconds."""
    return Machine(spec)

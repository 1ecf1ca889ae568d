"""Machines as their specs name them: devices, and how they reach each other."""

from __future__ import annotations

import inspect
import os
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from gossamer import _gossamer
from gossamer.arguments import (
    callback,
    flags,
    instance,
    integer,
    memory_bytes,
    memory_of_devices,
    texts,
)
from gossamer.errors import CrowdedWarning, UsageError
from gossamer.graph import Graph, Progress
from gossamer.graph.shape import GraphShape, part_ids, planning_handle
from gossamer.html import table

from .placed_graph import PlacedGraph
from .plans import MemoryPlan, memory_plan


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


class Machine:
    """The devices named by a spec, one rank each.

    ``auto``, ``cpu``, ``cpu:P``, ``cpu:PxT``, ``cuda``, ``cuda:0-3``, ``cuda:0,2``, ``cuda:0*3``
    (three ranks share a GPU), and sums of those such as ``cpu:1x2+cuda:0-1``; ``mpi``, ``mpi:T``
    and ``mpi:cuda`` for one rank per process of an MPI job.

    Warns with CrowdedWarning when CPU ranks have more than four threads a core.
    """

    def __init__(self, spec: str = "auto") -> None:
        self._handle = _gossamer.open_machine(
            instance(spec, str, "machine", "a spec, as text such as cpu:2")
        )
        self._warn_if_crowded()

    def _warn_if_crowded(self) -> None:
        """Some more threads than cores are of use for trying programs out; many only wait."""
        if any(kind in self.spec for kind in ("mpi", "sim")):
            return  # not on this host alone, or not on any
        threads = sum(d.threads for d in self.devices if d.kind == "cpu")
        cores = len(os.sched_getaffinity(0))
        if threads > 4 * cores:
            warnings.warn(
                f"machine {self.spec}: {threads} threads share {cores} cores and wait for each "
                f"other; cpu:{cores} has one for each",
                CrowdedWarning,
                stacklevel=_callers_level(),
            )

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

    def _repr_html_(self) -> str:
        rows = [(rank, d.kind, d.name) for rank, d in enumerate(self.devices)]
        return table(f"Machine {self.spec}, fabric {self.fabric}", rows, ("rank", "kind", "name"))

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
        return self._handle.here(integer(rank, "here: rank", 1 << 31))

    def _is_gpu(self, ordinal: int) -> bool:
        """Whether this GPU of the process is all there is."""
        if self.size != 1 or not self.here():
            return False
        device = self.devices[0]
        return device.kind == "cuda" and device.ordinal == ordinal

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
        ends = [integer(rank, "link: rank", 1 << 31) for rank in (source, target)]
        return Link(**self._handle.link(*ends))

    def place(
        self,
        graph: Graph,
        *,
        partition: Any = "auto",
        renumber: str = "none",
        both_directions: bool = True,
        by_columns: bool = False,
        memory: int | str | None = None,
        spill: str = "auto",
    ) -> PlacedGraph:
        """Lays a graph over the machine; keep the result and run from any number of sources.

        partition: ``auto``, ``ranges``, ``edges``, ``hash``, ``metis``, or the part of every
        vertex.
        renumber: ``none`` or ``degree`` (inside each rank).
        both_directions: keep the in-adjacency of directed graphs (bottom-up search needs it).
        by_columns: keep what engine ``vector_queue`` of ``bfs`` reads, and nothing else. Each of
        several ranks gets those arcs of every vertex that lead to its own, in place of its rows.
        memory: limit per device and of the host, in bytes or text such as ``"16G"``;
        ``"device=16G"``: per GPU alone.
        spill: where rows lie that a GPU has no room for: ``host`` (in pinned host memory),
        ``none`` (nowhere: CapacityError), ``auto`` (``none`` where `memory` is given, else
        ``host``).
        """
        name, part_of = part_ids(partition)
        texts("place", renumber=renumber, spill=spill)
        flags("place", both_directions=both_directions, by_columns=by_columns)
        return PlacedGraph(
            _gossamer.place(
                self._handle,
                instance(graph, Graph, "place: graph")._on(
                    self,
                    name == "auto"
                    and renumber == "none"
                    and (graph.symmetric or not both_directions),
                ),
                name,
                part_of,
                renumber,
                both_directions,
                by_columns,
                memory_of_devices(memory),
                spill,
            ),
            self,
            graph,
            partition,
        )

    def generate(
        self, spec: str, *, memory: int | str | None = None, progress: Progress | None = None
    ) -> PlacedGraph:
        """Makes a generator's graph on the ranks, in parts: neither its edge list nor the whole
        graph is ever in one place. The parts are those of ``place(generate(spec))``.

        For graphs without weights, of 512 vertices a rank or more, on ranks of one kind. The
        result is not `whole`: searches run on it and are verified where they lie.
        memory: limit per device; CapacityError before it is exceeded.
        progress: called as ``progress(done, total)``.
        """
        texts("generate", spec=spec)
        callback(progress, "generate: progress")
        return PlacedGraph(
            _gossamer.generate_placed(self._handle, spec, memory_bytes(memory), progress), self
        )

    def plan_generate(self, spec: str, *, memory: int | str | None = None) -> MemoryPlan:
        """What :meth:`generate` takes; columns of several ranks are taken to lie evenly."""
        texts("plan_generate", spec=spec)
        return memory_plan(_gossamer.plan_generate_placed(self._handle, spec, memory_bytes(memory)))

    def plan(
        self,
        graph: Graph | GraphShape,
        *,
        partition: Any = "auto",
        renumber: str = "none",
        both_directions: bool = True,
        by_columns: bool = False,
        memory: int | str | None = None,
        spill: str = "auto",
    ) -> MemoryPlan:
        """What :meth:`place` would take; arcs of a :class:`GraphShape` count as spread evenly."""
        name, part_of = part_ids(partition)
        texts("plan", renumber=renumber, spill=spill)
        flags("plan", both_directions=both_directions, by_columns=by_columns)
        return memory_plan(
            _gossamer.plan_placement(
                self._handle,
                planning_handle(graph, self, partition),
                name,
                part_of,
                renumber,
                both_directions,
                by_columns,
                memory_of_devices(memory),
                spill,
            )
        )


def _callers_level() -> int:
    """Of a warning of who calls this: about the line outside of the package that led here."""
    level, frame = 1, inspect.currentframe()
    frame = frame and frame.f_back
    while frame and frame.f_globals.get("__name__", "").partition(".")[0] in _OURS:
        level, frame = level + 1, frame.f_back
    return level


#: Packages between a user and a machine.
_OURS = ("gossamer", "_gossamer_networkx")


@lru_cache(maxsize=8)
def _shared_machine(spec: str) -> Machine:
    """One for all calls that name the spec: opening takes milliseconds."""
    return Machine(spec)


def machine_of(machine: Machine | str | None) -> Machine:
    """What callers may give as a machine: one, a spec, or None for ``auto``."""
    if isinstance(machine, Machine):
        return machine
    if machine is not None:
        instance(machine, str, "machine", "a Machine, a spec such as cpu:2, or None")
    return _shared_machine(machine or "auto")


def chosen_machine(
    algorithm: str, graph: Graph, machine: Machine | str | None, options: Mapping[str, Any]
) -> tuple[Machine, str]:
    """Where a call with these options runs, and why there: ``auto`` may mean the CPUs of a host
    with GPUs, for graphs that are faster there. Who names an engine, a partition or a use stays;
    without a reason it is what was asked for."""
    where = machine_of(machine)
    named = any(
        not isinstance(x, str) or x != "auto"
        for x in (options.get(name, "auto") for name in ("engine", "partition", "use"))
    )
    if named or graph.device != "host" or where.devices[0].kind == "cpu":
        return where, ""
    spec, reason = _gossamer.choose_machine(where._handle, graph._handle, algorithm)
    return (machine_of(spec), reason) if reason else (where, "")


def laid_out(
    what: str, graph: Graph | PlacedGraph, machine: Machine | str | None, partition: Any
) -> tuple[Graph, Machine, Any]:
    """Graph, machine and partition of an algorithm that lays graphs out by itself: a placed graph
    brings all three."""
    if not isinstance(graph, PlacedGraph):
        instance(graph, Graph, f"{what}: graph", "a Graph or a PlacedGraph")
        return graph, machine_of(machine), partition
    if machine is not None and machine is not graph.machine:
        raise UsageError(f"{what}: a placed graph has its machine; give no other")
    if not isinstance(partition, str) or partition != "auto":
        raise UsageError(f"{what}: a placed graph has its partition; give no other")
    return graph.graph, graph.machine, graph.partition

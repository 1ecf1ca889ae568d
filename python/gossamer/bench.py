"""Measurements that have a name: pointer chasing in memory and over networks (paper D), with plots;
the GAP benchmark."""

from __future__ import annotations

import importlib.util
import statistics
from collections.abc import Iterable
from dataclasses import dataclass
from os import PathLike

from gossamer.arguments import integer

from . import _gossamer
from .errors import UsageError
from .gap import KERNELS as KERNELS
from .gap import Gap as Gap
from .gap import GapKernel as GapKernel
from .gap import GapResult as GapResult
from .gap import GapTrial as GapTrial
from .gap import chosen_kernels as chosen_kernels
from .gap import gap as gap
from .gap import plan_kernel as plan_kernel
from .machine import Machine, machine_of

#: Bytes of a node: one cache line.
NODE_BYTES = 64


class NodeList:
    """One cycle through `nodes` cache lines in an order drawn from `seed`.

    huge_pages: ask the system for them, of 1 GiB for a list as long, else of 2 MiB;
    :attr:`page_bytes` and :attr:`huge_bytes` say what it gave. memory_node: of the host (NUMA), all
    of whose memory the list then has; threads stay where they are. Without one it lies where the
    calling thread runs.

    UsageError for fewer than 2 nodes and for a memory node that the host has not, CapacityError
    where that has too little left, MemoryError when memory is short.
    """

    def __init__(
        self, nodes: int = 1 << 22, *, seed: int = 1, huge_pages: bool = True,
        memory_node: int | None = None,
    ) -> None:  # fmt: skip
        self._list = _gossamer.make_node_list(
            integer(nodes, "nodes"), integer(seed, "seed"), bool(huge_pages),
            _memory_node(memory_node),
        )  # fmt: skip

    @property
    def nodes(self) -> int:
        return self._list.nodes

    @property
    def bytes(self) -> int:
        return self._list.nodes * NODE_BYTES

    @property
    def huge_bytes(self) -> int:
        """Bytes on huge pages now; 0 where the system has none or does not say."""
        return self._list.huge_bytes

    @property
    def page_bytes(self) -> int:
        """Bytes of one of those pages; of an ordinary one where there is none."""
        return self._list.page_bytes

    @property
    def memory_node(self) -> int | None:
        """What it was made on."""
        return self._list.memory_node


def _memory_node(node: int | None) -> int | None:
    return None if node is None else integer(node, "memory_node", 1 << 31)


@dataclass(frozen=True)
class PointerChase:
    """What :func:`pointer_chase` measured."""

    way: str
    #: Lists followed at a time, by each rank and by all.
    in_flight: int
    ranks: int
    #: References per second of all ranks, one entry a run.
    rates: list[float]
    #: Bytes of the list, how many of them lie on huge pages, and those of one page.
    bytes: int
    huge_bytes: int
    page_bytes: int
    #: Where the list lies, if that was asked for.
    memory_node: int | None

    @property
    def rate(self) -> float:
        """Median of the runs."""
        return statistics.median(self.rates)

    @property
    def nanoseconds(self) -> float:
        """From a list's reference to its next one, by the median."""
        return 1e9 * self.in_flight * self.ranks / self.rate


def pointer_chase(
    in_flight: int = 48,
    *,
    way: str = "tasks",
    machine: Machine | str = "cpu:1x1",
    nodes: NodeList | int = 1 << 22,
    references: int = 1 << 22,
    delay: float = 0.0,
    working_set: int = 0,
    updates: int = 0,
    memory_node: int | None = None,
    repeat: int = 5,
) -> PointerChase:
    """Dependent references to memory per second, with `in_flight` lists a rank under way.

    way: ``"tasks"`` (one for each list), ``"loop"`` (one loop that prefetches, the best that can be
    done by hand) or ``"fibers"`` (Boost.Context). references: steps of each rank and run. delay:
    seconds after which a reference completes, the memory's own time within. working_set: bytes
    that each task has beside its list, of which it changes `updates` words after each reference.
    Every run begins at other nodes, after one that warms up, and checks where it arrived.

    machine: CPU ranks of this process, or a modelled system that says what its chips are
    (``"sim:grappa,ranks=6"``). Ranks are then the cores of one of its nodes, chip after chip, and
    seconds are virtual. memory_node: where the list lies, as :class:`NodeList` has it; of a
    modelled system the chip whose memory has it (0). One that is given as `nodes` must lie there.

    UsageError for what makes no sense and for other machines, CapacityError where a memory node has
    too little left, NotCompiled for fibers without Boost.Context, VerificationError for a wrong
    arrival.
    """
    repeats = integer(repeat, "repeat")
    if repeats < 1:
        raise UsageError("repeat: one run at least")
    on = machine_of(machine)
    node = _memory_node(memory_node)
    if isinstance(nodes, NodeList):
        along = nodes
    else:
        along = NodeList(nodes, memory_node=None if on.virtual else node)
    rates = []
    for run in range(repeats + 1):
        seconds, walked = _gossamer.chase_pointers(
            on._handle, along._list, way, integer(in_flight, "in_flight"),
            integer(references, "references"), run, float(delay),
            integer(working_set, "working_set"), integer(updates, "updates"),
            node,
        )  # fmt: skip
        rates.append(walked / seconds)
    return PointerChase(
        way, in_flight, on.size, rates[1:], along.bytes, along.huge_bytes, along.page_bytes,
        node if on.virtual else along.memory_node,
    )  # fmt: skip


@dataclass(frozen=True)
class GlobalChase:
    """What :func:`global_chase` measured."""

    manager: str
    #: References under way, of each rank.
    in_flight: int
    ranks: int
    #: Of all ranks, one entry a run.
    rates: list[float]
    #: Messages between ranks that carried requests and replies, and how many of these each.
    parcels: int
    messages_a_parcel: float

    @property
    def rate(self) -> float:
        """References a second of one rank; the median of the runs."""
        return statistics.median(self.rates) / self.ranks

    @property
    def nanoseconds(self) -> float:
        """From a task's reference to its next one, by the median."""
        return 1e9 * self.in_flight / self.rate


def global_chase(
    in_flight: int = 300,
    *,
    machine: Machine | str = "cpu:2x1",
    manager: str = "polled",
    references: int = 1 << 16,
    nodes: int = 1 << 16,
    repeat: int = 1,
) -> GlobalChase:
    """Dependent references to other ranks' memory per second, `in_flight` tasks a rank under way.

    machine: CPU ranks, MPI processes (collective then), or a modelled system, where seconds are
    virtual. manager: who carries messages: ``"polled"`` by the workers, by a ``"thread"`` of its
    own, or, modelled, by ``"hardware"`` that costs no core time. references: steps of each rank and
    run. nodes: of each rank's list, which lies on the other ranks. Every run checks where it
    arrived.

    UsageError for what makes no sense, a machine of one rank and a manager that it has not,
    VerificationError for a wrong arrival.
    """
    repeats = integer(repeat, "repeat")
    if repeats < 1:
        raise UsageError("repeat: one run at least")
    on = machine_of(machine)
    rates = []
    parcels, messages = 0, 0.0
    for _ in range(repeats):
        seconds, walked, parcels, messages = _gossamer.chase_global(
            on._handle, integer(in_flight, "in_flight"), integer(references, "references"),
            integer(nodes, "nodes"), manager,
        )  # fmt: skip
        rates.append(walked / seconds)
    return GlobalChase(manager, in_flight, on.size, rates, parcels, messages)


def plot(chases: Iterable[PointerChase | GlobalChase], path: str | PathLike[str]) -> None:
    """Draws millions of references a second over what was under way, as paper D's Fig. 3 and 4 do.

    One line for each way (or manager) and number of ranks, all ranks together; bars reach from the
    slowest run to the fastest. The file's type follows its name (.png, .svg, .pdf).

    UsageError without matplotlib, and when there is nothing to draw.
    """
    lines: dict[str, list[PointerChase | GlobalChase]] = {}
    for chase in chases:
        way = chase.way if isinstance(chase, PointerChase) else f"{chase.manager} manager"
        lines.setdefault(f"{way}, {chase.ranks} rank{'s' * (chase.ranks > 1)}", []).append(chase)
    if not lines:
        raise UsageError("plot: there is nothing to draw")
    if importlib.util.find_spec("matplotlib") is None:
        raise UsageError("plot: needs matplotlib: pip install 'gossamer[plot]'")
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4.5), layout="constrained")
    axes = figure.subplots()
    for label, points in lines.items():
        points.sort(key=lambda chase: chase.in_flight)
        middle = [statistics.median(p.rates) / 1e6 for p in points]
        below = [m - min(p.rates) / 1e6 for m, p in zip(middle, points, strict=True)]
        above = [max(p.rates) / 1e6 - m for m, p in zip(middle, points, strict=True)]
        axes.errorbar(
            [p.in_flight for p in points], middle, yerr=[below, above],
            marker="o", capsize=3, label=label,
        )  # fmt: skip
    axes.set_xlabel("references under way, of each rank")
    axes.set_ylabel("million references a second, all ranks")
    axes.set_ylim(bottom=0)
    axes.legend()
    figure.savefig(path)

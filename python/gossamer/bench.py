"""Measurements of this machine that have a name: pointer chasing (paper D)."""

from __future__ import annotations

import statistics
from dataclasses import dataclass

from . import _gossamer
from .arrays import integer
from .errors import UsageError
from .machine import Machine, machine_of

__all__ = ["NodeList", "PointerChase", "pointer_chase"]

#: Bytes of a node: one cache line.
NODE_BYTES = 64


class NodeList:
    """One cycle through `nodes` cache lines in an order drawn from `seed`.

    huge_pages: ask the system for them; :attr:`huge_bytes` says what it gave. UsageError for fewer
    than 2 nodes, MemoryError when memory is short.
    """

    def __init__(self, nodes: int = 1 << 22, *, seed: int = 1, huge_pages: bool = True) -> None:
        self._list = _gossamer.make_node_list(
            integer(nodes, "nodes"), integer(seed, "seed"), bool(huge_pages)
        )

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


@dataclass(frozen=True)
class PointerChase:
    """What :func:`pointer_chase` measured."""

    way: str
    #: Lists followed at a time, by each rank and by all.
    in_flight: int
    ranks: int
    #: References per second of all ranks, one entry a run.
    rates: list[float]
    #: Bytes of the list, and how many of them lie on huge pages.
    bytes: int
    huge_bytes: int

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
    repeat: int = 5,
) -> PointerChase:
    """Dependent references to memory per second, with `in_flight` lists a rank under way.

    way: ``"tasks"`` (one for each list), ``"loop"`` (one loop that prefetches, the best that can be
    done by hand) or ``"fibers"`` (Boost.Context). references: steps of each rank and run. delay:
    seconds after which a reference completes, the memory's own time within. working_set: bytes
    that each task has beside its list, of which it changes `updates` words after each reference.
    Every run begins at other nodes, after one that warms up, and checks where it arrived.

    UsageError for what makes no sense and for machines other than CPU ranks of this process,
    NotCompiled for fibers without Boost.Context, VerificationError for a wrong arrival.
    """
    repeats = integer(repeat, "repeat")
    if repeats < 1:
        raise UsageError("repeat: one run at least")
    on = machine_of(machine)
    along = nodes if isinstance(nodes, NodeList) else NodeList(nodes)
    rates = []
    for run in range(repeats + 1):
        seconds, walked = _gossamer.chase_pointers(
            on._handle, along._list, way, integer(in_flight, "in_flight"),
            integer(references, "references"), run, float(delay),
            integer(working_set, "working_set"), integer(updates, "updates"),
        )  # fmt: skip
        rates.append(walked / seconds)
    return PointerChase(way, in_flight, on.size, rates[1:], along.bytes, along.huge_bytes)

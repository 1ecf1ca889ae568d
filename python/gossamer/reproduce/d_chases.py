"""What the benches of paper D share: one list, the machines of this host, points per figure."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from gossamer.bench import NodeList, PointerChase, pointer_chase

from .here import Here, Machines

__all__ = ["Chases", "chases", "millions", "of_host"]


@dataclass
class Chases:
    """How much is measured."""

    #: Nodes of the list: 1 GiB, well beyond any cache.
    nodes: int = 1 << 24
    references: int = 1 << 23
    repeat: int = 5
    #: Lists of each core.
    in_flight: Sequence[int] = (1, 2, 4, 8, 12, 16, 24, 32, 48, 64, 96, 128)
    #: Tasks of each core that hide a delay of 3 us.
    delayed: Sequence[int] = (1, 4, 16, 53, 100, 200, 300, 500, 1000)
    working_sets: Sequence[int] = tuple(1 << k for k in range(6, 23, 2))
    updates: Sequence[int] = (0, 1, 2, 4, 8, 16, 32)
    #: Tasks of each rank that refer to another rank's memory, and how often each does.
    remote: Sequence[int] = (1, 4, 16, 64, 256, 1024)
    remote_steps: int = 2000
    #: Of the host; paper D has its list on the other chip's.
    memory_node: int | None = None
    _list: NodeList | None = field(default=None, repr=False)

    def shorten(self) -> None:
        """Seconds instead of minutes, and nothing that means anything."""
        self.nodes, self.references, self.repeat = 1 << 14, 1 << 12, 1
        self.in_flight, self.delayed = (1, 8, 48), (1, 16)
        self.working_sets, self.updates = (64, 4096), (0, 4)
        self.remote, self.remote_steps = (1, 64), 50

    def put_on(self, memory_node: int) -> None:
        """The list's memory; what :class:`NodeList` raises where the host has it not."""
        NodeList(2, memory_node=memory_node)
        self.memory_node = memory_node

    @property
    def nodes_in_memory(self) -> NodeList:
        """Made once, and walked by every figure from other nodes."""
        asked = (self.nodes, self.memory_node)
        if self._list is None or (self._list.nodes, self._list.memory_node) != asked:
            self._list = NodeList(self.nodes, memory_node=self.memory_node)
        return self._list

    def walk(
        self, in_flight: int, on: Here, way: str = "tasks", references: int = 0,
        **options: Any,
    ) -> PointerChase:  # fmt: skip
        """One point: the median of `repeat` runs."""
        return pointer_chase(
            in_flight, way=way, machine=on.machine(), nodes=self.nodes_in_memory,
            references=references or self.references, repeat=self.repeat, **options,
        )  # fmt: skip


chases = Chases()


def of_host() -> Machines:
    """Where none is named: one core, twice as many, …, all of this host, one rank a core."""
    cores = len(os.sched_getaffinity(0))
    counts = sorted({min(1 << k, cores) for k in range(cores.bit_length() + 1)})
    return [Here(f"cpu:{count}x1") for count in counts]


def millions(rate: float) -> float:
    """For rows and plots."""
    return rate / 1e6

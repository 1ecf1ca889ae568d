"""What a breadth-first search says of itself: levels, messages, overlap, parts of its result."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from gossamer import _gossamer
from gossamer.arrays import Array


@dataclass(frozen=True)
class BfsLevel:
    """One level as it ran."""

    #: Vertices in the frontier that was expanded.
    frontier: int
    #: ``"top-down"`` or ``"bottom-up"``.
    direction: str
    #: 0 with engine ``async``, whose levels overlap.
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
    #: Sending and waiting, slowest rank; None where words leave while their sender works on, and
    #: nobody told the two apart (engine ``tasks``; GPUs by one kernel or ``async``).
    milliseconds: float | None


@dataclass(frozen=True)
class BfsOverlap:
    """The exchange of one level (engine ``vector-queue``): in every stage each rank receives one
    other's frontier."""

    #: Bytes received in each stage, all ranks together.
    bytes_per_stage: list[int]
    #: What the copies took, summed over stages and ranks; None where nobody can tell (kernels that
    #: read a peer's memory).
    copy_milliseconds: float | None
    #: What computing waited for them, or did them itself, summed likewise.
    idle_milliseconds: float
    #: Bytes per second while copies ran, all ranks together; None like `copy_milliseconds`.
    throughput: float | None
    #: Share of the copies that computing did not wait for, 0 to 1; None likewise.
    hidden: float | None


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

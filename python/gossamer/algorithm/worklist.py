"""What a distributed worklist says of a run."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class WorklistCounters:
    """Work of all ranks together, counted."""

    #: Items worked on: vertices whose neighbours were offered a value.
    items: int
    #: … of them, for which that had been done before, with a worse value.
    repeated: int
    #: Items received that were no better than what was there.
    useless: int
    #: Arcs to other ranks along which nothing was sent, because the local copy of the value there
    #: was as good.
    filtered: int
    #: Items that crossed ranks.
    sent: int
    #: … and the bytes of their contents.
    bytes: int
    #: … and the puts that took them.
    parcels: int
    #: Items put off because their priority was beyond the threshold.
    deferred: int
    #: Times that the threshold moved.
    windows: int
    #: Rounds of termination detection.
    rounds: int
    #: Arcs looked at.
    arcs: int
    #: Items whose rows others relaxed, at least in part (balance ``steal``).
    stolen: int = 0
    #: Bytes of what was stolen.
    given_bytes: int = 0
    #: Of the arcs, those of the rank that looked at most; 0 on GPUs.
    most_arcs: int = 0

    @staticmethod
    def of(counted: tuple[int, ...] | None) -> WorklistCounters | None:
        """What the library counted; None of engines without a worklist."""
        return None if counted is None else WorklistCounters(*counted)

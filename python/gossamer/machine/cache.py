"""What calls keep for later ones: placements of graphs, and prepared searches."""

from __future__ import annotations

from dataclasses import dataclass

from gossamer import _gossamer


@dataclass(frozen=True)
class KeptEntry:
    """Something that a call left."""

    #: ``placement``, or the algorithm that was prepared: ``bfs``, ``sssp``, …
    kind: str
    #: Name of the graph.
    graph: str
    #: Spec of the machine.
    machine: str
    #: Bytes in each memory: ``host``, ``cuda:0``, …; what is the caller's own is not in it.
    bytes: dict[str, int]
    #: Calls that found it.
    uses: int
    #: A placed graph or a search that somebody holds: stays until that goes.
    in_use: bool


class Cache:
    """What is kept, the least recently used first; a snapshot.

    An algorithm that is handed a graph lays it out on its machine once. Later calls on the same
    graph and machine find that, and the same call finds its prepared search as well. It goes with
    the last reference to the graph or the machine, by :meth:`Graph.forget` or :meth:`clear`, and
    where a call needs the room. ``GOSSAMER_KEEP`` sets the most that is kept in each memory, 0
    keeps nothing; without it, three quarters of a GPU's memory and a quarter of the host's. What
    was counted in a graph alone (its longest row, its largest weight) is kept, too, takes next to
    nothing, and is not listed.
    """

    def __init__(self) -> None:
        self.entries = [
            KeptEntry(what.split("|", 1)[0], graph, machine, taken, uses, in_use)
            for graph, machine, what, taken, uses, in_use in _gossamer.kept_items()
            if machine
        ]

    @property
    def bytes(self) -> dict[str, int]:
        """Bytes in each memory."""
        sums: dict[str, int] = {}
        for entry in self.entries:
            for memory, taken in entry.bytes.items():
                sums[memory] = sums.get(memory, 0) + taken
        return sums

    def clear(self) -> None:
        """Drops all of it, here and for later calls; what is in use goes with its user."""
        _gossamer.forget_all()
        self.entries = []

    def __len__(self) -> int:
        return len(self.entries)

    def __repr__(self) -> str:
        if not self.entries:
            return "Cache: nothing is kept"
        lines = [f"Cache: {_sizes(self.bytes)}"]
        for e in self.entries:
            state = ", in use" if e.in_use else ""
            lines.append(
                f"  {e.kind} of {e.graph} on {e.machine}: {_sizes(e.bytes)}, "
                f"found {e.uses} times{state}"
            )
        return "\n".join(lines)


def _sizes(sums: dict[str, int]) -> str:
    return (
        ", ".join(f"{_gossamer.format_bytes(n)} ({memory})" for memory, n in sums.items())
        or "no bytes"
    )


def cache() -> Cache:
    """What is kept for later calls; print it, or empty it by :meth:`Cache.clear`."""
    return Cache()

"""The critical path of a run: what its end had to wait for, followed back to its beginning.

From the end of the slowest rank backwards: a rank's own work, until a wait that ended with
something from another rank; then the copy that brought it, if there was one, and on from where that
began, on the rank that sent it. What is shorter on the path makes the run shorter; what is not on
it does not.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from .file import Event
from .spans import Interval, Piece

#: ms: a copy that ends so shortly after the wait for it is what the wait was for. Clocks of a GPU
#: and of the host differ by as much.
_BLUR = 5e-3


@dataclass(frozen=True)
class PathPart:
    """What the critical path spent in one kind of event of one rank."""

    #: -1 for copies, which are nobody's.
    rank: int
    #: Of the event; ``"idle"`` where there is none, ``"copy 0 → 1"`` for copies, ``"signal"``
    #: from a copy's arrival, or a rank's sign, to the end of the wait for it.
    name: str
    milliseconds: float


class _Path:
    def __init__(
        self, pieces: Sequence[Sequence[Piece]], copies: Sequence[Event], frame: Interval
    ) -> None:
        self.frame = frame
        self.pieces = pieces
        self.begins = [[p.begin for p in mine] for mine in pieces]
        self.waits = [[p for p in mine if p.event.kind == "wait"] for mine in pieces]
        self.wait_ends = [[p.end for p in mine] for mine in self.waits]
        self.copies: dict[tuple[int, int], list[Event]] = defaultdict(list)
        for copy in sorted(copies, key=lambda c: c.end):
            self.copies[copy.source, copy.target].append(copy)
        self.copy_ends = {pair: [c.end for c in found] for pair, found in self.copies.items()}
        self.spent: dict[tuple[int, str], float] = defaultdict(float)

    def spend(self, rank: int, name: str, begin: float, end: float) -> None:
        time = min(end, self.frame[1]) - max(begin, self.frame[0])
        if time > 0:
            self.spent[rank, name] += time

    def work(self, rank: int, begin: float, end: float) -> None:
        """What the rank itself did between two moments."""
        at = begin
        for piece in self.pieces[rank][max(0, bisect_right(self.begins[rank], begin) - 1) :]:
            if piece.begin >= end:
                break
            if piece.end <= begin:
                continue
            self.spend(rank, "idle", at, max(at, piece.begin))
            at = min(piece.end, end)
            self.spend(rank, piece.event.name, max(piece.begin, begin), at)
        self.spend(rank, "idle", at, end)

    def wait_before(self, rank: int, time: float, strictly: bool) -> Piece | None:
        ends = self.wait_ends[rank]
        i = (bisect_left if strictly else bisect_right)(ends, time)
        return self.waits[rank][i - 1] if i > 0 else None

    def arrived(self, source: int, target: int, wait: Piece) -> Event | None:
        """The last copy that arrived during the wait."""
        pair = source, target
        i = bisect_right(self.copy_ends.get(pair, []), wait.end + _BLUR)
        if i == 0:
            return None
        copy = self.copies[pair][i - 1]
        return copy if copy.end >= wait.begin and copy.begin < wait.end else None

    def asleep(self, rank: int, time: float) -> Piece | None:
        """The wait in which the rank is at this moment."""
        i = bisect_left(self.wait_ends[rank], time)
        if i == len(self.waits[rank]):
            return None
        wait = self.waits[rank][i]
        return wait if wait.begin < time else None

    def follow(self, rank: int) -> None:
        time, jumped = self.frame[1], False
        while time > self.frame[0]:
            wait = self.wait_before(rank, time, jumped)
            if wait is None:
                self.work(rank, self.frame[0], time)
                return
            self.work(rank, wait.end, time)
            time, jumped = wait.end, False
            peer = wait.event.peer
            if not 0 <= peer < len(self.pieces) or peer == rank:
                self.spend(rank, wait.event.name, wait.begin, time)
                time = wait.begin
                continue
            copy = self.arrived(peer, rank, wait)
            if copy is not None:
                arrived = min(copy.end, time)
                self.spend(-1, f"copy {peer} → {rank}", copy.begin, arrived)
                self.spend(rank, "signal", arrived, time)
                rank, time = peer, copy.begin
                continue
            sleeps = self.asleep(peer, time)
            if sleeps is not None:  # it gave its sign before it went to sleep
                self.spend(peer, "signal", sleeps.begin, time)
                time = sleeps.begin
            rank, jumped = peer, True


def critical_path(
    pieces: Sequence[Sequence[Piece]], copies: Sequence[Event], frame: Interval, slowest: int
) -> list[PathPart]:
    """Parts of the path by rank and event, largest first; they add up to the frame.

    `pieces` of each rank's compute stream, `copies` between ranks, milliseconds.
    """
    path = _Path(pieces, copies, frame)
    path.follow(slowest)
    parts = [PathPart(rank, name, ms) for (rank, name), ms in path.spent.items()]
    return sorted(parts, key=lambda p: (-p.milliseconds, p.rank, p.name))

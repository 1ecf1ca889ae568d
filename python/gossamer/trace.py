"""Recording what runs do, reading it back, and what it adds up to.

    trace = gs.Trace()
    gs.bfs(graph, 0, machine="cpu:3", trace=trace)
    trace.write("bfs.json")                       # opens in https://ui.perfetto.dev
    trace.summary()[0].hidden, trace.summary()[0].links

Recording costs nothing when it is off.

*Hidden communication* = 1 - (time that compute streams idle for copies) / (sum of copy times). A
copy is counted for the rank that needs what it brings, its target, and once more for its source
where that does the copying itself (CPU ranks). A compute stream idles for a copy while it computes
nothing and one of its rank's copies is under way; work for the sake of peers is no computing.

The *critical path* of a run is what its end had to wait for, followed back to its beginning. From
the end of the slowest rank backwards: a rank's own work, until a wait that ended with something
from another rank; then the copy that brought it, if there was one, and on from where that began, on
the rank that sent it. What is shorter on the path makes the run shorter; what is not on it does
not.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gossamer import _gossamer
from gossamer.arguments import instance, integer, path_text
from gossamer.documents import Document
from gossamer.errors import InputError, UsageError

_FORMAT = "gossamer trace 1"
_KINDS = ("run", "level", "compute", "exchange", "copy", "wait")


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that took time. Milliseconds since the first event of the trace."""

    name: str
    #: ``"run"``, ``"level"``, ``"compute"``, ``"exchange"`` (work for the sake of peers),
    #: ``"copy"`` or ``"wait"``.
    kind: str
    begin: float
    end: float
    rank: int
    run: int
    thread: int
    #: None outside of levels.
    level: int | None = None
    #: Copies: bytes, and the ranks between which they went.
    bytes: int = 0
    source: int = -1
    target: int = -1
    #: Waits: the rank that was waited for, -1 = any.
    peer: int = -1
    #: Levels: vertices in the frontier.
    frontier: int = 0

    @property
    def milliseconds(self) -> float:
        return self.end - self.begin


@dataclass(frozen=True)
class TraceFile:
    """What a trace holds: its events, and what it says of the machine and the runs."""

    #: The file's path, or another name for errors.
    name: str
    events: list[Event]
    machine: str
    fabric: str
    #: ``"wall"`` or ``"virtual"``.
    clock: str
    #: Events that had no room.
    dropped: int
    #: By rank: the threads of the trace that are its compute stream.
    compute_threads: list[frozenset[int]]
    #: (source, target): bytes per second in one direction, None where nobody knows.
    bandwidths: dict[tuple[int, int], float | None]
    #: As the algorithm described them: run, algorithm, milliseconds, and more.
    runs: list[dict[str, Any]]

    def __repr__(self) -> str:
        return (
            f"TraceFile({self.name!r}, {len(self.events)} events, {len(self.runs)} run(s) on "
            f"{self.machine!r})"
        )


class _Reader(Document):
    def document(self, root: Any) -> TraceFile:
        about = root.get("otherData") if isinstance(root, dict) else None
        if not isinstance(about, dict) or about.get("format") != _FORMAT:
            self.fail("not a trace of gossamer (otherData names no format, or another version)")
        listed = self.field(root, "traceEvents", list, "trace")
        ranks = self.field(about, "ranks", list, "otherData")
        events = [
            self.event(e, f"event {i}", len(ranks))
            for i, e in enumerate(listed)
            if self.field(e, "ph", str, f"event {i}") == "X"
        ]
        return TraceFile(
            self.name,
            events,
            self.field(about, "machine", str, "otherData"),
            self.field(about, "fabric", str, "otherData"),
            self.field(about, "clock", str, "otherData"),
            self.field(about, "dropped", int, "otherData"),
            [self.threads(r) for r in ranks],
            dict(self.link(x) for x in self.field(about, "links", list, "otherData")),
            [self.run(x) for x in self.field(about, "runs", list, "otherData")],
        )

    def event(self, e: dict[str, Any], where: str, ranks: int) -> Event:
        kind = self.field(e, "cat", str, where)
        if kind not in _KINDS:
            self.fail(f"{where}: {kind!r:.60} is no kind of event")
        args = self.field(e, "args", dict, where)
        begin = self.number(e, "ts", where)

        def whole(key: str) -> int:
            return self.whole(args, key, where)

        def peer(key: str) -> int:
            found = whole(key)
            if not -1 <= found < ranks:
                self.fail(f"{where}: there is no rank {found}")
            return found

        rank = whole("rank")
        if not 0 <= rank < ranks:
            self.fail(f"{where}: there is no rank {rank}")
        copy = kind == "copy"
        return Event(
            self.field(e, "name", str, where),
            kind,
            1e-3 * begin,
            1e-3 * (begin + self.number(e, "dur", where)),
            rank,
            whole("run"),
            self.field(e, "tid", int, where),
            whole("level") if "level" in args else None,
            whole("bytes") if copy else 0,
            peer("from") if copy else -1,
            peer("to") if copy else -1,
            peer("for") if kind == "wait" else -1,
            whole("frontier") if kind == "level" else 0,
        )

    def whole(self, of: Any, key: str, where: str) -> int:
        """A member that counts, numbers or is -1 for none."""
        found = int(self.field(of, key, int, where))
        if not -1 <= found < 1 << 62:
            self.fail(f"{where}: '{key}' is out of range")
        return found

    def threads(self, of: Any) -> frozenset[int]:
        listed = self.field(of, "compute_threads", list, "otherData")
        if not all(isinstance(one, int) for one in listed):
            self.fail("otherData: 'compute_threads' are no numbers")
        return frozenset(listed)

    def link(self, of: Any) -> tuple[tuple[int, int], float | None]:
        pair = (self.field(of, "from", int, "links"), self.field(of, "to", int, "links"))
        known = of.get("bandwidth") is not None
        return pair, self.number(of, "bandwidth", "links") if known else None

    def run(self, of: Any) -> dict[str, Any]:
        self.whole(of, "run", "runs")
        self.field(of, "algorithm", str, "runs")
        self.number(of, "milliseconds", "runs")
        return dict(of)


def read_trace(path: str | Path) -> TraceFile:
    """Reads a trace written by ``gossamer … --trace`` or :meth:`Trace.write`.

    InputError, naming the file and what is wrong, for anything else.
    """
    reader = _Reader(path_text(path, "read_trace: path"))
    return reader.document(reader.read("a trace"))


def parse_trace(text: str | bytes, name: str = "trace") -> TraceFile:
    """The same from its text; `name` stands for the file in errors."""
    reader = _Reader(name)
    return reader.document(reader.parse(text))


def trace_of(root: Any, name: str) -> TraceFile:
    """The same from the JSON value that its text is."""
    return _Reader(name).document(root)


#: (begin, end).
Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of time that belongs to one event: the innermost one there."""

    begin: float
    end: float
    event: Event


def union(of: Iterable[Interval]) -> list[Interval]:
    """Disjoint, in order."""
    out: list[Interval] = []
    for begin, end in sorted(of):
        if end <= begin:
            continue
        if out and begin <= out[-1][1]:
            if end > out[-1][1]:
                out[-1] = (out[-1][0], end)
        else:
            out.append((begin, end))
    return out


def length(of: Iterable[Interval]) -> float:
    """Of disjoint intervals."""
    return sum(end - begin for begin, end in of)


def clip(of: Iterable[Interval], within: Interval) -> list[Interval]:
    """What of each lies within."""
    low, high = within
    return [(max(b, low), min(e, high)) for b, e in of if b < high and e > low]


def complement(of: Sequence[Interval], within: Interval) -> list[Interval]:
    """What of `within` disjoint intervals in order leave out."""
    out: list[Interval] = []
    at, high = within
    for begin, end in of:
        if begin > at:
            out.append((at, min(begin, high)))
        at = max(at, end)
    if at < high:
        out.append((at, high))
    return [(b, e) for b, e in out if e > b]


def intersection(a: Sequence[Interval], b: Sequence[Interval]) -> list[Interval]:
    """Times in both of two lists of disjoint intervals in order."""
    i = j = 0
    out: list[Interval] = []
    while i < len(a) and j < len(b):
        begin, end = max(a[i][0], b[j][0]), min(a[i][1], b[j][1])
        if end > begin:
            out.append((begin, end))
        if a[i][1] < b[j][1]:
            i += 1
        else:
            j += 1
    return out


def overlap(a: Sequence[Interval], b: Sequence[Interval]) -> float:
    """How long these times are."""
    return length(intersection(a, b))


def pieces(events: Iterable[Event], within: Interval) -> list[Piece]:
    """The innermost event of each moment, clipped to `within`, in order. Events are nested."""
    out: list[Piece] = []
    open_events: list[Event] = []
    at = within[0]

    def until(end: float, event: Event) -> None:
        nonlocal at
        end = min(end, within[1])
        if end > at:
            out.append(Piece(at, end, event))
            at = end

    for event in sorted(events, key=lambda e: (e.begin, -e.end)):
        while open_events and open_events[-1].end <= event.begin:
            inner = open_events.pop()
            until(inner.end, inner)
        if open_events:
            until(event.begin, open_events[-1])
        at = max(at, min(event.begin, within[1]))
        open_events.append(event)
    while open_events:
        inner = open_events.pop()
        until(inner.end, inner)
    return out


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


@dataclass(frozen=True)
class RankSums:
    """One rank's compute stream: what it did, waited and idled is the run's time."""

    rank: int
    compute: float
    #: Work for the sake of peers: packing, starting copies, agreeing.
    exchange: float
    #: Copies that the compute stream does itself.
    copy: float
    wait: float
    idle: float
    #: Milliseconds of `compute` and `exchange` by name of the event.
    by_name: dict[str, float]

    @property
    def busy(self) -> float:
        return self.compute + self.exchange + self.copy

    @property
    def total(self) -> float:
        return self.busy + self.wait + self.idle


@dataclass(frozen=True)
class LinkSums:
    """What went from one rank to another."""

    source: int
    target: int
    copies: int
    bytes: int
    #: Milliseconds in which at least one copy was under way.
    busy: float
    #: Bytes per second while it was busy, and over the whole run.
    rate: float
    mean_rate: float
    #: Bytes per second that the link is made for; None where the machine does not know.
    bandwidth: float | None

    @property
    def use(self) -> float | None:
        """Share of the bandwidth over the whole run."""
        return None if self.bandwidth is None else self.mean_rate / self.bandwidth

    @property
    def use_while_busy(self) -> float | None:
        """Share of the bandwidth while copies were under way."""
        return None if self.bandwidth is None else self.rate / self.bandwidth


@dataclass(frozen=True)
class LevelSums:
    """One level; None stands for what lies outside of levels."""

    level: int | None
    name: str
    frontier: int
    #: Slowest rank.
    milliseconds: float
    bytes: int
    #: Sum over copies, as hidden communication counts them.
    copying: float
    #: Of that: time that compute streams idled meanwhile.
    idle_for_copies: float

    @property
    def hidden(self) -> float | None:
        return None if self.copying == 0 else 1 - self.idle_for_copies / self.copying


@dataclass(frozen=True)
class RunSums:
    """One run of an algorithm. Times are milliseconds."""

    run: int
    algorithm: str
    #: As the algorithm measured it.
    milliseconds: float
    #: The same by the trace: what the slowest rank's run lasted.
    traced: float
    slowest: int
    ranks: list[RankSums]
    links: list[LinkSums]
    levels: list[LevelSums]
    copying: float
    idle_for_copies: float
    path: list[PathPart]
    #: What ran, and the source's index; empty and None where the trace says neither.
    engine: str = ""
    source: int | None = None

    @property
    def hidden(self) -> float | None:
        """Share of the communication that was hidden; None without communication."""
        return None if self.copying == 0 else 1 - self.idle_for_copies / self.copying


class RunEvents:
    """Events of one run. Ranks neither begin nor end together: times that are added up or compared
    are clipped to the slowest rank's run, counts and bytes are of all events."""

    def __init__(self, trace: TraceFile, number: int) -> None:
        self.trace = trace
        self.number = number
        self.size = len(trace.compute_threads)
        events = [e for e in trace.events if e.run == number]
        whole = [e for e in events if e.kind == "run"]
        if not whole:
            raise InputError(
                f"{trace.name}: run {number} has no event that says how long it lasted"
            )
        slowest = max(whole, key=lambda e: (e.milliseconds, -e.rank))
        self.slowest = slowest.rank
        self.frame: Interval = (slowest.begin, slowest.end)
        self.copies = [e for e in events if e.kind == "copy"]
        self.level_events = [e for e in events if e.kind == "level"]
        self.extents = self.extent_of_levels(events)
        mine: list[list[Event]] = [[] for _ in range(self.size)]
        for e in events:
            if e.kind not in ("run", "level") and self.computes(e):
                mine[e.rank].append(e)
        self.pieces = [pieces(own, self.frame) for own in mine]
        self.not_computing = [
            complement(
                union((p.begin, p.end) for p in found if p.event.kind == "compute"), self.frame
            )
            for found in self.pieces
        ]

    @staticmethod
    def extent_of_levels(events: Sequence[Event]) -> dict[int, float]:
        """By level: from its first event to its last, on the slowest rank. Kernels that run all
        levels tell them by their phases alone."""
        extents: dict[tuple[int, int], Interval] = {}
        for e in events:
            if e.level is not None:
                begin, end = extents.get((e.level, e.rank), (e.begin, e.end))
                extents[e.level, e.rank] = (min(begin, e.begin), max(end, e.end))
        slowest: dict[int, float] = {}
        for (level, _), (begin, end) in extents.items():
            slowest[level] = max(slowest.get(level, 0.0), end - begin)
        return slowest

    def computes(self, e: Event) -> bool:
        """Whether it took place on its rank's compute stream."""
        return e.thread in self.trace.compute_threads[e.rank]

    @property
    def milliseconds(self) -> float:
        return self.frame[1] - self.frame[0]

    def rank(self, number: int) -> RankSums:
        spent = {"compute": 0.0, "exchange": 0.0, "copy": 0.0, "wait": 0.0}
        by_name: dict[str, float] = defaultdict(float)
        for p in self.pieces[number]:
            spent[p.event.kind] += p.end - p.begin
            if p.event.kind in ("compute", "exchange"):
                by_name[p.event.name] += p.end - p.begin
        idle = max(0.0, self.milliseconds - sum(spent.values()))
        return RankSums(number, **spent, idle=idle, by_name=dict(by_name))

    def copy_times(self, copies: Sequence[Event]) -> list[list[Interval]]:
        """By rank: when its copies were under way, as hidden communication counts them."""
        of_rank: list[list[Interval]] = [[] for _ in range(self.size)]
        for c in copies:
            times = clip([(c.begin, c.end)], self.frame)
            of_rank[c.target] += times
            if c.source == c.rank and self.computes(c) and c.source != c.target:
                of_rank[c.source] += times
        return of_rank

    def hiding(self, copies: Sequence[Event]) -> tuple[float, float]:
        """(sum of copy times, time that compute streams idle meanwhile)."""
        of_rank = self.copy_times(copies)
        copying = sum(length(times) for times in of_rank)
        idle = sum(overlap(union(times), self.not_computing[r]) for r, times in enumerate(of_rank))
        return copying, idle

    def links(self) -> list[LinkSums]:
        found: dict[tuple[int, int], list[Event]] = defaultdict(list)
        for c in self.copies:
            found[c.source, c.target].append(c)
        out = []
        for pair, copies in sorted(found.items()):
            sent = sum(c.bytes for c in copies)
            busy = length(union((c.begin, c.end) for c in copies))
            out.append(
                LinkSums(
                    *pair, len(copies), sent, busy,
                    1e3 * sent / busy if busy > 0 else 0.0,
                    1e3 * sent / self.milliseconds if self.milliseconds > 0 else 0.0,
                    self.trace.bandwidths.get(pair),
                )
            )  # fmt: skip
        return out

    def time_of(self, level: int | None, events: Sequence[Event]) -> float:
        if events:
            return max(e.milliseconds for e in events)
        return 0.0 if level is None else self.extents[level]

    def levels(self) -> list[LevelSums]:
        copies: dict[int | None, list[Event]] = defaultdict(list)
        for c in self.copies:
            copies[c.level].append(c)
        events: dict[int | None, list[Event]] = defaultdict(list)
        for e in self.level_events:
            events[e.level].append(e)
        order = sorted(
            {*copies, *events, *self.extents}, key=lambda level: (level is None, level or 0)
        )
        out = []
        for level in order:
            copying, idle = self.hiding(copies[level])
            first = events[level][0] if events[level] else None
            out.append(
                LevelSums(
                    level,
                    first.name if first else "",
                    first.frontier if first else 0,
                    self.time_of(level, events[level]),
                    sum(c.bytes for c in copies[level]),
                    copying,
                    idle,
                )
            )
        return out


def _sum(trace: TraceFile, described: dict[str, object]) -> RunSums:
    number = int(str(described["run"]))
    run = RunEvents(trace, number)
    copying, idle = run.hiding(run.copies)
    between = [c for c in run.copies if c.source != c.target]
    return RunSums(
        number,
        str(described["algorithm"]),
        float(str(described["milliseconds"])),
        run.milliseconds,
        run.slowest,
        [run.rank(r) for r in range(run.size)],
        run.links(),
        run.levels(),
        copying,
        idle,
        critical_path(run.pieces, between, run.frame, run.slowest),
        str(described.get("engine", "")),
        source if isinstance(source := described.get("source"), int) else None,
    )


def sum_runs(trace: TraceFile) -> list[RunSums]:
    """Every run that its algorithm described, in order. InputError when there is none."""
    instance(trace, TraceFile, "sum_runs: trace")
    if not trace.runs:
        raise InputError(f"{trace.name}: no run in it has ended")
    return [_sum(trace, described) for described in trace.runs]


class Trace:
    """Events of any number of runs of one machine.

    events: how many one run may have, all ranks together (48 bytes each; a rank has room for its
    share, 256 to 262,144). What has no room is counted in `dropped`.
    """

    def __init__(self, events: int = 1 << 20) -> None:
        if integer(events, "Trace: events", 1 << 32) < 1:
            raise UsageError("Trace: events is not positive")
        self._handle = _gossamer.Timeline(events)

    @property
    def events(self) -> int:
        """Events recorded so far, of all ranks."""
        return self._handle.events

    @property
    def dropped(self) -> int:
        """Events that had no room."""
        return self._handle.dropped

    def json(self) -> str:
        """Chrome's trace event format. UsageError when nothing was recorded."""
        return self._handle.json()

    def write(self, path: str | Path) -> None:
        """That text into a file, whole or not at all. UsageError for a path that cannot be written,
        Error when writing failed."""
        self._handle.write(path_text(path, "Trace.write: path"))

    def parsed(self) -> TraceFile:
        """The events, as :func:`read_trace` gives those of a file."""
        return parse_trace(self.json())

    def summary(self) -> list[RunSums]:
        """What the events of each run add up to."""
        return sum_runs(self.parsed())

    def __repr__(self) -> str:
        return f"Trace({self.events} events, {self.dropped} dropped)"


def recorder(trace: Trace | None) -> _gossamer.Timeline | None:
    """What the bindings take for a `trace` argument."""
    if trace is None:
        return None
    if not isinstance(trace, Trace):
        raise UsageError(f"trace: a gossamer.Trace is needed, not {type(trace).__name__}")
    return trace._handle

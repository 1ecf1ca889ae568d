"""What a trace adds up to: time by rank, hidden communication, links, levels, the critical path.

*Hidden communication* = 1 - (time that compute streams idle for copies) / (sum of copy times). A
copy is counted for the rank that needs what it brings, its target, and once more for its source
where that does the copying itself (CPU ranks). A compute stream idles for a copy while it computes
nothing and one of its rank's copies is under way; work for the sake of peers is no computing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from gossamer.arguments import instance
from gossamer.errors import InputError

from .file import Event, TraceFile
from .path import critical_path
from .results import LevelSums, LinkSums, RankSums, RunSums
from .spans import Interval, clip, complement, length, overlap, pieces, union


class _Run:
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

    def hiding(self, copies: Sequence[Event]) -> tuple[float, float]:
        """(sum of copy times, time that compute streams idle meanwhile)."""
        of_rank: list[list[Interval]] = [[] for _ in range(self.size)]
        for c in copies:
            times = clip([(c.begin, c.end)], self.frame)
            of_rank[c.target] += times
            if c.source == c.rank and self.computes(c) and c.source != c.target:
                of_rank[c.source] += times
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
    run = _Run(trace, number)
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
    )


def sum_runs(trace: TraceFile) -> list[RunSums]:
    """Every run that its algorithm described, in order. InputError when there is none."""
    instance(trace, TraceFile, "sum_runs: trace")
    if not trace.runs:
        raise InputError(f"{trace.name}: no run in it has ended")
    return [_sum(trace, described) for described in trace.runs]

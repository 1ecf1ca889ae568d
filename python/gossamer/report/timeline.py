"""What each rank did when, and which of its copies hid behind computing, as bands to draw."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from gossamer.trace import Interval, RunEvents, TraceFile, complement, intersection, union

#: What a page shows of one run: more are lines thinner than a pixel, and a page that opens slowly.
MOST_RANKS = 64
_MOST_BANDS = 20_000

#: Kinds of copies' time.
HIDDEN, EXPOSED = "copies behind computing", "copies without computing"


@dataclass(frozen=True, slots=True)
class Band:
    """A stretch of one kind. Milliseconds since the run's begin."""

    begin: float
    end: float
    kind: str
    #: Of the event; empty where a band stands for several.
    name: str = ""


@dataclass(frozen=True)
class Timeline:
    """Of one run, by rank."""

    milliseconds: float
    streams: list[list[Band]]
    copies: list[list[Band]]
    #: Whether each band of `streams` or `copies` stands for what took most of its time.
    thinned: bool


def thin(bands: list[Band], milliseconds: float, columns: int) -> list[Band]:
    """At most so many bands: where there are more, columns of time, each of the kind that took most
    of it. What is idle for most of a column is left out of it."""
    if len(bands) <= columns:
        return bands
    width = milliseconds / columns
    spent: list[dict[str, float]] = [defaultdict(float) for _ in range(columns)]
    for band in bands:
        for column in range(int(band.begin / width), columns):
            low, high = column * width, (column + 1) * width
            if low >= band.end:
                break
            spent[column][band.kind] += max(0.0, min(high, band.end) - max(low, band.begin))
    out: list[Band] = []
    for column, kinds in enumerate(spent):
        kinds[""] = width - sum(kinds.values())
        kind = max(kinds, key=lambda of: kinds[of])
        low, high = column * width, (column + 1) * width
        if kind and out and out[-1].kind == kind and out[-1].end == low:
            out[-1] = Band(out[-1].begin, high, kind)
        elif kind:
            out.append(Band(low, high, kind))
    return out


def timeline(trace: TraceFile, number: int) -> Timeline:
    """Of the first ranks of a run."""
    run = RunEvents(trace, number)
    begin = run.frame[0]
    ranks = min(run.size, MOST_RANKS)
    columns = _MOST_BANDS // (2 * ranks)
    streams = [
        [Band(p.begin - begin, p.end - begin, p.event.kind, p.event.name) for p in run.pieces[rank]]
        for rank in range(ranks)
    ]

    def of(times: Iterable[Interval], kind: str) -> list[Band]:
        return [Band(low - begin, high - begin, kind) for low, high in times]

    copies = []
    for rank, times in enumerate(run.copy_times(run.copies)[:ranks]):
        under_way, idle = union(times), run.not_computing[rank]
        hidden = of(intersection(under_way, complement(idle, run.frame)), HIDDEN)
        exposed = of(intersection(under_way, idle), EXPOSED)
        copies.append(sorted(hidden + exposed, key=lambda band: band.begin))
    whole = run.milliseconds
    return Timeline(
        whole,
        [thin(bands, whole, columns) for bands in streams],
        [thin(bands, whole, columns) for bands in copies],
        any(len(bands) > columns for bands in streams + copies),
    )

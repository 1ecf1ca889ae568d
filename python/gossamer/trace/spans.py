"""Intervals of time, and events of one thread taken apart into pieces that do not overlap."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .file import Event

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


def overlap(a: Sequence[Interval], b: Sequence[Interval]) -> float:
    """Time in both of two lists of disjoint intervals in order."""
    i = j = 0
    total = 0.0
    while i < len(a) and j < len(b):
        total += max(0.0, min(a[i][1], b[j][1]) - max(a[i][0], b[j][0]))
        if a[i][1] < b[j][1]:
            i += 1
        else:
            j += 1
    return total


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

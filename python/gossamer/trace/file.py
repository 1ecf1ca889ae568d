"""Traces as files: Chrome's trace event format, read back and checked."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from gossamer import _gossamer
from gossamer.arguments import path_text
from gossamer.errors import InputError

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


class _Reader:
    def __init__(self, name: str) -> None:
        self.name = name

    def fail(self, reason: str) -> NoReturn:
        raise InputError(f"{self.name}: {reason}")

    def field(self, of: Any, key: str, kind: type | tuple[type, ...], where: str) -> Any:
        """A member of a JSON object, of the type that it has to have."""
        value = of.get(key) if isinstance(of, dict) else None
        if not isinstance(value, kind) or isinstance(value, bool):
            self.fail(f"{where}: '{key}' is missing or of another type")
        return value

    def number(self, of: Any, key: str, where: str) -> float:
        value = self.field(of, key, (int, float), where)
        if not 0 <= value < 1e300:
            self.fail(f"{where}: '{key}' is no time or rate")
        return float(value)

    def document(self, text: str | bytes) -> TraceFile:
        try:
            root = json.loads(text)
        except (ValueError, RecursionError) as error:
            self.fail(f"no JSON: {error}")
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
            self.fail(f"{where}: '{kind}' is no kind of event")
        args = self.field(e, "args", dict, where)
        begin = self.number(e, "ts", where)

        def whole(key: str) -> int:
            found = int(self.field(args, key, int, where))
            if not -1 <= found < 1 << 62:
                self.fail(f"{where}: '{key}' is {found}")
            return found

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
        self.field(of, "run", int, "runs")
        self.field(of, "algorithm", str, "runs")
        self.number(of, "milliseconds", "runs")
        return dict(of)


def read_trace(path: str | Path) -> TraceFile:
    """Reads a trace written by ``gossamer … --trace`` or :meth:`Trace.write`.

    InputError, naming the file and what is wrong, for anything else.
    """
    name = path_text(path, "read_trace: path")
    # What JSON becomes in memory is several times as long.
    most = _gossamer.host_memory()[0] // 8
    return parse_trace(_gossamer.read_text(name, "a trace", most), name)


def parse_trace(text: str | bytes, name: str = "trace") -> TraceFile:
    """The same from its text; `name` stands for the file in errors."""
    return _Reader(name).document(text)

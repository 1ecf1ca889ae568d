"""Traces as they are recorded: events of any number of runs, and the file they become."""

from __future__ import annotations

from pathlib import Path

from gossamer import _gossamer
from gossamer.arguments import integer, path_text
from gossamer.errors import UsageError

from .file import TraceFile, parse_trace
from .results import RunSums
from .sums import sum_runs


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

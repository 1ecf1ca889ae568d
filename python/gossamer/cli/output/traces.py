"""The option --trace of commands that run algorithms."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import typer

from gossamer import _gossamer
from gossamer.cli import options
from gossamer.machine import Machine
from gossamer.trace import Trace

from .progress import progress
from .report import Report

TraceOption = Annotated[
    Path | None,
    typer.Option(
        "--trace", metavar="FILE", help="Record every run, for Perfetto and `gossamer trace`."
    ),
]


@dataclass
class TraceOutput:
    """A trace that is written when all runs have ended; nothing when no file was asked for."""

    path: Path | None
    recording: Trace | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        if self.path is not None:
            options.check_output_path(self.path, "--trace ")
            self.recording = Trace()

    def plan(self, where: Machine) -> list[dict[str, object]]:
        """What recording takes, as entries of a plan."""
        if self.path is None:
            return []
        each = _gossamer.trace_bytes(where._handle, 1 << 20)
        return [
            {
                "device": "host",
                "purpose": f"--trace: events of {where.size} rank(s)",
                "bytes": each * where.size,
                "certainty": "exact",
            }
        ]

    def write(self, report: Report, where: Machine) -> None:
        if self.path is None or self.recording is None:
            return
        if where.here():
            with progress(f"writing {self.path.name}"):
                self.recording.write(self.path)
        dropped = self.recording.dropped
        lost = f", {dropped:,} more had no room" if dropped else ""
        report.line(f"wrote {self.path} ({self.recording.events:,} events{lost})")

"""What commands write beside their report: arrays of every source, and traces."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from gossamer import _gossamer
from gossamer.cli import options
from gossamer.errors import CapacityError
from gossamer.graph import Graph
from gossamer.machine import Machine
from gossamer.trace import Trace

from .progress import progress
from .report import Report, format_bytes
from .results import write_results


def plain_names(names: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Names of vertices as files have them: without objects, which would need pickle."""
    return names if names.dtype.kind == "i" else names.astype(str)


class SearchOutput:
    """Arrays of every source, [sources, vertices], written at the end as one file.

    `kinds`: types of the arrays, by their names in results; `what`: the same in words.
    CapacityError when they do not fit `memory`, or else this host.
    """

    def __init__(
        self,
        path: Path,
        graph: Graph,
        sources: list[int],
        kinds: dict[str, Any],
        what: str,
        memory: int | None,
    ) -> None:
        self._path = path
        self._graph = graph
        self._sources = sources
        shape = (len(sources), graph.vertices)
        need = shape[0] * shape[1] * sum(np.dtype(kind).itemsize for kind in kinds.values())
        limit = memory or _gossamer.host_memory()[0]
        if need > limit:
            raise CapacityError(
                f"--output: {what} of {shape[0]} sources need {format_bytes(need)}, the limit is "
                f"{format_bytes(limit)}"
            )
        self._arrays: dict[str, npt.NDArray[Any]] = {
            name: np.empty(shape, kind) for name, kind in kinds.items()
        }

    def keep(self, number: int, result: object) -> None:
        """Copies the result of a source, which is given by its number."""
        for name, array in self._arrays.items():
            array[number] = getattr(result, name)

    def write(self, file: IO[bytes]) -> None:
        sources = np.asarray(self._sources, np.int64)
        # Files have distances as they were found, under the plain name.
        found = {name.removeprefix("raw_"): array for name, array in self._arrays.items()}
        write_results(file, self._path, plain_names(self._graph.names), found, sources)


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

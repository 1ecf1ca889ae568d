"""The file that `gossamer bfs --output` writes: parents and depths of every source."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from gossamer import _gossamer
from gossamer.algorithm.bfs import BfsResult
from gossamer.cli.output.report import format_bytes, write_whole
from gossamer.errors import CapacityError
from gossamer.graph import Graph

#: Bytes of a parent and a depth.
OUTPUT_BYTES = 8 + 4


@dataclass
class SearchOutput:
    """Parents and depths of every source, written at the end as one .npz file."""

    path: Path
    graph: Graph
    sources: list[int]
    memory: int | None
    parents: npt.NDArray[np.int64] | None = None
    depths: npt.NDArray[np.int32] | None = None

    def prepare(self) -> None:
        shape = (len(self.sources), self.graph.vertices)
        need = shape[0] * shape[1] * OUTPUT_BYTES
        limit = self.memory or _gossamer.host_memory()[0]
        if need > limit:
            raise CapacityError(
                f"--output: parents and depths of {shape[0]} sources need {format_bytes(need)}, "
                f"the limit is {format_bytes(limit)}"
            )
        self.parents = np.empty(shape, np.int64)
        self.depths = np.empty(shape, np.int32)

    def keep(self, i: int, result: BfsResult) -> None:
        assert self.parents is not None and self.depths is not None
        self.parents[i] = result.parents
        self.depths[i] = result.depths

    def write(self) -> None:
        assert self.parents is not None and self.depths is not None
        with write_whole(self.path) as file:
            np.savez(
                file,
                sources=np.asarray(self.sources, np.int64),
                parents=self.parents,
                depths=self.depths,
                names=self.graph.names,
            )

"""The file that --output of searches names: what every source gave each vertex."""

from __future__ import annotations

from typing import IO, Any

import numpy as np
import numpy.typing as npt

from gossamer import _gossamer
from gossamer.errors import CapacityError
from gossamer.graph import Graph

from .report import format_bytes


class SearchOutput:
    """Arrays of every source, [sources, vertices], written at the end as one .npz file.

    `kinds`: types of the arrays, by their names in results; `what`: the same in words.
    CapacityError when they do not fit `memory`, or else this host.
    """

    def __init__(
        self,
        graph: Graph,
        sources: list[int],
        kinds: dict[str, Any],
        what: str,
        memory: int | None,
    ) -> None:
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
        arrays: dict[str, Any] = {"sources": sources, **self._arrays, "names": self._graph.names}
        np.savez(file, **arrays)

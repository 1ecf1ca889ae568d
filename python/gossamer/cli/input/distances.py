"""Files of distances: what `gossamer sssp --output` writes, and what --verify-with reads (of other
commands, too)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from gossamer import _gossamer
from gossamer.algorithm.sssp import SsspResult
from gossamer.algorithm.sssp.distances import UNREACHED, distance_type
from gossamer.cli.output.report import format_bytes, write_whole
from gossamer.errors import CapacityError, InputError
from gossamer.graph import Graph

from .numbers import as_doubles, read_numbers


@dataclass
class DistanceOutput:
    """Distances, and parents, of every source, written at the end as one .npz file."""

    path: Path
    graph: Graph
    sources: list[int]
    with_parents: bool
    memory: int | None
    distances: npt.NDArray[Any] | None = None
    parents: npt.NDArray[np.int64] | None = None

    def prepare(self) -> None:
        """Takes the memory, or refuses to."""
        kind = distance_type(self.graph)
        shape = (len(self.sources), self.graph.vertices)
        need = shape[0] * shape[1] * (kind.itemsize + (8 if self.with_parents else 0))
        limit = self.memory or _gossamer.host_memory()[0]
        if need > limit:
            raise CapacityError(
                f"--output: distances of {shape[0]} sources need {format_bytes(need)}, the limit "
                f"is {format_bytes(limit)}"
            )
        self.distances = np.empty(shape, kind)
        if self.with_parents:
            self.parents = np.empty(shape, np.int64)

    def keep(self, i: int, result: SsspResult) -> None:
        """Copies the i-th source's result."""
        assert self.distances is not None
        self.distances[i] = result.distances
        if self.parents is not None and result.parents is not None:
            self.parents[i] = result.parents

    def write(self) -> None:
        """Writes the file."""
        assert self.distances is not None
        arrays: dict[str, Any] = {
            "sources": np.asarray(self.sources, np.int64),
            "distances": self.distances,
            "names": self.graph.names,
        }
        if self.parents is not None:
            arrays["parents"] = self.parents
        with write_whole(self.path) as file:
            np.savez(file, **arrays)


def read_vertex_numbers(path: Path, name: str) -> npt.NDArray[Any]:
    """One number a vertex, from a file as `read_numbers` takes it."""
    numbers = read_numbers(path, name)
    if numbers.dtype.kind == "b":
        raise InputError(f"{path}: {name} are numbers, not {numbers.dtype}")
    return numbers


def read_distances(path: Path, name: str = "distances") -> npt.NDArray[np.float64]:
    """One distance a vertex, from a file as above (``inf``, or 4294967295 among integers: not
    reached; of `depths` -1, too); InputError for what is none."""
    values = read_vertex_numbers(path, name)
    if values.dtype.kind == "f" and bool(np.any(np.isnan(values) | (values == -np.inf))):
        raise InputError(f"{path}: nan and -inf are no {name}")
    whole = values.dtype.kind == "u" or bool(np.all(values[np.isfinite(values)] % 1 == 0))
    result = as_doubles(path, values)
    if whole:
        result[result == float(UNREACHED)] = np.inf
    if name == "depths":
        result[result == -1] = np.inf
    return result

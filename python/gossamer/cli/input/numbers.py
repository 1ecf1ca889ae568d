"""Files of one number a row or vertex: NumPy's, Matrix Market's, or text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from gossamer import _gossamer
from gossamer.algorithm.sssp import UNREACHED
from gossamer.arguments import path_text
from gossamer.cli.options import check_input_path
from gossamer.errors import InputError
from gossamer.graph import Graph

Numbers = npt.NDArray[Any]

#: The largest integer below which doubles hold every one.
_EXACT = 1 << 53


def read_numbers(path: Path, name: str) -> Numbers:
    """A row of numbers, of the type that the file has them in: .npz with an array of that name,
    .npy, a Matrix Market vector, or numbers separated by blanks or line ends, compressed or not.

    InputError names the file, and the line of text or the byte; CapacityError for more than fits;
    UsageError when the command would replace the file. Numbers may lie in the mapped file.
    """
    check_input_path(path)
    numbers, kind = _gossamer.read_numbers(path_text(path, name), name)
    found: Numbers = numbers.view(np.dtype(kind))
    return found


def as_doubles(path: Path, values: Numbers) -> npt.NDArray[np.float64]:
    """As float64; InputError for integers that it cannot hold."""
    if values.dtype.kind in "iu" and values.dtype.itemsize == 8:
        large = np.flatnonzero((values > _EXACT) | (values < -_EXACT))
        if large.size:
            at = int(large[0])
            raise InputError(f"{path}: number {at + 1}, {values[at]}, is too large to be exact")
    doubles: npt.NDArray[np.float64] = values.astype(np.float64)
    return doubles


def read_vector(path: Path, name: str) -> npt.NDArray[np.float64]:
    """A vector of finite numbers."""
    vector = as_doubles(path, read_numbers(path, name))
    strange = np.flatnonzero(~np.isfinite(vector))
    if strange.size:
        at = int(strange[0])
        raise InputError(f"{path}: number {at + 1} is {vector[at]}")
    return vector


def check_length(path: Path, values: Numbers, graph: Graph) -> None:
    """InputError unless there is one number a vertex."""
    if values.size != graph.vertices:
        raise InputError(
            f"{path}: {values.size} numbers, {graph.name} has {graph.vertices} vertices"
        )


def read_vertex_numbers(path: Path, name: str) -> npt.NDArray[Any]:
    """One number a vertex, from a file as :func:`read_numbers` takes it."""
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

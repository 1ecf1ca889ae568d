"""Files of one number a row or vertex: NumPy's, Matrix Market's, or text."""

from __future__ import annotations

import os
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _gossamer
from ..errors import InputError
from ..graph import Graph
from .options import check_input_path

__all__ = ["check_length", "read_numbers", "read_vector"]

Numbers = npt.NDArray[Any]

_WHAT = "a list of numbers"


def _from_text(path: Path) -> Numbers:
    # A text for each number takes many times its length in the file.
    most = _gossamer.host_memory()[0] // 32
    text = _gossamer.read_text(os.fsencode(path), _WHAT, most).decode("utf-8-sig")
    try:
        return np.array(text.split(), np.float64)
    except ValueError:
        pass
    for row, line in enumerate(text.splitlines(), 1):
        for word in line.split():
            try:
                float(word)
            except ValueError:
                raise InputError(f"{path}:{row}: '{word}' is not a number") from None
    raise InputError(f"{path}: not numbers")


def _from_matrix_market(path: Path) -> Numbers:
    from scipy.io import mmread

    values = mmread(path)
    return values if isinstance(values, np.ndarray) else np.asarray(values.toarray())


def read_numbers(path: Path, name: str) -> Numbers:
    """.npz with an array of that name, .npy, a Matrix Market array, or numbers separated by blanks
    or line ends. InputError names the file, and of text the line; UsageError when the command would
    replace it."""
    check_input_path(path)
    _gossamer.check_input(os.fsencode(path), _WHAT)  # it is opened more than once
    try:
        with path.open("rb") as file:
            start = file.read(14)
        if start[:2] == b"PK":
            with np.load(path, allow_pickle=False) as arrays:
                if name not in arrays:
                    raise InputError(f"{path}: there is no array named {name}")
                return np.asarray(arrays[name])
        if start[:6] == b"\x93NUMPY":
            return np.asarray(np.load(path, allow_pickle=False))
        if start.lower() == b"%%matrixmarket":
            return _from_matrix_market(path)
        return _from_text(path)
    except InputError:
        raise
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    except (ValueError, OverflowError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise InputError(f"{path}: not {name}: {error}") from None


def read_vector(path: Path, name: str = "a vector") -> npt.NDArray[np.float64]:
    """A vector of real, finite numbers: a column or a row of them, too."""
    values = read_numbers(path, name)
    if values.dtype.kind not in "biuf" or values.size != max(values.shape, default=0):
        shape = " x ".join(map(str, values.shape))
        raise InputError(f"{path}: {name} of real numbers is needed, not {shape} of {values.dtype}")
    vector: npt.NDArray[np.float64] = values.astype(np.float64).reshape(-1)
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

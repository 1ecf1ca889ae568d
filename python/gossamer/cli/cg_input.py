"""What `gossamer cg` works on: the matrix and the right-hand side."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..cg import Vector, with_values
from ..errors import InputError
from ..graph import Graph
from .graphs import GraphSource
from .progress import progress

__all__ = ["load_matrix", "read_vector", "right_side"]


def load_matrix(
    text: str, values: bool, threads: int, limit: int | None, source_format: str = "auto"
) -> Graph:
    """MATRIX: a generator spec, or a file, with values made for a pattern on request."""
    loaded = GraphSource(text, format=source_format, threads=threads, memory=limit).load()
    if not values:
        return loaded
    with progress(f"making values for {loaded.name}"):
        return with_values(loaded, threads=threads)


def read_vector(path: Path) -> Vector:
    """NumPy .npy, a Matrix Market array, or numbers separated by blanks or line ends."""
    try:
        with path.open("rb") as file:
            start = file.read(14)
        if start[:6] == b"\x93NUMPY":
            values = np.load(path, allow_pickle=False)
        elif start.lower() == b"%%matrixmarket":
            from scipy.io import mmread

            values = mmread(path)
            if not isinstance(values, np.ndarray):
                values = values.toarray()
        else:
            values = np.array(path.read_text(encoding="utf-8").split(), np.float64)
        return np.asarray(values, np.float64).reshape(-1)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    except ValueError as error:
        raise InputError(f"{path}: not a vector: {error}") from None


def right_side(text: str, n: int) -> Vector:
    if text == "ones":
        return np.ones(n)
    if text == "random":
        return np.random.default_rng(1).standard_normal(n)
    return read_vector(Path(text))

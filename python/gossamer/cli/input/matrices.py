"""What `gossamer cg` works on: the matrix and the right-hand side."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from gossamer.algorithm.cg import Vector, with_values
from gossamer.cli.output.progress import progress
from gossamer.errors import InputError
from gossamer.graph import Graph

from .graphs import GraphSource
from .numbers import read_vector


def load_matrix(origin: GraphSource, values: bool) -> Graph:
    """MATRIX: a generator spec, or a file, with values made for a pattern on request."""
    loaded = origin.load()
    if not values:
        return loaded
    with progress(f"making values for {loaded.name}"):
        return with_values(loaded, threads=origin.threads)


def right_side(text: str, n: int) -> Vector:
    """InputError for a file of as many numbers as the matrix has not rows."""
    if text == "ones":
        return np.ones(n)
    if text == "random":
        return np.random.default_rng(1).standard_normal(n)
    vector = read_vector(Path(text), "rhs")
    if vector.size != n:
        raise InputError(f"{text}: {vector.size} numbers, the matrix has {n} rows")
    return vector

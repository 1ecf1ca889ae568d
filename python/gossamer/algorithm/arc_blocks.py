"""Arcs of a graph in blocks of whole rows, for verifiers in NumPy: little memory, and a deadline
that is looked at between blocks."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gossamer.errors import Timeout
from gossamer.graph import Graph

#: Arcs of a block, or those of one row.
_BLOCK = 1 << 20


class Block(NamedTuple):
    """Rows `first` to `stop` - 1."""

    first: int
    stop: int
    #: Of each arc.
    tails: npt.NDArray[np.int64]
    heads: npt.NDArray[Any]
    #: None: ones.
    weights: npt.NDArray[np.float64] | None


class ArcBlocks:
    """Goes over all arcs, any number of times, within `limit` seconds."""

    def __init__(self, graph: Graph, weighted: bool, limit: float | None) -> None:
        self._indptr = np.asarray(graph.indptr)
        self._indices = np.asarray(graph.indices)
        self._weights = np.asarray(graph.weights) if weighted else None
        self._limit = limit
        #: What each weight is multiplied by.
        self.factor = 1.0
        self._begin = time.monotonic()
        self.vertices: int = graph.vertices

    def __iter__(self) -> Iterator[Block]:
        n, first = self.vertices, 0
        while first < n:
            # Sums of a block are arrays of all vertices, so that blocks have as many arcs at least.
            end = self._indptr[first] + max(_BLOCK, n)
            stop = max(int(np.searchsorted(self._indptr, end, "right")) - 1, first + 1)
            arcs = slice(int(self._indptr[first]), int(self._indptr[stop]))
            counts = np.diff(self._indptr[first : stop + 1])
            of = None
            if self._weights is not None:
                of = self._weights[arcs].astype(np.float64) * self.factor
            yield Block(
                first, stop, np.repeat(np.arange(first, stop), counts), self._indices[arcs], of
            )
            self.check_time()
            first = stop

    def check_time(self) -> None:
        """Timeout when the limit has passed."""
        if self._limit is not None and time.monotonic() - self._begin > self._limit:
            raise Timeout(f"the verification did not end within {self._limit:g} s")

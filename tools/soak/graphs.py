"""Random graphs: every family of the generators, lists of edges as they come, files of them."""

from __future__ import annotations

import tempfile
import warnings
from pathlib import Path
from typing import Any

import gossamer as gs
import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

Array = npt.NDArray[Any]
Random = np.random.Generator

#: Formats that keep every arc and weight. The others are compared in the readers' own tests.
WHOLE = ("gsr", "npz", "galois", "mtx")


def _family(rng: Random) -> str:
    """A generator's spec, some hundred to some ten thousand vertices."""
    n, hubs = int(rng.integers(2, 3000)), int(rng.integers(1, 20))
    return str(
        rng.choice([
            f"kron:{rng.integers(1, 12)}:{rng.integers(1, 24)}:{rng.integers(1, 99)}",
            f"uniform:{rng.integers(1, 12)}:{rng.integers(1, 12)}:{rng.integers(1, 99)}",
            f"grid:{rng.integers(1, 60)}x{rng.integers(1, 60)}",
            f"road:{rng.integers(2, 70)}:0.{rng.integers(3, 10)}", f"star:{n}", f"path:{n}",
            f"tree:{rng.integers(1, 9)}", f"cliques:{rng.integers(1, 9)}x{rng.integers(1, 40)}",
            f"lollipop:{rng.integers(2, 40)}x{rng.integers(1, 300)}",
            f"bipartite:{hubs}x{rng.integers(20, 2000)}:{rng.integers(1, hubs + 1)}",
            f"small-world:{n + 20}:{2 * rng.integers(1, 6)}:{rng.integers(0, 1000)}",
            f"mesh:{rng.integers(1, 12)}x{rng.integers(1, 12)}x{rng.integers(1, 12)}",
            f"preferential:{n + 20}:{rng.integers(1, 9)}", f"geometric:{n}:{rng.integers(1, 12)}",
            f"web:{n + 20}:{rng.integers(1, 12)}",
        ])
    )  # fmt: skip


def _weights(rng: Random, count: int) -> Array | None:
    kind = rng.integers(0, 5)
    if kind == 0:
        return None
    if kind == 1:
        return np.zeros(count, dtype=np.int32)
    if kind == 2:
        return rng.random(count, dtype=np.float64) * 10.0 ** rng.integers(-3, 6)
    if kind == 3:
        return rng.random(count).astype(np.float32)
    return rng.integers(0, int(rng.choice([2, 256, 1 << 20])), count).astype(np.int32)


def _edges(rng: Random) -> gs.Graph:
    """A list of edges as it comes: directed or not, with loops, duplicates and lone vertices."""
    n = int(rng.integers(1, 2000))
    m = int(rng.integers(0, 8 * n + 1))
    width: type[np.integer[Any]] = np.int32 if rng.integers(0, 2) else np.int64
    u = (n * rng.random(m) ** rng.integers(1, 4)).astype(width)  # some have most
    v = rng.integers(0, n, m).astype(width)
    return gs.from_edges(
        u, v, _weights(rng, m), n, symmetrize=bool(rng.integers(0, 2)),
        deduplicate=bool(rng.integers(0, 2)), name="edges",
    )  # fmt: skip


def _through_a_file(graph: gs.Graph, rng: Random) -> gs.Graph:
    """The graph as a file gives it back. AssertionError where that is another one."""
    form = str(rng.choice(WHOLE))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"graph.{form}"
        try:
            graph.write(path, form)
        except gs.UsageError:  # the format has no such weights, or only symmetric graphs
            return graph
        again = gs.read(path, format=form, threads=int(rng.integers(1, 4)))
    same = np.array_equal(graph.indptr, again.indptr) and np.array_equal(
        graph.indices, again.indices
    )
    if same and graph.weighted:
        same = np.array_equal(np.asarray(graph.weights), np.asarray(again.weights))
    if not same:
        raise AssertionError(f"{form}: the file gives another graph than was written")
    return again


def graph_of(rng: Random) -> gs.Graph:
    """Always the same for a generator in the same state."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        graph = (
            _edges(rng)
            if rng.random() < 0.5
            else gs.generate(_family(rng), weights=bool(rng.integers(0, 2)))
        )
        return _through_a_file(graph, rng) if rng.random() < 0.1 else graph


def ends_of(graph: gs.Graph) -> tuple[Array, Array]:
    """Where each arc begins and ends, [arcs] each."""
    lengths: Array = np.diff(graph.indptr)
    u = np.repeat(np.arange(graph.vertices), lengths)
    return u, np.asarray(graph.indices, dtype=np.int64)


def matrix_of(graph: gs.Graph, weights: Array | None = None) -> csr_array:
    """Of each pair the least weight, or one: SciPy adds duplicates. Zeros that are stored are arcs
    to it."""
    u, v = ends_of(graph)
    w = np.ones(graph.arcs) if weights is None else np.asarray(weights, dtype=np.float64)
    order = np.lexsort((w, v, u))
    u, v, w = u[order], v[order], w[order]
    first = np.ones(len(u), dtype=bool)
    first[1:] = (u[1:] != u[:-1]) | (v[1:] != v[:-1])
    shape = (graph.vertices, graph.vertices)
    return csr_array((w[first], (u[first], v[first])), shape=shape)

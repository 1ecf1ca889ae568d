"""Checks of graphs that were made, written or counted, in NumPy alone: nothing of the library's
generators, counting or partitioning is in them."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from gossamer.arguments import flags, instance, path_text
from gossamer.arrays import id_array
from gossamer.errors import UsageError, VerificationError

from .csr import Graph
from .input import read
from .statistics import PartitionQuality, Statistics

Ids = npt.NDArray[np.int64]


def _arcs(graph: Graph) -> tuple[Ids, Ids]:
    """Tails and heads of all arcs, in the order of rows."""
    tails = np.repeat(np.arange(graph.vertices, dtype=np.int64), np.diff(graph.indptr))
    return tails, np.asarray(graph.indices, np.int64)


def _first_difference(found: Any, expected: Any) -> int | None:
    wrong = np.flatnonzero(found != expected)
    return int(wrong[0]) if wrong.size else None


# --- files ----------------------------------------------------------------------------------------


def verify_written(
    graph: Graph, path: str | os.PathLike[str], format: str = "auto", *, names: bool = True
) -> None:
    """Reads a file back and compares it with the graph that was written to it: rows, weights and,
    with `names`, the vertices' ids. VerificationError names the first difference.

    Of formats that keep no ids (Galois, Matrix Market) give ``names=False``. The order of a row's
    arcs does not count.
    """
    instance(graph, Graph, "verify_written: graph")
    flags("verify_written", names=names)
    there = read(path, format=format)
    what = path_text(path, "verify_written")

    def differ(text: str) -> VerificationError:
        return VerificationError(f"{what}: read back, {text}")

    for count in ("vertices", "arcs"):
        ours, theirs = getattr(graph, count), getattr(there, count)
        if ours != theirs:
            raise differ(f"it has {theirs} {count}, the graph {ours}")
    if (v := _first_difference(np.diff(there.indptr), np.diff(graph.indptr))) is not None:
        raise differ(f"the row of vertex {graph.name_of(v)} has another length")
    if (graph.weights is None) != (there.weights is None):
        raise differ("it has weights" if graph.weights is None else "it has no weights")
    rows = [_sorted_rows(g) for g in (there, graph)]
    for k, part in enumerate(("arcs", "weights")):
        if (at := _first_difference(rows[0][k], rows[1][k])) is not None:
            u = int(np.searchsorted(graph.indptr, at, side="right")) - 1
            raise differ(f"vertex {graph.name_of(u)} has other {part}")
    if names and graph._labels is None:
        wrong = _first_difference(there.names, graph.names)
        if wrong is not None:
            raise differ(f"vertex {graph.name_of(wrong)} is called {there.name_of(wrong)}")


def _sorted_rows(graph: Graph) -> tuple[Ids, npt.NDArray[Any]]:
    """Heads and weights, row by row in ascending order; weights as whole or as real numbers."""
    tails, heads = _arcs(graph)
    weights = np.zeros(heads.size) if graph.weights is None else np.asarray(graph.weights)
    order = np.lexsort((weights, heads, tails))
    return heads[order], weights[order].astype(np.float64)


# --- generators -----------------------------------------------------------------------------------


def _paths(*sides: int) -> tuple[int, Ids, Ids]:
    """A grid of any dimension, whose first side's neighbours are beside each other."""
    at = np.arange(int(np.prod(sides)), dtype=np.int64).reshape(sides[::-1])
    ends = [
        (np.delete(at, -1, axis).ravel(), np.delete(at, 0, axis).ravel())
        for axis in range(len(sides))
    ]
    return at.size, np.concatenate([u for u, _ in ends]), np.concatenate([v for _, v in ends])


def _cliques(count: int, size: int) -> tuple[int, Ids, Ids]:
    u, v = np.triu_indices(size, 1)
    first = np.arange(count, dtype=np.int64) * size
    links = first[1:]
    return (
        count * size,
        np.concatenate([np.add.outer(first, u).ravel(), links - 1]),
        np.concatenate([np.add.outer(first, v).ravel(), links]),
    )


def _tree(depth: int, arity: int = 2) -> tuple[int, Ids, Ids]:
    n = sum(arity**level for level in range(depth + 1))
    v = np.arange(1, n, dtype=np.int64)
    return n, (v - 1) // arity, v


def _lollipop(clique: int, path: int) -> tuple[int, Ids, Ids]:
    n, u, v = _cliques(1, clique)
    more = np.arange(n, n + path, dtype=np.int64)
    return n + path, np.concatenate([u, more - 1]), np.concatenate([v, more])


def _star(n: int) -> tuple[int, Ids, Ids]:
    v = np.arange(1, n, dtype=np.int64)
    return n, np.zeros_like(v), v


#: Graphs that their numbers alone decide: vertices, and both ends of every edge.
_EXACT: dict[str, Callable[..., tuple[int, Ids, Ids]]] = {
    "grid": _paths, "path": _paths, "mesh": _paths, "star": _star, "tree": _tree,
    "cliques": _cliques, "lollipop": _lollipop, "poisson": _paths,
}  # fmt: skip


def _exact_sizes(kind: str, numbers: list[int], most: int) -> tuple[int, int]:
    """Vertices and edges of such a graph, without loops, before it is made; of a tree with more
    than `most` vertices any more."""
    if kind in ("cliques", "lollipop"):
        count, size, path = (*numbers, 0) if kind == "cliques" else (1, *numbers)
        return count * size + path, count * (size * (size - 1) // 2) + count - 1 + path
    if kind == "tree":
        depth, arity = (*numbers, 2)[:2]
        n = level = 1
        for _ in range(depth):
            level *= arity
            n += level
            if n > most:
                break
        return n, n - 1
    if kind == "star":
        return numbers[0], numbers[0] - 1
    n = math.prod(numbers)
    return n, sum(n // side * (side - 1) for side in numbers)


def _vertices(kind: str, numbers: list[int]) -> int:
    """Of a graph that is drawn."""
    first = numbers[0]
    if kind in ("kron", "uniform"):
        return int(2**first)
    if kind == "road":
        return first * first
    return first + numbers[1] if kind == "bipartite" else first


def _check_drawn(kind: str, numbers: list[int], simple: bool, u: Ids, v: Ids, n: int) -> str:
    """What is wrong with the arcs of a graph that is drawn; empty if nothing is."""
    edges = np.count_nonzero(u <= v)
    lists = {
        "kron": lambda: n * (numbers[1] if len(numbers) > 1 else 16),
        "uniform": lambda: n * (numbers[1] if len(numbers) > 1 else 16),
        "small-world": lambda: n * numbers[1] // 2,
        "preferential": lambda: n * numbers[1],
        "bipartite": lambda: numbers[1] * numbers[2],
    }
    if kind in lists:
        most = lists[kind]()
        if edges > most:
            return f"{edges} edges, {most} are drawn"
    if kind == "road":
        side = numbers[0]
        far = np.abs(u - v)
        beside = (far == side) | ((far == 1) & (np.minimum(u, v) % side != side - 1))
        if not beside.all():
            k = int(np.flatnonzero(~beside)[0])
            return f"the edge {u[k]} - {v[k]} is none of the grid's"
    if kind == "bipartite":
        hubs, _, degree = numbers[:3]
        if np.any((u < hubs) == (v < hubs)):
            return "two hubs, or two leaves, are joined"
        lengths = np.bincount(u, minlength=n)[hubs:]
        if (leaf := _first_difference(lengths, degree)) is not None:
            return f"leaf {hubs + leaf} has {lengths[leaf]} hubs, not {degree}"
    if kind == "preferential":
        older = np.bincount(u[v <= u], minlength=n)
        if np.any(older > 2 * numbers[1]) or (simple and np.any(older[1:] == 0)):
            return "a vertex has no older neighbour, or too many"
    return ""


def _values(kind: str, numbers: list[int], u: Ids, v: Ids, w: npt.NDArray[Any]) -> str:
    """What is wrong with weights; empty if nothing is."""
    diagonal = u == v
    if kind == "poisson":
        wanted = np.where(diagonal, 2.0 * len(numbers), -1.0)
        return "" if np.array_equal(w, wanted) else "a value is not the Laplacian's"
    if kind == "band":
        beside = -256 * w[~diagonal]
        if np.any((beside != np.floor(beside)) | (beside < 1) | (beside > 255)):
            return "a value beside the diagonal is none of -1/256 to -255/256"
        more = np.bincount(u, w)  # than the others' sizes
        return "" if np.all((more >= 1) & (more <= 2)) else "a row's diagonal value is another"
    if w.dtype.kind != "i" or (w.size and not (w.min() >= 1 and w.max() <= 255)):
        return "a weight is no whole number from 1 to 255"
    return ""


def verify_generated(
    graph: Graph, spec: str, *, weights: bool = False, keep_duplicates: bool = False
) -> None:
    """Checks that a graph is one that a generator's spec describes: every edge of those that the
    spec's numbers decide (grid, path, star, tree, cliques, lollipop, mesh, poisson); of those that
    are drawn the number of vertices, which vertices may be joined and how often, and the weights'
    range. All are symmetric, with ascending rows and, without `keep_duplicates`, neither loops nor
    parallel edges. VerificationError says what is wrong; UsageError for a text that is no spec.
    """
    instance(graph, Graph, "verify_generated: graph")
    flags("verify_generated", weights=weights, keep_duplicates=keep_duplicates)
    kind, _, rest = instance(spec, str, "verify_generated: spec", "text such as kron:20").partition(
        ":"
    )
    if not re.match(r"\d", rest):
        raise UsageError(f"verify_generated: '{spec}' is no spec of a generator")
    numbers = [int(x) for x in re.findall(r"(?<![\d.])\d+(?![\d.])", rest)]
    wants = {"star": (1, 1), "path": (1, 1), "tree": (1, 2), "cliques": (2, 2), "lollipop": (2, 2)}
    least, most = wants.get(kind, (1, 99))
    if kind in _EXACT and not (least <= len(numbers) <= most and min(numbers) > 0):
        raise UsageError(f"verify_generated: '{spec}' is no spec of a generator")
    u, v = _arcs(graph)
    w = None if graph.weights is None else np.asarray(graph.weights)
    if wrong := _structure(kind, numbers, not keep_duplicates, graph.vertices, u, v, w):
        raise VerificationError(f"{graph.name}: {wrong}")
    if (w is not None) != (weights or kind in ("road", "poisson", "band")):
        raise VerificationError(f"{graph.name}: it has {'no ' if w is None else ''}weights")
    if w is not None and (wrong := _values(kind, numbers, u, v, w)):
        raise VerificationError(f"{graph.name}: {wrong}")


def _structure(kind: str, numbers: list[int], simple: bool, n: int, u: Ids, v: Ids, w: Any) -> str:
    matrix = kind in ("poisson", "band")
    drawn = kind not in _EXACT
    wanted, edges = (_vertices(kind, numbers), 0) if drawn else _exact_sizes(kind, numbers, n)
    if n != wanted:
        if wanted >= 1 << 63:  # too many digits for a message
            return f"{n} vertices, and the spec names more than there can be"
        return f"{n} vertices, not {wanted}"
    if u.size and not (v.min() >= 0 and v.max() < n):
        return "an arc leads to a vertex that does not exist"
    if np.any((np.diff(v) < 0) & (np.diff(u) == 0)):
        return "a row is not in ascending order"
    if simple and np.any((np.diff(v) == 0) & (np.diff(u) == 0)):
        return "parallel edges"
    if simple and not matrix and np.any(u == v):
        return "a self-loop"
    keys = [v, u] if w is None else [w, v, u]
    mirrored = [u, v] if w is None else [w, u, v]
    there, back = np.lexsort(keys), np.lexsort(mirrored)
    for x, y in zip(keys, mirrored, strict=True):
        if not np.array_equal(x[there], y[back]):
            return "an arc has no mirror of the same weight"
    if drawn:
        return _check_drawn(kind, numbers, simple, u, v, n) or (
            _check_band(numbers, u, v) if kind == "band" else ""
        )
    if u.size != 2 * edges + n * matrix:  # else the edges might be more than there is room for
        return "its edges are others than the spec's"
    _, a, b = _EXACT[kind](*numbers)
    if matrix:  # and the diagonal
        a, b = np.concatenate([a, np.arange(n)]), np.concatenate([b, np.arange(n)])
    loops = a == b
    heads, tails = np.concatenate([a, b[~loops]]), np.concatenate([b, a[~loops]])
    order = np.lexsort((tails, heads))
    if not (np.array_equal(heads[order], u) and np.array_equal(tails[order], v)):
        return "its edges are others than the spec's"
    return ""


def _check_band(numbers: list[int], u: Ids, v: Ids) -> str:
    rows, entries = numbers[:2]
    entries += (rows - entries) % 2
    if u.size != entries:
        return f"{u.size} entries, not {entries}"
    # As close to the diagonal as they go: a diagonal is full before the next one begins.
    lengths = np.bincount(np.abs(u - v), minlength=2)
    full = np.where(np.arange(lengths.size) == 0, rows, 2 * (rows - np.arange(lengths.size)))
    return "" if np.array_equal(lengths[:-1], full[:-1]) else "entries far from the diagonal"


# --- counts ---------------------------------------------------------------------------------------


def _roots(n: int, u: Ids, v: Ids) -> Ids:
    """The smallest vertex of each weak component: roots hook onto smaller ones, then jump."""
    root = np.arange(n, dtype=np.int64)
    while True:
        a, b = root[u], root[v]
        low, high = np.minimum(a, b), np.maximum(a, b)
        apart = low < high
        if not apart.any():
            return root
        np.minimum.at(root, high[apart], low[apart])
        while not np.array_equal(root, above := root[root]):
            root = above


def verify_statistics(graph: Graph, found: Statistics) -> None:
    """Counts anew all of `found` but strong components and triangles; VerificationError names the
    first number that differs."""
    instance(graph, Graph, "verify_statistics: graph")
    instance(found, Statistics, "verify_statistics: found")
    n, (u, v) = graph.vertices, _arcs(graph)
    degrees = np.bincount(u, minlength=n)
    loops = u == v
    pairs = np.unique(u * n + v)
    low, high = np.minimum(u, v)[~loops], np.maximum(u, v)[~loops]
    touched = np.zeros(n, bool)
    touched[u[~loops]] = touched[v[~loops]] = True
    looped = np.zeros(n, bool)
    looped[u[loops]] = True
    sizes = np.bincount(_roots(n, u, v), minlength=1)
    ordered = np.sort(degrees)
    w = graph.weights
    wanted: dict[str, Any] = {
        "vertices": n,
        "arcs": u.size,
        "self_loops": np.count_nonzero(loops),
        "parallel_arcs": u.size - pairs.size,
        "simple_edges": np.unique(low * n + high).size,
        "minimum_degree": degrees.min(initial=0 if n == 0 else u.size),
        "maximum_degree": degrees.max(initial=0),
        "maximum_degree_vertex": None if n == 0 else int(np.argmax(degrees)),
        "percentiles": [
            (p, int(ordered[max(0, -(-round(10 * p) * n // 1000) - 1)]) if n else 0)
            for p in (0, 1, 10, 25, 50, 75, 90, 99, 99.9, 100)
        ],
        "degree_histogram": np.bincount(np.frexp(degrees)[1], minlength=1).tolist() if n else [],
        "isolated_vertices": np.count_nonzero(~touched & ~looped),
        "loop_vertices": np.count_nonzero(looped & ~touched),
        "components": np.count_nonzero(sizes),
        "largest_component": sizes.max(initial=0),
    }
    for name, value in wanted.items():
        if (there := getattr(found, name)) != value:
            raise VerificationError(f"statistics of {graph.name}: {name} is {there}, not {value}")
    if w is not None and w.size:
        real = w[~np.isnan(w)] if w.dtype.kind == "f" else w
        counted = {
            "zeros": np.count_nonzero(w == 0),
            "negatives": np.count_nonzero(w < 0),
            "nans": w.size - real.size,
        }
        if real.size:
            counted |= {"minimum": real.min(), "maximum": real.max()}
        for name, value in counted.items():
            if (there := getattr(found.weights, name)) != value:
                raise VerificationError(
                    f"statistics of {graph.name}: weights: {name} is {there}, not {value}"
                )


def verify_partition_quality(graph: Graph, part_of: Any, found: PartitionQuality) -> None:
    """Measures a partition anew; VerificationError names the first number that differs."""
    instance(graph, Graph, "verify_partition_quality: graph")
    instance(found, PartitionQuality, "verify_partition_quality: found")
    part = id_array(part_of, "verify_partition_quality: part_of", "parts").astype(np.int64)
    if part.size != graph.vertices:
        raise UsageError(
            f"verify_partition_quality: {part.size} parts for {graph.vertices} vertices"
        )
    u, v = _arcs(graph)
    p = found.parts
    cut = part[u] != part[v]
    touched = np.unique(part[u][cut] * graph.vertices + v[cut])
    halo = np.bincount(touched // max(1, graph.vertices), minlength=p)
    vertices_of = np.bincount(part, minlength=p)
    arcs_of = np.bincount(part[u], minlength=p)
    wanted: dict[str, Any] = {
        "arcs": u.size,
        "cut_arcs": np.count_nonzero(cut),
        "vertices_of": vertices_of.tolist(),
        "arcs_of": arcs_of.tolist(),
        "halo_of": halo.tolist(),
        "halo_total": int(halo.sum()),
    }
    for name, value in wanted.items():
        if (there := getattr(found, name)) != value:
            raise VerificationError(f"partition of {graph.name}: {name} is {there}, not {value}")
    for name, counts in (("vertex_balance", vertices_of), ("arc_balance", arcs_of)):
        mean = counts.sum() / p
        if mean > 0 and not np.isclose(getattr(found, name), counts.max() / mean, rtol=1e-12):
            raise VerificationError(
                f"partition of {graph.name}: {name} is {getattr(found, name)}, "
                f"not {counts.max() / mean}"
            )

"""Graphs from files, and from arrays of edges, rows or a matrix."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from gossamer import _gossamer
from gossamer.arguments import (
    callback,
    flags,
    instance,
    integer,
    memory_bytes,
    path_text,
    texts,
    thread_count,
)
from gossamer.arrays import GpuArray, gpu_array, id_array, weight_array
from gossamer.errors import UsageError

from .csr import Graph
from .data_sets import file_of
from .names import Labels, are_names, distinct_names, numbered_ends, objects
from .parquet import FORMAT, Columns, is_parquet, plan_parquet, read_parquet
from .xz import by_python, decoder

#: Called as ``progress(done, total)`` about every 50 ms; `total` is 0 while it is not known.
Progress = Callable[[int, int], None]

if by_python():
    _gossamer.use_xz_decoder(decoder)


def formats() -> list[tuple[str, str, str, bool, bool]]:
    """File formats: (name, title, usual suffixes, can be read, can be written)."""
    return [*_gossamer.formats(), FORMAT]


def _known(format: str) -> None:
    """The library reads all but one of them, and knows of no other."""
    names = ["auto", *(known[0] for known in formats())]
    if format not in names:
        raise UsageError(f"unknown graph format '{format}'; known are {', '.join(names)}")


def read(
    path: str | os.PathLike[str],
    *,
    format: str = "auto",
    source: str | None = None,
    target: str | None = None,
    weight: str | None = None,
    symmetrize: bool = False,
    deduplicate: bool = False,
    remove_self_loops: bool = False,
    largest_component: bool = False,
    threads: int = 0,
    memory: int | str | None = None,
    verify_data: bool = True,
    progress: Progress | None = None,
) -> Graph:
    """Reads a graph file of any format that :func:`formats` lists, compressed or not; or, as
    ``data:NAME``, a data set by name (:mod:`gossamer.datasets`), unless a file has that name.

    The content decides about the format, unless `format` does. CSV, TSV and Parquet (which needs
    pyarrow) have an edge a row; ends that are texts become names. A Gossamer binary that is not
    compressed is mapped: its file may be replaced while the graph is in use, but using the graph
    after the file was cut short or written to is an InputError, and doing so during a run ends the
    process.

    source, target: a table's columns of the ends, both or neither, by their names in its header.
    Default: source and target, src and dst, from and to, u and v, else the first two.
    weight: its column of the weights; default: weight, w or value, where there is one. UsageError
    for a column that is not there, which names those that are, and for a file without a header.
    symmetrize: store (v, u) beside every (u, v); a graph that has them all is left as it is.
    deduplicate: keep one arc per (u, v), the one with the smallest weight.
    remove_self_loops: drop (v, v).
    largest_component: keep the largest (weakly) connected component; its names stay.
    threads: 0 = all cores.
    memory: limit in bytes, or text such as ``"16G"``; CapacityError before it would be exceeded.
    verify_data: False maps Gossamer binaries after a check of their header only, and believes the
    rest: order, ranges, symmetry.
    progress: called as ``progress(done, total)`` with bytes of the file.
    """
    texts("read", format=format)
    callback(progress, "read: progress")
    _known(format)
    columns = column_names(source, target, weight)
    flags(
        "read", symmetrize=symmetrize, deduplicate=deduplicate, verify_data=verify_data,
        remove_self_loops=remove_self_loops, largest_component=largest_component,
    )  # fmt: skip
    file = file_of(path_text(path, "read: path"))
    how = (
        symmetrize,
        deduplicate,
        remove_self_loops,
        thread_count(threads, "read"),
        memory_bytes(memory),
    )
    if is_parquet(file, format):
        graph = Graph(*read_parquet(file, how, progress, columns))
    else:
        handle = _gossamer.read(file, format, *how, verify_data, progress, columns)
        texts_there = handle.take_texts()
        graph = Graph(handle, Labels(objects(texts_there)) if texts_there else None)
    if largest_component:
        graph = graph.largest_component(threads=threads, memory=memory)
    return graph


def column_names(source: Any, target: Any, weight: Any) -> Columns:
    """Columns as the library takes them. UsageError for what is no name, and for one end alone."""
    given = {"source": source, "target": target, "weight": weight}
    for what, name in given.items():
        if name is not None and not instance(name, str, f"read: {what}", "a column's name"):
            raise UsageError(f"read: {what}: a column's name is not empty")
    if (source is None) != (target is None):
        there, lacks = ("source", "target") if target is None else ("target", "source")
        raise UsageError(f"read: {there} names a column, name that of {lacks} as well")
    return source or "", target or "", weight or ""


def plan_read(path: str, format: str, *how: Any, columns: Columns = ("", "", "")) -> dict[str, Any]:
    """What :func:`read` takes at its peak; reads no edges."""
    _known(format)
    if is_parquet(path, format):
        return plan_parquet(path, how, columns)
    given: tuple[Any, ...] = (*how, columns)
    return _gossamer.plan_read(path, format, *given)


def read_partition(
    path: str | os.PathLike[str], vertices: int, parts: int = 0
) -> npt.NDArray[np.int32]:
    """Reads METIS's partition format: one part id from 0 a line. `parts` = 0: any ids."""
    return _gossamer.read_partition(
        path_text(path, "read_partition: path"),
        integer(vertices, "read_partition: vertices"),
        integer(parts, "read_partition: parts", 1 << 31),
    )


def _ends(pairs: Any) -> tuple[Any, Any]:
    """Both ends of edges given as pairs."""
    shape = getattr(pairs, "shape", None)
    if shape is not None:
        if len(shape) != 2 or shape[1] != 2:
            raise UsageError(
                f"from_edges: without v, edges are pairs: an array [m, 2], not {list(shape)}"
            )
        return pairs[:, 0], pairs[:, 1]
    try:
        listed = [tuple(pair) for pair in pairs]
    except TypeError:
        kind = type(pairs).__name__
        raise UsageError(f"from_edges: expected u and v, or pairs of ends, got {kind}") from None
    for i, pair in enumerate(listed):
        if len(pair) != 2:
            raise UsageError(
                f"from_edges: edge {i}: a pair has 2 ends, this has {len(pair)} (weights go in w)"
            )
    return [pair[0] for pair in listed], [pair[1] for pair in listed]


def from_edges(
    u: Any,
    v: Any = None,
    w: Any = None,
    n: int | None = None,
    *,
    symmetrize: bool = False,
    deduplicate: bool = False,
    remove_self_loops: bool = False,
    threads: int = 0,
    name: str = "edges",
    names: Any = None,
) -> Graph:
    """Builds a graph from endpoints `u[i]` → `v[i]` with weights `w[i]`; without `v` from pairs of
    them, an array [m, 2] or pairs one by one.

    Arrays may be NumPy arrays, lists, or arrays on a GPU (CuPy's, Torch's, cuDF's, Numba's: by
    ``__cuda_array_interface__`` or DLPack). Of arrays on one GPU (int32, int64 or uint32 ids;
    int32, float32 or float64 weights) the graph is built there, and stays there
    (:attr:`Graph.device`); `threads` has no effect. Others are copied to the host. `n` defaults to
    the largest id + 1. The other options are those of :func:`read`.

    Ends that are no numbers, strings for one, are names: any hashable objects but None. Vertices
    have indices in the order in which they come, u[0], v[0], u[1] and so on; `n` and `names` do not
    go with them (:func:`from_pandas` takes ten million such edges faster).

    names: what vertices are called: one distinct hashable object each, `n` of them, in order of
    index; `u` and `v` are indices all the same. UsageError for another number, for one that two
    vertices have, and for what is not hashable. Default: 0 to `n` - 1.
    """
    flags(
        "from_edges", symmetrize=symmetrize, deduplicate=deduplicate,
        remove_self_loops=remove_self_loops,
    )  # fmt: skip
    if n is not None and integer(n, "from_edges: n") < 1:
        raise UsageError(f"from_edges: n: a graph has 1 vertex or more, not {n}")
    instance(name, str, "from_edges: name", "text")
    called = None if names is None else distinct_names(names, "from_edges")
    if v is None:
        u, v = _ends(u)
    if are_names(u) or are_names(v):
        if n is not None or called is not None:
            raise UsageError(
                "from_edges: ends that are names say how many and which: no n or names"
            )
        u, v, called = numbered_ends(u, v, "from_edges")
    if n is None and called is not None:
        n = len(called)
    there = _on_one_gpu(gpu_array(u, "iu"), gpu_array(v, "iu"), w)
    if there is not None and there[0].type == there[1].type:
        size = None if n is None else integer(n, "from_edges: n")
        return Graph(
            _gossamer.gpu_from_edges(*there, size, symmetrize, deduplicate, remove_self_loops, name)
        )._named(called)
    return Graph(
        _gossamer.from_edges(
            id_array(u, "from_edges: u"),
            id_array(v, "from_edges: v"),
            None if w is None else weight_array(w, "from_edges: w"),
            None if n is None else integer(n, "from_edges: n"),
            symmetrize,
            deduplicate,
            remove_self_loops,
            thread_count(threads, "from_edges"),
            name,
        )
    )._named(called)


def both_ways(
    u: npt.NDArray[Any], v: npt.NDArray[Any], w: npt.NDArray[Any] | None
) -> tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any] | None]:
    """Edges without direction as arcs, self-loops once.

    What `symmetrize` does not do: it takes (a, b) and (b, a) for the two arcs of one edge.
    """
    there = u != v
    u, v = np.concatenate([u, v[there]]), np.concatenate([v, u[there]])
    return u, v, None if w is None else np.concatenate([w, w[there]])


def _on_one_gpu(
    first: GpuArray | None, second: GpuArray | None, weights: Any
) -> tuple[GpuArray, GpuArray, GpuArray | None] | None:
    """The arrays, if all of them lie on the same GPU in types that are taken there."""
    if first is None or second is None or first.ordinal != second.ordinal:
        return None
    if weights is None:
        return first, second, None
    third = gpu_array(weights, "if")
    if third is None or third.ordinal != first.ordinal or third.type == "<i8":
        return None
    return first, second, third


def from_csr(
    indptr: Any,
    indices: Any,
    weights: Any = None,
    *,
    sorted: bool | None = None,
    symmetric: bool | None = None,
    name: str = "csr",
    names: Any = None,
) -> Graph:
    """A graph over the caller's arrays, which must not change afterwards.

    int64 `indptr`, int32 or int64 `indices` and int32, float32 or float64 `weights` are shared;
    other types are copied. Structure is checked. `sorted` and `symmetric` are found out unless
    given. Arrays on one GPU (CuPy's, Torch's, …) make a graph that stays there
    (:attr:`Graph.device`): the same types are shared, int32 `indptr` and uint32 `indices` are
    widened where they are; arrays of other types, or not all on one GPU, are copied to the host.
    `names` are those of :func:`from_edges`.
    """
    texts("from_csr", name=name)
    called = None if names is None else distinct_names(names, "from_csr")
    there = _on_one_gpu(gpu_array(indptr, "i"), gpu_array(indices, "iu"), weights)
    if there is not None:
        for flag, value in (("sorted", sorted), ("symmetric", symmetric)):
            if value is not None:
                flags("from_csr", **{flag: value})
        owner = (indptr, indices, weights)
        made = _gossamer.gpu_from_csr(*there, sorted, symmetric, name, owner)
        return Graph(made)._named(called)
    offsets = id_array(indptr, "from_csr: indptr", "offsets").astype(np.int64, copy=False)
    ids = id_array(indices, "from_csr: indices")
    if sorted is None:
        sorted = _gossamer.rows_ascending(offsets, ids)
    values = None if weights is None else weight_array(weights, "from_csr: weights")
    flags("from_csr", sorted=sorted)
    if symmetric is not None:
        flags("from_csr", symmetric=symmetric)
    made = _gossamer.from_csr(offsets, ids, values, sorted, symmetric, name)
    return Graph(made)._named(called)


def from_scipy(
    matrix: Any, *, symmetric: bool | None = None, name: str = "scipy", names: Any = None
) -> Graph:
    """A graph over a square SciPy sparse array or matrix.

    Row i's entries are the arcs out of vertex i; stored zeros are arcs. Of CSR input indices and
    data are shared (indptr is widened) and must not change afterwards. Boolean entries make a graph
    without weights. `names` are those of :func:`from_edges`.
    """
    if not (hasattr(matrix, "tocsr") and hasattr(matrix, "shape")):
        raise UsageError(f"from_scipy: not a sparse matrix or array: {type(matrix).__name__}")
    if len(matrix.shape) != 2:
        raise UsageError(f"from_scipy: expected two dimensions, got {len(matrix.shape)}")
    rows, columns = matrix.shape
    if rows != columns:
        raise UsageError(f"from_scipy: not square: {rows} × {columns}")
    csr = matrix.tocsr()
    values = None if csr.dtype == np.dtype(bool) else csr.data
    return from_csr(
        csr.indptr,
        csr.indices,
        values,
        sorted=bool(csr.has_sorted_indices),
        symmetric=symmetric,
        name=name,
        names=names,
    )

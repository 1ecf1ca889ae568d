"""Graphs from tables of edges: frames of pandas."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import numpy.typing as npt

from gossamer.arguments import flags, imported, texts
from gossamer.arrays import id_array, weight_array
from gossamer.errors import InputError, UsageError

from .csr import Graph
from .input import both_ways, from_csr, from_edges
from .names import Labels, is_integer, objects

_DUPLICATES = ("keep", "first", "sum", "min", "max")
#: Those that are found from all rows of a pair of ends.
_MERGED: dict[str, np.ufunc] = {"sum": np.add, "max": np.maximum}


def from_pandas(
    frame: Any,
    source: Any = "source",
    target: Any = "target",
    weight: Any = None,
    *,
    duplicates: str = "keep",
    directed: bool = True,
    remove_self_loops: bool = False,
    threads: int = 0,
    name: str = "frame",
) -> Graph:
    """A graph of the edges in a pandas DataFrame, one a row, named by what its columns hold.

    source, target: columns of the ends, of any type whose values are hashable. Vertices are
    ordered: integers ascending (so that names 0 to n - 1 are the indices), others as they appear,
    sources first. Names are the graph's (:attr:`Graph.names`).
    weight: column of the weights, None for a graph without. Integers have to fit int32.
    duplicates: what becomes of rows with the same ends (undirected: in either order):
    ``keep`` them all, the ``first``, or one with the ``sum``, ``min`` or ``max`` of their weights.
    directed: False: each row is an edge without direction, and stored as an arc both ways.
    remove_self_loops, threads: as in :func:`read`.

    InputError, with the row counted from 0, for an end or a weight that is missing (NaN, None, NA),
    of a weight with the ends, too.
    UsageError: no such column, ends that are not hashable, a weight that is no number, ``sum``,
    ``min`` or ``max`` without weights, pandas is not installed.
    """
    pandas = imported("pandas", "from_pandas")
    flags("from_pandas", directed=directed, remove_self_loops=remove_self_loops)
    texts("from_pandas", duplicates=duplicates, name=name)
    if duplicates not in _DUPLICATES:
        raise UsageError(
            f"from_pandas: duplicates '{duplicates}' is none of {', '.join(_DUPLICATES)}"
        )
    if weight is None and duplicates in ("sum", "min", "max"):
        raise UsageError(f"from_pandas: duplicates '{duplicates}' needs a column of weights")
    if not isinstance(frame, pandas.DataFrame):
        raise UsageError(f"from_pandas: expected a DataFrame, got {type(frame).__name__}")
    ends = _column(frame, source), _column(frame, target)
    values = None if weight is None else _weights(_column(frame, weight), weight, ends)
    u, v, names = _ends(pandas, *ends, (source, target))
    numbered = values is not None and duplicates in ("first", *_MERGED)
    # With the rows' numbers as weights the builder says which row an arc came from.
    given = np.arange(len(u), dtype=_row_type(len(u))) if numbered else values
    if not directed:
        u, v, given = both_ways(u, v, given)
    made = from_edges(
        u, v, given, len(names), deduplicate=duplicates in ("first", "min"),
        remove_self_loops=remove_self_loops, threads=threads, name=name,
    )  # fmt: skip
    if not numbered:
        return made._named(names)
    del u, v, given
    assert values is not None and made.weights is not None
    weights = values[made.weights.astype(np.int64, copy=False)]
    indptr, indices = made.indptr, made.indices
    if duplicates in _MERGED:
        indptr, indices, weights = _merged(made, weights, _MERGED[duplicates])
    return from_csr(indptr, indices, weights, sorted=True, name=name)._named(names)


def _row_type(rows: int) -> type[np.int32 | np.float64]:
    """The narrowest type of weights that holds a row's number."""
    return np.int32 if rows < 1 << 31 else np.float64


def _column(frame: Any, column: Any) -> Any:
    """A column as a Series."""
    if column not in frame.columns:
        there = ", ".join(map(repr, frame.columns[:8])) + (", …" if len(frame.columns) > 8 else "")
        raise UsageError(f"from_pandas: no column {column!r} (there are {there})")
    series = frame[column]
    if series.ndim != 1:
        raise UsageError(f"from_pandas: there are several columns {column!r}")
    return series


def _missing(row: int, column: Any) -> InputError:
    return InputError(f"from_pandas: row {row}: no value in column {column!r}")


def _weights(series: Any, column: Any, ends: tuple[Any, Any]) -> npt.NDArray[Any]:
    missing = series.isna().to_numpy(bool)
    if missing.any():
        row = int(missing.argmax())
        # As Python's own objects, as names are.
        source, target = (end.iloc[row : row + 1].tolist()[0] for end in ends)
        raise InputError(
            f"from_pandas: row {row}, {source!r} -> {target!r}: no value in column {column!r}"
        )
    # Nullable numbers, which would become objects, say what they are in NumPy.
    return weight_array(
        series.to_numpy(getattr(series.dtype, "numpy_dtype", None)),
        f"from_pandas: column {column!r}",
    )


def _ends(
    pandas: Any, source: Any, target: Any, columns: tuple[Any, Any]
) -> tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[np.int64] | Labels]:
    """Both ends of every row as indices, and the names.

    Columns are factorized by themselves and their distinct values united: no table of all ends is
    ever there beside the frame. pandas lets go of the interpreter's lock for numbers and Arrow's
    strings, so the two columns take two cores.
    """
    with ThreadPoolExecutor(2) as both:
        work = both.map(_factorized, [pandas] * 2, (source, target), columns)
        codes, found = zip(*work, strict=True)
    first, second = found
    if first.dtype != second.dtype:  # pandas' common type might round them
        first, second = first.astype(object), second.astype(object)
    places, united = pandas.factorize(first.append(second))
    at = places[len(first) :]  # those of `first`, all distinct, stand where they did
    names: npt.NDArray[np.int64] | Labels
    if united.dtype.kind in "iu" or (united.dtype == object and all(map(is_integer, united))):
        given = id_array(np.array(united.tolist()), "from_pandas: names", "names").astype(np.int64)
        order = np.argsort(given)
        names = given[order]
        place = np.empty(len(order), np.int64)
        place[order] = np.arange(len(order))
        return _taken(place, codes[0]), _taken(place[at], codes[1]), names
    names = Labels(objects(united.tolist()))
    return codes[0], _taken(at, codes[1]), names


def _factorized(pandas: Any, series: Any, column: Any) -> tuple[npt.NDArray[Any], Any]:
    """For every row the place of its value among the distinct ones, and those as an Index."""
    try:
        codes, values = pandas.factorize(series, use_na_sentinel=True)
    except TypeError:
        raise UsageError(
            f"from_pandas: column {column!r} has values that are not hashable"
        ) from None
    values = pandas.Index(values, tupleize_cols=False)
    if isinstance(values.dtype, pandas.CategoricalDtype):
        values = values.astype(values.categories.dtype)
    if len(codes) and codes.min() < 0:
        raise _missing(int((codes < 0).argmax()), column)
    if len(values) < 1 << 31:
        codes = codes.astype(np.int32)
    return codes, values


def _taken(table: npt.NDArray[Any], at: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """`table[at]`, in the narrower type that holds vertices."""
    taken: npt.NDArray[Any] = table.astype(at.dtype)[at]
    return taken


def _merged(
    graph: Graph, weights: npt.NDArray[Any], how: np.ufunc
) -> tuple[npt.NDArray[np.int64], npt.NDArray[Any], npt.NDArray[Any]]:
    """Rows of one arc a pair, of parallel arcs what `how` makes of their `weights`."""
    indptr, indices = graph.indptr, graph.indices
    if not len(indices):
        return indptr, indices, weights
    begins = np.empty(len(indices), bool)
    begins[0] = True
    np.not_equal(indices[1:], indices[:-1], out=begins[1:])
    begins[indptr[:-1][graph.degrees > 0]] = True
    first = np.flatnonzero(begins)
    wide = np.int64 if weights.dtype.kind == "i" else weights.dtype
    found = how.reduceat(weights, first, dtype=wide)
    merged = weight_array(found, "from_pandas: sums of weights")
    return np.searchsorted(first, indptr).astype(np.int64), indices[first], merged

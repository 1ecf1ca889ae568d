"""Graphs of NetworkX, read through their adjacency. NetworkX itself is not imported."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from operator import itemgetter
from typing import Any

import numpy as np
import numpy.typing as npt

from gossamer.arguments import texts
from gossamer.errors import InputError, UsageError

from .csr import Graph
from .input import from_csr
from .names import Labels, objects


@dataclass(frozen=True)
class Rows:
    """The nodes of a graph in its own order, and their arcs in the order of its adjacency.

    An undirected edge is two arcs, a self-loop one, a parallel edge others of their own.
    """

    names: Labels
    indptr: npt.NDArray[np.int64]
    indices: npt.NDArray[np.signedinteger[Any]]

    def equal(self, other: Rows) -> bool:
        """Whether both have the same nodes and arcs in the same order."""
        return (
            self.names.listed == other.names.listed
            and np.array_equal(self.indptr, other.indptr)
            and np.array_equal(self.indices, other.indices)
        )


def has_own_neighbours(graph: Any) -> bool:
    """Whether the graph's class overrides how NetworkX finds neighbours, so that _adj does not say
    them."""
    for kind in type(graph).__mro__:
        if kind.__module__.startswith("networkx.classes."):
            return False
        if vars(kind).keys() & {"__getitem__", "adj", "adjacency", "neighbors"}:
            return True
    return False


def _adjacency(graph: Any) -> list[Any]:
    # _adj is plain dicts; the views of .adj take ten times as long. A view of a subgraph may list
    # its nodes and its rows in different orders.
    adjacency = graph._adj
    rows = [adjacency[node] for node in graph]
    if isinstance(adjacency, dict):
        return rows
    # The length of a view's row of parallel edges counts neighbours whose edges are not shown.
    return [dict(row.items()) for row in rows]


def read_rows(graph: Any) -> Rows:
    """Nodes and arcs of a NetworkX graph."""
    rows = _adjacency(graph)
    names = Labels(objects(graph))
    ends: Iterator[Any] = chain.from_iterable(rows)
    if names.listed != list(range(len(rows))):  # which would be their own indices
        ends = map(names.places.__getitem__, ends)
    counts = np.fromiter(map(len, rows), np.int64, len(rows))
    width = np.int32 if len(rows) <= np.iinfo(np.int32).max else np.int64
    indices: npt.NDArray[Any] = np.fromiter(ends, width, int(counts.sum()))
    if graph.is_multigraph():
        keys = chain.from_iterable(row.values() for row in rows)
        parallel = np.fromiter(map(len, keys), np.int64, indices.size)
        before = np.concatenate([[0], np.cumsum(parallel)])
        indices = np.repeat(indices, parallel)
        indptr = before[np.concatenate([[0], np.cumsum(counts)])]
    else:
        indptr = np.concatenate([[0], np.cumsum(counts)])
    return Rows(names, indptr.astype(np.int64, copy=False), indices)


def _data(graph: Any, rows: list[Any]) -> Iterator[dict[Hashable, Any]]:
    """The attributes of each arc."""
    data: Iterator[Any] = chain.from_iterable(row.values() for row in rows)
    return chain.from_iterable(keys.values() for keys in data) if graph.is_multigraph() else data


def _arc_count(graph: Any, rows: list[Any]) -> int:
    if graph.is_multigraph():
        return sum(len(keys) for row in rows for keys in row.values())
    return sum(map(len, rows))


def read_weights(graph: Any, name: Hashable, default: Any = 1) -> npt.NDArray[Any]:
    """An attribute of each arc, in the order of :func:`read_rows`: int64 or float64.

    InputError for values that are no such numbers.
    """
    rows = _adjacency(graph)
    values: list[Any] = []
    if any(_data(graph, rows)):
        try:
            values = list(map(itemgetter(name), _data(graph, rows)))
        except KeyError:
            values = [attributes.get(name, default) for attributes in _data(graph, rows)]
    try:
        array = np.array(values or [default])
    except ValueError:  # lists of different lengths
        array = np.array(None)
    if not values:  # no edge has any attribute, which is found out in a fraction of the time
        array = np.repeat(array, _arc_count(graph, rows))
    if array.ndim == 1 and array.dtype.kind in "bi":
        return array.astype(np.int64)
    if array.ndim == 1 and array.dtype.kind == "f" and array.dtype.itemsize <= 8:
        rounded = _rounded(values, array)
        if rounded is None:
            return array.astype(np.float64)
        raise InputError(
            f"{_where(graph, rows, name, rounded)}: {values[rounded]} is no double, and not all "
            "weights are integers of 64 bits"
        )
    bad = next((i for i, value in enumerate(values) if not _is_weight(value)), None)
    where = f"edge attribute {name!r}" if bad is None else _where(graph, rows, name, bad)
    kinds = sorted({type(value).__name__ for value in values} - {"int", "float"})
    raise InputError(
        f"{where}: weights are numbers of 64 bits" + (f", not {', '.join(kinds)}" if kinds else "")
    )


def _is_weight(value: Any) -> bool:
    try:
        one = np.array(value)
    except ValueError:  # lists of different lengths
        return False
    return one.ndim == 0 and one.dtype.kind in "bif" and one.dtype.itemsize <= 8


def _rounded(values: list[Any], array: npt.NDArray[Any]) -> int | None:
    """The place of an integer that is another one among floats; None where there is none."""
    large = np.isfinite(array) & (np.abs(array) >= 2**53)
    places = np.flatnonzero(large[: len(values)]).tolist()
    return next((i for i in places if int(values[i]) != int(array[i])), None)


def _where(graph: Any, rows: list[Any], name: Hashable, place: int) -> str:
    """Attribute and nodes of the arc at this place among the attributes."""
    multigraph = graph.is_multigraph()
    arcs = (
        (node, other)
        for node, row in zip(graph, rows, strict=True)
        for other, data in row.items()
        for _ in (data if multigraph else (0,))
    )
    source, target = next(islice(arcs, place, None))
    return f"edge attribute {name!r} of {source!r} -> {target!r}"


def _check_some_have(graph: Any, name: Hashable) -> None:
    """UsageError where there are edges, and none has the attribute `name`."""
    rows = _adjacency(graph)
    if any(name in attributes for attributes in _data(graph, rows)) or not _arc_count(graph, rows):
        return
    others = sorted({repr(other) for attributes in _data(graph, rows) for other in attributes})
    listed = ", ".join(others[:5]) + (", …" if len(others) > 5 else "")
    raise UsageError(
        f"from_networkx: weight: no edge has the attribute {name!r}; "
        + (f"edges have {listed}" if others else "edges have none")
    )


def from_networkx(graph: Any, weight: Hashable | None = None, *, name: str = "networkx") -> Graph:
    """A graph with the arcs of a NetworkX graph, and its nodes in its order.

    `weight` names the edge attribute that becomes the arcs' weights; an edge without it weighs 1,
    but some edge must have it, where there are any. An undirected edge is two arcs, a self-loop
    one; parallel edges stay parallel. Rows are sorted. :attr:`Graph.names`, ``name_of`` and
    ``index_of`` speak of the nodes.

    UsageError: not a NetworkX graph, or of a class that overrides neighbours; no edge has `weight`.
    InputError: a graph without nodes, weights that are no numbers of 64 bits, integers among floats
    that doubles do not hold.
    """
    if not all(hasattr(graph, part) for part in ("_adj", "is_directed", "is_multigraph")):
        raise UsageError(f"from_networkx: not a NetworkX graph: {type(graph).__name__}")
    if has_own_neighbours(graph):
        kind = type(graph).__name__
        raise UsageError(f"from_networkx: {kind} has neighbours of its own; make a copy of them")
    texts("from_networkx", name=name)
    rows = read_rows(graph)
    if not rows.names.listed:
        raise InputError("from_networkx: the graph has no nodes")
    if weight is not None:
        _check_some_have(graph, weight)
    weights = None if weight is None else read_weights(graph, weight)
    made = graph_of(rows, weights, None if graph.is_directed() else True, name)
    if not made.sorted:
        # Where the builder puts arcs it sorts their rows.
        made = made.rebuild()
    return made


def graph_of(
    rows: Rows, weights: npt.NDArray[Any] | None, symmetric: bool | None, name: str
) -> Graph:
    """The graph over rows and weights as they are, with the nodes as its names."""
    made = from_csr(rows.indptr, rows.indices, weights, symmetric=symmetric, name=name)
    return Graph(made._kept, rows.names)

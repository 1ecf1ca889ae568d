"""Results by the names of vertices: one, a dict, a Series, a frame."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from gossamer.arguments import imported
from gossamer.errors import UsageError
from gossamer.graph.names import VertexNames
from gossamer.html import table

#: What a line and a notebook show, of the results that have it.
_SHOWN = (
    "source", "reached", "levels", "count", "largest", "modularity", "iterations", "converged",
    "change", "total", "average_clustering", "transitivity", "degeneracy",
    "engine", "ranks_used", "milliseconds",
)  # fmt: skip


class Column(NamedTuple):
    """What a result says of every vertex."""

    values: npt.NDArray[Any]
    #: Where there is a value; None: everywhere.
    known: npt.NDArray[np.bool_] | None = None
    #: Values are vertices, which are given by name.
    vertices: bool = False


class ByName:
    """What results with a value a vertex share.

    Vertices appear by name (:attr:`Graph.names`), those that values are, too. A vertex without a
    value, because it was not reached, has None, or what pandas takes for missing.
    """

    #: Attributes that are arrays of a value a vertex, the result's own first.
    _values_in: ClassVar[tuple[str, ...]]

    def _columns(self) -> dict[str, Column]:
        """By name, the result's own value first."""
        raise NotImplementedError

    def _vertex_names(self) -> VertexNames:
        raise NotImplementedError

    def _shown(self) -> dict[str, Any]:
        """Beside the arrays, what it is asked for first."""
        rows = {n: getattr(self, n) for n in _SHOWN if hasattr(self, n)}
        if "source" in rows:
            rows["source"] = self._as_given(rows["source"])
        return rows

    def _as_given(self, vertex: int) -> Any:
        return self._vertex_names().as_given(vertex)

    def __repr__(self) -> str:
        said = ", ".join(
            f"{name}={value:.4g}" if isinstance(value, float) else f"{name}={value!r}"
            for name, value in self._shown().items()
        )
        return f"{type(self).__name__}({said})"

    def _repr_html_(self) -> str:
        rows = [(name.replace("_", " "), value) for name, value in self._shown().items()]
        return table(type(self).__name__, rows)

    if not TYPE_CHECKING:  # which would then take any attribute

        def __getattr__(self, name: str) -> Any:
            """Only asked for what is not there."""
            kind = type(self)
            # Python's own error, as what asks for protocols expects it; or a property's.
            if name.startswith("_") or hasattr(kind, name):
                return object.__getattribute__(self, name)
            there = " and ".join(map(repr, kind._values_in))
            said = f"{kind.__name__} has no '{name}'; its values are in {there}"
            raise AttributeError(said, name=name, obj=self)

    #: One asks by name; Python would ask for 0, 1, 2 and so on.
    __iter__ = None

    def __getitem__(self, name: Any) -> Any:
        """The value of the vertex called `name`; UsageError when there is none of that name."""
        names = self._vertex_names()
        vertex = names.index(name)
        column = next(iter(self._columns().values()))
        if column.known is not None and not column.known[vertex]:
            return None
        value = column.values[vertex].item()
        return names.of(value) if column.vertices else value

    def to_dict(self) -> dict[Any, Any]:
        """The value of every vertex by name, as Python's own objects."""
        names = self._vertex_names()
        column = next(iter(self._columns().values()))
        values = _values(column, names).tolist()
        if column.known is not None:
            there = column.known.tolist()
            values = [v if known else None for v, known in zip(values, there, strict=True)]
        return dict(zip(names.all.tolist(), values, strict=True))

    def to_series(self) -> Any:
        """The value of every vertex as a pandas Series, with names as its index.

        UsageError where pandas is not installed, here and of :meth:`to_frame`.
        """
        pandas = imported("pandas", "to_series")
        name, column = next(iter(self._columns().items()))
        names = self._vertex_names()
        return pandas.Series(_in_pandas(pandas, column, names), _index(pandas, names), name=name)

    def to_frame(self) -> Any:
        """All that the result says of vertices, a column each, as a pandas DataFrame."""
        pandas = imported("pandas", "to_frame")
        names = self._vertex_names()
        columns = {n: _in_pandas(pandas, c, names) for n, c in self._columns().items()}
        return pandas.DataFrame(columns, _index(pandas, names))


class Paths(ByName):
    """Results with the `source` and, where they were asked for, the `parents` of a search."""

    def path(self, target: Any) -> list[Any]:
        """The vertices of the path that a search found to `target`, from the source on, by name.

        Of a search with parents. UsageError without them, for a vertex that was not reached, and
        for a name that no vertex has.
        """
        found: Any = self
        parents = found.parents
        if parents is None:
            raise UsageError("path: there are no parents; search with parents=True")
        names = self._vertex_names()
        at = names.index(target)
        if parents[at] < 0:
            source = self._as_given(found.source)
            raise UsageError(f"path: {target!r} is not reached from {source!r}")
        path = [at]
        while parents[at] != at:
            at = int(parents[at])
            path.append(at)
        return [names.of(vertex) for vertex in reversed(path)]


def _values(column: Column, names: VertexNames) -> npt.NDArray[Any]:
    """Values of a column, vertices by name; any of them where there is none."""
    if not column.vertices:
        return column.values
    at = column.values if column.known is None else np.where(column.known, column.values, 0)
    taken: npt.NDArray[Any] = names.all[at]
    return taken


def _in_pandas(pandas: Any, column: Column, names: VertexNames) -> Any:
    values = _values(column, names)
    if values.dtype.kind == "u":
        values = values.astype(np.int64)  # differences may be negative
    if column.known is None:
        return values
    if values.dtype.kind in "iu":
        return pandas.arrays.IntegerArray(values.copy(), ~column.known)
    if values.dtype.kind == "f":
        return np.where(column.known, values, np.nan)
    # Taken one by one: a tuple is one name, not a row of several.
    out = values.copy()
    out[~column.known] = None
    return out


def _index(pandas: Any, names: VertexNames) -> Any:
    return pandas.Index(names.all, name="vertex", tupleize_cols=False)

"""What vertices are called: integers, which the library keeps with the graph, or any hashable
objects, which Python keeps beside it."""

from __future__ import annotations

import numbers
import operator
from collections.abc import Hashable, Iterable
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from gossamer.arguments import integer
from gossamer.arrays import id_array
from gossamer.errors import UsageError


class Labels:
    """Hashable names by the integers that the library knows vertices by; shared by graphs that are
    made of each other."""

    def __init__(self, values: npt.NDArray[np.object_]) -> None:
        self.values = values

    def __len__(self) -> int:
        return len(self.values)

    @cached_property
    def listed(self) -> list[Any]:
        """The same as a list."""
        names: list[Any] = self.values.tolist()
        return names

    @cached_property
    def places(self) -> dict[Hashable, int]:
        """The integer of each name."""
        return {name: i for i, name in enumerate(self.listed)}


class VertexNames:
    """The names of a graph's vertices, by index and back.

    They hold no graph: results have them, and leave the graph to whoever else has it.
    """

    def __init__(
        self,
        of: str,
        vertices: int,
        base: int,
        ids: npt.NDArray[np.int64] | None,
        labels: Labels | None,
    ) -> None:
        self._of = of
        self._vertices = vertices
        self._base = base
        self._ids = ids
        self._labels = labels

    @cached_property
    def integers(self) -> npt.NDArray[np.int64]:
        """What the library calls every vertex."""
        if self._ids is None:
            return np.arange(self._base, self._base + self._vertices, dtype=np.int64)
        return self._ids

    @property
    def all(self) -> npt.NDArray[Any]:
        """The name of every vertex: int64, or objects."""
        if self._labels is None:
            return self.integers
        if self._ids is None:
            return self._labels.values
        return self._labels.values[self._ids]

    def of(self, vertex: int) -> Any:
        """The name of the vertex with this index."""
        vertex = integer(vertex, "name_of")
        if not 0 <= vertex < self._vertices:
            raise UsageError(f"{self._of}: no vertex with index {vertex}")
        known = vertex + self._base if self._ids is None else int(self._ids[vertex])
        return known if self._labels is None else self._labels.values[known]

    def as_given(self, vertex: int) -> Any:
        """A vertex as sources are given: its name, or where that is an integer its index."""
        name = self.of(vertex)
        return vertex if is_integer(name) else name

    def index(self, name: Any, what: str = "index_of") -> int:
        """The index of the vertex with this name; UsageError when there is none.

        `what`: who was given what is no name.
        """
        if self._labels is None:
            index = self._place(integer(name, what))
        else:
            try:
                known = self._labels.places.get(name)
            except TypeError:
                raise UsageError(
                    f"{what}: expected a name, which is hashable, got {type(name).__name__}"
                ) from None
            index = -1 if known is None else self._place(known)
        if index < 0:
            raise UsageError(f"{self._of}: no vertex {name!r} ({self._there()})")
        return index

    @cached_property
    def _ascending(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.intp] | None]:
        """The integers in ascending order, and where each stands; None: where it is."""
        ids = self.integers
        if np.all(ids[1:] > ids[:-1]):
            return ids, None
        order = np.argsort(ids, kind="stable")
        return ids[order], order

    def _place(self, known: int) -> int:
        """The index of what the library calls so, -1 when there is none."""
        if self._ids is None:
            return known - self._base if 0 <= known - self._base < self._vertices else -1
        ids, order = self._ascending
        at = int(np.searchsorted(ids, known))
        if at == len(ids) or ids[at] != known:
            return -1
        return at if order is None else int(order[at])

    def _there(self) -> str:
        if self._labels is not None:
            some = ", ".join(repr(self.of(v)) for v in range(min(3, self._vertices)))
            return f"{self._vertices} names: {some}{', …' if self._vertices > 3 else ''}"
        if self._ids is None:
            return f"ids are {self._base} to {self._base + self._vertices - 1}"
        return f"{self._vertices} ids from {self._ids.min()} to {self._ids.max()}"


def is_integer(name: Any) -> bool:
    """Whether `name` is an integer, NumPy's included; True and False are none."""
    if isinstance(name, (bool, np.bool_)):
        return False
    try:
        operator.index(name)
    except TypeError:
        return False
    return True


def _listed(names: Iterable[Any]) -> list[Any]:
    """As a list; UsageError for what cannot be listed, as sparse matrices of some kinds."""
    try:
        if isinstance(names, np.ndarray) and names.ndim > 0:
            inner: list[Any] = names.tolist()
            return inner
        return list(names)
    except (NotImplementedError, TypeError, ValueError):
        raise UsageError(f"names: {type(names).__name__} is no list of names") from None


def objects(names: Iterable[Any]) -> npt.NDArray[np.object_]:
    """`names` as an array of objects; tuples among them stay whole."""
    # NumPy's own scalars become Python's, so that a name is shown as it was written.
    given = _listed(names)
    values = np.empty(len(given), object)
    for i, name in enumerate(given):
        values[i] = name
    return values


def are_names(ends: Any) -> bool:
    """Whether edges' ends are names and no indices: a list or an array whose first is no number."""
    if isinstance(ends, np.ndarray):
        if ends.dtype.kind in "US":
            return True
        if ends.dtype.kind != "O" or ends.ndim != 1:
            return False
    elif not isinstance(ends, (list, tuple)):
        return False
    first = next(iter(ends), 0)
    return not isinstance(first, (numbers.Number, list, np.ndarray, np.bool_))


def numbered_ends(
    u: Any, v: Any, what: str
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], Labels]:
    """Ends of edges as indices, by the order in which names come, and the names."""
    first, second = _listed(u), _listed(v)
    if len(first) != len(second):
        raise UsageError(f"{what}: u has {len(first)} elements, v has {len(second)}")
    places: dict[Hashable, int] = {}
    out = np.empty((2, len(first)), np.int64)
    for i, pair in enumerate(zip(first, second, strict=True)):
        for side, name in enumerate(pair):
            try:
                out[side, i] = places.setdefault(name, len(places))
            except TypeError:
                kind = type(name).__name__
                raise UsageError(f"{what}: edge {i}: a {kind} is not hashable") from None
    if None in places:
        raise UsageError(f"{what}: None is no name")
    return out[0], out[1], Labels(objects(places))


def distinct_names(names: Any, what: str) -> npt.NDArray[np.int64] | Labels:
    """One distinct name a vertex: integers if all of them are, else whatever is hashable.

    UsageError for a name that is not hashable, or that two vertices have.
    """
    if isinstance(names, (str, bytes)) or not isinstance(names, Iterable):
        raise UsageError(f"{what}: names: expected one name a vertex, got {type(names).__name__}")
    if isinstance(names, np.ndarray) and names.ndim != 1:
        raise UsageError(f"{what}: names: expected one dimension, got {names.ndim}")
    if isinstance(names, np.ndarray) and names.dtype.kind in "iu":
        ids = id_array(names, f"{what}: names", "names").astype(np.int64, copy=False)
        order = np.argsort(ids, kind="stable")
        same = np.flatnonzero(np.diff(ids[order]) == 0)
        if same.size:
            one, other = order[same[0]], order[same[0] + 1]
            raise UsageError(f"{what}: names: vertices {one} and {other} are both {ids[one]}")
        return ids
    labels = Labels(objects(names))
    try:
        places = labels.places
    except TypeError:
        at = next(i for i, name in enumerate(labels.values) if not _hashable(name))
        kind = type(labels.values[at]).__name__
        raise UsageError(
            f"{what}: names: vertex {at} has a {kind}, which is not hashable"
        ) from None
    if len(places) != len(labels.values):
        at = next(i for i, name in enumerate(labels.values) if places[name] != i)
        raise UsageError(
            f"{what}: names: vertices {at} and {places[labels.values[at]]} are both "
            f"{labels.values[at]!r}"
        )
    if all(map(is_integer, labels.values)):
        return np.array([integer(name, f"{what}: names") for name in labels.values], np.int64)
    return labels


def _hashable(name: Any) -> bool:
    try:
        hash(name)
    except TypeError:
        return False
    return True

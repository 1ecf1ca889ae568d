"""Graphs in compressed sparse rows: their arrays as NumPy views, and what is done with them."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from gossamer import _gossamer
from gossamer.arguments import (
    flags,
    instance,
    integer,
    memory_bytes,
    path_text,
    texts,
    thread_count,
)
from gossamer.errors import InputError, NamesWarning, UsageError
from gossamer.html import table

from .names import Labels, VertexNames, is_integer
from .statistics import PartitionQuality, Statistics, partition_quality, statistics

if TYPE_CHECKING:
    from gossamer.machine import Machine


class GraphFacts:
    """Name, size and origin, by the library's own object."""

    if TYPE_CHECKING:

        @property
        def _facts(self) -> _gossamer.Graph | _gossamer.PlacedGraph: ...

    @property
    def name(self) -> str:
        """File name without its folder, or generator spec."""
        return self._facts.name

    @property
    def vertices(self) -> int:
        """Number of vertices n."""
        return self._facts.vertices

    @property
    def arcs(self) -> int:
        """Number of stored arcs: an undirected edge counts twice, a self-loop once."""
        return self._facts.arcs

    @property
    def symmetric(self) -> bool:
        """True when (u, v) is stored as often as (v, u), with the same weights."""
        return self._facts.symmetric

    @property
    def steps(self) -> list[str]:
        """Transformations applied so far, in words."""
        return self._facts.steps


class Graph(GraphFacts):
    """An immutable graph in compressed sparse rows.

    Made by :func:`read`, the functions ``from_…`` and the generators. Vertices are indexed from 0;
    ``name_of`` and ``index_of`` translate to and from the ids of the file, or the names given.
    """

    def __init__(self, handle: _gossamer.Graph, labels: Labels | None = None) -> None:
        self._kept = handle
        self._labels = labels

    @property
    def _facts(self) -> _gossamer.Graph:
        """Whatever it is made of, for what is known of it; InputError when the file that holds it
        was changed."""
        self._kept.check_file()
        return self._kept

    @property
    def _handle(self) -> _gossamer.Graph:
        """What the host works on: a copy of a graph that lies on a GPU, made by the first use."""
        return self._copy if self._kept.gpu >= 0 else self._facts

    @cached_property
    def _copy(self) -> _gossamer.Graph:
        return _gossamer.on_host(self._kept)

    def _on(self, machine: Machine, as_it_is: bool = True) -> _gossamer.Graph:
        """What runs on `machine` work on: the arrays of a graph that lies on its only GPU, if they
        serve `as_it_is`; else the host's."""
        if as_it_is and self._kept.gpu >= 0 and machine._is_gpu(self._kept.gpu):
            return self._kept
        return self._handle

    def to(self, device: str) -> Graph:
        """The graph in host memory: a copy of one that lies on a GPU, else the graph itself.

        `device` is ``"host"``, UsageError otherwise. Nothing needs this step: what works on the
        host makes the copy by itself (:attr:`device`).
        """
        if instance(device, str, "to: device", "text") != "host":
            raise UsageError(f"to: a graph is copied to 'host', not to '{device}'")
        return Graph(self._copy, self._labels) if self._kept.gpu >= 0 else self

    @property
    def device(self) -> str:
        """Where the arrays lie: ``host``, or ``cuda:K`` of a graph made from arrays there.

        Such a graph is searched on that GPU as it is. What needs the host (`indptr`, `indices`,
        `weights`, verifying, writing, statistics, METIS, engines but each algorithm's usual one,
        parents of `sssp`, other machines) works on a copy, which the first such use makes.
        """
        return "host" if self._kept.gpu < 0 else f"cuda:{self._kept.gpu}"

    # --- facts --------------------------------------------------------------------------------

    @property
    def format(self) -> str | None:
        """The file format that it was read as, a name of :func:`formats`; None if it was not."""
        return self._facts.format or None

    @property
    def edges(self) -> int:
        """Edges as Graph500 counts them: the arcs, half of them (rounded down) if symmetric."""
        return self.arcs // 2 if self.symmetric else self.arcs

    @property
    def directed(self) -> bool:
        """Not symmetric."""
        return not self.symmetric

    @property
    def sorted(self) -> bool:
        """True when every row is ascending."""
        return self._facts.sorted

    @property
    def weighted(self) -> bool:
        """True when arcs have weights."""
        return self._facts.weighted

    @property
    def weight_source(self) -> str:
        """Where weights came from: ``none``, ``file``, ``generated: …`` or ``caller``."""
        return self._facts.weight_source

    @property
    def id_width(self) -> int:
        """Bytes of an id in `indices`: 4 or 8."""
        return self._facts.id_width

    def __repr__(self) -> str:
        kind = "directed" if self.directed else "undirected"
        return f"Graph({self.name!r}, {self.vertices} vertices, {self.edges} {kind} edges)"

    def _repr_html_(self) -> str:
        rows = [
            ("vertices", self.vertices),
            ("edges", self.edges),
            ("directed", self.directed),
            ("weights", self.weight_source),
            ("device", self.device),
            *(("step", step) for step in self.steps),
        ]
        return table(f"Graph {self.name}", rows)

    def __len__(self) -> int:
        """Number of vertices."""
        return self.vertices

    def __contains__(self, name: Any) -> bool:
        """Whether a vertex is called `name`."""
        try:
            self.index_of(name)
        except UsageError:
            return False
        return True

    def __copy__(self) -> Graph:
        return self  # it never changes

    def __deepcopy__(self, memo: Any) -> Graph:
        return self

    def __reduce__(self) -> Any:
        """Pickles the arrays, as the host has them, with names and origin."""
        facts = self._handle
        return _unpickled, (
            (self.indptr, self.indices, self.weights, self.sorted, self.symmetric, self.name),
            (facts.format, self.weight_source, self.steps),
            (facts.name_base, facts.name_map()),
            None if self._labels is None else self._labels.values,
        )

    # --- arrays, without copies -----------------------------------------------------------------

    @cached_property
    def indptr(self) -> npt.NDArray[np.int64]:
        """Row v is ``indices[indptr[v]:indptr[v + 1]]``; n + 1 entries, read-only, no copy."""
        return self._handle.indptr()

    @cached_property
    def indices(self) -> npt.NDArray[np.signedinteger[Any]]:
        """Target of every arc, int32 or int64, read-only, no copy."""
        return self._handle.indices()

    @cached_property
    def weights(self) -> npt.NDArray[Any] | None:
        """Weight of every arc (int32, float32 or float64), read-only, no copy; None without."""
        return self._handle.weights()

    @property
    def degrees(self) -> npt.NDArray[np.int64]:
        """Out-degree of every vertex (a new array)."""
        return np.diff(self.indptr)

    # --- names ----------------------------------------------------------------------------------

    @cached_property
    def _vertex_names(self) -> VertexNames:
        facts = self._facts
        return VertexNames(
            self.name, self.vertices, facts.name_base, facts.name_map(), self._labels
        )

    @property
    def names(self) -> npt.NDArray[Any]:
        """The name of every vertex: int64, or an array of objects where names are not integers."""
        return self._vertex_names.all

    def name_of(self, vertex: int) -> Any:
        """The name of the vertex with this index: the file's own id, or what `names` gave."""
        return self._vertex_names.of(vertex)

    def index_of(self, name: Any) -> int:
        """Index of the vertex called `name`; UsageError when there is none."""
        return self._vertex_names.index(name)

    def _vertex(self, x: Any, what: str) -> int:
        """`x` as an index: an integer is one, anything else is a name where names are not integers.

        So an integer means the same whatever vertices are called.
        """
        if self._labels is None or isinstance(x, (bool, np.bool_)) or is_integer(x):
            index = integer(x, what)
            if not 0 <= index < self.vertices and index in self:
                raise UsageError(
                    f"{what}: no vertex with index {index}, but one of that name: "
                    f"graph.index_of({index})"
                )
            return index
        return self._vertex_names.index(x, what)

    @contextmanager
    def _naming_arcs(self) -> Iterator[None]:
        """Around what may refuse an arc: errors have the graph's names in place of the library's
        integers."""
        try:
            yield
        except InputError as error:
            if error.arc is None or self._labels is None:
                raise
            source, target = map(self.name_of, error.arc)
            before, after = error._around_arc
            named = InputError(f"{before}{source!r} -> {target!r}{after}")
            named.arc = error.arc
            raise named from None

    def _named(self, names: npt.NDArray[np.int64] | Labels | None) -> Graph:
        """This graph, new and not in use yet, with these names; UsageError unless one a vertex."""
        if names is None:
            return self
        if len(names) != self.vertices:
            raise UsageError(f"{self.name}: {len(names)} names for {self.vertices} vertices")
        if isinstance(names, Labels):
            return Graph(self._kept, names)
        first = int(names[0])
        consecutive = bool(np.all(np.diff(names) == 1))
        return Graph(self._kept.named(first if consecutive else 0, None if consecutive else names))

    # --- other graphs ---------------------------------------------------------------------------

    def rebuild(
        self,
        *,
        symmetrize: bool = False,
        deduplicate: bool = False,
        remove_self_loops: bool = False,
        threads: int = 0,
        memory: int | str | None = None,
    ) -> Graph:
        """The graph after these steps (see :func:`read`).

        memory: limit of this graph and the work together; CapacityError before it is exceeded.
        """
        flags(
            "rebuild", symmetrize=symmetrize, deduplicate=deduplicate,
            remove_self_loops=remove_self_loops,
        )  # fmt: skip
        return Graph(
            _gossamer.rebuild(
                self._handle,
                symmetrize,
                deduplicate,
                remove_self_loops,
                thread_count(threads, "rebuild"),
                memory_bytes(memory),
            ),
            self._labels,
        )

    def largest_component(self, *, threads: int = 0, memory: int | str | None = None) -> Graph:
        """The subgraph of the largest (weakly) connected component; names are kept.

        memory: as for :meth:`rebuild`.
        """
        count = thread_count(threads, "largest_component")
        largest = _gossamer.largest_component(self._handle, count, memory_bytes(memory))
        return Graph(largest, self._labels)

    def transposed(self) -> Graph:
        """Every arc reversed; shares memory when symmetric."""
        return Graph(self._handle.transposed(), self._labels)

    def validate(self) -> None:
        """Checks every structural promise; InputError names the first violation."""
        self._handle.validate()

    def statistics(
        self,
        *,
        strong: bool = True,
        triangles: bool = False,
        threads: int = 0,
        memory: int | str | None = None,
    ) -> Statistics:
        """Degrees, self-loops, parallel arcs, components and weights; triangles when asked for.

        memory: as for :meth:`rebuild`.
        """
        return statistics(self, strong=strong, triangles=triangles, threads=threads, memory=memory)

    def count_triangles(self, *, threads: int = 0) -> int:
        """Triangles of the undirected simple graph, exactly.

        Directions, self-loops and parallel arcs do not matter. Takes O(m^1.5) time whatever the
        hubs are, an id an edge and 16 bytes a vertex of memory, and sorted rows (UsageError).
        """
        return _gossamer.count_triangles(
            self._handle, thread_count(threads, "count_triangles"), None
        )

    def partition(
        self, method: str, parts: int, *, memory: int | str | None = None
    ) -> npt.NDArray[np.int32]:
        """Part of every vertex by ``ranges``, ``edges`` (balanced), ``hash``, ``metis``.

        memory: as for :meth:`rebuild`.
        """
        count = integer(parts, "partition: parts", 1 << 31)
        texts("partition", method=method)
        return _gossamer.partition(self._handle, method, count, memory_bytes(memory))

    def partition_quality(
        self, part_of: npt.ArrayLike, parts: int, *, memory: int | str | None = None
    ) -> PartitionQuality:
        """Cut, balance and halo of a partition.

        memory: as for :meth:`rebuild`.
        """
        return partition_quality(self, part_of, parts, memory=memory)

    # --- what is kept -----------------------------------------------------------------------------

    def forget(self) -> None:
        """Drops what calls on this graph left for later ones (:func:`cache`)."""
        _gossamer.forget(self._kept)
        if "_copy" in self.__dict__:
            _gossamer.forget(self._copy)

    # --- out --------------------------------------------------------------------------------------

    def write(self, path: str | os.PathLike[str], format: str = "auto") -> None:
        """Writes the graph; `format` by the suffix unless given (see :func:`formats`).

        Names that are not integers are left out, and NamesWarning says so: vertices have their
        indices there (a pickle keeps names). The file appears whole or not at all; a pipe or a
        device is refused. UsageError for a path that cannot be written, Error when writing failed.
        """
        texts("write", format=format)
        _gossamer.write(self._handle, path_text(path, "write: path"), format)
        if self._labels is not None:
            warnings.warn(
                f"{os.fspath(path)!s} has indices in place of names: no format keeps names that "
                "are no integers (a pickle does)",
                NamesWarning, stacklevel=2,
            )  # fmt: skip

    def to_scipy(self) -> Any:
        """As ``scipy.sparse.csr_array``: indices and weights shared, indptr narrowed when it fits.

        Entries are the weights, or ones (int32) for graphs without.
        """
        from scipy.sparse import csr_array

        indptr: npt.NDArray[Any] = self.indptr
        if self.id_width == 4 and self.arcs <= np.iinfo(np.int32).max:
            indptr = indptr.astype(np.int32)
        data = self.weights
        if data is None:
            data = np.ones(self.arcs, dtype=np.int32)
        matrix = csr_array(
            (data, self.indices, indptr), shape=(self.vertices, self.vertices), copy=False
        )
        if self.sorted:
            matrix.has_sorted_indices = True
        return matrix


def _unpickled(arrays: Any, origin: Any, names: Any, labels: Any) -> Graph:
    """The graph that was pickled; InputError for arrays that are no graph."""
    handle = _gossamer.from_csr(*arrays).described(*origin).named(*names)
    return Graph(handle, None if labels is None else Labels(labels))

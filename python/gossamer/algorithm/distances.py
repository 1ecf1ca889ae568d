"""Distances by arcs from many vertices: closeness, harmonic centrality, eccentricities, the
diameter, and depths themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, TypedDict, Unpack

import numpy as np
import numpy.typing as npt

from gossamer import _gossamer
from gossamer.arguments import flags, imported, instance, integer, number
from gossamer.arrays import number_array, plain_array
from gossamer.errors import UsageError, VerificationError
from gossamer.graph import Graph
from gossamer.graph.shape import GraphShape
from gossamer.machine import Machine, chosen_machine
from gossamer.machine.placed_graph import PlacedGraph
from gossamer.machine.plans import MemoryPlan
from gossamer.trace import Trace

from .by_name import Column
from .options import defaults, spelled_out
from .prepared import Prepared, ValuesResult, run_verifier, vertex_numbers, vertices_of

Indices = npt.NDArray[np.int64]


@dataclass(frozen=True, repr=False)
class DistancesResult(ValuesResult):
    """Numbers of vertices by their distances to others, which are counted in arcs."""

    _arrays: ClassVar[tuple[str, ...]] = ("eccentricities", "reached", "sums", "reciprocals")
    _values_in: ClassVar[tuple[str, ...]] = ("values", "depths")

    #: ``sums``, ``closeness``, ``harmonic``, ``eccentricity`` or ``diameter``: what `values` are.
    measure: str
    #: The graph's.
    vertices: int
    #: Indices of the vertices that numbers are of, in their order; None: of all vertices.
    sources: Indices | None
    #: Of each source the vertices at some distance, itself included; None, here and of the others,
    #: where another measure was asked for.
    reached: npt.NDArray[np.int64] | None
    #: … the sum of their distances.
    sums: npt.NDArray[np.int64] | None
    #: … the sum of 1 / distance of all but itself.
    reciprocals: npt.NDArray[np.float64] | None
    #: … the largest distance.
    eccentricities: npt.NDArray[np.int32] | None
    #: Indices of the vertices that `depths` lead to.
    targets: Indices | None
    #: A row a source and a column a target: the distance, -1 where there is no path; None where it
    #: was not asked for. As narrow as the depths allow.
    depths: npt.NDArray[np.signedinteger[Any]] | None
    #: The largest eccentricity of the sources: of all vertices the diameter, of a graph in several
    #: components the largest of theirs. -1 without sources.
    diameter: int
    #: Index of a source that has it, -1 without any.
    end: int
    #: Whether each source that was searched from met all vertices: of all vertices, that the graph
    #: is connected, along the directions of arcs.
    all_reached: bool
    #: Sources that were searched from: bounds save most, and vertices without arcs need none.
    searches: int
    #: … one by one, because those that would have gone together shared next to nothing; on GPUs
    #: none.
    alone: int
    #: Of closeness, whether it is scaled by the part of the graph that is reached.
    wf_improved: bool
    #: Rows to numbers, slowest rank.
    milliseconds: float
    #: Milliseconds by phase: search, bounds. reverse, reversing arcs, and order, finding which
    #: sources are near each other, are not part of `milliseconds`, and 0 where an earlier call left
    #: them. Nor is collect of GPUs, bringing depths to the host.
    phases: dict[str, float]

    def _of(self, what: str) -> npt.NDArray[Any]:
        array = getattr(self, what)
        if array is None:
            raise UsageError(f"{what}: this result is of measure '{self.measure}'")
        found: npt.NDArray[Any] = array
        return found

    @cached_property
    def closeness(self) -> npt.NDArray[np.float64]:
        """Of each source, others reached by the sum of their distances; 0 where there is none."""
        sums, others = self._of("sums"), self._of("reached") - 1.0
        out = np.zeros(sums.size)
        np.divide(others, sums, out=out, where=sums > 0)
        if self.wf_improved and self.vertices > 1:
            out *= others / (self.vertices - 1)
        return out

    @property
    def harmonic(self) -> npt.NDArray[np.float64]:
        """Of each source, the sum of 1 / distance of all others that are reached."""
        return self._of("reciprocals")

    @property
    def values(self) -> npt.NDArray[Any]:
        """What `measure` says of each source. UsageError of the diameter, which is of none."""
        if self.measure in ("closeness", "harmonic"):
            found: npt.NDArray[Any] = getattr(self, self.measure)
            return found
        return self._of("sums" if self.measure == "sums" else "eccentricities")

    @property
    def radius(self) -> int:
        """The smallest eccentricity of the sources; -1 without any."""
        found = self._of("eccentricities")
        return int(found.min()) if found.size else -1

    def _with(self, eccentricity: int) -> Indices:
        at = np.flatnonzero(self._of("eccentricities") == eccentricity)
        return at if self.sources is None else self.sources[at]

    @property
    def center(self) -> Indices:
        """Indices of the sources of the smallest eccentricity."""
        return self._with(self.radius)

    @property
    def periphery(self) -> Indices:
        """Indices of the sources of the largest eccentricity."""
        return self._with(self.diameter)

    def __getitem__(self, name: Any) -> Any:
        """As of all results; with depths from one source, the depth of the target called `name`.

        UsageError for a name that is no vertex, or none of the targets.
        """
        found = super().__getitem__(name)
        ends = self.targets
        if found is None and ends is not None and self._vertex_names().index(name) not in ends:
            raise UsageError(f"distances: {name!r} is none of the targets")
        return found

    def to_dict(self) -> dict[Any, Any]:
        """As of all results; with depths from one source, the depths of the targets alone."""
        every = super().to_dict()
        if self.targets is None:
            return every
        return {name: every[name] for name in self._vertex_names().all[self.targets].tolist()}

    def to_series(self) -> Any:
        """As :meth:`to_dict`, a pandas Series."""
        every = super().to_series()
        return every if self.targets is None else every.iloc[self.targets]

    def to_frame(self) -> Any:
        """Depths as a pandas DataFrame, where there are any: a row a source and a column a target,
        by name, -1 where there is no path. Else what `measure` says of each vertex.

        UsageError where pandas is not installed.
        """
        if self.depths is None or self.targets is None:
            return super().to_frame()
        pandas = imported("pandas", "to_frame")
        names = self._vertex_names().all
        rows = names if self.sources is None else names[self.sources]
        return pandas.DataFrame(
            self.depths,
            pandas.Index(rows, name="source", tupleize_cols=False),
            pandas.Index(names[self.targets], name="target", tupleize_cols=False),
        )

    def _columns(self) -> dict[str, Column]:
        if self.depths is not None and self.targets is not None:
            if len(self.depths) != 1:
                raise UsageError(
                    f"distances: there are depths from {len(self.depths)} sources, and a vertex "
                    "has one of each: take to_frame(), or depths"
                )
            row = np.zeros(self.vertices, self.depths.dtype)
            met = np.zeros(self.vertices, np.bool_)
            row[self.targets], met[self.targets] = self.depths[0], self.depths[0] >= 0
            return {"depth": Column(row, met)}
        values = self.values
        if self.sources is None:
            return {self.measure: Column(values)}
        all_of = np.zeros(self.vertices, values.dtype)
        known = np.zeros(self.vertices, np.bool_)
        all_of[self.sources], known[self.sources] = values, True
        return {self.measure: Column(all_of, known)}

    def _shown(self) -> dict[str, Any]:
        rows = super()._shown()
        rows.pop("reached", None)
        mine = {n: getattr(self, n) for n in ("measure", "diameter", "all_reached", "searches")}
        return mine | rows


class DistancesOptions(TypedDict, total=False):
    """Those of :class:`DistancesSearch`."""

    engine: str
    measure: str
    inward: bool
    memory: int | str | None
    timeout: float | None
    trace: Trace | str | Path | None


class RunOptions(TypedDict, total=False):
    """Those of the functions of one measure."""

    engine: str
    memory: int | str | None
    timeout: float | None
    trace: Trace | str | Path | None


_usual = defaults("distances")
_explicit = spelled_out(DistancesOptions, _usual)


class DistancesSearch(Prepared):
    """Prepared for a graph on a machine, run any number of times.

    Weights do not count. measure: ``sums``, which gives all numbers of a source; ``eccentricity``,
    which of all vertices of an undirected graph takes far fewer searches; ``diameter``, which takes
    fewer still. inward: distances to the sources, along arcs, in place of those from them. engine:
    ``auto``, or one of ``gossamer.engines("distances")``. memory: bytes that each device may be
    asked for, ``"device=3G"`` of GPUs alone. timeout: seconds that a run, or a wait for a silent
    rank, may last. trace: records every run; of the function a path, too. All ranks read the same
    rows, so there is no partition; of several GPUs one finds bounds.

    UsageError: an engine or a measure that does not exist. NotCompiled: ranks that are processes.
    """

    _algorithm = "distances"
    _make = _gossamer.make_distances_search
    _plan = _gossamer.plan_distances
    _handle: _gossamer.DistancesSearch

    @_explicit
    def __init__(
        self,
        graph: Graph | PlacedGraph,
        machine: Machine | str | None = None,
        **options: Unpack[DistancesOptions],
    ) -> None:
        self._handle = self._prepare(graph, machine, options)
        self._measure = options.get("measure", _usual["measure"])

    def run(self, sources: Any = None, targets: Any = None) -> DistancesResult:
        """Searches from `sources`, vertices in any order, or from all of them. With `targets` the
        result has depths from each of the first to each of the others.

        UsageError for one that is no vertex; CapacityError where there is no room for the depths.
        """
        of = "distances"
        starts = None if sources is None else _vertices(self.graph, sources, f"{of}: sources")
        ends = None if targets is None else _vertices(self.graph, targets, f"{of}: targets")
        every = starts
        if ends is not None and starts is None:
            every = np.arange(self.graph.vertices)
        distinct, column = ends, None
        if ends is not None and not np.all(ends[1:] > ends[:-1]):
            distinct, column = np.unique(ends, return_inverse=True)
        raw = self._named(self._handle.run(every, distinct))
        depths = raw.pop("_depths")
        if depths is not None and distinct is not None:
            depths = depths.reshape(len(raw["eccentricities"]), distinct.size)
            if column is not None:
                depths = depths[:, column]
        return DistancesResult(
            **raw, measure=self._measure, vertices=self.graph.vertices, sources=starts,
            targets=ends, depths=depths, wf_improved=True, work=None,
        )  # fmt: skip

    @classmethod
    def _chosen(
        cls, graph: Graph, machine: Machine | str | None, options: Mapping[str, Any]
    ) -> tuple[Machine, str]:
        """Bounds of the diameter go by few searches at a time."""
        measure = options.get("measure")  # not checked yet
        by_bounds = isinstance(measure, str) and measure == "diameter"
        asked = "diameter" if by_bounds else cls._algorithm
        return chosen_machine(asked, graph, machine, options)

    @classmethod
    @_explicit
    def plan(
        cls,
        graph: Graph | GraphShape,
        machine: Machine | str | None = None,
        **options: Unpack[DistancesOptions],
    ) -> MemoryPlan:
        """What a run takes beside the graph, but for depths."""
        return cls._planned(graph, machine, options)


def _vertices(graph: Graph, given: Any, what: str) -> Indices:
    """Their indices, which are checked."""
    array = vertices_of(graph, given, what)
    bad = np.flatnonzero((array < 0) | (array >= graph.vertices))
    if bad.size:
        raise UsageError(
            f"{what}: {int(array[bad[0]])} is no vertex: the graph has {graph.vertices}"
        )
    return array


@spelled_out(DistancesOptions, _usual, DistancesSearch)
def distances(
    graph: Graph | PlacedGraph,
    sources: Any,
    targets: Any = None,
    machine: Machine | str | None = None,
    **options: Unpack[DistancesOptions],
) -> DistancesResult:
    """Distances by arcs between vertices: `depths`, a row for each of `sources` and a column for
    each of `targets`, or for every vertex. With a measure other than ``sums`` numbers alone.

    NetworkX: ``all_pairs_shortest_path_length``.

    `machine` is a :class:`Machine`, a spec, or None for ``auto``; a placed graph brings its
    machine. The options are those of :class:`DistancesSearch`.
    """

    def run(search: DistancesSearch) -> DistancesResult:
        alone = targets is None and options.get("measure", _usual["measure"]) != "sums"
        ends = np.arange(search.graph.vertices) if targets is None and not alone else targets
        return search.run(sources, ends)

    return DistancesSearch._once(graph, machine, options, run)


def _numbers(
    graph: Any, machine: Machine | str | None, options: Mapping[str, Any], vertices: Any,
    measure: str, **more: Any,
) -> DistancesResult:  # fmt: skip
    searched = measure if measure in ("eccentricity", "diameter") else "sums"
    how = {**options, "measure": searched, "inward": more.pop("inward", False)}

    def run(search: DistancesSearch) -> DistancesResult:
        if vertices is None:
            return search.run()
        return search.run(_vertices(search.graph, vertices, f"{measure}: vertices"))

    found = DistancesSearch._once(graph, machine, how, run)
    return replace(found, measure=measure, **more)


@spelled_out(RunOptions, _usual)
def closeness(
    graph: Graph | PlacedGraph,
    machine: Machine | str | None = None,
    *,
    vertices: Any = None,
    inward: bool = True,
    wf_improved: bool = True,
    **options: Unpack[RunOptions],
) -> DistancesResult:
    """The closeness centrality of all vertices, or of some: others that reach a vertex, by the sum
    of their distances, as NetworkX has it.

    NetworkX: ``closeness_centrality``.

    inward: distances to the vertices, along arcs; False: from them. wf_improved: times the part of
    the other vertices that reach it, so that components of several sizes compare (Wasserman and
    Faust). The other options are those of :class:`DistancesSearch`.
    """
    flags("closeness", wf_improved=wf_improved)
    return _numbers(
        graph, machine, options, vertices, "closeness", inward=inward, wf_improved=wf_improved
    )


@spelled_out(RunOptions, _usual)
def harmonic(
    graph: Graph | PlacedGraph,
    machine: Machine | str | None = None,
    *,
    vertices: Any = None,
    inward: bool = True,
    **options: Unpack[RunOptions],
) -> DistancesResult:
    """The harmonic centrality of all vertices, or of some: the sum of 1 / distance of all others
    that reach a vertex, as NetworkX has it.

    NetworkX: ``harmonic_centrality``.

    inward: distances to the vertices, along arcs; False: from them. The other options are those of
    :class:`DistancesSearch`.
    """
    return _numbers(graph, machine, options, vertices, "harmonic", inward=inward)


@spelled_out(RunOptions, _usual)
def eccentricity(
    graph: Graph | PlacedGraph,
    machine: Machine | str | None = None,
    *,
    vertices: Any = None,
    inward: bool = False,
    **options: Unpack[RunOptions],
) -> DistancesResult:
    """The eccentricity of all vertices, or of some: the largest distance from a vertex to one that
    it reaches. Of all vertices the result has radius, diameter, center and periphery, too.

    NetworkX: ``eccentricity``, ``radius``, ``center``, ``periphery``.

    inward: distances to the vertices. `all_reached` says whether they are those of the whole graph,
    or each of its component. Of an undirected graph bounds save most searches. The other options
    are those of :class:`DistancesSearch`.
    """
    return _numbers(graph, machine, options, vertices, "eccentricity", inward=inward)


@spelled_out(RunOptions, _usual)
def diameter(
    graph: Graph | PlacedGraph,
    machine: Machine | str | None = None,
    **options: Unpack[RunOptions],
) -> DistancesResult:
    """The largest distance between two vertices that reach each other, and a vertex, `end`, that
    has another so far.

    NetworkX: ``diameter``.

    `all_reached` says whether it is the diameter of the whole graph, or the largest of its
    components. The options are those of :class:`DistancesSearch`.
    """
    return _numbers(graph, machine, options, None, "diameter")


_KINDS = ("reached", "sums", "closeness", "harmonic", "eccentricity")


def verify_distances(
    graph: Graph,
    values: Any,
    kind: str,
    *,
    sources: Any = None,
    inward: bool = False,
    wf_improved: bool = True,
    samples: int = 0,
    timeout: float | None = None,
) -> None:
    """Checks numbers of vertices, or of `sources`, whoever made them, by a search of its own from
    each: `kind` is one of ``reached``, ``sums``, ``closeness``, ``harmonic`` and ``eccentricity``.

    samples: search from so many of them alone, evenly spread; 0: from all. VerificationError names
    the first violation, in the file's own vertex ids; Timeout after `timeout` seconds.
    """
    of = "verify_distances"
    instance(graph, Graph, f"{of}: graph")
    flags(of, inward=inward, wf_improved=wf_improved)
    if instance(kind, str, f"{of}: kind", "text") not in _KINDS:
        raise UsageError(f"{of}: kind: '{kind}' is none of {', '.join(_KINDS)}")
    array = np.ascontiguousarray(number_array(values, f"{of}: values"), np.float64)
    starts = np.arange(graph.vertices) if sources is None else sources
    starts = _vertices(graph, starts, f"{of}: sources")
    number = integer(samples, f"{of}: samples")
    wide = "wide_closeness" if kind == "closeness" and wf_improved else kind
    run_verifier(
        f"{kind} of {graph.name}", of, timeout,
        lambda limit: _gossamer.verify_distances(
            graph._handle, wide, inward, starts, array, number, limit
        ),
    )  # fmt: skip


def verify_depths(
    graph: Graph, sources: Any, depths: Any, *, inward: bool = False, timeout: float | None = None
) -> None:
    """Checks depths from sources to all vertices, whoever made them, a row each: a source is its
    own at 0, no arc leads further than one on, and whoever is at d > 0 has an arc from d - 1.

    VerificationError names the first violation, in the file's own vertex ids; Timeout after
    `timeout` seconds.
    """
    of = "verify_depths"
    instance(graph, Graph, f"{of}: graph")
    flags(of, inward=inward)
    starts = _vertices(graph, sources, f"{of}: sources")
    rows = plain_array(depths, f"{of}: depths")
    if rows.dtype.kind not in "iu" or rows.shape != (starts.size, graph.vertices):
        raise VerificationError(
            f"depths of {graph.name}: not {starts.size} rows of {graph.vertices} whole numbers"
        )
    flat = np.ascontiguousarray(rows, np.int32).reshape(-1)
    run_verifier(
        f"depths of {graph.name}", of, timeout,
        lambda limit: _gossamer.verify_depths(graph._handle, inward, starts, flat, limit),
    )  # fmt: skip


def compare_numbers(graph: Graph, values: Any, expected: Any, *, tolerance: float = 1e-9) -> None:
    """Compares numbers of all vertices with somebody else's; they may differ by `tolerance` of
    those.

    VerificationError names the first vertex whose numbers differ, in the file's own ids; UsageError
    for an array that is none of numbers.
    """
    instance(graph, Graph, "compare_numbers: graph")
    of = f"numbers of {graph.name}"
    ours = vertex_numbers(graph, values, "compare_numbers: values", of)
    theirs = vertex_numbers(graph, expected, "compare_numbers: expected", of)
    close = number(tolerance, "compare_numbers: tolerance")
    different = np.flatnonzero(~np.isclose(ours, theirs, rtol=close, atol=0))
    if different.size:
        v = int(different[0])
        raise VerificationError(
            f"{of}: vertex {graph.name_of(v)} has {ours[v]}, expected {theirs[v]}"
        )

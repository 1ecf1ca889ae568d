"""Betweenness centrality: the share of shortest paths that lead through a vertex, or an edge."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, TypedDict, Unpack

import numpy as np
import numpy.typing as npt

from gossamer import _gossamer
from gossamer.arguments import flags, imported, instance, number, shown
from gossamer.arrays import number_array
from gossamer.errors import UsageError, VerificationError
from gossamer.graph import Graph
from gossamer.graph.shape import GraphShape
from gossamer.machine import Machine
from gossamer.machine.placed_graph import PlacedGraph
from gossamer.machine.plans import MemoryPlan
from gossamer.trace import Trace

from .by_name import Column
from .options import defaults, spelled_out
from .prepared import Prepared, ValuesResult, run_verifier, vertices_of

_ALGORITHM = "betweenness"


@dataclass(frozen=True, kw_only=True, repr=False)
class BetweennessResult(ValuesResult):
    """Betweenness of vertices."""

    _arrays: ClassVar[tuple[str, ...]] = ("scores",)

    #: Sources of shortest paths: all vertices, samples, or those that were given.
    searches: int
    #: Of them those whose numbers of paths passed a double's range.
    rescaled: int
    #: The sources, as indices; empty: all vertices.
    sources: npt.NDArray[np.int64]
    #: Rows to scores, slowest rank.
    milliseconds: float
    #: Milliseconds by phase: search, collect. reverse, reversing arcs, and lay out, renumbering
    #: them and dropping parallel ones, are not part of `milliseconds`, and 0 where an earlier call
    #: left them.
    phases: dict[str, float]

    @cached_property
    def scores(self) -> npt.NDArray[np.float64]:
        """The score of each vertex. NaN of the one source of a run without `endpoints`, of which
        nothing is known."""
        return self._here()

    def _columns(self) -> dict[str, Column]:
        return {"betweenness": Column(self.scores)}

    def _shown(self) -> dict[str, Any]:
        return {"searches": self.searches} | super()._shown()


@dataclass(frozen=True, kw_only=True, repr=False)
class EdgeBetweennessResult(BetweennessResult):
    """Betweenness of edges. Beside `scores` there are :attr:`tails`, :attr:`heads` and
    :meth:`named_edges`; there is none by a vertex's name."""

    _graph: Graph | None = None

    @cached_property
    def scores(self) -> npt.NDArray[np.float64]:
        """The score of each arc, in the graph's order. Both arcs of an undirected edge have its
        score; parallel arcs share it evenly."""
        return self._here()

    @cached_property
    def _edges(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[Any], npt.NDArray[Any]]:
        """Arcs, tails and heads; of an undirected graph from smaller to larger vertices."""
        assert self._graph is not None
        heads = np.asarray(self._graph.indices)
        tails = np.repeat(np.arange(self._graph.vertices, dtype=heads.dtype), self._graph.degrees)
        taken = tails <= heads if self._graph.symmetric else np.ones(heads.size, bool)
        return np.flatnonzero(taken), tails[taken], heads[taken]

    @property
    def arcs(self) -> npt.NDArray[np.int64]:
        """Of each edge one arc: its place among the graph's."""
        return self._edges[0]

    @property
    def tails(self) -> npt.NDArray[np.signedinteger[Any]]:
        """Where each of :attr:`arcs` begins."""
        return self._edges[1]

    @property
    def heads(self) -> npt.NDArray[np.signedinteger[Any]]:
        """Where it leads."""
        return self._edges[2]

    def named_edges(self) -> Iterator[tuple[Any, Any, float]]:
        """Both vertices by name, and the score, of each edge."""
        names = self._vertex_names().all
        ends = (names[of].tolist() for of in (self.tails, self.heads))
        return zip(*ends, self.scores[self.arcs].tolist(), strict=True)

    def to_frame(self) -> Any:
        """``from``, ``to`` and ``betweenness`` of each edge as a pandas DataFrame, with arcs as its
        index; vertices by name. UsageError where pandas is not installed."""
        pandas = imported("pandas", "to_frame")
        names = self._vertex_names().all
        columns = {"from": names[self.tails], "to": names[self.heads]}
        columns["betweenness"] = self.scores[self.arcs]
        return pandas.DataFrame(columns, pandas.Index(self.arcs, name="arc"))

    def _columns(self) -> dict[str, Column]:
        raise UsageError("betweenness of edges: no vertex has a score; named_edges() lists them")

    def __getstate__(self) -> dict[str, Any]:
        """Without the graph, whose edges are taken before."""
        return {**super().__getstate__(), "_edges": self._edges, "_graph": None}


class BetweennessOptions(TypedDict, total=False):
    """Those of :class:`BetweennessSearch`."""

    sources: Any
    samples: int
    seed: int
    edges: bool
    normalized: bool
    endpoints: bool
    engine: str
    memory: int | str | None
    timeout: float | None
    trace: Trace | str | Path | None


_explicit = spelled_out(BetweennessOptions, defaults(_ALGORITHM))


def _split(
    options: BetweennessOptions, graph: Any
) -> tuple[dict[str, Any], npt.NDArray[np.int64] | None]:
    """Options of the library's table, and the sources that are given."""
    others: dict[str, Any] = dict(options)
    given = others.pop("sources", None)
    if given is None:
        return others, None
    return others, vertices_of(graph, given, f"{_ALGORITHM}: sources")


class BetweennessSearch(Prepared):
    """Prepared for a graph on a machine, run any number of times.

    What counts is the simple graph, without weights. sources: vertices that paths begin at, each
    once, instead of all; their scores estimate those of all, to which they are scaled up. samples:
    so many are drawn, by seed: an integer from 0 on; 0: none. edges: scores of edges, in place of
    vertices. normalized: scores are shares of all pairs of other vertices; otherwise numbers of
    pairs, of an undirected graph each once. endpoints: a path's ends are on it, too. All of that is
    as in NetworkX 3.5 and later. engine: ``auto``, or one of ``gossamer.engines("betweenness")``.
    memory: bytes that each device may be asked for, ``"device=3G"`` of GPUs alone. timeout: seconds
    that a run, or a wait for a silent rank, may last. trace: records every run; of the function a
    path, too. All ranks read the same rows, so there is no partition.

    UsageError: an engine that does not exist, more samples than vertices, a source that is given
    twice, `endpoints` with `edges`. NotCompiled: ranks that are processes.
    """

    _algorithm = _ALGORITHM
    _make = _gossamer.make_betweenness_search
    _plan = _gossamer.plan_betweenness
    _handle: _gossamer.BetweennessSearch

    @_explicit
    def __init__(
        self,
        graph: Graph | PlacedGraph,
        machine: Machine | str | None = None,
        **options: Unpack[BetweennessOptions],
    ) -> None:
        others, self._sources = _split(options, graph)
        flags(_ALGORITHM, edges=options.get("edges", False))
        self._of_edges = options.get("edges", False)
        count = 0 if self._sources is None else self._sources.size
        self._handle = self._prepare(graph, machine, others, sources=count)

    def run(self) -> BetweennessResult:
        """Finds the scores; an :class:`EdgeBetweennessResult` of `edges`."""
        named = self._named(self._handle.run(self._sources))
        if self._of_edges:
            return EdgeBetweennessResult(**named, work=None, _graph=self.graph)
        return BetweennessResult(**named, work=None)

    @classmethod
    @_explicit
    def plan(
        cls,
        graph: Graph | GraphShape,
        machine: Machine | str | None = None,
        **options: Unpack[BetweennessOptions],
    ) -> MemoryPlan:
        """What a run takes beside the graph."""
        return cls._planned(graph, machine, options)

    @classmethod
    def _planned(
        cls, graph: Graph | GraphShape, machine: Machine | str | None,
        options: Mapping[str, Any], **beside: Any,
    ) -> MemoryPlan:  # fmt: skip
        """Sources, which no table has, are counted."""
        others = dict(options)
        given = others.pop("sources", None)
        try:
            count = 0 if given is None else len(given)
        except TypeError:  # numbers; SciPy's arrays, which have two lengths
            wrong = f"betweenness: sources: expected several vertices, got {shown(given)}"
            raise UsageError(wrong) from None
        return super()._planned(graph, machine, others, sources=count, **beside)


@spelled_out(BetweennessOptions, defaults(_ALGORITHM), BetweennessSearch)
def betweenness(
    graph: Graph | PlacedGraph,
    machine: Machine | str | None = None,
    **options: Unpack[BetweennessOptions],
) -> BetweennessResult:
    """Betweenness centrality: the share of shortest paths between others that lead through each
    vertex, or along each edge.

    NetworkX: ``betweenness_centrality``, ``edge_betweenness_centrality``.

    `machine` is a :class:`Machine`, a spec, or None for ``auto``; a placed graph brings its
    machine. The options are those of :class:`BetweennessSearch`.
    """
    return BetweennessSearch._once(graph, machine, options, lambda search: search.run())


def verify_betweenness(
    graph: Graph, scores: Any, *, sources: Any = None, edges: bool = False,
    normalized: bool = True, endpoints: bool = False, timeout: float | None = None,
) -> None:  # fmt: skip
    """Checks scores, whoever made them, by searches of its own from the same sources: it takes
    longer than finding them did.

    VerificationError names the first violation, in the file's own vertex ids; Timeout after
    `timeout` seconds; UsageError for an array that is none of numbers.
    """
    what = "verify_betweenness"
    instance(graph, Graph, f"{what}: graph")
    flags(what, edges=edges, normalized=normalized, endpoints=endpoints)
    array = np.ascontiguousarray(number_array(scores, f"{what}: scores"), np.float64)
    of = None if sources is None else vertices_of(graph, sources, f"{what}: sources")
    run_verifier(
        f"betweenness of {graph.name}", what, timeout,
        lambda limit: _gossamer.verify_betweenness(
            graph._handle, array, of, edges, normalized, endpoints, limit
        ),
    )  # fmt: skip


def compare_betweenness(
    graph: Graph, scores: Any, expected: Any, *, tolerance: float = 1e-6
) -> None:
    """Compares scores with somebody else's: both of vertices, or both of arcs. They may differ by
    `tolerance` of the larger.

    VerificationError names the first that differs, in the file's own ids; UsageError for an array
    that is none of numbers.
    """
    what = "compare_betweenness"
    instance(graph, Graph, f"{what}: graph")
    limit = number(tolerance, f"{what}: tolerance")
    ours = number_array(scores, f"{what}: scores").astype(np.float64)
    theirs = number_array(expected, f"{what}: expected").astype(np.float64)
    of = f"betweenness of {graph.name}"
    if ours.size != theirs.size or ours.size not in (graph.vertices, graph.arcs):
        raise VerificationError(
            f"{of}: there are {ours.size} scores, and {theirs.size} to compare; the graph has "
            f"{graph.vertices} vertices and {graph.arcs} arcs"
        )
    larger = np.maximum(np.abs(ours), np.abs(theirs))
    with np.errstate(invalid="ignore"):
        off = np.abs(ours - theirs)
    # Beside infinity the tolerance is infinite: any number would be within it.
    near = np.isfinite(off) & (off <= limit * larger) | (np.isnan(ours) & np.isnan(theirs))
    wrong = np.flatnonzero(~near)
    if not wrong.size:
        return
    at = int(wrong[0])
    where = f"vertex {graph.name_of(at)}" if ours.size == graph.vertices else f"arc {at}"
    raise VerificationError(f"{of}: {where} has {ours[at]:.9g}, expected {theirs[at]:.9g}")

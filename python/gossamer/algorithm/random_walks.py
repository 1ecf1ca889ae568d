"""Random walks: uniform, weighted, and those of node2vec."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, TypedDict, Unpack

import numpy as np
import numpy.typing as npt

from gossamer import _gossamer
from gossamer.arguments import flags, imported, instance, integer, number, seed_number
from gossamer.arrays import plain_array
from gossamer.errors import UsageError, VerificationError
from gossamer.graph import Graph
from gossamer.graph.names import VertexNames
from gossamer.graph.shape import GraphShape
from gossamer.html import table
from gossamer.machine import Machine
from gossamer.machine.placed_graph import PlacedGraph
from gossamer.machine.plans import MemoryPlan
from gossamer.trace import Trace

from .options import defaults, spelled_out
from .prepared import Prepared, run_verifier, vertices_of

_ALGORITHM = "random_walks"


@dataclass(frozen=True, kw_only=True, repr=False)
class RandomWalksResult:
    """Walks along a graph's arcs, a row each."""

    _SHOWN: ClassVar[tuple[str, ...]] = (
        "count", "length", "steps", "ended", "engine", "ranks_used", "milliseconds",
    )  # fmt: skip

    engine: str
    #: Why it.
    engine_reason: str
    #: Ranks that worked.
    ranks_used: int
    #: Why not all of the machine's, or why CPUs for ``auto``; empty when all did.
    ranks_reason: str
    #: Number of walks.
    count: int
    #: Steps that were asked for.
    length: int
    #: Steps of all walks together.
    steps: int
    #: Walks of fewer steps than asked for, which no arc led on.
    ended: int
    #: A row of length + 1 vertices (indices) for each walk, its source first; -1 after its end.
    #: Walks of one source lie side by side, in the order of sources. As wide as the graph's ids.
    walks: npt.NDArray[np.signedinteger[Any]]
    #: Indices of the vertices that walks begin at; None: all vertices.
    sources: npt.NDArray[np.int64] | None
    #: Rows to walks, slowest rank.
    milliseconds: float
    #: Milliseconds by phase: walk. sum, adding up weights, is not part of `milliseconds`, and 0
    #: where an earlier call left the sums.
    phases: dict[str, float]
    #: No engine has a worklist.
    work: None = None
    _names: VertexNames | None = None

    def named_walks(self) -> Iterator[list[Any]]:
        """Each walk as the list of its vertices by name, up to its end."""
        assert self._names is not None
        names = self._names.all
        for walk in self.walks:
            yield names[walk[walk >= 0]].tolist()

    def to_frame(self) -> Any:
        """``walk``, ``step`` and ``vertex`` of each vertex of each walk as a pandas DataFrame;
        vertices by name. UsageError where pandas is not installed."""
        pandas = imported("pandas", "to_frame")
        assert self._names is not None
        walk, step = np.nonzero(self.walks >= 0)
        vertex = self._names.all[self.walks[walk, step]]
        return pandas.DataFrame({"walk": walk, "step": step, "vertex": vertex})

    def _shown(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self._SHOWN}

    def __repr__(self) -> str:
        said = ", ".join(
            f"{name}={value:.4g}" if isinstance(value, float) else f"{name}={value!r}"
            for name, value in self._shown().items()
        )
        return f"{type(self).__name__}({said})"

    def _repr_html_(self) -> str:
        rows = [(name.replace("_", " "), value) for name, value in self._shown().items()]
        return table(type(self).__name__, rows)


class RandomWalksOptions(TypedDict, total=False):
    """Those of :class:`RandomWalksSearch`."""

    length: int
    walks: int
    seed: int
    weighted: bool
    p: float
    q: float
    engine: str
    memory: int | str | None
    timeout: float | None
    trace: Trace | str | Path | None


_explicit = spelled_out(RandomWalksOptions, defaults(_ALGORITHM))


class RandomWalksSearch(Prepared):
    """Prepared for a graph on a machine, run any number of times.

    Walks follow arcs at random, and are the same on every machine: each step is a function of the
    graph and of Philox's words for its seed, walk and number. length: steps of a walk, fewer where
    no arc leads on. walks: how many begin at each source. seed: an integer from 0 on; others walk
    otherwise. weighted: arcs are drawn in proportion to their weights. p: node2vec's return
    parameter; an arc back to the vertex before counts 1 / p. q: its in-out parameter; an arc counts
    1 / q if it leads where none does from the vertex before. Others count 1. Both are from 1e-9 to
    1e9. engine: ``auto``, or one of ``gossamer.engines("random_walks")``. memory: bytes that each
    device may be asked for, ``"device=3G"`` of GPUs alone. timeout: seconds that a run, or a wait
    for a silent rank, may last. trace: records every run; of the function a path, too. All ranks
    read the same rows, so there is no partition.

    UsageError: an engine that does not exist, an option out of its range, weighted walks of a graph
    without weights. InputError: a weight that is negative or not finite. NotCompiled: ranks that
    are processes.
    """

    _algorithm = _ALGORITHM
    _make = _gossamer.make_random_walks_search
    _plan = _gossamer.plan_random_walks
    _handle: _gossamer.RandomWalksSearch

    @_explicit
    def __init__(
        self,
        graph: Graph | PlacedGraph,
        machine: Machine | str | None = None,
        **options: Unpack[RandomWalksOptions],
    ) -> None:
        self._handle = self._prepare(graph, machine, options)

    def run(self, sources: Any = None) -> RandomWalksResult:
        """Walks from `sources`, vertices in any order, again where one comes again; None: from all.

        UsageError for one that is no vertex; CapacityError where there is no room for the walks.
        """
        starts = (
            None if sources is None else vertices_of(self.graph, sources, f"{_ALGORITHM}: sources")
        )
        raw = self._named(self._handle.run(starts))
        walks = raw.pop("_walks").reshape(raw["count"], raw["length"] + 1)
        return RandomWalksResult(**raw, walks=walks, sources=starts)

    @classmethod
    @_explicit
    def plan(
        cls,
        graph: Graph | GraphShape,
        machine: Machine | str | None = None,
        *,
        sources: int | None = None,
        **options: Unpack[RandomWalksOptions],
    ) -> MemoryPlan:
        """What a run takes beside the graph, with walks from so many sources; None: from all
        vertices."""
        return cls._planned(graph, machine, {**options, "sources": sources})

    @classmethod
    def _planned(
        cls, graph: Graph | GraphShape, machine: Machine | str | None,
        options: Mapping[str, Any], **beside: Any,
    ) -> MemoryPlan:  # fmt: skip
        """Sources, which no table has, are a number."""
        others = dict(options)
        given = others.pop("sources", None)
        count = -1 if given is None else integer(given, f"{_ALGORITHM}: sources")
        if given is not None and count < 0:
            raise UsageError(f"{_ALGORITHM}: sources: {count} is no number of vertices")
        return super()._planned(graph, machine, others, sources=count, **beside)


@spelled_out(RandomWalksOptions, defaults(_ALGORITHM), RandomWalksSearch)
def random_walks(
    graph: Graph | PlacedGraph,
    machine: Machine | str | None = None,
    *,
    sources: Any = None,
    **options: Unpack[RandomWalksOptions],
) -> RandomWalksResult:
    """Random walks from all vertices, or from `sources`: uniform, weighted, or node2vec's.

    NetworkX: none that walks; ``generate_random_paths`` comes nearest.

    `machine` is a :class:`Machine`, a spec, or None for ``auto``; a placed graph brings its
    machine. The options are those of :class:`RandomWalksSearch`.
    """
    return RandomWalksSearch._once(graph, machine, options, lambda search: search.run(sources))


def verify_random_walks(
    graph: Graph, walks: Any, *, sources: Any = None, seed: int = 0, weighted: bool = False,
    p: float = 1, q: float = 1, timeout: float | None = None,
) -> None:  # fmt: skip
    """Checks walks, whoever made them, a row each: they begin at `sources`, or at all vertices, as
    often each as there are rows for, follow arcs, and end early only where none leaves; and each
    step is the one that is drawn, as :func:`random_walks` does with these options.

    VerificationError names the first violation, in the file's own vertex ids; Timeout after
    `timeout` seconds; UsageError for an array that is none of integers.
    """
    of = "verify_random_walks"
    instance(graph, Graph, f"{of}: graph")
    flags(of, weighted=weighted)
    rows = plain_array(walks, f"{of}: walks")
    if rows.ndim != 2 or rows.dtype.kind not in "iu":
        raise UsageError(f"{of}: walks: {rows.ndim}-dimensional, of {rows.dtype}; rows of vertices")
    starts = None if sources is None else vertices_of(graph, sources, f"{of}: sources")
    count = graph.vertices if starts is None else starts.size
    if rows.shape[1] < 2 or (rows.shape[0] % count if count else rows.shape[0]):
        raise VerificationError(
            f"walks of {graph.name}: {rows.shape[0]} rows of {rows.shape[1]} vertices are no walks "
            f"from {count} sources"
        )
    each = max(1, rows.shape[0] // max(1, count))
    flat = np.ascontiguousarray(rows, np.int64 if rows.dtype.itemsize > 4 else np.int32).reshape(-1)
    given = (seed_number(seed, of, 63), weighted, number(p, f"{of}: p"), number(q, f"{of}: q"))
    run_verifier(
        f"walks of {graph.name}", of, timeout,
        lambda limit: _gossamer.verify_random_walks(
            graph._handle, flat, starts, rows.shape[1] - 1, each, *given, limit
        ),
    )  # fmt: skip

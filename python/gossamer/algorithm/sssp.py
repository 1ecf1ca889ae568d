"""Shortest paths from one source along non-negative weights: searches, and distances of any origin
checked against their graph or compared with each other."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Unpack

import numpy as np
import numpy.typing as npt

from gossamer import _gossamer
from gossamer.arguments import flags, instance, number, thread_count
from gossamer.arrays import host_array, id_array, number_array
from gossamer.errors import UsageError, VerificationError
from gossamer.graph import Graph
from gossamer.graph.shape import GraphShape
from gossamer.machine import Machine
from gossamer.machine.placed_graph import PlacedGraph
from gossamer.machine.plans import MemoryPlan

from .by_name import Column, Paths
from .options import RunOptions, defaults, spelled_out
from .prepared import Prepared, ValuesResult, run_verifier, vertex_of

#: What a vertex that is not reached has among distances of integer weights.
UNREACHED = np.uint32(0xFFFFFFFF)


@dataclass(frozen=True, repr=False)
class SsspResult(Paths, ValuesResult):
    """Distances of one search."""

    _arrays: ClassVar[tuple[str, ...]] = ("raw_distances", "distances", "parents")
    _values_in: ClassVar[tuple[str, ...]] = ("distances", "parents")

    #: Index of the source.
    source: int
    #: Parent of every vertex, −1 = not reached; the source is its own. None unless asked for.
    parents: npt.NDArray[np.int64] | None
    #: Vertices with a distance, the source included.
    reached: int
    #: Arcs looked at, all ranks.
    relaxations: int
    #: Times that a bucket was taken up, or with engines ``async`` and ``host`` a window of
    #: distances; on a GPU times that its blocks met after relaxing.
    rounds: int
    #: Width of a bucket, or of the first window, in the unit of weights; 0 without windows
    #: (``priority=none``).
    delta: float
    #: Why it; empty without windows.
    delta_reason: str
    #: Source to finished distances and parents, slowest rank; on a GPU distances by its clock,
    #: without bringing them to the host.
    milliseconds: float
    #: Milliseconds by phase: relax, parents; on several ranks exchange, agree.
    phases: dict[str, float]

    @property
    def is_reached(self) -> npt.NDArray[np.bool_]:
        """Whether each vertex has a distance."""
        raw = self.raw_distances
        there: npt.NDArray[np.bool_] = (
            raw != UNREACHED if raw.dtype == UNREACHED.dtype else np.isfinite(raw)
        )
        return there

    @cached_property
    def distances(self) -> npt.NDArray[Any]:
        """Distance of every vertex, infinity = not reached: float64, or float32 of such weights."""
        raw = self.raw_distances
        if raw.dtype != UNREACHED.dtype:
            return raw
        out = raw.astype(np.float64)
        out[raw == UNREACHED] = np.inf
        return out

    @cached_property
    def raw_distances(self) -> npt.NDArray[Any]:
        """Distances as they were found: uint32 for integer weights (4294967295 = not reached), else
        as :attr:`distances`. They stay on a GPU that found them until the first access.
        """
        return self._here()

    def gather(self, what: str, device: str | int = "cpu") -> Any:
        """As :meth:`ValuesResult.gather`. Of integer weights ``raw_distances`` come without a copy,
        ``distances`` by way of the host."""
        left = self._values
        floats = what == "distances" and left is not None and left.floating
        return super().gather("raw_distances" if floats else what, device)

    def _columns(self) -> dict[str, Column]:
        there = self.is_reached
        columns = {"distance": Column(self.raw_distances, there)}
        if self.parents is not None:
            columns["parent"] = Column(self.parents, there, vertices=True)
        return columns


class SsspOptions(RunOptions, total=False):
    """Those of :class:`SsspSearch`."""

    spill: str
    delta: float | None
    parents: bool
    deterministic: bool


_explicit = spelled_out(SsspOptions, defaults("sssp"))


class SsspSearch(Prepared):
    """A search prepared for a graph on a machine: weights checked once, any number of runs.

    engine: ``auto``, or one of ``gossamer.engines("sssp")``, its own options behind its name:
    ``"async:balance=steal"``. delta: width of a bucket, or of the first window of a worklist, whose
    later ones adapt; in the unit of weights, None to choose it from weights and degrees. parents:
    also a tree. deterministic: asks for the same parents in every run; these are, with or without.
    partition: which rank owns which vertices, on several ranks: ``auto`` (ranges with as many arcs
    each), ``ranges``, ``edges``, ``hash``, ``metis``, or the part of every vertex
    (:func:`read_partition`); results are in the graph's own numbering whatever it is. A partition
    is one for all ranks, of several GPUs too; ``sync``, which searches on one of them, refuses it
    there. use: of several GPUs ``auto`` takes one for ``async`` and ``host`` where several were
    slower, on networks of short rows and graphs of fewer than 2^28 arcs, unless it lacks memory;
    ``all`` takes all, and makes ``auto`` on several GPUs ``async`` (``host`` where their kernels
    take turns); a partition means ``all``. memory: bytes that each device may be asked for,
    ``"device=3G"`` of GPUs alone. spill: where rows lie that GPUs have no room for: ``host``,
    ``none``, or ``auto`` (``host`` unless `memory` is given). timeout: seconds that a run, or a
    wait for a silent rank, may last. trace: records every run; of the function a path, too.
    Distances and parents are the same with all engines. On GPUs the rows are uploaded once.

    InputError: a weight that is negative or not finite. UsageError: no weights, an engine or an
    option that does not exist, ``sync`` with a partition on several GPUs. NotCompiled: an engine
    that does not run on such ranks.
    """

    _algorithm = "sssp"
    _make = _gossamer.make_sssp_search
    _plan = _gossamer.plan_sssp
    _handle: _gossamer.SsspSearch

    @_explicit
    def __init__(
        self,
        graph: Graph | PlacedGraph,
        machine: Machine | str | None = None,
        **options: Unpack[SsspOptions],
    ) -> None:
        self._handle = self._prepare(
            graph, machine, options, lambda g: not options.get("parents") or g.symmetric
        )

    def run(self, source: Any) -> SsspResult:
        """Searches from the vertex with this index, or name where names are not integers."""
        raw = self._handle.run(vertex_of(self.graph, source, "sssp: source"))
        return SsspResult(**self._named(raw))

    @classmethod
    @_explicit
    def plan(
        cls,
        graph: Graph | GraphShape,
        machine: Machine | str | None = None,
        weight_bytes: int = 4,
        **options: Unpack[SsspOptions],
    ) -> MemoryPlan:
        """What a search takes beside the graph; `weight_bytes`: of a :class:`GraphShape`."""
        beside = {"weight_bytes": weight_bytes} if isinstance(graph, GraphShape) else {}
        return cls._planned(graph, machine, options, **beside)


@spelled_out(SsspOptions, defaults("sssp"), SsspSearch)
def sssp(
    graph: Graph | PlacedGraph,
    source: Any,
    machine: Machine | str | None = None,
    **options: Unpack[SsspOptions],
) -> SsspResult:
    """Shortest paths from the vertex with index `source`, or that name where names are not
    integers.

    NetworkX: ``single_source_dijkstra``, ``single_source_dijkstra_path_length``.

    `machine` is a :class:`Machine`, a spec, or None for ``auto``; a placed graph brings its machine
    and partition, and is laid out as this algorithm needs it. The options are those of
    :class:`SsspSearch`, which serves many sources.
    """
    source = vertex_of(graph, source, "sssp: source")  # before weights are checked for nothing
    return SsspSearch._once(graph, machine, options, lambda search: search.run(source))


def verify_sssp(
    graph: Graph,
    source: Any,
    distances: Any,
    parents: Any = None,
    *,
    threads: int = 0,
    smallest_parents: bool = False,
    timeout: float | None = None,
) -> None:
    """Checks distances, and parents if given, whoever made them: no arc shortens a distance, every
    reached vertex has a path of its distance, parents are a tree of tight arcs.

    smallest_parents: the tree must be the one that :func:`sssp` finds (docs/cli.md).

    Distances may be of any type that holds what the weights give: for integer weights infinity is
    "not reached", as 4294967295 is.

    VerificationError names the first violation, in the file's own vertex ids; Timeout after
    `timeout` seconds; UsageError for a type that the weights' distances do not fit.
    """
    flags("verify_sssp", smallest_parents=smallest_parents)
    instance(graph, Graph, "verify_sssp: graph")
    source = vertex_of(graph, source, "verify_sssp: source")
    of = f"sssp from {graph.name_of(source)}"
    tree = None if parents is None else id_array(parents, "verify_sssp: parents")
    given = (
        _distances(graph, distances, of),
        None if tree is None else tree.astype(np.int64, copy=False),
        thread_count(threads, "verify_sssp"),
        smallest_parents,
    )
    run_verifier(
        of, "verify_sssp", timeout,
        lambda limit: _gossamer.verify_sssp(graph._handle, source, *given, limit),
    )  # fmt: skip


def compare_distances(
    graph: Graph, distances: Any, expected: Any, *, tolerance: float = 1e-5
) -> None:
    """Compares distances with somebody else's (infinity, or 4294967295 of uint32 = not reached):
    exactly for integer weights, else within `tolerance` times the distance. VerificationError names
    the first difference; UsageError when `expected` is no array of numbers."""
    instance(graph, Graph, "compare_distances: graph")
    theirs = number_array(expected, "compare_distances: expected")
    numbers = theirs.astype(np.float64)
    if theirs.dtype == UNREACHED.dtype:
        numbers[theirs == UNREACHED] = np.inf
    ok, reason = _gossamer.compare_distances(
        graph._handle,
        _distances(graph, distances, f"sssp on {graph.name}"),
        numbers,
        number(tolerance, "compare_distances: tolerance"),
    )
    if not ok:
        raise VerificationError(f"sssp on {graph.name}: {reason}")


def distance_type(graph: Graph) -> np.dtype[Any]:
    """The type of the distances that a graph's weights give."""
    weights = graph.weights
    return UNREACHED.dtype if weights is None or weights.dtype.kind != "f" else weights.dtype


def _distances(graph: Graph, distances: Any, of: str) -> npt.NDArray[Any]:
    """Distances in the type that the graph's weights give, from any other that has the same values.

    VerificationError for a number that is no distance, begun with `of`; UsageError for an array
    that is none of numbers.
    """
    given = host_array(distances, "distances")
    kind = distance_type(graph)
    if given.dtype == kind:
        return given
    if given.dtype.kind not in "iuf":
        raise UsageError(f"distances: of {given.dtype}; {graph.name}'s weights give {kind}")
    with np.errstate(all="ignore"):
        if kind == UNREACHED.dtype:
            unreached = (
                np.isposinf(given) if given.dtype.kind == "f" else np.zeros(given.size, bool)
            )
            taken = np.where(unreached, UNREACHED, given.astype(np.int64).astype(kind))
            wrong = np.flatnonzero(~unreached & (taken != given))
        else:
            taken = given.astype(kind)
            wrong = np.flatnonzero((taken != given) & ~np.isnan(given))
    if not wrong.size:
        return taken
    vertex = int(wrong[0])
    if kind != UNREACHED.dtype:
        raise UsageError(
            f"distances: {given[vertex]} of {given.dtype} is no {kind}, which {graph.name}'s "
            "weights give"
        )
    raise VerificationError(
        f"{of}: vertex {graph.name_of(vertex)} has the distance {given[vertex]}, and integer "
        f"weights give whole numbers below {UNREACHED}"
    )

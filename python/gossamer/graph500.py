"""The Graph500 benchmark: generation, construction, 64 searches, each of them validated."""

from __future__ import annotations

import inspect
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ParamSpec, Protocol

import numpy as np
import numpy.typing as npt

from gossamer import _gossamer
from gossamer.algorithm.bfs import BfsResult, BfsSearch, draw_sources, verify_bfs
from gossamer.arguments import (
    callback,
    flags,
    integer,
    memory_bytes,
    number,
    seed_number,
    texts,
    thread_count,
)
from gossamer.errors import UsageError, VerificationError
from gossamer.graph import Graph, Progress
from gossamer.graph.shape import GraphShape
from gossamer.machine import Machine, machine_of
from gossamer.machine.placed_graph import PlacedGraph
from gossamer.machine.plans import MemoryPlan, PlanEntry


def _values(x: Any, what: str) -> list[float]:
    """`x` as finite numbers."""
    try:
        given = list(x)
    except TypeError:
        raise UsageError(f"{what}: expected a list of numbers, got {type(x).__name__}") from None
    return [number(value, what) for value in given]


@dataclass(frozen=True)
class Spread:
    """Order statistics, mean and deviation of some values, in their unit."""

    minimum: float
    #: A quartile or a median between two values is their mean.
    first_quartile: float
    median: float
    third_quartile: float
    maximum: float
    #: Arithmetic.
    mean: float
    #: Of a sample: squares over n − 1. 0 for a single value.
    stddev: float

    @staticmethod
    def of(values: Sequence[float]) -> Spread:
        """Of one value or more; UsageError for none, and for what is no finite number."""
        x = sorted(_values(values, "statistics"))
        n = len(x)
        if n == 0:
            raise UsageError("statistics of no values")
        mean = math.fsum(x) / n
        squares = math.fsum((value - mean) ** 2 for value in x)
        # The last value not after each quarter and the first not before it, from either end.
        early, late = (n - 1) // 4, n // 4
        return Spread(
            x[0],
            (x[early] + x[late]) / 2,
            (x[(n - 1) // 2] + x[n // 2]) / 2,
            (x[n - 1 - early] + x[n - 1 - late]) / 2,
            x[-1],
            mean,
            math.sqrt(squares / (n - 1)) if n > 1 else 0.0,
        )


@dataclass(frozen=True)
class RateSpread:
    """Order statistics and harmonic mean of rates: work over time."""

    minimum: float
    first_quartile: float
    median: float
    third_quartile: float
    maximum: float
    harmonic_mean: float
    #: Standard error of the harmonic mean: s / (a² √(n − 1)), where a and s are mean and deviation
    #: of the reciprocals (N. Norris, Ann. Math. Statist. 11 (1940), 445-448). 0 for a single rate.
    harmonic_stddev: float

    @staticmethod
    def of(work: Sequence[float], seconds: Sequence[float]) -> RateSpread:
        """Of work[i] / seconds[i]; all are positive.

        Everything is worked out of the reciprocals, seconds by unit of work, as the reference does:
        a median between two rates is their harmonic mean.
        """
        what = "statistics of rates"
        each, times = _values(work, f"{what}: work"), _values(seconds, f"{what}: seconds")
        if len(each) != len(times):
            raise UsageError(f"{what}: {len(each)} of work, {len(times)} of time")
        if not all(value > 0 for value in each + times):
            raise UsageError(f"{what}: work and time must be positive")
        cost = Spread.of([s / w for w, s in zip(each, times, strict=True)])
        n = len(each)
        return RateSpread(
            1 / cost.maximum,
            1 / cost.third_quartile,
            1 / cost.median,
            1 / cost.first_quartile,
            1 / cost.minimum,
            1 / cost.mean,
            cost.stddev / (cost.mean**2 * math.sqrt(n - 1)) if n > 1 else 0.0,
        )


#: Names in the benchmark's output of what :class:`Spread` and :class:`RateSpread` hold.
_NAMES = {
    "minimum": "min",
    "first_quartile": "firstquartile",
    "median": "median",
    "third_quartile": "thirdquartile",
    "maximum": "max",
    "mean": "mean",
    "stddev": "stddev",
    "harmonic_mean": "harmonic_mean",
    "harmonic_stddev": "harmonic_stddev",
}


@dataclass(frozen=True)
class Graph500Search:
    """One search (kernel 2) and its validation."""

    #: Vertex that it started from.
    root: int
    #: From the root to finished parents on their owners.
    seconds: float
    #: Entries of the generated edge list inside the component searched, repeated ones and
    #: self-loops included: Graph500's m.
    nedge: int
    #: Distinct undirected edges of that component without self-loops: what the graph stores.
    edges: int
    #: Fetching the tree to the host, and checking it.
    validation_seconds: float
    #: What is wrong with the tree; None for a valid one.
    failure: VerificationError | None = None

    @property
    def teps(self) -> float:
        """Traversed edges per second: nedge over seconds."""
        return self.nedge / self.seconds


@dataclass(frozen=True)
class Graph500Result:
    """A run of the benchmark. Times are seconds."""

    scale: int
    edge_factor: int
    seed: int
    #: The machine's spec, and how many ranks it has.
    machine: str
    ranks: int
    #: Making the edge list, which the benchmark does not count.
    generation_seconds: float
    #: Kernel 1 by step: ``build`` (list to rows) and ``place`` (rows to the ranks' memory), or
    #: ``generate`` of a graph made in parts; then ``prepare`` (the search's own memory).
    construction: dict[str, float]
    searches: tuple[Graph500Search, ...]

    @property
    def construction_seconds(self) -> float:
        """Kernel 1: from the edge list to a graph that is ready to be searched."""
        return sum(self.construction.values())

    @property
    def failure(self) -> VerificationError | None:
        """Of the first tree that is wrong."""
        return next((s.failure for s in self.searches if s.failure is not None), None)

    @property
    def time(self) -> Spread:
        """Seconds a search."""
        return Spread.of([s.seconds for s in self.searches])

    @property
    def nedge(self) -> Spread:
        """Entries of the edge list that a search is counted for."""
        return Spread.of([s.nedge for s in self.searches])

    @property
    def teps(self) -> RateSpread:
        """Traversed edges per second."""
        return RateSpread.of([s.nedge for s in self.searches], [s.seconds for s in self.searches])

    @property
    def validation(self) -> Spread:
        """Seconds a validation."""
        return Spread.of([s.validation_seconds for s in self.searches])

    def text(self) -> str:
        """The benchmark's output, ``key: value`` lines as its reference code prints them.

        UsageError for a run with a failed validation: such a run has no result.
        """
        if self.failure is not None:
            raise UsageError(f"graph500: no result, since a validation failed: {self.failure}")
        return "".join(f"{line}\n" for line in self._lines())

    def _lines(self) -> Iterator[str]:
        def line(key: str, value: str) -> str:
            return f"{key + ':':<32}{value}"

        yield line("SCALE", str(self.scale))
        yield line("edgefactor", str(self.edge_factor))
        yield line("NBFS", str(len(self.searches)))
        yield line("graph_generation", f"{self.generation_seconds:g}")
        yield line("num_mpi_processes", str(self.ranks))
        yield line("construction_time", f"{self.construction_seconds:g}")
        groups: list[tuple[str, Spread | RateSpread, str, str]] = [
            ("time", self.time, "bfs  ", "g"),
            ("nedge", self.nedge, "", ".11g"),
            ("TEPS", self.teps, "bfs  ", "g"),
            ("validate", self.validation, "bfs  ", "g"),
        ]
        for what, spread, kernel, form in groups:
            for field, value in vars(spread).items():
                key = f"{kernel}{_NAMES[field]}_{what}"
                # The figure that the list is ranked by is marked.
                mark = field == "harmonic_mean"
                yield f"{key + ':':<29}!  {value:{form}}" if mark else line(key, f"{value:{form}}")


#: Bytes a vertex, at most, while a search is validated on the host: its parents and depths there,
#: and the verifier's own copy of the depths.
_VALIDATION_BYTES = 8 + 4 + 4


def _tree(result: BfsResult) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]:
    """Parents and depths as they are validated on the host."""
    return result.parents, result.depths


def _result(result: BfsResult) -> BfsResult:
    """A result as it is validated on the ranks."""
    return result


class Way(Protocol):
    """How a run makes its graph, counts the list's entries and validates."""

    #: Seconds by step of the construction, once it is done; the last step is the search's.
    seconds: dict[str, float]

    def plan(self, shape: GraphShape, search: tuple[PlanEntry, ...]) -> MemoryPlan:
        """Everything at its peak; `search`: what the search takes beside the placement."""

    def generate(self, progress: Progress | None) -> float:
        """Seconds that making the edge list took."""

    def construct(self, progress: Progress | None) -> PlacedGraph:
        """From the list to a placed graph."""

    def entries(self, result: BfsResult) -> int:
        """Entries of the list inside the tree's component."""

    def validate(self, result: BfsResult, timeout: float | None) -> None:
        """VerificationError when the tree is wrong."""


class OnHost:
    """The edge list lies in host memory, the graph is built there and laid over the machine."""

    def __init__(
        self, spec: str, machine: Machine, renumber: str, threads: int, memory: Any
    ) -> None:
        self.seconds: dict[str, float] = {}
        self._spec = spec
        self._machine = machine
        self._renumber = renumber
        self._threads = threads
        self._memory = memory
        self._list: _gossamer.EdgeList | None = None
        self._by_source: npt.NDArray[np.int64] = np.empty(0, np.int64)

    def plan(self, shape: GraphShape, search: tuple[PlanEntry, ...]) -> MemoryPlan:
        placing = self._machine.plan(shape, renumber=self._renumber, memory=self._memory)
        raw = _gossamer.plan_generate(self._spec, False, False, 0, 0, -1)
        n = shape.vertices
        own = [
            PlanEntry(-1, "host", "graph", raw["graph_bytes"], "at most"),
            PlanEntry(-1, "host", "edges by first end", 8 * n),
            PlanEntry(-1, "host", "validation", _VALIDATION_BYTES * n, "at most"),
        ]
        ranks = (*placing.entries, *search)
        plan = MemoryPlan((*own, *ranks), placing.limits)
        # The list and its arcs while they are sorted lie there before the rest, not beside it.
        first = raw["host_bytes"] + 8 * n - sum(e.bytes for e in plan.on_host(self._machine))
        if first > 0:
            own.insert(0, PlanEntry(-1, "host", "edge list and sorting", first, "at most"))
        return MemoryPlan((*own, *ranks), placing.limits)

    def generate(self, progress: Progress | None) -> float:
        start = time.perf_counter()
        self._list = _gossamer.generate_list(
            self._spec, self._threads, memory_bytes(self._memory), progress
        )
        return time.perf_counter() - start

    def construct(self, progress: Progress | None) -> PlacedGraph:
        if self._list is None:
            raise UsageError("graph500: no edge list; generate() comes first")
        # What is counted afterwards is of the list, which the graph consumes.
        self._by_source = self._list.count_by_source(self._threads)
        start = time.perf_counter()
        graph = Graph(_gossamer.build_list(self._list, self._threads, progress))
        self._list = None
        built = time.perf_counter()
        placed = self._machine.place(graph, renumber=self._renumber, memory=self._memory)
        self.seconds = {"build": built - start, "place": time.perf_counter() - built}
        return placed

    def entries(self, result: BfsResult) -> int:
        # An entry lies in the component when its first end does.
        return int(np.sum(self._by_source, where=result.depths >= 0))

    def validate(self, result: BfsResult, timeout: float | None) -> None:
        parents, depths = _tree(result)
        verify_bfs(
            result.graph, result.source, parents, depths, threads=self._threads, timeout=timeout
        )


class InParts:
    """The graph is made on the ranks (:meth:`Machine.generate`): neither its list nor the whole
    graph is ever in one place."""

    def __init__(self, spec: str, machine: Machine, renumber: str, memory: Any) -> None:
        if renumber != "none":
            raise UsageError(f"graph500: graphs made in parts are not renumbered ('{renumber}')")
        self.seconds: dict[str, float] = {}
        self._spec = spec
        self._machine = machine
        self._memory = memory
        self._ready = False

    def plan(self, shape: GraphShape, search: tuple[PlanEntry, ...]) -> MemoryPlan:
        making = self._machine.plan_generate(self._spec, memory=self._memory)
        # A byte a vertex: Kronecker graphs have nowhere near 254 levels.
        memory_of = {e.rank: e.memory for e in making.entries}
        checks = [
            PlanEntry(rank, memory, "validation", shape.vertices, "about")
            for rank, memory in sorted(memory_of.items())
        ]
        later: dict[int, int] = {}
        for e in (*search, *checks):
            later[e.rank] = later.get(e.rank, 0) + e.bytes
        # Rows are sorted before there is a search: only what that takes beyond it counts.
        making_entries = [
            replace(e, bytes=max(0, e.bytes - later[e.rank])) if e.purpose == "sorting" else e
            for e in making.entries
        ]
        return MemoryPlan((*making_entries, *search, *checks), making.limits)

    def generate(self, progress: Progress | None) -> float:
        self._ready = True  # there is no list: making its entries is part of the construction
        return 0.0

    def construct(self, progress: Progress | None) -> PlacedGraph:
        if not self._ready:
            raise UsageError("graph500: no edge list; generate() comes first")
        start = time.perf_counter()
        placed = self._machine.generate(self._spec, memory=self._memory, progress=progress)
        self.seconds = {"generate": time.perf_counter() - start}
        return placed

    def entries(self, result: BfsResult) -> int:
        handle = result._handle
        assert isinstance(handle, _gossamer.BfsResult)  # it was found here
        return _gossamer.entries_of_reached(handle)

    def validate(self, result: BfsResult, timeout: float | None) -> None:
        _result(result).verify(timeout=timeout)


#: Searches of a run (NBFS): fewer where fewer vertices have an edge.
ROOTS = 64

_MOST_SCALE, _MOST_EDGE_FACTOR = 40, 65536


def _number(value: Any, name: str, most: int) -> int:
    number = integer(value, f"graph500: {name}")
    if not 1 <= number <= most:
        raise UsageError(f"graph500: {name} must be 1 to {most}, not {number}")
    return number


class Graph500:
    """One run of the benchmark, step by step: :meth:`generate`, :meth:`construct`, then
    :meth:`search` from each of `roots`; `result` is what there is so far. :meth:`run` makes them
    all. Nothing is allocated before :meth:`generate`.

    scale: log2 of the vertices, 1 to 40; edge_factor: entries of the edge list a vertex, 1 to
    65536. seed: of the graph and of the roots.
    machine: a :class:`Machine`, a spec, or None for ``auto``; direction, engine: as for
    :class:`BfsSearch`; renumber: as for :meth:`Machine.place`.
    parts: the ranks make the graph in parts (:meth:`Machine.generate`) and validate it there;
    making the list, twice, is then part of the construction. None: on GPUs, where nothing
    (`renumber`, fewer than 512 vertices a rank, CPU ranks beside them) stands against it.
    roots: searches; the benchmark makes 64, fewer are a first look.
    threads: on the host, which generates, builds and validates unless `parts`; 0 = all cores.
    memory: limit in bytes, on the host and per device, or text such as ``"16G"``.
    timeout: seconds that one search, or its validation, may last.
    progress: of :meth:`run`, called as ``progress(done, total)``, counting searches.
    """

    def __init__(
        self,
        scale: int,
        *,
        edge_factor: int = 16,
        machine: Machine | str | None = None,
        seed: int = 1,
        direction: str = "auto",
        engine: str = "auto",
        renumber: str = "none",
        parts: bool | None = None,
        roots: int = ROOTS,
        threads: int = 0,
        memory: int | str | None = None,
        timeout: float | None = None,
        progress: Progress | None = None,
    ) -> None:
        self.scale: int = _number(scale, "scale", _MOST_SCALE)
        self.edge_factor: int = _number(edge_factor, "edge_factor", _MOST_EDGE_FACTOR)
        self.seed: int = seed_number(seed, "graph500")
        self._roots = _number(roots, "roots", ROOTS)
        self.machine: Machine = machine_of(machine)
        self._direction = direction
        self._engine = engine
        self._renumber = renumber
        self._memory = memory
        self._timeout = timeout
        self._progress = callback(progress, "graph500: progress")
        texts("graph500", direction=direction, engine=engine, renumber=renumber)
        if parts is not None:
            flags("graph500", parts=parts)
        thread_count(threads, "graph500")
        if parts is None:
            parts = renumber == "none" and self._on_gpus()
        #: Whether the graph is made on the ranks.
        self.parts: bool = parts
        self._way: Way = (
            InParts(self.spec, self.machine, renumber, memory)
            if parts
            else OnHost(self.spec, self.machine, renumber, threads, memory)
        )
        self._search: BfsSearch | None = None
        self._generation = 0.0
        self._construction: dict[str, float] = {}
        self._searches: list[Graph500Search] = []
        #: The vertices to search from (indices), once it is: distinct, of degree ≥ 1, by the seed.
        self.roots: list[int] = []

    def _on_gpus(self) -> bool:
        """Whether all ranks are GPUs, with vertices enough to be divided in ranges."""
        enough = self.machine.size == 1 or 1 << self.scale >= 512 * self.machine.size
        return enough and all(d.kind == "cuda" for d in self.machine.devices)

    @property
    def spec(self) -> str:
        """The graph as a generator's spec."""
        return f"kron:{self.scale}:{self.edge_factor}:{self.seed}"

    @property
    def shape(self) -> GraphShape:
        """What is known of the graph beforehand; of its arcs an upper bound."""
        vertices = 1 << self.scale
        return GraphShape(vertices, 2 * self.edge_factor * vertices, True, "exact", "at most")

    @property
    def host_limit(self) -> tuple[int, str]:
        """Bytes that the run may take on the host, and where that number comes from."""
        if self._memory is not None:
            return memory_bytes(self._memory), "--memory"
        return _gossamer.host_memory()

    def plan(self) -> MemoryPlan:
        """Everything that the run takes at its peak. Entries of rank −1 are the process's own."""
        how: dict[str, Any] = {"renumber": self._renumber, "memory": self._memory}
        placing = self.machine.plan(self.shape, **how)
        both = BfsSearch.plan(
            self.shape, self.machine, direction=self._direction, engine=self._engine, **how
        )
        # The placement's entries come first.
        return self._way.plan(self.shape, both.entries[len(placing.entries) :])

    def check(self) -> None:
        """CapacityError, with all numbers, when the plan exceeds what a device or the host has."""
        self.plan().require_fit(f"graph500 at scale {self.scale}", self.machine, *self.host_limit)

    def generate(self, progress: Progress | None = None) -> None:
        """Makes the edge list (timed by itself); CapacityError before when the run cannot fit."""
        callback(progress, "graph500: progress")
        self.check()
        self._generation = self._way.generate(progress)

    def construct(self, progress: Progress | None = None) -> PlacedGraph:
        """Kernel 1: from the edge list to a graph on the machine that is ready to be searched."""
        placed = self._way.construct(callback(progress, "graph500: progress"))
        start = time.perf_counter()
        self._search = BfsSearch(
            placed, direction=self._direction, engine=self._engine, timeout=self._timeout
        )
        self._construction = {**self._way.seconds, "prepare": time.perf_counter() - start}
        self.roots = draw_sources(placed, self._roots, self.seed)
        if not self.roots:
            raise UsageError(f"graph500: {placed.name}: no vertex has an edge to search from")
        return placed

    def search(self, root: int) -> Graph500Search:
        """Kernel 2 from the vertex with this index, then its validation, timed apart.

        The first search of a run is made twice: what runs for the first time is not timed. A tree
        that fails is kept in the result as its `failure`.
        """
        if self._search is None:
            raise UsageError("graph500: no graph; construct() comes first")
        if not self._searches:
            self._search.run(root)
        result = self._search.run(root)
        start = time.perf_counter()
        failure: VerificationError | None = None
        try:
            self._way.validate(result, self._timeout)
        except VerificationError as error:
            failure = error
        validation = time.perf_counter() - start
        entries = self._way.entries(result)
        made = Graph500Search(
            root, result.milliseconds / 1e3, entries, result.edges, validation, failure
        )
        self._searches.append(made)
        return made

    def run(self) -> Graph500Result:
        """The whole benchmark; the failure of the first tree that is wrong."""
        self.generate()
        self.construct()
        for done, root in enumerate(self.roots, 1):
            failure = self.search(root).failure
            if failure is not None:
                raise failure
            if self._progress is not None:
                self._progress(done, len(self.roots))
        return self.result

    @property
    def result(self) -> Graph500Result:
        """What has been measured."""
        return Graph500Result(
            self.scale,
            self.edge_factor,
            self.seed,
            self.machine.spec,
            self.machine.size,
            self._generation,
            dict(self._construction),
            tuple(self._searches),
        )


Arguments = ParamSpec("Arguments")


def _run_of(prepare: Callable[Arguments, Graph500]) -> Callable[Arguments, Graph500Result]:
    def graph500(*arguments: Arguments.args, **options: Arguments.kwargs) -> Graph500Result:
        """Runs the Graph500 benchmark: 64 validated searches of a Kronecker graph.

        Arguments as for :class:`Graph500`. CapacityError before anything is allocated when the run
        does not fit; VerificationError, naming root and violation, at the first tree that is wrong.
        """
        return prepare(*arguments, **options).run()

    vars(graph500)["__signature__"] = inspect.signature(prepare).replace(
        return_annotation="Graph500Result"
    )
    return graph500


graph500 = _run_of(Graph500)

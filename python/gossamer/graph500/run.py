"""One run of Graph500, step by step or as a whole."""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable
from typing import Any, ParamSpec

from gossamer import _gossamer
from gossamer.algorithm.bfs import BfsSearch, draw_sources
from gossamer.arguments import integer, memory_bytes, seed_number
from gossamer.errors import UsageError, VerificationError
from gossamer.graph import Progress
from gossamer.graph.shape import GraphShape
from gossamer.machine import Machine, machine_of
from gossamer.machine.placed_graph import PlacedGraph
from gossamer.machine.plans import MemoryPlan

from .result import Graph500Result, Graph500Search
from .ways import InParts, OnHost, Way

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
        self._progress = progress
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
            self.machine, self.shape, direction=self._direction, engine=self._engine, **how
        )
        # The placement's entries come first.
        return self._way.plan(self.shape, both.entries[len(placing.entries) :])

    def check(self) -> None:
        """CapacityError, with all numbers, when the plan exceeds what a device or the host has."""
        self.plan().require_fit(f"graph500 at scale {self.scale}", self.machine, *self.host_limit)

    def generate(self, progress: Progress | None = None) -> None:
        """Makes the edge list (timed by itself); CapacityError before when the run cannot fit."""
        self.check()
        self._generation = self._way.generate(progress)

    def construct(self, progress: Progress | None = None) -> PlacedGraph:
        """Kernel 1: from the edge list to a graph on the machine that is ready to be searched."""
        placed = self._way.construct(progress)
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

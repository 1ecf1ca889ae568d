"""The GAP benchmark: six kernels on one graph, by its rules for trials, each trial verified.

Beamer, Asanovic, Patterson, The GAP Benchmark Suite, arXiv:1508.03619. Trials of bfs and sssp begin
at 64 vertices with arcs, and each of betweenness at four of them. PageRank goes on until ranks
change by 1e-4 in the 1-norm. The time of a trial has no part of laying the graph over the machine,
nor of reversing its arcs. It has what a kernel does to the graph for itself: betweenness drops
parallel arcs, and triangles lay out rows of neighbours of higher degree, anew in each trial.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gossamer.algorithm.betweenness import BetweennessSearch, betweenness, verify_betweenness
from gossamer.algorithm.bfs import BfsSearch, bfs, draw_sources, verify_bfs
from gossamer.algorithm.components import ComponentsSearch, components, verify_components
from gossamer.algorithm.options import engines
from gossamer.algorithm.pagerank import PagerankSolver, pagerank, verify_pagerank
from gossamer.algorithm.sssp import SsspSearch, sssp, verify_sssp
from gossamer.algorithm.triangles import TrianglesSearch, triangles, verify_triangles
from gossamer.arguments import callback, flags, instance, integer, seed_number
from gossamer.errors import UsageError, VerificationError
from gossamer.graph import Graph
from gossamer.graph.input import from_csr
from gossamer.graph.shape import GraphShape
from gossamer.graph500 import Spread
from gossamer.machine import Machine, machine_of
from gossamer.machine.plans import MemoryPlan

#: The largest weight that edges get, where they have none.
_HEAVIEST = 255
_SOURCES, _OF_BETWEENNESS = 64, 4
_TOLERANCE = 1e-4

#: By kernel: trials that the benchmark asks for.
TRIALS = {
    "bfs": 64, "sssp": 64, "pagerank": 16, "components": 16, "betweenness": 16, "triangles": 3,
}  # fmt: skip
KERNELS = tuple(TRIALS)
#: By kernel: phases that stand beside a result's milliseconds, and are its own.
_OWN = {"betweenness": "lay out", "triangles": "orient"}


@dataclass(frozen=True)
class GapTrial:
    """One trial."""

    seconds: float
    #: Where it began, by index; empty of kernels without sources.
    sources: tuple[int, ...]
    #: Edges that it is counted for: of bfs those of who was reached, else all of the graph, in each
    #: iteration and from each source.
    edges: int
    #: None: not asked for.
    verified: bool | None


@dataclass(frozen=True)
class GapKernel:
    """All trials of a kernel."""

    name: str
    #: The spec of the machine that it ran on: the CPUs', where its ranks have no engine for it.
    machine: str
    engine: str
    #: Before the first trial: the graph laid over the machine, memory taken.
    prepare_seconds: float
    trials: tuple[GapTrial, ...]
    #: Of the trial that was wrong, which is the last.
    failure: VerificationError | None = None

    @property
    def time(self) -> Spread:
        """Seconds a trial."""
        return Spread.of([trial.seconds for trial in self.trials])

    @property
    def edges_per_second(self) -> float:
        """Of all trials together."""
        seconds = sum(trial.seconds for trial in self.trials)
        return sum(trial.edges for trial in self.trials) / seconds if seconds > 0 else 0.0

    @property
    def verified(self) -> bool | None:
        """Whether all trials are right; None where that was not asked for."""
        checks = [trial.verified for trial in self.trials]
        return None if None in checks else all(checks)


@dataclass(frozen=True)
class GapResult:
    """A run of the benchmark."""

    graph: str
    kernels: tuple[GapKernel, ...]

    def __getitem__(self, name: str) -> GapKernel:
        """The kernel of this name; UsageError for one that did not run."""
        for kernel in self.kernels:
            if kernel.name == name:
                return kernel
        ran = ", ".join(kernel.name for kernel in self.kernels)
        raise UsageError(f"gap: kernel {name!r} did not run ({ran} did)")

    @property
    def failure(self) -> VerificationError | None:
        """Of the first trial that is wrong."""
        return next((k.failure for k in self.kernels if k.failure is not None), None)

    def text(self) -> str:
        """A line a kernel."""
        lines = [f"{'kernel':<12} {'trials':>6} {'mean ms':>12} {'median ms':>12} {'edges/s':>10}"]
        for kernel in self.kernels:
            spread = kernel.time
            lines.append(
                f"{kernel.name:<12} {len(kernel.trials):>6} {1e3 * spread.mean:>12.3f} "
                f"{1e3 * spread.median:>12.3f} {kernel.edges_per_second:>10.3g}"
            )
        return "\n".join(lines) + "\n"


class _Run(NamedTuple):
    """What a trial gave: its result, the edges that it is counted for, and a check of it."""

    result: Any
    edges: int
    check: Callable[[], object]


class Gap:
    """Prepared for a graph on a machine; kernels run one by one.

    The graph is what the benchmark's files are: undirected or directed, without loops and parallel
    arcs, though none is refused. Weights of edges that have none are 1 to 255, by their ends and
    `seed`. Triangles are those of the undirected graph. kernels: which of :data:`KERNELS`. trials:
    at most so many of each, for a first look; None: the benchmark's. seed: of sources and weights.
    verify: every trial is checked, which is not timed. threads: of bfs's and sssp's checks.
    timeout: seconds that a trial, or its check, may last. progress: called with a kernel's name,
    trials done and trials.

    UsageError for a kernel that there is not, for a graph without arcs, and for ranks that are
    processes.
    """

    def __init__(
        self,
        graph: Graph,
        machine: Machine | str | None = None,
        *,
        kernels: Sequence[str] = KERNELS,
        trials: int | None = None,
        seed: int = 1,
        verify: bool = True,
        threads: int = 0,
        timeout: float | None = None,
        progress: Callable[[str, int, int], object] | None = None,
    ) -> None:
        self.graph = instance(graph, Graph, "gap: graph")
        self.machine = machine_of(machine)
        if not all(self.machine.here(rank) for rank in range(self.machine.size)):
            raise UsageError("gap: ranks that are processes have no engine for all kernels")
        self.kernels = chosen_kernels(kernels)
        self._most = None if trials is None else integer(trials, "gap: trials")
        if self._most is not None and self._most < 1:
            raise UsageError("gap: trials: one at least")
        self.seed = seed_number(seed, "gap: seed")
        flags("gap", verify=verify)
        self._verify, self._threads = verify, integer(threads, "gap: threads")
        self._timeout = timeout
        self._progress = callback(progress, "gap: progress")
        self._done: list[GapKernel] = []
        #: Where trials of bfs and sssp begin, as indices.
        self.sources = draw_sources(graph, _SOURCES, self.seed)
        if not self.sources:
            raise UsageError(f"gap: {graph.name}: no vertex has an edge to begin at")

    def trials(self, kernel: str) -> int:
        """How many are made of a kernel."""
        return min(TRIALS[kernel], self._most or TRIALS[kernel])

    @cached_property
    def weighted(self) -> Graph:
        """What sssp runs on."""
        if self.graph.weights is not None:
            return self.graph
        return _weighted(self.graph, self.seed)

    @cached_property
    def undirected(self) -> Graph:
        """What triangles are counted in."""
        if self.graph.symmetric:
            return self.graph
        # An edge that has both directions, and both arcs of it reversed, is one edge.
        return self.graph.rebuild(symmetrize=True, deduplicate=True)

    def run(self) -> GapResult:
        """All kernels; the failure of the first trial that is wrong."""
        for kernel in self.kernels:
            if (failure := self.run_kernel(kernel).failure) is not None:
                raise failure
        return self.result

    @property
    def result(self) -> GapResult:
        """What has been measured."""
        return GapResult(self.graph.name, tuple(self._done))

    def run_kernel(self, kernel: str) -> GapKernel:
        """All trials of one, up to the first that is wrong."""
        where = where_runs(kernel, self.machine)
        trials, failure = self.trials(kernel), None
        made: list[GapTrial] = []
        engine, prepare = "", 0.0
        for number in range(trials):
            sources = self._begin(kernel, number)
            if kernel in _OWN:
                self._of(kernel).forget()
            start = time.perf_counter()
            run = _CALLS[kernel](self, where, sources)
            whole = time.perf_counter() - start
            milliseconds = run.result.milliseconds
            if kernel in _OWN:
                milliseconds += run.result.phases[_OWN[kernel]]
            if number == 0:
                engine = run.result.engine
                prepare = 0.0 if where.virtual else max(0.0, whole - milliseconds / 1e3)
            verified = None
            if self._verify:
                try:
                    run.check()
                    verified = True
                except VerificationError as error:
                    verified, failure = False, error
            made.append(GapTrial(milliseconds / 1e3, sources, run.edges, verified))
            del run
            if failure is not None:
                break
            if self._progress is not None:
                self._progress(kernel, number + 1, trials)
        done = GapKernel(kernel, where.spec, engine, prepare, tuple(made), failure)
        self._done.append(done)
        return done

    def _of(self, kernel: str) -> Graph:
        return {"sssp": lambda: self.weighted, "triangles": lambda: self.undirected}.get(
            kernel, lambda: self.graph
        )()

    def _begin(self, kernel: str, number: int) -> tuple[int, ...]:
        """One source after the other, from the first on again where there are too few."""
        several = {"bfs": 1, "sssp": 1, "betweenness": _OF_BETWEENNESS}.get(kernel, 0)
        several = min(several, len(self.sources))
        first = number * several
        return tuple(self.sources[(first + i) % len(self.sources)] for i in range(several))

    # Each makes one run; `self._timeout` bounds it, and its check.

    def _bfs(self, where: Machine, sources: tuple[int, ...]) -> _Run:
        found = bfs(self.graph, sources[0], where, timeout=self._timeout)

        def check() -> None:
            verify_bfs(
                self.graph, sources[0], found.parents, found.depths, threads=self._threads,
                timeout=self._timeout,
            )  # fmt: skip

        return _Run(found, found.edges, check)

    def _sssp(self, where: Machine, sources: tuple[int, ...]) -> _Run:
        found = sssp(self.weighted, sources[0], where, timeout=self._timeout)

        def check() -> None:
            verify_sssp(
                self.weighted, sources[0], found.raw_distances, threads=self._threads,
                timeout=self._timeout,
            )  # fmt: skip

        return _Run(found, self.graph.edges, check)

    def _pagerank(self, where: Machine, _: tuple[int, ...]) -> _Run:
        found = pagerank(self.graph, where, tolerance=_TOLERANCE, timeout=self._timeout)
        # Of an engine that does not count iterations: one at least.
        iterations = found.iterations or 1

        def check() -> None:
            verify_pagerank(self.graph, found.ranks, tolerance=_TOLERANCE, timeout=self._timeout)

        return _Run(found, iterations * self.graph.arcs, check)

    def _components(self, where: Machine, _: tuple[int, ...]) -> _Run:
        found = components(self.graph, where, timeout=self._timeout)
        return _Run(
            found, self.graph.edges,
            lambda: verify_components(self.graph, found.labels, timeout=self._timeout),
        )  # fmt: skip

    def _betweenness(self, where: Machine, sources: tuple[int, ...]) -> _Run:
        begin = np.array(sources, np.int64)
        found = betweenness(self.graph, where, sources=begin, timeout=self._timeout)

        def check() -> None:
            verify_betweenness(self.graph, found.scores, sources=begin, timeout=self._timeout)

        return _Run(found, len(sources) * self.graph.edges, check)

    def _triangles(self, where: Machine, _: tuple[int, ...]) -> _Run:
        found = triangles(self.undirected, where, timeout=self._timeout)
        return _Run(
            found, self.undirected.edges,
            lambda: verify_triangles(self.undirected, found.counts, timeout=self._timeout),
        )  # fmt: skip


_CALLS: dict[str, Callable[[Gap, Machine, tuple[int, ...]], _Run]] = {
    "bfs": Gap._bfs, "sssp": Gap._sssp, "pagerank": Gap._pagerank,
    "components": Gap._components, "betweenness": Gap._betweenness, "triangles": Gap._triangles,
}  # fmt: skip
_PREPARED: dict[str, Any] = {
    "bfs": BfsSearch, "sssp": SsspSearch, "pagerank": PagerankSolver,
    "components": ComponentsSearch, "betweenness": BetweennessSearch, "triangles": TrianglesSearch,
}  # fmt: skip


def chosen_kernels(names: Sequence[str]) -> tuple[str, ...]:
    """In the benchmark's order. UsageError for one that there is not, and for none."""
    if isinstance(names, str):
        raise UsageError(f"gap: kernels: expected several names, got {names!r}")
    wanted = [instance(name, str, "gap: kernels", "names") for name in names]
    for name in wanted:
        if name not in TRIALS:
            raise UsageError(f"gap: unknown kernel {name!r} (there are {', '.join(KERNELS)})")
    if not wanted:
        raise UsageError(f"gap: kernels: none is named (there are {', '.join(KERNELS)})")
    return tuple(name for name in KERNELS if name in wanted)


def where_runs(kernel: str, machine: Machine) -> Machine:
    """The machine, or the CPUs of its host where its ranks have no engine for the kernel."""
    kinds = "+".join(sorted({device.kind for device in machine.devices}))
    if any(kinds in engine.runs_on for engine in engines(kernel)):
        return machine
    return machine_of("cpu")


def plan_kernel(kernel: str, shape: Graph | GraphShape, machine: Machine) -> MemoryPlan:
    """What one trial takes beside the graph."""
    options: dict[str, Any] = {}
    if kernel == "betweenness":
        options["sources"] = range(_OF_BETWEENNESS)
    planned: MemoryPlan = _PREPARED[kernel].plan(shape, where_runs(kernel, machine), **options)
    return planned


def _weighted(graph: Graph, seed: int) -> Graph:
    """With weights of 1 to 255, the same in both directions. 24 bytes an arc beside them."""
    heads = np.asarray(graph.indices).astype(np.uint64)
    tails = np.repeat(np.arange(graph.vertices, dtype=np.uint64), graph.degrees)
    mixed = np.minimum(tails, heads)
    np.maximum(tails, heads, out=heads)
    del tails
    for word in (heads, np.uint64(seed)):
        mixed += word
        _mix(mixed)
    weights = (mixed % np.uint64(_HEAVIEST)).astype(np.int32) + np.int32(1)
    return from_csr(
        graph.indptr, graph.indices, weights, symmetric=graph.symmetric, name=graph.name
    )


def _mix(words: npt.NDArray[np.uint64]) -> None:
    """SplitMix64's finaliser (Steele, Lea, Flood, OOPSLA 2014), in place."""
    words *= np.uint64(0x9E3779B97F4A7C15)
    words ^= words >> np.uint64(30)
    words *= np.uint64(0xBF58476D1CE4E5B9)
    words ^= words >> np.uint64(27)
    words *= np.uint64(0x94D049BB133111EB)
    words ^= words >> np.uint64(31)


def gap(
    graph: Graph,
    machine: Machine | str | None = None,
    *,
    kernels: Sequence[str] = KERNELS,
    trials: int | None = None,
    seed: int = 1,
    verify: bool = True,
    threads: int = 0,
    timeout: float | None = None,
    progress: Callable[[str, int, int], object] | None = None,
) -> GapResult:
    """Runs the GAP benchmark's kernels: bfs and sssp from 64 sources, pagerank, components and
    betweenness 16 times, triangles three times, every trial verified.

    Arguments as for :class:`gossamer.bench.Gap`. VerificationError at the first trial that is
    wrong.
    """
    return Gap(
        graph, machine, kernels=kernels, trials=trials, seed=seed, verify=verify, threads=threads,
        timeout=timeout, progress=progress,
    ).run()  # fmt: skip

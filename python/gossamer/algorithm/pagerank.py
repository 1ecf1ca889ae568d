"""PageRank: the stationary distribution of a walk that follows arcs, and now and then jumps."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from gossamer import _gossamer
from gossamer.arguments import flags, instance, integer, memory_bytes, number, seconds
from gossamer.arrays import number_array
from gossamer.graph import Graph
from gossamer.graph.shape import GraphShape, planning_handle
from gossamer.machine import Machine, laid_out, machine_of
from gossamer.machine.placed_graph import PlacedGraph
from gossamer.machine.plans import MemoryPlan, memory_plan

from .runs import finished, run_verifier, worklist_options
from .values import ValuesResult


@dataclass(frozen=True)
class PagerankResult(ValuesResult):
    """Ranks of a graph."""

    _arrays: ClassVar[tuple[str, ...]] = ("ranks",)

    #: With engine ``async`` windows of residuals.
    iterations: int
    converged: bool
    #: 1-norm of what the last iteration changed; with engine ``async`` of what another one would
    #: change at most.
    change: float
    #: First to last iteration, slowest rank.
    milliseconds: float
    #: Milliseconds by phase: pull; on several ranks allgather, agree. With engine ``async`` push;
    #: on several CPU ranks exchange, agree.
    phases: dict[str, float]

    @cached_property
    def ranks(self) -> npt.NDArray[Any]:
        """Rank of every vertex; they sum to 1. float32, or float64 with precision 64. They stay on
        a GPU that found them until the first access.
        """
        return self._here()


class PagerankSolver:
    """Prepared for a graph on a machine, run for any distribution of jumps.

    damping: share of steps that follow arcs. tolerance: stop when the ranks change by this at most,
    in the 1-norm (NetworkX stops at this times the number of vertices). max_iterations: give up
    after so many. precision: bits of a rank, 32 or 64; sums have 64 either way. weighted: steps in
    proportion to weights instead of all arcs alike. engine: ``auto`` (which is ``sync``), ``sync``
    (power iteration), ``async`` (residuals pushed by a distributed worklist, one thread a CPU rank,
    one kernel a GPU, until another iteration would change the ranks by `tolerance` at most; it does
    not count iterations) or, on GPUs, ``host`` (the same worklist, its rounds launched and its
    messages sent by host threads). balance: how idle ranks of ``async`` on CPUs get work: ``none``
    or ``steal`` (parts of others' rows). priority: order of that worklist, ``soft`` (the largest
    residual first, roughly) or on CPUs ``none`` (first in, first out, for comparison).
    partition: which rank owns which vertices, on several ranks: ``auto`` (ranges with as many
    vertices each, on GPUs in-arcs, with ``async`` and ``host`` arcs), ``ranges``, ``edges``,
    ``hash``, ``metis``, or the part of every vertex (:func:`read_partition`); results are in the
    graph's own numbering whatever it is. route: how messages of ``host`` travel, ``direct`` to the
    owner or along a ``ring``; packet: bytes of the largest segment of its links, None to choose
    them. deterministic: asks for the same bits in every run; ``sync`` adds in a fixed order, with
    or without, ``async`` and ``host`` refuse. use: of several GPUs ``auto`` takes one where more
    would take longer (the result says why), ``all`` takes all, and so do ``async``, ``host`` and
    any partition. timeout: seconds that a run, or a wait for a silent rank, may last.

    UsageError: options out of range, `weighted` without weights, an engine or a use that does not
    exist, a route or packet of another engine than ``host``, ``async`` or ``host`` with
    `deterministic`, a start, a tolerance of zero or a damping of 1. InputError: a weight that is
    negative or not finite. NotCompiled: GPUs beside CPU ranks or of MPI processes.
    """

    def __init__(
        self,
        graph: Graph | PlacedGraph,
        machine: Machine | str | None = None,
        *,
        damping: float = 0.85,
        tolerance: float = 1e-6,
        max_iterations: int = 100,
        precision: int = 32,
        weighted: bool = False,
        engine: str = "auto",
        balance: str = "none",
        priority: str = "soft",
        partition: Any = "auto",
        route: str = "direct",
        packet: int | str | None = None,
        deterministic: bool = False,
        use: str = "auto",
        memory: int | str | None = None,
        timeout: float | None = None,
    ) -> None:
        self.graph: Graph
        self.machine: Machine
        self.graph, self.machine, partition = laid_out("pagerank", graph, machine, partition)
        self._timeout = timeout
        flags("pagerank", weighted=weighted, deterministic=deterministic)
        how = worklist_options("pagerank", engine, balance, priority, partition, route, packet, use)
        self._handle = _gossamer.make_pagerank_solver(
            self.machine._handle,
            self.graph._on(self.machine, engine in ("auto", "sync")),
            engine,
            *how,
            number(damping, "pagerank: damping"),
            number(tolerance, "pagerank: tolerance"),
            integer(max_iterations, "pagerank: max_iterations"),
            integer(precision, "pagerank: precision", 1 << 31),
            weighted,
            deterministic,
            use,
            memory_bytes(memory),
            seconds(timeout, "pagerank"),
        )

    def run(self, personalization: Any = None, start: Any = None) -> PagerankResult:
        """Iterates from `start` (all vertices alike when None) with jumps to where
        `personalization` has weight (anywhere when None); n numbers of zero or more each, scaled
        to sum to 1."""
        raw = self._handle.run(
            _distribution(personalization, "personalization"), _distribution(start, "start")
        )
        return PagerankResult(**finished("pagerank", raw, self.machine, self._timeout))

    @staticmethod
    def plan(
        graph: Graph | GraphShape,
        machine: Machine,
        *,
        engine: str = "auto",
        balance: str = "none",
        priority: str = "soft",
        partition: Any = "auto",
        route: str = "direct",
        packet: int | str | None = None,
        precision: int = 32,
        weighted: bool = False,
        use: str = "auto",
        memory: int | str | None = None,
    ) -> MemoryPlan:
        """What a run takes beside the graph."""
        how = worklist_options("pagerank", engine, balance, priority, partition, route, packet, use)
        flags("pagerank", weighted=weighted)
        return memory_plan(
            _gossamer.plan_pagerank(
                machine_of(machine)._handle,
                planning_handle(graph, machine_of(machine), partition),
                engine,
                *how,
                precision,
                weighted,
                use,
                memory_bytes(memory),
            )
        )


def pagerank(
    graph: Graph | PlacedGraph,
    machine: Machine | str | None = None,
    *,
    personalization: Any = None,
    start: Any = None,
    **options: Any,
) -> PagerankResult:
    """PageRank of a graph, as NetworkX defines it.

    `machine` is a :class:`Machine`, a spec, or None for ``auto``; a placed graph brings its machine
    and partition, and is laid out as this algorithm needs it. `options` are those of
    :class:`PagerankSolver`, `personalization` and `start` those of its :meth:`~PagerankSolver.run`.
    """
    return PagerankSolver(graph, machine, **options).run(personalization, start)


def verify_pagerank(
    graph: Graph,
    ranks: Any,
    *,
    damping: float = 0.85,
    tolerance: float = 1e-6,
    precision: int = 32,
    weighted: bool = False,
    personalization: Any = None,
    timeout: float | None = None,
) -> float:
    """Applies the definition once more, in double precision and by code of its own; returns the
    1-norm of what that changes.

    VerificationError when it exceeds the tolerance and what rounding adds; Timeout after `timeout`
    seconds.
    """
    values = _distribution(ranks if ranks is not None else [None], "ranks")
    assert values is not None
    flags("verify_pagerank", weighted=weighted)
    instance(graph, Graph, "verify_pagerank: graph")
    given = (
        number(damping, "verify_pagerank: damping"),
        number(tolerance, "verify_pagerank: tolerance"),
        integer(precision, "verify_pagerank: precision", 1 << 31),
        weighted,
        _distribution(personalization, "personalization"),
    )
    residual: float = run_verifier(
        f"pagerank of {graph.name}", "verify_pagerank", timeout,
        lambda limit: _gossamer.verify_pagerank(graph._handle, values, *given, limit),
    )[0]  # fmt: skip
    return residual


def _distribution(values: Any, name: str) -> npt.NDArray[np.float64] | None:
    if values is None:
        return None
    return np.ascontiguousarray(number_array(values, f"pagerank: {name}"), np.float64)

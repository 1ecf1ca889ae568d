"""PageRank: the stationary distribution of a walk that follows arcs, and now and then jumps."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Unpack

import numpy as np
import numpy.typing as npt

from gossamer import _gossamer
from gossamer.arguments import flags, instance, integer, number
from gossamer.arrays import number_array
from gossamer.errors import ConvergenceWarning, UsageError, VerificationError
from gossamer.graph import Graph
from gossamer.graph.shape import GraphShape
from gossamer.machine import Machine
from gossamer.machine.placed_graph import PlacedGraph
from gossamer.machine.plans import MemoryPlan

from .by_name import Column
from .options import RunOptions, defaults, spelled_out
from .prepared import Prepared, ValuesResult, run_verifier, vertex_numbers


@dataclass(frozen=True, repr=False)
class PagerankResult(ValuesResult):
    """Ranks of a graph."""

    _arrays: ClassVar[tuple[str, ...]] = ("ranks",)

    #: With engine ``async`` windows of residuals.
    iterations: int
    converged: bool
    #: 1-norm of what the last iteration changed; with engine ``async`` of what another one would
    #: change at most.
    change: float
    #: Whether steps were taken in proportion to weights.
    weighted: bool
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

    def _columns(self) -> dict[str, Column]:
        return {"rank": Column(self.ranks)}


class PagerankOptions(RunOptions, total=False):
    """Those of :class:`PagerankSolver`."""

    spill: str
    damping: float
    tolerance: float
    max_iterations: int
    precision: int
    weighted: bool
    deterministic: bool


_DEFAULTS = defaults("pagerank")
_explicit = spelled_out(PagerankOptions, _DEFAULTS)
#: What float32's rounding may change ranks by, in the 1-norm, is below that.
_ROUNDING = 1e-6


class PagerankSolver(Prepared):
    """Prepared for a graph on a machine, run for any distribution of jumps.

    damping: share of steps that follow arcs. tolerance: stop when the ranks change by this at most,
    in the 1-norm (NetworkX stops at this times the number of vertices). max_iterations: give up
    after so many. precision: bits of a rank, 32 or 64; sums have 64 either way. weighted: steps in
    proportion to weights instead of all arcs alike. engine: ``auto``, or one of
    ``gossamer.engines("pagerank")``, its own options behind its name: ``"async:balance=steal"``;
    ``async`` and ``host`` go on until another iteration would change the ranks by `tolerance` at
    most, and do not count iterations. partition: which rank owns which vertices, on several ranks:
    ``auto`` (ranges with as many vertices each, on GPUs in-arcs, with ``async`` and ``host`` arcs),
    ``ranges``, ``edges``, ``hash``, ``metis``, or the part of every vertex
    (:func:`read_partition`); results are in the graph's own numbering whatever it is.
    deterministic: asks for the same bits in every run; ``sync`` adds in a fixed order, with or
    without, ``async`` and ``host`` refuse. use: of several GPUs ``auto`` takes one where more would
    take longer (the result says why), ``all`` takes all, and so do ``async``, ``host`` and any
    partition. memory: bytes that each device may be asked for, ``"device=3G"`` of GPUs alone.
    spill: where rows lie that GPUs have no room for: ``host``, ``none``, or ``auto`` (``host``
    unless `memory` is given). timeout: seconds that a run, or a wait for a silent rank, may last.
    trace: records every run; of the function a path, too.

    UsageError: options out of range or that do not exist, `weighted` without weights, ``async`` or
    ``host`` with `deterministic`, a start, a tolerance of zero or a damping of 1. InputError: a
    weight that is negative or not finite. NotCompiled: an engine that does not run on such ranks.
    """

    _algorithm = "pagerank"
    _make = _gossamer.make_pagerank_solver
    _plan = _gossamer.plan_pagerank
    _handle: _gossamer.PagerankSolver

    @_explicit
    def __init__(
        self,
        graph: Graph | PlacedGraph,
        machine: Machine | str | None = None,
        **options: Unpack[PagerankOptions],
    ) -> None:
        self._handle = self._prepare(graph, machine, options)
        self._damping = float(options.get("damping", _DEFAULTS["damping"]))
        self._tolerance = options.get("tolerance")
        self._precision = options.get("precision", _DEFAULTS["precision"])
        self._weighted = options.get("weighted", False)

    def run(
        self, personalization: Any = None, start: Any = None, dangling: Any = None
    ) -> PagerankResult:
        """Iterates from `start` (all vertices alike when None) with jumps to where
        `personalization` has weight (anywhere when None); n numbers of zero or more each, scaled
        to sum to 1, or a dict of such by name, with zero for what it leaves out. `dangling`:
        likewise, where a walk goes on that has come to a vertex without arcs (as it jumps when
        None); that takes a second run.

        Warns with ConvergenceWarning when `max_iterations` came before `tolerance`, unless that is
        0, which asks for so many iterations.
        """
        return self._warned(self._run(personalization, start, dangling))

    def _warned(self, result: PagerankResult, level: int = 3) -> PagerankResult:
        """`level`: of whom the warning is about, from here on."""
        if not result.converged and self._tolerance != 0:
            rounding = self._precision == 32 and result.change < _ROUNDING
            warnings.warn(
                f"pagerank of {self.graph.name} did not converge in {result.iterations} "
                f"iterations: the last one changed ranks by {result.change:.3g}"
                + (", as rounding does: precision=64 gets below" if rounding else ""),
                ConvergenceWarning,
                stacklevel=level,
            )
        return result

    def _run(
        self, personalization: Any = None, start: Any = None, dangling: Any = None
    ) -> PagerankResult:
        """As :meth:`run`, for who says by himself that it did not converge."""
        jumps, begin = (
            _distribution(personalization, "personalization", self.graph),
            _distribution(start, "start", self.graph),
        )
        given = _distribution(dangling, "dangling", self.graph)
        if given is None:
            return self._walk(jumps, begin)
        if self._damping == 1:
            raise UsageError("pagerank: dangling needs a damping of less than 1")
        return _joined(
            self._walk(jumps, begin), self._walk(given, begin), self._ends(), self._damping
        )

    def _walk(self, jumps: Any, begin: Any) -> PagerankResult:
        raw = self._handle.run(jumps, begin)
        return PagerankResult(**self._named(raw), weighted=self._weighted)

    def _ends(self) -> npt.NDArray[np.bool_]:
        """Vertices from which no step leads on."""
        ends: npt.NDArray[np.bool_] = self.graph.degrees == 0
        weights = self.graph.weights
        if self._weighted and weights is not None and weights.size:
            rows = np.add.reduceat(
                np.append(weights, weights.dtype.type(0)).astype(np.float64), self.graph.indptr[:-1]
            )
            ends = ends | (rows == 0)
        return ends

    @classmethod
    @_explicit
    def plan(
        cls,
        graph: Graph | GraphShape,
        machine: Machine | str | None = None,
        **options: Unpack[PagerankOptions],
    ) -> MemoryPlan:
        """What a run takes beside the graph."""
        return cls._planned(graph, machine, options)


@spelled_out(PagerankOptions, _DEFAULTS, PagerankSolver)
def pagerank(
    graph: Graph | PlacedGraph,
    machine: Machine | str | None = None,
    *,
    personalization: Any = None,
    start: Any = None,
    dangling: Any = None,
    alpha: float | None = None,
    tol: float | None = None,
    max_iter: int | None = None,
    **options: Unpack[PagerankOptions],
) -> PagerankResult:
    """PageRank of a graph, as NetworkX defines it.

    NetworkX: ``pagerank``.

    `alpha`, `tol` and `max_iter` are NetworkX's: `damping`, `tolerance` over the number of vertices
    and `max_iterations`. UsageError for both spellings of one. ConvergenceWarning as of
    :meth:`PagerankSolver.run`.

    `machine` is a :class:`Machine`, a spec, or None for ``auto``; a placed graph brings its machine
    and partition, and is laid out as this algorithm needs it. The options are those of
    :class:`PagerankSolver`, `personalization`, `start` and `dangling` those of its
    :meth:`~PagerankSolver.run`.
    """
    for theirs, value, ours in (
        ("alpha", alpha, "damping"), ("tol", tol, "tolerance"),
        ("max_iter", max_iter, "max_iterations"),
    ):  # fmt: skip
        if value is not None and ours in options:
            raise UsageError(f"pagerank: {theirs} and {ours} are the same option: give one of them")
    if alpha is not None:
        options["damping"] = alpha
    if tol is not None:
        if not isinstance(graph, PlacedGraph):
            instance(graph, Graph, "pagerank: graph", "a Graph or a PlacedGraph")
        options["tolerance"] = number(tol, "pagerank: tol") * graph.vertices
    if max_iter is not None:
        options["max_iterations"] = max_iter
    return PagerankSolver._once(
        graph,
        machine,
        options,
        # This, _once() and what checks the options stand between the caller and the warning.
        lambda solver: solver._warned(solver._run(personalization, start, dangling), 6),
    )


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
    flags("verify_pagerank", weighted=weighted)
    instance(graph, Graph, "verify_pagerank: graph")
    values = _distribution(ranks if ranks is not None else [None], "ranks", graph)
    assert values is not None
    given = (
        number(damping, "verify_pagerank: damping"),
        number(tolerance, "verify_pagerank: tolerance"),
        integer(precision, "verify_pagerank: precision", 1 << 31),
        weighted,
        _distribution(personalization, "personalization", graph),
    )
    residual: float = run_verifier(
        f"pagerank of {graph.name}", "verify_pagerank", timeout,
        lambda limit: _gossamer.verify_pagerank(graph._handle, values, *given, limit),
    )[0]  # fmt: skip
    return residual


def compare_ranks(
    graph: Graph,
    ranks: Any,
    expected: Any,
    *,
    damping: float = 0.85,
    tolerance: float = 1e-6,
) -> float:
    """Compares ranks with somebody else's, one number a vertex each; returns the 1-norm of the
    difference.

    VerificationError when that exceeds `tolerance` / (1 - `damping`), how far from the fixed point
    ranks may be that an iteration changes by `tolerance`, and what rounding of float32 adds;
    UsageError for an array that is none of numbers.
    """
    instance(graph, Graph, "compare_ranks: graph")
    of = f"pagerank of {graph.name}"
    ours = vertex_numbers(graph, ranks, "compare_ranks: ranks", of)
    theirs = vertex_numbers(graph, expected, "compare_ranks: expected", of)
    damping = number(damping, "compare_ranks: damping")
    tolerance = number(tolerance, "compare_ranks: tolerance")
    # Without jumps nothing draws ranks together.
    allowed = tolerance / (1 - damping) if damping < 1 else tolerance
    if ours.dtype == np.float32:
        allowed += float(np.finfo(np.float32).eps)
    difference = float(np.abs(ours.astype(np.float64) - theirs.astype(np.float64)).sum())
    if not difference <= allowed:  # nor of what is no number
        raise VerificationError(
            f"{of}: the ranks differ from those expected by {difference:.3e} "
            f"in the 1-norm, the tolerance {tolerance:g} allows {allowed:.3e}"
        )
    return difference


def _joined(
    jumping: PagerankResult, dangling: PagerankResult, ends: npt.NDArray[np.bool_], damping: float
) -> PagerankResult:
    """Ranks of walks that jump as the first result's do, and go on from `ends` as the second's.

    With z(v) = v (I - damping A)^-1, ranks of jumps v that ends follow, too, are z(v) but for a
    factor, damping times the ends' share plus 1 - damping. Ranks here are damping * s * z(dangling)
    + (1 - damping) * z(jumps), where s, the ends' share of them, follows from the same equation.
    """

    def solved(result: PagerankResult) -> tuple[npt.NDArray[np.float64], float]:
        ranks = result.ranks.astype(np.float64)
        factor = damping * ranks[ends].sum() + 1 - damping
        return ranks / factor, float(ranks[ends].sum() / factor)

    by_jumps, ended = solved(jumping)
    by_ends, ended_again = solved(dangling)
    share = (1 - damping) * ended / (1 - damping * ended_again)
    ranks = damping * share * by_ends + (1 - damping) * by_jumps
    both = replace(
        jumping,
        iterations=jumping.iterations + dangling.iterations,
        converged=jumping.converged and dangling.converged,
        change=max(jumping.change, dangling.change),
        milliseconds=jumping.milliseconds + dangling.milliseconds,
        phases={name: ms + dangling.phases.get(name, 0) for name, ms in jumping.phases.items()},
        work=None,
        _values=None,
    )
    vars(both)["ranks"] = ranks.astype(jumping.ranks.dtype)
    return both


def _distribution(values: Any, name: str, graph: Graph) -> npt.NDArray[np.float64] | None:
    """One number a vertex, of an array or by name."""
    if values is None:
        return None
    if isinstance(values, Mapping):
        of = f"pagerank: {name}"
        out = np.zeros(graph.vertices)
        for vertex, value in values.items():
            out[graph._vertex_names.index(vertex, of)] = number(value, of)
        return out
    return np.ascontiguousarray(number_array(values, f"pagerank: {name}"), np.float64)

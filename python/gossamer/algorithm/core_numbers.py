"""Core numbers: of each vertex the largest k whose k-core it is in."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, TypedDict, Unpack

import numpy as np
import numpy.typing as npt

from gossamer import _gossamer
from gossamer.arguments import instance
from gossamer.arrays import number_array
from gossamer.errors import VerificationError
from gossamer.graph import Graph
from gossamer.graph.shape import GraphShape
from gossamer.machine import Machine
from gossamer.machine.placed_graph import PlacedGraph
from gossamer.machine.plans import MemoryPlan
from gossamer.trace import Trace

from .by_name import Column
from .options import defaults, spelled_out
from .prepared import Prepared, ValuesResult, run_verifier, vertex_numbers


@dataclass(frozen=True, repr=False)
class CoreNumbersResult(ValuesResult):
    """Core numbers of a graph."""

    _arrays: ClassVar[tuple[str, ...]] = ("numbers",)

    #: The largest core number; 0 without vertices.
    degeneracy: int
    #: Different core numbers, each a level of the search.
    rounds: int
    #: Degrees to core numbers, slowest rank.
    milliseconds: float
    #: Milliseconds by phase: scan, peel; of a GPU peel alone. degrees, counting distinct
    #: neighbours, is not part of `milliseconds`, and 0 where an earlier call left them.
    phases: dict[str, float]

    @cached_property
    def numbers(self) -> npt.NDArray[np.int32]:
        """The core number of each vertex."""
        return self._here()

    def _columns(self) -> dict[str, Column]:
        return {"core_number": Column(self.numbers)}


class CoreNumbersOptions(TypedDict, total=False):
    """Those of :class:`CoreNumbersSearch`."""

    engine: str
    memory: int | str | None
    timeout: float | None
    trace: Trace | str | Path | None


_explicit = spelled_out(CoreNumbersOptions, defaults("core_numbers"))


class CoreNumbersSearch(Prepared):
    """Prepared for a graph on a machine, run any number of times.

    Loops are dropped, parallel arcs are one. In a directed graph neighbours are those of arcs in
    and out, and who is so both ways counts twice, as NetworkX has it;
    ``graph.rebuild(symmetrize=True)`` is the undirected one. engine: ``auto``, or one of
    ``gossamer.engines("core_numbers")``. memory: bytes that each device may be asked for,
    ``"device=3G"`` of GPUs alone. timeout: seconds that a run, or a wait for a silent rank, may
    last. trace: records every run; of the function a path, too. All ranks read the same rows, so
    there is no partition; of several GPUs the first works.

    UsageError: an engine that does not exist. NotCompiled: ranks that are processes.
    """

    _algorithm = "core_numbers"
    _make = _gossamer.make_core_numbers_search
    _plan = _gossamer.plan_core_numbers
    _handle: _gossamer.CoreNumbersSearch

    @_explicit
    def __init__(
        self,
        graph: Graph | PlacedGraph,
        machine: Machine | str | None = None,
        **options: Unpack[CoreNumbersOptions],
    ) -> None:
        self._handle = self._prepare(graph, machine, options)

    def run(self) -> CoreNumbersResult:
        """Finds the core numbers."""
        return CoreNumbersResult(**self._named(self._handle.run()), work=None)

    @classmethod
    @_explicit
    def plan(
        cls,
        graph: Graph | GraphShape,
        machine: Machine | str | None = None,
        **options: Unpack[CoreNumbersOptions],
    ) -> MemoryPlan:
        """What a run takes beside the graph."""
        return cls._planned(graph, machine, options)


@spelled_out(CoreNumbersOptions, defaults("core_numbers"), CoreNumbersSearch)
def core_numbers(
    graph: Graph | PlacedGraph,
    machine: Machine | str | None = None,
    **options: Unpack[CoreNumbersOptions],
) -> CoreNumbersResult:
    """The core number of each vertex: the largest k for which it is in the k-core, the largest part
    in which each vertex has k neighbours or more.

    NetworkX: ``core_number``, ``k_core``.

    `machine` is a :class:`Machine`, a spec, or None for ``auto``; a placed graph brings its
    machine. The options are those of :class:`CoreNumbersSearch`.
    """
    return CoreNumbersSearch._once(graph, machine, options, lambda search: search.run())


def verify_core_numbers(graph: Graph, numbers: Any, *, timeout: float | None = None) -> None:
    """Checks core numbers, whoever made them: each vertex must have as many neighbours of its
    number or more as its number says, and must be able to leave, by rising numbers, when it has no
    more neighbours left than that.

    VerificationError names the first violation, in the file's own vertex ids; Timeout after
    `timeout` seconds; UsageError for an array that is none of whole numbers.
    """
    instance(graph, Graph, "verify_core_numbers: graph")
    array = _as_int32(number_array(numbers, "verify_core_numbers: numbers"))
    run_verifier(
        f"core numbers of {graph.name}", "verify_core_numbers", timeout,
        lambda limit: _gossamer.verify_core_numbers(graph._handle, array, limit),
    )  # fmt: skip


def _as_int32(given: npt.NDArray[Any]) -> npt.NDArray[np.int32]:
    """What is no whole number, or does not fit, is no core number: -1."""
    fits = (given >= 0) & (given <= np.iinfo(np.int32).max)
    whole = np.where(fits, given, -1).astype(np.int32)
    return np.ascontiguousarray(np.where(whole == given, whole, -1), np.int32)


def compare_core_numbers(graph: Graph, numbers: Any, expected: Any) -> None:
    """Compares core numbers with somebody else's, one number a vertex each.

    VerificationError names the first vertex whose numbers differ, in the file's own ids; UsageError
    for an array that is none of numbers.
    """
    instance(graph, Graph, "compare_core_numbers: graph")
    of = f"core numbers of {graph.name}"
    ours = vertex_numbers(graph, numbers, "compare_core_numbers: numbers", of)
    theirs = vertex_numbers(graph, expected, "compare_core_numbers: expected", of)
    different = np.flatnonzero(ours != theirs)
    if different.size:
        v = int(different[0])
        raise VerificationError(
            f"{of}: vertex {graph.name_of(v)} has {ours[v]}, expected {theirs[v]}"
        )

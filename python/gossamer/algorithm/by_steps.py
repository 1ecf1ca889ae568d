"""What algorithms written as vertex steps share: arguments, results, and the seeded order."""

from __future__ import annotations

import numbers
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from gossamer.arguments import flags, integer, number
from gossamer.arrays import number_array
from gossamer.errors import InputError, UsageError, check_time
from gossamer.graph import Graph
from gossamer.graph.shape import GraphShape
from gossamer.machine import Machine, laid_out
from gossamer.machine.placed_graph import PlacedGraph
from gossamer.machine.plans import MemoryPlan, PlanEntry
from gossamer.vertex_steps import VertexSteps

from .prepared import ValuesResult

_ODD = 0x9E3779B97F4A7C15
_FACTORS = (0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
_MASK = (1 << 64) - 1

#: What this process takes to write, compile and load a program for the first time: 6 to 12 MB were
#: measured.
_PROGRAM = 8 << 20


@dataclass(frozen=True, kw_only=True, repr=False)
class StepsResult(ValuesResult):
    """What results of algorithms by vertex steps share."""

    #: The loops of steps, without what compiling them takes. Slowest rank.
    milliseconds: float
    #: Milliseconds by phase: steps.
    phases: dict[str, float]


@dataclass(frozen=True)
class StepsBytes:
    """What an algorithm takes for each vertex."""

    #: All fields together, and copies of what GPUs gather.
    fields: int
    gathered: int
    #: NumPy's arrays beside the fields: one that is set, which the allocator may keep, and results.
    arrays: int

    def plan(
        self,
        graph: Graph | GraphShape,
        machine: Machine,
        memory: int | str | None,
        weight_bytes: int = 0,
    ) -> MemoryPlan:
        """What a run takes beside the graph; `weight_bytes`: of a shape."""
        on_gpus = machine.devices[0].kind == "cuda"
        steps = VertexSteps.plan(
            graph, machine, fields=self.fields, messages=self.gathered if on_gpus else 0,
            weight_bytes=weight_bytes, memory=memory,
        )  # fmt: skip
        sure = graph.vertices_are if isinstance(graph, GraphShape) else "exact"
        own = PlanEntry(-1, "host", "values set and results", self.arrays * graph.vertices, sure)
        program = PlanEntry(-1, "host", "compiling and loading a program", _PROGRAM, "about")
        return replace(steps, entries=(*steps.entries, own, program))


def opened(
    what: str,
    graph: Graph | PlacedGraph,
    machine: Machine | str | None,
    memory: int | str | None,
    timeout: float | None,
) -> VertexSteps:
    """Steps on the graph; one that was placed brings its machine."""
    taken, where, _ = laid_out(what, graph, machine, "auto")
    return VertexSteps(taken, where, memory=memory, timeout=timeout)


def said_of(what: str, steps: VertexSteps) -> dict[str, Any]:
    """What every result says, behind the only run. Timeout for one that ended too late."""
    check_time(what, steps.milliseconds / 1e3, steps._timeout)
    return {
        "engine": "steps",
        "engine_reason": "vertex steps are the only engine",
        "ranks_used": steps.machine.size,
        "ranks_reason": "",
        "work": None,
        "milliseconds": steps.milliseconds,
        "phases": {"steps": steps.milliseconds},
        "_names": steps.graph._vertex_names,
    }


def check_undirected(what: str, graph: Graph) -> None:
    """UsageError for a directed graph: who is whose neighbour would depend on the side asked."""
    if not graph.symmetric:
        raise UsageError(
            f"{what}: {graph.name} is directed; neighbours are those of an undirected graph "
            "(graph.rebuild(symmetrize=True), --symmetrize)"
        )


def check_limits(what: str, tolerance: Any, max_iterations: Any) -> tuple[float, int]:
    """UsageError for a tolerance below 0, and for no iteration at all."""
    close = number(tolerance, f"{what}: tolerance")
    if close < 0:
        raise UsageError(f"{what}: tolerance: zero or more, not {close:g}")
    most = integer(max_iterations, f"{what}: max_iterations", 1 << 31)
    if most < 1:
        raise UsageError(f"{what}: max_iterations: at least 1, not {most}")
    return close, most


def check_weights(what: str, graph: Graph, weighted: Any) -> None:
    """UsageError where weights are asked for that are not there; InputError for one that is
    negative or not finite: vectors of one sign need weights of one sign."""
    flags(what, weighted=weighted)
    if not weighted:
        return
    if graph.weights is None:
        raise UsageError(
            f"{what}: weighted: {graph.name} has no weights (generators make 1 to 255 on request: "
            "--weights, weights=True)"
        )
    weights = np.asarray(graph.weights)
    # The largest and the smallest take no array of their own; NaN is passed on by both.
    if weights.size and not (weights.min() >= 0 and np.isfinite(weights.max())):
        at = int(np.flatnonzero(~((weights >= 0) & np.isfinite(weights)))[0])
        tail = int(np.searchsorted(graph.indptr, at, "right")) - 1
        head = int(graph.indices[at])
        raise InputError(
            f"{what}: the weight of {graph.name_of(tail)} -> {graph.name_of(head)} is "
            f"{weights[at]}; weights are finite, zero or more"
        )


def vertex_values(what: str, name: str, given: Any, graph: Graph) -> npt.NDArray[np.float64]:
    """Finite numbers of all vertices: one for all, an array, or some by name, the others 0."""
    of = f"{what}: {name}"
    if isinstance(given, Mapping):
        found = np.zeros(graph.vertices)
        for vertex, value in given.items():
            found[graph._vertex_names.index(vertex, of)] = number(value, of)
        return found
    if isinstance(given, numbers.Real):
        return np.full(graph.vertices, number(given, of))
    array = np.ascontiguousarray(number_array(given, of), np.float64)
    if array.size != graph.vertices:
        raise UsageError(f"{of}: {array.size} numbers for {graph.vertices} vertices")
    strange = np.flatnonzero(~np.isfinite(array))
    if strange.size:
        vertex = graph.name_of(int(strange[0]))
        raise UsageError(f"{of}: {array[strange[0]]} of vertex {vertex} is not finite")
    return array


def draw(steps: VertexSteps, seed: int) -> None:
    """Makes the field ``draw``: each vertex's place in the seeded order, smaller is earlier.

    It is SplitMix64's mixing of the vertex and a key (Steele, Lea and Flood, OOPSLA 2014). Each
    line can be undone, so that no two vertices draw the same, and there are no ties.
    """
    key = seed + _ODD & _MASK
    for shift, factor in ((30, _FACTORS[0]), (27, _FACTORS[1])):
        key = (key ^ key >> shift) * factor & _MASK
    key ^= key >> 31
    steps.numbers(key=key - (1 << 64) if key >> 63 else key)
    steps.map(draw="uint64(vertex) ^ uint64(key)")
    steps.map(draw=f"(draw ^ (draw >> 30)) * {_FACTORS[0]}")
    steps.map(draw=f"(draw ^ (draw >> 27)) * {_FACTORS[1]}")
    steps.map(draw="draw ^ (draw >> 31)")

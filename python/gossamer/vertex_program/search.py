"""Runs of vertex programs: prepared for a graph on a machine, from initial to final values."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from gossamer import _gossamer
from gossamer.algorithm.prepared import WorklistCounters, finished
from gossamer.arguments import instance, integer, memory_bytes, number, seconds
from gossamer.arrays import host_array, id_array
from gossamer.errors import UsageError
from gossamer.graph import Graph
from gossamer.machine import Machine, machine_of

if TYPE_CHECKING:
    from .program import VertexProgram


@dataclass(frozen=True)
class VertexProgramResult:
    """Values of one run."""

    #: The best value that reached every vertex, [vertices] of the program's dtype.
    values: npt.NDArray[Any]
    #: ``worklist``.
    engine: str
    #: Why it.
    engine_reason: str
    #: Ranks that worked.
    ranks_used: int
    #: Arcs looked at, all ranks.
    arcs: int
    #: Windows of values.
    rounds: int
    #: Of sums: what came to vertices and was not passed on, in all; else 0.
    left: float
    #: From initial to final values, slowest rank; on GPUs without moving values from and to the
    #: host.
    milliseconds: float
    #: Milliseconds by phase: propagate; on several CPU ranks exchange, agree.
    phases: dict[str, float]
    #: What the worklist did.
    work: WorklistCounters


class VertexSearch:
    """A vertex program prepared for a graph on a machine (:meth:`VertexProgram.prepare`)."""

    def __init__(
        self,
        program: VertexProgram,
        graph: Graph,
        machine: Machine | str | None = None,
        *,
        delta: float | None = None,
        memory: int | str | None = None,
        timeout: float | None = None,
    ) -> None:
        self.program: VertexProgram = program
        self.graph: Graph = instance(graph, Graph, "vertex_program: graph")
        self.machine: Machine = machine_of(machine)
        self._timeout = timeout
        row, images = program._code_for(self.machine)
        self._handle = _gossamer.make_program_search(
            self.machine._handle,
            self.graph._handle,
            program._type,
            program._update,
            0.0 if program.threshold is None else program.threshold,
            "weight" in program._expression.names,
            program._expression.grows,
            program._expression.code,
            row,
            images,
            None if delta is None else number(delta, "vertex_program: delta"),
            memory_bytes(memory),
            seconds(timeout, "vertex_program"),
        )

    def run(self, sources: Any = None, *, values: Any = None) -> VertexProgramResult:
        """Improves values until nothing improves.

        sources: index or indices of the vertices that begin, with the program's ``start``; others
        have ``initial``. values: what every vertex begins with instead, [vertices]; without
        `sources` all of them begin. A vertex that does not begin offers nothing before its value
        has changed; of sums, all begin with what they have.
        """
        before, active = self._beginning(sources, values)
        raw = self._handle.run(before, active)
        return VertexProgramResult(**finished("vertex program", raw, self.machine, self._timeout))

    def _beginning(
        self, sources: Any, values: Any
    ) -> tuple[npt.NDArray[Any], npt.NDArray[np.int64]]:
        n = self.graph.vertices
        if sources is None and values is None:
            raise UsageError("vertex_program: run: nothing begins: give sources, values, or both")
        active = np.arange(n) if sources is None else _indices(sources)
        outside = active[(active < 0) | (active >= n)]
        if outside.size:
            raise UsageError(
                f"vertex_program: there is no vertex with index {outside[0]}: the graph has {n} "
                "vertices"
            )
        if values is not None:
            return self._initial_values(values), active
        before = np.full(n, self.program.initial, self.program.dtype)
        before[active] = self.program.start
        return before, active

    def _initial_values(self, values: Any) -> npt.NDArray[Any]:
        given = host_array(values, "vertex_program: values")
        dtype, n = self.program.dtype, self.graph.vertices
        if given.size != n:
            raise UsageError(f"vertex_program: {given.size} initial values for {n} vertices")
        if given.dtype.kind not in "iuf":
            raise UsageError(f"vertex_program: values are numbers, got {given.dtype}")
        with np.errstate(all="ignore"):
            taken = given.astype(dtype)
        if dtype.kind in "iu" and given.dtype != dtype:
            wrong = np.flatnonzero((taken != given) | ((taken < 0) != (given < 0)))
            if wrong.size:
                raise UsageError(f"vertex_program: values: {given[wrong[0]]} is no {dtype.name}")
        return taken


def _indices(sources: Any) -> npt.NDArray[np.int64]:
    if isinstance(sources, Iterable):
        return id_array(sources, "vertex_program: sources").astype(np.int64)
    return np.array([integer(sources, "vertex_program: source")], np.int64)

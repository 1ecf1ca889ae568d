"""Algorithms of the user's own: values at vertices, improved along arcs until nothing improves.

widest = gs.vertex_program(update="max", propagate="min(value, weight)", dtype="float64")
widest.run(graph, source, machine="cuda").values
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _gossamer
from .arrays import host_array, id_array, integer
from .errors import UsageError, check_time
from .graph import Graph, memory_bytes
from .machine import Machine, machine_of
from .program_compiler import row_address
from .program_expression import parse
from .program_nvrtc import gpu_image
from .worklist import WorklistCounters

__all__ = ["VertexProgram", "VertexProgramResult", "VertexSearch", "vertex_program"]

#: In the order of the library's types.
_DTYPES = ("int32", "int64", "uint32", "uint64", "float32", "float64")


@dataclass(frozen=True)
class VertexProgramResult:
    """Values of one run."""

    #: The best value that reached every vertex, [vertices] of the program's dtype.
    values: npt.NDArray[Any]
    #: ``worklist`` (CPU ranks) or ``rounds`` (GPUs).
    engine: str
    #: Why it.
    engine_reason: str
    #: Ranks that worked.
    ranks_used: int
    #: Arcs looked at, all ranks.
    arcs: int
    #: Rounds of GPUs; windows of values of a worklist.
    rounds: int
    #: From initial to final values, slowest rank; on GPUs without moving values from and to the
    #: host.
    milliseconds: float
    #: Milliseconds by phase: propagate; on several CPU ranks exchange, agree.
    phases: dict[str, float]
    #: What the worklist did; None on GPUs.
    work: WorklistCounters | None


class VertexProgram:
    """What :func:`vertex_program` made: an update and an expression that can be compiled."""

    def __init__(
        self,
        update: str,
        propagate: str,
        dtype: Any,
        *,
        initial: float | int | None = None,
        start: float | int | None = None,
    ) -> None:
        if update not in ("min", "max"):
            raise UsageError(
                f"vertex_program: update '{update}' is none of min, max (an update must not care "
                "for order, nor for values that come twice, as sums do)"
            )
        try:
            self.dtype: np.dtype[Any] = np.dtype(dtype)
        except TypeError:
            self.dtype = np.dtype(object)
        if self.dtype.name not in _DTYPES or not self.dtype.isnative:
            raise UsageError(f"vertex_program: dtype {dtype!r} is none of {', '.join(_DTYPES)}")
        if not isinstance(propagate, str):
            raise UsageError(f"vertex_program: propagate is text, got {type(propagate).__name__}")
        #: ``min`` or ``max``.
        self.update: str = update
        self._expression = parse(propagate, self.dtype)
        #: The expression.
        self.propagate: str = self._expression.source
        least, most = _limits(self.dtype)
        larger = update == "max"
        worst, best = (least, most) if larger else (most, self.dtype.type(0))
        #: Value of vertices that are no sources, before a run.
        self.initial: Any = worst if initial is None else self._value(initial, "initial")
        #: Value of sources, before a run.
        self.start: Any = best if start is None else self._value(start, "start")

    def __repr__(self) -> str:
        return f"VertexProgram({self.update!r}, {self.propagate!r}, {self.dtype.name!r})"

    def _value(self, x: Any, what: str) -> Any:
        if isinstance(x, bool) or not isinstance(x, (int, float, np.number)):
            raise UsageError(f"vertex_program: {what}: expected a number, got {x!r}")
        with np.errstate(all="ignore"):
            try:
                value = self.dtype.type(x)
            except (OverflowError, TypeError, ValueError):
                value = None
        if value is None or (self.dtype.kind in "iu" and value != x):
            raise UsageError(f"vertex_program: {what}: {x!s} is no {self.dtype.name}")
        return value

    @property
    def _larger(self) -> bool:
        return self.update == "max"

    @property
    def _type(self) -> int:
        return _DTYPES.index(self.dtype.name)

    @property
    def needs_compiler(self) -> bool:
        """False for the few expressions that CPU ranks have built in."""
        return self._expression.code not in _gossamer.builtin_expressions()

    def source(self, target: str = "cpu") -> str:
        """The text that is compiled: C++ for ``cpu``, CUDA for ``cuda``."""
        if target not in ("cpu", "cuda"):
            raise UsageError(f"vertex_program: target '{target}' is none of cpu, cuda")
        code = self._expression.code
        return _gossamer.program_text(self._type, self._larger, code, target == "cuda")

    def compile(self, machine: Machine | str | None = None) -> None:
        """Compiles for a machine what is not in the cache yet; :meth:`prepare` does so itself."""
        self._code_for(machine_of(machine))

    def _code_for(self, machine: Machine) -> tuple[int, dict[int, bytes]]:
        """The address of a row function (0: the built-in one), images by architecture."""
        gpus = _gossamer.program_architectures(machine._handle)
        images = {a: gpu_image(self.source("cuda"), a) for a in gpus}
        cpus = any(device.kind == "cpu" for device in machine.devices)
        if not cpus or not self.needs_compiler:
            return 0, images
        return row_address(self.source("cpu"), self.propagate), images

    def prepare(
        self,
        graph: Graph,
        machine: Machine | str | None = None,
        *,
        delta: float | None = None,
        memory: int | str | None = None,
        timeout: float | None = None,
    ) -> VertexSearch:
        """Compiles, converts weights and, on GPUs, uploads the graph, for any number of runs.

        `machine` is a :class:`Machine`, a spec, or None for ``auto``. delta: on CPU ranks the width
        of the first window of values, which are worked on in the rough order of values; later ones
        adapt. memory: limit in bytes, or text such as ``"16G"``. timeout: seconds that a run, or a
        wait for a silent rank, may last.

        NotCompiled: no compiler, or a machine that runs no vertex programs (CPUs and GPUs together,
        GPUs that do not address each other's memory). UsageError: the expression has the weight,
        the graph none. InputError: a weight that an integer dtype does not have. CapacityError.
        """
        return VertexSearch(self, graph, machine, delta=delta, memory=memory, timeout=timeout)

    def run(
        self,
        graph: Graph,
        sources: Any = None,
        machine: Machine | str | None = None,
        *,
        values: Any = None,
        **options: Any,
    ) -> VertexProgramResult:
        """One run: :meth:`VertexSearch.run` of what :meth:`prepare` makes with `options`."""
        return self.prepare(graph, machine, **options).run(sources, values=values)

    __call__ = run


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
        self.graph: Graph = graph
        self.machine: Machine = machine_of(machine)
        self._timeout = timeout
        row, images = program._code_for(self.machine)
        self._handle = _gossamer.make_program_search(
            self.machine._handle,
            graph._handle,
            program._type,
            program._larger,
            "weight" in program._expression.names,
            program._expression.code,
            row,
            images,
            delta,
            memory_bytes(memory),
            timeout,
        )

    def run(self, sources: Any = None, *, values: Any = None) -> VertexProgramResult:
        """Improves values until nothing improves.

        sources: index or indices of the vertices that begin, with the program's ``start``; others
        have ``initial``. values: what every vertex begins with instead, [vertices]; without
        `sources` all of them begin. A vertex that does not begin offers nothing before its value
        has improved.
        """
        before, active = self._beginning(sources, values)
        start = time.monotonic()
        raw = self._handle.run(before, active)
        if not self.machine.virtual:
            check_time("vertex program", time.monotonic() - start, self._timeout)
        raw["phases"] = {name: 1e3 * seconds for name, seconds in raw["phases"].items()}
        raw["work"] = WorklistCounters.of(raw["work"])
        return VertexProgramResult(**raw)

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


def _limits(dtype: np.dtype[Any]) -> tuple[Any, Any]:
    if dtype.kind == "f":
        return dtype.type(-np.inf), dtype.type(np.inf)
    return dtype.type(np.iinfo(dtype).min), dtype.type(np.iinfo(dtype).max)


def _indices(sources: Any) -> npt.NDArray[np.int64]:
    if isinstance(sources, Iterable):
        return id_array(sources, "vertex_program: sources").astype(np.int64)
    return np.array([integer(sources, "vertex_program: source")], np.int64)


def vertex_program(
    update: str = "min",
    propagate: str = "value + weight",
    dtype: Any = "float64",
    *,
    initial: float | int | None = None,
    start: float | int | None = None,
) -> VertexProgram:
    """An algorithm of one's own: what goes out along an arc, and which of two values stays.

    update: ``min`` or ``max``. Work has no order, and a value may come twice: other updates, such
    as sums, would depend on both.

    propagate: an expression in Python's syntax of ``value`` (of the vertex an arc leaves),
    ``weight`` (of the arc) and ``degree`` (arcs that leave the vertex), all of the type `dtype`:
    numbers, inf, ``+ - * / // %``, comparisons, and, or, not, ``a if c else b``, min(), max(),
    abs(), and for floats sqrt(), floor(), ceil(). It is compiled at run time, by the system's C++
    compiler for CPU ranks and by NVRTC for GPUs, and kept (``$GOSSAMER_CACHE``). Results are equal
    to the bit: products and sums are not contracted, and what is not exactly rounded everywhere
    (exp, log) is left out. Integers wrap; ``//`` and ``%`` are Python's, for integers 0 where the
    divisor is 0; ``/`` is for floats. A result that is not a number improves nothing.

    So that a run ends, and its result depends on no order, a value that is better must not go out
    as a worse one, and no cycle may improve on itself.

    dtype: int32, int64, uint32, uint64, float32 or float64; weights are converted to it once.
    initial: value of vertices that are no sources; by default the worst: with ``min`` the type's
    largest or infinity, with ``max`` its smallest or -infinity. start: value of sources; by default
    0 with ``min``, and with ``max`` the type's largest or infinity.

    ExpressionError shows the line and the place of what cannot be compiled; UsageError for the
    other arguments.
    """
    return VertexProgram(update, propagate, dtype, initial=initial, start=start)

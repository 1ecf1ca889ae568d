"""Algorithms of the user's own: values at vertices, improved along arcs until nothing improves.

widest = gs.vertex_program(update="max", propagate="min(value, weight)", dtype="float64")
widest.run(graph, source, machine="cuda").values
"""

from __future__ import annotations

import time
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from textwrap import shorten
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from gossamer import _gossamer
from gossamer.algorithm.by_name import ByName, Column
from gossamer.algorithm.prepared import WorklistCounters, finished, vertex_of
from gossamer.arguments import instance, memory_bytes, number, seconds, shown
from gossamer.arrays import host_array, id_array
from gossamer.errors import UsageError, VerificationError, check_time
from gossamer.graph import Graph
from gossamer.graph.names import VertexNames
from gossamer.machine import Machine, machine_of
from gossamer.program.compiler import symbol_address
from gossamer.program.expression import parse
from gossamer.program.model import evaluated
from gossamer.program.nvrtc import gpu_image


@dataclass(frozen=True, repr=False)
class VertexProgramResult(ByName):
    """Values of one run."""

    _values_in: ClassVar[tuple[str, ...]] = ("values",)

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
    _names: VertexNames
    #: A value that says that nothing reached a vertex; None: there is none.
    _unreached: Any = None

    def _vertex_names(self) -> VertexNames:
        return self._names

    def _columns(self) -> dict[str, Column]:
        known = None if self._unreached is None else self.values != self._unreached
        return {"value": Column(self.values, known)}


class VertexSearch:
    """A vertex program prepared for a graph on a machine (:meth:`VertexProgram.prepare`)."""

    def __init__(
        self, program: VertexProgram, graph: Graph, machine: Machine, timeout: float | None,
        handle: _gossamer.ProgramSearch,
    ) -> None:  # fmt: skip
        self.program: VertexProgram = program
        self.graph: Graph = graph
        self.machine: Machine = machine
        self._timeout = timeout
        self._handle = handle

    def run(self, sources: Any = None, *, values: Any = None) -> VertexProgramResult:
        """Improves values until nothing improves.

        sources: the vertices that begin, one or several, by index, or by name where names are not
        integers. They have the program's ``start``; others have ``initial``. values: what every
        vertex begins with instead, [vertices]; without `sources` all of them begin. A vertex that
        does not begin offers nothing before its value has changed; of sums, all begin with what
        they have.
        """
        before, active = self._beginning(sources, values)
        raw = self._handle.run(before, active)
        said = finished("vertex program", raw, self.machine, self._timeout)
        unreached = self.program._unreached if values is None else None
        return VertexProgramResult(**said, _names=self.graph._vertex_names, _unreached=unreached)

    def verify(
        self,
        result: VertexProgramResult,
        sources: Any = None,
        *,
        values: Any = None,
        timeout: float | None = None,
    ) -> None:
        """Checks the values of a :meth:`run` with these sources and values: rounds over all arcs in
        NumPy, until nothing improves, must end with the same. VerificationError names the first
        vertex that differs; Timeout after `timeout` seconds. UsageError for update ``sum``, whose
        results depend on the order of work.
        """
        instance(result, VertexProgramResult, "vertex_program: verify: result")
        update, dtype = self.program.update, self.program.dtype
        if update == "sum":
            raise UsageError(
                "vertex_program: verify: sums depend on the order of work, and are not checked"
            )
        before, active = self._beginning(sources, values)
        wanted = self._by_rounds(before.astype(dtype), active, timeout)
        differs = ~((wanted == result.values) | ((wanted != wanted) & np.isnan(result.values)))
        wrong = np.flatnonzero(differs)
        if wrong.size:
            v = int(wrong[0])
            raise VerificationError(
                f"vertex program on {self.graph.name}: vertex {self.graph.name_of(v)} has "
                f"{result.values[v]}, not {wanted[v]}"
            )

    def _by_rounds(
        self, values: npt.NDArray[Any], active: npt.NDArray[np.int64], timeout: float | None
    ) -> npt.NDArray[Any]:
        update, dtype = self.program.update, self.program.dtype
        better = {"min": np.minimum, "max": np.maximum, "or": np.bitwise_or}[update]
        tails = np.repeat(np.arange(self.graph.vertices), np.diff(self.graph.indptr))
        heads, degrees = self.graph.indices, self.graph.degrees
        weights = self.graph.weights
        changed = np.zeros(self.graph.vertices, bool)
        changed[active] = True
        limit = seconds(timeout, "vertex_program: verify")
        begun = time.monotonic()
        while changed.any():
            arcs = np.flatnonzero(changed[tails])
            u = tails[arcs]
            names = {"value": values[u], "degree": degrees[u].astype(dtype)}
            if weights is not None:
                names["weight"] = weights[arcs].astype(dtype)
            sent = np.broadcast_to(evaluated(self.program.propagate, names, dtype), u.shape)
            numbers = sent == sent  # others improve nothing
            after = values.copy()
            better.at(after, heads[arcs][numbers], sent[numbers])
            changed = (after != values) & (after == after)
            values = after
            check_time("vertex program: verify", time.monotonic() - begun, limit)
        return values

    def _beginning(
        self, sources: Any, values: Any
    ) -> tuple[npt.NDArray[Any], npt.NDArray[np.int64]]:
        n = self.graph.vertices
        if sources is None and values is None:
            raise UsageError("vertex_program: run: nothing begins: give sources, values, or both")
        active = np.arange(n) if sources is None else _indices(self.graph, sources)
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


def _indices(graph: Graph, sources: Any) -> npt.NDArray[np.int64]:
    what = "vertex_program: source"
    named = not isinstance(graph.names, np.ndarray) or graph.names.dtype == object
    if not isinstance(sources, Iterable) or (named and _is_name(graph, sources)):
        return np.array([vertex_of(graph, sources, what)], np.int64)
    if named:
        return np.array([vertex_of(graph, x, what) for x in sources], np.int64)
    return id_array(sources, f"{what}s").astype(np.int64)


def _is_name(graph: Graph, x: Any) -> bool:
    """A text, or a tuple that a vertex is called."""
    return isinstance(x, str) or (isinstance(x, Hashable) and x in graph)


#: In the library's order.
_UPDATES = ("min", "max", "or", "sum")
#: In the order of the library's types.
_DTYPES = ("int32", "int64", "uint32", "uint64", "float32", "float64")


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
        threshold: float | None = None,
    ) -> None:
        if not isinstance(update, str) or update not in _UPDATES:
            raise UsageError(f"vertex_program: update '{update}' is none of {', '.join(_UPDATES)}")
        try:
            self.dtype: np.dtype[Any] = np.dtype(dtype)
        except (TypeError, ValueError):
            self.dtype = np.dtype(object)
        if self.dtype.name not in _DTYPES or not self.dtype.isnative:
            raise UsageError(f"vertex_program: dtype {dtype!r} is none of {', '.join(_DTYPES)}")
        if not isinstance(propagate, str):
            raise UsageError(f"vertex_program: propagate is text, got {type(propagate).__name__}")
        if update == "or" and self.dtype.kind == "f":
            raise UsageError(f"vertex_program: update 'or' is for integers, not {self.dtype}")
        if update == "sum" and self.dtype.name != "float64":
            raise UsageError(f"vertex_program: update 'sum' is for float64, not {self.dtype}")
        #: ``min``, ``max``, ``or`` or ``sum``.
        self.update: str = update
        #: Of a sum: less than that is not passed on.
        self.threshold: float | None = self._positive(threshold)
        self._expression = parse(propagate, self.dtype)
        if update == "sum" and not self._expression.not_negative:
            raise UsageError(
                f"vertex_program: propagate: '{shorten(self._expression.source, 80)}' may be "
                "negative, and sums only grow: use value, weight, degree, numbers from 0 on, "
                "+, *, /, min and max"
            )
        #: The expression.
        self.propagate: str = self._expression.source
        least, most = _limits(self.dtype)
        zero, one = self.dtype.type(0), self.dtype.type(1)
        worst, best = {
            "min": (most, zero),
            "max": (least, most),
            "or": (zero, one),
            "sum": (zero, one),
        }[update]
        #: Value of vertices that are no sources, before a run.
        self.initial: Any = worst if initial is None else self._value(initial, "initial")
        #: Value of sources, before a run.
        self.start: Any = best if start is None else self._value(start, "start")

    @property
    def _unreached(self) -> Any:
        """The initial value, where it is the type's worst, than which all that comes is better.

        Other initial values are numbers like others, as are a sum of nothing and no bits.
        """
        least, most = _limits(self.dtype)
        worst = {"min": most, "max": least}.get(self.update)
        return worst if worst is not None and self.initial == worst else None

    def __repr__(self) -> str:
        return f"VertexProgram({self.update!r}, {self.propagate!r}, {self.dtype.name!r})"

    def _value(self, x: Any, what: str) -> Any:
        if isinstance(x, bool) or not isinstance(x, (int, float, np.number)):
            raise UsageError(f"vertex_program: {what}: expected a number, got {shown(x)}")
        with np.errstate(all="ignore"):
            try:
                value = self.dtype.type(x)
            except (OverflowError, TypeError, ValueError):
                value = None
        if value is None or (self.dtype.kind in "iu" and value != x):
            # Python does not even print the largest.
            large = isinstance(x, int) and x.bit_length() > 128
            given = "so large a number" if large else str(x)
            raise UsageError(f"vertex_program: {what}: {given} is no {self.dtype.name}")
        return value

    def _positive(self, threshold: float | None) -> float | None:
        if self.update != "sum":
            if threshold is not None:
                raise UsageError("vertex_program: threshold is of update 'sum'")
            return None
        if threshold is None:
            raise UsageError("vertex_program: update 'sum' needs a threshold, such as 1e-9")
        found = number(threshold, "vertex_program: threshold")
        if not 1e-290 <= found <= 1e290:
            raise UsageError(f"vertex_program: threshold {found} is none from 1e-290 to 1e290")
        return found

    @property
    def _update(self) -> int:
        return _UPDATES.index(self.update)

    @property
    def _type(self) -> int:
        return _DTYPES.index(self.dtype.name)

    @property
    def needs_compiler(self) -> bool:
        """False for the few expressions that are built in."""
        return self._expression.code not in _gossamer.builtin_expressions()

    def source(self, target: str = "cpu", gpus: int = 1) -> str:
        """What is compiled: C++ for ``cpu``; for ``cuda`` CUDA, for so many GPU ranks."""
        if target not in ("cpu", "cuda"):
            raise UsageError(f"vertex_program: target '{target}' is none of cpu, cuda")
        code = self._expression.code
        return _gossamer.program_text(
            self._type, self._update, code, gpus if target == "cuda" else 0
        )

    def compile(self, machine: Machine | str | None = None) -> None:
        """Compiles for a machine what is not in the cache yet; :meth:`prepare` does so itself."""
        self._code_for(machine_of(machine))

    def _code_for(self, machine: Machine) -> tuple[int, dict[int, bytes]]:
        """The address of a row function (0: the built-in one), images by architecture."""
        if not self.needs_compiler:
            return 0, {}
        gpus = _gossamer.program_architectures(machine._handle)
        text = self.source("cuda", len(machine.devices))
        images = {a: gpu_image(text, a) for a in gpus}
        if all(device.kind != "cpu" for device in machine.devices):
            return 0, images
        what = f"vertex_program: '{shorten(self.propagate, 80)}'"
        return symbol_address(self.source("cpu"), "gossamer_row", what), images

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

        `machine` is a :class:`Machine`, a spec, or None for ``auto``. delta: width of the first
        window of values, which are worked on in their rough order; later windows adapt. memory:
        limit in bytes, or text such as ``"16G"``. timeout: seconds that a run, or a wait for a
        silent rank, may last.

        NotCompiled: no compiler, or a machine that runs no vertex programs (CPUs and GPUs together,
        GPUs that do not address each other's memory). UsageError: the expression has the weight,
        the graph none. InputError: a weight that an integer dtype does not have, or a negative one
        with update ``sum``. CapacityError.
        """
        instance(graph, Graph, "vertex_program: graph")
        where = machine_of(machine)
        row, images = self._code_for(where)
        code = self._expression
        with graph._naming_arcs():
            handle = _gossamer.make_program_search(
                where._handle, graph._handle, self._type, self._update, self.threshold or 0.0,
                "weight" in code.names, code.grows, code.code, row, images,
                None if delta is None else number(delta, "vertex_program: delta"),
                memory_bytes(memory), seconds(timeout, "vertex_program"),
            )  # fmt: skip
        return VertexSearch(self, graph, where, timeout, handle)

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
        for name in ("initial", "start", "threshold"):
            if name in options:
                raise UsageError(
                    f"vertex_program: run: {name} is no run's but the program's: "
                    f"vertex_program(…, {name}=…)"
                )
        return self.prepare(graph, machine, **options).run(sources, values=values)

    __call__ = run


def _limits(dtype: np.dtype[Any]) -> tuple[Any, Any]:
    if dtype.kind == "f":
        return dtype.type(-np.inf), dtype.type(np.inf)
    return dtype.type(np.iinfo(dtype).min), dtype.type(np.iinfo(dtype).max)


def vertex_program(
    update: str = "min",
    propagate: str = "value + weight",
    dtype: Any = "float64",
    *,
    initial: float | int | None = None,
    start: float | int | None = None,
    threshold: float | None = None,
) -> VertexProgram:
    """An algorithm of one's own: what goes out along an arc, and which of two values stays.

    update: what becomes of two values that meet. Work has no order.

    - ``min``, ``max``: the smaller or the larger one stays. ``or`` (integers): the bits of both.
      A value may come twice. The result depends on nothing.
    - ``sum`` (float64): pushed residuals. A vertex adds up what comes; when that has come to
      `threshold` it goes out along the arcs, as `value` of the expression, once. The result of a
      vertex is all that came to it. It lacks what the others' rests, each below `threshold`, would
      have led to (``left`` is their sum), and is rounded in the order of work. Nothing may be
      negative.

    propagate: an expression in Python's syntax of ``value`` (of the vertex an arc leaves),
    ``weight`` (of the arc) and ``degree`` (arcs that leave the vertex), all of the type `dtype`:
    numbers, inf, ``+ - * / // %``, comparisons, and, or, not, ``a if c else b``, min(), max(),
    abs(), and for floats sqrt(), floor(), ceil(). It is compiled at run time, by the system's C++
    compiler for CPU ranks and by NVRTC for GPUs, and kept (``$GOSSAMER_CACHE``). Results are equal
    to the bit: products and sums are not contracted, and what is not exactly rounded everywhere
    (exp, log) is left out. Integers wrap; ``//`` and ``%`` are Python's, for integers 0 where the
    divisor is 0; ``/`` is for floats. A result that is not a number improves nothing.

    So that a run ends, and its result depends on no order, a value that is better must not go out
    as a worse one, and no cycle may improve on itself. More bits must not go out as fewer, and of
    sums less must go out along all arcs of a vertex than came, in the long run.

    dtype: int32, int64, uint32, uint64, float32 or float64; weights are converted to it once.
    initial: value of vertices that are no sources; by default the worst: with ``min`` the type's
    largest or infinity, with ``max`` its smallest or -infinity, with ``or`` and ``sum`` 0. By name
    a vertex that still has that worst one of ``min`` or ``max`` has None. start:
    value of sources; by default 0 with ``min``, with ``max`` the type's largest or infinity, with
    ``or`` and ``sum`` 1.

    ExpressionError shows the line and the place of what cannot be compiled; UsageError for the
    other arguments.
    """
    return VertexProgram(
        update, propagate, dtype, initial=initial, start=start, threshold=threshold
    )

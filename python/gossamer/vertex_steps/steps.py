"""The steps that a program records as it is written, checked against its fields and numbers."""

from __future__ import annotations

import keyword
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, TypeVar
from weakref import WeakMethod

import numpy as np
import numpy.typing as npt

from gossamer import _gossamer
from gossamer.arguments import flags, instance, integer, memory_of_devices, seconds, texts
from gossamer.arrays import plain_array
from gossamer.errors import NotCompiled, UsageError
from gossamer.graph import Graph
from gossamer.graph.shape import GraphShape, planning_handle
from gossamer.machine import Machine, machine_of
from gossamer.machine.plans import MemoryPlan, memory_plan
from gossamer.program.compiler import symbol_address
from gossamer.program.nvrtc import gpu_image

from .expression import CPP_NAMES, StepExpression, parse_step
from .lowering import (
    BOOL,
    INT,
    Assign,
    Facts,
    Loop,
    Map,
    Operation,
    Place,
    Reduce,
    Send,
    check_type,
    combined_type,
    fitted,
    lower,
    number_names,
    number_type,
    vertex_names,
    word_type,
)
from .remembered import PROGRAMS, STEPS, Remembered, layout

Made = TypeVar("Made")

_SENT = ("min", "max", "sum", "or", "count", "any")
_REDUCED = ("min", "max", "sum", "count", "any")
_WAYS = ("out", "in", "both")
#: What expressions have of their own.
_TAKEN = ("weight", "degree", "vertex", "vertices", "inf", "where")
_LOST = "vertex_steps: a run was given up, and fields are lost: begin again with new ones"


class Repeated:
    """A loop of steps (:meth:`VertexSteps.repeat`)."""

    def __init__(self, steps: VertexSteps) -> None:
        self._steps = steps
        self._counter: Place | None = None

    @property
    def rounds(self) -> int:
        """How often it ran, the last time."""
        if self._counter is None:
            raise UsageError("vertex_steps: rounds are known behind a loop")
        return int(self._steps._number(self._counter))


class VertexSteps:
    """Fields and numbers on a machine, and the steps that change them (:func:`vertex_steps`)."""

    def __init__(
        self,
        graph: Graph,
        machine: Machine | str | None = None,
        *,
        memory: int | str | None = None,
        timeout: float | None = None,
    ) -> None:
        self.graph: Graph = instance(graph, Graph, "vertex_steps: graph")
        self.machine: Machine = _machine_for_steps(machine)
        self._timeout = seconds(timeout, "vertex_steps")
        self._handle = _gossamer.make_vertex_steps(
            self.machine._handle, self.graph._handle, memory_of_devices(memory)
        )
        self._gpu = all(device.kind != "cpu" for device in self.machine.devices)
        weights = graph.weights
        self._facts = Facts(
            len(self.machine.devices), graph.symmetric, graph.id_width,
            None if weights is None else weights.dtype, self._handle.skewed, {}, {},
            WeakMethod(self._published),
        )  # fmt: skip
        self._words: npt.NDArray[np.int64] = np.zeros(16, np.int64)
        self._copies: dict[tuple[np.dtype[Any], int], Place] = {}
        facts = self._facts
        self._layout = layout(
            self._gpu, facts.ranks, facts.symmetric, facts.id_bytes, facts.weight, facts.skewed
        )
        #: What makes arrays and numbers, as called so far.
        self._made: list[tuple[Callable[..., Place], Any, Any]] = []
        self._known: dict[Any, Operation] = {}
        self._programs: dict[tuple[Operation, ...], int] = {}
        self._open: list[list[Operation]] = [[]]
        #: A loop was made last, and nothing has been said to be inside.
        self._unentered = False
        self._lost = False
        #: Stages that ranks have run so far.
        self.stages: int = 0
        #: Milliseconds that the last run of recorded steps took, slowest rank.
        self.milliseconds: float = 0.0
        self._words[self._new_number("vertices", INT).index] = graph.vertices

    @staticmethod
    def plan(
        graph: Graph | GraphShape,
        machine: Machine | str | None = None,
        *,
        fields: int,
        messages: int = 0,
        weight_bytes: int = 0,
        memory: int | str | None = None,
    ) -> MemoryPlan:
        """What steps take beside the graph. NumPy's arrays, set or read, are not among it.

        fields: bytes that a vertex has in all fields together. messages: as many of what is sent
        without `where`, once for each type: on GPUs, and where it is more than a field.
        `weight_bytes`: of a :class:`GraphShape`'s arc, 0 without weights.
        """
        what = "VertexSteps.plan"
        where = _machine_for_steps(machine)
        handle = planning_handle(graph, where, "edges")
        sizes = [integer(fields, f"{what}: fields"), integer(messages, f"{what}: messages")]
        beside = integer(weight_bytes, f"{what}: weight_bytes")
        if min(*sizes, beside) < 0:
            raise UsageError(f"{what}: bytes are zero or more")
        given = {"weight_bytes": beside} if isinstance(graph, GraphShape) else {}
        planned: Callable[..., dict[str, Any]] = _gossamer.plan_vertex_steps
        limit = memory_of_devices(memory)
        return memory_plan(planned(where._handle, handle, *sizes, memory=limit, **given))

    def __enter__(self) -> VertexSteps:
        return self

    def __exit__(self, kind: Any, *_: object) -> None:
        if kind is None:
            self.run()

    # --- fields and numbers ----------------------------------------------------------------------

    def fields(self, /, **values: Any) -> None:
        """Sets fields, new ones or old ones: an array [vertices], or one value for all vertices.

        A new field has the array's type: bool, int32, int64, uint32, uint64, float32 or float64.
        Python's numbers are int64 and float64. UsageError for other types, lengths and names, and
        for values that an old field's type does not have; then none of the fields is changed.
        """
        self._check_outside("fields")
        arrays = {name: self._array(name, given) for name, given in values.items()}
        for name, array in arrays.items():
            place = self._facts.fields.get(name)
            if place is None:
                self._check_name(name)
            else:
                arrays[name] = fitted(array, place, name)
        self.run()
        for name, array in arrays.items():
            place = self._facts.fields.get(name) or self._new_field(name, array.dtype)
            self._handle.write(place.index, np.ascontiguousarray(array).view(np.uint8))

    def numbers(self, /, **values: float | int | bool) -> None:
        """Sets numbers that all ranks know, new ones or old ones: int64, float64 or bool."""
        self._check_outside("numbers")
        found: dict[str, Any] = {}
        for name, given in values.items():
            place = self._facts.numbers.get(name)
            if place is None or name == "vertices":
                self._check_name(name)
            if not isinstance(given, (bool, int, float, np.bool_, np.integer, np.floating)):
                raise UsageError(f"vertex_steps: {name}: expected a number, got {given!r:.60}")
            array = np.asarray(given)
            found[name] = fitted(array, place or Place(0, number_type(array.dtype)), name)
        self.run()
        for name, array in found.items():
            place = self._facts.numbers.get(name) or self._new_number(name, array.dtype)
            self._words[place.index : place.index + 1].view(word_type(place))[0] = array

    def __getitem__(self, name: str) -> Any:
        """A field as an array [vertices], or a number, when all steps before have run."""
        texts("vertex_steps", name=name)
        if name in dict(self._facts.said_numbers()):
            return self._number(self._facts.numbers[name])
        place = self._facts.fields.get(name)
        if place is None:
            there = ", ".join([*self._facts.fields, *dict(self._facts.said_numbers())])
            raise UsageError(f"vertex_steps: there is no {name!r:.60} (there are {there:.300})")
        self.run()
        values = np.empty(self.graph.vertices, place.dtype)
        self._handle.read(place.index, values.view(np.uint8))
        return values

    # --- steps -----------------------------------------------------------------------------------

    def send(
        self, value: str, combine: str, into: str, *, along: str = "out", where: str | None = None,
        accumulate: bool = False,
    ) -> None:  # fmt: skip
        """Every vertex sends `value` along its arcs, and field `into` has what came, combined.

        value: an expression in fields and numbers, ``degree`` (arcs that leave the sender),
        ``vertex``, ``vertices``, and ``weight`` of the arc. combine: ``min``, ``max``, ``sum``,
        ``or`` (integers), ``count`` (of values that are not 0) or ``any`` (is one). Where nothing
        came, `into` has 0, False, or, of min and max, the type's largest or smallest. A new field
        `into` has the type of `value`; of sums of integers and counts int64, of any bool.
        along: ``out``, with the arcs; ``in``, against them; ``both``. where: an expression that
        says who sends; fewer senders take less time. Sums of floats over chosen senders are added
        in any order. accumulate: what comes is combined with what `into` had, which must be there.
        Then vertices to which nothing comes cost nothing. `into` must not occur in `value` or
        `where`.
        """
        flags("vertex_steps: send", accumulate=accumulate)
        key = ("send", value, combine, into, along, where, accumulate)
        self._record(key, lambda: self._new_send(value, combine, into, along, where, accumulate))

    def map(self, /, where: str | None = None, **fields: str) -> None:
        """Fields become what expressions say, all at once, of vertices that `where` names.

        A new field has its expression's type, and 0 elsewhere."""
        self._record(("map", where, *fields.items()), lambda: self._new_map(where, fields))

    def reduce(self, value: str, combine: str, into: str, *, where: str | None = None) -> None:
        """Number `into` becomes `value` of all vertices, or those that `where` names, combined.

        combine: ``sum``, ``min``, ``max``, ``count`` (of values that are not 0), ``any``. Of no
        vertices 0, False, or, of min and max, the number's largest or smallest."""
        key = ("reduce", value, combine, into, where)
        self._record(key, lambda: self._new_reduce(value, combine, into, where))

    def set(self, /, **numbers: str) -> None:
        """Numbers become what expressions of numbers say, all at once."""
        self._record(("set", *numbers.items()), lambda: self._new_assign(numbers))

    def repeat(
        self, until: str | None = None, at_most: int | None = None
    ) -> AbstractContextManager[Repeated]:
        """The steps inside of `with` run again until `until`, an expression of numbers, is true
        behind them, or `at_most` times. Ranks see to that by themselves."""
        if until is None and at_most is None:
            raise UsageError("vertex_steps: repeat: give until, at_most, or both")
        if at_most is not None:
            at_most = integer(at_most, "vertex_steps: repeat: at_most", 1 << 62)
            if at_most < 1:
                raise UsageError(f"vertex_steps: repeat: at_most: at least 1, not {at_most}")
        if until is not None:
            instance(until, str, "vertex_steps: repeat: until", "an expression as text")
        self._unentered = True
        return self._repeated(until, at_most)

    @contextmanager
    def _repeated(self, until: str | None, at_most: int | None) -> Iterator[Repeated]:
        self._unentered = False
        loop = Repeated(self)
        self._open.append([])
        try:
            yield loop
        except BaseException:
            self._open.pop()
            raise
        body = tuple(self._open.pop())
        if not body:
            raise UsageError("vertex_steps: repeat: there is no step in it")
        found = self._record(
            ("loop", body, until, at_most), lambda: self._new_loop(body, until, at_most)
        )
        assert isinstance(found, Loop)
        loop._counter = found.counter

    def run(self) -> None:
        """Runs what was recorded. Reading a field or a number does so, too.

        What cannot be compiled stays recorded. Timeout, KeyboardInterrupt and whatever else ends a
        run lose all fields: from then on everything is refused.
        """
        self._check_outside("run")
        self._check_entered()
        operations = tuple(self._open[0])
        if not operations:
            return
        if operations not in self._programs:
            self._programs[operations] = self._compile(operations)
        self._open[0] = []
        self._lost = True
        try:
            stages, self.milliseconds = self._handle.run(
                self._programs[operations], self._words.view(np.uint8), self._timeout
            )
        except UsageError:  # before anything was run
            self._lost = False
            raise
        self._lost = False
        self.stages += stages

    # --- inside ----------------------------------------------------------------------------------

    def _check_outside(self, what: str) -> None:
        if self._lost:
            raise UsageError(_LOST)
        if len(self._open) > 1:
            raise UsageError(f"vertex_steps: {what}: inside of repeat nothing is known yet")

    def _check_entered(self) -> None:
        """Refuses what follows a loop without `with`, which has nothing inside."""
        if self._unentered:
            self._unentered = False
            raise UsageError("vertex_steps: repeat: needs with, and the steps inside")

    def _record(self, key: Any, make: Callable[[], Operation]) -> Operation:
        """The step of this key, made once."""
        self._check_entered()
        if self._lost:
            raise UsageError(_LOST)
        try:
            hash(key)
        except TypeError:
            raise UsageError(
                f"vertex_steps: {key[0]}: what is computed, how and where to, are texts"
            ) from None
        if key not in self._known:
            self._known[key] = self._remembered(STEPS, key, make)
        self._open[-1].append(self._known[key])
        return self._known[key]

    def _remembered(self, of: Remembered, key: Any, make: Callable[[], Made]) -> Made:
        """What `make` makes: of the same layout and key it was made before, here or on another
        graph, if that was not long ago. Arrays and numbers that this made are made here, too."""
        at, before = (self._layout, key), len(self._made)
        found = of.get(at)
        result: Made
        if found is None:
            result, _ = of.add(at, (make(), self._made[before:]))
            return result
        result, others = found
        for new, name, dtype in others:
            new(self, name, dtype)
        return result

    def _noted(self, new: Callable[..., Place], name: Any, dtype: Any, place: Place) -> Place:
        """Another array or number: later layouts have it."""
        self._made.append((new, name, dtype))
        self._layout = layout(self._layout, new, name, dtype)
        return place

    def _lower(self, operations: tuple[Operation, ...]) -> tuple[str, int, int]:
        program = lower(operations, self._facts, self._gpu)
        return program.text(self._gpu), program.words, program.gathered

    def _compile(self, operations: tuple[Operation, ...]) -> int:
        text, words, gathered = self._remembered(
            PROGRAMS, operations, lambda: self._lower(operations)
        )
        address, images = 0, {}
        if self._gpu:
            known = _gossamer.program_architectures(self.machine._handle)
            images = {a: gpu_image(text, a, "vertex_steps") for a in known}
        else:
            address = symbol_address(text, "gossamer_steps", "vertex_steps")
        return self._handle.add_program(address, images, words, gathered)

    def _expression(self, text: Any, what: str, weight: bool = False) -> StepExpression:
        what = f"vertex_steps: {what}"
        instance(text, str, what, "an expression as text")
        return parse_step(text, vertex_names(self._facts, weight), what)

    def _mask(self, text: str | None, step: str) -> StepExpression | None:
        return None if text is None else self._expression(text, f"{step}: where")

    def _new_send(
        self, value: str, combine: str, into: str, along: str, where: str | None, accumulate: bool
    ) -> Send:
        _check_one(combine, "send: combine", _SENT)
        _check_one(along, "send: along", _WAYS)
        sent, mask = self._expression(value, "send: value", weight=True), self._mask(where, "send")
        if into in sent.names or (mask is not None and into in mask.names):
            raise UsageError(
                f"vertex_steps: send: '{into}' is what messages are made of: name another field"
            )
        if combine == "or" and sent.dtype.kind not in "iu":
            raise UsageError(f"vertex_steps: send: 'or' is for integers, not {sent.dtype}")
        dtype = combined_type(combine, sent.dtype)
        old = self._field_for(into, dtype)
        if accumulate and old is None:
            raise UsageError(
                f"vertex_steps: send: accumulate: there is no field '{into}' to accumulate in"
            )
        place = old or self._new_field(into, dtype)
        return Send(sent, combine, place, along, mask, accumulate)

    def _new_map(self, where: str | None, fields: dict[str, str]) -> Map:
        if not fields:
            raise UsageError("vertex_steps: map: there is no field in it")
        mask = self._mask(where, "map")
        said = {name: self._expression(text, f"map: {name}") for name, text in fields.items()}
        old = {name: self._field_for(name, e.dtype, e) for name, e in said.items()}
        to = [(old[name] or self._new_field(name, e.dtype), e) for name, e in said.items()]
        return Map(tuple(to), mask)

    def _new_reduce(self, value: str, combine: str, into: str, where: str | None) -> Reduce:
        _check_one(combine, "reduce: combine", _REDUCED)
        e, mask = self._expression(value, "reduce: value"), self._mask(where, "reduce")
        if e.dtype.name == "uint64" and combine not in ("count", "any"):
            raise UsageError("vertex_steps: reduce: numbers are int64 or float64, not uint64")
        wide = number_type(combined_type(combine, e.dtype))
        place = self._number_for(into, wide) or self._new_number(into, wide)
        return Reduce(e, combine, place, mask)

    def _new_assign(self, numbers: dict[str, str]) -> Assign:
        if not numbers:
            raise UsageError("vertex_steps: set: there is no number in it")
        known, said = number_names(self._facts), {}
        for name, text in numbers.items():
            instance(text, str, f"vertex_steps: set: {name}", "an expression as text")
            said[name] = parse_step(text, known, f"vertex_steps: set: {name}")
        old = {name: self._number_for(name, e.dtype, e) for name, e in said.items()}
        to = [
            (old[name] or self._new_number(name, number_type(e.dtype)), e)
            for name, e in said.items()
        ]
        return Assign(tuple(to))

    def _new_loop(
        self, body: tuple[Operation, ...], until: str | None, at_most: int | None
    ) -> Loop:
        end = None
        if until is not None:
            end = parse_step(until, number_names(self._facts), "vertex_steps: repeat: until")
        counter = self._new_number(f" rounds {len(self._known)}", INT)
        return Loop(body, end, at_most, counter)

    def _published(self, which: int, dtype: np.dtype[Any]) -> Place:
        key = (dtype, which)
        if key not in self._copies:
            place = Place(self._handle.add_array(dtype.itemsize, True), dtype)
            self._copies[key] = self._noted(VertexSteps._published, which, dtype, place)
        return self._copies[key]

    def _new_field(self, name: str, dtype: np.dtype[Any]) -> Place:
        place = Place(self._handle.add_array(dtype.itemsize, False), dtype)
        self._facts.fields[name] = place
        return self._noted(VertexSteps._new_field, name, dtype, place)

    def _new_number(self, name: str, dtype: np.dtype[Any]) -> Place:
        index = len(self._facts.numbers)
        if index == len(self._words):
            self._words = np.concatenate([self._words, np.zeros(index, np.int64)])
        place = Place(index, dtype)
        self._facts.numbers[name] = place
        return self._noted(VertexSteps._new_number, name, dtype, place)

    def _check_name(self, name: str) -> None:
        instance(name, str, "vertex_steps: into", "a name")
        if not name.isidentifier() or not name.isascii() or keyword.iskeyword(name):
            raise UsageError(f"vertex_steps: {name!r:.60} is no name for a field or a number")
        if name in _TAKEN:
            raise UsageError(f"vertex_steps: '{name}' has a meaning in expressions already")
        if name in self._facts.fields:
            raise UsageError(f"vertex_steps: '{name}' is a field, not a number")
        if name in self._facts.numbers:
            raise UsageError(f"vertex_steps: '{name}' is a number, not a field")

    def _field_for(
        self, name: str, dtype: np.dtype[Any], value: StepExpression | None = None
    ) -> Place | None:
        """The field of this name, which has to take the type; None: there is none yet."""
        return self._fitting(self._facts.fields.get(name), name, dtype, value)

    def _number_for(
        self, name: str, dtype: np.dtype[Any], value: StepExpression | None = None
    ) -> Place | None:
        old = None if name == "vertices" else self._facts.numbers.get(name)
        return self._fitting(old, name, dtype, value)

    def _fitting(
        self, old: Place | None, name: str, dtype: np.dtype[Any], value: StepExpression | None
    ) -> Place | None:
        if old is None:
            self._check_name(name)
        else:
            check_type(dtype, old, name, value)
        return old

    def _array(self, name: str, given: Any) -> npt.NDArray[Any]:
        array = plain_array(given, f"vertex_steps: {name}")
        if array.dtype.name not in CPP_NAMES or not array.dtype.isnative:
            raise UsageError(
                f"vertex_steps: {name}: {array.dtype} is none of {', '.join(CPP_NAMES)}"
            )
        n = self.graph.vertices
        if array.ndim == 0:
            return np.broadcast_to(array, n)  # written out when it is handed over
        if array.shape != (n,):
            raise UsageError(
                f"vertex_steps: {name}: an array of shape {array.shape} for {n} vertices"
            )
        return array

    def _number(self, place: Place) -> Any:
        self.run()
        found = self._words[place.index : place.index + 1].view(word_type(place))[0].item()
        return bool(found) if place.dtype == BOOL else found


def _machine_for_steps(machine: Machine | str | None) -> Machine:
    found = machine_of(machine)
    if found.virtual:
        raise NotCompiled(
            "vertex steps do not run on modelled machines: give the machine cpu, or cuda"
        )
    return found


def _check_one(given: Any, what: str, of: tuple[str, ...]) -> None:
    if given not in of:
        raise UsageError(f"vertex_steps: {what} {given!r:.60} is none of {', '.join(of)}")


def vertex_steps(
    graph: Graph,
    machine: Machine | str | None = None,
    *,
    memory: int | str | None = None,
    timeout: float | None = None,
) -> VertexSteps:
    """Values at vertices with names, and steps that change them: an algorithm of one's own.

    A step sends along arcs, maps, reduces or repeats (:class:`VertexSteps`). Steps are recorded;
    they are compiled and run together when a value is read, a block ends, or :meth:`run
    <VertexSteps.run>` says so. What was compiled is kept (``$GOSSAMER_CACHE``). The ranks run a
    loop without Python, on GPUs without the host.

    Expressions are Python's: fields and numbers by name, ``degree``, ``vertex``, ``vertices``,
    ``inf``, ``+ - * / // % & | ^ ~ << >>``, comparisons, and, or, not, ``a if c else b``, min(),
    max(), abs(), sqrt(), floor(), ceil(), and types such as int32() to convert. Types are NumPy's;
    integers wrap.

    machine: a :class:`Machine`, a spec, or None for ``auto``. memory: limit in bytes, or text such
    as ``"16G"``. timeout: seconds that steps which run together may last.

    NotCompiled: no compiler, or a machine that runs no steps (processes, models, CPUs and GPUs
    together, GPUs that do not address each other's memory). ExpressionError shows the line and the
    place of what cannot be compiled.
    """
    return VertexSteps(graph, machine, memory=memory, timeout=timeout)

"""Programs of steps: recorded operations become stages and the way between them, then text.

A stage is what all ranks do before they meet. Operations on single vertices that follow each other
are one; a send is one more: pushed along the arcs of the vertices that a mask names, gathered along
the arcs of all vertices where there is none. What a stage reports (reductions), numbers that are
set, and loops are looked at where ranks meet, by every rank alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

import numpy as np
import numpy.typing as npt

from gossamer import _gossamer
from gossamer.errors import UsageError

from .expression import Name, StepExpression, Typed, cpp_name, has_number, parse_step

#: Reductions of a stage: GPUs keep what threads report in registers and join it in shared memory.
_MOST_REDUCED = 16


@dataclass(frozen=True)
class Place:
    """A field's array, or a number."""

    index: int
    dtype: np.dtype[Any]

    @property
    def cpp(self) -> str:
        return cpp_name(self.dtype)

    @property
    def word(self) -> str:
        """Of a number: which part of its word has it."""
        return "real" if self.dtype.kind == "f" else "whole"


@dataclass(frozen=True, eq=False)
class Map:
    """Fields become what expressions say, of vertices that a mask names."""

    to: tuple[tuple[Place, StepExpression], ...]
    where: StepExpression | None


@dataclass(frozen=True, eq=False)
class Send:
    """An expression goes along arcs, and what comes is combined in a field."""

    value: StepExpression
    combine: str
    into: Place
    along: str
    where: StepExpression | None
    #: And with what it had.
    accumulate: bool


@dataclass(frozen=True, eq=False)
class Reduce:
    """An expression over vertices becomes a number."""

    value: StepExpression
    combine: str
    into: Place
    where: StepExpression | None


@dataclass(frozen=True, eq=False)
class Assign:
    """Numbers become what expressions say."""

    to: tuple[tuple[Place, StepExpression], ...]


@dataclass(frozen=True, eq=False)
class Loop:
    """Operations that are repeated until an expression is true, or often enough."""

    body: tuple[Operation, ...]
    until: StepExpression | None
    at_most: int | None
    counter: Place


Operation = Map | Send | Reduce | Assign | Loop


@dataclass
class Facts:
    """What lowering has to know of graph and machine."""

    ranks: int
    symmetric: bool
    id_bytes: int
    weight: np.dtype[Any] | None
    #: A few vertices have many arcs: on GPUs, what gathers read lies in another order.
    skewed: bool
    #: Fields and numbers by name.
    fields: dict[str, Place]
    numbers: dict[str, Place]
    #: Makes an array that all ranks read: (which of those that a send needs, dtype). A weak
    #: reference to it: steps would keep themselves alive, with their arrays.
    published: Any = None

    def said_numbers(self) -> Iterator[tuple[str, Place]]:
        """Those with names that can be said: counters of loops have none."""
        return ((n, p) for n, p in self.numbers.items() if n.isidentifier())


@dataclass
class _Copy:
    """An array that others read, from an expression."""

    to: Place
    code: str
    uses: frozenset[str]
    #: Of the rows whose gathers read it; 2: of several.
    way: int


@dataclass
class _Fill:
    """A field before messages come."""

    to: Place
    value: str


@dataclass
class _Local:
    """A stage of operations on single vertices."""

    operations: list[Map | Reduce | _Copy | _Fill] = field(default_factory=list)

    @property
    def reduced(self) -> list[Reduce]:
        return [o for o in self.operations if isinstance(o, Reduce)]


@dataclass
class _Sent:
    """A stage along the arcs of one direction: 0 those that leave, 1 those that come."""

    how: str
    of: Send
    way: int
    #: Of the message, per vertex that sends: code, and the names it has.
    code: str
    uses: frozenset[str]
    #: Arrays it reads that are no fields: (index, C++ type).
    copies: dict[int, str]
    #: Of a gather: combined with what the field has.
    more: bool
    #: Copies that it reads may lie in another order than vertices.
    hubs: bool


@dataclass
class Program:
    """What there is to compile."""

    facts: Facts
    stages: list[_Local | _Sent]
    #: In order: a stage's index, an Assign, a Loop that begins ("begin") or ends ("end").
    way: list[int | Assign | tuple[str, Loop]]

    @property
    def words(self) -> int:
        return max((len(s.reduced) for s in self.stages if isinstance(s, _Local)), default=0)

    @property
    def gathered(self) -> int:
        """Directions along which hubs' copies are read, as bits."""
        return sum({1 << s.way for s in self.stages if isinstance(s, _Sent) and s.hubs})

    def text(self, gpu: bool) -> str:
        """Source for the CPU's compiler, or for NVRTC."""
        return "".join(_lines(self, gpu))


class _Lowering:
    def __init__(self, facts: Facts, gpu: bool) -> None:
        self.facts = facts
        self.gpu = gpu
        self.program = Program(facts, [], [])
        self.local = _Local()

    def stage(self, s: _Local | _Sent) -> None:
        self.program.way.append(len(self.program.stages))
        self.program.stages.append(s)

    def close(self, needed: bool = False) -> None:
        """Ends the stage of single vertices, if there is one."""
        if self.local.operations or (needed and not self.program.stages):
            self.stage(self.local)
        self.local = _Local()

    def add(self, operation: Map | Reduce) -> None:
        """To the stage, unless it has to do with a number that this stage makes."""
        made = operation.into if isinstance(operation, Reduce) else None
        self.know(_names(operation), made)
        if made is not None and len(self.local.reduced) == _MOST_REDUCED:
            self.close()
        self.local.operations.append(operation)

    def know(self, names: frozenset[str], more: Place | None = None) -> None:
        """Ends the stage if it makes a number that is among these: it is known behind it."""
        used = {self.facts.numbers[n].index for n in names if n in self.facts.numbers}
        if more is not None:
            used.add(more.index)
        if used & {r.into.index for r in self.local.reduced}:
            self.close()

    def send(self, s: Send) -> None:
        ways = {"out": [0], "in": [1], "both": [0] if self.facts.symmetric else [0, 1]}[s.along]
        if s.where is not None:
            if not s.accumulate:
                self.local.operations.append(_Fill(s.into, _identity(s.combine, s.into.dtype)))
            self.close()
            for way in ways:
                code, names = s.value.code, s.value.names | s.where.names
                self.stage(_Sent("push", s, way, code, names, {}, False, False))
            return
        # Who receives along arcs that leave the sender has them among those that come.
        ways = [1 - way for way in ways]
        hubs = self.gpu and self.facts.skewed and len(ways) == 1
        code, uses, copies = self.message(s, not hubs, ways[0] if hubs else 2)
        self.close()
        for i, way in enumerate(ways):
            more = s.accumulate or i > 0
            self.stage(_Sent("gather", s, way, code, uses, copies, more, hubs))

    def message(self, s: Send, by_id: bool, way: int) -> tuple[str, frozenset[str], dict[int, str]]:
        """What a gather reads: the sender's field where that is the message and lies with the
        rank, else arrays that hold the message or, where arcs have a part in it, its parts."""
        alone = by_id and (not self.gpu or self.facts.ranks == 1)
        fields, value = self.facts.fields, s.value
        if (alone and value.source in fields) or value.names <= {"weight", *self.facts.numbers}:
            return value.code, value.names, {}
        self.know(value.names)
        if "weight" not in value.names:
            to: Place = self.facts.published()(0, value.dtype)
            self.local.operations.append(_Copy(to, value.code, value.names, way))
            return f"f{to.index}[v]", frozenset(), {to.index: to.cpp}
        copies: dict[int, str] = {}
        known: dict[str, Name] = {}
        for name, found in vertex_names(self.facts, weight=True).items():
            known[name] = found
            if name not in value.names or name in ("weight", *self.facts.numbers):
                continue
            if alone and name in fields:
                continue
            to = self.facts.published()(len(copies), found.dtype)
            copies[to.index] = to.cpp
            self.local.operations.append(_Copy(to, found.code, frozenset([name]), way))
            known[name] = Name(found.dtype, f"f{to.index}[v]")
        again = parse_step(value.source, known, "vertex_steps: send: value")
        left = value.names & self.facts.numbers.keys()
        if alone:
            left |= value.names & fields.keys()
        return again.code, left, copies

    def all(self, operations: Iterable[Operation]) -> None:
        for operation in operations:
            match operation:
                case Map() | Reduce():
                    self.add(operation)
                case Send():
                    self.send(operation)
                case Assign():
                    self.close(needed=True)
                    self.program.way.append(operation)
                case Loop():
                    self.close(needed=True)
                    self.program.way.append(("begin", operation))
                    before = len(self.program.stages)
                    self.all(operation.body)
                    self.close()
                    if len(self.program.stages) == before:  # ranks meet at stages
                        self.stage(_Local())
                    self.program.way.append(("end", operation))


def lower(operations: Sequence[Operation], facts: Facts, gpu: bool) -> Program:
    """Stages of what was recorded."""
    lowering = _Lowering(facts, gpu)
    lowering.all(operations)
    lowering.close(needed=True)
    return lowering.program


def vertex_names(facts: Facts, weight: bool = False) -> dict[str, Name]:
    """What expressions over vertices may name."""
    whole = np.dtype("int64")
    known = {n: Name(p.dtype, f"f{p.index}[v]") for n, p in facts.fields.items()}
    known |= {n: Name(p.dtype, f"n{p.index}") for n, p in facts.said_numbers()}
    known["degree"] = Name(whole, "gs::degree(g, v)")
    known["vertex"] = Name(whole, "(v - g.shift)")
    if weight and facts.weight is not None:
        known["weight"] = Name(facts.weight, "weight")
    return known


def number_names(facts: Facts) -> dict[str, Name]:
    """What expressions over numbers may name."""
    return {n: Name(p.dtype, _known(p)) for n, p in facts.said_numbers()}


def _known(p: Place) -> str:
    code = f"numbers[{p.index}].{p.word}"
    return f"({code} != 0)" if p.dtype.kind == "b" else code


def _names(operation: Map | Reduce | _Copy | _Fill) -> frozenset[str]:
    match operation:
        case Map(to, where):
            found = frozenset[str]().union(*(e.names for _, e in to))
        case Reduce(value, _, _, where):
            found = value.names
        case _Copy(uses=uses):
            return uses
        case _Fill():
            return frozenset()
    return found if where is None else found | where.names


def _identity(combine: str, dtype: np.dtype[Any]) -> str:
    cpp = cpp_name(dtype)
    if combine in ("sum", "count", "or", "any"):
        return f"{cpp}(0)"
    least = combine == "max"
    if dtype.kind == "f":
        return f"{cpp}({'-' if least else ''}gs_infinity_of(0.0))"
    if dtype.kind == "b":
        return "false" if least else "true"
    limits = np.iinfo(dtype)
    return f"{cpp}({(limits.min if least else limits.max) % (1 << 64)}ull)"


def _joined(combine: str, cpp: str, a: str, b: str) -> str:
    if combine in ("sum", "count"):
        return f"gs_add({a}, {b})"
    if combine in ("min", "max"):
        return f"gs_{combine}({a}, {b})"
    return f"{cpp}({a} | {b})"


def _taken(combine: str, value: StepExpression, dtype: np.dtype[Any], code: str = "") -> str:
    """A value as it is combined."""
    taken = Typed(code or value.code, value.dtype)
    if combine not in ("count", "any"):
        return taken.cast_to(dtype)
    return f"{cpp_name(dtype)}({taken.truth})"


def _members(name: str, facts: Facts, uses: Iterable[str], arrays: dict[int, str]) -> Iterator[str]:
    """Pointers and numbers that a stage reads, got once a thread."""
    numbers: dict[int, Place] = {}
    for use in sorted(uses):
        if use in facts.fields:
            arrays[facts.fields[use].index] = facts.fields[use].cpp
        elif use in facts.numbers:
            numbers[facts.numbers[use].index] = facts.numbers[use]
    yield f"struct {name} {{\n"
    yield from (f"  {cpp}* const f{i};\n" for i, cpp in arrays.items())
    yield from (f"  const {p.cpp} n{i};\n" for i, p in numbers.items())
    yield "  const view& g;\n"
    begin = [f"f{i}(gs::array<{cpp}>(of, {i}))" for i, cpp in arrays.items()]
    for i, p in numbers.items():
        begin.append(f"n{i}(of.numbers[{i}].{p.word}{' != 0' if p.dtype.kind == 'b' else ''})")
    yield f"  GS_IN explicit {name}(const view& of) : {', '.join([*begin, 'g(of)'])} {{}}\n"


def _local(name: str, stage: _Local, facts: Facts, gpu: bool) -> Iterator[str]:
    arrays: dict[int, str] = {}
    for o in stage.operations:
        if isinstance(o, Map):
            arrays |= {p.index: p.cpp for p, _ in o.to}
        elif isinstance(o, _Fill):
            arrays[o.to.index] = o.to.cpp
    uses = frozenset[str]().union(*(_names(o) for o in stage.operations))
    yield from _members(name, facts, uses, arrays)
    reduced = stage.reduced
    yield "  struct partial {\n"
    for i, r in enumerate(reduced):
        yield f"    {r.into.cpp} r{i} = {_identity(r.combine, r.into.dtype)};\n"
    yield "    GS_IN void store(step_word* to) const {\n"
    yield from (f"      to[{i}].{r.into.word} = r{i};\n" for i, r in enumerate(reduced))
    yield "    }\n  };\n"
    if gpu:
        yield "  GS_IN void operator()(long long v, partial& p) const {\n"
        yield from (line for o in stage.operations for line in _at_vertex(o, reduced))
    else:
        yield "  GS_IN void operator()(long long begin, long long end, partial& p) const {\n"
        for mask, operations in groupby(stage.operations, lambda o: _mask(o, facts)):
            yield f"    {_vertices(mask)} {{\n"
            yield from (line for o in operations for line in _at_vertex(o, reduced))
            yield "    }\n"
    yield "  }\n};\n"


def _mask(operation: Map | Reduce | Send | _Copy | _Fill, facts: Facts) -> Place | None:
    """A field that alone is the mask: where few vertices have it, the others are passed over."""
    where = operation.where if isinstance(operation, (Map, Reduce, Send)) else None
    place = None if where is None else facts.fields.get(where.source)
    return place if place is not None and place.dtype == BOOL else None


def _vertices(mask: Place | None) -> str:
    """The loop over vertices that a mask names."""
    if mask is None:
        return "for (long long v = begin; v < end; ++v)"
    after = f"gs::marked(f{mask.index}, {{}}, end)"
    return f"for (long long v = {after.format('begin')}; v < end; v = {after.format('v + 1')})"


def _at_vertex(o: Map | Reduce | _Copy | _Fill, reduced: list[Reduce]) -> Iterator[str]:
    """An operation of one vertex."""
    where = o.where if isinstance(o, (Map, Reduce)) else None
    yield "    {\n" if where is None else f"    if ({where.truth}) {{\n"
    match o:
        case Map(to):
            for i, (place, e) in enumerate(to):
                yield f"      const {place.cpp} t{i} = {e.cast_to(place.dtype)};\n"
            for i, (place, _) in enumerate(to):
                yield f"      f{place.index}[v] = t{i};\n"
        case Reduce(value, combine, into):
            at = f"p.r{reduced.index(o)}"
            got = _taken(combine, value, into.dtype)
            yield f"      {at} = {_joined(combine, into.cpp, at, got)};\n"
        case _Copy(to, code):
            yield f"      gs::spread<{to.cpp}, {o.way}>(g, {to.index}, v, {code});\n"
        case _Fill(to, code):
            yield f"      f{to.index}[v] = {code};\n"
    yield "    }\n"


def _sent(name: str, stage: _Sent, facts: Facts, gpu: bool) -> Iterator[str]:
    s = stage.of
    cpp = s.into.cpp
    yield from _members(name, facts, stage.uses, dict(stage.copies))
    weighted = "weight" in s.value.names
    yield f"  typedef {cpp} value;\n"
    yield f"  static constexpr bool weighted = {'true' if weighted else 'false'}, "
    yield f"more = {'true' if stage.more else 'false'};\n"
    yield f"  static constexpr int way = {stage.way}, into = {s.into.index};\n"
    if gpu:
        how = {"count": "sum"}.get(s.combine, s.combine)
        yield f"  static constexpr how_to_join how = joins_{how};\n"
        yield f"  static constexpr bool hubs = {'true' if stage.hubs else 'false'};\n"
    yield f"  static GS_IN value start() {{ return {_identity(s.combine, s.into.dtype)}; }}\n"
    yield "  static GS_IN value join(value a, value b) { return "
    yield f"{_joined(s.combine, cpp, 'a', 'b')}; }}\n"
    if stage.how == "push" and s.where is not None:
        yield f"  GS_IN bool sends(long long v) const {{ return {s.where.truth}; }}\n"
        if not gpu:
            mask = _mask(s, facts)
            yield f"  static constexpr int mask = {-1 if mask is None else mask.index};\n"
    code = _taken(s.combine, s.value, s.into.dtype, stage.code)
    yield f"  GS_IN value of(long long v, gs_weight weight) const {{ return {code}; }}\n"
    if gpu:
        yield from _copied(stage)
    yield "};\n"


def _copied(stage: _Sent) -> Iterator[str]:
    """Of a gather whose message is one copy: what it is made of, apart from where that lies."""
    one = stage.hubs and "weight" not in stage.of.value.names
    yield f"  static constexpr bool one_copy = {'true' if one else 'false'};\n"
    if not one:
        return
    ((index, cpp),) = stage.copies.items()
    s = stage.of
    code = _taken(s.combine, s.value, s.into.dtype, "x")
    yield f"  typedef {cpp} copy;\n"
    yield f"  GS_IN copy copied(long long v) const {{ return f{index}[v]; }}\n"
    yield f"  static GS_IN value of_copy(copy x) {{ return {code}; }}\n"


def _next(program: Program) -> Iterator[str]:
    """What is done where ranks meet: numbers taken, set and looked at."""
    yield "GS_FN int next(int stage, const step_word* all, step_word* numbers) {\n"
    yield "  switch (stage) {\n"
    for i, s in enumerate(program.stages):
        yield f"    case {i}:\n"
        if isinstance(s, _Local):
            for k, r in enumerate(s.reduced):
                yield f"      numbers[{r.into.index}].{r.into.word} = all[{k}].{r.into.word};\n"
        yield f"      goto after_{i};\n"
    yield "    default:\n      return -1;\n  }\n"
    loops, inner = 0, list[int]()
    for item in program.way:
        match item:
            case int():
                # The first stage is where programs begin.
                yield f"{f'  return {item};' if item else ''}\nafter_{item}:;\n"
            case Assign(to):
                yield "  {\n"
                for i, (place, e) in enumerate(to):
                    yield f"    const {place.cpp} t{i} = {e.cast_to(place.dtype)};\n"
                for i, (place, _) in enumerate(to):
                    yield f"    numbers[{place.index}].{place.word} = t{i};\n"
                yield "  }\n"
            case ("begin", loop):
                yield f"  numbers[{loop.counter.index}].whole = 0;\nloop_{loops}:;\n"
                inner.append(loops)
                loops += 1
            case (_, loop):
                counter = f"numbers[{loop.counter.index}].whole"
                ends = [] if loop.until is None else [loop.until.truth]
                if loop.at_most is not None:
                    ends.append(f"{counter} >= {loop.at_most}")
                yield f"  {counter} += 1;\n"
                yield f"  if (!({' || '.join(ends)})) goto loop_{inner.pop()};\n"
    yield "  return -1;\n}\n"


def _lines(program: Program, gpu: bool) -> Iterator[str]:
    facts, stages = program.facts, program.stages
    yield f"#define GS_WORDS {program.words}\n"
    yield f"typedef {'int' if facts.id_bytes == 4 else 'long long'} gs_id;\n"
    weight = "int" if facts.weight is None else cpp_name(facts.weight)
    yield f"typedef {weight} gs_weight;\n"
    if gpu:
        yield f"#define GS_LONE {'true' if facts.ranks == 1 else 'false'}\n"
    yield _gossamer.steps_text(gpu)
    yield "namespace gs {\n"
    for i, s in enumerate(stages):
        if isinstance(s, _Local):
            yield from _local(f"stage_{i}", s, facts, gpu)
        else:
            yield from _sent(f"stage_{i}", s, facts, gpu)
    each = "(g, out)" if gpu else "(g, begin, end, out)"
    along = "(g)" if gpu else "(g, begin, end)"
    bounds = "" if gpu else "long long begin, long long end, "
    yield f"GS_FN void run_stage(int stage, const view& g, {bounds}step_word* out) {{\n"
    yield "  switch (stage) {\n"
    for i, s in enumerate(stages):
        call = f"each<stage_{i}>{each}" if isinstance(s, _Local) else f"{s.how}<stage_{i}>{along}"
        yield f"    case {i}:\n      {call};\n      break;\n"
    yield "  }\n}\n"
    local = {i: s.reduced for i, s in enumerate(stages) if isinstance(s, _Local) and s.reduced}
    yield "GS_FN void join(int stage, step_word* all, const step_word* more) {\n"
    yield "  switch (stage) {\n"
    for i, reduced in local.items():
        yield f"    case {i}:\n"
        for k, r in enumerate(reduced):
            a, b = f"all[{k}].{r.into.word}", f"more[{k}].{r.into.word}"
            cpp = "double" if r.into.dtype.kind == "f" else "gs_int64"
            yield f"      {a} = {_joined(r.combine, cpp, a, b)};\n"
        yield "      break;\n"
    yield "  }\n}\n"
    yield from _next(program)
    if not gpu:
        yield "}\n"
        kind = "gossamer::steps_detail::step_program"
        yield f'extern "C" __attribute__((visibility("default"))) const {kind} gossamer_steps;\n'
        yield f"const {kind} gossamer_steps = "
        yield "{GS_WORDS, &gs::run_stage, &gs::join, &gs::next};\n"
        return
    yield "GS_FN void start(int stage, step_word* all) {\n  switch (stage) {\n"
    for i, reduced in local.items():
        yield f"    case {i}:\n"
        for k, r in enumerate(reduced):
            yield f"      all[{k}].{r.into.word} = {_identity(r.combine, r.into.dtype)};\n"
        yield "      break;\n"
    yield "  }\n}\n"
    told = " || ".join(f"stage == {i}" for i in local) or "false"
    yield f"GS_FN bool reports(int stage) {{ return {told}; }}\n}}\n"
    yield 'extern "C" __global__ void __launch_bounds__(gs::step_threads, 1)\n'
    yield "    gossamer_steps(const __grid_constant__ gs::view g) {\n  gs::run(g);\n}\n"


BOOL, INT = np.dtype("bool"), np.dtype("int64")
_FLOAT = np.dtype("float64")


def word_type(place: Place) -> np.dtype[Any]:
    """How the eight bytes of a number are read."""
    return _FLOAT if place.dtype.kind == "f" else INT


def number_type(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The type of a number that has such values."""
    return {"f": _FLOAT, "b": BOOL}.get(dtype.kind, INT)


def check_type(dtype: np.dtype[Any], place: Place, name: str, value: StepExpression | None) -> None:
    """UsageError where what has a type must not be stored; numbers in the text have none of their
    own."""
    fits = np.can_cast(dtype, place.dtype, "same_kind")
    if value is not None and value.constant and dtype.kind in "iu" and place.dtype.kind in "iuf":
        fits = True
    if not fits:
        raise UsageError(f"vertex_steps: '{name}' is {place.dtype}, which {dtype} does not fit")
    if value is not None and value.value is not None and not has_number(place.dtype, value.value):
        raise UsageError(
            f"vertex_steps: '{name}' is {place.dtype}, which does not have {value.value}"
        )


def fitted(array: npt.NDArray[Any], place: Place, name: str) -> npt.NDArray[Any]:
    """Values in the type of what they are stored in, which has to have them."""
    fits = np.can_cast(array.dtype, place.dtype, "same_kind")
    if not (fits or (array.dtype.kind in "iuO" and place.dtype.kind in "iu")):
        raise UsageError(
            f"vertex_steps: '{name}' is {place.dtype}, which {array.dtype} does not fit"
        )
    if place.dtype.kind in "iu" and array.size > 0:
        limits = np.iinfo(place.dtype)
        for value in (int(array.min()), int(array.max())):
            if not int(limits.min) <= value <= int(limits.max):
                raise UsageError(
                    f"vertex_steps: '{name}' is {place.dtype}, which does not have {value}"
                )
    return array.astype(place.dtype)


def combined_type(combine: str, dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The type of what values of a type make together."""
    if combine == "count":
        return INT
    if combine == "any":
        return BOOL
    if combine == "sum" and dtype.kind != "f":
        return np.dtype("uint64") if dtype.kind == "u" else INT
    return dtype

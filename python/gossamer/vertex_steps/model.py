"""What steps over fields mean, in NumPy: the same calls as gs.vertex_steps, one step at a time.

The check of programs of steps: it has nothing of what lowers, compiles or runs them.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from gossamer.arguments import instance, number
from gossamer.errors import UsageError, VerificationError
from gossamer.graph import Graph
from gossamer.machine import Machine

from .steps import VertexSteps

ARITHMETIC: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
    ast.Div: np.true_divide, ast.FloorDiv: np.floor_divide, ast.Mod: np.remainder,
    ast.LShift: np.left_shift, ast.RShift: np.right_shift,
}  # fmt: skip
BITS: dict[type, Callable[[Any, Any], Any]] = {
    ast.BitAnd: operator.and_, ast.BitOr: operator.or_, ast.BitXor: operator.xor
}  # fmt: skip
COMPARISONS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
    ast.Eq: operator.eq, ast.NotEq: operator.ne,
}  # fmt: skip
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "min": np.minimum, "max": np.maximum, "abs": abs, "sqrt": np.sqrt, "floor": np.floor,
    "ceil": np.ceil,
}  # fmt: skip


def is_bool(x: Any) -> bool:
    return isinstance(x, bool) or (hasattr(x, "dtype") and x.dtype == bool)


def converted(x: Any, dtype: np.dtype[Any]) -> Any:
    """Without fractions in integers, which have their nearest number, and 0 for NaN."""
    if x.dtype.kind != "f" or dtype.kind == "f":
        return x.astype(dtype)
    limits = np.iinfo(dtype)
    low, high = x <= limits.min, x >= float(limits.max)
    whole = np.where(low | high | np.isnan(x), 0, x).astype(dtype)
    return np.where(low, dtype.type(limits.min), np.where(high, dtype.type(limits.max), whole))


def evaluated(node: ast.expr, names: dict[str, Any]) -> Any:
    """An expression over arrays. Numbers in the text stay Python's, as NumPy would have them."""

    def part(inner: ast.expr) -> Any:
        return evaluated(inner, names)

    def number(inner: ast.expr) -> Any:
        x = part(inner)
        return x * np.int64(1) if is_bool(x) else x

    def truth(inner: ast.expr) -> Any:
        return np.asarray(part(inner)) != 0

    match node:
        case ast.Name(name):
            return names[name]
        case ast.Constant(value):
            return value
        case ast.UnaryOp(ast.USub(), x):
            return -number(x)
        case ast.UnaryOp(ast.Not(), x):
            return ~truth(x)
        case ast.UnaryOp(ast.Invert(), x):
            return ~np.asarray(part(x))
        case ast.BinOp(a, sign, b) if type(sign) in BITS:
            return BITS[type(sign)](part(a), part(b))
        case ast.BinOp(a, sign, b):
            return ARITHMETIC[type(sign)](number(a), number(b))
        case ast.Compare(left, signs, others):
            values = [number(x) for x in [left, *others]]
            tests = [COMPARISONS[type(s)](values[i], values[i + 1]) for i, s in enumerate(signs)]
            return np.logical_and.reduce(np.broadcast_arrays(*tests))
        case ast.BoolOp(ast.And(), parts):
            return np.logical_and.reduce(np.broadcast_arrays(*map(truth, parts)))
        case ast.BoolOp(_, parts):
            return np.logical_or.reduce(np.broadcast_arrays(*map(truth, parts)))
        case ast.IfExp(test, a, b):
            return np.where(truth(test), part(a), part(b))
        case ast.Call(ast.Name(name), arguments):
            if name == "bool":
                return truth(arguments[0])
            first, *more = [number(x) for x in arguments]
            if name not in FUNCTIONS:
                return converted(np.asarray(first), np.dtype(name))
            if not more:
                return FUNCTIONS[name](first)
            for x in more:
                first = FUNCTIONS[name](first, x)
            return first
    raise AssertionError(ast.dump(node))


def combined_type(combine: str, dtype: np.dtype[Any]) -> np.dtype[Any]:
    if combine == "count":
        return np.dtype("int64")
    if combine == "any":
        return np.dtype("bool")
    if combine == "sum" and dtype.kind in "biu":
        return np.dtype("uint64" if dtype.kind == "u" else "int64")
    return dtype


def nothing(combine: str, dtype: np.dtype[Any]) -> Any:
    """What combining no values gives."""
    if combine not in ("min", "max"):
        return dtype.type(0)
    if dtype.kind == "b":
        return combine == "min"
    if dtype.kind == "f":
        return np.inf if combine == "min" else -np.inf
    return np.iinfo(dtype).max if combine == "min" else np.iinfo(dtype).min


JOINS: dict[str, Any] = {
    "min": np.minimum, "max": np.maximum, "sum": np.add, "count": np.add, "or": np.bitwise_or,
    "any": np.logical_or,
}  # fmt: skip


class StepModel:
    """One after the other, by one processor."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.known: dict[str, Any] = {}
        self.said: dict[str, Any] = {"vertices": np.int64(graph.vertices)}
        self.open: list[list[Callable[[], None]]] = [[]]

    def fields(self, **values: Any) -> None:
        self.run()
        for name, given in values.items():
            old = self.known.get(name)
            array = np.array(np.broadcast_to(np.asarray(given), (self.graph.vertices,)))
            self.known[name] = array if old is None else array.astype(old.dtype)

    def numbers(self, **values: Any) -> None:
        self.run()
        for name, given in values.items():
            self.said[name] = np.asarray(given)[()]

    def __getitem__(self, name: str) -> Any:
        self.run()
        return self.known[name] if name in self.known else self.said[name].item()

    def run(self) -> None:
        steps, self.open[0] = self.open[0], []
        with np.errstate(all="ignore"):
            for step in steps:
                step()

    def value(self, text: str, own: dict[str, Any], length: int | None) -> Any:
        tree = ast.parse(text.strip(), mode="eval").body
        found = evaluated(tree, own | self.said | {"inf": float("inf")})
        return found if length is None else np.array(np.broadcast_to(found, (length,)))

    @property
    def here(self) -> dict[str, Any]:
        n, degrees = self.graph.vertices, np.asarray(self.graph.degrees, np.int64)
        return self.known | {"vertex": np.arange(n), "degree": degrees}

    def mask(self, where: str | None) -> Any:
        n = self.graph.vertices
        return np.full(n, True) if where is None else self.value(where, self.here, n) != 0

    def send(
        self, value: str, combine: str, into: str, *, along: str = "out", where: str | None = None,
        accumulate: bool = False,
    ) -> None:  # fmt: skip
        def step() -> None:
            g = self.graph
            tails = np.repeat(np.arange(g.vertices), np.diff(g.indptr))
            ends = {"out": (tails, g.indices), "in": (g.indices, tails)}
            ways = ["out", "in"] if along == "both" and not g.symmetric else [along]
            ways = ["out"] if along == "both" and g.symmetric else ways
            mask, found = self.mask(where), None
            if accumulate:
                found = self.known[into].copy()
            for way in ways:
                u, v = ends[way]
                sent = mask[u]
                own = {name: x[u[sent]] for name, x in self.here.items()}
                if g.weights is not None:
                    own["weight"] = g.weights[sent]
                got = self.value(value, own, int(sent.sum()))
                dtype = combined_type(combine, got.dtype)
                dtype = self.known[into].dtype if into in self.known else dtype
                if found is None:
                    found = np.full(g.vertices, nothing(combine, dtype), dtype)
                got = got != 0 if combine in ("count", "any") else got
                JOINS[combine].at(found, v[sent], got.astype(dtype))
            self.known[into] = found

        self.open[-1].append(step)

    def map(self, where: str | None = None, **fields: str) -> None:
        def step() -> None:
            mask, n, here = self.mask(where), self.graph.vertices, self.here
            found = {name: self.value(text, here, n) for name, text in fields.items()}
            for name, got in found.items():
                old = self.known.get(name, np.zeros(n, got.dtype))
                self.known[name] = np.where(mask, got.astype(old.dtype), old)

        self.open[-1].append(step)

    def reduce(self, value: str, combine: str, into: str, *, where: str | None = None) -> None:
        def step() -> None:
            got = self.value(value, self.here, self.graph.vertices)[self.mask(where)]
            dtype = combined_type(combine, got.dtype)
            wide = {"f": np.dtype("float64"), "b": np.dtype("bool")}.get(
                dtype.kind, np.dtype("int64")
            )
            wide = self.said[into].dtype if into in self.said else wide
            got = got != 0 if combine in ("count", "any") else got
            self.said[into] = JOINS[combine].reduce(
                got.astype(wide), initial=nothing(combine, wide)
            )[()]

        self.open[-1].append(step)

    def set(self, **numbers: str) -> None:
        def step() -> None:
            found = {name: np.asarray(self.value(t, {}, None)) for name, t in numbers.items()}
            for name, got in found.items():
                wide = {"f": np.dtype("float64"), "b": np.dtype("bool")}.get(
                    got.dtype.kind, np.dtype("int64")
                )
                wide = self.said[name].dtype if name in self.said else wide
                self.said[name] = got.astype(wide)[()]

        self.open[-1].append(step)

    @contextmanager
    def repeat(self, until: str | None = None, at_most: int | None = None) -> Iterator[list[int]]:
        rounds: list[int] = []
        self.open.append([])
        yield rounds
        body = self.open.pop()

        def step() -> None:
            rounds.clear()
            while True:
                rounds.append(1)
                for inner in body:
                    inner()
                if until is not None and bool(self.value(until, {}, None)):
                    return
                if at_most is not None and len(rounds) >= at_most:
                    return

        self.open[-1].append(step)


def verify_steps(
    graph: Graph,
    calls: Callable[[Any], object],
    machine: Machine | str | None = None,
    *,
    tolerance: float = 0.0,
    memory: int | str | None = None,
    timeout: float | None = None,
) -> None:
    """Makes a program's calls twice, on the machine and in NumPy, and compares all fields and
    numbers. ``calls(steps)`` makes them, of whatever it is given.

    tolerance: what floats may differ by, relative to the larger one: sums are added in another
    order. memory, timeout: of the run on the machine. VerificationError names the first field that
    differs, with its vertex; NotCompiled, CapacityError and Timeout as of :func:`vertex_steps`.
    """
    instance(graph, Graph, "verify_steps: graph")
    if not callable(calls):
        raise UsageError("verify_steps: calls: expected a function of the steps")
    allowed = number(tolerance, "verify_steps: tolerance")
    steps = VertexSteps(graph, machine, memory=memory, timeout=timeout)
    model = StepModel(graph)
    for made in (steps, model):
        calls(made)
        made.run()
    for name, wanted in (model.known | model.said).items():
        found, expected = np.atleast_1d(np.asarray(steps[name])), np.atleast_1d(wanted)
        same = found == expected
        if expected.dtype.kind == "f":
            with np.errstate(invalid="ignore"):
                far = np.abs(found - expected)
            same |= np.isnan(found) & np.isnan(expected)
            # Beside infinity the tolerance is infinite: any number would be within it.
            with np.errstate(invalid="ignore"):
                near = far <= allowed * np.maximum(np.abs(found), np.abs(expected))
            same |= np.isfinite(far) & near
        wrong = np.flatnonzero(~same)
        if wrong.size:
            at = int(wrong[0])
            where = f" of vertex {graph.name_of(at)}" if name in model.known else ""
            raise VerificationError(
                f"vertex_steps on {graph.name}: {name}{where} is {found[at]}, not {expected[at]}"
            )

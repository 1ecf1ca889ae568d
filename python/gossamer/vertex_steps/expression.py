"""Expressions of steps: Python's syntax over typed names, as text for the compilers.

Every part has a type, as NumPy would give it: names have their own, numbers in the text take that
of what they meet. As with vertex programs, what is allowed is listed, so that no text of the user's
reaches a compiler.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from gossamer.errors import ExpressionError
from gossamer.program.expression import ARITHMETIC, FUNCTIONS, TreeReader, read_tree

#: Of the types that fields have, in C++.
CPP_NAMES = {
    "bool": "bool",
    "int32": "int",
    "int64": "gs_int64",
    "uint32": "gs_uint32",
    "uint64": "gs_uint64",
    "float32": "float",
    "float64": "double",
}
_BOOL, _INT, _FLOAT = np.dtype("bool"), np.dtype("int64"), np.dtype("float64")
_BITS: dict[type[ast.operator], str] = {ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^"}
_CPP_NAMES = {np.dtype(name): cpp for name, cpp in CPP_NAMES.items()}
#: And conversions.
_FUNCTIONS = (*FUNCTIONS, *CPP_NAMES)


def cpp_name(dtype: np.dtype[Any]) -> str:
    """In C++. By the type itself: its name takes NumPy a microsecond."""
    return _CPP_NAMES[dtype]


@dataclass(frozen=True)
class Name:
    """What a name in an expression stands for."""

    dtype: np.dtype[Any]
    code: str


@dataclass(frozen=True)
class Typed:
    """C++ of a type."""

    code: str
    dtype: np.dtype[Any]

    def cast_to(self, dtype: np.dtype[Any]) -> str:
        """C++ of another type."""
        return self.code if dtype == self.dtype else f"{cpp_name(dtype)}({self.code})"

    @property
    def truth(self) -> str:
        """C++ of a bool: a number counts as "not zero"."""
        if self.dtype == _BOOL:
            return self.code
        return f"({self.code} != {cpp_name(self.dtype)}(0))"


@dataclass(frozen=True)
class StepExpression(Typed):
    """An expression that can be compiled."""

    #: As the user wrote it.
    source: str
    #: Which names it has.
    names: frozenset[str]
    #: It is a number in the text, or made of such: any type that has it will do.
    constant: bool
    #: That number, if it is a single one.
    value: int | float | None


@dataclass(frozen=True)
class _Part(Typed):
    #: A number in the text, or made of such.
    weak: bool = False
    #: A single number in the text: where it stands, and what it is.
    node: ast.expr | None = None
    value: int | float | None = None


@dataclass
class _Reader(TreeReader):
    known: Mapping[str, Name]
    names: set[str] = field(default_factory=set)

    def part(self, node: ast.expr) -> _Part:
        match node:
            case ast.Name(name):
                return self.name(node, name)
            case ast.Constant(value):
                return self.constant(node, value)
            case ast.UnaryOp(ast.USub(), ast.Constant(int() | float() as value)) if not isinstance(
                value, bool
            ):
                return self.constant(node, -value)
            case ast.UnaryOp(ast.USub(), operand):
                x = self.number(operand)
                return _Part(f"gs_negate({x.code})", x.dtype, x.weak)
            case ast.UnaryOp(ast.UAdd(), operand):
                return self.number(operand)
            case ast.UnaryOp(ast.Not(), operand):
                return _Part(f"(!{self.truth(operand)})", _BOOL)
            case ast.UnaryOp(ast.Invert(), operand):
                return self.inverted(node, operand)
            case ast.BinOp(left, operator, right):
                return self.binary(node, left, operator, right)
            case ast.Compare(left, operators, others):
                return self.comparison(node, left, operators, others)
            case ast.BoolOp(operator, values):
                sign = " && " if isinstance(operator, ast.And) else " || "
                return _Part("(" + sign.join(self.truth(v) for v in values) + ")", _BOOL)
            case ast.IfExp(test, body, orelse):
                a, b = self.together(self.part(body), self.part(orelse))
                return _Part(f"({self.truth(test)} ? {a.code} : {b.code})", a.dtype)
            case ast.Call(ast.Name(name), arguments, []):
                return self.call(node, name, arguments)
        self.refuse(
            node,
            "not part of an expression here (numbers, names, + - * / // % & | ^ ~ << >>, "
            "comparisons, and, or, not, … if … else …, and functions are)",
        )

    def truth(self, node: ast.expr) -> str:
        """`node` as a bool: a number counts as "not zero"."""
        return self.part(node).truth

    def number(self, node: ast.expr) -> _Part:
        """`node` for arithmetic: a truth counts as 1 or 0."""
        x = self.part(node)
        return _Part(x.cast_to(_INT), _INT) if x.dtype == _BOOL else x

    def together(self, a: _Part, b: _Part) -> tuple[_Part, _Part]:
        """Both of the type that NumPy gives to what is made of the two."""
        if a.weak == b.weak:
            dtype = np.result_type(a.dtype, b.dtype)
            return _Part(a.cast_to(dtype), dtype, a.weak), _Part(b.cast_to(dtype), dtype, b.weak)
        if a.weak:
            b, a = self.together(b, a)
            return a, b
        dtype = a.dtype
        if b.dtype == _FLOAT and dtype.kind != "f":
            dtype = _FLOAT
        elif dtype == _BOOL:
            dtype = _INT
        if b.node is not None and b.value is not None and not has_number(dtype, b.value):
            self.refuse(b.node, f"{dtype} does not have the number {b.value!r:.40}")
        return _Part(a.cast_to(dtype), dtype), _Part(b.cast_to(dtype), dtype)

    def binary(
        self, node: ast.expr, left: ast.expr, operator: ast.operator, right: ast.expr
    ) -> _Part:
        if type(operator) in _BITS:
            return self.bits(node, left, _BITS[type(operator)], right)
        if isinstance(operator, (ast.LShift, ast.RShift)):
            return self.shifted(
                node, left, "<<" if isinstance(operator, ast.LShift) else ">>", right
            )
        function = ARITHMETIC.get(type(operator))
        if function is None:
            self.refuse(node, "operators are +, -, *, /, //, %, &, |, ^, << and >>")
        a, b = self.together(self.number(left), self.number(right))
        if function == "gs_divide" and a.dtype.kind != "f":
            a, b = (_Part(x.cast_to(_FLOAT), _FLOAT, x.weak) for x in (a, b))
        return _Part(f"{function}({a.code}, {b.code})", a.dtype, a.weak and b.weak)

    def bits(self, node: ast.expr, left: ast.expr, sign: str, right: ast.expr) -> _Part:
        a, b = self.together(self.part(left), self.part(right))
        if a.dtype.kind == "f":
            self.refuse(node, f"{sign} is for integers and truths, not {a.dtype}")
        code = f"{cpp_name(a.dtype)}({a.code} {sign} {b.code})"
        return _Part(code, a.dtype, a.weak and b.weak)

    def shifted(self, node: ast.expr, left: ast.expr, sign: str, right: ast.expr) -> _Part:
        a, b = self.number(left), self.number(right)
        if a.dtype.kind == "f" or b.dtype.kind == "f":
            self.refuse(node, f"{sign} is for integers")
        # What is uint64 stays so: with int64, NumPy has no type for both.
        if a.dtype.name != "uint64":
            a, b = self.together(a, b)
        if a.dtype.kind == "f":
            self.refuse(node, f"{sign} is not for int64 by uint64")
        code = f"gs_shift<{int(sign == '<<')}>({a.code}, {b.cast_to(_INT)})"
        return _Part(code, a.dtype, a.weak and b.weak)

    def inverted(self, node: ast.expr, operand: ast.expr) -> _Part:
        x = self.part(operand)
        if x.dtype == _BOOL:
            return _Part(f"(!{x.code})", _BOOL)
        if x.dtype.kind == "f":
            self.refuse(node, f"~ is for integers and truths, not {x.dtype}")
        return _Part(f"{cpp_name(x.dtype)}(~{x.code})", x.dtype, x.weak)

    def comparison(
        self, node: ast.expr, left: ast.expr, operators: list[ast.cmpop], others: list[ast.expr]
    ) -> _Part:
        signs = self.signs(node, operators)
        if len(others) == 1:
            a, b = self.together(self.number(left), self.number(others[0]))
            return _Part(f"({a.code} {signs[0]} {b.code})", _BOOL)
        # Each operand is written once: what is nested would double with every level otherwise.
        nodes = [left, *others]
        parts = [self.number(x) for x in nodes]
        names = [replace(x, code=f"a{i}") for i, x in enumerate(parts)]
        tests = []
        for i, sign in enumerate(signs):
            a, b = self.together(names[i], names[i + 1])
            tests.append(f"{a.code} {sign} {b.code}")
        takes = ", ".join(f"{cpp_name(x.dtype)} a{i}" for i, x in enumerate(parts))
        given = ", ".join(x.code for x in parts)
        return _Part(f"[]({takes}) {{ return {' && '.join(tests)}; }}({given})", _BOOL)

    def name(self, node: ast.expr, name: str) -> _Part:
        if name == "inf":
            return _Part("gs_infinity_of(0.0)", _FLOAT, True)
        found = self.known.get(name)
        if found is None:
            if name == "weight":
                self.refuse(node, "only what is sent has a weight, along arcs of graphs that do")
            there = ", ".join([*self.known, "inf"])
            self.refuse(node, f"unknown name '{name:.60}' (there are {there:.300})")
        self.names.add(name)
        return _Part(found.code, found.dtype)

    def call(self, node: ast.expr, name: str, arguments: list[ast.expr]) -> _Part:
        self.check_function(node, name, _FUNCTIONS)
        self.check_count(node, name, arguments)
        if name in CPP_NAMES:
            return self.converted(np.dtype(name), arguments[0])
        all_ = self.number(arguments[0])
        if name not in ("min", "max"):
            if name in ("floor", "ceil") and all_.dtype.kind != "f":
                return all_
            if name == "sqrt" and all_.dtype.kind != "f":
                all_ = _Part(all_.cast_to(_FLOAT), _FLOAT, all_.weak)
            return _Part(f"gs_{name}({all_.code})", all_.dtype, all_.weak)
        for argument in arguments[1:]:
            a, b = self.together(all_, self.number(argument))
            all_ = _Part(f"gs_{name}({a.code}, {b.code})", a.dtype, a.weak and b.weak)
        return all_

    def converted(self, dtype: np.dtype[Any], node: ast.expr) -> _Part:
        if dtype == _BOOL:
            return _Part(self.truth(node), _BOOL)
        x = self.number(node)
        if x.node is not None and x.value is not None and not has_number(dtype, x.value):
            self.refuse(x.node, f"{dtype} does not have the number {x.value!r:.40}")
        if x.dtype.kind == "f" and dtype.kind in "iu":
            return _Part(f"gs_whole<{cpp_name(dtype)}>({x.code})", dtype)
        return _Part(x.cast_to(dtype), dtype)

    def constant(self, node: ast.expr, value: object) -> _Part:
        if isinstance(value, bool):
            return _Part("true" if value else "false", _BOOL)
        if isinstance(value, int):
            if not -(1 << 63) <= value < 1 << 64:
                self.refuse(node, "no integer type has a number as large")
            dtype = _INT if value < 1 << 63 else np.dtype("uint64")
            code = f"{cpp_name(dtype)}({value % (1 << 64)}ull)"
            return _Part(code, dtype, True, node, value)
        if isinstance(value, float):
            if math.isinf(value):
                return _Part("gs_infinity_of(0.0)", _FLOAT, True)
            return _Part(f"({value.hex()})", _FLOAT, True, node, value)
        self.refuse(node, f"not a number: {value!r:.60}")


def has_number(dtype: np.dtype[Any], value: int | float) -> bool:
    """Whether a number in the text is one of a type, if need be rounded."""
    if dtype.kind == "f":
        return abs(value) <= float(np.finfo(dtype).max)
    if dtype.kind == "b" or isinstance(value, float):
        return False
    limits = np.iinfo(dtype)
    return int(limits.min) <= value <= int(limits.max)


def parse_step(source: str, known: Mapping[str, Name], what: str) -> StepExpression:
    """Checks an expression in `known` names; what: whose it is, for messages.

    ExpressionError, which shows the line and the place, for all that is none.
    """
    try:
        source, tree = read_tree(source)
        reader = _Reader(source, known)
        x = reader.part(tree)
    except ExpressionError as e:
        raise ExpressionError(e.reason, e.source, e.line, e.column, e.width, what) from None
    return StepExpression(x.code, x.dtype, source, frozenset(reader.names), x.weak, x.value)

"""Expressions of vertex programs: Python's syntax, checked, as text for the compilers.

Nothing is evaluated here. What is allowed is listed; all else is refused with the place where it
stands, so that no text of the user's reaches a compiler.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NoReturn

import numpy as np

from gossamer.errors import ExpressionError

_NAMES = ("value", "weight", "degree")
#: Functions of the compiled text (arithmetic.hpp).
ARITHMETIC: dict[type[ast.operator], str] = {
    ast.Add: "gs_add",
    ast.Sub: "gs_sub",
    ast.Mult: "gs_mul",
    ast.Div: "gs_divide",
    ast.FloorDiv: "gs_floor_divide",
    ast.Mod: "gs_modulo",
}
COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
}
FUNCTIONS = ("min", "max", "abs", "sqrt", "floor", "ceil")
_OF_FLOATS = ("sqrt", "floor", "ceil")
#: Deeper and longer than anybody writes, and less than compilers or Python's own stack mind.
_DEEPEST = 100
_LONGEST = 10_000
_TOO_DEEP = f"nested more than {_DEEPEST} deep"


@dataclass(frozen=True)
class Expression:
    """An expression that can be compiled."""

    #: As the user wrote it.
    source: str
    #: C++ over ``value``, ``weight``, ``degree`` and the functions of ``program_text``.
    code: str
    #: Which of the three names it has.
    names: frozenset[str]
    #: Whether it is never less than ``value`` where no weight is negative; False: not known.
    grows: bool
    #: Whether it is never negative where values and weights are not; False: not known.
    not_negative: bool


@dataclass
class TreeReader:
    """What goes down a tree, and refuses what it does not know with its place."""

    source: str

    def refuse(self, node: ast.expr, reason: str) -> NoReturn:
        # ast counts bytes of UTF-8.
        line = node.lineno
        text = self.source.splitlines()[line - 1].encode()
        start = len(text[: node.col_offset].decode())
        last = node.end_col_offset if node.end_lineno == line else len(text)
        end = len(text[:last].decode())
        raise ExpressionError(reason, self.source, line, start, max(1, end - start))

    def check_depth(self, tree: ast.expr) -> None:
        """Before anything else goes down into it."""
        left = [(tree, 1)]
        while left:
            node, depth = left.pop()
            if depth > _DEEPEST:
                self.refuse(node, _TOO_DEEP)
            inner = [(c, depth + 1) for c in ast.iter_child_nodes(node) if isinstance(c, ast.expr)]
            left += reversed(inner)

    def signs(self, node: ast.expr, operators: list[ast.cmpop]) -> list[str]:
        """Of comparisons, in C++."""
        found = [COMPARISONS.get(type(operator), "") for operator in operators]
        if "" in found:
            self.refuse(node, "comparisons are <, <=, >, >=, == and !=")
        return found

    def check_function(self, node: ast.expr, name: str, known: tuple[str, ...]) -> None:
        if name not in known:
            self.refuse(node, f"unknown function '{name:.60}' (there are {', '.join(known)})")

    def check_count(self, node: ast.expr, name: str, arguments: list[ast.expr]) -> None:
        """Of a function's arguments."""
        several = name in ("min", "max")
        if len(arguments) < 2 if several else len(arguments) != 1:
            self.refuse(
                node, f"{name}() takes {'two numbers or more' if several else 'one number'}"
            )


@dataclass
class _Reader(TreeReader):
    dtype: np.dtype[Any]
    names: set[str] = field(default_factory=set)

    def number(self, node: ast.expr) -> str:
        """`node` as a T: a comparison counts as 1 or 0."""
        return f"T({self.truth(node)})" if self.is_truth(node) else self.plain(node)

    @staticmethod
    def is_truth(node: ast.expr) -> bool:
        """Whether `node` is a comparison, a negation, or made of nothing else: True or False."""
        match node:
            case ast.BoolOp(_, values):
                return all(_Reader.is_truth(v) for v in values)
            case ast.UnaryOp(ast.Not()) | ast.Compare():
                return True
        return False

    def truth(self, node: ast.expr) -> str:
        """`node` as a bool: a number counts as "not zero"."""
        match node:
            case ast.Compare(left, operators, others):
                signs = self.signs(node, operators)
                if len(others) == 1:
                    return f"({self.number(left)} {signs[0]} {self.number(others[0])})"
                both = [f"a{i} {sign} a{i + 1}" for i, sign in enumerate(signs)]
                return self.once((left, *others), f"return {' && '.join(both)};")
            case ast.BoolOp(operator, values):
                sign = " && " if isinstance(operator, ast.And) else " || "
                return "(" + sign.join(self.truth(v) for v in values) + ")"
            case ast.UnaryOp(ast.Not(), operand):
                return f"(!{self.truth(operand)})"
        return f"({self.number(node)} != T(0))"

    def plain(self, node: ast.expr) -> str:
        match node:
            case ast.Name(name):
                return self.name(node, name)
            case ast.Constant(value):
                return self.constant(node, value)
            case ast.BinOp(left, operator, right):
                function = self.binary(node, operator)
                return f"{function}({self.number(left)}, {self.number(right)})"
            case ast.UnaryOp(ast.USub(), ast.Constant(int() | float() as value)) if not isinstance(
                value, bool
            ):
                return self.constant(node, -value)
            case ast.UnaryOp(ast.USub(), operand):
                return f"gs_negate({self.number(operand)})"
            case ast.UnaryOp(ast.UAdd(), operand):
                return self.number(operand)
            case ast.BoolOp(operator, values):
                return self.chosen(operator, values)
            case ast.IfExp(test, body, orelse):
                chosen = self.truth(test), self.number(body), self.number(orelse)
                return "({} ? {} : {})".format(*chosen)
            case ast.Call(ast.Name(name), arguments, []):
                return self.call(node, name, arguments)
        self.refuse(
            node,
            "not part of an expression here (numbers, value, weight, degree, "
            "+ - * / // %, comparisons, and, or, not, … if … else …, and functions are)",
        )

    def once(self, operands: Sequence[ast.expr], body: str) -> str:
        """A call of a function with `body`, in which the operands are a0, a1, …

        So each is written once: what is nested would double with every level otherwise. All of
        them are worked out, which nobody can tell.
        """
        parameters = ", ".join(f"T a{i}" for i in range(len(operands)))
        arguments = ", ".join(self.number(operand) for operand in operands)
        return f"[]({parameters}) {{ {body} }}({arguments})"

    def chosen(self, operator: ast.boolop, values: list[ast.expr]) -> str:
        """The operand that Python's `and` or `or` gives: the first that decides, else the last."""
        decides = "==" if isinstance(operator, ast.And) else "!="
        last = len(values) - 1
        tests = [f"if (a{i} {decides} T(0)) return a{i};" for i in range(last)]
        return self.once(values, f"{' '.join(tests)} return a{last};")

    def binary(self, node: ast.expr, operator: ast.operator) -> str:
        function = ARITHMETIC.get(type(operator))
        if function is None:
            self.refuse(node, "operators are +, -, *, /, // and %")
        if function == "gs_divide" and self.dtype.kind != "f":
            self.refuse(node, f"/ makes fractions, which {self.dtype} has not; // rounds down")
        return function

    def name(self, node: ast.expr, name: str) -> str:
        if name in _NAMES:
            self.names.add(name)
            return name
        if name == "inf":
            return self.constant(node, math.inf)
        self.refuse(node, f"unknown name '{name:.60}' (there are value, weight, degree and inf)")

    def call(self, node: ast.expr, name: str, arguments: list[ast.expr]) -> str:
        self.check_function(node, name, FUNCTIONS)
        if name in _OF_FLOATS and self.dtype.kind != "f":
            self.refuse(node, f"{name}() is for float32 and float64, not {self.dtype}")
        self.check_count(node, name, arguments)
        if len(arguments) <= 2:
            return f"gs_{name}({', '.join(self.number(a) for a in arguments)})"
        steps = [f"a0 = gs_{name}(a0, a{i});" for i in range(1, len(arguments))]
        return self.once(arguments, f"{' '.join(steps)} return a0;")

    def constant(self, node: ast.expr, value: object) -> str:
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            self.refuse(node, f"not a number: {value!r:.60}")
        if self.dtype.kind == "f":
            return self.float_constant(node, value)
        limits = np.iinfo(self.dtype)
        if not isinstance(value, int) or not limits.min <= value <= limits.max:
            # Python does not even print the largest.
            large = isinstance(value, int) and value.bit_length() > 128
            which = "a number as large" if large else f"the number {value}"
            self.refuse(node, f"{self.dtype} does not have {which}")
        return f"T({value})" if 0 <= value < 1 << 31 else f"T({value % (1 << 64)}ull)"

    def float_constant(self, node: ast.expr, value: int | float) -> str:
        try:
            with np.errstate(over="ignore"):
                near = float(self.dtype.type(float(value)))
        except OverflowError:
            near = math.inf
        if math.isinf(near) and value not in (math.inf, -math.inf):
            self.refuse(node, f"{self.dtype} does not have a number as large")
        if math.isinf(near):
            return "gs_infinity()" if near > 0 else "gs_negate(gs_infinity())"
        # Small whole numbers as people write them: the built-in forms have them so.
        whole = near.is_integer() and 0 <= near < 1 << 24 and math.copysign(1, near) > 0
        return f"T({int(near)})" if whole else f"T({near.hex()})"


def _grows(node: ast.expr) -> bool:
    """Whether an expression is never less than value, if weights and degrees are not negative.

    Sums that wrap are left to whoever writes them, as everywhere.
    """
    match node:
        case ast.Name("value"):
            return True
        case ast.UnaryOp(ast.UAdd(), operand):
            return _grows(operand)
        case ast.BinOp(left, ast.Add(), right):
            return (_grows(left) and _not_negative(right)) or (
                _grows(right) and _not_negative(left)
            )
        case ast.Call(ast.Name("max"), arguments):
            return any(map(_grows, arguments))
        case ast.Call(ast.Name("min"), arguments):
            return all(map(_grows, arguments))
        case ast.IfExp(_, body, orelse):
            return _grows(body) and _grows(orelse)
    return False


def _not_negative(node: ast.expr, *more: str) -> bool:
    """Whether an expression is never negative, if weights, degrees and `more` names are not."""
    match node:
        case ast.Name(name):
            return name in ("weight", "degree", "inf", *more)
        case ast.Constant(int() | float() as number):
            return number >= 0
        case ast.BinOp(left, ast.Add() | ast.Mult() | ast.FloorDiv() | ast.Div(), right):
            return _not_negative(left, *more) and _not_negative(right, *more)
        case ast.UnaryOp(ast.UAdd(), operand):
            return _not_negative(operand, *more)
        case ast.Call(ast.Name("max"), arguments):
            return any(_not_negative(a, *more) for a in arguments)
        case ast.Call(ast.Name("min" | "sqrt" | "floor" | "ceil"), arguments):
            return all(_not_negative(a, *more) for a in arguments)
        case ast.IfExp(_, body, orelse):
            return _not_negative(body, *more) and _not_negative(orelse, *more)
    return _Reader.is_truth(node)


def parse(source: str, dtype: np.dtype[Any]) -> Expression:
    """Checks an expression in value, weight and degree whose values have the type `dtype`.

    ExpressionError, which shows the line and the place, for all that is none.
    """
    source, tree = read_tree(source)
    reader = _Reader(source, dtype)
    code = reader.number(tree)
    return Expression(
        source, code, frozenset(reader.names), _grows(tree), _not_negative(tree, "value")
    )


@lru_cache(maxsize=1024)
def read_tree(source: str) -> tuple[str, ast.expr]:
    """The text without what stands around it, and its tree, not deeper than can be gone down.
    Algorithms of the package bring the same few texts with each call.

    ExpressionError for what is no expression of Python's.
    """
    source = source.strip().replace("\r\n", "\n")
    if not source:
        raise ExpressionError("there is no expression", source, 1, 0, 1)
    if len(source) > _LONGEST:
        raise ExpressionError(f"longer than {_LONGEST} characters", source, 1, 0, 1)
    # Python's lines end at some of them only.
    for at, character in enumerate(source):
        if not character.isprintable() and character not in "\n\t":
            reason = f"not part of an expression: the character {character!a}"
            before = source[:at].split("\n")
            raise ExpressionError(reason, source, len(before), len(before[-1]), 1)
    try:
        tree = ast.parse(source, mode="eval")
    except (MemoryError, RecursionError):
        raise ExpressionError(_TOO_DEEP, source, 1, 0, 1) from None
    except (SyntaxError, ValueError) as e:
        lines = source.splitlines()
        line, column = getattr(e, "lineno", None) or 1, getattr(e, "offset", None) or 0
        if column == 0 or line > len(lines):  # something is missing at the end
            line, column = len(lines), len(lines[-1]) + 1
        why = f": {e.msg.partition(';')[0]}" if isinstance(e, SyntaxError) else ""
        reason = f"not an expression in Python's syntax{why}"
        raise ExpressionError(reason, source, line, column - 1, 1) from None
    TreeReader(source).check_depth(tree.body)
    return source, tree.body

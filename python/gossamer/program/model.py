"""What a vertex program's expression gives, in NumPy: the check of what was compiled of it."""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

_OPERATIONS: dict[type[ast.operator], Any] = {
    ast.Add: np.add, ast.Sub: np.subtract, ast.Mult: np.multiply, ast.Div: np.true_divide,
    ast.FloorDiv: np.floor_divide, ast.Mod: np.remainder,
}  # fmt: skip
_COMPARISONS: dict[type[ast.cmpop], Any] = {
    ast.Lt: np.less, ast.LtE: np.less_equal, ast.Gt: np.greater, ast.GtE: np.greater_equal,
    ast.Eq: np.equal, ast.NotEq: np.not_equal,
}  # fmt: skip
_FUNCTIONS: dict[str, Any] = {
    "abs": np.abs, "sqrt": np.sqrt, "floor": np.floor, "ceil": np.ceil,
}  # fmt: skip


def evaluated(text: str, names: dict[str, Any], dtype: np.dtype[Any]) -> Any:
    """The expression over arrays of that type."""
    with np.errstate(all="ignore"):
        found = _Evaluation(names, dtype).number(ast.parse(text.strip(), mode="eval").body)
        return found.astype(dtype)


class _Evaluation:
    def __init__(self, names: dict[str, Any], dtype: np.dtype[Any]) -> None:
        self._names = names | {"inf": np.array(np.inf)}
        self._dtype = dtype

    def number(self, node: ast.expr) -> Any:
        """Of the program's type; what is true is 1."""
        return np.asarray(self._value(node)).astype(self._dtype)

    def truth(self, node: ast.expr) -> Any:
        return np.asarray(self._value(node)) != 0

    def _value(self, node: ast.expr) -> Any:
        match node:
            case ast.Name(name):
                return self._names[name]
            case ast.Constant(value):
                return np.array(value).astype(self._dtype)
            case ast.UnaryOp(ast.Not(), x):
                return ~self.truth(x)
            case ast.UnaryOp(ast.USub(), x):
                return np.negative(self.number(x))
            case ast.UnaryOp(_, x):
                return self.number(x)
            case ast.BinOp(a, sign, b):
                return _OPERATIONS[type(sign)](self.number(a), self.number(b))
            case ast.Compare(left, signs, others):
                values = [self.number(x) for x in (left, *others)]
                tests = [
                    _COMPARISONS[type(sign)](values[i], values[i + 1])
                    for i, sign in enumerate(signs)
                ]
                return np.logical_and.reduce(np.broadcast_arrays(*tests))
            case ast.BoolOp(sign, parts):  # the operand that decides, as in Python
                found = self.number(parts[0])
                for x in parts[1:]:
                    goes_on = (found != 0) == isinstance(sign, ast.And)
                    found = np.where(goes_on, self.number(x), found)
                return found
            case ast.IfExp(test, a, b):
                return np.where(self.truth(test), self.number(a), self.number(b))
            case ast.Call(ast.Name(name), arguments):
                first, *more = (self.number(x) for x in arguments)
                if name in _FUNCTIONS:
                    return _FUNCTIONS[name](first)
                for x in more:
                    first = np.where(x < first if name == "min" else x > first, x, first)
                return first
        raise AssertionError(ast.dump(node))

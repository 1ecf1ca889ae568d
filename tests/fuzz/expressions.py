"""Fuzzes expressions of vertex programs and of vertex steps, under atheris.

The first byte chooses what the rest is read as. An expression is refused with its line and its
place, or it gives code of known words alone, none of them the user's, of a length in proportion.
Written again by Python it gives the same code. What is said never to be less than `value` is not.
"""

import ast
import math
import re
import sys
import warnings
from typing import Any

import atheris
import numpy as np
from checks import check_message

with atheris.instrument_imports(
    include=["gossamer.program.expression", "gossamer.vertex_steps.expression"]
):
    from gossamer.errors import ExpressionError
    from gossamer.program.expression import Expression, parse
    from gossamer.vertex_steps.expression import CPP_NAMES, Name, StepExpression, parse_step

_TYPES = [np.dtype(name) for name in CPP_NAMES if name != "bool"]
_KNOWN = {f"{name[0]}{name[-2:]}": Name(np.dtype(name), "x0") for name in CPP_NAMES}
_WORD = re.compile(
    r"T|[ax][0-9]+|value|weight|degree|return|if|true|false|bool|int|float|double"
    r"|gs_(?:int64|uint32|uint64|add|sub|mul|divide|floor_divide|modulo|negate|min|max|abs|sqrt"
    r"|floor|ceil|whole|shift|infinity|infinity_of)",
    re.ASCII,
)
_TOKEN = re.compile(
    r" |(?P<number>-?0x[01]\.[0-9a-f]+p[+-][0-9]+|[0-9]+\.0|[0-9]+(?:ull)?)(?![\w.])"
    r"|(?P<word>[A-Za-z_][A-Za-z_0-9]*)|[-()\[\]{},;?:!<>=&|^~]",
    re.ASCII,
)


def check_code(code: str, source: str) -> None:
    at = 0
    while at < len(code):
        token = _TOKEN.match(code, at)
        assert token is not None, f"{source!r} gives {code!r}"
        word = token["word"]
        assert word is None or _WORD.fullmatch(word), code
        at = token.end()
    for left, right in ("()", "[]", "{}"):
        assert code.count(left) == code.count(right), code
    assert len(code) <= 64 * (len(source) + 1), f"{len(code)} characters of {len(source)}"


class _Numbers(ast.NodeTransformer):
    """Numbers of the text as float64, as the compiled code has them."""

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return ast.Call(ast.Name("float64", ast.Load()), [node], [])


_FUNCTIONS = {
    "float64": np.float64, "min": min, "max": max, "abs": abs, "sqrt": np.sqrt,
    "floor": np.floor, "ceil": np.ceil, "inf": np.float64(math.inf), "__builtins__": {},
}  # fmt: skip
_SAMPLES = [
    (x, w, d) for x in (0.0, 1.5, -3.0, 1e300, math.inf) for w in (0.0, 2.5) for d in (0, 3)
]


def check_growth(expression: Expression) -> None:
    tree = ast.fix_missing_locations(_Numbers().visit(ast.parse(expression.source, mode="eval")))
    code = compile(tree, "expression", "eval")
    for value, weight, degree in _SAMPLES:
        names = {"value": value, "weight": weight, "degree": degree}
        given = {name: np.float64(x) for name, x in names.items()}
        try:
            with np.errstate(all="ignore"):
                found = float(eval(code, _FUNCTIONS, given))
        except TypeError:  # differences of truths, which NumPy has not
            return
        if expression.grows:
            assert not found < value, f"{expression.source}: {found} of {names}"
        if expression.not_negative and value >= 0:
            assert not found < 0, f"{expression.source}: {found} of {names}"


def read(kind: int, source: str) -> Expression | StepExpression:
    if kind < len(_TYPES):
        return parse(source, _TYPES[kind])
    return parse_step(source, _KNOWN, "vertex_steps: map: x")


def one_input(data: bytes) -> int:
    if not data:
        return 0
    kind = data[0] % (len(_TYPES) + 3)
    source = data[1:].decode("utf-8", "surrogateescape")
    try:
        found = read(kind, source)
    except ExpressionError as e:
        check_message(e.reason)
        lines = str(e).split("\n")
        assert len(lines) == 3, lines
        for line in lines:
            check_message(line)
        assert e.line >= 1 and e.column >= 0 and set(lines[2].strip()) == {"^"}, str(e)
        return 0
    check_code(found.code, found.source)
    again: Any = read(kind, ast.unparse(ast.parse(found.source, mode="eval")))
    assert again.code == found.code, f"{found.code} and {again.code}"
    if isinstance(found, Expression) and kind == len(_TYPES) - 1:
        check_growth(found)
    return 0


if __name__ == "__main__":
    warnings.simplefilter("ignore", SyntaxWarning)  # of Python's, about what is refused later
    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()

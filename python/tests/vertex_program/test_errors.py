"""What vertex programs refuse, and in which words."""

from __future__ import annotations

from collections.abc import Callable

import gossamer as gs
import numpy as np
import pytest

DTYPES = ["int32", "int64", "uint32", "uint64", "float32", "float64"]


EXPRESSIONS = [
    ("value + wieght", "unknown name 'wieght' (there are value, weight, degree and inf)", 8, 6),
    ("exp(value)", "unknown function 'exp' (there are min, max, abs, sqrt, floor, ceil)", 0, 10),
    ("value / 2", "/ makes fractions, which int32 has not; // rounds down", 0, 9),
    ("1 + sqrt(value)", "sqrt() is for float32 and float64, not int32", 4, 11),
    ("value + 1.5", "int32 does not have the number 1.5", 8, 3),
    ("value + 2147483648", "int32 does not have the number 2147483648", 8, 10),
    ("value ** 2", "operators are +, -, *, /, // and %", 0, 10),
    ("value in (1, 2)", "comparisons are <, <=, >, >=, == and !=", 0, 15),
    ("min(value)", "min() takes two numbers or more", 0, 10),
    ("abs(value, 1)", "abs() takes one number", 0, 13),
    ("value + 'ä' + x", "not a number: 'ä'", 8, 3),
    ("'ä' and x", "not a number: 'ä'", 0, 3),
    ("value + True", "not a number: True", 8, 4),
    ("inf", "int32 does not have the number inf", 0, 3),
    ("value.real", "not part of an expression here", 0, 10),
    ("min(value, key=1)", "not part of an expression here", 0, 17),
    ("[value][0]", "not part of an expression here", 0, 10),
    ("value +", "not an expression in Python's syntax: invalid syntax", 7, 1),
    ("value ? 1 : 2", "not an expression in Python's syntax: invalid syntax", 6, 1),
    ("value = 1", "not an expression in Python's syntax", 6, 1),
    ("  ", "there is no expression", 0, 1),
    ("(value +\n  weigth)", "unknown name 'weigth'", 2, 6),
    ("-" * 200 + "value", "nested more than 100 deep", 100, 105),
    ("value + -True", "not a number: True", 9, 4),
    ("value + 0x" + "f" * 60, "int32 does not have a number as large", 8, 62),
    ("value\0", "not part of an expression: the character '\\x00'", 5, 1),
    ("value\xa0+ 1", "not part of an expression: the character '\\xa0'", 5, 1),
    ("value + \ud800", "not part of an expression: the character '\\ud800'", 8, 1),
    ("value < välue", "unknown name 'välue'", 8, 5),
    ("9 ** 9 ** 9 ** 9", "operators are +, -, *, /, // and %", 0, 16),
    ("1 << 99999999999", "operators are +, -, *, /, // and %", 0, 16),
]


@pytest.mark.parametrize(("text", "reason", "column", "width"), EXPRESSIONS)
def test_errors_show_the_place(text: str, reason: str, column: int, width: int) -> None:
    with pytest.raises(gs.ExpressionError) as caught:
        gs.vertex_program("min", text, "int32")
    first, shown, carets = str(caught.value).splitlines()
    assert first.startswith(f"vertex_program: propagate: {reason}")
    printable = "".join(c if c.isprintable() or c == "\n" else " " for c in text)
    assert shown[2:] in (printable.strip(), printable, *printable.splitlines())
    assert carets == "  " + " " * column + "^" * width
    assert caught.value.column == column and caught.value.reason in first
    assert isinstance(caught.value, gs.UsageError)


TOO_MUCH = {
    "not": ("not " * 1500 + "value", "nested more than 100 deep"),
    "minus": ("-" * 9000 + "value", "nested more than 100 deep"),
    "sums": ("+".join(["value"] * 1500), "nested more than 100 deep"),
    "parentheses": ("(" * 4000 + "value" + ")" * 4000, "not an expression in Python's syntax: too"),
    "digits": ("value + " + "1" * 10_000, "longer than 10000 characters"),
    "fewer digits": ("value + " + "1" * 5000, "not an expression in Python's syntax: Exceeds"),
    "printable digits": ("value + " + "1" * 4000, "int32 does not have a number as large"),
    "hexadecimal": ("value + 0x" + "f" * 9000, "int32 does not have a number as large"),
    "text": ("value + '" + "x" * 9000 + "'", "not a number: 'xxx"),
    "a name": ("value + " + "x" * 9000, "unknown name 'xxx"),
    "a function": ("x" * 9000 + "(value)", "unknown function 'xxx"),
    "a million": ("-" * 1_000_000 + "value", "longer than 10000 characters"),
}


@pytest.mark.parametrize("name", TOO_MUCH)
def test_depth_and_length_are_bounded(name: str) -> None:
    text, reason = TOO_MUCH[name]
    with pytest.raises(gs.ExpressionError) as caught:
        gs.vertex_program("min", text, "int32")
    first, shown, carets = str(caught.value).splitlines()
    assert first.startswith(f"vertex_program: propagate: {reason}") and len(first) < 200
    assert len(shown) <= 242 and carets.strip(" ^") == "" and "^" in carets
    place = text[caught.value.column :]  # what carets stand below
    assert shown[carets.index("^") :].startswith(place[: carets.count("^")])


NESTED = {
    "comparisons": "(0 < {} < 3)",
    "choices": "({} and weight or degree)",
    "smallest": "min(1, {}, weight)",
    "negations": "(not {})",
    "conditionals": "(1 if {} else 2)",
}


@pytest.mark.parametrize("name", NESTED)
def test_what_is_nested_stays_short(name: str) -> None:
    """And within what compilers take: clang refuses the 257th open bracket."""
    text = "value"
    for _ in range(45):
        text = NESTED[name].format(text)
    code = gs.vertex_program("min", text, "int64").source()
    assert len(code) < len(gs.vertex_program("min", "value", "int64").source()) + 6_500
    deepest = depth = 0
    for character in code:
        depth += (character in "([{") - (character in ")]}")
        deepest = max(deepest, depth)
    assert deepest < 45 * 2 + 20


def test_what_is_wide_stays_shallow() -> None:
    for text in (
        "min(" + "1," * 3000 + "value)",
        " or ".join(["value"] * 900),
        "<".join("1" * 4000),
    ):
        code = gs.vertex_program("min", text, "int64")._expression.code
        assert len(code) < 60 * len(text)
        assert "((((" not in code


def test_float_constants_must_fit() -> None:
    for text in ("value + 1e39", "value + 1" + "0" * 400):
        with pytest.raises(gs.ExpressionError, match="float32 does not have a number as large"):
            gs.vertex_program("min", text, "float32")


def test_arguments_are_checked() -> None:
    def refused(pattern: str, call: Callable[[], object]) -> None:
        with pytest.raises(gs.UsageError, match=pattern):
            call()

    make = gs.vertex_program
    refused("update 'xor' is none of min, max, or, sum", lambda: make("xor", "value", "int32"))
    refused("dtype 'int8' is none of int32, int64, uint32", lambda: make("min", "value", "int8"))
    refused("dtype 'nonsense' is none of", lambda: make("min", "value", "nonsense"))
    refused("dtype '>i4' is none of", lambda: make("min", "value", ">i4"))
    refused("propagate is text, got int", lambda: make("min", 3, "int32"))  # type: ignore[arg-type]
    refused("start: -1 is no uint32", lambda: make("min", "value", "uint32", start=-1))
    refused("initial: 0.5 is no int64", lambda: make("min", "value", "int64", initial=0.5))
    refused(
        "start: so large a number is no int32", lambda: make("min", "value", "int32", start=9**9999)
    )
    refused("start: expected a number, got 'x'", lambda: make("min", "value", start="x"))  # type: ignore[arg-type]
    graph = gs.from_edges([0, 1], [1, 2], [1.0, 2.5])
    program = make("min", "value + weight", "uint32")
    with pytest.raises(gs.InputError, match=r"the arc 1 -> 2 has the weight 2\.5, which is no uin"):
        program.run(graph, 0, "cpu:1")
    bare = gs.from_edges([0, 1], [1, 2])
    refused("edges has no weights, which the expression needs", lambda: program.run(bare, 0, "cpu"))
    hops = make("min", "value + 1", "uint32").prepare(bare, "cpu:1")
    refused("nothing begins: give sources, values, or both", hops.run)
    refused("no vertex with index 3: the graph has 3 vertices", lambda: hops.run(3))
    refused("no vertex with index -1", lambda: hops.run([0, -1]))
    refused("expected an integer, got 0.5", lambda: hops.run(0.5))
    refused("2 initial values for 3 vertices", lambda: hops.run(values=[1, 2]))
    refused("values: -1 is no uint32", lambda: hops.run(values=[1, -1, 2]))
    refused("values are numbers, got <U1", lambda: hops.run(values=np.array(["a", "b", "c"])))
    refused("run: start is no run's but the program's", lambda: program.run(bare, 0, start=1))
    refused("target 'gpu' is none of cpu, cuda", lambda: hops.program.source("gpu"))
    with pytest.raises(gs.CapacityError, match="known values and worklists"):
        hops.program.prepare(bare, "cpu:1", memory=1000)

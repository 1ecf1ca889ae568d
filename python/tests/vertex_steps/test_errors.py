"""What steps over fields refuse, in which words, and how runs end that do not end by themselves."""

from __future__ import annotations

import math
import os
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gossamer as gs
import numpy as np
import pytest
from gossamer.program import nvrtc

GRAPH = gs.from_edges([0, 1, 2], [1, 2, 0], np.array([1.5, 2.5, 3.5]), n=4)
BARE = gs.from_edges([0, 1], [1, 0])
on_gpus = [
    pytest.mark.gpu,
    pytest.mark.skipif(nvrtc.find_nvrtc() is None, reason="no libnvrtc"),
]
MACHINES = ["cpu:1x1", "cpu:3x1", *(pytest.param(m, marks=on_gpus) for m in ("cuda:0", "cuda:0*3"))]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOSSAMER_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("CXX", raising=False)


def steps(graph: gs.Graph = GRAPH, machine: str = "cpu:1x1", **options: Any) -> gs.VertexSteps:
    s = gs.vertex_steps(graph, machine, **options)
    s.fields(x=np.arange(graph.vertices, dtype=np.int32), f=np.float32(0.5), p=True, u=np.uint64(3))
    s.numbers(t=1, half=0.5)
    return s


EXPRESSIONS = [
    ("x + y", "unknown name 'y' (there are x, f, p, u, vertices, t, half, degree, vertex, inf)",
     4, 1),
    ("exp(f)", "unknown function 'exp' (there are min, max, abs, sqrt, floor, ceil, bool, int32",
     0, 6),
    ("uint32(-1)", "uint32 does not have the number -1", 7, 2),
    ("int64(x, 2)", "int64() takes one number", 0, 11),
    ("f & 1", "& is for integers and truths, not float32", 0, 5),
    ("x | half", "| is for integers and truths, not float64", 0, 8),
    ("u ^ x", "^ is for integers and truths, not float64", 0, 5),
    ("f << 1", "<< is for integers", 0, 6),
    ("x >> u", ">> is not for int64 by uint64", 0, 6),
    ("~f", "~ is for integers and truths, not float32", 0, 2),
    ("x + 2147483648", "int32 does not have the number 2147483648", 4, 10),
    ("2147483648 + x", "int32 does not have the number 2147483648", 0, 10),
    ("x if p else -2147483649", "int32 does not have the number -2147483649", 12, 11),
    ("min(x, 3, 4294967296)", "int32 does not have the number 4294967296", 10, 10),
    ("0 < x < 4294967296", "int32 does not have the number 4294967296", 8, 10),
    ("u - -1", "uint64 does not have the number -1", 4, 2),
    ("f * 1e39", "float32 does not have the number 1e+39", 4, 4),
    ("t + 18446744073709551615", "int64 does not have the number 18446744073709551615", 4, 20),
    ("18446744073709551616", "no integer type has a number as large", 0, 20),
    ("x ** 2", "operators are +, -, *, /, //, %, &, |, ^, << and >>", 0, 6),
    ("x in (1, 2)", "comparisons are <, <=, >, >=, == and !=", 0, 11),
    ("min(x)", "min() takes two numbers or more", 0, 6),
    ("abs(x, 1)", "abs() takes one number", 0, 9),
    ("x + 'a'", "not a number: 'a'", 4, 3),
    ("x.real", "not part of an expression here", 0, 6),
    ("min(x, key=1)", "not part of an expression here", 0, 13),
    ("weight + 1", "only what is sent has a weight, along arcs of graphs that do", 0, 6),
    ("x +", "not an expression in Python's syntax: invalid syntax", 3, 1),
    ("  ", "there is no expression", 0, 1),
    ("(x +\n   yy)", "unknown name 'yy'", 3, 2),
    ("-" * 200 + "x", "nested more than 100 deep", 100, 101),
]  # fmt: skip


@pytest.mark.parametrize(("text", "reason", "column", "width"), EXPRESSIONS)
def test_errors_show_the_place(text: str, reason: str, column: int, width: int) -> None:
    s = steps()
    for call, what in (
        (lambda: s.map(new=text), "map: new"),
        (lambda: s.map(text, x="1"), "map: where"),
        (lambda: s.reduce(text, "sum", "n"), "reduce: value"),
        (lambda: s.reduce("x", "sum", "n", where=text), "reduce: where"),
        (lambda: s.send("x", "min", "new", where=text), "send: where"),
    ):
        with pytest.raises(gs.ExpressionError) as caught:
            call()
        first, shown, carets = str(caught.value).splitlines()
        assert first.startswith(f"vertex_steps: {what}: {reason}")
        assert shown[2:] in (text.strip(), *text.splitlines(), text)
        assert carets == "  " + " " * column + "^" * width
    # Nothing of it was recorded or made.
    s.run()
    assert s.stages == 0
    with pytest.raises(gs.UsageError, match="there is no 'new' "):
        s["new"]


def test_what_is_sent_and_numbers_have_names_of_their_own() -> None:
    s = steps(BARE)
    with pytest.raises(gs.ExpressionError, match="send: value: only what is sent has a weight, "):
        s.send("weight", "sum", "got")
    with pytest.raises(
        gs.ExpressionError, match=r"set: t: unknown name 'x' \(there are vertices, t"
    ):
        s.set(t="x")
    unknown = pytest.raises(gs.ExpressionError, match="repeat: until: unknown name 'degree'")
    with unknown, s.repeat(until="degree > 1"):
        s.map(x="x")
    s.run()
    assert s.stages == 0


def test_arguments_are_checked() -> None:
    s = steps()

    def refused(pattern: str, call: Callable[[], object]) -> None:
        with pytest.raises(gs.UsageError, match=pattern):
            call()

    def loop(**how: Any) -> None:
        with s.repeat(**how):
            s.map(x="x")

    zeros = np.zeros(4)
    refused("graph: expected a Graph, got 3", lambda: gs.vertex_steps(3))  # type: ignore[arg-type]
    refused("timeout: not a positive number", lambda: gs.vertex_steps(GRAPH, "cpu", timeout=0))
    refused(r"new: an array of shape \(3,\) for 4 vertices", lambda: s.fields(new=[1, 2, 3]))
    refused(r"x: an array of shape \(4, 1\) for 4 ver", lambda: s.fields(x=zeros.reshape(4, 1)))
    refused("new: int8 is none of bool, int32, int64", lambda: s.fields(new=np.int8(1)))
    refused("new: float16 is none of", lambda: s.fields(new=zeros.astype("float16")))
    refused("new: >f8 is none of", lambda: s.fields(new=zeros.astype(">f8")))
    refused("new: complex128 is none of", lambda: s.fields(new=1j))
    refused("new: <U1 is none of", lambda: s.fields(new="a"))
    refused("new: object is none of", lambda: s.fields(new=None))
    refused("'x' is int32, which float64 does not fit", lambda: s.fields(x=0.5))
    refused("'x' is int32, which does not have 2147483648", lambda: s.fields(x=[0, 1, 2, 1 << 31]))
    refused("'u' is uint64, which does not have -1", lambda: s.fields(u=-1))
    refused("'p' is bool, which int64 does not fit", lambda: s.fields(p=1))
    refused("'t' is a number, not a field", lambda: s.fields(t=zeros))
    refused("'x' is a field, not a number", lambda: s.numbers(x=1))
    for name in ("vertices", "degree", "vertex", "weight", "inf"):
        refused(f"'{name}' has a meaning in expr", lambda name=name: s.fields(**{name: zeros}))
        refused(f"'{name}' has a meaning in expr", lambda name=name: s.numbers(**{name: 1}))
        refused(f"'{name}' has a meaning in expr", lambda name=name: s.send("x", "sum", name))
        refused(f"'{name}' has a meaning in expr", lambda name=name: s.reduce("x", "sum", name))
        refused(f"'{name}' has a meaning in expr", lambda name=name: s.map(**{name: "x"}))
        refused(f"'{name}' has a meaning in expr", lambda name=name: s.set(**{name: "1"}))
    for name in ("", "a b", "1a", "ä", "if", "a\n"):
        refused("is no name for a field", lambda name=name: s.fields(**{name: zeros}))
        refused("is no name for a field", lambda name=name: s.send("x", "sum", name))
    refused("into: expected a name, got 3", lambda: s.send("x", "sum", 3))  # type: ignore[arg-type]
    refused("t: expected a number, got 'a'", lambda: s.numbers(t="a"))  # type: ignore[arg-type]
    refused("'t' is int64, which float64 does not fit", lambda: s.numbers(t=0.5))
    refused("'n' is int64, which does not have 9223372036854775808", lambda: s.numbers(n=1 << 63))
    refused("'n' is int64, which does not have 10000", lambda: s.numbers(n=10**30))
    refused("combine 'mean' is none of min, max, sum, or", lambda: s.send("x", "mean", "new"))
    refused("combine 'or' is none of min, max, sum, count", lambda: s.reduce("x", "or", "new"))
    refused("along 'up' is none of out, in, both", lambda: s.send("x", "sum", "n", along="up"))
    refused("'or' is for integers, not float32", lambda: s.send("f", "or", "new"))
    refused(
        "accumulate: there is no field 'new' to acc",
        lambda: s.send("x", "sum", "new", accumulate=True),
    )
    odd: Any = "yes"
    refused("send: accumulate: expected True or", lambda: s.send("x", "sum", "u", accumulate=odd))
    refused("'x' is what messages are made of", lambda: s.send("x", "sum", "x"))
    refused("'x' is what messages are made of", lambda: s.send("1", "sum", "x", where="x > 0"))
    refused("'p' is bool, which int64 does not fit", lambda: s.send("x", "sum", "p"))
    refused("'t' is a number, not a field", lambda: s.send("x", "sum", "t"))
    refused("'x' is a field, not a number", lambda: s.reduce("f", "sum", "x"))
    refused("'t' is int64, which float64 does not fit", lambda: s.reduce("f", "sum", "t"))
    refused("numbers are int64 or float64, not uint64", lambda: s.reduce("u", "sum", "new"))
    refused("'x' is int32, which float64 does not fit", lambda: s.map(x="x / 2"))
    refused("'x' is int32, which does not have 2147483648", lambda: s.map(x="2147483648"))
    refused("'u' is uint64, which does not have -1", lambda: s.map(u="-1"))
    refused("'f' is float32, which does not have 1e\\+39", lambda: s.map(f="1e39"))
    refused("'p' is bool, which int64 does not fit", lambda: s.map(new="x", p="1"))
    refused("'x' is a field, not a number", lambda: s.set(x="t"))
    refused("map: there is no field in it", lambda: s.map("x > 0"))
    refused("set: there is no number in it", lambda: s.set())
    refused("map: x: expected an expression as text, got 1", lambda: s.map(x=1))  # type: ignore[arg-type]
    refused("where: expected an expression as text", lambda: s.send("x", "sum", "n", where=1))  # type: ignore[arg-type]
    refused("repeat: give until, at_most, or both", lambda: loop())
    refused("at_most: at least 1, not 0", lambda: loop(at_most=0))
    refused("at_most: expected an integer, got 1.5", lambda: loop(at_most=1.5))
    refused("until: expected an expression as text, got 3", lambda: loop(until=3))
    refused(r"there is no 'new' \(there are x, f, p, u, vertices, t, half\)", lambda: s["new"])
    with pytest.raises(gs.UsageError, match="there is no step in it"), s.repeat(at_most=1):
        pass
    with pytest.raises(gs.CapacityError, match=r"rank 0 does not fit: .*fields .* is 129\.5 KiB"):
        steps(gs.road(15), memory=132608)
    for what in (lambda: s.map(x="1"), s.run):
        s.repeat(at_most=3)
        refused("repeat: needs with, and the steps inside", what)
    s.run()
    assert s.stages == 0  # all of that recorded nothing
    assert s["x"].tolist() == [0, 1, 2, 3] and s["t"] == 1


def test_inside_of_loops_nothing_is_known() -> None:
    s = steps()
    s.map(x="x + 1")
    for call in (
        lambda: s["x"],
        lambda: s["t"],
        lambda: s.fields(new=1),
        lambda: s.numbers(t=3),
        s.run,
    ):
        unknown = pytest.raises(gs.UsageError, match="inside of repeat nothing is known yet")
        with unknown, s.repeat(at_most=3):
            s.map(x="x + 100")
            call()
    with pytest.raises(ZeroDivisionError), s.repeat(at_most=3):
        s.map(x=f"x + {1 // 0}")
    # The loops are gone, the step before them is not.
    assert s["x"].tolist() == [1, 2, 3, 4] and s["t"] == 1
    with pytest.raises(ZeroDivisionError), steps() as other:
        other.map(x=f"x + {1 // 0}")
    assert other.stages == 0


def test_fields_are_set_behind_the_steps_before() -> None:
    s = steps()
    s.map(made="x * 2.5")
    s.fields(x=np.int64(7), made=1)
    assert s["made"].tolist() == [1.0] * 4 and s["made"].dtype == np.float64
    assert s["x"].tolist() == [7] * 4 and s["x"].dtype == np.int32
    with pytest.raises(gs.UsageError, match="'x' is int32"):
        s.fields(made=2, x=0.5)
    assert s["made"].tolist() == [1.0] * 4  # none of them is set
    s.numbers(t=np.int32(5), half=2, yes=np.True_)
    assert (s["t"], s["half"], s["yes"]) == (5, 2.0, True)
    assert (type(s["t"]), type(s["half"]), type(s["yes"])) == (int, float, bool)
    s.fields(x=np.arange(8)[::2], p=[True, False, True, False])
    s.map(where="p and yes", x="x + t")
    assert s["x"].tolist() == [5, 2, 9, 6]
    # A name that was not known when it was first asked for.
    with pytest.raises(gs.ExpressionError):
        s.map(x="later")
    s.fields(later=np.int32(8))
    s.map(x="later")
    assert s["x"].tolist() == [8] * 4


def test_what_cannot_be_compiled_stays_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    s = steps()
    s.map(x="x + 41")
    monkeypatch.setenv("CXX", "no-such-compiler")
    for _ in range(2):
        with pytest.raises(gs.NotCompiled, match=r"^vertex_steps needs a C\+\+ compiler on"):
            s["x"]
    monkeypatch.delenv("CXX")
    assert s["x"].tolist() == [41, 42, 43, 44]


@pytest.mark.parametrize("machine", MACHINES)
def test_runs_end_by_their_time(machine: str) -> None:
    s = steps(machine=machine, timeout=0.5)
    with s.repeat(until="t < 0"):
        s.send("x", "sum", into="got")
        s.map(x="got")
    began = time.monotonic()
    if machine.startswith("cuda"):
        s._compile(tuple(s._open[0]))  # may take longer than what is measured
        began = time.monotonic()
    with pytest.raises(gs.Timeout, match=r"vertex steps did not end within 0\.5 s"):
        s.run()
    assert time.monotonic() - began < 5
    for call in (
        s.run,
        lambda: s["x"],
        lambda: s["t"],
        lambda: s.fields(x=1),
        lambda: s.numbers(t=1),
        lambda: s.map(x="x"),
        lambda: s.send("x", "sum", "got"),
    ):
        with pytest.raises(gs.UsageError, match="a run was given up, and fields are lost: begin a"):
            call()
    again = steps(machine=machine, timeout=60)  # the machine is all right
    again.map(x="x + 1")
    assert again["x"].tolist() == [1, 2, 3, 4]


def test_ctrl_c_ends_a_run() -> None:
    machine = gs.Machine("cpu:2x1")
    s = gs.vertex_steps(GRAPH, machine)
    s.fields(x=1)
    s.run()
    with s.repeat(until="vertices < 0"):
        s.map(x="x + 1")
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        s.run()
    assert time.monotonic() - began < 3
    with pytest.raises(gs.UsageError, match="a run was given up"):
        s["x"]
    again = gs.vertex_steps(GRAPH, machine)
    again.map(x="vertex")
    assert again["x"].tolist() == [0, 1, 2, 3]


def test_a_long_run_gives_its_turn_away() -> None:
    """Another thread's run on the same machine ends while a loop goes on."""
    machine = gs.Machine("cpu:2x1")

    def counting(turns: int) -> gs.VertexSteps:
        s = gs.vertex_steps(gs.road(30), machine, timeout=60)
        s.fields(x=0)
        with s.repeat(at_most=turns):
            for _ in range(8):
                s.send("x", "sum", into="y", where="x < 0")
                s.map(x="x + 1")
        return s

    trial = counting(4_000)
    trial.run()
    turns = math.ceil(4_000 * 3_000 / trial.milliseconds)  # about three seconds on any host
    s = counting(turns)
    ended: list[float] = []

    def loop() -> None:
        s.run()
        ended.append(time.monotonic())

    thread = threading.Thread(target=loop)
    thread.start()
    time.sleep(0.3)
    labels = gs.components(GRAPH, machine).labels
    between = time.monotonic()
    thread.join()
    assert labels.tolist() == [0, 0, 0, 3]
    assert between < ended[0]
    assert s["x"].tolist() == [8 * turns] * s.graph.vertices


def test_machines_that_run_none_are_refused() -> None:
    with pytest.raises(gs.NotCompiled, match="vertex steps do not run on modelled machines"):
        gs.vertex_steps(GRAPH, "sim:m60,ranks=2")


@pytest.mark.gpu
def test_mixed_machines_are_refused() -> None:
    with pytest.raises(gs.NotCompiled, match="vertex steps on CPUs and GPUs together"):
        gs.vertex_steps(GRAPH, "cpu:1+cuda:0")

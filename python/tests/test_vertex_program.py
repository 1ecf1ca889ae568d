"""Vertex programs of the user's own: values against a plain loop in Python's arithmetic, caches,
compilers that are missing, and what is refused in which words."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gossamer as gs
import numpy as np
import pytest
from gossamer import _gossamer, program_cache, program_compiler, program_nvrtc

DTYPES = ["int32", "int64", "uint32", "uint64", "float32", "float64"]
MACHINES = ["cpu:1", "cpu:3", "cpu:3x1"]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GOSSAMER_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("CXX", raising=False)
    return tmp_path / "cache"


def random_graph(n: int, arcs: int, seed: int, weights: str = "int32") -> gs.Graph:
    """Self-loops, parallel arcs, pieces and vertices without arcs happen."""
    random = np.random.default_rng(seed)
    u, v = random.integers(0, max(1, n * 3 // 4), (2, arcs))
    w = random.integers(1, 50, arcs).astype(weights)
    again = slice(0, arcs // 5)
    return gs.from_edges(
        np.append(u, u[again]), np.append(v, v[again]), np.append(w, w[again] + 1), n
    )


GRAPHS: list[Callable[[], gs.Graph]] = [
    lambda: random_graph(60, 200, 1),
    lambda: random_graph(200, 150, 2),
    lambda: random_graph(1, 3, 3),
    lambda: random_graph(40, 0, 4),
    lambda: random_graph(30, 2000, 5),  # rows that are longer than a piece, and than a warp
]


def reference(
    graph: gs.Graph, program: gs.VertexProgram, out: Callable[..., Any], sources: list[int]
) -> np.ndarray:
    """Bellman and Ford's loop, `out` evaluated in the dtype's own arithmetic."""
    dtype = program.dtype.type
    values = np.full(graph.vertices, program.initial, program.dtype)
    values[sources] = program.start
    work = list(sources)
    better = (lambda a, b: a < b) if program.update == "min" else (lambda a, b: a > b)
    weights = graph.weights
    with np.errstate(all="ignore"):
        while work:
            u = work.pop()
            begin, end = graph.indptr[u], graph.indptr[u + 1]
            for e in range(begin, end):
                weight = dtype(0 if weights is None else weights[e])
                sent = dtype(out(values[u], weight, dtype(end - begin)))
                v = graph.indices[e]
                if better(sent, values[v]):
                    values[v] = sent
                    work.append(int(v))
    return values


PROGRAMS: list[tuple[str, str, Callable[..., Any], Any]] = [
    ("min", "value + weight", lambda v, w, d: v + w, 0),
    ("max", "min(value, weight)", lambda v, w, d: min(v, w), 100),
    ("min", "max(value, weight)", lambda v, w, d: max(v, w), 3),
    ("min", "value + weight * 2 + degree", lambda v, w, d: v + w * 2 + d, 5),
    ("min", "value + (weight if weight > 9 else 9)", lambda v, w, d: v + max(w, v * 0 + 9), 1),
    ("max", "min(value - 1, weight // 2) if degree > 1 else value // 3",
     lambda v, w, d: min(v - 1, w // 2) if d > 1 else v // 3, 60),
    ("min", "value + weight % 7 + (2 <= degree < 5)",
     lambda v, w, d: v + w % 7 + v.dtype.type(2 <= d < 5), 0),
]  # fmt: skip


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_agrees_with_a_plain_loop(dtype: str, machine: str) -> None:
    for update, text, out, start in PROGRAMS:
        program = gs.vertex_program(update, text, dtype, start=start)
        if np.dtype(dtype).kind == "u" and update == "max" and "- 1" in text:
            program = gs.vertex_program(update, f"({text}) if value > 0 else 0", dtype, start=start)
            out = lambda v, w, d, out=out: out(v, w, d) if v > 0 else v  # noqa: E731
        for make in GRAPHS:
            graph = make()
            result = program.run(graph, 0, machine)
            np.testing.assert_array_equal(
                result.values, reference(graph, program, out, [0]), f"{text} of {dtype}"
            )
            assert result.values.dtype == dtype
            assert result.engine == "worklist" and result.work is not None


def test_floats_are_rounded_as_numpy_rounds() -> None:
    graph = random_graph(80, 300, 7, "float64")
    text = "value + sqrt(weight) / 3 + abs(-weight) * 0.1 + floor(weight / 7) + ceil(0.5)"
    for dtype in ("float32", "float64"):
        t = np.dtype(dtype).type

        def out(v: Any, w: Any, d: Any, t: Any = t) -> Any:
            far = v + np.sqrt(w) / t(3) + w * t(0.1)
            return far + np.floor(w / t(7)) + t(1)

        program = gs.vertex_program("min", text, dtype)
        np.testing.assert_array_equal(
            program.run(graph, 3, "cpu:3").values, reference(graph, program, out, [3])
        )


def test_arithmetic_is_defined() -> None:
    """One arc from a vertex with the value to one that takes what comes."""

    def result(text: str, dtype: str, value: Any, weight: Any = 1) -> Any:
        graph = gs.from_edges([0], [1], np.array([weight], np.float64), 2)
        program = gs.vertex_program("max", text, dtype, start=value)
        return program.run(graph, 0, "cpu:1").values[1]

    assert result("value // weight", "int32", -7, 2) == -4
    assert result("value % weight", "int32", -7, 2) == 1
    assert result("value % weight", "int64", 7, -2) == -1
    assert result("value // 0 + 1", "int32", 5) == 1 and result("value % 0", "uint64", 5) == 0
    assert result("value // -1", "int32", -(2**31)) == -(2**31)
    assert result("value + 1", "uint32", 2**32 - 1) == 0
    assert result("-value", "uint32", 1) == 2**32 - 1
    assert result("value * value", "int32", 65536 * 3) == np.int32(0)
    assert result("value % weight", "float64", -7.5, 2) == 0.5
    assert result("value // weight", "float64", -7.5, 2) == -4
    assert result("inf if not value < 3 else -inf", "float32", 4) == math.inf
    assert result("(value > 3) + (1 < value < 9 and value != 4)", "int32", 5) == 2
    assert result("value or 0", "int32", 5) == 1  # a truth, as a number
    assert result("sqrt(-value)", "float32", 4) == -math.inf  # not a number: improves nothing
    assert result("0x7fffffffffffffff + 0", "int64", 4) == 2**63 - 1
    assert result("0.1", "float32", 4) == np.float32(0.1)
    assert result("max(value, weight, 9, 3)", "uint64", 2**63) == 2**63


def test_values_and_sources_say_what_begins() -> None:
    graph = gs.from_edges([0, 1, 3], [1, 2, 4], symmetrize=True, n=6)
    labels = gs.vertex_program("min", "value", "int32")
    for machine in MACHINES:
        search = labels.prepare(graph, machine)
        assert search.run(values=np.arange(6)).values.tolist() == [0, 0, 0, 3, 3, 5]
        assert search.run([2, 3], values=[9, 9, 1, 9, 9, 9]).values.tolist() == [1, 1, 1, 9, 9, 9]
        assert search.run([4, 4]).values.tolist()[3:] == [0, 0, 2**31 - 1]
    hops = gs.vertex_program("min", "value + 1", "uint32")
    np.testing.assert_array_equal(hops(graph, np.array([0, 3])).values, [0, 1, 2, 0, 1, 2**32 - 1])


def test_runs_end_by_their_time() -> None:
    graph = gs.from_edges([0, 1], [1, 0], n=2)
    falls = gs.vertex_program("min", "value - 1", "int64")
    with pytest.raises(gs.Timeout):
        falls.run(graph, 0, "cpu:1", timeout=0.3)


def count_compilations(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    done: list[str] = []
    compile = program_compiler._compile

    def counted(command: list[str], text: str) -> bytes:
        done.append(text)
        return compile(command, text)

    monkeypatch.setattr(program_compiler, "_compile", counted)
    return done


def test_the_cache_keeps_what_was_compiled(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = count_compilations(monkeypatch)
    graph = random_graph(60, 200, 1)
    program = gs.vertex_program("min", "value + weight + 3", "int32")
    wanted = program.run(graph, 0, "cpu:1").values
    gs.vertex_program("min", " value + weight + 3 ", "int32").run(graph, 0, "cpu:3")
    assert len(done) == 1
    (file,) = cache.iterdir()
    whole = file.read_bytes()
    for broken in (whole[: len(whole) // 2], whole[:-1] + bytes([whole[-1] ^ 1]), b""):
        file.unlink()  # a library that is loaded keeps its file
        file.write_bytes(broken)
        np.testing.assert_array_equal(program.run(graph, 0, "cpu:1").values, wanted)
    assert len(done) == 4 and [f.name for f in cache.iterdir()] == [file.name]
    gs.vertex_program("max", "value - weight - 3", "int32").compile("cpu:1")
    assert len(done) == 5 and len(list(cache.iterdir())) == 2


def test_where_the_cache_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert program_cache.folder() == tmp_path / "cache"
    monkeypatch.delenv("GOSSAMER_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert program_cache.folder() == Path("/somewhere/gossamer")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert program_cache.folder() == Path.home() / ".cache/gossamer"
    # Where nothing can be written, what was compiled lasts as long as the process.
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("GOSSAMER_CACHE", str(tmp_path / "file" / "below"))
    graph = random_graph(60, 200, 1)
    assert gs.vertex_program("min", "value + 5", "int32").run(graph, 0, "cpu:1").values[0] == 0


@pytest.mark.parametrize("dtype", DTYPES)
def test_built_in_forms_need_no_compiler(
    dtype: str, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    forms: list[tuple[str, str, Callable[..., Any], Any]] = [
        ("min", "value", lambda v, w, d: v, 4),
        ("min", "value + weight", lambda v, w, d: v + w, 0),
        ("min", "(value) + 1", lambda v, w, d: v + 1, 0),
        ("max", "min(value, weight)", lambda v, w, d: min(v, w), 90),
        ("min", "max(value, weight)", lambda v, w, d: max(v, w), 2),
        ("min", "value * weight", lambda v, w, d: v * w, 1),
    ]
    assert len(_gossamer.builtin_expressions()) == len(forms)
    graph = random_graph(60, 100, 6)
    built_in = {}
    with monkeypatch.context() as patch:
        patch.setenv("PATH", "")
        for update, text, out, start in forms:
            program = gs.vertex_program(update, text, dtype, start=start)
            assert not program.needs_compiler
            if text == "value * weight" and dtype[0] != "f":
                continue  # what wraps improves for ever
            built_in[text] = program.run(graph, 0, "cpu:2x1").values
            np.testing.assert_array_equal(built_in[text], reference(graph, program, out, [0]))
        assert not cache.exists()
        other = gs.vertex_program("min", "value + weight + 1", dtype)
        assert other.needs_compiler
        with pytest.raises(gs.NotCompiled) as caught:
            other.run(graph, 0, "cpu:1")
    assert str(caught.value) == (
        "vertex_program: 'value + weight + 1' needs a C++ compiler on CPU ranks, and there is "
        "none: install g++ or clang++, or name one in CXX"
    )
    for update, text, _, start in forms:
        if text in built_in:  # the same by the compiler
            program = gs.vertex_program(update, f"{text} if value == value else 0", dtype,
                                        start=start)  # fmt: skip
            np.testing.assert_array_equal(program.run(graph, 0, "cpu:1").values, built_in[text])


def test_a_compiler_can_be_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    graph = random_graph(60, 100, 6)
    program = gs.vertex_program("min", "value + 2", "int32")
    monkeypatch.setenv("CXX", "no-such-compiler")
    with pytest.raises(gs.NotCompiled, match="needs a C\\+\\+ compiler"):
        program.run(graph, 0, "cpu:1")
    bad = tmp_path / "bad"
    bad.write_text("#!/bin/sh\necho out of order >&2\nexit 3\n")
    bad.chmod(0o755)
    monkeypatch.setenv("CXX", f"{bad} -x")
    with pytest.raises(gs.Error, match=r"bad -x ended with 3: out of order$"):
        program.run(graph, 0, "cpu:1")
    bad.write_text('#!/bin/sh\nwhile [ "$1" != -o ]; do shift; done\necho no library >$2\n')
    with pytest.raises(gs.Error, match="what was compiled cannot be loaded"):
        program.run(graph, 0, "cpu:1")


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
]


@pytest.mark.parametrize(("text", "reason", "column", "width"), EXPRESSIONS)
def test_errors_show_the_place(text: str, reason: str, column: int, width: int) -> None:
    with pytest.raises(gs.ExpressionError) as caught:
        gs.vertex_program("min", text, "int32")
    first, shown, carets = str(caught.value).splitlines()
    assert first.startswith(f"vertex_program: propagate: {reason}")
    assert shown[2:] in (text.strip(), *(line for line in text.splitlines()))
    assert carets == "  " + " " * column + "^" * width
    assert caught.value.column == column and caught.value.reason in first
    assert isinstance(caught.value, gs.UsageError)


def test_float_constants_must_fit() -> None:
    for text in ("value + 1e39", "value + 1" + "0" * 400):
        with pytest.raises(gs.ExpressionError, match="float32 does not have a number as large"):
            gs.vertex_program("min", text, "float32")


def test_arguments_are_checked() -> None:
    def refused(pattern: str, call: Callable[[], object]) -> None:
        with pytest.raises(gs.UsageError, match=pattern):
            call()

    make = gs.vertex_program
    refused("update 'sum' is none of min, max", lambda: make("sum", "value", "int32"))
    refused("dtype 'int8' is none of int32, int64, uint32", lambda: make("min", "value", "int8"))
    refused("dtype 'nonsense' is none of", lambda: make("min", "value", "nonsense"))
    refused("dtype '>i4' is none of", lambda: make("min", "value", ">i4"))
    refused("propagate is text, got int", lambda: make("min", 3, "int32"))  # type: ignore[arg-type]
    refused("start: -1 is no uint32", lambda: make("min", "value", "uint32", start=-1))
    refused("initial: 0.5 is no int64", lambda: make("min", "value", "int64", initial=0.5))
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
    refused("target 'gpu' is none of cpu, cuda", lambda: hops.program.source("gpu"))
    with pytest.raises(gs.CapacityError, match="known values and worklists"):
        hops.program.prepare(bare, "cpu:1", memory=1000)


needs_nvrtc = pytest.mark.skipif(program_nvrtc.find_nvrtc() is None, reason="no libnvrtc")


@needs_nvrtc
@pytest.mark.parametrize("update", ["min", "max"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_nvrtc_takes_every_program(
    dtype: str, update: str, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "min(value // 3 + weight % 7 - degree * 2, abs(-value)) if not value < 4 else max(1, 2)"
    if dtype.startswith("float"):
        text += " + sqrt(value) / floor(weight) * ceil(0.1) + (0 if weight < inf else -inf)"
    program = gs.vertex_program(update, text, dtype)
    image = program_nvrtc.gpu_image(program.source("cuda"), 90)
    assert image.startswith(b"\x7fELF") and b"gossamer_round" in image
    (file,) = cache.iterdir()
    monkeypatch.setattr(program_nvrtc._Program, "compile", lambda *_: pytest.fail("again"))
    assert program_nvrtc.gpu_image(program.source("cuda"), 90) == image
    assert file.suffix == ".cubin" and program_cache.without_digest(file) == image


@needs_nvrtc
def test_nvrtc_says_what_it_refuses() -> None:
    with pytest.raises(gs.Error, match=r"nvrtcCompileProgram: .*: .*error.*nonsense"):
        program_nvrtc.gpu_image("__device__ int x = nonsense;", 90)


def test_nvrtc_may_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program_nvrtc, "_load", lambda: None)
    assert program_nvrtc.find_nvrtc() is None
    with pytest.raises(gs.NotCompiled, match=r"there is no libnvrtc\.so: install CUDA's toolkit"):
        program_nvrtc.gpu_image("", 90)


GPU_MACHINES = ["cuda:0", "cuda:0*3", "cuda"]


@pytest.mark.gpu
@pytest.mark.parametrize("machine", GPU_MACHINES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_gpus_agree_with_cpus(dtype: str, machine: str) -> None:
    for update, text, _, start in PROGRAMS:
        if np.dtype(dtype).kind == "u" and "- 1" in text:
            text = f"({text}) if value > 0 else 0"
        program = gs.vertex_program(update, text, dtype, start=start)
        for make in GRAPHS:
            graph = make()
            wanted = program.run(graph, 0, "cpu:1").values
            result = program.run(graph, 0, machine)
            np.testing.assert_array_equal(result.values, wanted, f"{text} of {dtype}")
            assert result.engine == "rounds" and result.work is None and result.rounds >= 1


@pytest.mark.gpu
@pytest.mark.parametrize("machine", GPU_MACHINES)
def test_gpus_agree_on_larger_graphs(machine: str) -> None:
    for spec in ("kron:14", "road:100"):
        graph = gs.generate(spec, weights=True)
        for program in (
            gs.vertex_program("min", "value + weight", "uint32"),
            gs.vertex_program("max", "min(value, weight)", "float64"),
            gs.vertex_program("min", "value + sqrt(weight) / 3 + degree * 0.1", "float32"),
        ):
            search = program.prepare(graph, machine)
            for source in gs.draw_sources(graph, 2):
                wanted = program.run(graph, int(source), "cpu:1").values
                np.testing.assert_array_equal(search.run(int(source)).values, wanted)
        labels = gs.vertex_program("min", "value", "int64")
        found = labels.run(graph, machine=machine, values=np.arange(graph.vertices)).values
        np.testing.assert_array_equal(found, gs.components(graph, "cpu:1").labels)


@pytest.mark.gpu
def test_gpu_runs_end_by_their_time() -> None:
    graph = gs.from_edges([0, 1], [1, 0], n=2)
    falls = gs.vertex_program("min", "value - 1", "int64")
    with pytest.raises(gs.Timeout):
        falls.run(graph, 0, "cuda:0", timeout=0.5)
    hops = gs.vertex_program("min", "value + 1", "int64")
    assert hops.run(graph, 0, "cuda:0").values.tolist() == [0, 1]


@pytest.mark.gpu
def test_mixed_machines_are_refused() -> None:
    graph = gs.from_edges([0, 1], [1, 0], n=2)
    with pytest.raises(gs.NotCompiled, match="vertex programs on CPUs and GPUs together"):
        gs.vertex_program("min", "value + 1", "int64").run(graph, 0, "cpu:1+cuda:0")

"""Vertex programs of the user's own: values against a plain loop in the dtype's arithmetic, and on
GPUs against those of CPUs."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gossamer as gs
import numpy as np
import pytest
from gossamer.program import nvrtc

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
    for update, text, plain, start in PROGRAMS:
        out, program = plain, gs.vertex_program(update, text, dtype, start=start)
        if np.dtype(dtype).kind == "u" and update == "max" and "- 1" in text:
            program = gs.vertex_program(update, f"({text}) if value > 0 else 0", dtype, start=start)
            out = lambda v, w, d, out=plain: out(v, w, d) if v > 0 else v  # noqa: E731
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
    assert result("value or 0", "int32", 5) == 5  # the operand, as in Python
    assert result("sqrt(-value)", "float32", 4) == -math.inf  # not a number: improves nothing
    assert result("0x7fffffffffffffff + 0", "int64", 4) == 2**63 - 1
    assert result("inf if 1 / -0.0 < 0 else 0", "float64", 4) == math.inf
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
    for machine in ("cpu:1", "cpu:2x1"):
        with pytest.raises(gs.Timeout):
            falls.run(graph, 0, machine, timeout=0.3)


needs_nvrtc = pytest.mark.skipif(nvrtc.find_nvrtc() is None, reason="no libnvrtc")
GPU_MACHINES = ["cuda:0", "cuda:0*3", "cuda"]


@needs_nvrtc
@pytest.mark.gpu
@pytest.mark.parametrize("machine", GPU_MACHINES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_gpus_agree_with_cpus(dtype: str, machine: str) -> None:
    k = DTYPES.index(dtype)  # NVRTC takes seconds: two of those that need it for each type
    compiled = [PROGRAMS[3 + k % 4], PROGRAMS[3 + (k + 1) % 4]]
    for update, text, _, start in [*PROGRAMS[:3], ("min", "value + 1", None, 2), *compiled]:
        if np.dtype(dtype).kind == "u" and "- 1" in text:
            program = gs.vertex_program(update, f"({text}) if value > 0 else 0", dtype, start=start)
        else:
            program = gs.vertex_program(update, text, dtype, start=start)
        for make in GRAPHS:
            graph = make()
            wanted = program.run(graph, 0, "cpu:1").values
            result = program.run(graph, 0, machine)
            np.testing.assert_array_equal(result.values, wanted, f"{text} of {dtype}")
            assert result.engine == "worklist" and result.work.items >= 1


@needs_nvrtc
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


@needs_nvrtc
@pytest.mark.gpu
def test_gpu_runs_end_by_their_time() -> None:
    graph = gs.from_edges([0, 1], [1, 0], n=2)
    falls = gs.vertex_program("min", "value - 1", "int64")
    with pytest.raises(gs.Timeout):
        falls.run(graph, 0, "cuda:0", timeout=0.5)
    hops = gs.vertex_program("min", "value + 1", "int64")
    assert hops.run(graph, 0, "cuda:0").values.tolist() == [0, 1]


@needs_nvrtc
@pytest.mark.gpu
def test_mixed_machines_are_refused() -> None:
    graph = gs.from_edges([0, 1], [1, 0], n=2)
    with pytest.raises(gs.NotCompiled, match="vertex programs on CPUs and GPUs together"):
        gs.vertex_program("min", "value + 1", "int64").run(graph, 0, "cpu:1+cuda:0")


def random_expression(random: np.random.Generator, depth: int, names: str) -> str:
    """Numbers, comparisons, `and`, `or`, `not` and conditionals, nested at random."""
    if depth == 0 or random.random() < 0.1:
        return str(random.choice([*names.split(), "0", "1", "2", "5"]))

    def inner() -> str:
        return random_expression(random, depth - 1, names)

    several = [inner() for _ in range(random.integers(2, 4))]
    sign = str(random.choice(["<", "<=", ">", ">=", "==", "!="]))
    forms = [
        "(" + " and ".join(several) + ")",
        "(" + " or ".join(several) + ")",
        "(" + f" {sign} ".join(several) + ")",
        "min(" + ", ".join(several) + ")",
        f"(not {inner()})",
        f"({inner()} {sign} {inner()})",
        f"({inner()} if {inner()} else {inner()})",
        f"({inner()} + {inner()})",
        f"max({inner()}, {inner()})",
    ]
    return forms[random.integers(len(forms))]


def sent_along_arcs(text: str, dtype: str, machine: str, cases: np.ndarray) -> np.ndarray:
    """What goes out along an arc with each (value, weight); the degree is 1."""
    n = len(cases)
    graph = gs.from_edges(np.arange(n), np.arange(n) + n, cases[:, 1].astype("float64"))
    program = gs.vertex_program("max", text, dtype)
    values = np.full(2 * n, program.initial, dtype)
    values[:n] = cases[:, 0]
    return program.run(graph, values=values, machine=machine).values[n:]


def check_logic(machine: str, count: int) -> None:
    random = np.random.default_rng(11)
    cases = np.array([(v, w) for v in (0, 1, 2, 7) for w in (0, 1, 3)])
    for i in range(count):
        dtype = ["int64", "float64", "uint32"][i % 3]
        text = random_expression(random, 4, "value weight degree")
        asked = compile(text, "test", "eval")
        expected = [eval(asked, {"value": v, "weight": w, "degree": 1}) for v, w in cases.tolist()]
        np.testing.assert_array_equal(
            sent_along_arcs(text, dtype, machine, cases), np.array(expected, dtype), text
        )


def test_and_or_and_not_mean_what_they_mean_in_python() -> None:
    check_logic("cpu:2", 24)
    cases = np.array([(0, 4), (3, 4), (3, 0)])
    np.testing.assert_array_equal(
        sent_along_arcs("value and weight", "int32", "cpu:1", cases), [0, 4, 0]
    )
    np.testing.assert_array_equal(
        sent_along_arcs("value or weight or 9", "float32", "cpu:1", cases), [4, 3, 3]
    )


@pytest.mark.gpu
def test_and_or_and_not_mean_the_same_on_gpus() -> None:
    check_logic("cuda:0", 6)


def test_sources_by_name() -> None:
    graph = gs.from_edges(["ann", "bob", ("cy", 1)], ["bob", ("cy", 1), "dan"], symmetrize=True)
    hops = gs.vertex_program("min", "value + 1", "uint32")
    for given, far in (
        ("ann", [0, 1, 2, 3]),
        (("cy", 1), [2, 1, 0, 1]),
        (["ann", "dan"], [0, 1, 1, 0]),
    ):
        assert hops.run(graph, given, "cpu:1").values.tolist() == far
    with pytest.raises(gs.UsageError, match="no vertex 'eve'"):
        hops.run(graph, ["ann", "eve"], "cpu:1")

"""Steps over fields: what they compute, against the model in NumPy, to the bit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gossamer as gs
import numpy as np
import pytest
from gossamer.program import nvrtc
from gossamer.vertex_steps.model import StepModel

DTYPES = ["bool", "int32", "int64", "uint32", "uint64", "float32", "float64"]
COMBINES = ["min", "max", "sum", "or", "count", "any"]
CPUS = ["cpu:1x1", "cpu:3x1", "cpu:2x2"]
on_gpus = [
    pytest.mark.gpu,
    pytest.mark.skipif(nvrtc.find_nvrtc() is None, reason="no libnvrtc"),
]
MACHINES = [*CPUS, *(pytest.param(m, marks=on_gpus) for m in ("cuda:0", "cuda:0*3"))]


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GOSSAMER_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


def directed(n: int, arcs: int, seed: int, weights: str | None = "int32") -> gs.Graph:
    """Self-loops, parallel arcs, pieces and vertices without arcs happen."""
    random = np.random.default_rng(seed)
    u, v = random.integers(0, max(1, n * 3 // 4), (2, arcs))
    w = None if weights is None else random.integers(1, 50, arcs).astype(weights)
    return gs.from_edges(u, v, w, n)


def weighted(graph: gs.Graph, dtype: str) -> gs.Graph:
    """The same arcs, each with a weight that its reverse has, too."""
    u = np.repeat(np.arange(graph.vertices), np.diff(graph.indptr))
    w = ((u + graph.indices) % 7 + 1).astype(dtype)
    return gs.from_edges(u, graph.indices, w, graph.vertices)


FAMILIES: dict[str, Callable[[], gs.Graph]] = {
    "kron": lambda: gs.kronecker(8, weights=True),
    "road": lambda: weighted(gs.road(15), "float64"),
    "uniform": lambda: weighted(gs.uniform(7, 8), "int32"),
    "directed": lambda: directed(300, 2000, 1),
    "directed floats": lambda: directed(200, 150, 2, "float64"),
    "long rows": lambda: directed(30, 6000, 3, "float64"),
    "small floats": lambda: directed(300, 900, 3, "float32"),
    "wide ids": lambda: gs.from_csr(
        np.arange(0, 303, 3),
        np.random.default_rng(6).integers(0, 100, 300, np.int64),
        np.arange(300, dtype=np.int32) % 11,
    ),
    "two vertices": lambda: gs.from_edges([0, 1, 1], [1, 1, 0], np.array([2, 5, 7], np.int32), 2),
    "one vertex": lambda: gs.from_edges([0], [0], np.array([3], np.int32), 1),
    "without arcs": lambda: directed(70, 0, 4),
}


def values(dtype: str, n: int, seed: int) -> np.ndarray:
    """Whole numbers so small that sums are exact in any order."""
    random = np.random.default_rng(seed)
    low = 0 if np.dtype(dtype).kind in "bu" else -9
    return random.integers(low, 2 if dtype == "bool" else 10, n).astype(dtype)


def same(s: gs.VertexSteps, model: StepModel, what: str = "") -> None:
    """Every field and number, to the bit."""
    model.run()
    for name, wanted in model.known.items():
        got = s[name]
        assert got.dtype == wanted.dtype, f"{what}: {name} is {got.dtype}, not {wanted.dtype}"
        np.testing.assert_array_equal(got, wanted, f"{what}: {name}")
    for name, wanted in model.said.items():
        got, value = s[name], wanted.item()
        assert type(got) is type(value), f"{what}: {name} is {got!r}, not {value!r}"
        np.testing.assert_equal(got, value, f"{what}: {name}")


def check_sends(graph: gs.Graph, machine: str, combine: str, dtypes: list[str]) -> None:
    s, model = gs.vertex_steps(graph, machine, timeout=60), StepModel(graph)
    for steps in (s, model):
        for i, dtype in enumerate(dtypes):
            x = f"x_{dtype}"
            steps.fields(**{x: values(dtype, graph.vertices, i)})
            if combine == "or" and np.dtype(dtype).kind not in "iu":
                continue
            for along in ("out", "in", "both"):
                for where in (None, f"{x} > 0"):
                    into = f"{x}_{along}_{'all' if where is None else 'some'}"
                    steps.send(x, combine, into=into, along=along, where=where)
            if combine == "or" or dtype == "bool":
                continue
            along, text = ("out", "in", "both")[i % 3], f"{x} * weight + degree"
            steps.send(text, combine, into=f"{x}_weighted", along=along)
            steps.send(text, combine, into=f"{x}_chosen", along=along, where="vertex % 3 == 1")
        for i, dtype in enumerate(dtypes):  # onto what is there
            x, along = f"x_{dtype}", ("in", "both", "out")[i % 3]
            if combine == "or" and np.dtype(dtype).kind not in "iu":
                continue
            for kind, where in (("all", None), ("some", "vertex % 2 == 0")):
                into = f"{x}_{along}_{kind}"
                steps.send(x, combine, into, along=along, where=where, accumulate=True)
    same(s, model, combine)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("combine", COMBINES)
@pytest.mark.parametrize("machine", CPUS)
def test_sends_agree_with_numpy(machine: str, combine: str, family: str) -> None:
    check_sends(FAMILIES[family](), machine, combine, DTYPES)


@pytest.mark.parametrize("machine", [m for m in MACHINES if m not in CPUS])
@pytest.mark.parametrize("combine", COMBINES)
@pytest.mark.parametrize("family", ["kron", "directed", "long rows", "two vertices"])
def test_sends_agree_with_numpy_on_gpus(machine: str, combine: str, family: str) -> None:
    # NVRTC takes seconds: two types of each combination.
    k = COMBINES.index(combine)
    own = ["int32", "uint64"] if combine == "or" else [DTYPES[1 + k], DTYPES[1 + (k + 3) % 6]]
    check_sends(FAMILIES[family](), machine, combine, own)


@pytest.mark.parametrize("machine", MACHINES)
def test_reductions_agree_with_numpy(machine: str) -> None:
    for family in ("kron", "directed", "two vertices", "without arcs"):
        graph = FAMILIES[family]()
        s, model = gs.vertex_steps(graph, machine, timeout=60), StepModel(graph)
        for steps in (s, model):
            for i, dtype in enumerate(DTYPES):
                steps.fields(**{dtype: values(dtype, graph.vertices, i)})
                for combine in ("min", "max", "sum", "count", "any"):
                    if dtype == "uint64" and combine not in ("count", "any"):
                        continue
                    into = f"{dtype}_{combine}"
                    steps.reduce(dtype, combine, into)
                    steps.reduce(dtype, combine, f"{into}_some", where="vertex % 5 == 2")
                    steps.reduce(dtype, combine, f"{into}_none", where="vertex < 0")
        same(s, model, family)


@pytest.mark.parametrize("machine", ["cpu:1x1", *MACHINES[3:]])
@pytest.mark.parametrize(
    "text",
    ["{b}({a})", "{a} + {b}", "{a} - {b}", "{a} * {b}", "{a} / {b}", "{a} // {b}", "{a} % {b}",
     "{a} <= {b}", "min({a}, {b}, 3)", "max({a}, {b})", "{a} if {b} > 2 else {b}",
     "2 < {a} < {b} != 4",
     "{a} and not {b} or {a} == {b}"],
)  # fmt: skip
def test_types_are_those_of_numpy(text: str, machine: str) -> None:
    graph = directed(500, 0, 1)
    s, model = gs.vertex_steps(graph, machine, timeout=60), StepModel(graph)
    numbers = [t for t in DTYPES if t != "bool"]
    for steps in (s, model):
        for i, dtype in enumerate(numbers):
            a = values(dtype, graph.vertices, i)
            if np.dtype(dtype).kind == "f":
                a = np.where(a == 0, np.dtype(dtype).type(0.5), a)  # NumPy's 0 // 0 is not floor()
            steps.fields(**{dtype: a})
        for a in numbers:
            for b in numbers:
                if "uint64" in (a, b) and "f" in text and a != b:
                    continue
                steps.map(**{f"of_{a}_{b}": text.format(a=a, b=b)})
    same(s, model, text)


@pytest.mark.parametrize("machine", ["cpu:1x1", *MACHINES[3:]])
def test_numbers_in_the_text_take_the_type_of_what_they_meet(machine: str) -> None:
    texts = ["{x} + 1", "2 * {x}", "{x} * 0.5", "{x} / 3", "-{x}", "abs({x})", "sqrt(abs({x}))",
             "floor({x})", "ceil({x} / 4)", "{x} if vertex > 9 else 0", "{x} + True",
             "1 - {x} * 2"]  # fmt: skip
    bits = ["~{x}", "{x} & 6", "{x} | 9", "{x} ^ {x} << 3", "{x} >> 1", "{x} << 40", "{x} >> 70"]
    graph = directed(200, 0, 1)
    for dtype in DTYPES[1:]:
        s, model = gs.vertex_steps(graph, machine, timeout=60), StepModel(graph)
        for steps in (s, model):
            steps.fields(x=values(dtype, graph.vertices, 1))
            own = texts + (bits if np.dtype(dtype).kind != "f" else [])
            for k, text in enumerate(own):
                steps.map(**{f"of_{k}": text.format(x="x")})
        same(s, model, dtype)
    s, model = gs.vertex_steps(graph, machine, timeout=60), StepModel(graph)
    for steps in (s, model):
        steps.fields(p=np.arange(200) % 2 == 0, q=np.arange(200) % 3 == 0)
        steps.map(a="p & q", o="p | ~q", x="p ^ q", n="p + q", same="p == q", low="min(p, q)")
        steps.map(shifted="vertex << vertex", back="-vertex >> vertex", one="1", half="0.5")
        steps.map(big="0x7FFFFFFFFFFFFFFF", bigger="18446744073709551615", least="-inf")
    same(s, model)


@pytest.mark.parametrize("machine", ["cpu:1x1", *MACHINES[3:]])
def test_conversions_take_the_nearest_number(machine: str) -> None:
    edges = [0.0, 0.99, -0.99, 2.5, -2.5, 2.0**31, 2.0**31 - 1, -(2.0**31), -(2.0**31) - 1, 2.0**32,
             2.0**63, -(2.0**63), 2.0**64, 1e300, -1e300, np.inf, -np.inf, np.nan]  # fmt: skip
    for dtype in ("float64", "float32"):
        with np.errstate(over="ignore"):
            x = np.array(edges).astype(dtype)
        graph = directed(len(x), 0, 1)
        s, model = gs.vertex_steps(graph, machine, timeout=60), StepModel(graph)
        for steps in (s, model):
            steps.fields(x=x)
            steps.map(**{f"as_{t}": f"{t}(x)" for t in DTYPES})
            steps.map(small="int32(7) + 1", truth="bool(vertex)", bit="uint64(1) << uint64(vertex)")
        same(s, model, dtype)
    assert s["small"].dtype == np.int32


@pytest.mark.parametrize("machine", MACHINES)
def test_updates_are_simultaneous(machine: str) -> None:
    graph = FAMILIES["directed"]()
    s, model = gs.vertex_steps(graph, machine, timeout=60), StepModel(graph)
    for steps in (s, model):
        steps.fields(a=np.arange(300), b=5, c=np.zeros(300, np.int32))
        steps.numbers(i=0, j=1, half=0.5, true=True)
        steps.map(a="b", b="a")
        steps.map(where="a < b", a="b + 1", b="a - 1", c="vertex + 2")
        steps.set(i="j", j="i + j")
        with steps.repeat(at_most=40):
            steps.set(i="j", j="i + j", half="half / 2", true="not true")
            steps.map(a="a + j")
    same(s, model)


@pytest.mark.parametrize("machine", MACHINES)
def test_what_is_reduced_is_known_to_the_next_step(machine: str) -> None:
    graph = FAMILIES["directed"]()
    for text in ("x - t", "x * weight + t", "t", "x + t if degree > t else 0"):
        s, model = gs.vertex_steps(graph, machine, timeout=60), StepModel(graph)
        for steps in (s, model):
            steps.fields(x=values("int64", graph.vertices, 1))
            with steps.repeat(at_most=3):
                steps.reduce("x", "max", "t")
                steps.send(text, "sum", into="y")
                steps.reduce("y - t", "sum", "t")
                steps.send("x + t", "max", into="y", where="vertex % 2 == t % 2")
                steps.reduce("y % 100", "max", "t", where="y > 0")
                steps.map(x="x + t")
                steps.set(u="t * 2")
                steps.map(where="x > u", x="u")
        same(s, model, text)


@pytest.mark.parametrize("n", [1, 2, 9])
def test_fields_are_arrays_that_nobody_may_write_and_single_values(n: int) -> None:
    fixed = np.arange(n, dtype=np.int32)
    fixed.flags.writeable = False
    steps = gs.vertex_steps(gs.from_edges([0], [n - 1], n=n), "cpu:1x1")
    steps.fields(a=fixed, b=7, c=np.float32(0.5), d=fixed[::-1])
    for name, expected in (("a", fixed), ("b", [7] * n), ("c", [0.5] * n), ("d", fixed[::-1])):
        assert steps[name].tolist() == list(expected)


def test_loops_nest_and_follow_each_other() -> None:
    graph = FAMILIES["road"]()
    for machine in CPUS:
        s = gs.vertex_steps(graph, machine, timeout=60)
        s.fields(x=0)
        s.numbers(i=0, k=0)
        with s.repeat(at_most=3) as outer:
            s.set(i="i + 1", k="0")
            with s.repeat(until="k >= i", at_most=10) as inner:
                s.set(k="k + 1")
                with s.repeat(at_most=2) as innermost:
                    s.map(x="x + 1")
            with s.repeat(until="k >= i", at_most=10) as once:
                s.set(k="k + 1")
                with s.repeat(at_most=2):
                    s.map(x="x + 1")
        with s.repeat(at_most=1) as unknown, pytest.raises(gs.UsageError, match="behind a loop"):
            s.map(x="x")
            print(unknown.rounds)
        # Inner loops run 1, 2 and 3 times, then once more each.
        assert s["x"].tolist() == [2 * (1 + 2 + 3) + 2 * 3] * graph.vertices
        assert (outer.rounds, innermost.rounds, once.rounds) == (3, 2, 1)
        assert inner.rounds == once.rounds  # the same steps
        for _ in range(2):  # equal loops behind each other
            with s.repeat(until="i >= 10"):
                s.set(i="i + 1")
        assert s["i"] == 11


def random_program(steps: Any, random: np.random.Generator, depth: int, count: int) -> None:
    """Steps on integers, which wrap: the order of sums does not matter."""

    def one(of: list[str]) -> str:
        return str(random.choice(of))

    values = ["a", "b", "a + b", "a * 3 - t", "b ^ a >> 3", "min(a, b, u)", "vertex - u", "4",
              "vertex * 7 + degree", "c if flag else a", "(a & 15) + t", "abs(b) % 11",
              "t"]  # fmt: skip
    tests = [None, "flag", "a > b", "vertex % 4 == 1", "t > u", "not flag or a % 2 == 0"]
    for _ in range(count):
        where = tests[random.integers(len(tests))]
        match random.integers(6 if depth > 0 else 5):
            case 0 | 1:
                combine, into = one(["min", "max", "sum", "or", "count"]), one(["x", "y"])
                along = one(["out", "in", "both"])
                value = one([*values, "weight", "a + weight", "b * weight - t", "u"])
                onto = bool(random.random() < 0.25)
                steps.send(value, combine, into, along=along, where=where, accumulate=onto)
                steps.map(**{one(["a", "b"]): f"{into} - t if {into} < 1 << 60 else 3"})
            case 2:
                names = random.permutation(["a", "b", "c"])[: random.integers(1, 4)]
                steps.map(where, **{str(name): one(values) for name in names})
            case 3:
                steps.reduce(one(values), one(["min", "max", "sum"]), one(["t", "u"]), where=where)
            case 4 if random.random() < 0.5:
                steps.set(t=one(["t + u", "u", "max(t, 3)"]), u=one(["t", "u * 5 - 1"]))
            case 4:
                steps.map(where, flag=one(["a < b", "not flag", "vertex < t", "degree > 2"]))
            case _:
                with steps.repeat(until=None if random.random() < 0.5 else "t > u", at_most=3):
                    random_program(steps, random, depth - 1, 3)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("family", ["kron", "directed", "two vertices", "without arcs"])
def test_random_programs_agree_with_numpy(family: str, machine: str) -> None:
    graph = FAMILIES[family]()
    for seed in range(2 if machine.startswith("cuda") else 12):
        s, model = gs.vertex_steps(graph, machine, timeout=60), StepModel(graph)
        for steps in (s, model):
            random = np.random.default_rng(seed)
            n = graph.vertices
            steps.fields(a=values("int64", n, 1), b=values("int64", n, 2), flag=False)
            steps.fields(c=values("int32", n, 3), x=0, y=1)
            steps.numbers(t=2, u=-3)
            random_program(steps, random, 2, 8)
        same(s, model, f"program {seed}")


@pytest.mark.parametrize("machine", ["cpu:1x{}", "cpu:3x{}"])
def test_sums_of_floats_do_not_depend_on_threads(machine: str) -> None:
    graph = gs.kronecker(13)
    x = np.random.default_rng(1).random(graph.vertices)
    found = []
    for threads in (1, 2, 3):
        s = gs.vertex_steps(graph, machine.format(threads), timeout=60)
        s.fields(x=x)
        s.send("x / 3", "sum", into="y")
        s.reduce("y * x", "sum", into="total")
        s.reduce("y * x", "sum", into="some", where="x < 0.3")
        found.append((s["y"].tobytes(), s["total"], s["some"]))
    assert found[0] == found[1] == found[2]
    u = np.repeat(np.arange(graph.vertices), graph.degrees)
    np.testing.assert_allclose(found[0][1], (x[u] / 3 * x[graph.indices]).sum(), rtol=1e-9)

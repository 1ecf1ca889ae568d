"""Vertex programs that add up or gather bits: against plain loops, on CPU ranks and on GPUs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gossamer as gs
import numpy as np
import pytest
from gossamer.program import nvrtc

MACHINES = ["cpu:1", "cpu:3", "cpu:3x1"]
GPU_MACHINES = ["cuda:0", "cuda:0*3"]
SPECS = ["kron:8", "uniform:8", "road:20", "grid:1x40", "grid:12x12"]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOSSAMER_CACHE", str(tmp_path / "cache"))


def graphs() -> list[gs.Graph]:
    random = np.random.default_rng(3)
    u, v = random.integers(0, 90, (2, 400))
    directed = gs.from_edges(u, v, random.integers(1, 9, 400).astype(np.int32), 120)
    empty = gs.from_edges(np.zeros(0, np.int32), np.zeros(0, np.int32), np.zeros(0, np.int32), 7)
    return [gs.generate(spec, weights=True) for spec in SPECS] + [directed, empty]


def ends(graph: gs.Graph) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of every arc: where from, where to, its weight."""
    degrees = np.diff(graph.indptr)
    assert graph.weights is not None
    return np.repeat(np.arange(graph.vertices), degrees), graph.indices, graph.weights


def pushed(graph: gs.Graph, first: np.ndarray, along: Any) -> np.ndarray:
    """All that ever comes to a vertex when nothing is held back; `along(value, weight, degree)`."""
    u, v, w = ends(graph)
    degrees = np.maximum(np.diff(graph.indptr), 1)
    total, front = first.copy(), first
    for _ in range(400):
        front = np.bincount(v, along(front[u], w, degrees[u]), graph.vertices)
        total += front
    return total


PUSHED = [
    ("0.85 * value / degree", 0.85, lambda v, w, d: 0.85 * v / d),
    ("value * weight / (degree * 512)", 0.5, lambda v, w, d: v * w / (d * 512)),
    ("value / (2 * degree) if degree > 2 else value / (4 * degree)", 0.5,
     lambda v, w, d: np.where(d > 2, v / (2 * d), v / (4 * d))),
]  # fmt: skip


def check_sums(machine: str) -> None:
    for graph in graphs():
        first = np.random.default_rng(5).random(graph.vertices)
        for text, part, along in PUSHED:
            wanted = pushed(graph, first, along)
            for threshold in (1e-3, 1e-9):
                program = gs.vertex_program("sum", text, "float64", threshold=threshold)
                result = program.run(graph, machine=machine, values=first)
                # What is held back may be on another rank, and `part` of it would go on, and so on.
                lacks = wanted - result.values
                assert lacks.min() >= -1e-9, (graph, text)
                assert lacks.sum() <= result.left / (1 - part) + 1e-9, (graph, text)
                assert (
                    0
                    <= result.left
                    <= threshold * graph.vertices * len(gs.Machine(machine).devices)
                )
                assert result.engine == "worklist"


@pytest.mark.parametrize("machine", MACHINES)
def test_sums_lack_only_what_was_held_back(machine: str) -> None:
    check_sums(machine)


@pytest.mark.gpu
@pytest.mark.skipif(nvrtc.find_nvrtc() is None, reason="no libnvrtc")
@pytest.mark.parametrize("machine", GPU_MACHINES)
def test_sums_on_gpus_lack_only_what_was_held_back(machine: str) -> None:
    check_sums(machine)


@pytest.mark.gpu
@pytest.mark.parametrize("machine", GPU_MACHINES)
def test_built_in_sums_need_no_compiler_on_gpus(
    machine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nvrtc, "_load", lambda: None)
    graph = gs.from_edges(np.arange(9), np.arange(1, 10), np.full(9, 0.5), 10)
    program = gs.vertex_program("sum", "value * weight", "float64", threshold=1e-6)
    np.testing.assert_array_equal(program.run(graph, 0, machine).values, 0.5 ** np.arange(10))


def gathered(graph: gs.Graph, first: np.ndarray, along: Any) -> np.ndarray:
    u, v, w = ends(graph)
    bits = first.copy()
    while True:
        before = bits.copy()
        np.bitwise_or.at(bits, v, along(before[u], w))
        if np.array_equal(before, bits):
            return bits


GATHERED = [
    ("value", lambda v, w: v),
    ("value if weight % 2 else 0", lambda v, w: np.where(w % 2 != 0, v, v.dtype.type(0))),
]


def check_bits(machine: str, dtype: str) -> None:
    for graph in graphs():
        n = graph.vertices
        begin = np.random.default_rng(9).choice(n, min(n, 20), replace=False)
        first = np.zeros(n, dtype)
        first[begin] = np.left_shift(np.ones(len(begin), dtype), np.arange(len(begin), dtype=dtype))
        for text, along in GATHERED:
            result = gs.vertex_program("or", text, dtype).run(graph, begin, machine, values=first)
            np.testing.assert_array_equal(result.values, gathered(graph, first, along), text)
            assert result.left == 0


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("dtype", ["int32", "uint32", "int64", "uint64"])
def test_bits_are_gathered(machine: str, dtype: str) -> None:
    check_bits(machine, dtype)


@pytest.mark.gpu
@pytest.mark.skipif(nvrtc.find_nvrtc() is None, reason="no libnvrtc")
@pytest.mark.parametrize("machine", GPU_MACHINES)
@pytest.mark.parametrize("dtype", ["int32", "uint32", "int64", "uint64"])
def test_bits_are_gathered_on_gpus(machine: str, dtype: str) -> None:
    check_bits(machine, dtype)


def test_one_source_has_one() -> None:
    graph = gs.generate("grid:5x1")
    assert gs.vertex_program("or", "value", "int32").run(graph, 2).values.tolist() == [1] * 5
    halves = gs.vertex_program("sum", "value / 4", "float64", threshold=1e-6)
    values = halves.run(graph, 2).values
    assert values[2] > 1 and values[0] == values[4] < values[1] == values[3]


REFUSED: list[tuple[tuple[Any, ...], dict[str, Any], str]] = [
    (("xor", "value", "int32"), {}, "update 'xor' is none of min, max, or, sum"),
    (("or", "value", "float64"), {}, "'or' is for integers, not float64"),
    (("sum", "value", "float32"), {"threshold": 1}, "'sum' is for float64, not float32"),
    (("sum", "value", "float64"), {}, "needs a threshold"),
    (("sum", "value", "float64"), {"threshold": 0}, "threshold 0.0 is none from 1e-290"),
    (("sum", "value", "float64"), {"threshold": "much"}, "threshold"),
    (("min", "value", "float64"), {"threshold": 1}, "threshold is of update 'sum'"),
    (("sum", "value - 1", "float64"), {"threshold": 1}, "'value - 1' may be negative"),
]


@pytest.mark.parametrize(("arguments", "options", "says"), REFUSED)
def test_what_makes_no_sense_is_refused(
    arguments: tuple[Any, ...], options: dict[str, Any], says: str
) -> None:
    with pytest.raises(gs.UsageError, match=says):
        gs.vertex_program(*arguments, **options)


def test_sums_refuse_what_is_negative() -> None:
    graph = gs.from_edges(np.array([0, 1]), np.array([1, 2]), np.array([1.0, -2.0]), 3)
    program = gs.vertex_program("sum", "value * weight", "float64", threshold=1e-3)
    with pytest.raises(gs.InputError, match=r"has the weight -\S+, and sums only grow"):
        program.run(graph, 0)
    plain = gs.vertex_program("sum", "value / 2", "float64", threshold=1e-3)
    for wrong in (-1.0, np.nan, np.inf):
        with pytest.raises(gs.UsageError, match="initial value of vertex 1 is negative or no"):
            plain.run(graph, values=np.array([0, wrong, 0]))


def test_sums_that_grow_are_stopped() -> None:
    graph = gs.from_edges(np.array([0, 1]), np.array([1, 0]), None, 2)
    program = gs.vertex_program("sum", "value * 1.0", "float64", threshold=1e-3)
    with pytest.raises(gs.Timeout):
        program.run(graph, 0, "cpu:1", timeout=0.3)

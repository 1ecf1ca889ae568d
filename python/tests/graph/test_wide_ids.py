"""64-bit ids, as graphs of 2^31 vertices and more have them, on graphs that fit a test.

GOSSAMER_WIDE_IDS=on makes every path choose them: builder, generators, readers, writers, placement,
BFS and its verifier, statistics, partitions and the arrays that Python sees.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gossamer as gs
import numpy as np
import pytest


@pytest.fixture
def wide(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.setenv("GOSSAMER_WIDE_IDS", "on")
    return monkeypatch


def same(one: gs.Graph, other: gs.Graph) -> bool:
    return (
        np.array_equal(one.indptr, other.indptr)
        and np.array_equal(one.indices, other.indices)
        and (one.weights is None) == (other.weights is None)
        and (one.weights is None or np.array_equal(one.weights, other.weights))
        and one.symmetric == other.symmetric
        and np.array_equal(one.names, other.names)
    )


def narrow(make: Any, monkeypatch: pytest.MonkeyPatch) -> gs.Graph:
    """The graph that `make` makes with ids of 32 bits."""
    with monkeypatch.context() as usual:
        usual.delenv("GOSSAMER_WIDE_IDS")
        graph: gs.Graph = make()
    assert graph.id_width == 4 and graph.indices.dtype == np.int32
    return graph


@pytest.mark.parametrize(
    "spec",
    ["kron:10", "uniform:10:4", "grid:33x21", "road:40", "poisson:9x8x7", "band:300:4001"],
)
@pytest.mark.parametrize("threads", [1, 3])
def test_generators(spec: str, threads: int, wide: pytest.MonkeyPatch) -> None:
    graph = gs.generate(spec, threads=threads)
    assert graph.id_width == 8 and graph.indices.dtype == np.int64
    assert same(graph, narrow(lambda: gs.generate(spec), wide))


@pytest.mark.parametrize("threads", [1, 3])
def test_values_for_a_pattern_are_solved(threads: int, wide: pytest.MonkeyPatch) -> None:
    pattern = gs.matrix("poisson:20x20")
    graph = gs.with_values(pattern, 5, threads=threads)
    assert graph.id_width == 8
    assert same(graph, narrow(lambda: gs.with_values(gs.matrix("poisson:20x20"), 5), wide))
    b = np.ones(400)
    result = gs.CgSolver(graph, "cpu:2x1", rtol=1e-10).solve(b)
    assert result.converged
    gs.verify_cg(graph, b, result.x, rtol=1e-10, iterations=result.iterations)


@pytest.mark.parametrize("dtype", [None, np.int32, np.float32, np.float64])
def test_builder(dtype: Any, wide: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(3)
    u, v = random.integers(0, 5000, (2, 60000))
    w = None if dtype is None else random.integers(0, 9, 60000).astype(dtype)

    def make(**steps: bool) -> gs.Graph:
        return gs.from_edges(u, v, w, 6000, **steps)

    for steps in ({}, {"symmetrize": True, "deduplicate": True}, {"remove_self_loops": True}):
        graph = make(**steps)
        assert graph.id_width == 8
        graph.validate()
        usual = narrow(lambda: make(**steps), wide)  # noqa: B023
        assert same(graph, usual)
        assert same(graph.transposed(), usual.transposed())
        assert same(graph.largest_component(), usual.largest_component())
        assert graph.statistics(triangles=True) == usual.statistics(triangles=True)
        for method in ("ranges", "edges", "hash"):
            parts = graph.partition(method, 5)
            assert np.array_equal(parts, usual.partition(method, 5))
            assert graph.partition_quality(parts, 5) == usual.partition_quality(parts, 5)


@pytest.mark.parametrize("machine", ["cpu:1x1", "cpu:1x3", "cpu:2x1", "cpu:3x2"])
@pytest.mark.parametrize("partition", ["auto", "edges", "hash"])
@pytest.mark.parametrize("direction", ["auto", "top-down", "bottom-up"])
def test_bfs(machine: str, partition: str, direction: str, wide: pytest.MonkeyPatch) -> None:
    for graph in (gs.kronecker(11), gs.road(50), gs.from_edges([0, 1, 2, 5], [1, 2, 5, 9], n=700)):
        assert graph.id_width == 8
        placed = gs.Machine(machine).place(graph, partition=partition)
        assert placed._handle.id_width == 8
        source = gs.draw_sources(graph, 1)[0]
        search = gs.BfsSearch(placed, direction=direction, deterministic=True)
        result = search.run(source)
        result.verify()
        assert all(np.asarray(p.parents).dtype == np.int64 for p in result.parts)
        usual = gs.from_csr(graph.indptr, graph.indices.astype(np.int32))
        expected = gs.bfs(usual, source, "cpu:1x1", deterministic=True)
        assert np.array_equal(result.parents, expected.parents)
        assert np.array_equal(result.depths, expected.depths)


def test_the_verifier_finds_faults(wide: pytest.MonkeyPatch) -> None:
    graph = gs.kronecker(9)
    source = gs.draw_sources(graph, 1)[0]
    result = gs.bfs(graph, source, "cpu:2x1")
    parents, depths = result.parents.copy(), result.depths.copy()
    reached = np.flatnonzero(depths == depths.max())[0]
    depths[reached] += 1
    with pytest.raises(gs.VerificationError):
        gs.verify_bfs(graph, source, parents, depths)


@pytest.mark.parametrize("suffix", ["mtx", "gr", "npz", "gsr"])
def test_files(suffix: str, tmp_path: Path, wide: pytest.MonkeyPatch) -> None:
    graph = gs.road(30)
    path = tmp_path / f"g.{suffix}"
    graph.write(path)
    back = gs.read(path)
    assert back.id_width == 8
    back.validate()
    assert np.array_equal(back.indices, graph.indices)
    assert np.array_equal(back.weights, graph.weights)
    # What was written with 64-bit ids is read without the switch, and the reverse.
    wide.delenv("GOSSAMER_WIDE_IDS")
    assert np.array_equal(gs.read(path).indices, graph.indices)
    gs.road(30).write(path)
    wide.setenv("GOSSAMER_WIDE_IDS", "1")
    assert np.array_equal(gs.read(path).indices, graph.indices)


def test_text_and_scipy(small_file: Path, wide: pytest.MonkeyPatch) -> None:
    graph = gs.read(small_file)
    assert graph.id_width == 8 and graph.indices.dtype == np.int64
    assert same(graph, narrow(lambda: gs.read(small_file), wide))
    matrix = graph.to_scipy()
    assert matrix.indices.dtype == np.int64
    assert same(gs.from_scipy(matrix), gs.from_scipy(graph.to_scipy()))


def test_the_switch_is_checked(wide: pytest.MonkeyPatch) -> None:
    wide.setenv("GOSSAMER_WIDE_IDS", "wide")
    with pytest.raises(gs.UsageError, match="GOSSAMER_WIDE_IDS: expected on or off, got wide"):
        gs.kronecker(4)

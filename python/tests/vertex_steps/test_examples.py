"""The examples of steps over fields, against NetworkX or by what their results have to be."""

from __future__ import annotations

import importlib.util
import inspect
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gossamer as gs
import numpy as np
import pytest
from gossamer.program import nvrtc

try:
    import networkx as nx
except ImportError:  # on machines that nothing is installed on
    nx = None

FOLDER = Path(__file__).parents[3] / "examples" / "steps"
NAMES = sorted(path.stem for path in FOLDER.glob("*.py"))
on_gpus = [
    pytest.mark.gpu,
    pytest.mark.skipif(nvrtc.find_nvrtc() is None, reason="no libnvrtc"),
]
MACHINES = [
    "cpu:1x1", "cpu:3x1", "cpu:2x2",
    *(pytest.param(m, marks=on_gpus) for m in ("cuda:0", "cuda:0*3")),
]  # fmt: skip


def example(name: str) -> Any:
    """The function of that name."""
    spec = importlib.util.spec_from_file_location(f"steps_{name}", FOLDER / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, name)


def simple(graph: gs.Graph, weights: str | None = None) -> gs.Graph:
    """Without parallel arcs and self-loops, with weights that differ by arc, alike both ways."""
    graph = graph.rebuild(deduplicate=True, remove_self_loops=True)
    u = np.repeat(np.arange(graph.vertices), np.diff(graph.indptr))
    v = graph.indices
    w = None if weights is None else ((u + v) % 5 + 1 + (u * v) % 3).astype(weights)
    if weights is not None and np.dtype(weights).kind == "f":
        w = w / np.dtype(weights).type(7)
    return gs.from_edges(u, v, w, graph.vertices)


def random_arcs(n: int, arcs: int, seed: int) -> gs.Graph:
    return gs.from_edges(*np.random.default_rng(seed).integers(0, n, (2, arcs)), n=n)


FAMILIES: dict[str, Callable[[str | None], gs.Graph]] = {
    "kron": lambda w: simple(gs.kronecker(7), w),
    "road": lambda w: simple(gs.road(10), w),
    "uniform": lambda w: simple(gs.uniform(6, 6), w),
    "directed": lambda w: simple(random_arcs(80, 400, 1), w),
    "few arcs": lambda w: simple(random_arcs(90, 60, 2), w),
    "two vertices": lambda w: simple(gs.from_edges([0, 1], [1, 0]), w),
    "one arc": lambda w: simple(gs.from_edges([0], [1], n=2), w),
    "one vertex": lambda w: simple(gs.from_edges([0], [0]), w),
    "without arcs": lambda w: simple(gs.from_edges([0], [0], n=70), w),
}


def as_networkx(graph: gs.Graph) -> Any:
    made = nx.Graph() if graph.symmetric else nx.DiGraph()
    made.add_nodes_from(range(graph.vertices))
    tails = np.repeat(np.arange(graph.vertices), np.diff(graph.indptr)).tolist()
    heads = graph.indices.tolist()
    if graph.weights is None:
        made.add_edges_from(zip(tails, heads, strict=True))
    else:
        made.add_weighted_edges_from(zip(tails, heads, graph.weights.tolist(), strict=True))
    return made


def wanted_of(
    name: str, graph: gs.Graph, machine: str, by_networkx: Callable[[Any], Any], *others: Any
) -> Any:
    """What NetworkX finds; without it, on GPUs, what CPUs do."""
    if nx is not None:
        return by_networkx(as_networkx(graph))
    if machine.startswith("cpu"):
        pytest.skip("no networkx")
    return example(name)(graph, *others, machine="cpu:1x1")


def by_vertex(values: dict[int, Any]) -> np.ndarray:
    return np.array([values[v] for v in range(len(values))])


def neighbours(graph: gs.Graph) -> list[set[int]]:
    near: list[set[int]] = [set() for _ in range(graph.vertices)]
    for u in range(graph.vertices):
        for v in graph.indices[graph.indptr[u] : graph.indptr[u + 1]].tolist():
            near[u].add(v)
            near[v].add(u)
    return [near[v] - {v} for v in range(graph.vertices)]


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GOSSAMER_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


on_all = [
    pytest.mark.parametrize("machine", MACHINES),
    pytest.mark.parametrize("family", FAMILIES),
]


def everywhere(test: Any) -> Any:
    for mark in on_all:
        test = mark(test)
    return test


@everywhere
def test_core_numbers(family: str, machine: str) -> None:
    graph = FAMILIES[family](None)
    wanted = wanted_of("core_numbers", graph, machine, lambda g: by_vertex(nx.core_number(g)))
    np.testing.assert_array_equal(example("core_numbers")(graph, machine), wanted)


@everywhere
def test_hits(family: str, machine: str) -> None:
    """Largest singular vectors: where two values are equal they depend on where one begins."""
    graph = FAMILIES[family](None)
    hub, authority = example("hits")(graph, machine)
    matrix = graph.to_scipy().toarray() != 0 if graph.arcs else np.zeros([graph.vertices] * 2)
    values = np.linalg.svd(matrix.astype(float), compute_uv=False)
    if values.size < 2 or values[0] - values[1] <= 1e-2 * values[0]:
        assert graph.arcs == 0 or family in ("two vertices", "road", "few arcs")
        again = matrix @ authority
        np.testing.assert_allclose(hub, again / max(again.sum(), 1e-300), atol=1e-6)
        return
    wanted = wanted_of(
        "hits", graph, machine, lambda g: tuple(map(by_vertex, nx.hits(g, 10_000, 1e-12)))
    )
    np.testing.assert_allclose(hub, wanted[0], atol=1e-7)
    np.testing.assert_allclose(authority, wanted[1], atol=1e-7)


@everywhere
def test_katz(family: str, machine: str) -> None:
    graph = FAMILIES[family](None)
    found = example("katz")(graph, machine, alpha=0.01)
    n, arcs = graph.vertices, np.zeros([graph.vertices] * 2)
    arcs[np.repeat(np.arange(n), np.diff(graph.indptr)), graph.indices] = 1
    wanted = np.linalg.solve(np.eye(n) - 0.01 * arcs.T, np.ones(n))
    np.testing.assert_allclose(found, wanted / np.linalg.norm(wanted), rtol=1e-9)
    if nx is not None and n > 1:  # it takes no single vertex
        wanted = by_vertex(nx.katz_centrality_numpy(as_networkx(graph), alpha=0.01))
        np.testing.assert_allclose(found, wanted, rtol=1e-9)


@everywhere
@pytest.mark.parametrize("weights", ["int32", "float32", "float64"])
def test_weighted_pagerank(weights: str, family: str, machine: str) -> None:
    graph = FAMILIES[family](weights)
    wanted = wanted_of(
        "weighted_pagerank", graph, machine,
        lambda g: by_vertex(nx.pagerank(g, tol=1e-13, max_iter=1000)),
    )  # fmt: skip
    found = example("weighted_pagerank")(graph, machine)
    np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(found.sum(), 1)


@everywhere
def test_betweenness(family: str, machine: str) -> None:
    graph = FAMILIES[family](None)
    find, everyone = example("betweenness"), np.arange(graph.vertices)
    wanted = wanted_of(
        "betweenness", graph, machine,
        lambda g: by_vertex(nx.betweenness_centrality(g, normalized=False)), everyone,
    )  # fmt: skip
    found = find(graph, everyone, machine)
    np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-9)
    some = np.unique([0, graph.vertices // 2, graph.vertices - 1])
    wanted = wanted_of(
        "betweenness", graph, machine,
        lambda g: by_vertex(nx.betweenness_centrality_subset(g, some.tolist(), list(g))), some,
    )  # fmt: skip
    np.testing.assert_allclose(find(graph, some, machine), wanted, rtol=1e-9, atol=1e-9)
    assert find(graph, [], machine).tolist() == [0] * graph.vertices


@everywhere
def test_smallest_labels(family: str, machine: str) -> None:
    graph = FAMILIES[family](None)
    near, wanted = neighbours(graph), np.arange(graph.vertices)
    for v in range(graph.vertices):
        left = [v] if wanted[v] == v else []
        while left:
            further = [w for w in near[left.pop()] if wanted[w] > v]
            wanted[further] = v
            left += further
    np.testing.assert_array_equal(example("smallest_labels")(graph, machine), wanted)


@everywhere
@pytest.mark.parametrize("loops", [False, True])
def test_independent_set(loops: bool, family: str, machine: str) -> None:
    graph = FAMILIES[family](None)
    if loops:  # parallel arcs, too
        u = np.repeat(np.arange(graph.vertices), np.diff(graph.indptr))
        both = np.concatenate([u, u, np.arange(0, graph.vertices, 3)])
        graph = gs.from_edges(
            both, np.concatenate([graph.indices, graph.indices, both[2 * u.size :]]),
            n=graph.vertices,
        )  # fmt: skip
    near = neighbours(graph)
    sets = {}
    for seed in (1, 2, 3):
        chosen = example("independent_set")(graph, machine, seed=seed)
        assert chosen.dtype == bool
        for v in range(graph.vertices):
            assert chosen[v] != chosen[list(near[v])].any(), f"{v} of {near[v]}"
        sets[chosen.tobytes()] = seed
    if family in ("kron", "road", "uniform", "directed"):
        assert len(sets) > 1  # they are drawn


@everywhere
def test_colouring(family: str, machine: str) -> None:
    graph = FAMILIES[family](None)
    near = neighbours(graph)
    colour = example("colouring")(graph, machine)
    assert colour.min() == 0
    assert colour.max() <= max(map(len, near))
    for v in range(graph.vertices):
        beside = set(colour[list(near[v])].tolist())
        assert colour[v] not in beside
        assert beside >= set(range(colour[v]))  # greedy: the least that was left


@pytest.mark.parametrize("name", NAMES)
def test_they_are_short(name: str) -> None:
    assert len(NAMES) == 8
    function = example(name)
    source = inspect.getsource(function)
    body = re.split(r'"""\n', source, maxsplit=1)[1]
    lines = [line for line in body.splitlines() if line.strip()]
    assert 1 <= len(lines) <= 20, f"{name}: {len(lines)} lines"


def run(environment: dict[str, str], name: str, *machines: str) -> None:
    done = subprocess.run(
        [sys.executable, str(FOLDER / f"{name}.py"), *machines],
        capture_output=True, text=True, env=environment, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    lines = [line.split(": ", 1) for line in done.stdout.splitlines()]
    assert [machine for machine, _ in lines] == list(machines or ("cpu:1", "cpu:3"))
    assert len({found for _, found in lines}) == 1, done.stdout


@pytest.mark.parametrize("name", NAMES)
def test_they_run_as_programs(name: str, environment: dict[str, str]) -> None:
    run(environment, name)


@pytest.mark.skipif(nvrtc.find_nvrtc() is None, reason="no libnvrtc")
@pytest.mark.gpu
@pytest.mark.parametrize("name", NAMES)
def test_they_run_as_programs_on_gpus(name: str, environment: dict[str, str]) -> None:
    run(environment, name, "cpu:1", "cuda:0", "cuda:0*3")

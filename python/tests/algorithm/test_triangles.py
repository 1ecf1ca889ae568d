"""Triangles and clustering against NetworkX's and igraph's, their errors and command."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import gossamer as gs
import numpy as np
import pytest

if TYPE_CHECKING:
    from conftest import Cli

MACHINES = ["cpu:1x1", "cpu:1x2", "cpu:2x1", "cpu:3x1", "sim:peach2,ranks=4"]
FAMILIES = [
    "kron:8", "uniform:7:6", "star:90", "path:60", "cliques:9x12", "lollipop:30x20",
    "bipartite:6x90:3", "small-world:200:6:50", "mesh:5x5x4", "preferential:300:4", "road:14",
    "geometric:300:9", "web:300:6",
]  # fmt: skip


def _random(directed: bool, weights: str | None) -> gs.Graph:
    """With loops and parallel arcs."""
    draw = np.random.default_rng(5)
    ends = draw.integers(0, 120, (2, 1500))
    kind = {None: None, "int": np.int32, "float": np.float64}[weights]
    values = None if kind is None else draw.integers(1, 40, 1500).astype(kind)
    return gs.from_edges(ends[0], ends[1], values, n=130, symmetrize=not directed)


def _networkx(graph: gs.Graph, weighted: bool) -> Any:
    """The simple graph; of parallel arcs the smallest weight."""
    nx = pytest.importorskip("networkx")
    made = (nx.Graph if graph.symmetric else nx.DiGraph)()
    made.add_nodes_from(range(graph.vertices))
    tails = np.repeat(np.arange(graph.vertices), graph.degrees)
    values = np.asarray(graph.weights) if weighted else np.ones(graph.arcs)
    for u, v, w in zip(tails.tolist(), graph.indices.tolist(), values.tolist(), strict=True):
        least = min(w, made[u][v]["weight"]) if made.has_edge(u, v) else w
        made.add_edge(u, v, weight=least)
    return made


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("weights", [None, "int", "float"])
def test_agrees_with_networkx(machine: str, directed: bool, weights: str | None) -> None:
    nx = pytest.importorskip("networkx")
    graph = _random(directed, weights)
    weighted = weights is not None
    result = gs.triangles(graph, machine, weighted=weighted)
    theirs = _networkx(graph, weighted)
    expected = nx.clustering(theirs, weight="weight" if weighted else None)
    np.testing.assert_allclose(result.clustering, list(expected.values()), rtol=1e-9)
    assert result.average_clustering == pytest.approx(np.mean(list(expected.values())))
    simple = nx.Graph(theirs)
    assert result.total == sum(nx.triangles(simple).values()) // 3
    if not directed and not weighted:
        assert result.counts.tolist() == list(nx.triangles(simple).values())
        assert result.transitivity == pytest.approx(nx.transitivity(simple))
    gs.verify_triangles(graph, result.counts, weighted=weighted)


@pytest.mark.gpu
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("weights", [None, "int", "float"])
def test_gpus_find_what_cpus_find(directed: bool, weights: str | None) -> None:
    graph = _random(directed, weights)
    weighted = weights is not None
    here = gs.triangles(graph, "cpu:1x2", weighted=weighted)
    for machine in ("cuda:0", "cuda:0*3"):
        there = gs.triangles(graph, machine, weighted=weighted)
        np.testing.assert_allclose(there.counts, here.counts, rtol=1e-9)
        assert there.total == here.total and there.counts.dtype == here.counts.dtype
        np.testing.assert_array_equal(there.pairs, here.pairs)


@pytest.mark.parametrize("family", FAMILIES)
def test_agrees_with_igraph_on_families(family: str) -> None:
    ig = pytest.importorskip("igraph")
    graph = gs.generate(family)
    result = gs.triangles(graph, "cpu:1x2")
    tails = np.repeat(np.arange(graph.vertices), graph.degrees)
    theirs = ig.Graph(graph.vertices, np.column_stack([tails, graph.indices])).simplify()
    assert result.total == len(theirs.list_triangles())
    zero = theirs.transitivity_local_undirected(mode="zero")
    np.testing.assert_allclose(result.clustering, zero, rtol=1e-12)
    whole = theirs.transitivity_undirected()
    assert result.transitivity == pytest.approx(0 if np.isnan(whole) else whole)


@pytest.mark.parametrize("machine", MACHINES)
def test_one_vertex(machine: str) -> None:
    one = gs.triangles(gs.from_edges([0], [0], n=1), machine)
    assert one.counts.tolist() == one.pairs.tolist() == [0]
    assert (one.total, one.transitivity, one.average_clustering) == (0, 0, 0)


@pytest.mark.parametrize("symmetrize", [False, True])
def test_rows_in_any_order(symmetrize: bool) -> None:
    ends = np.random.default_rng(6).integers(0, 50, (2, 600))
    graph = gs.from_edges(ends[0], ends[1], n=50, symmetrize=symmetrize)
    rows = np.split(graph.indices, graph.indptr[1:-1])
    turned = np.concatenate([row[::-1] for row in rows])
    other = gs.from_csr(graph.indptr, turned, symmetric=symmetrize)
    found, expected = gs.triangles(other, "cpu:1x2"), gs.triangles(graph, "cpu:1x2")
    np.testing.assert_array_equal(found.counts, expected.counts)
    gs.verify_triangles(other, found.counts)


def test_results_say_what_they_are() -> None:
    graph = gs.from_edges([0, 1, 2, 2], [1, 2, 0, 3], symmetrize=True)
    search = gs.TrianglesSearch(graph, "cpu:1x1")
    first, again = search.run(), search.run()
    assert first.counts.tolist() == again.counts.tolist() == [1, 1, 1, 0]
    assert first.counts.dtype == np.int64
    assert first.pairs.tolist() == [1, 1, 3, 0]
    assert first.clustering.tolist() == [1, 1, 1 / 3, 0]
    assert (first.total, first.transitivity) == (1, 0.6)
    assert first[2] == 1 and "total=1" in repr(first)
    assert set(first.phases) == {"orient", "count", "collect"}
    assert again.phases["orient"] == 0
    assert first.engine == "sync"
    assert gs.TrianglesSearch.plan(graph, "cpu:1x1").total > 0


@pytest.mark.parametrize("weight", [5e-324, 1e-309, 1e308])
def test_weights_of_any_size_are_over_the_largest(weight: float) -> None:
    graph = gs.from_edges([0, 1, 2], [1, 2, 0], [weight] * 3, symmetrize=True)
    found = gs.triangles(graph, "cpu:1x1", weighted=True)
    assert found.clustering.tolist() == [1, 1, 1]
    gs.verify_triangles(graph, found.counts, weighted=True)
    with pytest.raises(gs.VerificationError, match="vertex 0 are given as inf"):
        gs.verify_triangles(graph, [np.inf, 1, 1], weighted=True)


def test_errors() -> None:
    graph = gs.from_edges([0, 1, 2], [1, 2, 0], symmetrize=True)
    with pytest.raises(gs.UsageError, match="has no weights for triangles to be worth"):
        gs.triangles(graph, "cpu:1x1", weighted=True)
    with pytest.raises(gs.UsageError, match="has no weights for triangles to be worth"):
        gs.verify_triangles(graph, [1, 1, 1], weighted=True)
    with pytest.raises(gs.VerificationError, match="vertex 1 are given as 2, and its edges find 1"):
        gs.verify_triangles(graph, [1, 2, 1])
    with pytest.raises(gs.VerificationError, match="one entry for each of the 3 vertices"):
        gs.verify_triangles(graph, [1, 1])
    gs.verify_triangles(graph, [1.0, 1.0, 1.0])
    gs.compare_triangles(graph, [1, 1, 1], [1.0, 1.0, 1.0])
    with pytest.raises(gs.VerificationError, match="vertex 2 has 1, expected 3"):
        gs.compare_triangles(graph, [1, 1, 1], [1, 1, 3])
    negative = gs.from_edges([0, 1, 2], [1, 2, 0], np.array([1.0, -1.0, 1.0]), symmetrize=True)
    with pytest.raises(gs.InputError, match="triangles needs"):
        gs.triangles(negative, "cpu:1x1", weighted=True)
    with pytest.raises(gs.CapacityError):
        gs.triangles(graph, "cpu:1x1", memory=100)


def test_command(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "triangles.npz"
    said = cli("triangles", "kron:8", "--machine", "cpu:1x2", "--verify", "--output", str(file))
    result = gs.triangles(gs.kronecker(8), "cpu:1x1")
    assert f"{result.total:,}" in said.stdout and "yes" in said.stdout
    with np.load(file) as arrays:
        np.testing.assert_array_equal(arrays["triangles"], result.counts)
        np.testing.assert_array_equal(arrays["clustering"], result.clustering)
    np.savetxt(tmp_path / "counts.txt", result.counts, "%d")
    with_file = ("--verify-with", str(tmp_path / "counts.txt"))
    found = cli.json("triangles", "kron:8", "--machine", "cpu:1x1", *with_file)
    run = found["runs"][0]
    assert (run["triangles"], run["verified"]) == (result.total, True)
    assert run["transitivity"] == pytest.approx(result.transitivity)
    assert run["average_clustering"] == pytest.approx(result.average_clustering)
    assert cli("triangles", "kron:8", "--verify-with", str(file)).returncode == 0
    weights = ("triangles", "kron:8", "--weights", "--weighted", "--verify")
    worth = cli.json(*weights, "--machine", "cpu:1x1")["runs"][0]
    assert worth["triangles"] == result.total and worth["verified"] is True
    assert "memory plan" in cli("triangles", "kron:8", "--plan").stdout
    refused = cli.fails(2, "triangles", "kron:6", "--partition", "hash")
    assert "all ranks read the same rows, and none owns vertices" in refused
    assert "has no weights" in cli.fails(2, "triangles", "kron:6", "--weighted")


def test_a_run_ends_in_time() -> None:
    graph = gs.kronecker(16)
    with pytest.raises(gs.Timeout, match=r"triangles did not end within 0\.001 s"):
        gs.triangles(graph, "cpu:1x1", timeout=0.001)
    assert gs.triangles(graph, "cpu:1x1").total == graph.count_triangles()

"""Spanning forests against NetworkX's, SciPy's and igraph's, their errors and command."""

from __future__ import annotations

import pickle
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


def _random(weights: Any) -> gs.Graph:
    """With loops and parallel arcs of several weights, and many equal ones."""
    draw = np.random.default_rng(5)
    ends = draw.integers(0, 120, (2, 900))
    values = None if weights is None else draw.integers(-9, 9, 900).astype(weights)
    return gs.from_edges(ends[0], ends[1], values, n=130, symmetrize=True)


def _networkx(graph: gs.Graph) -> Any:
    """Edges in the order of their arcs, with the arcs."""
    nx = pytest.importorskip("networkx")
    made = nx.MultiGraph()
    made.add_nodes_from(range(graph.vertices))
    tails = np.repeat(np.arange(graph.vertices), graph.degrees)
    weights = np.ones(graph.arcs) if graph.weights is None else graph.weights
    ends = zip(tails.tolist(), graph.indices.tolist(), weights.tolist(), strict=True)
    made.add_edges_from(
        (u, v, {"weight": w, "arc": i}) for i, (u, v, w) in enumerate(ends) if u < v
    )
    return made


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("weights", [None, np.int32, np.float32, np.float64])
def test_agrees_with_networkx(machine: str, weights: Any) -> None:
    nx = pytest.importorskip("networkx")
    graph = _random(weights)
    result = gs.spanning_forest(graph, machine)
    theirs = list(nx.minimum_spanning_edges(_networkx(graph), keys=False))
    assert result.arcs.tolist() == sorted(data["arc"] for _, _, data in theirs)
    assert result.weight == sum(data["weight"] for _, _, data in theirs)
    assert result.trees == graph.vertices - len(theirs)
    gs.verify_spanning_forest(graph, result.arcs)


@pytest.mark.parametrize("family", FAMILIES)
def test_agrees_with_scipy_and_igraph_on_families(family: str) -> None:
    csgraph = pytest.importorskip("scipy.sparse.csgraph")
    ig = pytest.importorskip("igraph")
    graph = gs.generate(family, weights=True)
    results = [gs.spanning_forest(graph, machine) for machine in ("cpu:1x1", "cpu:1x2")]
    np.testing.assert_array_equal(results[0].arcs, results[1].arcs)
    simple = graph.rebuild(deduplicate=True, remove_self_loops=True)
    assert results[0].weight == csgraph.minimum_spanning_tree(simple.to_scipy()).sum()
    tails = np.repeat(np.arange(graph.vertices), graph.degrees)
    once = tails < graph.indices
    theirs = ig.Graph(graph.vertices, np.column_stack([tails[once], graph.indices[once]]))
    weights = np.asarray(graph.weights)[once]
    assert results[0].weight == weights[theirs.spanning_tree(weights, return_tree=False)].sum()


@pytest.mark.parametrize("machine", MACHINES)
def test_one_vertex(machine: str) -> None:
    one = gs.spanning_forest(gs.from_edges([0], [0], n=1, symmetrize=True), machine)
    assert (one.arcs.tolist(), one.trees, one.weight) == ([], 1, 0)


def _triangle(weights: Any = None) -> gs.Graph:
    return gs.from_edges([0, 1, 2, 2], [1, 2, 0, 3], weights, symmetrize=True)


def test_results_say_what_they_are() -> None:
    graph = _triangle(np.array([3, 1, 2, 5], np.int32))
    search = gs.SpanningForestSearch(graph, "cpu:1x1")
    first, again = search.run(), search.run()
    # The rows: 0: 1 2, 1: 0 2, 2: 0 1 3, 3: 2.
    assert first.arcs.tolist() == again.arcs.tolist() == [1, 3, 6]
    assert first.arcs.dtype == np.int64
    assert (first.trees, first.weight, type(first.weight)) == (1, 8, int)
    assert list(first.named_edges()) == [(0, 2, 2), (1, 2, 1), (2, 3, 5)]
    assert (first.tails.tolist(), first.heads.tolist()) == ([0, 1, 2], [2, 2, 3])
    assert "edges=3, trees=1, weight=8" in repr(first) and "weight" in first._repr_html_()
    assert set(first.phases) == {"gather", "join", "collect"}
    assert first.engine == "sync"
    assert gs.SpanningForestSearch.plan(graph, "cpu:1x1").total > 0
    copy = pickle.loads(pickle.dumps(first))
    assert list(copy.named_edges()) == list(first.named_edges())
    bare = gs.spanning_forest(_triangle(), "cpu:1x1")
    assert (bare.arcs.tolist(), bare.weight, type(bare.weight)) == ([0, 1, 6], 3, int)
    assert bare.weights.tolist() == [1, 1, 1]
    real = gs.spanning_forest(_triangle(np.array([0.5, 0.25, -1, 0])), "cpu:1x1")
    assert (real.arcs.tolist(), real.weight) == ([1, 3, 6], -0.75)


def test_edges_by_name_as_a_frame() -> None:
    pytest.importorskip("pandas")
    names = ["ann", "bob", "cy"]
    graph = gs.from_edges(["ann", "bob"], ["bob", "cy"], np.array([2.5, 4]), symmetrize=True)
    assert sorted(graph.names.tolist()) == names
    frame = gs.spanning_forest(graph, "cpu:1x1").to_frame()
    assert frame.values.tolist() == [["ann", "bob", 2.5], ["bob", "cy", 4.0]]
    assert list(frame.columns) == ["from", "to", "weight"] and frame.index.name == "arc"


def test_errors() -> None:
    graph = _triangle(np.array([3, 1, 2, 5], np.int32))
    with pytest.raises(gs.UsageError, match=r"is directed, .* rebuild\(symmetrize=True\)"):
        gs.spanning_forest(gs.from_edges([0, 1], [1, 2]), "cpu:1x1")
    with pytest.raises(gs.UsageError, match="is directed"):
        gs.verify_spanning_forest(gs.from_edges([0, 1], [1, 2]), [0])
    with pytest.raises(gs.VerificationError, match="the edge 1 - 2 comes before 0 - 1, which is"):
        gs.verify_spanning_forest(graph, [0, 1, 6])
    with pytest.raises(gs.VerificationError, match="the edge 2 - 3 joins two trees"):
        gs.verify_spanning_forest(graph, [1, 3])
    with pytest.raises(gs.VerificationError, match="closes a circle"):
        gs.verify_spanning_forest(graph, [0, 1, 3, 6])
    gs.verify_spanning_forest(graph, [6.0, 1.0, 3.0])
    gs.verify_spanning_forest(_triangle(), [1, 3, 6], any_of_equals=True)
    with pytest.raises(gs.VerificationError, match="comes before"):
        gs.verify_spanning_forest(_triangle(), [1, 3, 6])
    with pytest.raises(gs.UsageError, match="verify_spanning_forest: any_of_equals: expected"):
        gs.verify_spanning_forest(graph, [1, 3, 6], any_of_equals=1)  # type: ignore[arg-type]
    for wrong in (["two"], [2.5], [np.nan]):
        with pytest.raises(gs.UsageError, match="verify_spanning_forest: arcs"):
            gs.verify_spanning_forest(graph, wrong)
    gs.compare_spanning_forests(graph, [1, 3, 6], [6, 3, 1])
    with pytest.raises(gs.VerificationError, match="the edge 0 - 1 is expected to be in it"):
        gs.compare_spanning_forests(graph, [1, 3, 6], [0, 1, 3, 6])
    with pytest.raises(gs.VerificationError, match="the edge 2 - 3 is expected not to be in it"):
        gs.compare_spanning_forests(graph, [1, 3, 6], [1, 3])
    with pytest.raises(gs.VerificationError, match="there is no arc 8"):
        gs.compare_spanning_forests(graph, [1, 3, 6], [1, 3, 8])
    with pytest.raises(gs.CapacityError):
        gs.spanning_forest(graph, "cpu:1x1", memory=10)
    with pytest.raises(gs.InputError, match="; spanning_forest needs finite weights"):
        gs.spanning_forest(_triangle(np.array([3, np.inf, 2, 5])), "cpu:1x1")


def test_command(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "forest.npz"
    given = ("spanning-forest", "road:20", "--weights", "--machine", "cpu:1x2")
    said = cli(*given, "--verify", "--output", str(file))
    graph = gs.generate("road:20", weights=True)
    result = gs.spanning_forest(graph, "cpu:1x1")
    assert f"{result.weight:,}" in said.stdout and "yes" in said.stdout
    with np.load(file) as arrays:
        np.testing.assert_array_equal(arrays["arcs"], result.arcs)
        np.testing.assert_array_equal(arrays["tails"], result.tails)
        np.testing.assert_array_equal(arrays["heads"], result.heads)
        np.testing.assert_array_equal(arrays["weights"], result.weights)
    np.savetxt(tmp_path / "arcs.txt", result.arcs, "%d")
    found = cli.json(*given, "--verify-with", str(tmp_path / "arcs.txt"))
    run = found["runs"][0]
    assert (run["edges"], run["trees"]) == (len(result.arcs), result.trees)
    assert (run["weight"], run["verified"]) == (result.weight, True)
    np.savetxt(tmp_path / "arcs.txt", result.arcs[1:], "%d")
    other = cli(*given, "--verify-with", str(tmp_path / "arcs.txt"))
    assert other.returncode == 3 and "is expected not to be in it" in other.stderr
    assert "memory plan" in cli("spanning-forest", "kron:8", "--plan").stdout
    refused = cli.fails(2, "spanning-forest", "kron:6", "--partition", "hash")
    assert "all ranks read the same rows, and none owns vertices" in refused


@pytest.mark.parametrize(("name", "weight"), [("road-NY", 261159288), ("road-BAY", 435798417)])
def test_roads(data: Path, name: str, weight: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOSSAMER_DATA", str(data))
    graph = gs.datasets.load(name)
    found = gs.spanning_forest(graph, "cpu:1x2")
    assert (found.weight, found.trees) == (weight, 1)
    gs.verify_spanning_forest(graph, found.arcs)


def test_directed_files_say_what_to_do(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "one.txt").write_text("0 1\n1 2\n")
    assert "--symmetrize" in cli.fails(2, "spanning-forest", "one.txt")
    assert cli.json("spanning-forest", "one.txt", "--symmetrize")["runs"][0]["edges"] == 2
    (tmp_path / "bad.txt").write_text("0 1\n1 two\n")
    assert "bad.txt:2" in cli.fails(2, "spanning-forest", "bad.txt")


def test_files_with_negative_weights(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "two.txt").write_text("0 1 -3\n1 2 4\n2 0 -1\n3 4 2.5\n")
    run = cli.json("spanning-forest", "two.txt", "--symmetrize", "--verify")["runs"][0]
    assert (run["weight"], run["trees"], run["verified"]) == (-1.5, 2, True)
    (tmp_path / "large.txt").write_text("0 1 9007199254740993\n")
    said = cli.fails(2, "spanning-forest", "large.txt", "--symmetrize")
    assert "large.txt:1: weight '9007199254740993' is too large to be exact" in said


def test_a_run_ends_in_time() -> None:
    graph = gs.kronecker(16)
    with pytest.raises(gs.Timeout, match=r"spanning_forest did not end within 0\.001 s"):
        gs.spanning_forest(graph, "cpu:1x1", timeout=0.001)
    gs.verify_spanning_forest(graph, gs.spanning_forest(graph, "cpu:1x1").arcs)

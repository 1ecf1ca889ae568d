"""Communities and modularity against NetworkX's and igraph's; quality, errors, command."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import gossamer as gs
import numpy as np
import pytest

if TYPE_CHECKING:
    from conftest import Cli

MACHINES = ["cpu:1x1", "cpu:1x2", "cpu:2x1", "cpu:3x1", "sim:peach2,ranks=4"]
FAMILIES = ["kron:8", "uniform:7:6", "star:90", "path:60", "cliques:9x12", "road:14"]
METHODS = ["louvain", "leiden"]


def _random(arcs: int, weights: str, seed: int = 5) -> gs.Graph:
    """With loops and parallel arcs."""
    rng = np.random.default_rng(seed)
    ends = rng.integers(0, 120, (2, arcs))
    drawn: Any = {
        "none": None,
        "int32": rng.integers(0, 9, arcs).astype(np.int32),
        "float64": rng.random(arcs),
    }[weights]
    return gs.from_edges(ends[0], ends[1], drawn, n=130, symmetrize=True)


def _networkx(graph: gs.Graph) -> Any:
    nx = pytest.importorskip("networkx")
    made = nx.MultiGraph()
    made.add_nodes_from(range(graph.vertices))
    tails = np.repeat(np.arange(graph.vertices), graph.degrees)
    weights = np.ones(graph.arcs) if graph.weights is None else np.asarray(graph.weights)
    once = tails <= graph.indices
    columns = (tails[once].tolist(), graph.indices[once].tolist(), weights[once].tolist())
    made.add_weighted_edges_from(zip(*columns, strict=True))
    return made


def _sets(labels: Any) -> list[set[int]]:
    return [set(np.flatnonzero(labels == label).tolist()) for label in np.unique(labels)]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("weights", ["none", "int32", "float64"])
@pytest.mark.parametrize("resolution", [0.5, 1, 2.5])
def test_modularity_is_networkxs(method: str, weights: str, resolution: float) -> None:
    nx = pytest.importorskip("networkx")
    graph = _random(300, weights)
    one: Any = None
    for machine in MACHINES:
        found = gs.communities(graph, machine, method=method, resolution=resolution, seed=3)
        one = one if one is not None else found
        np.testing.assert_array_equal(found.labels, one.labels)
        assert found.modularity == one.modularity
    theirs = nx.community.modularity(_networkx(graph), _sets(one.labels), resolution=resolution)
    assert one.modularity == pytest.approx(theirs, abs=1e-12)
    assert gs.modularity(graph, one.labels, resolution) == one.modularity
    gs.verify_communities(
        graph, one.labels, one.modularity, resolution=resolution, connected=method == "leiden"
    )


@pytest.mark.parametrize("family", FAMILIES)
def test_as_good_as_networkxs(family: str) -> None:
    nx = pytest.importorskip("networkx")
    graph = gs.generate(family)
    given = _networkx(graph)
    theirs = np.mean([
        nx.community.modularity(given, nx.community.louvain_communities(given, seed=seed))
        for seed in range(4)
    ])  # fmt: skip
    for method in METHODS:
        ours = np.mean([
            gs.communities(graph, "cpu:1x2", method=method, seed=seed).modularity
            for seed in range(4)
        ])  # fmt: skip
        assert ours >= 0.99 * theirs - 1e-12


@pytest.mark.parametrize(
    ("name", "networkx"), [("enron", 0.61641), ("slashdot", 0.34593)]
)  # fmt: skip
def test_as_good_as_networkxs_on_real_graphs(
    data: Path, name: str, networkx: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`networkx`: the mean of louvain_communities with seeds 0 to 9, on the simple graphs."""
    monkeypatch.setenv("GOSSAMER_DATA", str(data))
    graph = gs.datasets.load(name).rebuild(
        symmetrize=True, deduplicate=True, remove_self_loops=True
    )
    for method in METHODS:
        found = [
            gs.communities(graph, "cpu:1x2", method=method, seed=seed) for seed in range(10)
        ]  # fmt: skip
        assert np.mean([one.modularity for one in found]) >= 0.99 * networkx
        gs.verify_communities(
            graph, found[0].labels, found[0].modularity, connected=method == "leiden"
        )


def test_modularity_of_any_labels() -> None:
    graph = gs.from_edges([0, 1, 2, 2, 3, 4], [1, 2, 0, 3, 4, 5], symmetrize=True)
    right = gs.modularity(graph, [0, 0, 0, 3, 3, 3])
    assert right == pytest.approx(5 / 6 - (49 + 25) / 144)
    for labels in (
        [7, 7, 7, -1, -1, -1],
        [10**12] * 3 + [5] * 3,
        np.array([1, 1, 1, 0, 0, 0], "u1"),
    ):
        assert gs.modularity(graph, labels) == right
    assert gs.modularity(graph, np.arange(6), 0) == 0
    assert gs.modularity(gs.from_edges([], [], n=3, symmetrize=True), [0, 1, 2]) == 0
    ig = pytest.importorskip("igraph")
    tails = np.repeat(np.arange(6), graph.degrees)
    once = tails < graph.indices
    theirs = ig.Graph(6, np.column_stack([tails[once], graph.indices[once]]))
    assert right == pytest.approx(theirs.modularity([0, 0, 0, 1, 1, 1]))


def test_results_say_what_they_are() -> None:
    graph = gs.from_edges([0, 1, 2, 3, 4, 3, 2], [1, 2, 0, 4, 5, 5, 3], symmetrize=True)
    search = gs.CommunitiesSearch(graph, "cpu:1x1", method="leiden")
    first, again = search.run(), search.run()
    assert first.labels.tolist() == again.labels.tolist() == [0, 0, 0, 3, 3, 3]
    assert (first.count, first.largest, first.largest_label) == (2, 3, 0)
    assert first.modularity == pytest.approx(6 / 7 - 0.5)
    assert first.levels >= 2 and first.rounds >= first.levels
    assert first[5] == 3 and "count=2" in repr(first) and "modularity=" in repr(first)
    assert set(first.phases) == {"move", "refine", "contract"}
    assert first.engine == "sync"
    assert gs.CommunitiesSearch.plan(graph, "cpu:1x1").total > 0
    alone = gs.communities(graph, "cpu:1x1", resolution=100)
    assert alone.count == 6
    named = gs.from_edges(["b", "a"], ["a", "c"], symmetrize=True)
    assert gs.communities(named, "cpu:1x1", resolution=0)["c"] == "b"


def test_errors() -> None:
    graph = gs.from_edges([0, 1, 2, 2], [1, 2, 0, 3], symmetrize=True)
    with pytest.raises(gs.UsageError, match=r"is directed, .* rebuild\(symmetrize=True\)"):
        gs.communities(gs.from_edges([0], [1]), "cpu:1x1")
    with pytest.raises(gs.UsageError, match=r"modularity: .* is directed"):
        gs.modularity(gs.from_edges([0], [1]), [0, 1])
    with pytest.raises(gs.UsageError, match="unknown method 'plm'"):
        gs.communities(graph, "cpu:1x1", method="plm")
    with pytest.raises(gs.UsageError, match="resolution"):
        gs.communities(graph, "cpu:1x1", resolution=float("nan"))
    with pytest.raises(gs.UsageError, match="iterations 0 is less than 1"):
        gs.communities(graph, "cpu:1x1", iterations=0)
    with pytest.raises(gs.UsageError, match="labels need one entry for each of the 4"):
        gs.modularity(graph, [0, 0])
    with pytest.raises(gs.UsageError, match="modularity: labels"):
        gs.modularity(graph, ["a", "b", "c", "d"])
    with pytest.raises(gs.UsageError, match="resolution is negative"):
        gs.modularity(graph, [0, 0, 0, 0], -1)
    with pytest.raises(gs.VerificationError, match=r"the modularity is 0, not 0\.5"):
        gs.verify_communities(graph, [0, 0, 0, 0], 0.5)
    with pytest.raises(gs.VerificationError, match="which is not the smallest vertex with it"):
        gs.verify_communities(graph, [1, 1, 1, 1], 0)
    q = gs.modularity(graph, [0, 1, 1, 0])
    gs.verify_communities(graph, [0, 1, 1, 0], q)
    with pytest.raises(gs.VerificationError, match="vertex 3 is not connected to 0 within"):
        gs.verify_communities(graph, [0, 1, 1, 0], q, connected=True)
    with pytest.raises(gs.CapacityError):
        gs.communities(graph, "cpu:1x1", memory=10)
    weighted = gs.from_edges([0, 1], [1, 2], np.array([1.0, -1.0]), symmetrize=True)
    with pytest.raises(gs.InputError, match="communities needs finite weights of zero or more"):
        gs.communities(weighted, "cpu:1x1")
    with pytest.raises(gs.InputError, match="modularity needs finite weights of zero or more"):
        gs.modularity(weighted, [0, 0, 0])


def test_command(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "arcs.txt").write_text("0 1\n1 2\n2 0\n2 3\n3 4\n4 5\n5 3\n")
    given = ("arcs.txt", "--symmetrize", "--machine", "cpu:1x2", "--verify")
    said = cli("communities", *given, "--method", "leiden", "--output", "labels.npz")
    assert "yes" in said.stdout and "0.357143" in said.stdout
    with np.load(tmp_path / "labels.npz") as arrays:
        assert arrays["labels"].tolist() == [0, 0, 0, 3, 3, 3]
    run = cli.json("communities", *given, "--verify-with", "labels.npz")["runs"][0]
    assert (run["communities"], run["largest"], run["largest_from"]) == (2, 3, 0)
    assert run["modularity"] == pytest.approx(6 / 7 - 0.5) and run["verified"] is True
    more = cli.json("communities", *given, "--resolution", "9", "--seed", "4")
    assert more["runs"][0]["communities"] == 6
    assert "memory plan" in cli("communities", "kron:8", "--plan").stdout
    refused = cli.fails(2, "communities", "kron:6", "--partition", "hash")
    assert "all ranks read the same rows, and none owns vertices" in refused
    assert "--symmetrize" in cli.fails(2, "communities", "arcs.txt")
    (tmp_path / "bad.txt").write_text("0 1\n1 two\n")
    assert "bad.txt:2" in cli.fails(2, "communities", "bad.txt")


def test_a_run_ends_in_time() -> None:
    graph = gs.kronecker(16)
    with pytest.raises(gs.Timeout, match=r"communities did not end within 0\.001 s"):
        gs.communities(graph, "cpu:1x1", timeout=0.001)
    found = gs.communities(graph, "cpu:1x1")
    gs.verify_communities(graph, found.labels, found.modularity)

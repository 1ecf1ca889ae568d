"""Strong components and condensations against NetworkX's, SciPy's and igraph's; errors, command."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import gossamer as gs
import numpy as np
import pytest

if TYPE_CHECKING:
    from conftest import Cli

MACHINES = ["cpu:1x1", "cpu:1x2", "cpu:2x1", "cpu:3x1", "sim:peach2,ranks=4"]
FAMILIES = ["kron:8", "uniform:7:6", "star:90", "path:60", "cliques:9x12", "road:14", "web:300:6"]


def _random(arcs: int, seed: int = 5) -> gs.Graph:
    """With loops and parallel arcs."""
    ends = np.random.default_rng(seed).integers(0, 120, (2, arcs))
    return gs.from_edges(ends[0], ends[1], n=130)


def _networkx(graph: gs.Graph) -> Any:
    nx = pytest.importorskip("networkx")
    made = nx.MultiDiGraph()
    made.add_nodes_from(range(graph.vertices))
    tails = np.repeat(np.arange(graph.vertices), graph.degrees)
    made.add_edges_from(zip(tails.tolist(), graph.indices.tolist(), strict=True))
    return made


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("arcs", [0, 80, 130, 160, 300])
def test_agrees_with_networkx(machine: str, arcs: int) -> None:
    nx = pytest.importorskip("networkx")
    graph = _random(arcs)
    result = gs.strong_components(graph, machine)
    theirs = list(nx.strongly_connected_components(_networkx(graph)))
    labels = {v: min(part) for part in theirs for v in part}
    assert result.labels.tolist() == [labels[v] for v in range(graph.vertices)]
    assert (result.count, result.largest) == (len(theirs), max(map(len, theirs)))
    gs.verify_strong_components(graph, result.labels)


@pytest.mark.parametrize("family", FAMILIES)
def test_agrees_with_scipy_and_igraph_on_families(family: str) -> None:
    csgraph = pytest.importorskip("scipy.sparse.csgraph")
    ig = pytest.importorskip("igraph")
    graph = gs.generate(family)
    tails = np.repeat(np.arange(graph.vertices), graph.degrees)
    one_way = (tails < graph.indices) | ((tails + graph.indices) % 3 == 0)
    graph = gs.from_edges(tails[one_way], graph.indices[one_way], n=graph.vertices)
    result = gs.strong_components(graph, "cpu:1x2")
    count, labels = csgraph.connected_components(graph.to_scipy(), connection="strong")
    assert result.count == count
    gs.compare_labels(graph, result.labels, labels)
    ends = np.column_stack([tails[one_way], graph.indices])
    theirs = ig.Graph(graph.vertices, ends, directed=True).connected_components(mode="strong")
    gs.compare_labels(graph, result.labels, np.array(theirs.membership))


@pytest.mark.parametrize("arcs", [0, 80, 130, 160, 300])
def test_condensations_are_networkxs(arcs: int) -> None:
    nx = pytest.importorskip("networkx")
    graph = _random(arcs)
    labels = gs.strong_components(graph, "cpu:1x1").labels
    made = gs.condensation(graph, labels)
    first = np.unique(labels)
    assert made.names.tolist() == first.tolist()
    parts = sorted(map(sorted, nx.strongly_connected_components(_networkx(graph))))
    theirs = nx.condensation(_networkx(graph), parts)
    tails = np.repeat(np.arange(made.vertices), made.degrees)
    found = list(zip(tails.tolist(), made.indices.tolist(), strict=True))
    assert found == sorted(theirs.edges)
    assert made.statistics().strong_components == made.vertices


def test_condensations_keep_names() -> None:
    graph = gs.from_edges(["b", "c", "a", "b"], ["c", "b", "b", "d"])
    made = gs.condensation(graph, gs.strong_components(graph, "cpu:1x1").labels)
    assert made.names.tolist() == ["b", "a", "d"]
    assert made.indices.tolist() == [2, 0] and made.indptr.tolist() == [0, 1, 2, 2]


def test_results_say_what_they_are() -> None:
    graph = gs.from_edges([0, 1, 2, 2], [1, 2, 0, 3])
    search = gs.StrongComponentsSearch(graph, "cpu:1x1")
    first, again = search.run(), search.run()
    assert first.labels.tolist() == again.labels.tolist() == [0, 0, 0, 3]
    assert (first.count, first.largest, first.largest_label, first.trimmed) == (2, 3, 0, 1)
    assert first[2] == 0 and "count=2" in repr(first)
    assert set(first.phases) == {"reverse", "search", "trim", "rest"}
    assert again.phases["reverse"] == 0
    assert first.engine == "sync"
    assert gs.StrongComponentsSearch.plan(graph, "cpu:1x1").total > 0
    both = graph.rebuild(symmetrize=True)
    np.testing.assert_array_equal(
        gs.strong_components(both, "cpu:1x1").labels, gs.components(both, "cpu:1x1").labels
    )


def test_errors() -> None:
    graph = gs.from_edges([0, 1, 2, 2], [1, 2, 0, 3])
    with pytest.raises(gs.VerificationError, match="no path within it leads from 3 to 0"):
        gs.verify_strong_components(graph, [0, 0, 0, 0])
    with pytest.raises(gs.VerificationError, match="arcs lead in a circle through several"):
        gs.verify_strong_components(graph, [0, 1, 2, 3])
    with pytest.raises(gs.VerificationError, match="which is not the smallest vertex with it"):
        gs.verify_strong_components(graph, [1, 1, 1, 3])
    for check in (gs.verify_strong_components, gs.condensation):
        with pytest.raises(gs.VerificationError, match="one entry for each of the 4 vertices"):
            check(graph, [0, 0])
        with pytest.raises(gs.UsageError, match=f"{check.__name__}: labels"):
            check(graph, ["none"] * 4)
    for strange in (-1, 4, 1 << 31):
        with pytest.raises(gs.VerificationError, match=f"are vertices, and {strange} is none$"):
            gs.condensation(graph, [0, 0, 0, strange])
    # Components are named by their labels: 2 as the label of 1 would name it so.
    for labels in ([1, 1, 1, 3], [0, 2, 2, 3]):
        with pytest.raises(gs.VerificationError, match=r"label [12] is not the smallest vertex"):
            gs.condensation(graph, labels)
    with pytest.raises(gs.CapacityError):
        gs.strong_components(graph, "cpu:1x1", memory=10)


def test_command(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "arcs.txt").write_text("0 1\n1 2\n2 0\n2 3\n")
    given = ("arcs.txt", "--machine", "cpu:1x2", "--verify")
    said = cli("strong-components", *given, "--output", "labels.npz")
    assert "yes" in said.stdout
    with np.load(tmp_path / "labels.npz") as arrays:
        assert arrays["labels"].tolist() == [0, 0, 0, 3]
    run = cli.json("strong-components", *given, "--verify-with", "labels.npz")["runs"][0]
    assert (run["components"], run["largest"], run["largest_from"]) == (2, 3, 0)
    assert (run["trimmed"], run["verified"]) == (1, True)
    assert "memory plan" in cli("strong-components", "kron:8", "--plan").stdout
    refused = cli.fails(2, "strong-components", "kron:6", "--partition", "hash")
    assert "all ranks read the same rows, and none owns vertices" in refused
    (tmp_path / "bad.txt").write_text("0 1\n1 two\n")
    assert "bad.txt:2" in cli.fails(2, "strong-components", "bad.txt")


def test_components_strong(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "arcs.txt").write_text("0 1\n1 2\n2 0\n2 3\n")
    found = cli.json("components", "arcs.txt", "--strong", "--machine", "cpu:1x1", "--verify")
    assert (found["algorithm"], found["runs"][0]["components"]) == ("strong-components", 2)
    refused = cli.fails(2, "components", "arcs.txt", "--strong", "--deterministic")
    assert "--strong: --deterministic is of weak components" in refused


def test_of_the_web(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOSSAMER_DATA", str(data))
    graph = gs.datasets.load("cnr-2000")
    found = gs.strong_components(graph, "cpu:1x2")
    assert (found.count, found.largest) == (100977, 112023)
    gs.verify_strong_components(graph, found.labels)


def test_a_run_ends_in_time() -> None:
    graph = gs.kronecker(16)
    with pytest.raises(gs.Timeout, match=r"strong_components did not end within 0\.0001 s"):
        gs.strong_components(graph, "cpu:1x1", timeout=0.0001)
    gs.verify_strong_components(graph, gs.strong_components(graph, "cpu:1x1").labels)

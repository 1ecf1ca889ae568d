"""Betweenness of vertices and edges against NetworkX's and igraph's; errors, the command."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import TYPE_CHECKING, Any

import gossamer as gs
import numpy as np
import pytest
from gossamer import _gossamer
from scipy.sparse import csr_array

if TYPE_CHECKING:
    from conftest import Cli

MACHINES = ["cpu:1x1", "cpu:1x2", "cpu:2x1", "cpu:3x1", "sim:peach2,ranks=4"]
FAMILIES = ["kron:8", "uniform:7:6", "star:90", "path:60", "cliques:9x12", "road:14", "web:300:6"]


def _random(arcs: int, directed: bool) -> gs.Graph:
    """With loops and parallel arcs."""
    ends = np.random.default_rng(5).integers(0, 60, (2, arcs))
    return gs.from_edges(ends[0], ends[1], n=65, symmetrize=not directed)


def _networkx(graph: gs.Graph) -> Any:
    nx = pytest.importorskip("networkx", minversion="3.5")
    made = nx.Graph() if graph.symmetric else nx.DiGraph()
    made.add_nodes_from(range(graph.vertices))
    tails = np.repeat(np.arange(graph.vertices), graph.degrees)
    made.add_edges_from(zip(tails.tolist(), graph.indices.tolist(), strict=True))
    return nx, made


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("arcs", [0, 40, 90, 200])
def test_agrees_with_networkx(machine: str, arcs: int, directed: bool) -> None:
    graph = _random(arcs, directed)
    nx, theirs = _networkx(graph)
    for normalized in (True, False):
        for endpoints in (True, False):
            how = {"normalized": normalized, "endpoints": endpoints}
            result = gs.betweenness(graph, machine, **how)
            expected = nx.betweenness_centrality(theirs, **how)
            np.testing.assert_allclose(result.scores, list(expected.values()), 1e-10, 1e-14)
            gs.verify_betweenness(graph, result.scores, **how)
            assert (result.searches, result.sources.size, result.rescaled) == (65, 0, 0)
        found = gs.betweenness(graph, machine, edges=True, normalized=normalized)
        gs.verify_betweenness(graph, found.scores, edges=True, normalized=normalized)
        scores: dict[Any, float] = {}
        for u, v, score in found.named_edges():  # type: ignore[attr-defined]
            scores[u, v] = scores.get((u, v), 0) + score  # parallel arcs share
        expected = nx.edge_betweenness_centrality(theirs, normalized=normalized)
        assert scores == pytest.approx(
            {(min(e), max(e)) if graph.symmetric else e: s for e, s in expected.items()}
        )


@pytest.mark.parametrize("family", FAMILIES)
def test_agrees_with_igraph_on_families(family: str) -> None:
    ig = pytest.importorskip("igraph")
    graph = gs.generate(family)
    tails = np.repeat(np.arange(graph.vertices), graph.degrees)
    once = tails < graph.indices
    theirs = ig.Graph(graph.vertices, np.column_stack([tails[once], graph.indices[once]]))
    found = gs.betweenness(graph, "cpu:1x2", normalized=False)
    np.testing.assert_allclose(found.scores, theirs.betweenness(), 1e-9, 1e-9)
    found = gs.betweenness(graph, "cpu:1x2", normalized=False, edges=True)
    np.testing.assert_allclose(found.scores[once], theirs.edge_betweenness(), 1e-9)
    sources = [0, 5, graph.vertices - 1]
    some = theirs.betweenness(sources=sources)
    found = gs.betweenness(graph, "cpu:1x2", normalized=False, sources=sources)
    others = np.setdiff1d(np.arange(graph.vertices), sources)
    scaled = found.scores[others] / ((graph.vertices - 1) / 3)
    np.testing.assert_allclose(scaled, np.array(some)[others], 1e-9, 1e-9)
    gs.verify_betweenness(graph, found.scores, sources=sources, normalized=False)


def test_results_say_what_they_are() -> None:
    graph = gs.from_edges(["ann", "bob", "cy"], ["bob", "cy", "dan"], symmetrize=True)
    search = gs.BetweennessSearch(graph, "cpu:1x1", normalized=False)
    first, again = search.run(), search.run()
    assert first.scores.tolist() == again.scores.tolist() == [0, 2, 2, 0]
    assert first.scores.dtype == np.float64
    assert (first["bob"], first.to_dict()) == (2, {"ann": 0, "bob": 2, "cy": 2, "dan": 0})
    assert repr(first).startswith("BetweennessResult(searches=4, engine='sync', ")
    assert set(first.phases) == {"reverse", "lay out", "search", "collect"}
    assert "searches" in first._repr_html_()
    one = gs.betweenness(graph, "cpu:1x1", sources=["bob"], normalized=False)
    assert (one.sources.tolist(), one.searches) == ([1], 1)
    np.testing.assert_array_equal(one.scores, [0, np.nan, 1.5, 0])
    edges = gs.betweenness(graph, "cpu:1x1", edges=True, normalized=False)
    assert isinstance(edges, gs.EdgeBetweennessResult)
    expected = [("ann", "bob", 3), ("bob", "cy", 4), ("cy", "dan", 3)]
    assert list(edges.named_edges()) == expected
    assert edges.scores.tolist() == [3, 3, 4, 4, 3, 3]
    with pytest.raises(gs.UsageError, match=r"no vertex has a score; named_edges\(\) lists them"):
        edges["ann"]
    copy = pickle.loads(pickle.dumps(edges))
    assert list(copy.named_edges()) == expected
    assert pickle.loads(pickle.dumps(first)).scores.tolist() == [0, 2, 2, 0]


def test_edges_by_name_as_a_frame() -> None:
    pytest.importorskip("pandas")
    graph = gs.from_edges(["ann", "bob"], ["bob", "cy"])
    frame = gs.betweenness(graph, "cpu:1x1", edges=True, normalized=False).to_frame()
    assert frame.values.tolist() == [["ann", "bob", 2], ["bob", "cy", 2]]
    assert list(frame.columns) == ["from", "to", "betweenness"] and frame.index.name == "arc"
    frame = gs.betweenness(graph, "cpu:1x1", normalized=False).to_frame()
    assert frame["betweenness"].tolist() == [0, 1, 0]


def test_samples_are_drawn_by_seed_and_estimate_all() -> None:
    graph = gs.generate("road:30")
    exact = gs.betweenness(graph, "cpu:1x2")
    some = [gs.betweenness(graph, "cpu:1x2", samples=400, seed=seed) for seed in (1, 2, 1)]
    assert some[0].sources.tolist() == some[2].sources.tolist() != some[1].sources.tolist()
    assert len(set(some[0].sources.tolist())) == some[0].searches == 400
    for found in some:
        gs.verify_betweenness(graph, found.scores, sources=found.sources)
        assert np.corrcoef(found.scores, exact.scores)[0, 1] > 0.97
    again = gs.betweenness(graph, "cpu:1x2", sources=some[0].sources)
    np.testing.assert_allclose(again.scores, some[0].scores, 1e-12)


def test_plans_count_sources() -> None:
    graph = gs.generate("kron:10")
    plan = gs.BetweennessSearch.plan
    one = plan(graph, "cpu:1x1", samples=1).total
    assert plan(graph, "cpu:1x1", sources=list(range(1000))).total - one == 999 * 16
    assert plan(graph, "cpu:1x4", samples=4).total > plan(graph, "cpu:1x4", samples=2).total > one
    shape = gs.GraphShape(1 << 10, graph.arcs, symmetric=True)
    assert plan(shape, "cpu:1x1", samples=1).total >= one


def test_numbers_of_paths_may_pass_doubles() -> None:
    graph = gs.generate("grid:530x530")
    found = gs.betweenness(graph, "cpu:1x2", sources=[0, graph.vertices - 1], normalized=False)
    assert found.rescaled == 2 and np.isfinite(found.scores).all()
    # By symmetry, and from a corner paths keep to the diagonal.
    square = found.scores.reshape(530, 530)
    np.testing.assert_allclose(square, square.T, 1e-9)
    np.testing.assert_allclose(square, square[::-1, ::-1], 1e-9)


def test_errors() -> None:
    graph = gs.from_edges([0, 1, 2], [1, 2, 3], symmetrize=True)
    for options, said in (
        ({"sources": [1, 1]}, "betweenness: source 1 is given more than once"),
        ({"sources": []}, "betweenness: no sources are given"),
        ({"sources": [9]}, "there is no vertex with index 9"),
        ({"sources": np.array([9])}, "betweenness: there is no vertex with index 9"),
        ({"sources": 3}, "betweenness: sources: expected several vertices, got 3"),
        ({"sources": [1], "samples": 1}, "sources are either given or drawn"),
        ({"samples": 5}, "betweenness: 5 samples of 4 vertices"),
        ({"samples": -1}, "betweenness: samples"),
        ({"edges": True, "endpoints": True}, "endpoints are on no edge"),
        ({"edges": 1}, "betweenness: edges: expected True or False, got 1"),
    ):
        with pytest.raises(gs.UsageError, match=said):
            gs.betweenness(graph, "cpu:1x1", **options)  # type: ignore[arg-type]
    for given in (3, csr_array(np.eye(4))):
        with pytest.raises(gs.UsageError, match="betweenness: sources: expected several vertices"):
            gs.BetweennessSearch.plan(graph, "cpu:1x1", sources=given)
    with pytest.raises(gs.CapacityError):
        gs.betweenness(graph, "cpu:1x1", memory=10)
    scores = gs.betweenness(graph, "cpu:1x1").scores
    with pytest.raises(gs.VerificationError, match="the betweenness of vertex 2 is given"):
        gs.verify_betweenness(graph, scores * [1, 1, 2, 1])
    with pytest.raises(gs.VerificationError, match="one entry for each of the 6 arcs"):
        gs.verify_betweenness(graph, scores, edges=True)
    with pytest.raises(gs.UsageError, match="verify_betweenness: normalized: expected True or"):
        gs.verify_betweenness(graph, scores, normalized=1)  # type: ignore[arg-type]
    gs.compare_betweenness(graph, scores, scores * (1 + 1e-9))
    with pytest.raises(gs.VerificationError, match=r"vertex 1 has 0\.666\d*, expected 1\.33"):
        gs.compare_betweenness(graph, scores, scores * [1, 2, 1, 1])
    with pytest.raises(gs.VerificationError, match="there are 4 scores, and 3 to compare; the gr"):
        gs.compare_betweenness(graph, scores, scores[:3])
    gs.compare_betweenness(graph, scores, scores * 2, tolerance=0.6)


def test_command(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "scores.npz"
    given = ("betweenness", "road:20", "--machine", "cpu:1x2")
    said = cli(*given, "--verify", "--output", str(file))
    result = gs.betweenness(gs.generate("road:20"), "cpu:1x1")
    assert "yes" in said.stdout and f"{result.scores.max():.6g}" in said.stdout
    with np.load(file) as arrays:
        np.testing.assert_allclose(arrays["scores"], result.scores, 1e-12)
    np.savetxt(tmp_path / "scores.txt", result.scores)
    run = cli.json(*given, "--verify-with", str(tmp_path / "scores.txt"))["runs"][0]
    assert (run["searches"], run["rescaled"], run["verified"]) == (400, 0, True)
    assert run["highest"] == pytest.approx(result.scores.max())
    assert run["highest_of"] == int(result.scores.argmax())
    np.savetxt(tmp_path / "scores.txt", result.scores * 2)
    other = cli(*given, "--verify-with", str(tmp_path / "scores.txt"))
    assert other.returncode == 3 and ", expected " in other.stderr
    refused = cli.fails(2, *given, "--partition", "hash")
    assert "all ranks read the same rows, and none owns vertices" in refused


def test_command_of_edges_and_sources(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("7 8\n8 9\n9 11\n")
    given = ("betweenness", "a.txt", "--symmetrize", "--machine", "cpu:1x1")
    run = cli.json(*given, "--edges", "--no-normalized", "--verify", "--output", "e.csv")["runs"][0]
    assert (run["highest"], run["highest_of"], run["verified"]) == (4, [8, 9], True)
    rows = (tmp_path / "e.csv").read_text().splitlines()
    assert rows == ["arc,from,to,betweenness", "0,7,8,3.0", "2,8,9,4.0", "4,9,11,3.0"]
    np.savetxt(tmp_path / "e.txt", [3, 3, 4, 4, 3, 3])
    assert cli(*given, "--edges", "--no-normalized", "--verify-with", "e.txt").returncode == 0
    np.savetxt(tmp_path / "e.txt", [3, 4, 3, 0])
    assert "4 numbers, a.txt has 3 edges and 6 arcs" in cli.fails(
        2, *given, "--edges", "--verify-with", "e.txt"
    )
    # What was written has each edge once, loops among them.
    (tmp_path / "a.txt").write_text("7 8\n8 8\n8 9\n9 11\n8 9\n")
    assert cli(*given, "--edges", "--output", "e.npz").returncode == 0
    assert cli(*given, "--edges", "--verify-with", "e.npz").returncode == 0
    np.savez(tmp_path / "e.npz", scores=np.load(tmp_path / "e.npz")["scores"] * 2)
    assert cli(*given, "--edges", "--verify-with", "e.npz").returncode == 3
    (tmp_path / "a.txt").write_text("7 8\n8 9\n9 11\n")
    run = cli.json(*given, "--source", "7", "--source", "8", "--verify")["runs"][0]
    assert (run["searches"], run["verified"]) == (2, True)
    assert cli.json(*given, "--samples", "3", "--verify")["runs"][0]["searches"] == 3
    said = cli.fails(2, *given, "--samples", "3", "--source", "7")
    assert "give --source or --samples, not both" in said
    assert "no vertex" in cli.fails(2, *given, "--source", "70")
    assert "memory plan" in cli("betweenness", "kron:8", "--samples", "4", "--plan").stdout
    assert cli("betweenness", "kron:8", "--plot", "p.png").returncode == 0
    assert (tmp_path / "p.png").stat().st_size > 1000


def test_odd_values_are_refused() -> None:
    graph = gs.generate("road:7")
    with pytest.raises(gs.UsageError, match="betweenness: edges: expected True or False"):
        gs.betweenness(graph, edges=np.array([1, 2]))  # type: ignore[arg-type]
    broken = csr_array(np.eye(3))
    broken.data = broken.data[:1]
    with pytest.raises(gs.UsageError, match="betweenness: sources: "):
        gs.betweenness(graph, sources=broken)


def test_a_run_ends_in_time() -> None:
    graph = gs.kronecker(14)
    with pytest.raises(gs.Timeout, match=r"betweenness did not end within 0\.01 s"):
        gs.betweenness(graph, "cpu:1x1", timeout=0.01)
    found = gs.betweenness(graph, "cpu:1x1", samples=10)
    gs.verify_betweenness(graph, found.scores, sources=found.sources)


def test_runs_that_are_watched() -> None:
    told: list[tuple[int, int]] = []
    search = gs.BetweennessSearch(gs.kronecker(12), "cpu:1x1")
    _gossamer.watch_runs(lambda *at: told.append(at))
    try:
        search.run()
    finally:
        _gossamer.watch_runs(None)
    assert told == sorted(told) and 0 < told[-1][0] <= told[-1][1]
    before = len(told)
    search.run()
    assert len(told) == before

    def refuse(*at: int) -> None:
        raise RuntimeError("enough")

    _gossamer.watch_runs(refuse)
    try:
        with pytest.raises(RuntimeError, match="enough"):
            search.run()
    finally:
        _gossamer.watch_runs(None)

"""Distances of many sources against NetworkX's, SciPy's and igraph's; errors, commands."""

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
FAMILIES = ["kron:8", "uniform:7:6", "star:90", "path:200", "cliques:9x12", "road:14", "web:300:6"]


def _random(arcs: int, symmetric: bool, seed: int = 5) -> gs.Graph:
    """With loops and parallel arcs."""
    ends = np.random.default_rng(seed).integers(0, 120, (2, arcs))
    return gs.from_edges(ends[0], ends[1], n=130, symmetrize=symmetric)


def _networkx(graph: gs.Graph) -> Any:
    nx = pytest.importorskip("networkx")
    made = nx.MultiGraph() if graph.symmetric else nx.MultiDiGraph()
    made.add_nodes_from(range(graph.vertices))
    tails = np.repeat(np.arange(graph.vertices), graph.degrees)
    made.add_edges_from(zip(tails.tolist(), graph.indices.tolist(), strict=True))
    return made


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("arcs", [0, 130, 300])
@pytest.mark.parametrize("symmetric", [False, True])
def test_agrees_with_networkx(machine: str, arcs: int, symmetric: bool) -> None:
    nx = pytest.importorskip("networkx")
    graph = _random(arcs, symmetric)
    theirs = _networkx(graph)
    for wide in (True, False):
        found = gs.closeness(graph, machine, wf_improved=wide)
        assert found.to_dict() == nx.closeness_centrality(theirs, wf_improved=wide)
        gs.verify_distances(
            graph, found.closeness, "closeness", inward=True, wf_improved=wide, timeout=60
        )
    harmonic = nx.harmonic_centrality(theirs)
    found = gs.harmonic(graph, machine)
    np.testing.assert_allclose(found.values, [harmonic[v] for v in theirs])
    lengths = dict(nx.all_pairs_shortest_path_length(theirs))
    furthest = [max(lengths[v].values()) for v in theirs]
    eccentricity = gs.eccentricity(graph, machine)
    assert eccentricity.values.tolist() == furthest
    assert eccentricity.radius == min(furthest)
    assert eccentricity.center.tolist() == np.flatnonzero(np.array(furthest) == 0).tolist()
    diameter = gs.diameter(graph, machine)
    assert diameter.diameter == eccentricity.diameter == max(furthest)
    assert furthest[diameter.end] == max(furthest)
    assert not diameter.all_reached and not eccentricity.all_reached
    sources, targets = [7, 3, 3, 100], [5, 5, 129, 7]
    depths = gs.distances(graph, sources, targets, machine).depths
    assert depths is not None
    assert depths.tolist() == [[lengths[s].get(t, -1) for t in targets] for s in sources]


@pytest.mark.parametrize("family", FAMILIES)
def test_agrees_with_scipy_and_igraph_on_families(family: str) -> None:
    csgraph = pytest.importorskip("scipy.sparse.csgraph")
    ig = pytest.importorskip("igraph")
    graph = gs.generate(family)
    theirs = csgraph.shortest_path(graph.to_scipy(), method="D", unweighted=True)
    theirs = np.where(np.isinf(theirs), -1, theirs)
    every = np.arange(graph.vertices)
    found = gs.distances(graph, every, None, "cpu:1x2")
    np.testing.assert_array_equal(found.depths, theirs)
    gs.verify_depths(graph, every, found.depths)
    assert found.depths is not None
    assert found.depths.dtype == (np.int16 if family == "path:200" else np.int8)
    eccentricity = gs.eccentricity(graph, "cpu:1x2")
    np.testing.assert_array_equal(eccentricity.values, theirs.max(axis=1))
    tails = np.repeat(every, graph.degrees)
    once = tails < graph.indices
    held = ig.Graph(graph.vertices, np.column_stack([tails[once], graph.indices[once]]))
    assert eccentricity.diameter == held.diameter()
    assert eccentricity.all_reached == held.is_connected()
    some = every[::7]
    closeness = gs.closeness(graph, "cpu:1x2", vertices=some, wf_improved=False)
    np.testing.assert_allclose(
        closeness.values, np.nan_to_num(held.closeness(vertices=some.tolist()))
    )


def test_results_say_what_they_are() -> None:
    graph = gs.from_edges(["b", "c", "a"], ["c", "a", "d"])
    found = gs.closeness(graph, "cpu:1x1", vertices=["a", "d"])
    assert found["b"] is None and found["d"] == pytest.approx(0.5)
    assert found.sums is not None and found.sums.tolist() == [3, 6]
    assert found.reached is not None and found.reached.tolist() == [3, 4]
    assert found.eccentricities is not None and found.eccentricities.tolist() == [2, 3]
    assert "measure='closeness'" in repr(found) and found.depths is None
    outward = gs.harmonic(graph, "cpu:1x1", inward=False)
    assert outward.to_dict() == pytest.approx({"b": 1 + 1 / 2 + 1 / 3, "c": 1.5, "a": 1, "d": 0})
    assert set(found.phases) == {"reverse", "order", "search", "bounds"}
    assert found.engine == "sync" and found.searches == 2
    kept = pickle.loads(pickle.dumps(found))
    np.testing.assert_array_equal(kept.values, found.values)
    diameter = gs.diameter(graph, "cpu:1x1")
    assert (diameter.diameter, diameter.end, diameter.all_reached) == (3, 0, False)
    for of in ("values", "radius", "closeness", "harmonic"):
        with pytest.raises(gs.UsageError, match="this result is of measure 'diameter'"):
            getattr(diameter, of)
    search = gs.DistancesSearch(graph, "cpu:1x1")
    assert search.run(["c"]).values.tolist() == [3]
    depths = search.run(targets=["d"]).depths
    assert depths is not None and depths.tolist() == [[3], [2], [1], [0]]
    assert gs.DistancesSearch.plan(graph, "cpu:1x1").total > 0
    alone = gs.distances(graph, ["c"], machine="cpu:1x1", measure="eccentricity")
    assert alone.depths is None and alone.values.tolist() == [2]


def test_depths_are_a_table_of_names() -> None:
    pytest.importorskip("pandas")
    graph = gs.from_edges([0, 1], [1, 2], names=[("x", 0), ("x", 1), "a"])
    table = gs.distances(graph, [("x", 1), "a"], machine="cpu:1x1").to_frame()
    assert (
        table.index.tolist() == [("x", 1), "a"] and table.columns.tolist() == graph.names.tolist()
    )
    assert (table.index.name, table.columns.name) == ("source", "target")
    assert table.to_numpy().tolist() == [[-1, 0, 1], [-1, -1, 0]]
    every = gs.distances(graph, None, ["a"], machine="cpu:1x1").to_frame()
    assert every["a"].tolist() == [2, 1, 0] and len(every.index) == 3
    # Of numbers alone it is a row a vertex.
    assert gs.closeness(graph, "cpu:1x1").to_frame().columns.tolist() == ["closeness"]


def test_depths_from_one_source_are_its_results_by_name() -> None:
    graph = gs.from_edges([0, 1], [1, 2], names=["a", "b", ("c", 1), "d"], n=4)
    found = gs.distances(graph, ["a"], [("c", 1), "d"], machine="cpu:1x1")
    assert found[("c", 1)] == 2 and found["d"] is None
    assert found.to_dict() == {("c", 1): 2, "d": None}
    with pytest.raises(gs.UsageError, match=r"^distances: 'b' is none of the targets$"):
        found["b"]
    with pytest.raises(gs.UsageError, match="no vertex 'x'"):
        found["x"]
    every = gs.distances(graph, ["b"], machine="cpu:1x1")
    assert every.to_dict() == {"a": None, "b": 0, ("c", 1): 1, "d": None}
    several = gs.distances(graph, ["a", "b"], ["b"], machine="cpu:1x1")
    for ask in (several.to_dict, several.to_series, lambda: several["b"]):
        with pytest.raises(
            gs.UsageError,
            match=r"^distances: there are depths from 2 sources, and a vertex has one of each: "
            r"take to_frame\(\), or depths$",
        ):
            ask()


def test_depths_from_one_source_are_a_series() -> None:
    pytest.importorskip("pandas")
    graph = gs.from_edges([0, 1], [1, 2], names=["a", "b", "c", "d"], n=4)
    series = gs.distances(graph, ["a"], ["d", "c"], machine="cpu:1x1").to_series()
    assert series.name == "depth" and series.index.tolist() == ["d", "c"]
    assert series["c"] == 2 and series.isna().tolist() == [True, False]


def test_bounds_are_of_connected_graphs_too() -> None:
    graph = gs.kronecker(12).largest_component()
    found = gs.eccentricity(graph, "cpu:1x2")
    assert found.all_reached and found.searches < graph.vertices / 2
    gs.verify_distances(graph, found.values, "eccentricity", samples=200)
    np.testing.assert_array_equal(found.values[found.periphery], found.diameter)
    assert gs.diameter(graph, "cpu:1x2").searches < found.searches
    some = found.center[:5]
    np.testing.assert_array_equal(gs.eccentricity(graph, vertices=some).values, found.radius)


def test_errors() -> None:
    graph = gs.from_edges([0, 1, 2], [1, 2, 3])
    with pytest.raises(gs.VerificationError, match="eccentricity of vertex 1 is 1, and a search"):
        gs.verify_distances(graph, [3, 1, 1, 0], "eccentricity")
    with pytest.raises(gs.VerificationError, match="there are 2 numbers of 4 sources"):
        gs.verify_distances(graph, [3, 1], "sums")
    with pytest.raises(gs.UsageError, match="'size' is none of reached, sums, closeness"):
        gs.verify_distances(graph, [3, 1], "size")
    with pytest.raises(gs.VerificationError, match="from 0: vertex 3 has depth 2, and no arc"):
        gs.verify_depths(graph, [0], [[0, 1, 2, 2]])
    with pytest.raises(gs.VerificationError, match="not 1 rows of 4 whole numbers"):
        gs.verify_depths(graph, [0], [[0, 1, 2]])
    with pytest.raises(gs.VerificationError, match=r"numbers of .*: vertex 2 has 1, expected 5"):
        gs.compare_numbers(graph, [3, 2, 1, 0], [3, 2, 5, 0])
    with pytest.raises(gs.UsageError, match="compare_numbers: tolerance: expected a number, got"):
        gs.compare_numbers(graph, [3, 2, 1, 0], [3, 2, 1, 0], tolerance=[])  # type: ignore[arg-type]
    with pytest.raises(gs.UsageError, match="distances: sources: 4 is no vertex: the graph has 4"):
        gs.distances(graph, [4])
    for find in (gs.closeness, gs.harmonic, gs.eccentricity):
        with pytest.raises(gs.UsageError, match=f"^{find.__name__}: vertices: 4 is no vertex"):
            find(graph, vertices=[4])
        with pytest.raises(gs.UsageError, match=f"^{find.__name__}: vertices: expected several"):
            find(graph, vertices=3)
    with pytest.raises(gs.UsageError, match="distances: targets: -1 is no vertex"):
        gs.distances(graph, [0], [-1])
    with pytest.raises(gs.UsageError, match="depths come with measure 'sums' alone"):
        gs.distances(graph, [0], [1], measure="eccentricity")
    named = gs.from_edges(["a", "b"], ["b", "c"])
    for given in (0, named, "abc"):
        with pytest.raises(gs.UsageError, match="sources: expected several vertices"):
            gs.distances(named, given)
    with pytest.raises(gs.UsageError, match="unknown measure 'size'"):
        gs.distances(graph, [0], measure="size")
    odd: Any = graph.to_scipy()
    with pytest.raises(gs.UsageError, match=r"^distances: measure: expected text, got csr_array$"):
        gs.distances(graph, [0], measure=odd)
    with pytest.raises(gs.CapacityError):
        gs.diameter(graph, "cpu:1x1", memory=10)
    large = gs.from_edges([0], [1], n=4000)
    with pytest.raises(gs.CapacityError, match="depths of 4000 sources"):
        gs.distances(large, np.arange(4000), machine="cpu:1x1", memory="4M")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("closeness", {"largest": 0.75, "largest_of": 3}),
        ("harmonic", {"largest": 2.5, "largest_of": 3}),
        ("eccentricity", {"radius": 0, "center": 1, "diameter": 2, "end": 0}),
        ("diameter", {"diameter": 2, "end": 0, "alone": 0}),
    ],
)
def test_commands(cli: Cli, tmp_path: Path, name: str, said: dict[str, Any]) -> None:
    (tmp_path / "arcs.txt").write_text("0 1\n1 2\n2 3\n1 3\n0 2\n2 1\n")
    given = ("arcs.txt", "--machine", "cpu:1x2", "--verify")
    shown = cli(name, *given, "--output", "found.npz").stdout
    assert "yes" in shown and "not strongly connected" in shown
    run = cli.json(name, *given)["runs"][0]
    assert run["verified"] is True and run["connected"] is False
    assert said.items() <= run.items()
    with np.load(tmp_path / "found.npz") as arrays:
        numbers = arrays[name]
    if name == "diameter":
        assert numbers.tolist() == [run["diameter"]]
        assert "a file has a number of each" in cli.fails(
            2, name, *given, "--verify-with", "found.npz"
        )
        assert "one number to draw" in cli.fails(2, name, *given, "--plot", "found.png")
    else:
        assert len(numbers) == 4 and run["largest"] == numbers.max()
        assert cli.json(name, *given, "--verify-with", "found.npz")["runs"][0]["verified"]
    assert "memory plan" in cli(name, "kron:8", "--plan").stdout
    refused = cli.fails(2, name, "kron:6", "--partition", "hash")
    assert "all ranks read the same rows, and none owns vertices" in refused


def test_command_of_depths(cli: Cli, tmp_path: Path) -> None:
    given = ("kron:8", "--sources", "5", "--machine", "cpu:1x2", "--verify")
    said = cli.json("distances", *given, "--output", "depths.npz")
    assert said["runs"][0]["verified"] is True and said["runs"][0]["sources"] == 5
    with np.load(tmp_path / "depths.npz") as arrays:
        assert arrays["depths"].shape == (5, 256)
        gs.verify_depths(gs.generate("kron:8"), arrays["sources"], arrays["depths"])
    planned = cli("distances", *given, "--plan").stdout
    assert "depths of all vertices, by source" in planned and "--output" not in planned
    refused = cli.fails(2, "distances", *given, "--output", "depths.csv")
    assert "a matrix goes to .npz alone" in refused
    refused = cli.fails(2, "distances", *given, "--source", "0", "--verify-with", "depths.npz")
    assert "give --source or --sources, not both" in refused
    refused = cli.fails(2, "distances", "kron:8", "--source", "0", "--verify-with", "depths.npz")
    assert "a file has one row; see bfs" in refused


def test_of_real_graphs(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOSSAMER_DATA", str(data))
    graph = gs.datasets.load("road-NY")
    found = gs.diameter(graph, "cpu:1x2")
    assert (found.diameter, found.all_reached) == (720, True)
    assert found.searches < 2000
    spread = np.arange(0, graph.vertices, graph.vertices // 16)
    one_by_one = gs.distances(graph, spread, spread, "cpu:1x1")
    assert one_by_one.alone == spread.size
    np.testing.assert_array_equal(one_by_one.depths, np.transpose(one_by_one.depths))


def test_a_run_ends_in_time() -> None:
    graph = gs.kronecker(15)
    with pytest.raises(gs.Timeout, match=r"distances did not end within 0\.01 s"):
        gs.closeness(graph, "cpu:1x1", timeout=0.01)
    assert gs.diameter(graph, "cpu:1x1").diameter > 0

"""Shortest paths against SciPy's, their errors, files and command."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import gossamer as gs
import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse.csgraph import dijkstra

if TYPE_CHECKING:
    from conftest import Cli

MACHINES = ["cpu:1x1", "cpu:1x2", "cpu:3x1", "sim:peach2,ranks=4"]


def weighted(n: int, arcs: int, kind: str, seed: int = 1) -> sp.csr_array:
    """A directed graph with weights of one type, none zero (which SciPy takes for no arc)."""
    random = np.random.default_rng(seed)
    ends = random.integers(0, n, (2, arcs))
    values = random.integers(1, 100, arcs).astype(kind)
    matrix = sp.coo_array((values, (ends[0], ends[1])), (n, n)).tocsr()
    if kind.startswith("float"):
        matrix.data *= np.array(0.37, kind)
    return matrix


@pytest.mark.parametrize("engine", ["auto", "async", "tasks"])
@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("kind", ["int32", "float32", "float64"])
def test_agrees_with_scipy(machine: str, kind: str, engine: str) -> None:
    matrix = weighted(500, 1500, kind)
    graph = gs.from_scipy(matrix, name="weighted")
    result = gs.sssp(graph, 7, machine, parents=True, engine=engine)
    theirs = dijkstra(matrix.astype(np.float64), indices=7)
    assert result.raw_distances.dtype == {"int32": "uint32"}.get(kind, kind)
    assert result.distances.dtype == {"int32": "float64"}.get(kind, kind)
    assert np.array_equal(np.isfinite(result.distances), result.is_reached)
    assert result.reached == np.isfinite(theirs).sum() < 500
    np.testing.assert_array_equal(result.is_reached, np.isfinite(theirs))
    tolerance = {"int32": 0.0, "float32": 1e-5, "float64": 1e-13}[kind]
    there = result.is_reached
    np.testing.assert_allclose(result.distances[there], theirs[there], rtol=tolerance)
    assert result.parents is not None and result.parents[7] == 7
    np.testing.assert_array_equal(result.parents >= 0, there)
    gs.verify_sssp(graph, 7, result.distances, result.parents)
    gs.compare_distances(graph, result.distances, theirs)
    assert (result.work is None) == (engine != "async")


@pytest.mark.parametrize("machine", MACHINES)
def test_the_async_engine_counts_its_work(machine: str) -> None:
    graph = gs.generate("road:30")
    search = gs.SsspSearch(graph, machine, engine="async", delta=0.5)
    sync = gs.SsspSearch(graph, machine, engine="sync")
    for source in (0, 899):
        result = search.run(source)
        np.testing.assert_array_equal(result.distances, sync.run(source).distances)
        work = result.work
        assert (result.engine, result.engine_reason, result.delta) == ("async", "asked for", 0.5)
        assert work is not None and work.items - work.repeated == result.reached
        assert (work.arcs, work.windows) == (result.relaxations, result.rounds)
        assert work.windows > 0 and work.rounds >= 2 * work.windows
        several = search.machine.size > 1
        assert (work.sent > 0) == (work.bytes > 0) == (work.parcels > 0) == several
        assert set(result.phases) == {"relax", *(["exchange", "agree"] if several else [])}


def test_a_search_serves_many_sources() -> None:
    graph = gs.generate("road:40")
    search = gs.SsspSearch(graph, "cpu:1x2", delta=300)
    results = [search.run(v) for v in range(5)]
    for v, result in enumerate(results):
        assert (result.source, result.delta, result.parents) == (v, 300, None)
        assert result.engine == "sync" and result.engine_reason
        assert set(result.phases) == {"relax"} and result.rounds > 0
        gs.verify_sssp(graph, v, result.distances)
        assert result.distances[v] == 0


def test_paths_through_zero_weights() -> None:
    # A circle of zeros that is entered at its farthest vertex by id.
    u, v = [0, 9, 9, 1, 2, 5], [9, 1, 2, 5, 5, 0]
    graph = gs.from_edges(u, v, [3, 0, 0, 0, 0, 0], symmetrize=True, n=11)
    result = gs.sssp(graph, 0, "cpu:1x1", parents=True, deterministic=True)
    assert list(result.distances[[0, 9, 1, 2, 5]]) == [0, 0, 0, 0, 0]
    assert result.parents is not None
    assert list(result.parents[[0, 5, 1, 2, 9]]) == [0, 0, 5, 5, 1]
    assert result.reached == 5


def test_errors() -> None:
    graph = gs.generate("road:5")
    with pytest.raises(gs.UsageError, match="grid:3x3 has no weights"):
        gs.sssp(gs.grid(3, 3), 0, "cpu:1x1")
    with pytest.raises(gs.UsageError, match=r"unknown engine 'quick' \(there are auto, sync, a"):
        gs.sssp(graph, 0, "cpu:1x1", engine="quick")
    with pytest.raises(gs.CapacityError, match="known distances and worklists"):
        gs.sssp(graph, 0, "cpu:2x1", engine="async", memory=64)
    with pytest.raises(gs.CapacityError, match="known distances and messages"):
        gs.sssp(graph, 0, "cpu:2x1", engine="tasks", memory=64)
    with pytest.raises(gs.UsageError, match="delta -1 is not a positive number"):
        gs.sssp(graph, 0, "cpu:1x1", engine="async", delta=-1)
    with pytest.raises(gs.UsageError, match="no vertex with index 25: the graph has 25 vertices"):
        gs.sssp(graph, 25, "cpu:1x1")
    negative = gs.from_edges([0, 1], [1, 2], [1.5, -2.5], name="negative")
    with pytest.raises(gs.InputError, match=r"negative: the arc 1 -> 2 has the weight -2\.5; sho"):
        gs.sssp(negative, 0, "cpu:1x1")
    distances = gs.sssp(graph, 0, "cpu:1x1").distances
    wrong = distances.copy()
    wrong[1] += 1
    with pytest.raises(gs.VerificationError, match=r"sssp from 0: .* would shorten the distance"):
        gs.verify_sssp(graph, 0, wrong)
    with pytest.raises(gs.VerificationError, match=r"sssp on road:5: vertex 1 is at"):
        gs.compare_distances(graph, wrong, distances.astype(np.float64))
    with pytest.raises(gs.UsageError, match="compare_distances: expected is 2-dimensional, of int"):
        gs.compare_distances(graph, distances, [[1, 2]])
    with pytest.raises(gs.CapacityError, match="distances"):
        gs.sssp(graph, 0, "cpu:1x1", memory=64)
    with pytest.raises(gs.UsageError, match=r"sssp: source: expected an integer, got 1\.5"):
        gs.sssp(graph, 1.5, "cpu:1x1")  # type: ignore[arg-type]


def test_command(cli: Cli, small_file: Path, tmp_path: Path) -> None:
    found = cli.json(
        "sssp", small_file, "--source", 1, "--target", 4, "--target", 5, "--parents", "--verify",
        "--machine", "cpu:1x1", "--output", "out.npz", "--repeat", 2,
    )  # fmt: skip
    assert set(found) == {
        "algorithm", "graph", "machine", "options", "ranks", "runs", "partition", "summary",
        "memory", "version", "date",
    }  # fmt: skip
    assert found["algorithm"] == "sssp" and found["options"]["delta"] is None
    first, again = found["runs"]
    assert first["source"] == 1 and first["reached"] == 4 and first["verified"] is True
    assert first["distances"] == {"4": 3, "5": None} == again["distances"]
    assert (first["largest_distance"], first["sum_of_distances"]) == (5, 10)
    assert set(first["phases"]) == {"relax", "parents"} and first["engine"] == "sync"
    assert found["summary"] | {"sources": 1, "runs": 2, "verified": True} == found["summary"]
    assert found["memory"]["planned_bytes"] > 0
    with np.load(tmp_path / "out.npz") as arrays:
        assert list(arrays["sources"]) == [0] and list(arrays["names"]) == [1, 2, 3, 4, 5, 6]
        unreached = 2**32 - 1
        assert arrays["distances"].tolist() == [[0, 5, 2, 3, unreached, unreached]]
        assert arrays["parents"].tolist() == [[0, 0, 0, 2, -1, -1]]
    shown = cli("sssp", small_file, "--source", 1, "--target", 5, "--machine", "cpu:2x1").stdout
    assert "engine sync: chosen, " in shown and "to 5: not reached" in shown
    assert first["engine_reason"].startswith("chosen, ") and first["work"] is None


@pytest.mark.parametrize("machine", ["cpu:1x1", "cpu:3x1", "sim:peach2,ranks=3"])
def test_command_counts_the_work_of_engine_async(cli: Cli, machine: str) -> None:
    given = ["sssp", "kron:9", "--weights", "--machine", machine, "--engine", "async"]
    found = cli.json(*given, "--verify", "--parents")
    (run,) = found["runs"]
    work = run["work"]
    assert (run["engine"], run["engine_reason"], run["verified"]) == ("async", "asked for", True)
    assert work["items"] - work["repeated"] == run["reached"]
    assert (work["arcs"], work["windows"]) == (run["relaxations"], run["rounds"])
    assert (work["sent"] > 0) == (len(found["machine"]["devices"]) > 1)
    shown = cli(*given).stdout
    assert "engine async: asked for" in shown
    assert re.search(r"items +[\d,]+ *\n *repeated +[\d,]+ *\n", shown)


def test_command_compares_with_files(cli: Cli, small_file: Path, tmp_path: Path) -> None:
    given = ["sssp", small_file, "--source", 1, "--machine", "cpu:1x1"]
    cli(*given, "--output", "out.npz")
    (tmp_path / "right.txt").write_text("0 5 2 3 inf\n4294967295\n")
    np.save(tmp_path / "right.npy", np.array([0, 5, 2, 3, np.inf, np.inf]))
    for name in ("out.npz", "right.txt", "right.npy"):
        assert cli.json(*given, "--verify-with", name)["summary"]["verified"] is True
    (tmp_path / "wrong.txt").write_text("0 5 2 4 inf inf")
    done = cli(*given, "--verify-with", "wrong.txt")
    assert done.returncode == 3 and "FAILED" in done.stdout
    assert done.stderr == "gossamer: sssp on small.gr: vertex 4 is at 3, expected 4\n"
    (tmp_path / "words.txt").write_text("far away")
    assert cli.fails(2, *given, "--verify-with", "words.txt") == (
        "words.txt:1: expected a number, found 'far'"
    )
    for strange in ("nan", "-inf"):
        (tmp_path / "strange.txt").write_text(f"0 5 2 3 {strange} inf")
        assert cli.fails(2, *given, "--verify-with", "strange.txt") == (
            "strange.txt: nan and -inf are no distances"
        )
    (tmp_path / "short.txt").write_text("0 5")
    assert cli.fails(2, *given, "--verify-with", "short.txt") == (
        "short.txt: 2 numbers, small.gr has 6 vertices"
    )
    assert cli.fails(2, *given, "--verify-with", "no.txt") == (
        "no.txt: cannot be opened: No such file or directory"
    )
    np.savez(tmp_path / "other.npz", depths=np.arange(6))
    assert cli.fails(2, *given, "--verify-with", "other.npz") == (
        "other.npz: there is no array named distances"
    )
    np.save(tmp_path / "two.npy", np.zeros((2, 6)))
    assert "one row or column of numbers is needed, not 2 x 6" in cli.fails(
        2, *given, "--verify-with", "two.npy"
    )


def test_delta_of_the_metadata(tmp_path: Path, cli: Cli) -> None:
    made = gs.generate("road:20", weights=True)
    path = tmp_path / "g.gr"
    made.write(path)
    chosen = gs.sssp(gs.read(path), 0, "cpu:1x1")
    assert chosen.delta_reason == "chosen from weights and degrees"
    Path(f"{path}.metadata").write_text("prio_delta = 777\n")
    graph = gs.read(path)
    for engine in ("sync", "async"):
        found = gs.sssp(graph, 0, "cpu:1x1", engine=engine)
        assert (found.delta, found.delta_reason) == (777, "named by the graph's metadata")
        assert np.array_equal(found.distances, chosen.distances)
    asked = gs.sssp(graph, 0, "cpu:1x1", delta=300)
    assert (asked.delta, asked.delta_reason) == (300, "as asked for")
    first = gs.sssp(graph, 0, "cpu:1x1", engine="async:priority=none")
    assert (first.delta, first.delta_reason) == (0, "")
    graph.write(tmp_path / "back.gr")
    assert (tmp_path / "back.gr.metadata").read_text() == "prio_delta = 777\n"
    assert (
        "delta 777: named by the graph's metadata"
        in cli("sssp", path, "--machine", "cpu:1x1").stdout
    )
    assert "metadata: prio_delta = 777" in cli("stats", path).stdout
    own = gs.vertex_program("min", "value + weight", "uint32").run(graph, 0, "cpu:1x1")
    given = gs.vertex_program("min", "value + weight", "uint32").run(graph, 0, "cpu:1x1", delta=777)
    assert own.work.windows == given.work.windows
    Path(f"{path}.metadata").write_text("\nprio_delta = -1\n")
    with pytest.raises(gs.InputError, match=r"g.gr.metadata:2: prio_delta = '-1' is not a posit"):
        gs.read(path)


def test_distances_to_targets_say_from_where(cli: Cli, small_file: Path) -> None:
    given = ["sssp", small_file, "--machine", "cpu:1x1", "--target", 3, "--target", 4]
    assert re.findall("^(.*to .*): ", cli(*given, "--source", 1).stdout, re.MULTILINE) == [
        "to 3",
        "to 4",
    ]
    found = cli.json(*given, "--sources", 2, "--seed", 1, "--repeat", 2)
    wanted = [
        f"from {run['source']} to {name}: {run['distances'][name] or 'not reached'}"
        for run in found["runs"][::2]
        for name in ("3", "4")
    ]
    shown = cli(*given, "--sources", 2, "--seed", 1, "--repeat", 2).stdout.splitlines()
    assert [line.strip() for line in shown if line.startswith("from ")] == wanted


def test_command_refuses(cli: Cli, small_file: Path) -> None:
    assert cli.fails(2, "sssp", small_file, "--source", 1, "--sources", 2) == (
        "give --source or --sources, not both"
    )
    assert "give the --source" in cli.fails(2, "sssp", small_file, "--verify-with", "x")
    assert "'--delta': Input should be a valid number" in cli.fails(
        2, "sssp", small_file, "--delta", "wide"
    )
    for plan in ([], ["--plan"]):
        assert cli.fails(2, "sssp", small_file, "--delta", "-3", *plan) == (
            "sssp: delta -3 is not a positive number"
        )
    assert cli.fails(2, "sssp", "kron:5", "--machine", "cpu:1x1").startswith(
        "sssp: kron:5 has no weights for lengths; bfs finds paths of fewest arcs (generators make"
    )
    assert cli.fails(2, "sssp", small_file, "--engine", "quick", "--machine", "cpu:1x1") == (
        "sssp: unknown engine 'quick' (there are auto, sync, async, host, tasks)"
    )
    assert "not a positive number" in cli.fails(2, "sssp", small_file, "--timeout", 0)
    line = cli.fails(4, "sssp", "road:400", "--timeout", 1e-6, "--machine", "cpu:1x1")
    # By the wait, or by the time that the ranks took: whichever is looked at first.
    assert line.startswith("sssp did not end within ")


def test_plan_needs_no_graph(cli: Cli, small_file: Path) -> None:
    plan: Any = cli.json("sssp", small_file, "--plan", "--parents", "--machine", "cpu:2x1")["plan"]
    purposes = {e["purpose"]: e["bytes"] for e in plan["entries"]}
    assert purposes["rank 0: distances"] == 6 * 4 and purposes["rank 0: parents"] == 6 * 8
    assert plan["command"] == "sssp" and json.dumps(plan)
    graph, machine = gs.read(small_file), gs.Machine("cpu:2x1")
    exact = gs.SsspSearch.plan(graph, machine, parents=True)
    assert {e.purpose for e in exact.entries} >= {"distances", "parents", "inbox", "buckets"}
    given = ["sssp", small_file, "--plan", "--machine", "cpu:2x1"]
    plan = cli.json(*given, "--engine", "async")["plan"]
    assert "rank 1: known distances and worklists" in {e["purpose"] for e in plan["entries"]}


@pytest.mark.parametrize(("name", "total"), [("NY", 186686642878), ("BAY", 295629435062)])
def test_road_networks(data: Path, name: str, total: int) -> None:
    graph = gs.read(data / f"USA-road-d.{name}.gr.xz")
    result = gs.sssp(graph, graph.index_of(1), "cpu:1x2")
    assert int(result.distances.sum(dtype=np.uint64)) == total


def test_balance_changes_who_works_and_no_distance() -> None:
    g = gs.generate("kron:10", weights=True)
    alone = gs.sssp(g, 1, "cpu:1x1").distances
    for balance in ("none", "steal"):
        found = gs.sssp(g, 1, "cpu:3x1", engine=f"async:balance={balance}")
        assert np.array_equal(found.distances, alone)
        assert found.work is not None
        assert 0 < found.work.most_arcs <= found.work.arcs
        if balance == "none":
            assert found.work.stolen + found.work.given_bytes == 0


@pytest.mark.parametrize("machine", ["cpu:1x1", "cpu:1x2", "cpu:3x1"])
@pytest.mark.parametrize("graph", ["kron:14", "uniform:14", "uniform:12:64", "road:150"])
def test_a_run_takes_no_more_than_its_plan(cli: Cli, machine: str, graph: str) -> None:
    given = ["sssp", graph, "--weights", "--sources", "1", "--machine", machine, "--engine"]
    for engine in ("sync", "async"):
        memory = cli.json(*given, engine)["memory"]
        rounding = 1024 * int(machine[4])
        assert 0 < memory["peak_bytes"] <= memory["planned_bytes"] + rounding, engine


@pytest.mark.parametrize("command", ["sssp", "components", "pagerank"])
def test_further_runs_take_no_more_memory_than_the_first(cli: Cli, command: str) -> None:
    given = [command, "kron:14", "--machine", "cpu:2x1"]
    given += ["--weights"] if command == "sssp" else []
    for engine in ("sync", "async"):
        once = cli.json(*given, "--engine", engine)["memory"]
        more = ["--repeat", "9"] if command != "sssp" else ["--sources", "9"]
        often = cli.json(*given, "--engine", engine, *more)["memory"]
        assert often["planned_bytes"] == once["planned_bytes"]
        # A result more would be 64 KiB or 128; lists are as long as a source has them.
        lists = 0.15 * once["peak_bytes"] if (command, engine) == ("sssp", "sync") else 0
        assert often["peak_bytes"] < once["peak_bytes"] + lists + (1 << 14), engine


#: The distances of `two_pieces` from vertex 0, in types that others use.
THEIRS = [
    [0, 3, 7, 2**32 - 1, 2**32 - 1],
    [0.0, 3.0, 7.0, np.inf, np.inf],
    np.array([0, 3, 7, np.inf, np.inf], np.float32),
    np.array([0, 3, 7, 2**32 - 1, 2**32 - 1], np.uint64),
]


def two_pieces(weights: str = "int32") -> gs.Graph:
    return gs.from_edges([0, 1, 3], [1, 2, 4], np.array([3, 4, 5], weights), name="pieces")


@pytest.mark.parametrize("theirs", THEIRS)
def test_distances_of_any_type_are_verified(theirs: Any) -> None:
    graph = two_pieces()
    ours = gs.sssp(graph, 0, "cpu:1x1").distances
    gs.verify_sssp(graph, 0, theirs)
    gs.compare_distances(graph, theirs, ours)
    gs.compare_distances(graph, ours, ours)  # not reached is not reached
    gs.compare_distances(graph, gs.sssp(graph, 3, "cpu:1x1").distances, [np.inf] * 3 + [0, 5])


def test_scipys_distances_are_verified() -> None:
    graph = two_pieces()
    theirs = dijkstra(graph.to_scipy(), indices=0)
    assert theirs.dtype == np.float64 and np.isinf(theirs[4])
    gs.verify_sssp(graph, 0, theirs)
    gs.verify_sssp(two_pieces("float32"), 0, theirs)


@pytest.mark.parametrize("wrong", [7.5, np.nan, -1, -np.inf, 2**32])
def test_what_is_no_distance_fails_the_verification(wrong: float) -> None:
    found = np.array([0, 3, wrong, np.inf, np.inf])
    expected = f"sssp from 0: vertex 2 has the distance {found[2]}, and integer weights give whole"
    with pytest.raises(gs.VerificationError, match=expected):
        gs.verify_sssp(two_pieces(), 0, found)


def test_distances_that_do_not_fit_are_refused() -> None:
    with pytest.raises(gs.UsageError, match="distances: of bool; pieces's weights give uint32"):
        gs.verify_sssp(two_pieces(), 0, np.zeros(5, bool))
    with pytest.raises(
        gs.UsageError, match=r"distances: 0\.1 of float64 is no float32, which piec"
    ):
        gs.verify_sssp(two_pieces("float32"), 0, np.array([0, 0.1, 0, 0, 0]))


def test_nothing_equals_what_is_no_number() -> None:
    graph = gs.from_edges([0], [1], [3.0], 3)
    gs.compare_distances(graph, [0, 3, np.inf], [0, 3, np.inf])
    for expected in ([0, 3, np.nan], [0, 3, -np.inf], [0, np.nan, np.inf]):
        with pytest.raises(gs.VerificationError, match=r"vertex \d is at "):
            gs.compare_distances(graph, [0, 3, np.inf], expected)


def test_distances_have_a_mean_with_and_without_the_unreached() -> None:
    graph = gs.from_edges([0, 1], [1, 2], np.array([2, 4], np.int32), 4)
    found = gs.sssp(graph, 0, "cpu:1")
    assert found.distances.tolist() == [0, 2, 6, np.inf] and found.distances.mean() == np.inf
    assert found.distances[found.is_reached].mean() == pytest.approx(8 / 3)
    assert found.raw_distances.tolist() == [0, 2, 6, 4294967295]

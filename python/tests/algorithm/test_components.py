"""Weak components against SciPy's, their errors and command."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import gossamer as gs
import numpy as np
import pytest
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

if TYPE_CHECKING:
    from conftest import Cli

MACHINES = ["cpu:1x1", "cpu:1x2", "cpu:3x1", "sim:peach2,ranks=4"]


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("symmetrize", [True, False])
@pytest.mark.parametrize("engine", ["auto", "async", "tasks", "routed"])
def test_agrees_with_scipy(machine: str, symmetrize: bool, engine: str) -> None:
    ends = np.random.default_rng(4).integers(0, 900, (2, 700))
    graph = gs.from_edges(ends[0], ends[1], n=1000, symmetrize=symmetrize)
    result = gs.components(graph, machine, engine=engine)
    matrix = sp.coo_array((np.ones(700), (ends[0], ends[1])), (1000, 1000)).tocsr()
    count, theirs = connected_components(matrix, directed=False)
    assert result.count == count == len(np.unique(result.labels))
    # The same partition, and labels that are the smallest of their vertices.
    smallest = np.full(count, 1000)
    np.minimum.at(smallest, theirs, np.arange(1000))
    np.testing.assert_array_equal(result.labels, smallest[theirs])
    assert result.largest == np.bincount(theirs).max()
    assert (result.labels == result.largest_label).sum() == result.largest
    gs.verify_components(graph, result.labels)
    assert (result.work is None) == (engine != "async")
    assert len(result.edges_of_ranks) == (gs.Machine(machine).size if engine == "routed" else 0)


@pytest.mark.parametrize("machine", MACHINES)
def test_the_async_engine_counts_its_work(machine: str) -> None:
    graph = gs.kronecker(9)
    search = gs.ComponentsSearch(graph, machine, engine="async")
    first, again = search.run(), search.run()
    np.testing.assert_array_equal(first.labels, again.labels)
    np.testing.assert_array_equal(first.labels, gs.components(graph, machine).labels)
    assert (first.engine, first.engine_reason) == ("async", "asked for")
    work = first.work
    assert work is not None
    # Vertices without arcs are their own labels, and no work.
    alone = np.count_nonzero(np.bincount(first.labels) == 1)
    assert work.items - work.repeated == graph.vertices - alone
    several = search.machine.size > 1
    assert (work.sent > 0) == (work.bytes > 0) == (work.parcels > 0) == several
    assert set(first.phases) == {"propagate", *(["exchange", "agree"] if several else [])}


@pytest.mark.parametrize("machine", MACHINES)
def test_the_routed_engine_gives_each_edge_to_one_rank(machine: str) -> None:
    graph = gs.kronecker(9, seed=3)
    search = gs.ComponentsSearch(graph, machine, engine="routed:packet=1K")
    first, again = search.run(), search.run()
    np.testing.assert_array_equal(first.labels, again.labels)
    np.testing.assert_array_equal(first.labels, gs.components(graph, machine).labels)
    assert sum(first.edges_of_ranks) == sum(again.edges_of_ranks) == graph.arcs // 2
    several = search.machine.size > 1
    phases = ["pack", "hook", "exchange", "compress", *(["merge"] if several else [])]
    assert list(first.phases) == phases
    with pytest.raises(gs.UsageError, match="partition 'hash' says which rank owns which"):
        gs.components(graph, machine, engine="routed", partition="hash")
    with pytest.raises(gs.UsageError, match="engine 'sync' has no option 'packet'"):
        gs.components(graph, machine, engine="sync:packet=4096")


def test_a_search_runs_again() -> None:
    search = gs.ComponentsSearch(gs.kronecker(8), "cpu:1x2", deterministic=True)
    first, again = search.run(), search.run()
    np.testing.assert_array_equal(first.labels, again.labels)
    assert set(first.phases) == {"sample", "hook", "compress"}
    assert first.labels.dtype == np.int32 and first.milliseconds > 0


def test_errors() -> None:
    graph = gs.grid(3, 3)
    with pytest.raises(gs.CapacityError, match="known labels and worklists"):
        gs.components(graph, "cpu:1x1", engine="async", memory=64)
    with pytest.raises(gs.CapacityError, match="forest and messages"):
        gs.components(graph, "cpu:1x1", engine="tasks", memory=64)
    with pytest.raises(gs.UsageError, match=r"unknown engine 'quick' \(there are auto, sync, a"):
        gs.components(graph, "cpu:1x1", engine="quick")
    with pytest.raises(gs.UsageError, match="unknown use 'some'"):
        gs.components(graph, "cpu:1x1", use="some")
    labels = gs.components(graph, "cpu:1x1").labels.copy()
    labels[8] = 8
    with pytest.raises(gs.VerificationError, match="components of grid:3x3: vertex 8 has the lab"):
        gs.verify_components(graph, labels)
    with pytest.raises(gs.UsageError, match="verify_components: labels: labels are integers, g"):
        gs.verify_components(graph, labels.astype(np.float32))
    gs.verify_components(graph, [0] * 9)
    gs.verify_components(graph, np.zeros(9, np.uint8))


def test_command(cli: Cli, small_file: Path, tmp_path: Path) -> None:
    found = cli.json(
        "components", small_file, "--verify", "--machine", "cpu:2x1", "--output", "labels.npz"
    )
    assert set(found) == {
        "algorithm", "graph", "machine", "options", "ranks", "runs", "partition", "summary",
        "memory", "version", "date",
    }  # fmt: skip
    assert found["ranks"] == {"used": 2, "of": 2, "reason": ""}
    (run,) = found["runs"]
    assert (run["components"], run["largest"], run["largest_from"]) == (2, 4, 1)
    assert run["verified"] is True and set(run["phases"]) == {"sample", "hook", "compress", "merge"}
    with np.load(tmp_path / "labels.npz") as arrays:
        assert arrays["labels"].tolist() == [0, 0, 0, 0, 4, 4]
        assert arrays["names"].tolist() == [1, 2, 3, 4, 5, 6]
    shown = cli("components", small_file, "--machine", "cpu:1x1").stdout
    assert "engine sync: chosen, " in shown
    assert run["engine_reason"].startswith("chosen, ") and run["work"] is None
    plan = cli.json("components", small_file, "--plan", "--machine", "cpu:1x1")["plan"]
    assert {"rank 0: labels"} <= {e["purpose"] for e in plan["entries"]}
    given = ["components", small_file, "--machine", "cpu:2x1", "--engine"]
    (run,) = cli.json(*given, "async", "--verify")["runs"]
    assert (run["engine_reason"], run["components"], run["verified"]) == ("asked for", 2, True)
    assert run["work"]["items"] - run["work"]["repeated"] == 6
    assert re.search(r"items +[\d,]+ *\n *repeated +[\d,]+ *\n", cli(*given, "async").stdout)
    (run,) = cli.json(*given, "tasks", "--verify", "--deterministic")["runs"]
    assert (run["engine"], run["components"], run["verified"]) == ("tasks", 2, True)
    assert run["work"] is None and run["edges_of_ranks"] == []
    (run,) = cli.json(*given, "routed:packet=16", "--verify")["runs"]
    assert (run["engine"], run["components"], run["verified"]) == ("routed", 2, True)
    assert len(run["edges_of_ranks"]) == 2
    assert re.search(r"edges by rank, first run: \d, \d", cli(*given, "routed").stdout)
    assert cli.fails(2, *given, "quick") == (
        "components: unknown engine 'quick' (there are auto, sync, async, host, tasks, routed)"
    )
    plan = cli.json(*given, "async", "--plan")["plan"]
    assert "rank 1: known labels and worklists" in {e["purpose"] for e in plan["entries"]}


def test_labels_are_compared_by_what_is_together() -> None:
    graph = gs.generate("kron:8")
    labels = gs.components(graph, "cpu:1x1").labels
    gs.compare_labels(graph, labels, labels)
    gs.compare_labels(graph, labels, 1000.5 - labels.astype(np.float64))  # other names
    apart = labels.copy()
    apart[np.flatnonzero(labels == labels[0])[-1]] = -1
    with pytest.raises(gs.VerificationError, match=r"kron:8: vertices 0 and \d+ are in one compo"):
        gs.compare_labels(graph, labels, apart)
    with pytest.raises(gs.VerificationError, match="two components, expected in one"):
        gs.compare_labels(graph, apart, labels)
    with pytest.raises(gs.VerificationError, match="are 3 numbers to compare, the graph has 256 v"):
        gs.compare_labels(graph, labels, [0, 1, 2])
    with pytest.raises(gs.UsageError, match="compare_labels: expected is 2-dimensional, of int64"):
        gs.compare_labels(graph, labels, [[1]])


def test_command_compares_with_files(cli: Cli, small_file: Path, tmp_path: Path) -> None:
    given = ["components", small_file, "--machine", "cpu:2x1"]
    cli(*given, "--output", "out.npz")
    (tmp_path / "right.txt").write_text("7 7 7 7\n-2 -2")
    np.save(tmp_path / "right.npy", np.array([1.5, 1.5, 1.5, 1.5, 0, 0]))
    for name in ("out.npz", "right.txt", "right.npy"):
        found = cli.json(*given, "--verify-with", name)
        assert found["summary"]["verified"] is True and found["options"]["verify_with"] == name
    (tmp_path / "wrong.txt").write_text("1 1 1 1 1 1")
    done = cli(*given, "--verify-with", "wrong.txt")
    assert done.returncode == 3 and "FAILED" in done.stdout
    assert done.stderr == (
        "gossamer: components of small.gr: vertices 1 and 5 are in two components, expected in "
        "one\n"
    )
    (tmp_path / "words.txt").write_text("over there")
    assert cli.fails(2, *given, "--verify-with", "words.txt") == (
        "words.txt:1: expected a number, found 'over'"
    )
    assert cli.fails(2, *given, "--verify-with", "no.txt") == (
        "no.txt: cannot be opened: No such file or directory"
    )
    np.savez(tmp_path / "other.npz", ranks=np.arange(6))
    assert cli.fails(2, *given, "--verify-with", "other.npz") == (
        "other.npz: there is no array named labels"
    )
    (tmp_path / "short.txt").write_text("1 1")
    assert cli.fails(2, *given, "--verify-with", "short.txt") == (
        "short.txt: 2 numbers, small.gr has 6 vertices"
    )


def test_known_components(data: Path) -> None:
    result = gs.components(gs.read(data / "email-Enron.txt.xz"), "cpu:1x2")
    assert (result.count, result.largest) == (1065, 33696)


@pytest.mark.parametrize("machine", ["cpu:1x2", "cpu:3x1"])
@pytest.mark.parametrize("engine", ["sync", "async", "tasks", "routed"])
def test_a_run_takes_no_more_than_its_plan(cli: Cli, machine: str, engine: str) -> None:
    memory = cli.json("components", "road:60", "--machine", machine, "--engine", engine)["memory"]
    rounding = 1024 * int(machine[4])
    assert 0 < memory["peak_bytes"] <= memory["planned_bytes"] + rounding

"""Partitions of sssp, components and pagerank: results stay, commands state what it costs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import gossamer as gs
import numpy as np
import numpy.typing as npt
import pytest
from gossamer import _gossamer

if TYPE_CHECKING:
    from conftest import Cli

METIS = _gossamer.build_info()["features"]["metis"]
PARTITIONS = ["ranges", "edges", "hash", "parts", *(["metis"] if METIS else [])]
ENGINES = ["sync", "async", "tasks"]
COMMANDS = ["sssp", "components", "pagerank"]


def _partition(name: str, graph: gs.Graph, parts: int) -> Any:
    drawn: npt.NDArray[np.int64] = np.random.default_rng(1).integers(0, parts, graph.vertices)
    return drawn if name == "parts" else name


def _directed() -> gs.Graph:
    """Of many pieces, some of one vertex."""
    random = np.random.default_rng(3)
    u, v = random.integers(0, 900, (2, 1500))
    weights = random.integers(0, 9, 1500).astype(np.int32)
    return gs.from_edges(u, v, weights, 1000)


@pytest.mark.parametrize("machine", ["cpu:2x1", "cpu:5x1", "sim:peach2,ranks=3"])
@pytest.mark.parametrize("partition", PARTITIONS)
def test_results_do_not_depend_on_it(machine: str, partition: str) -> None:
    where = gs.Machine(machine)
    for graph in (gs.generate("kron:9", weights=True), _directed()):
        parts = _partition(partition, graph, where.size)
        want = gs.sssp(graph, 7, "cpu:1x1", parents=True)
        labels = gs.components(graph, "cpu:1x1").labels
        for engine in ENGINES:
            paths = gs.sssp(graph, 7, where, parents=True, engine=engine, partition=parts)
            assert np.array_equal(paths.distances, want.distances)
            assert paths.parents is not None and want.parents is not None
            assert np.array_equal(paths.parents, want.parents)
            pieces = gs.components(graph, where, engine=engine, partition=parts)
            assert np.array_equal(pieces.labels, labels)
        jumps = np.arange(graph.vertices)
        for engine in ENGINES[:2]:
            given = {"weighted": True, "precision": 64, "personalization": jumps}
            found = gs.pagerank(graph, where, engine=engine, partition=parts, **given)
            ranks = gs.pagerank(graph, "cpu:1x1", **given).ranks
            assert np.abs(found.ranks - ranks).sum() < 2e-5


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("partition", ["edges", "hash", "parts"])
def test_commands_state_what_it_costs(
    cli: Cli, small_file: Path, tmp_path: Path, command: str, partition: str
) -> None:
    (tmp_path / "parts").write_text("1\n0\n1\n0\n1\n0\n")
    given = (command, small_file, "--machine", "cpu:2x1", "--verify")
    out = cli.json(*given, "--partition", partition)
    asked = cli.json("stats", small_file, "--partition", f"2:{partition}")["partition"]
    assert out["partition"] == asked and out["options"]["partition"] == partition
    assert out["summary"]["verified"] is True
    assert cli.json(*given)["partition"] is None
    text = cli(*given, "--partition", partition).stdout
    assert f"partition {partition} in 2: " in text and "arcs cut" in text
    alone = (command, small_file, "--machine", "cpu:1x1", "--partition", "hash")
    assert cli.json(*alone)["partition"] is None
    assert "partition hash: one rank owns everything" in cli(*alone).stdout


@pytest.mark.skipif(not METIS, reason="built without METIS")
def test_metis_partitions_are_kept_and_cut_less(cli: Cli, tmp_path: Path) -> None:
    cli("generate", "grid:40x30", "-o", "grid.mtx")
    given = ("--machine", "cpu:3x1", "--partition", "metis", "--verify")
    assert "metis partition kept in" in cli("components", "grid.mtx", *given).stdout
    assert "metis partition from" in cli("pagerank", "grid.mtx", *given, "--engine", "async").stdout
    assert len(list(tmp_path.glob("grid.mtx.metis-3-*.part"))) == 1
    cut = [
        cli.json("components", "grid.mtx", *given[:3], name)["partition"]["cut_arcs"]
        for name in ("metis", "hash")
    ]
    assert cut[0] < cut[1]


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_refuse(cli: Cli, small_file: Path, tmp_path: Path, command: str) -> None:
    given = (command, small_file, "--machine", "cpu:2x1", "--partition")
    assert "--partition best: no such file" in cli.fails(2, *given, "best")
    (tmp_path / "parts").write_text("1\n0\n1\n")
    assert "parts" in cli.fails(2, *given, "parts")
    (tmp_path / "parts").write_text("1\n0\n1\n0\n1\n2\n")
    assert "parts" in cli.fails(2, *given, "parts")


def test_errors() -> None:
    graph = gs.generate("road:20", weights=True)
    calls = (
        lambda **given: gs.sssp(graph, 1, "cpu:2x1", **given),
        lambda **given: gs.components(graph, "cpu:2x1", **given),
        lambda **given: gs.pagerank(graph, "cpu:2x1", **given),
    )
    for call in calls:
        with pytest.raises(gs.UsageError, match="partition: 'magic' is none of auto"):
            call(partition="magic")
        with pytest.raises(gs.UsageError, match="2 entries, the graph has"):
            call(partition=[0, 1])
        with pytest.raises(gs.UsageError, match="the machine has 2 ranks"):
            call(partition=np.full(graph.vertices, 2))
        with pytest.raises(gs.UsageError, match="are given as an array"):
            call(partition="file")


MOVED = {"sssp": "columns", "components": "columns", "pagerank": "renumbered graph"}


@pytest.mark.parametrize("command", COMMANDS)
def test_plans_count_what_is_moved(cli: Cli, tmp_path: Path, command: str) -> None:
    (tmp_path / "parts").write_text("")
    given = (command, "kron:10", "--machine", "cpu:2x1", "--plan", "--partition")

    def purposes(partition: str) -> set[str]:
        return {e["purpose"] for e in cli.json(*given, partition)["plan"]["entries"]}

    for partition in ("hash", "metis", "parts"):
        assert f"rank 0: {MOVED[command]}" in purposes(partition)
    assert "rank 0: partitioning by METIS" in purposes("metis")
    assert "measuring the partition" in purposes("edges")
    assert f"rank 0: {MOVED[command]}" not in purposes("edges") | purposes("auto")


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("graph", ["kron:13", "road:150"])
def test_a_run_takes_no_more_than_its_plan(cli: Cli, command: str, engine: str, graph: str) -> None:
    if command == "pagerank" and engine == "tasks":
        pytest.skip("pagerank has no tasks")
    given = [command, graph, "--machine", "cpu:3x1", "--engine", engine, "--partition", "hash"]
    if command == "sssp":
        given += ["--weights", "--sources", "1", "--parents"]
    memory = cli.json(*given)["memory"]
    assert 0 < memory["peak_bytes"] <= memory["planned_bytes"]


@pytest.mark.gpu
@pytest.mark.parametrize("machine", ["cuda:0*2", "cuda:0*3"])
@pytest.mark.parametrize("partition", PARTITIONS)
def test_results_on_gpus_do_not_depend_on_it(machine: str, partition: str) -> None:
    where = gs.Machine(machine)
    for graph in (gs.generate("kron:9", weights=True), _directed()):
        parts = _partition(partition, graph, where.size)
        want = gs.sssp(graph, 7, "cpu:1x1", parents=True)
        labels = gs.components(graph, "cpu:1x1").labels
        for engine in ("auto", "async", "host"):
            paths = gs.sssp(graph, 7, where, parents=True, engine=engine, partition=parts)
            assert paths.ranks_used == where.size
            assert np.array_equal(paths.distances, want.distances)
            assert paths.parents is not None and want.parents is not None
            assert np.array_equal(paths.parents, want.parents)
        jumps = np.arange(graph.vertices)
        given = {"weighted": True, "precision": 64, "personalization": jumps}
        ranks = gs.pagerank(graph, "cpu:1x1", **given).ranks
        for engine in ENGINES[:2]:
            pieces = gs.components(graph, where, engine=engine, partition=parts)
            assert np.array_equal(pieces.labels, labels)
            found = gs.pagerank(graph, where, engine=engine, partition=parts, **given)
            assert np.abs(found.ranks - ranks).sum() < 2e-5


@pytest.mark.gpu
def test_one_gpu_of_several_takes_none() -> None:
    graph = gs.generate("road:20", weights=True)
    with pytest.raises(gs.UsageError, match="partition 'hash' is one for all ranks, and engine"):
        gs.sssp(graph, 1, "cuda:0*2", engine="sync", partition="hash")
    assert gs.sssp(graph, 1, "cuda:0", engine="sync", partition="hash").ranks_used == 1


@pytest.mark.gpu
@pytest.mark.parametrize("command", COMMANDS)
def test_commands_on_gpus_state_what_it_costs(cli: Cli, small_file: Path, command: str) -> None:
    given = (command, small_file, "--machine", "cuda:0*2", "--verify", "--partition", "edges")
    out = cli.json(*given)
    asked = cli.json("stats", small_file, "--partition", "2:edges")["partition"]
    assert out["partition"] == asked
    assert out["ranks"]["used"] == 2 and out["summary"]["verified"] is True


def test_parts_that_no_rank_has() -> None:
    graph = gs.generate("grid:4x4")
    for part in (-1, 1 << 31, (1 << 32) + 1):
        parts = np.zeros(graph.vertices, np.int64)
        parts[-1] = part
        with pytest.raises(gs.UsageError, match="parts are numbered from 0 to 2"):
            gs.components(graph, "cpu:2x1", partition=parts)


@pytest.mark.parametrize("partition", ["auto", "hash", "parts"])
def test_a_placed_graph_brings_machine_and_partition(partition: str) -> None:
    graph = gs.generate("kron:8", weights=True)
    where = gs.Machine("cpu:3x1")
    placed = where.place(graph, partition=_partition(partition, graph, 3))
    want = gs.sssp(graph, 7, "cpu:1x1")
    assert np.array_equal(gs.sssp(placed, 7).distances, want.distances)
    labels = gs.components(placed, engine="async").labels
    assert np.array_equal(labels, gs.components(graph, "cpu:1x1").labels)
    ranks = gs.pagerank(placed, where, precision=64).ranks
    assert np.allclose(ranks, gs.pagerank(graph, "cpu:1x1", precision=64).ranks, atol=1e-6)
    search = gs.ComponentsSearch(placed)
    assert search.machine is where and search.graph is graph


def test_a_placed_graph_takes_no_other_machine() -> None:
    placed = gs.Machine("cpu:2x1").place(gs.kronecker(6))
    with pytest.raises(gs.UsageError, match=r"^components: a placed graph has its machine; give "):
        gs.components(placed, "cpu:1x1")
    with pytest.raises(gs.UsageError, match=r"^pagerank: a placed graph has its partition; give "):
        gs.pagerank(placed, partition="hash")
    parts = gs.Machine("cpu:2x1").generate("kron:11")
    with pytest.raises(gs.UsageError, match=r"lies in parts on its ranks"):
        gs.components(parts)

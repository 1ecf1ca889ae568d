"""Core numbers against NetworkX's and igraph's, their errors and command."""

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


def _random(directed: bool) -> gs.Graph:
    """With loops and parallel arcs."""
    ends = np.random.default_rng(5).integers(0, 120, (2, 1500))
    return gs.from_edges(ends[0], ends[1], n=130, symmetrize=not directed)


def _networkx(graph: gs.Graph) -> Any:
    """The simple graph, without loops, which NetworkX refuses."""
    nx = pytest.importorskip("networkx")
    made = (nx.Graph if graph.symmetric else nx.DiGraph)()
    made.add_nodes_from(range(graph.vertices))
    tails = np.repeat(np.arange(graph.vertices), graph.degrees)
    made.add_edges_from(
        (u, v) for u, v in zip(tails.tolist(), graph.indices.tolist(), strict=True) if u != v
    )
    return made


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("directed", [False, True])
def test_agrees_with_networkx(machine: str, directed: bool) -> None:
    nx = pytest.importorskip("networkx")
    graph = _random(directed)
    result = gs.core_numbers(graph, machine)
    expected = list(nx.core_number(_networkx(graph)).values())
    assert result.numbers.tolist() == expected
    assert (result.degeneracy, result.rounds) == (max(expected), len(set(expected)))
    gs.verify_core_numbers(graph, result.numbers)


@pytest.mark.parametrize("family", FAMILIES)
def test_agrees_with_igraph_on_families(family: str) -> None:
    ig = pytest.importorskip("igraph")
    graph = gs.generate(family)
    tails = np.repeat(np.arange(graph.vertices), graph.degrees)
    theirs = ig.Graph(graph.vertices, np.column_stack([tails, graph.indices])).simplify()
    for machine in ("cpu:1x1", "cpu:1x2"):
        assert gs.core_numbers(graph, machine).numbers.tolist() == theirs.coreness()


@pytest.mark.parametrize("machine", MACHINES)
def test_one_vertex(machine: str) -> None:
    one = gs.core_numbers(gs.from_edges([0], [0], n=1), machine)
    assert (one.numbers.tolist(), one.degeneracy, one.rounds) == ([0], 0, 1)


@pytest.mark.parametrize("symmetrize", [False, True])
def test_rows_in_any_order(symmetrize: bool) -> None:
    ends = np.random.default_rng(6).integers(0, 50, (2, 600))
    graph = gs.from_edges(ends[0], ends[1], n=50, symmetrize=symmetrize)
    rows = np.split(graph.indices, graph.indptr[1:-1])
    turned = np.concatenate([row[::-1] for row in rows])
    other = gs.from_csr(graph.indptr, turned, symmetric=symmetrize)
    found, expected = gs.core_numbers(other, "cpu:1x2"), gs.core_numbers(graph, "cpu:1x2")
    np.testing.assert_array_equal(found.numbers, expected.numbers)
    gs.verify_core_numbers(other, found.numbers)


def test_results_say_what_they_are() -> None:
    graph = gs.from_edges([0, 1, 2, 2], [1, 2, 0, 3], symmetrize=True)
    search = gs.CoreNumbersSearch(graph, "cpu:1x1")
    first, again = search.run(), search.run()
    assert first.numbers.tolist() == again.numbers.tolist() == [2, 2, 2, 1]
    assert first.numbers.dtype == np.int32
    assert (first.degeneracy, first.rounds) == (2, 2)
    assert first[2] == 2 and "degeneracy=2" in repr(first)
    assert set(first.phases) == {"degrees", "scan", "peel"}
    assert again.phases["degrees"] == 0
    assert first.engine == "sync"
    assert gs.CoreNumbersSearch.plan(graph, "cpu:1x1").total > 0


def test_errors() -> None:
    graph = gs.from_edges([0, 1, 2], [1, 2, 0], symmetrize=True)
    with pytest.raises(gs.VerificationError, match="vertex 1 is given as 3; neighbours of"):
        gs.verify_core_numbers(graph, [2, 3, 2])
    with pytest.raises(gs.VerificationError, match="vertex 0 is given as 1; neighbours when"):
        gs.verify_core_numbers(graph, [1, 1, 1])
    with pytest.raises(gs.VerificationError, match="one entry for each of the 3 vertices"):
        gs.verify_core_numbers(graph, [2, 2])
    gs.verify_core_numbers(graph, [2.0, 2.0, 2.0])
    for wrong in (2.5, np.nan, 2**40 + 2, -1):
        with pytest.raises(gs.VerificationError, match="of as much or more"):
            gs.verify_core_numbers(graph, [2, 2, wrong])
    gs.compare_core_numbers(graph, [2, 2, 2], [2.0, 2.0, 2.0])
    with pytest.raises(gs.VerificationError, match="vertex 2 has 2, expected 3"):
        gs.compare_core_numbers(graph, [2, 2, 2], [2, 2, 3])
    with pytest.raises(gs.UsageError, match="verify_core_numbers: numbers"):
        gs.verify_core_numbers(graph, ["two"] * 3)
    with pytest.raises(gs.CapacityError):
        gs.core_numbers(graph, "cpu:1x1", memory=10)


def test_command(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "cores.npz"
    said = cli("core-numbers", "kron:8", "--machine", "cpu:1x2", "--verify", "--output", str(file))
    result = gs.core_numbers(gs.kronecker(8), "cpu:1x1")
    assert f"{result.degeneracy:,}" in said.stdout and "yes" in said.stdout
    with np.load(file) as arrays:
        np.testing.assert_array_equal(arrays["core_numbers"], result.numbers)
    np.savetxt(tmp_path / "numbers.txt", result.numbers, "%d")
    with_file = ("--verify-with", str(tmp_path / "numbers.txt"))
    found = cli.json("core-numbers", "kron:8", "--machine", "cpu:1x1", *with_file)
    run = found["runs"][0]
    assert (run["degeneracy"], run["verified"]) == (result.degeneracy, True)
    assert run["rounds"] == result.rounds
    assert "memory plan" in cli("core-numbers", "kron:8", "--plan").stdout
    refused = cli.fails(2, "core-numbers", "kron:6", "--partition", "hash")
    assert "all ranks read the same rows, and none owns vertices" in refused


def test_bad_input(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "bad.txt").write_text("0 1\n1 two\n")
    assert "bad.txt:2" in cli.fails(2, "core-numbers", "bad.txt")
    (tmp_path / "numbers.txt").write_text("1\n1\n")
    (tmp_path / "good.txt").write_text("0 1\n1 2\n")
    assert "numbers.txt" in cli.fails(2, "core-numbers", "good.txt", "--verify-with", "numbers.txt")


def test_a_run_ends_in_time() -> None:
    graph = gs.kronecker(16)
    with pytest.raises(gs.Timeout, match=r"core_numbers did not end within 0\.001 s"):
        gs.core_numbers(graph, "cpu:1x1", timeout=0.001)
    gs.verify_core_numbers(graph, gs.core_numbers(graph, "cpu:1x1").numbers)

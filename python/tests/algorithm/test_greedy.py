"""Independent sets and colourings of the seeded order: against going through the vertices one by
one, their verifiers, errors and commands."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import gossamer as gs
import numpy as np
import pytest
from gossamer.program import nvrtc

if TYPE_CHECKING:
    from conftest import Cli

on_gpus = [
    pytest.mark.gpu,
    pytest.mark.skipif(nvrtc.find_nvrtc() is None, reason="no libnvrtc"),
]
MACHINES = [
    "cpu:1x1", "cpu:1x2", "cpu:3x1",
    *(pytest.param(m, marks=on_gpus) for m in ("cuda:0", "cuda:0*3")),
]  # fmt: skip
FAMILIES = [
    "kron:7", "uniform:7:6", "star:90", "path:60", "cliques:9x12", "lollipop:150x20",
    "bipartite:6x90:3", "small-world:200:6:50", "preferential:300:4", "road:14", "mesh:5x5x4",
    "random-arcs",
]  # fmt: skip
M = (1 << 64) - 1


def _graph(family: str) -> gs.Graph:
    if family == "random-arcs":  # with loops and parallel arcs
        ends = np.random.default_rng(5).integers(0, 120, (2, 1500))
        return gs.from_edges(ends[0], ends[1], n=130, symmetrize=True)
    return gs.generate(family)


def _order(n: int, seed: int) -> list[int]:
    """By SplitMix64, in Python's numbers."""

    def mixed(x: int) -> int:
        x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & M
        x = (x ^ x >> 27) * 0x94D049BB133111EB & M
        return x ^ x >> 31

    key = mixed(seed + 0x9E3779B97F4A7C15 & M)
    return sorted(range(n), key=lambda v: mixed(v ^ key))


def _greedy(graph: gs.Graph, seed: int) -> tuple[list[bool], list[int]]:
    """The set, and the colours."""
    rows = np.split(np.asarray(graph.indices), np.asarray(graph.indptr)[1:-1])
    chosen, colors = [False] * graph.vertices, [-1] * graph.vertices
    for v in _order(graph.vertices, seed):
        near = [u for u in rows[v].tolist() if u != v]
        chosen[v] = not any(chosen[u] for u in near)
        taken = {colors[u] for u in near}
        colors[v] = next(c for c in range(len(near) + 1) if c not in taken)
    return chosen, colors


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("family", FAMILIES)
def test_results_are_those_of_one_after_the_other(family: str, machine: str) -> None:
    graph = _graph(family)
    for seed in (0, 3, (1 << 64) - 1):
        chosen, colors = _greedy(graph, seed)
        found = gs.independent_set(graph, machine, seed=seed)
        assert found.chosen.tolist() == chosen
        assert (found.count, found.members.tolist()) == (
            sum(chosen), [v for v, there in enumerate(chosen) if there],
        )  # fmt: skip
        gs.verify_independent_set(graph, found.chosen, seed=seed)
        painted = gs.coloring(graph, machine, seed=seed)
        assert painted.colors.tolist() == colors and painted.count == max(colors) + 1
        gs.verify_coloring(graph, painted.colors, seed=seed)
        assert (painted.engine, painted.ranks_used) == ("steps", gs.Machine(machine).size)


def test_colors_beyond_a_window() -> None:
    """A clique needs as many as it has vertices: three windows of 64."""
    graph = gs.generate("lollipop:150x20")
    assert gs.coloring(graph, "cpu:2x1").count == 150
    one = gs.coloring(gs.generate("cliques:1x64"), "cpu:1x1")
    assert sorted(one.colors.tolist()) == list(range(64))


def test_seeds_give_other_orders() -> None:
    graph = _graph("kron:7")
    sets = {tuple(gs.independent_set(graph, "cpu:1x1", seed=s).members) for s in range(8)}
    assert len(sets) > 4


def test_results_by_name() -> None:
    nx = pytest.importorskip("networkx")
    graph = gs.from_networkx(nx.path_graph(["ann", "bob", "cy"]))
    found, colors = gs.independent_set(graph, "cpu:1x1"), gs.coloring(graph, "cpu:1x1")
    assert found["bob"] != found["ann"] == found["cy"]
    assert colors.to_dict() == {"ann": int(found["bob"]), "bob": int(found["ann"]),
                                "cy": int(found["bob"])}  # fmt: skip
    assert "count=" in repr(found) and "count=2" in repr(colors)
    np.testing.assert_array_equal(colors.gather("colors"), colors.colors)


@pytest.mark.parametrize("family", ["kron:7", "random-arcs", "road:14", "cliques:9x12"])
def test_verifiers_see_every_altered_element(family: str) -> None:
    graph = _graph(family)
    chosen, colors = (
        gs.independent_set(graph, "cpu:1x1").chosen,
        gs.coloring(graph, "cpu:1x1").colors,
    )
    for at in range(graph.vertices):
        turned = chosen.copy()
        turned[at] = not turned[at]
        for seed in (0, None):
            with pytest.raises(gs.VerificationError):
                gs.verify_independent_set(graph, turned, seed=seed)
        for other in {-1, 0, 1, int(colors[at]) + 1, int(colors.max()) + 1} - {int(colors[at])}:
            painted = colors.copy()
            painted[at] = other
            with pytest.raises(gs.VerificationError):
                gs.verify_coloring(graph, painted)


def test_verifiers_take_any_result_without_a_seed() -> None:
    graph = _graph("kron:7")
    other = gs.independent_set(graph, "cpu:1x1", seed=9).chosen
    gs.verify_independent_set(graph, other, seed=None)
    with pytest.raises(gs.VerificationError, match="seed 0"):
        gs.verify_independent_set(graph, other)
    rainbow = np.arange(128)
    gs.verify_coloring(graph, rainbow, seed=None)
    with pytest.raises(gs.VerificationError, match="though no earlier neighbour of seed 0 has"):
        gs.verify_coloring(graph, rainbow)


def test_verifiers_say_what_is_wrong() -> None:
    graph = gs.from_edges([1, 2, 3], [2, 3, 3], n=4, symmetrize=True)

    def said(check: Callable[..., None], given: Any) -> str:
        with pytest.raises(gs.VerificationError) as caught:
            check(graph, given, seed=None)
        return str(caught.value)

    sets, colorings = gs.verify_independent_set, gs.verify_coloring
    assert (
        said(sets, [1]) == "independent set of edges: there are 1 truths, the graph has 4 vertices"
    )
    assert said(sets, [1, 2, 0, 1]).endswith("vertex 1 has 2, neither 0 nor 1")
    assert said(sets, [1, 1, 1, 0]).endswith("vertices 1 and 2 are neighbours, and both in it")
    assert said(sets, [0, 1, 0, 1]).endswith("vertex 0 could be added")
    assert said(colorings, [0]).endswith("there are 1 colours, the graph has 4 vertices")
    assert said(colorings, [0, 0.5, 0, 1]).endswith("vertex 1 has 0.5, no colour from 0 to 3")
    assert said(colorings, [0, 1, 0, 4]).endswith("vertex 3 has 4, no colour from 0 to 3")
    assert said(colorings, [0, 1, 1, 0]) == (
        "colouring of edges: vertices 1 and 2 are neighbours, and both have colour 1"
    )
    with pytest.raises(gs.Timeout, match="verification"):
        gs.verify_coloring(gs.kronecker(14), np.zeros(1 << 14), timeout=1e-6)


FINDERS = [gs.independent_set, gs.coloring]
VERIFIERS = [gs.verify_independent_set, gs.verify_coloring]


@pytest.mark.parametrize("call", [*FINDERS, *(lambda g, v=v: v(g, [0, 0]) for v in VERIFIERS)])
def test_directed_graphs_are_refused(call: Any) -> None:
    with pytest.raises(gs.UsageError, match=r"edges is directed; .*rebuild\(symmetrize=True\)"):
        call(gs.from_edges([0], [1], n=2))


@pytest.mark.parametrize(
    "call", [*FINDERS, *(lambda g, v=v, **k: v(g, [0], **k) for v in VERIFIERS)]
)
def test_seeds_out_of_range_are_refused(call: Any) -> None:
    one = gs.from_edges([0], [0], n=1)
    for seed, why in ((-1, "the seed is not in 0"), (1 << 64, "the seed is not in 0"),
                      (1.5, "seed: expected an integer, got 1.5")):  # fmt: skip
        with pytest.raises(gs.UsageError, match=why):
            call(one, seed=seed)


@pytest.mark.parametrize("find", FINDERS)
def test_one_vertex_other_machines_and_deadlines(find: Any) -> None:
    one = find(gs.from_edges([0], [0], n=1), "cpu:1x1")
    assert (one.count, one.rounds) == (1, 1)
    graph = gs.kronecker(12)
    with pytest.raises(gs.NotCompiled, match="vertex steps"):
        find(graph, "sim:peach2,ranks=2")
    with pytest.raises(gs.CapacityError):
        find(graph, "cpu:1x1", memory=1000)
    with pytest.raises(gs.Timeout):
        find(graph, "cpu:1x1", timeout=1e-6)
    assert find(gs.Machine("cpu:2x1").place(graph)).ranks_used == 2
    with pytest.raises(gs.UsageError, match="a placed graph has its machine"):
        find(gs.Machine("cpu:2x1").place(graph), "cpu:1")


@pytest.mark.parametrize(("name", "array"), [("independent-set", "chosen"), ("coloring", "colors")])
def test_commands(cli: Cli, tmp_path: Path, name: str, array: str) -> None:
    given = (name, "kron:7", "--seed", "5", "--machine", "cpu:2x1")
    out = cli.json(*given, "--verify", "--repeat", "2", "--output", "x.npz")
    assert out["algorithm"] == name and out["summary"]["verified"] is True
    assert out["options"]["seed"] == 5
    found = getattr(gs, name.replace("-", "_"))(gs.generate("kron:7"), "cpu:1x1", seed=5)
    with np.load(tmp_path / "x.npz") as file:
        np.testing.assert_array_equal(file[array], getattr(found, array))
    assert [run["count"] for run in out["runs"]] == [found.count] * 2
    assert out["runs"][0]["rounds"] == found.rounds
    assert cli(*given, "--verify-with", "x.npz").returncode == 0
    done = cli(name, "kron:7", "--seed", "6", "--verify-with", "x.npz", "--machine", "cpu:1x1")
    assert done.returncode == 3 and "expected" in done.stderr
    (tmp_path / "e.txt").write_text("0 1\n1 2\n")
    assert "e.txt is directed; " in cli.fails(2, name, "e.txt")
    assert cli(name, "e.txt", "--symmetrize", "--verify").returncode == 0
    assert cli.fails(2, name, "star:5", "--seed", "-1") == "--seed is not in 0 … 2^64 - 1"
    assert cli.fails(2, name, "star:5", "--partition", "hash").startswith(f"{name}: --partition")


def test_modelled_machines_run_no_steps(cli: Cli) -> None:
    said = cli.fails(2, "coloring", "kron:4", "--machine", "sim:m60,ranks=2")
    assert said == "vertex steps do not run on modelled machines: give the machine cpu, or cuda"

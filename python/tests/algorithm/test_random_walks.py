"""Random walks by their definition, their shares, names, errors, command."""

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
KINDS: list[dict[str, Any]] = [
    {},
    {"weighted": True},
    {"p": 0.5, "q": 2},
    {"weighted": True, "p": 4, "q": 0.25},
]


def _random(weights: str, symmetric: bool) -> gs.Graph:
    """With loops and parallel arcs, and vertices that nothing leaves."""
    rng = np.random.default_rng(5)
    ends = rng.integers(0, 120, (2, 300))
    drawn: Any = {
        "int32": rng.integers(0, 9, 300).astype(np.int32),
        "float32": rng.random(300).astype(np.float32),
        "float64": rng.random(300),
    }[weights]
    return gs.from_edges(ends[0], ends[1], drawn, n=130, symmetrize=symmetric)


@pytest.mark.parametrize("kind", KINDS, ids=str)
@pytest.mark.parametrize("weights", ["int32", "float32", "float64"])
@pytest.mark.parametrize("symmetric", [False, True])
def test_the_same_on_every_machine(kind: dict[str, Any], weights: str, symmetric: bool) -> None:
    graph = _random(weights, symmetric)
    one: Any = None
    for machine in MACHINES:
        found = gs.random_walks(graph, machine, length=15, walks=2, seed=9, **kind)
        one = one if one is not None else found
        np.testing.assert_array_equal(found.walks, one.walks)
        assert (found.steps, found.ended) == (one.steps, one.ended)
    gs.verify_random_walks(graph, one.walks, seed=9, **kind)
    other = gs.random_walks(graph, "cpu:1x1", length=15, walks=2, seed=10, **kind)
    assert not np.array_equal(other.walks, one.walks)
    assert one.walks.shape == (260, 16) and one.steps == int((one.walks[:, 1:] >= 0).sum())
    assert one.ended == int((one.walks[:, -1] < 0).sum())


def _philox(counter: list[int], key: list[int]) -> int:
    low, c, k = (1 << 32) - 1, list(counter), list(key)
    for _ in range(10):
        a, b = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [(b >> 32) ^ c[1] ^ k[0], b & low, (a >> 32) ^ c[3] ^ k[1], a & low]
        k = [(k[0] + 0x9E3779B9) & low, (k[1] + 0xBB67AE85) & low]
    return c[0] | c[1] << 32


def test_steps_are_what_the_definition_says() -> None:
    graph = gs.kronecker(8)
    seed = (5 << 32) + 7
    found = gs.random_walks(graph, "cpu:1x2", length=10, seed=seed)
    for number in range(0, graph.vertices, 17):
        walk = found.walks[number]
        assert walk[0] == number
        for step in range(10):
            row = graph.indices[graph.indptr[walk[step]] : graph.indptr[walk[step] + 1]]
            if not row.size:
                assert walk[step + 1] == -1
                break
            drawn = _philox([step, 0, number, 0], [7, 5]) * row.size >> 64
            assert walk[step + 1] == row[drawn]


def test_shares_are_those_of_arcs() -> None:
    """The share of visits is a vertex's share of arcs, or of their weight."""
    rng = np.random.default_rng(2)
    ends = rng.integers(0, 40, (2, 300))
    weights = rng.integers(1, 9, 300).astype(np.int32)
    graph = gs.from_edges(ends[0], ends[1], weights, symmetrize=True).largest_component()
    for weighted in (False, True):
        found = gs.random_walks(graph, "cpu:1x2", length=400, walks=100, weighted=weighted)
        tails = np.repeat(np.arange(graph.vertices), graph.degrees)
        assert graph.weights is not None
        strength = np.bincount(tails, graph.weights if weighted else None)
        visits = np.bincount(found.walks[:, 50:].ravel(), minlength=graph.vertices)
        np.testing.assert_allclose(visits / visits.sum(), strength / strength.sum(), rtol=0.03)


def test_results_say_what_they_are() -> None:
    graph = gs.from_edges(["b", "c"], ["c", "a"])
    found = gs.random_walks(graph, "cpu:1x1", sources=["a", "b"], length=3, walks=2)
    assert found.sources is not None and found.sources.size == 2
    assert list(found.named_walks()) == [["a"], ["a"], ["b", "c", "a"], ["b", "c", "a"]]
    assert (found.count, found.length, found.steps, found.ended) == (4, 3, 4, 4)
    assert found.engine == "sync" and set(found.phases) == {"sum", "walk"}
    assert "steps=4" in repr(found) and "<table" in found._repr_html_()
    pytest.importorskip("pandas")
    frame = found.to_frame()
    assert frame.vertex.tolist() == ["a", "a", "b", "c", "a", "b", "c", "a"]
    assert frame.step.tolist() == [0, 0, 0, 1, 2, 0, 1, 2]
    kept = pickle.loads(pickle.dumps(found))
    np.testing.assert_array_equal(kept.walks, found.walks)
    assert list(kept.named_walks()) == list(found.named_walks())
    search = gs.RandomWalksSearch(graph, "cpu:1x1", length=1)
    assert search.run().walks.shape == (3, 2)
    assert search.run([]).walks.shape == (0, 2)
    gs.verify_random_walks(graph, search.run().walks)
    gs.verify_random_walks(graph, search.run(["c"]).walks, sources=["c"])
    few = gs.RandomWalksSearch.plan(graph, "cpu:1x1", sources=1, walks=1000)
    assert 0 < few.total < gs.RandomWalksSearch.plan(graph, "cpu:1x1", walks=1000).total


def test_errors() -> None:
    graph = gs.from_edges([0, 1, 2], [1, 2, 3])
    for given, said in (
        ({"length": 0}, "length"),
        ({"walks": 0}, "walks"),
        ({"p": 0}, "p"),
        ({"q": -1.0}, "q"),
        ({"p": 1e10}, "p"),
        ({"weighted": True}, "has no weights to walk by"),
        ({"engine": "quick"}, "unknown engine 'quick'"),
    ):
        with pytest.raises(gs.UsageError, match=f"random_walks: .*{said}"):
            gs.random_walks(graph, "cpu:1x1", **given)  # type: ignore[arg-type]
    with pytest.raises(gs.UsageError, match="source 4 is no vertex: the graph has 4"):
        gs.random_walks(graph, sources=np.array([4]))
    with pytest.raises(gs.UsageError, match="random_walks: sources: expected several vertices"):
        gs.random_walks(graph, sources="abc")
    with pytest.raises(gs.CapacityError, match="1 walks from 4 sources"):
        gs.random_walks(graph, "cpu:1x1", memory="1M", length=1000000)
    with pytest.raises(gs.UsageError, match="sources: -1 is no number of vertices"):
        gs.RandomWalksSearch.plan(graph, sources=-1)
    bad = gs.from_edges([0, 1], [1, 2], np.array([1.0, -1.0]))
    with pytest.raises(gs.InputError, match="random_walks needs"):
        gs.random_walks(bad, weighted=True)
    for walks, said in (
        ([[0, 1, 2], [1, 3, -1], [2, 3, -1], [3, -1, -1]], "walk 1: no arc leads from vertex 1"),
        ([[0, 1, 2], [1, 2, -1], [2, 3, -1], [3, -1, -1]], "walk 1: it ends at vertex 2 at step 1"),
        ([[0, 1, 2]], "1 rows of 3 vertices are no walks from 4 sources"),
        (np.zeros((4, 1), int), "4 rows of 1 vertices are no walks"),
    ):
        with pytest.raises(gs.VerificationError, match=f"walks of .*: {said}"):
            gs.verify_random_walks(graph, walks)
    with pytest.raises(gs.UsageError, match="p and q are from"):
        gs.verify_random_walks(graph, [[0, 1]], sources=[0], p=0)


def test_command(cli: Cli, tmp_path: Path) -> None:
    given = ("kron:8", "--machine", "cpu:1x2", "--length", "12", "--seed", "3", "--verify")
    shown = cli("random-walks", *given, "--p", "0.5", "--q", "2", "--output", "walks.npz").stdout
    assert "yes" in shown and "walks" in shown
    graph = gs.generate("kron:8")
    with np.load(tmp_path / "walks.npz") as arrays:
        assert arrays["walks"].shape == (256, 13)
        gs.verify_random_walks(graph, arrays["walks"], seed=3, p=0.5, q=2)
    run = cli.json("random-walks", *given, "--weights", "--weighted", "--sources", "5")["runs"][0]
    assert run["verified"] is True and run["walks"] == 5 and run["steps"] == 60
    run = cli.json("random-walks", *given, "--source", "1", "--source", "7", "--walks", "3")["runs"]
    assert run[0]["walks"] == 6 and run[0]["ended"] >= 0
    assert "memory plan" in cli("random-walks", "kron:8", "--sources", "9", "--plan").stdout
    for more, said in (
        (("--partition", "hash"), "all ranks read the same rows, and none owns vertices"),
        (("--source", "1", "--sources", "2"), "give --source or --sources, not both"),
        (("--sources", "2", "--seed", "-1"), "should be greater than or equal to 0"),
        (("--output", "walks.csv"), "a matrix goes to .npz alone"),
        (("--verify-with", "walks.npz"), "other programs draw otherwise"),
        (("--weighted",), "has no weights to walk by"),
    ):
        assert said in cli.fails(2, "random-walks", "kron:6", "--machine", "cpu:1x1", *more)


def test_a_run_ends_in_time() -> None:
    graph = gs.kronecker(14)
    with pytest.raises(gs.Timeout, match=r"random_walks did not end within 0\.01 s"):
        gs.random_walks(graph, "cpu:1x1", length=1000, timeout=0.01)
    assert gs.random_walks(graph, "cpu:1x1", length=1).count == graph.vertices

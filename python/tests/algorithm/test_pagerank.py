"""PageRank against the definition in SciPy, its errors and command."""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import gossamer as gs
import numpy as np
import numpy.typing as npt
import pytest
import scipy.sparse as sp
from gossamer.cli.commands import pagerank as command

if TYPE_CHECKING:
    from conftest import Cli

MACHINES = ["cpu:1x1", "cpu:1x2", "cpu:3x1", "sim:peach2,ranks=4"]

Doubles = npt.NDArray[np.float64]


def by_definition(
    matrix: Any, jumps: Doubles | None = None, damping: float = 0.85, ends: Doubles | None = None
) -> Doubles:
    """NetworkX's `pagerank`, in its terms: rows scaled, dangling mass to `ends`, by default to
    where jumps lead."""
    n = matrix.shape[0]
    p = np.full(n, 1 / n) if jumps is None else jumps / jumps.sum()
    d = p if ends is None else ends / ends.sum()
    out = np.asarray(matrix.sum(axis=1)).reshape(-1)
    scaled = sp.diags_array(np.divide(1.0, out, out=np.zeros(n), where=out != 0)) @ matrix
    x: Doubles = np.full(n, 1 / n)
    for _ in range(500):
        x = damping * (x @ scaled + x[out == 0].sum() * d) + (1 - damping) * p
    return x


def directed() -> sp.csr_array:
    random = np.random.default_rng(2)
    ends = random.integers(0, 400, (2, 1200))
    values = random.integers(1, 9, 1200).astype(np.float64)
    return sp.coo_array((values, (ends[0], ends[1])), (400, 400)).tocsr()


@pytest.mark.parametrize("machine", ["cpu:1x2", "cpu:3x1"])
@pytest.mark.parametrize("weighted", [True, False])
def test_walks_that_end_go_on_where_they_are_told(machine: str, weighted: bool) -> None:
    matrix = directed()
    matrix.data[matrix.indptr[7] : matrix.indptr[8]] = 0  # no step follows a weight of 0
    graph = gs.from_scipy(matrix, name="directed")
    plain = sp.csr_array((matrix.data if weighted else np.ones(matrix.nnz), matrix.indices,
                          matrix.indptr), matrix.shape)  # fmt: skip
    jumps, ends = np.zeros(400), np.zeros(400)
    jumps[:3], ends[5:9] = [1, 2, 5], [3, 1, 1, 4]
    for personalization in (None, jumps):
        want = by_definition(plain, personalization, ends=ends)
        result = gs.pagerank(
            graph, machine, personalization=personalization, dangling=ends, weighted=weighted,
            precision=64, tolerance=1e-12, max_iterations=500,
        )  # fmt: skip
        assert result.converged and result.weighted is weighted
        np.testing.assert_allclose(result.ranks, want, rtol=0, atol=1e-11)
        assert result[3] == result.gather("ranks")[3]
    single = gs.pagerank(graph, machine, dangling=ends, weighted=weighted)
    assert single.ranks.dtype == np.float32
    with pytest.raises(gs.UsageError, match="dangling needs a damping of less than 1"):
        gs.pagerank(graph, machine, dangling=ends, damping=1.0, tolerance=0, max_iterations=3)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("weighted", [True, False])
def test_agrees_with_the_definition(machine: str, weighted: bool) -> None:
    matrix = directed()
    graph = gs.from_scipy(matrix, name="directed")
    plain = matrix if weighted else (matrix != 0).astype(np.float64)
    jumps = np.zeros(400)
    jumps[:3] = [1, 2, 5]
    for personalization in (None, jumps):
        want = by_definition(plain, personalization)
        result = gs.pagerank(
            graph, machine, personalization=personalization, weighted=weighted, precision=64,
            tolerance=1e-12, max_iterations=500,
        )  # fmt: skip
        assert result.converged and result.ranks.dtype == np.float64
        np.testing.assert_allclose(result.ranks, want, rtol=0, atol=1e-11)
        single = gs.pagerank(graph, machine, personalization=personalization, weighted=weighted)
        assert single.ranks.dtype == np.float32 and single.iterations < result.iterations
        assert np.abs(single.ranks - want).sum() < 1e-6 / 0.15
        gs.verify_pagerank(graph, single.ranks, weighted=weighted, personalization=personalization)


def test_a_solver_runs_again() -> None:
    solver = gs.PagerankSolver(gs.kronecker(8), "cpu:1x2", deterministic=True)
    first, again = solver.run(), solver.run()
    assert first.ranks.tobytes() == again.ranks.tobytes()
    assert set(first.phases) == {"pull"} and first.engine == "sync"
    assert abs(first.ranks.sum(dtype=np.float64) - 1) < 1e-6
    assert solver.run(start=first.ranks).iterations == 1


@pytest.mark.parametrize("machine", ["cpu:1x1", "cpu:3x1", "sim:peach2,ranks=4"])
def test_the_async_engine_finds_the_same_ranks(machine: str) -> None:
    graph = gs.kronecker(9)
    options: dict[str, Any] = {"precision": 64, "tolerance": 1e-9}
    found = gs.pagerank(graph, machine, engine="async", **options)
    wanted = gs.pagerank(graph, machine, engine="sync", max_iterations=1000, **options)
    # Both are this near to the fixed point: a tolerance over 1 - damping.
    assert np.abs(found.ranks - wanted.ranks).sum() < 2 * 1e-9 / 0.15
    gs.verify_pagerank(graph, found.ranks, **options)
    assert found.converged and 0 < found.change <= 1e-9
    assert (found.engine, found.engine_reason, wanted.work) == ("async", "asked for", None)
    assert found.work is not None and found.work.windows == found.iterations > 0
    several = machine != "cpu:1x1"
    assert (found.work.sent > 0) == (found.work.bytes > 0) == several
    assert set(found.phases) == {"push", *(["exchange", "agree"] if several else [])}


def test_errors() -> None:
    graph = gs.grid(3, 3)
    with pytest.raises(gs.UsageError, match="unknown engine 'quick'"):
        gs.pagerank(graph, "cpu:1x1", engine="quick")
    with pytest.raises(gs.UsageError, match="'async' adds residuals in the order in which they ar"):
        gs.pagerank(graph, "cpu:1x1", engine="async", deterministic=True)
    with pytest.raises(gs.UsageError, match="'async' begins with no ranks at all; give no start"):
        gs.pagerank(graph, "cpu:1x1", engine="async", start=np.ones(9))
    with pytest.raises(gs.CapacityError, match="known residuals and worklists"):
        gs.pagerank(graph, "cpu:2x1", engine="async", memory=64)
    with pytest.raises(gs.UsageError, match="pagerank: precision 16 is neither 32 nor 64"):
        gs.pagerank(graph, "cpu:1x1", precision=16)
    with pytest.raises(gs.UsageError, match="grid:3x3 has no weights to follow arcs by"):
        gs.pagerank(graph, "cpu:1x1", weighted=True)
    with pytest.raises(gs.UsageError, match="personalization has 2 entries, the graph has 9"):
        gs.pagerank(graph, "cpu:1x1", personalization=[1, 2])
    with pytest.raises(gs.UsageError, match="pagerank: start is 2-dimensional, of int64"):
        gs.pagerank(graph, "cpu:1x1", start=[[1, 2]])
    with pytest.raises(gs.VerificationError, match=r"pagerank of grid:3x3: another iteration"):
        gs.verify_pagerank(graph, np.full(9, 1 / 9))
    with pytest.raises(gs.UsageError, match="pagerank: max_iterations: expected an integer"):
        gs.pagerank(graph, "cpu:1x1", max_iterations=1.5)


def test_ranks_are_compared_by_their_difference() -> None:
    graph = gs.generate("kron:8")
    exact = gs.pagerank(graph, "cpu:1x1", precision=64, tolerance=1e-13).ranks
    asked: list[dict[str, Any]] = [
        {}, {"precision": 64}, {"engine": "async"}, {"tolerance": 1e-3},
    ]  # fmt: skip
    for options in asked:
        found = gs.pagerank(graph, "cpu:2x1", **options).ranks
        tolerance = options.get("tolerance", 1e-6)
        difference = gs.compare_ranks(graph, found, exact, tolerance=tolerance)
        assert 0 < difference <= tolerance / 0.15 + 2e-7
    wrong = exact.copy()
    wrong[3] += 1e-5
    with pytest.raises(
        gs.VerificationError,
        match=r"pagerank of kron:8: the ranks differ from those expected by 1\.000e-05 in the "
        r"1-norm, the tolerance 1e-06 allows 6\.667e-06",
    ):
        gs.compare_ranks(graph, exact, wrong)
    gs.compare_ranks(graph, exact, wrong, tolerance=1e-5)
    wrong[3] = np.nan
    with pytest.raises(gs.VerificationError, match="expected by nan in the 1-norm"):
        gs.compare_ranks(graph, exact, wrong)
    with pytest.raises(gs.VerificationError, match="there are 2 numbers to compare, the graph has"):
        gs.compare_ranks(graph, exact, [0.5, 0.5])
    with pytest.raises(gs.UsageError, match="compare_ranks: ranks is 1-dimensional, of <U1; one n"):
        gs.compare_ranks(graph, ["a"], exact)


def test_command_compares_with_files(cli: Cli, small_file: Path, tmp_path: Path) -> None:
    given = ["pagerank", small_file, "--machine", "cpu:2x1"]
    cli(*given, "--output", "out.npz", "--precision", 64, "--tolerance", 1e-12)
    with np.load(tmp_path / "out.npz") as arrays:
        ranks = arrays["ranks"]
    np.save(tmp_path / "right.npy", ranks)
    (tmp_path / "right.txt").write_text("\n".join(map(str, ranks)))
    for name in ("out.npz", "right.txt", "right.npy"):
        for engine in ("sync", "async"):
            found = cli.json(*given, "--engine", engine, "--verify-with", name)
            assert found["summary"]["verified"] is True
            assert found["options"]["verify_with"] == name
    np.save(tmp_path / "wrong.npy", np.full(6, 1 / 6))
    done = cli(*given, "--verify-with", "wrong.npy")
    assert done.returncode == 3 and "FAILED" in done.stdout
    assert done.stderr.startswith("gossamer: pagerank of small.gr: the ranks differ from those")
    assert done.stderr.count("\n") == 1 and "the tolerance 1e-06 allows" in done.stderr
    (tmp_path / "words.txt").write_text("high low")
    assert cli.fails(2, *given, "--verify-with", "words.txt") == (
        "words.txt:1: expected a number, found 'high'"
    )
    np.savez(tmp_path / "other.npz", labels=np.arange(6))
    assert cli.fails(2, *given, "--verify-with", "other.npz") == (
        "other.npz: there is no array named ranks"
    )
    np.save(tmp_path / "two.npy", np.zeros((2, 6)))
    assert "one row or column of numbers is needed, not 2 x 6" in cli.fails(
        2, *given, "--verify-with", "two.npy"
    )


def test_command(cli: Cli, small_file: Path, tmp_path: Path) -> None:
    given = ["pagerank", small_file, "--machine", "cpu:2x1"]
    found = cli.json(*given, "--verify", "--top", 2, "--output", "ranks.npz", "--precision", 64)
    (run,) = found["runs"]
    assert run["converged"] is True and run["verified"] is True
    assert set(run["phases"]) == {"pull", "allgather", "agree"}
    assert [entry["vertex"] for entry in run["top"]] == [3, 5]
    with np.load(tmp_path / "ranks.npz") as arrays:
        assert abs(arrays["ranks"].sum() - 1) < 1e-12
        assert arrays["ranks"].max() == run["top"][0]["rank"]
    assert cli.fails(2, *given, "--max-iterations", 2, "--engine", "async") == (
        "pagerank: --max-iterations: engine async has no iterations to count"
    )
    done = cli(*given, "--max-iterations", 2)
    assert done.returncode == 1 and "did not converge in 2 iterations" in done.stdout
    assert "engine sync: chosen, " in done.stdout and run["work"] is None
    (tmp_path / "jumps.txt").write_text("0 0 0 0 1 1")
    there = cli.json(*given, "--personalization", "jumps.txt", "--top", 6)["runs"][0]["top"]
    assert {entry["vertex"] for entry in there[:2]} == {5, 6}
    assert sum(entry["rank"] for entry in there[2:]) < 1e-5
    plan = cli.json(*given, "--plan")["plan"]
    assert {"rank 0: ranks", "rank 1: offers"} <= {e["purpose"] for e in plan["entries"]}
    (run,) = cli.json(*given, "--engine", "async", "--verify")["runs"]
    assert (run["engine_reason"], run["verified"]) == ("asked for", True)
    assert run["work"]["windows"] == run["iterations"] > 0
    assert re.search(
        r"items +[\d,]+ *\n *repeated +[\d,]+ *\n", cli(*given, "--engine", "async").stdout
    )
    assert "async" in cli.fails(2, *given, "--engine", "async", "--deterministic")
    plan = cli.json(*given, "--plan", "--engine", "async")["plan"]
    assert "rank 1: known residuals and worklists" in {e["purpose"] for e in plan["entries"]}
    for wrong in (["--damping", 2], ["--damping", "nan"], ["--tolerance", -1]):
        assert wrong[0] in cli.fails(2, *given, *wrong, "--plan")


def test_networkx_spellings() -> None:
    graph = gs.from_scipy(directed(), name="directed")
    ours = gs.pagerank(
        graph, "cpu:1", damping=0.7, tolerance=400 * 1e-5, max_iterations=50, precision=64
    )
    theirs = gs.pagerank(graph, "cpu:1", alpha=0.7, tol=1e-5, max_iter=50, precision=64)
    assert np.array_equal(ours.ranks, theirs.ranks) and ours.iterations == theirs.iterations
    for both in ({"alpha": 0.7, "damping": 0.7}, {"tol": 1.0, "tolerance": 1.0}):
        one, other = both
        words = f"pagerank: {one} and {other} are the same option: give one of them"
        with pytest.raises(gs.UsageError, match=words):
            gs.pagerank(graph, "cpu:1", **both)


def test_jumps_by_name() -> None:
    graph = gs.from_edges(["a", "b", "c"], ["b", "c", "a"])
    ours = gs.pagerank(graph, "cpu:1", personalization={"b": 2, "c": 1}, dangling={"a": 1})
    theirs = gs.pagerank(graph, "cpu:1", personalization=[0, 2, 1], dangling=[1, 0, 0])
    assert np.array_equal(ours.ranks, theirs.ranks)
    gs.verify_pagerank(graph, gs.pagerank(graph, "cpu:1").to_dict())
    for wrong, words in (
        ({"x": 1}, r"edges: no vertex 'x' \(3 names: 'a', 'b', 'c'\)"),
        ({"a": "1"}, "pagerank: personalization: expected a number, got '1'"),
        ({1: 1, "a": 1}, "edges: no vertex 1"),
    ):
        with pytest.raises(gs.UsageError, match=words):
            gs.pagerank(graph, "cpu:1", personalization=wrong)


def test_results_say_whether_weights_were_used(cli: Any) -> None:
    graph = gs.kronecker(6, weights=True)
    assert not gs.pagerank(graph, "cpu:1").weighted
    assert gs.pagerank(graph, "cpu:1", weighted=True).weighted
    given = ("pagerank", "kron:6", "--machine", "cpu:1", "--weights")
    assert "\nweights are not used (--weighted:" in cli(*given).stdout
    assert "\nweights are used\n" in cli(*given, "--weighted").stdout
    assert "weights are" not in cli("pagerank", "kron:6", "--machine", "cpu:1").stdout


def test_what_does_not_converge_warns() -> None:
    graph = gs.from_scipy(directed(), name="directed")
    words = "pagerank of directed did not converge in 2 iterations: the last one changed ranks by"
    with pytest.warns(gs.ConvergenceWarning, match=words) as caught:
        assert not gs.pagerank(graph, "cpu:1", max_iterations=2).converged
        gs.PagerankSolver(graph, "cpu:1", max_iterations=2).run()
    assert [warning.filename for warning in caught] == [__file__] * 2
    with pytest.warns(gs.ConvergenceWarning, match="as rounding does: precision=64 gets below$"):
        small = gs.from_edges([0, 1, 1, 4, 3, 2, 0], [1, 2, 3, 5, 0, 3, 3], n=7)
        gs.pagerank(small, "cpu:1", tolerance=1e-9)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        gs.pagerank(graph, "cpu:1")
        gs.pagerank(graph, "cpu:1", max_iterations=2, tolerance=0)


@pytest.mark.parametrize("count", [0, 1, 3, 70, 200, 500])
def test_the_highest_ranks_are_found_in_blocks(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "_BLOCK", 7)
    graph = gs.generate("star:200")
    result = gs.pagerank(graph, "cpu:1x1")
    draw = np.random.default_rng(1)
    for ranks in (result.ranks, draw.integers(0, 5, 200) / 8, draw.permutation(200) / 256):
        shown = SimpleNamespace(ranks=ranks)
        order = sorted(range(200), key=lambda v, ranks=ranks: (-ranks[v], v))[:count]
        assert command._foremost(graph, shown, count) == [(v, ranks[v]) for v in order]

"""Conjugate gradient against SciPy's, on real matrices and generated ones; its errors and CLI."""

from __future__ import annotations

import importlib
import json
import os
import re
from pathlib import Path
from typing import Any

import gossamer as gs
import numpy as np
import pytest
import scipy.sparse as sp
from gossamer import _gossamer
from scipy.sparse.linalg import cg as scipy_cg

MACHINES = ["cpu:1x1", "cpu:1x2", "cpu:3x1"]


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("exchange", ["allgather", "halo"])
def test_agrees_with_scipy(machine: str, exchange: str) -> None:
    a = gs.matrix("poisson:12x11").to_scipy()
    b = np.random.default_rng(3).standard_normal(a.shape[0])
    ours, info = gs.cg(a, b, rtol=1e-9, machine=machine, exchange=exchange)
    theirs, _ = scipy_cg(a, b, rtol=1e-9, atol=0.0)
    assert info == 0
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-7 * np.abs(theirs).max())
    # A column, integers and a start are taken as SciPy takes them.
    again, info = gs.cg(a, b[:, None], ours, rtol=1e-9, machine=machine)
    assert info == 0 and np.linalg.norm(b - a @ again) <= 1e-9 * np.linalg.norm(b) * 1.01


def test_same_number_of_iterations_as_scipy() -> None:
    a = gs.matrix("band:500:9001").to_scipy()
    b = np.random.default_rng(5).standard_normal(a.shape[0])
    seen = 0

    def count(_: Any) -> None:
        nonlocal seen
        seen += 1

    scipy_cg(a, b, rtol=1e-8, atol=0.0, callback=count)
    result = gs.CgSolver(a, "cpu:2x1", rtol=1e-8).solve(b)
    assert seen > 5 and abs(result.iterations - seen) <= 1
    assert result.converged and result.residual <= 1e-8 * result.right_side_norm


def test_plan_is_of_the_engine_asked_for() -> None:
    says = "engine 'single_kernel' of cg on CPU ranks: it runs on GPUs of one process"
    with pytest.raises(gs.UsageError, match=says):
        gs.CgSolver.plan(gs.matrix("poisson:4"), gs.Machine("cpu:1x1"), engine="single_kernel")


@pytest.mark.parametrize("name", ["M", "callback"])
def test_names_what_scipy_has_and_this_has_not(name: str) -> None:
    with pytest.raises(gs.UsageError, match=f"cg: no .*{name}"):
        gs.cg(gs.matrix("poisson:4"), np.ones(4), **{name: print})  # type: ignore[arg-type]


def test_other_names_are_no_options_of_cg() -> None:
    with pytest.raises(TypeError, match=r"^cg\(\) got an unexpected keyword argument 'tol'"):
        gs.cg(gs.matrix("poisson:4"), np.ones(4), tol=1e-3)  # type: ignore[call-arg]


def test_verification_takes_no_negative_rounds() -> None:
    a = gs.matrix("poisson:4")
    with pytest.raises(gs.UsageError, match="verify_cg: iterations: -1 is below 0"):
        gs.verify_cg(a, np.ones(4), np.ones(4), iterations=-1)


def test_info_is_the_number_of_iterations_without_convergence() -> None:
    a = gs.matrix("poisson:30x30")
    b = np.random.default_rng(1).standard_normal(900)
    x, info = gs.cg(a, b, rtol=1e-12, maxiter=7, machine="cpu:1x1")
    assert info == 7 and np.isfinite(x).all()
    # None at all is no success either, unless the start is good enough.
    x, info = gs.cg(a, b, maxiter=0, machine="cpu:1x1")
    assert info == 1 and not x.any()
    good, info = gs.cg(a, b, rtol=1e-9, machine="cpu:1x1")
    assert gs.cg(a, b, good, rtol=1e-6, maxiter=0, machine="cpu:1x1")[1] == info == 0


@pytest.mark.parametrize(
    ("name", "rtol"), [("s1rmq4m1", 1e-6), ("crystm01", 1e-10), ("bcsstk17", 1e-5)]
)
def test_real_matrices(data: Path, name: str, rtol: float) -> None:
    graph = gs.read(data / f"{name}.mtx.xz")
    a = graph.to_scipy()
    b = a @ np.ones(graph.vertices)
    inverse = sp.diags_array(1 / a.diagonal())
    theirs, _ = scipy_cg(a, b, rtol=rtol, atol=0.0, M=inverse)
    for machine in ("cpu:1x2", "cpu:3x1"):
        for options in ({"jacobi": True}, {"jacobi": True, "exchange": "halo"}):
            result = gs.CgSolver(graph, machine, rtol=rtol, **options).solve(b)  # type: ignore[arg-type]
            assert result.converged, (machine, options)
            gs.verify_cg(graph, b, result.x, rtol=rtol, iterations=result.iterations)
            # Both stop within rtol of b; how far that is in x is the matrix's condition.
            apart = np.linalg.norm(a @ (result.x - theirs)) / np.linalg.norm(b)
            assert apart <= 2.5 * rtol, (machine, options)
    if name == "crystm01":  # well conditioned: the solution itself is known
        np.testing.assert_allclose(result.x, 1, atol=1e-6)
    assert graph.arcs == {"s1rmq4m1": 281111, "crystm01": 105339, "bcsstk17": 428650}[name]


@pytest.mark.skipif(not _gossamer.build_info()["features"]["metis"], reason="built without METIS")
def test_partitions_move_less_and_change_no_solution(data: Path) -> None:
    graph = gs.read(data / "bcsstk17.mtx.xz")
    b = np.random.default_rng(7).standard_normal(graph.vertices)
    moved = {}
    for partition in ("auto", "edges", "hash", "metis", graph.partition("metis", 3)):
        solver = gs.CgSolver(
            graph, "cpu:3x1", rtol=1e-6, jacobi=True, exchange="halo", partition=partition
        )
        result = solver.solve(b)
        assert result.converged
        gs.verify_cg(graph, b, result.x, rtol=1e-6, iterations=result.iterations)
        moved[str(partition)] = result.bytes_per_iteration
        again = solver.solve(b, result.x)  # a start is in the matrix's own order, too
        assert again.iterations <= 1
    assert moved["metis"] < moved["auto"] < moved["hash"]


def test_real_pattern_with_generated_values(data: Path) -> None:
    graph = gs.with_values(gs.read(data / "nasa2910-pattern.mtx.xz"))
    assert (graph.vertices, graph.arcs) == (2910, 174296)
    b = np.ones(graph.vertices)
    assert gs.CgSolver(graph, "cpu:1x1", rtol=1e-8).solve(b).iterations > 5
    x, info = gs.cg(graph, b, rtol=1e-8, machine="cpu:4x1")
    assert info == 0 and np.linalg.norm(b - graph.to_scipy() @ x) <= 1e-8 * np.linalg.norm(b) * 1.01


@pytest.mark.parametrize(
    ("matrix", "b", "error", "message"),
    [
        ([[1.0, 2.0], [3.0, 1.0]], [1, 1], gs.InputError,
         r"matrix: the matrix is not symmetric: entry \(0, 1\) is 2, entry \(1, 0\) is 3"),
        ([[1.0, 2.0], [2.0, 1.0]], [1, -1], gs.InputError,
         r"matrix: the matrix is not positive definite: p'Ap = -2 in iteration 0"),
        ([[4.0, 1.0, 0.0], [1.0, 1.0, 1.5], [0.0, 1.5, 1.0]], [1, 0, 0], gs.InputError,
         r"not positive definite: p'Ap = -\S+ in iteration 2"),
        ([[1.0, 0.0], [0.0, -1.0]], [1, 1], gs.InputError, r"entry \(1, 1\) is -1"),
        ([[np.nan]], [1], gs.InputError, r"matrix: entry \(0, 0\) is nan"),
        ([[1.0]], [np.nan], gs.InputError, r"cg: b\[0\] is NaN"),
        ([[1.0]], [1, 2], gs.UsageError, r"cg: b has 2 entries, the matrix has 1 rows"),
        ([[1.0]], [[[1]]], gs.UsageError, r"cg: b has 3 dimensions"),
        ([[1.0]], [1j], gs.UsageError, r"cg: b holds complex128"),
    ],
)  # fmt: skip
def test_errors(matrix: Any, b: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        gs.cg(sp.csr_array(np.array(matrix)), np.array(b), machine="cpu:1x1")


def test_not_square() -> None:
    with pytest.raises(gs.UsageError, match="not square: 1 × 2"):
        gs.cg(sp.csr_array(np.ones((1, 2))), [1.0])


@pytest.mark.parametrize(
    ("option", "message"),
    [({"exchange": "all"}, "unknown exchange 'all' .there are auto, allgather, halo"),
     ({"partition": "odd"}, "partition: 'odd' is none of auto, ranges, edges, hash, metis"),
     ({"partition": [0, 0, 1, 0]}, "vertex 2 is in part 1, the machine has 1 ranks"),
     ({"engine": "x"}, "cg: unknown engine 'x'"),
     ({"maxiter": -1}, "cg: maxiter -1 is negative"),
     ({"memory": 10}, "direction vector")],
)  # fmt: skip
def test_bad_options(option: dict[str, Any], message: str) -> None:
    with pytest.raises(gs.Error, match=message):
        gs.cg(gs.matrix("poisson:4"), np.ones(4), machine="cpu:1x1", **option)


def test_rows_are_put_in_order_only_where_that_fits() -> None:
    with pytest.raises(gs.CapacityError, match="rank 0 does not fit: renumbered graph"):
        gs.CgSolver(gs.matrix("poisson:9"), "cpu:2x1", partition="hash", memory=450)


def test_solver_survives_its_machine_variable() -> None:
    solver = gs.CgSolver(gs.matrix("poisson:9"), gs.Machine("cpu:2x1"), rtol=1e-10)
    assert solver.solve(np.ones(9)).converged


def test_the_benchs_bound_counts_the_matrix_that_is_made(
    monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.syspath_prepend(str(Path(request.config.rootpath) / "bench" / "problem"))
    bound = importlib.import_module("cg_bound")
    for spec in ("poisson:7x6x5", "poisson:9x4", "poisson:11"):
        made = gs.matrix(spec)
        assert bound.poisson(spec) == (made.vertices, made.arcs)
    # docs/design/cg.md: 3.0 GB, 0.75 ms on one GPU; four have a quarter each.
    rows, entries = bound.poisson("poisson:256x256x256")
    assert bound.bytes_an_iteration(rows, entries) == 12 * entries + 96 * rows
    assert bound.microseconds(rows, entries) == pytest.approx(754, rel=1e-3)
    assert bound.microseconds(rows, entries, 4) == pytest.approx(754 / 4, rel=1e-3)


# --- the command line -------------------------------------------------------------------------


def test_command(cli: Any, tmp_path: Path) -> None:
    out = cli.json("cg", "poisson:16x16", "--machine", "cpu:2x1", "--tolerance", "1e-8",
                   "--verify", "--repeat", "2", "--output", "x.npy")  # fmt: skip
    assert out["algorithm"] == "cg" and len(out["runs"]) == 2
    assert all(run["converged"] and run["verified"] for run in out["runs"])
    assert out["exchange"]["used"] == "halo" and out["exchange"]["bytes_per_iteration"] == 256
    assert set(out["runs"][0]["phases"]) == {"spmv", "dot", "axpy", "halo", "allreduce"}
    a = gs.matrix("poisson:16x16").to_scipy()
    x = np.load(tmp_path / "x.npy")
    assert np.linalg.norm(np.ones(256) - a @ x) <= 1e-8 * 16 * 1.01


def test_products_of_sparse_matrices_are_solved() -> None:
    """SciPy leaves their rows unsorted."""
    m = sp.random_array((50, 50), density=0.1, random_state=np.random.default_rng(1), format="csr")
    a = sp.csr_array(m @ m.T + sp.eye_array(50) * 0.5)
    a = a[np.arange(50)[::-1]][:, np.arange(50)[::-1]]
    if a.has_sorted_indices:  # however SciPy came by that: two entries of a row change places
        a = sp.csr_array((a.data[::-1].copy(), a.indices[::-1].copy(),
                          (a.nnz - a.indptr[::-1]).copy()), shape=a.shape)  # fmt: skip
    assert not a.has_sorted_indices
    x, info = gs.cg(a, np.ones(50), rtol=1e-10, machine="cpu:2x1")
    assert info == 0 and np.allclose(a @ x, 1)
    assert not a.has_sorted_indices  # the caller's is left as it is
    half = np.array([[4, 1], [1, 3]], np.float16)
    assert np.allclose(half @ gs.cg(half, np.ones(2), rtol=1e-10)[0], 1)
    with pytest.raises(gs.UsageError, match="cg: b: "):
        gs.cg(half, [[1], [1, 2]])
    with pytest.raises(gs.UsageError, match="cg: maxiter"):
        gs.CgSolver(half, iterations=3, maxiter=3)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("z.npz", b"PK\003\004junk", "the zip archive is cut short"),
        ("z.mtx", b"%%MatrixMarket matrix array real general\n99999999999999999999 1\n", "63 bits"),
        ("z.txt", b"\xef\xbb\xbf1 x", "expected a number, found 'x'"),
    ],
)
def test_damaged_right_hand_sides(
    cli: Any, tmp_path: Path, name: str, content: bytes, said: str
) -> None:
    (tmp_path / name).write_bytes(content)
    text = cli.fails(2, "cg", "poisson:8x8", "--rhs", tmp_path / name)
    assert text.startswith(str(tmp_path / name)) and said in text


def test_right_hand_sides_are_no_pipes(cli: Any, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert "a list of numbers is read from a file" in cli.fails(
        2, "cg", "poisson:8x8", "--rhs", tmp_path / "pipe"
    )


def test_command_fixed_iterations_and_plan(cli: Any) -> None:
    out = cli.json("cg", "band:300:4001", "--iterations", "25", "--engine", "published",
                   "--verify", "--machine", "cpu:1x1")  # fmt: skip
    assert out["runs"][0]["iterations"] == 25 and out["runs"][0]["verified"]
    plan = cli.json("cg", "poisson:8", "--plan", "--machine", "cpu:2x1")["plan"]
    purposes = {"generating: the graph", "rank 0: matrix rows", "rank 1: vectors"}
    assert {e["purpose"] for e in plan["entries"]} >= purposes
    # What does not fit is planned for, not refused: that is what a plan is asked for.
    text = cli("cg", "poisson:100x100x100", "--plan", "--memory", "1MiB").stdout
    assert re.search(r"host: [\d.]+ MiB of 1.0 MiB \(--memory\)", text)
    assert "depends on the matrix, which is not loaded: it does not fit" in text


@pytest.mark.parametrize("exchange", ["allgather", "halo"])
@pytest.mark.parametrize("machine", ["cpu:1x1", "cpu:3x1", "sim:hapacs-ib,ranks=4"])
def test_command_takes_no_more_than_its_plan(cli: Any, machine: str, exchange: str) -> None:
    memory = cli.json(
        "cg", "poisson:20x20x20", "--iterations", 5, "--machine", machine, "--exchange", exchange,
        "--jacobi",
    )["memory"]  # fmt: skip
    assert 0 < memory["peak_bytes"] <= memory["planned_bytes"]


@pytest.mark.parametrize("form", ["npy", "txt", "mtx"])
def test_command_right_side_from_a_file(cli: Any, tmp_path: Path, form: str) -> None:
    b = np.arange(1.0, 10.0)
    path = tmp_path / f"b.{form}"
    if form == "npy":
        np.save(path, b)
    elif form == "txt":
        path.write_text("\n".join(map(str, b)))
    else:
        from scipy.io import mmwrite

        mmwrite(path, b[:, None])
    out = cli.json("cg", "poisson:9", "--rhs", path, "--tolerance", "1e-10", "--verify")
    assert out["runs"][0]["verified"]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (
            ["poisson:9", "--rhs", "absent"],
            2,
            "absent: cannot be opened: No such file or directory",
        ),
        (["poisson:9x"], 2, "generator 'poisson:9x': NY '' is not a whole number"),
        (["kron:4"], 2, "kron:4: has no values; conjugate gradient needs a matrix"),
        (["absent.mtx"], 2, "absent.mtx: no such file"),
        (["poisson:40x40", "--max-iterations", "3"], 1, ""),
    ],
)
def test_command_errors(cli: Any, arguments: list[str], code: int, message: str) -> None:
    done = cli("cg", *arguments)
    assert done.returncode == code
    assert message in done.stderr
    if code == 1:
        assert "did not converge in 3 iterations: the best iterate" in done.stdout


@pytest.mark.parametrize("spec", ["poisson:9x8", "band:90:801"])
def test_a_generated_matrix_is_the_file_it_is_written_to(
    cli: Any, tmp_path: Path, spec: str
) -> None:
    assert cli("generate", spec, "-o", "a.mtx").returncode == 0
    made, read = gs.generate(spec), gs.read(tmp_path / "a.mtx")
    for name in ("indptr", "indices", "weights"):
        assert np.array_equal(getattr(made, name), getattr(read, name))
    options = ("--iterations", 12, "--machine", "cpu:2x1")
    one, other = (cli.json("cg", text, *options) for text in (spec, "a.mtx"))
    assert one["runs"][0]["residual"] == other["runs"][0]["residual"]
    # Values take the place of those that are there, from a file or not.
    one, other = (cli.json("cg", text, "--values", *options) for text in (spec, "a.mtx"))
    assert one["runs"][0]["residual"] == other["runs"][0]["residual"]
    assert one["graph"]["weights"] == "generated: diagonally dominant, seed 1"


def test_json_is_what_the_library_says(cli: Any) -> None:
    done = cli("cg", "poisson:5", "--json", "-", "--machine", "cpu:1x1")
    assert json.loads(done.stdout)["exchange"]["used"] == "none"


def test_a_residual_stands_beside_its_share(cli: Any) -> None:
    text = cli("cg", "poisson:30").stdout
    assert re.search(r"residual\s+over b's norm\s+ms", text), text


def test_dense_matrices_as_scipy_takes_them() -> None:
    a = gs.matrix("poisson:6x5").to_scipy().toarray()
    b = np.sin(1 + np.arange(30.0))
    want, _ = scipy_cg(sp.csr_array(a), b, rtol=1e-10)
    for dense in (a, a.tolist(), a.astype(int)):
        x, info = gs.cg(dense, b, rtol=1e-10, machine="cpu:1x1")
        assert info == 0 and np.allclose(x, want, atol=1e-8)
    assert gs.verify_cg(a, b, x, rtol=1e-10, iterations=100) < 1e-8


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        (np.ones((2, 3)), "cg: not square: 2 × 3"),
        (sp.csr_array((2, 3)), "cg: not square: 2 × 3"),
        (np.ones(3), "cg: A: expected a Graph, a sparse matrix or a two-dimensional array of numb"),
        ("poisson:3", "cg: A: expected a Graph, a sparse matrix or a two-dimensional array of nu"),
    ],
)
def test_what_is_no_matrix_is_named(matrix: Any, message: str) -> None:
    with pytest.raises(gs.UsageError) as caught:
        gs.cg(matrix, np.ones(3))
    assert str(caught.value).startswith(message)

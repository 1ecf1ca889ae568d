"""`gossamer cg MATRIX`: conjugate gradient, verified on request."""

from __future__ import annotations

import statistics
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from .. import _gossamer
from ..cg import CgResult, CgSolver, Vector, verify_cg, with_values
from ..errors import InputError, RankError, UsageError, VerificationError
from ..graph import Graph
from . import options
from .graphs import GraphSource
from .output import (
    Report,
    describe_graph,
    graph_json,
    machine_json,
    memory_json,
    plan_json,
    print_plan,
    report_lost,
    write_whole,
)
from .progress import open_machine, progress

__all__ = ["cg", "load_matrix"]


def load_matrix(
    text: str, values: bool, threads: int, limit: int | None, source_format: str = "auto"
) -> Graph:
    """MATRIX: a generator spec, or a file, with values made for a pattern on request."""
    loaded = GraphSource(text, format=source_format, threads=threads, memory=limit).load()
    if not values:
        return loaded
    with progress(f"making values for {loaded.name}"):
        return with_values(loaded, threads=threads)


def _read_vector(path: Path) -> Vector:
    """NumPy .npy, a Matrix Market array, or numbers separated by blanks or line ends."""
    try:
        with path.open("rb") as file:
            start = file.read(14)
        if start[:6] == b"\x93NUMPY":
            values = np.load(path, allow_pickle=False)
        elif start.lower() == b"%%matrixmarket":
            from scipy.io import mmread

            values = mmread(path)
            if not isinstance(values, np.ndarray):
                values = values.toarray()
        else:
            values = np.array(path.read_text(encoding="utf-8").split(), np.float64)
        return np.asarray(values, np.float64).reshape(-1)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    except ValueError as error:
        raise InputError(f"{path}: not a vector: {error}") from None


def _right_side(text: str, n: int) -> Vector:
    if text == "ones":
        return np.ones(n)
    if text == "random":
        return np.random.default_rng(1).standard_normal(n)
    return _read_vector(Path(text))


def _run_json(result: CgResult, verified: bool | None) -> dict[str, Any]:
    return {
        "milliseconds": result.milliseconds,
        "phases": result.phases,
        "iterations": result.iterations,
        "microseconds_per_iteration": 1e3 * result.milliseconds / max(1, result.iterations),
        "converged": result.converged,
        "residual": result.residual,
        "relative_residual": result.residual / result.right_side_norm
        if result.right_side_norm > 0
        else 0.0,
        "verified": verified,
    }


def _print_result(report: Report, result: CgResult, runs: list[dict[str, Any]]) -> None:
    report.line(f"engine {result.engine}, exchange {result.exchange}: {result.exchange_reason}")
    per = max(1, result.iterations)
    total = result.milliseconds or 1.0
    report.table(
        "rank 0, first run",
        ["operation", "ms", "µs an iteration", "%"],
        [
            (name, f"{ms:.3f}", f"{1e3 * ms / per:.2f}", f"{100 * ms / total:.1f}")
            for name, ms in result.phases.items()
        ],
    )
    checks = {None: "not asked", True: "yes", False: "FAILED"}
    report.table(
        "runs",
        ["iterations", "converged", "residual", "ms", "µs an iteration", "verified"],
        [
            (
                run["iterations"],
                "yes" if run["converged"] else "no",
                f"{run['residual']:.3e}",
                f"{run['milliseconds']:.3f}",
                f"{run['microseconds_per_iteration']:.2f}",
                checks[run["verified"]],
            )
            for run in runs
        ],
        (),
    )


def cg(
    context: typer.Context,
    matrix_argument: Annotated[
        str,
        typer.Argument(
            metavar="MATRIX",
            help="A file (Matrix Market, .npz, …), poisson:NX[xNY[xNZ]] or "
            "band:ROWS:NON_ZEROS[:SEED].",
        ),
    ],
    rhs: Annotated[
        str,
        typer.Option(metavar="FILE|ones|random", help="Right-hand side (.npy, .mtx array, text)."),
    ] = "ones",
    tolerance: Annotated[
        float, typer.Option(min=0.0, metavar="T", help="Stop at a residual of T times b's norm.")
    ] = 1e-5,
    iterations: Annotated[
        int | None,
        typer.Option(min=0, metavar="N", help="Run exactly N, whatever the residual."),
    ] = None,
    max_iterations: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="Give up after N (default 10 n).")
    ] = None,
    machine: Annotated[
        str,
        typer.Option(
            metavar="SPEC", help="auto, cpu[:P[xT]], cuda[:0-3|:0,2], mpi[:T], sums with +."
        ),
    ] = "auto",
    jacobi: Annotated[
        bool, typer.Option("--jacobi", help="Precondition with the inverse diagonal.")
    ] = False,
    exchange: Annotated[str, typer.Option(help="auto, allgather or halo.")] = "auto",
    rows: Annotated[str, typer.Option(help="even or non-zeros.")] = "even",
    engine: Annotated[
        str, typer.Option(help="auto, fused, published, library or single_kernel (GPUs).")
    ] = "auto",
    use: Annotated[
        str, typer.Option(help="Ranks that work: auto (those that pay) or all.")
    ] = "auto",
    values: Annotated[
        bool,
        typer.Option("--values", help="Generate positive definite values, whatever is there."),
    ] = False,
    repeat: Annotated[int, typer.Option(min=1, metavar="N", help="Runs.")] = 1,
    verify: Annotated[bool, typer.Option("--verify", help="Check every run (not timed).")] = False,
    output: Annotated[
        Path | None, typer.Option("--output", metavar="FILE.npy", help="The solution.")
    ] = None,
    timeout: Annotated[
        float | None,
        typer.Option(metavar="S", help="Seconds one run, or its check, may last."),
    ] = None,
    source_format: options.From = "auto",
    threads: options.Threads = 0,
    memory: options.Memory = None,
    plan: options.Plan = False,
    json: options.Json = None,
) -> None:
    """Solve a symmetric positive definite system by conjugate gradient."""
    for name in options.given(context):
        if iterations is not None and name in ("tolerance", "max_iterations"):
            option = name.replace("_", "-")
            raise UsageError(f"--{option}: --iterations runs exactly {iterations}, whatever it is")
    if timeout is not None and not timeout > 0:
        raise UsageError("--timeout: not a positive number of seconds")
    if output is not None:
        options.check_output_path(output)
    report = Report(json)
    limit = options.memory_limit(memory)
    where = open_machine(machine)
    report.mute = not where.here()
    loaded = load_matrix(matrix_argument, values, threads, limit, source_format)
    with progress("planning"):
        needs = CgSolver.plan(
            loaded,
            where,
            jacobi=jacobi,
            exchange=exchange,
            rows=rows,
            engine=engine,
            use=use,
            memory=limit,
        )
    if plan:
        planned = plan_json(needs, where, limit or _gossamer.host_memory()[0])
        counts = {
            "vertices": loaded.vertices,
            "vertices_are": "exact",
            "arcs": loaded.arcs,
            "arcs_are": "exact",
        }
        print_plan(report, counts | planned, "cg", matrix_argument)
        return
    b = _right_side(rhs, loaded.vertices)
    with progress(f"placing {loaded.name}"):
        solver = CgSolver(
            loaded,
            where,
            rtol=tolerance,
            maxiter=max_iterations,
            iterations=iterations,
            jacobi=jacobi,
            exchange=exchange,
            rows=rows,
            engine=engine,
            use=use,
            memory=limit,
            timeout=timeout,
        )
    runs: list[dict[str, Any]] = []
    failure: VerificationError | None = None
    first: CgResult | None = None
    described = {
        "algorithm": "cg",
        "graph": graph_json(loaded),
        "machine": machine_json(where),
        "options": {
            "rhs": rhs,
            "tolerance": tolerance,
            "iterations": iterations,
            "max_iterations": max_iterations,
            "jacobi": jacobi,
            "exchange": exchange,
            "rows": rows,
            "engine": engine,
            "use": use,
            "repeat": repeat,
            "verify": verify,
            "timeout": timeout,
            "memory": limit,
        },
        "runs": runs,
    }
    with progress("cg, iterating", unit="count" if repeat > 1 else "share") as bar:
        for _ in range(repeat):
            verified = None
            try:
                if bar is not None:
                    bar.describe("cg, iterating")
                result = solver.solve(b)
                if verify:
                    if bar is not None:
                        bar.describe("cg, verifying")
                    # A run of a fixed length promises the residual it reports, and no tolerance.
                    reached = result.residual / max(result.right_side_norm, 1e-300)
                    verify_cg(
                        loaded,
                        b,
                        result.x,
                        rtol=tolerance if result.converged else reached,
                        iterations=result.iterations,
                        threads=threads,
                        timeout=timeout,
                    )
                    verified = True
            except VerificationError as error:
                failure, verified = failure or error, False
            except RankError as error:
                report_lost(report, where, described, error)
                raise
            runs.append(_run_json(result, verified))
            first = first or result
            if bar is not None and repeat > 1:
                bar(len(runs), repeat)
    assert first is not None  # at least one run
    describe_graph(report, loaded)
    report.line(f"machine {where.spec}: {where.size} rank(s), fabric {where.fabric}")
    if where.beyond:
        report.line(where.beyond)
    if first.ranks_reason:
        report.line(f"used {first.ranks_reason} (--use all: all of them)")
    _print_result(report, first, runs)
    times = [run["milliseconds"] for run in runs]
    checks = [run["verified"] for run in runs]
    report.json(
        described
        | {
            "exchange": {
                "used": first.exchange,
                "reason": first.exchange_reason,
                "bytes_per_iteration": first.bytes_per_iteration,
            },
            "engine": first.engine,
            "ranks": {"used": first.ranks, "reason": first.ranks_reason},
            "summary": {
                "runs": len(runs),
                "median_milliseconds": statistics.median(times),
                "median_microseconds_per_iteration": statistics.median(
                    run["microseconds_per_iteration"] for run in runs
                ),
                "verified": None if None in checks else all(checks),
            },
            "memory": memory_json(needs),
        }
    )
    if failure is not None:
        raise failure
    if output is not None:
        if where.here():
            with write_whole(output) as temporary, temporary.open("wb") as file:
                np.save(file, first.x)
        report.line(f"wrote {output}")
    if iterations is None and not first.converged:
        report.line(
            f"did not converge in {first.iterations} iterations: the best iterate has a residual "
            f"of {first.residual:.3e}, {tolerance * first.right_side_norm:.3e} was asked for"
        )
        raise typer.Exit(1)

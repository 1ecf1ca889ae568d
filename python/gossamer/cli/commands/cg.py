"""`gossamer cg MATRIX`: conjugate gradient, verified on request."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from gossamer.algorithm.cg import CgResult, CgSolver, Vector, verify_cg
from gossamer.cli import options
from gossamer.cli.groups import OfTable, Reading, Working
from gossamer.cli.input.graphs import GraphSource, load_matrix
from gossamer.cli.input.numbers import read_vector
from gossamer.cli.input.partitions import partition_argument
from gossamer.cli.output.files import TraceOutput
from gossamer.cli.output.progress import progress
from gossamer.cli.output.report import (
    MemoryUse,
    Report,
    describe_graph,
    describe_machine,
    graph_json,
    machine_json,
    plan_json,
    plan_totals,
    print_plan,
)
from gossamer.cli.runs import Runs, checked
from gossamer.errors import InputError, UsageError

_OPTIONS = OfTable("cg", rtol="tolerance", atol=None, maxiter="max_iterations")


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
    *,
    how: Annotated[dict[str, Any], _OPTIONS],
    machine: options.Machine = "auto",
    partition: options.Partition = "auto",
    values: Annotated[
        bool,
        typer.Option("--values", help="Generate positive definite values, whatever is there."),
    ] = False,
    repeat: options.Repeat = 1,
    verify: options.Verify = False,
    output: Annotated[
        Path | None, typer.Option("--output", metavar="FILE.npy", help="The solution.")
    ] = None,
    trace: options.Trace = None,
    timeout: options.Timeout = None,
    source_format: options.From = "auto",
    working: Working,
) -> None:
    """Solve a symmetric positive definite system by conjugate gradient."""
    iterations, tolerance = how["iterations"], how["rtol"]
    for name in options.given(context):
        if iterations is not None and name in ("tolerance", "max_iterations"):
            option = name.replace("_", "-")
            raise UsageError(f"--{option}: --iterations runs exactly {iterations}, whatever it is")
    options.check_timeout(timeout)
    if output is not None:
        options.check_array_path(output, ".npy")
    report = Report(working.json)
    limit = working.limit
    where = report.open_machine(machine)
    origin = GraphSource(
        matrix_argument, Reading(source_format), threads=working.threads, memory=limit
    )

    tracing = TraceOutput(trace)
    if working.plan:
        plan = origin.plan()
        host = plan["limits"]["host"]["bytes"]
        if plan_totals(plan["entries"])["host"] > host:
            print_plan(report, plan, "cg", matrix_argument)
            report.line(
                "what solving takes depends on the matrix, which is not loaded: it does not fit"
            )
            return
    loaded = load_matrix(origin, values)
    with progress("partitioning"):
        parts, kept = partition_argument(partition, loaded, where.size, origin.path, limit)
    if kept:
        report.line(kept)
    with progress("planning"):
        needs = CgSolver.plan(loaded, where, partition=parts, memory=limit, **how)
    if working.plan:
        solving = plan_json(needs, where, host)
        report_plan = plan | {
            "vertices": loaded.vertices,
            "arcs": loaded.arcs,
            "vertices_are": "exact",
            "arcs_are": "exact",
            "entries": plan["entries"] + solving["entries"] + tracing.plan(where),
            "limits": solving["limits"] | plan["limits"],
        }
        print_plan(report, report_plan, "cg", matrix_argument)
        return
    b = _right_side(rhs, loaded.vertices)
    taken = MemoryUse(where)
    with progress(f"placing {loaded.name}"):
        solver = CgSolver(
            loaded, where, partition=parts, memory=limit, timeout=timeout,
            trace=tracing.recording, **how,
        )  # fmt: skip

    def check(result: CgResult) -> None:
        # A run of a fixed length promises the residual it reports, and no tolerance.
        reached = result.residual / max(result.right_side_norm, 1e-300)
        verify_cg(
            loaded, b, result.x, rtol=tolerance if result.converged else reached,
            iterations=result.iterations, threads=working.threads, timeout=timeout,
        )  # fmt: skip

    runs: Runs[CgResult] = Runs("cg", "iterating", check if verify else None, _run_json)
    described = {
        "algorithm": "cg",
        "graph": graph_json(loaded),
        "machine": machine_json(where),
        "options": {
            "rhs": rhs,
            **{spelled: how[name] for name, spelled in _OPTIONS.names.items()},
            "partition": partition,
            "repeat": repeat,
            "verify": verify,
            "timeout": timeout,
            "memory": limit,
        },
        "runs": runs.described,
    }
    runs.make_all(report, where, described, solver.solve, [(b,)], repeat)
    first = runs.first
    describe_graph(report, loaded)
    describe_machine(report, where)
    if first.ranks_reason:
        report.line(f"used {first.ranks_reason} (--use all: all of them)")
    _print_result(report, first, runs.described)
    summary = {
        "runs": repeat,
        "median_milliseconds": runs.median(),
        "median_microseconds_per_iteration": runs.median("microseconds_per_iteration"),
        "verified": runs.verified,
    }
    report.json(
        described
        | {
            "exchange": {
                "used": first.exchange,
                "reason": first.exchange_reason,
                "bytes_per_iteration": first.bytes_per_iteration,
            },
            "engine": first.engine,
            "ranks": {"used": first.ranks_used, "reason": first.ranks_reason},
            "summary": summary,
            "memory": taken.json(needs),
        }
    )
    tracing.write(report, where)
    runs.save(report, where, output, lambda file: np.save(file, first.x))
    if iterations is None and not first.converged:
        report.line(
            f"did not converge in {first.iterations} iterations: the best iterate has a residual "
            f"of {first.residual:.3e}, {tolerance * first.right_side_norm:.3e} was asked for"
        )
        raise typer.Exit(1)


def _right_side(text: str, n: int) -> Vector:
    """InputError for a file of as many numbers as the matrix has not rows."""
    if text == "ones":
        return np.ones(n)
    if text == "random":
        return np.random.default_rng(1).standard_normal(n)
    vector = read_vector(Path(text), "rhs")
    if vector.size != n:
        raise InputError(f"{text}: {vector.size} numbers, the matrix has {n} rows")
    return vector


def _run_json(result: CgResult) -> dict[str, Any]:
    """One entry of "runs"."""
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
    report.table(
        "runs",
        [
            "iterations",
            "converged",
            "residual",
            "over b's norm",
            "ms",
            "µs an iteration",
            "verified",
        ],
        [
            (
                run["iterations"],
                "yes" if run["converged"] else "no",
                f"{run['residual']:.3e}",
                f"{run['relative_residual']:.3e}",
                f"{run['milliseconds']:.3f}",
                f"{run['microseconds_per_iteration']:.2f}",
                checked(run["verified"]),
            )
            for run in runs
        ],
        (),
    )

"""`gossamer cg MATRIX`: conjugate gradient, verified on request."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from gossamer.algorithm.cg import CgResult, CgSolver, verify_cg
from gossamer.cli import options
from gossamer.cli.groups import Reading, Working
from gossamer.cli.input.graphs import GraphSource
from gossamer.cli.input.matrices import load_matrix, right_side
from gossamer.cli.input.partitions import partition_argument
from gossamer.cli.output.memory import MemoryUse
from gossamer.cli.output.progress import progress
from gossamer.cli.output.report import (
    Report,
    describe_graph,
    graph_json,
    machine_json,
)
from gossamer.cli.output.traces import TraceOption, TraceOutput
from gossamer.cli.runs import Runs
from gossamer.errors import UsageError
from gossamer.graph import Graph
from gossamer.machine.plans import MemoryPlan

from .plan import plan_cg
from .report import print_result, run_json


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
    machine: options.MachineOrGpus = "auto",
    jacobi: Annotated[
        bool, typer.Option("--jacobi", help="Precondition with the inverse diagonal.")
    ] = False,
    exchange: Annotated[str, typer.Option(help="auto, allgather or halo.")] = "auto",
    *,
    partition: options.Partition = "auto",
    engine: options.EngineOfCg = "auto",
    use: options.Use = "auto",
    values: Annotated[
        bool,
        typer.Option("--values", help="Generate positive definite values, whatever is there."),
    ] = False,
    repeat: Annotated[int, typer.Option(min=1, metavar="N", help="Runs.")] = 1,
    verify: options.Verify = False,
    output: Annotated[
        Path | None, typer.Option("--output", metavar="FILE.npy", help="The solution.")
    ] = None,
    trace: TraceOption = None,
    timeout: options.Timeout = None,
    source_format: options.From = "auto",
    working: Working,
) -> None:
    """Solve a symmetric positive definite system by conjugate gradient."""
    for name in options.given(context):
        if iterations is not None and name in ("tolerance", "max_iterations"):
            option = name.replace("_", "-")
            raise UsageError(f"--{option}: --iterations runs exactly {iterations}, whatever it is")
    options.check_timeout(timeout)
    if output is not None:
        options.check_array_path(output, ".npy")
    tracing = TraceOutput(trace)
    report = Report(working.json)
    limit = working.limit
    where = report.open_machine(machine)
    origin = GraphSource(
        matrix_argument, Reading(source_format), threads=working.threads, memory=limit
    )
    how: dict[str, Any] = {"jacobi": jacobi, "exchange": exchange, "engine": engine, "use": use}

    def divided(matrix: Graph) -> Any:
        with progress("partitioning"):
            parts, kept = partition_argument(partition, matrix, where.size, origin.path, limit)
        if kept:
            report.line(kept)
        return parts

    def solving(matrix: Graph, parts: Any) -> MemoryPlan:
        with progress("planning"):
            return CgSolver.plan(matrix, where, partition=parts, memory=limit, **how)

    if working.plan:
        plan_cg(
            report, origin, where, tracing,
            lambda: load_matrix(origin, values), lambda matrix: solving(matrix, divided(matrix)),
        )  # fmt: skip
        return
    loaded = load_matrix(origin, values)
    parts = divided(loaded)
    needs = solving(loaded, parts)
    b = right_side(rhs, loaded.vertices)
    taken = MemoryUse(where)
    with progress(f"placing {loaded.name}"):
        solver = CgSolver(
            loaded, where, rtol=tolerance, maxiter=max_iterations, iterations=iterations,
            partition=parts, memory=limit, timeout=timeout, trace=tracing.recording, **how,
        )  # fmt: skip

    def check(result: CgResult) -> None:
        # A run of a fixed length promises the residual it reports, and no tolerance.
        reached = result.residual / max(result.right_side_norm, 1e-300)
        verify_cg(
            loaded, b, result.x, rtol=tolerance if result.converged else reached,
            iterations=result.iterations, threads=working.threads, timeout=timeout,
        )  # fmt: skip

    runs: Runs[CgResult] = Runs("cg", "iterating", check if verify else None, run_json)
    described = {
        "algorithm": "cg",
        "graph": graph_json(loaded),
        "machine": machine_json(where),
        "options": {
            "rhs": rhs,
            "tolerance": tolerance,
            "iterations": iterations,
            "max_iterations": max_iterations,
            **how,
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
    report.line(f"machine {where.spec}: {where.size} rank(s), fabric {where.fabric}")
    if where.beyond:
        report.line(where.beyond)
    if first.ranks_reason:
        report.line(f"used {first.ranks_reason} (--use all: all of them)")
    print_result(report, first, runs.described)
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
            "ranks": {"used": first.ranks, "reason": first.ranks_reason},
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

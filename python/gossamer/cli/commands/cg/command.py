"""`gossamer cg MATRIX`: conjugate gradient, verified on request."""

from __future__ import annotations

import statistics
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from gossamer.algorithm.cg import CgResult, CgSolver, verify_cg
from gossamer.cli import options
from gossamer.cli.input.graphs import GraphSource
from gossamer.cli.input.matrices import load_matrix, right_side
from gossamer.cli.input.partitions import partition_argument
from gossamer.cli.output.memory import MemoryUse
from gossamer.cli.output.progress import open_machine, progress
from gossamer.cli.output.report import (
    Report,
    describe_graph,
    graph_json,
    machine_json,
    reporting_lost,
    write_whole,
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
    partition: options.Partition = "auto",
    engine: Annotated[
        str, typer.Option(help="auto, fused, published, library or single_kernel (GPUs).")
    ] = "auto",
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
    options.check_timeout(timeout)
    if output is not None:
        options.check_array_path(output, ".npy")
    tracing = TraceOutput(trace)
    report = Report(json)
    limit = options.memory_limit(memory)
    where = open_machine(machine)
    report.mute = not where.here()
    origin = GraphSource(matrix_argument, format=source_format, threads=threads, memory=limit)

    def divided(matrix: Graph) -> Any:
        with progress("partitioning"):
            parts, kept = partition_argument(partition, matrix, where.size, origin.path, limit)
        if kept:
            report.line(kept)
        return parts

    def solving(matrix: Graph, parts: Any) -> MemoryPlan:
        with progress("planning"):
            return CgSolver.plan(
                matrix, where, jacobi=jacobi, exchange=exchange, partition=parts, engine=engine,
                use=use, memory=limit,
            )  # fmt: skip

    if plan:
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
            loaded,
            where,
            rtol=tolerance,
            maxiter=max_iterations,
            iterations=iterations,
            jacobi=jacobi,
            exchange=exchange,
            partition=parts,
            engine=engine,
            use=use,
            memory=limit,
            timeout=timeout,
            trace=tracing.recording,
        )

    def check(result: CgResult) -> None:
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

    runs: Runs[CgResult, CgResult] = Runs(
        "cg", "iterating", repeat, lambda first: first, check if verify else None, run_json
    )
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
            "partition": partition,
            "engine": engine,
            "use": use,
            "repeat": repeat,
            "verify": verify,
            "timeout": timeout,
            "memory": limit,
        },
        "runs": runs.described,
    }
    with (
        progress("cg, iterating", unit=runs.unit) as bar,
        reporting_lost(report, where, described),
    ):
        for _ in range(repeat):
            runs.make(bar, solver.solve, b)
    first = runs.first
    assert first is not None  # at least one run
    describe_graph(report, loaded)
    report.line(f"machine {where.spec}: {where.size} rank(s), fabric {where.fabric}")
    if where.beyond:
        report.line(where.beyond)
    if first.ranks_reason:
        report.line(f"used {first.ranks_reason} (--use all: all of them)")
    print_result(report, first, runs.described)
    times = [run["milliseconds"] for run in runs.described]
    checks = [run["verified"] for run in runs.described]
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
                "runs": len(times),
                "median_milliseconds": statistics.median(times),
                "median_microseconds_per_iteration": statistics.median(
                    run["microseconds_per_iteration"] for run in runs.described
                ),
                "verified": None if None in checks else all(checks),
            },
            "memory": taken.json(needs),
        }
    )
    tracing.write(report, where)
    if runs.failure is not None:
        raise runs.failure
    if output is not None:
        if where.here():
            with write_whole(output) as file:
                np.save(file, first.x)
        report.line(f"wrote {output}")
    if iterations is None and not first.converged:
        report.line(
            f"did not converge in {first.iterations} iterations: the best iterate has a residual "
            f"of {first.residual:.3e}, {tolerance * first.right_side_norm:.3e} was asked for"
        )
        raise typer.Exit(1)

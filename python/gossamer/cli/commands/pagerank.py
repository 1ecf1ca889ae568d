"""`gossamer pagerank GRAPH`: PageRank by power iteration, verified on request."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from gossamer.algorithm.comparisons import compare_ranks
from gossamer.algorithm.pagerank import PagerankResult, PagerankSolver, verify_pagerank
from gossamer.cli import options
from gossamer.cli.graph_command import GraphCommand, checked
from gossamer.cli.input.distances import read_vertex_numbers
from gossamer.cli.input.numbers import check_length, read_vector
from gossamer.cli.output.progress import progress
from gossamer.cli.output.report import write_whole
from gossamer.cli.output.worklists import work_json
from gossamer.errors import UsageError
from gossamer.graph import Graph


def _foremost(graph: Graph, result: PagerankResult, count: int) -> list[tuple[int, float]]:
    """The `count` vertices of highest rank, by the file's own ids; ties in the order of ids."""
    ranks = result.ranks
    there = np.arange(ranks.size)
    if 0 < count < ranks.size:
        there = np.flatnonzero(ranks >= np.partition(ranks, -count)[-count])
    order = there[np.argsort(-ranks[there], kind="stable")][:count]
    return [(graph.name_of(int(v)), float(result.ranks[v])) for v in order]


def pagerank(
    context: typer.Context,
    graph: options.GraphArgument,
    machine: options.MachineOrGpus = "auto",
    damping: Annotated[
        float, typer.Option(min=0, max=1, metavar="D", help="Share of steps that follow arcs.")
    ] = 0.85,
    tolerance: Annotated[
        float, typer.Option(min=0, metavar="T", help="Stop at a change of T in the 1-norm.")
    ] = 1e-6,
    max_iterations: Annotated[
        int, typer.Option(min=1, metavar="N", help="Give up after N iterations (not async).")
    ] = 100,
    precision: Annotated[int, typer.Option(help="Bits of a rank: 32 or 64.")] = 32,
    weighted: Annotated[
        bool, typer.Option("--weighted", help="Steps in proportion to weights.")
    ] = False,
    personalization: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Where jumps lead: one number a vertex (.npy, text)."),
    ] = None,
    top: Annotated[int, typer.Option(min=0, metavar="K", help="Print K vertices.")] = 10,
    engine: options.EngineOfRounds = "auto",
    balance: options.Balance = "none",
    priority: options.Priority = "soft",
    partition: options.Partition = "auto",
    route: options.Route = "direct",
    packet: options.Packet = None,
    deterministic: options.Deterministic = False,
    use: options.Use = "auto",
    weights: options.Weights = False,
    repeat: options.Repeat = 1,
    verify: options.Verify = False,
    verify_with: options.VerifyWith = None,
    output: Annotated[
        Path | None, typer.Option("--output", metavar="FILE.npz", help="The ranks.")
    ] = None,
    timeout: options.Timeout = None,
    source_format: options.From = "auto",
    symmetrize: options.Symmetrize = False,
    deduplicate: options.Deduplicate = False,
    remove_self_loops: options.RemoveSelfLoops = False,
    largest_component: options.LargestComponent = False,
    threads: options.Threads = 0,
    memory: options.Memory = None,
    plan: options.Plan = False,
    json: options.Json = None,
) -> None:
    """Rank vertices by PageRank."""
    if engine in ("async", "host") and "max_iterations" in options.given(context):
        raise UsageError(f"pagerank: --max-iterations: engine {engine} has no iterations to count")
    options.check_packet(packet)
    command = GraphCommand.open(
        "pagerank", graph, machine, json=json, memory=memory, timeout=timeout, output=output,
        threads=threads, partition=partition, weights=weights, format=source_format,
        symmetrize=symmetrize, deduplicate=deduplicate, remove_self_loops=remove_self_loops,
        largest_component=largest_component,
    )  # fmt: skip
    where, limit, report = command.where, command.limit, command.report
    planned: dict[str, Any] = {
        "engine": engine, "balance": balance, "priority": priority, "precision": precision,
        "weighted": weighted, "route": route, "packet": packet, "use": use, "memory": limit,
    }  # fmt: skip
    if plan:
        command.plan(
            lambda shape, _, table: PagerankSolver.plan(shape, where, partition=table, **planned),
            lambda vertices: 0,  # ranks are written as they are
        )
        return
    jumps = None if personalization is None else read_vector(personalization, "personalization")
    expected = None if verify_with is None else read_vertex_numbers(verify_with, "ranks")
    loaded = command.origin.load()
    command.divide(loaded)
    for given, values in ((verify_with, expected), (personalization, jumps)):
        if given is not None and values is not None:
            check_length(given, values, loaded)
    planned["partition"] = command.parts
    needs = PagerankSolver.plan(loaded, where, **planned)

    def check(result: PagerankResult) -> None:
        # What did not converge promises the change that it reports, and no tolerance.
        promised = tolerance if result.converged else result.change
        if expected is not None:
            compare_ranks(loaded, result.ranks, expected, damping=damping, tolerance=promised)
        if verify:
            verify_pagerank(
                loaded, result.ranks, damping=damping, tolerance=promised, precision=precision,
                weighted=weighted, personalization=jumps, timeout=timeout,
            )  # fmt: skip

    def to_json(result: PagerankResult, verified: bool | None) -> dict[str, Any]:
        return {
            "milliseconds": result.milliseconds,
            "phases": result.phases,
            "engine": result.engine,
            "engine_reason": result.engine_reason,
            "work": work_json(result.work),
            "iterations": result.iterations,
            "milliseconds_per_iteration": result.milliseconds / max(1, result.iterations),
            "converged": result.converged,
            "change": result.change,
            "top": [{"vertex": v, "rank": x} for v, x in _foremost(loaded, result, top)],
            "verified": verified,
        }

    runs = command.runs(repeat, check if verify or expected is not None else None, to_json)
    last: list[PagerankResult] = []
    described = command.make_all(
        loaded,
        needs,
        runs,
        {
            "damping": damping,
            "tolerance": tolerance,
            "max_iterations": max_iterations,
            "precision": precision,
            "weighted": weighted,
            "personalization": None if personalization is None else str(personalization),
            "engine": engine,
            "balance": balance,
            "priority": priority,
            "route": route,
            "packet": packet,
            "deterministic": deterministic,
            "use": use,
            "verify": verify,
            "verify_with": None if verify_with is None else str(verify_with),
            "timeout": timeout,
        },
        lambda: PagerankSolver(
            loaded, where, damping=damping, tolerance=tolerance, max_iterations=max_iterations,
            deterministic=deterministic, timeout=timeout, **planned,
        ).run,
        [(jumps,)],
        None if output is None else lambda _, result: last.append(result),
        repeat,
    )  # fmt: skip
    first = runs.first
    assert first is not None  # at least one run
    command.print_head(loaded, first)
    command.print_runs(
        ["iterations", "converged", "change", "ms", "ms an iteration", "verified"],
        [
            (
                run["iterations"],
                "yes" if run["converged"] else "no",
                f"{run['change']:.3e}",
                f"{run['milliseconds']:.3f}",
                f"{run['milliseconds_per_iteration']:.3f}",
                checked(run["verified"]),
            )
            for run in runs.described
        ],
    )
    if top > 0:
        report.table(
            "highest ranks",
            ["vertex", "rank"],
            [(one["vertex"], f"{one['rank']:.6e}") for one in runs.described[0]["top"]],
            (),
        )
    report.json(described | {"summary": command.summary(runs.described)})
    if runs.failure is not None:
        raise runs.failure
    if output is not None:
        if where.here():
            with progress(f"writing {output.name}"), write_whole(output) as file:
                np.savez(file, ranks=last[0].ranks, names=loaded.names)
        report.line(f"wrote {output}")
    if not first.converged:
        report.line(
            f"did not converge in {first.iterations} iterations: the last one changed the ranks by "
            f"{first.change:.3e}, {tolerance:g} was asked for"
        )
        raise typer.Exit(1)

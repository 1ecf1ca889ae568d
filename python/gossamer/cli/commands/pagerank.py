"""`gossamer pagerank GRAPH`: PageRank by power iteration, verified on request."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from gossamer.algorithm.comparisons import compare_ranks
from gossamer.algorithm.pagerank import PagerankResult, PagerankSolver, verify_pagerank
from gossamer.cli import options
from gossamer.cli.graph_command import GraphCommand, run_json
from gossamer.cli.groups import Reading, Working
from gossamer.cli.input.numbers import read_vector, read_vertex_numbers
from gossamer.cli.runs import checked, print_runs
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
    engine: options.EngineOfPagerank = "auto",
    *,
    partition: options.Partition = "auto",
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
    reading: Reading,
    largest_component: options.LargestComponent = False,
    working: Working,
) -> None:
    """Rank vertices by PageRank."""
    name = engine.partition(":")[0]
    if name in ("async", "host") and "max_iterations" in options.given(context):
        raise UsageError(f"pagerank: --max-iterations: engine {name} has no iterations to count")
    command = GraphCommand.open(
        "pagerank", graph, machine, reading, working, partition=partition, output=output,
        timeout=timeout, weights=weights, largest_component=largest_component,
    )  # fmt: skip
    where, report = command.where, command.report
    how: dict[str, Any] = {
        "engine": engine, "precision": precision, "weighted": weighted, "use": use,
    }  # fmt: skip
    limited = how | {"memory": command.limit}
    if working.plan:  # ranks are written as they are
        command.plan(
            lambda shape, _, table: PagerankSolver.plan(shape, where, partition=table, **limited)
        )
        return
    jumps = None if personalization is None else read_vector(personalization, "personalization")
    expected = None if verify_with is None else read_vertex_numbers(verify_with, "ranks")
    loaded = command.load((verify_with, expected), (personalization, jumps))
    command.divide(loaded)
    limited["partition"] = command.parts
    needs = PagerankSolver.plan(loaded, where, **limited)

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

    def to_json(result: PagerankResult) -> dict[str, Any]:
        return run_json(result) | {
            "iterations": result.iterations,
            "milliseconds_per_iteration": result.milliseconds / max(1, result.iterations),
            "converged": result.converged,
            "change": result.change,
            "top": [{"vertex": v, "rank": x} for v, x in _foremost(loaded, result, top)],
        }

    runs = command.runs(check if verify or expected is not None else None, to_json)
    iterating: dict[str, Any] = {
        "damping": damping, "tolerance": tolerance, "max_iterations": max_iterations,
        "deterministic": deterministic, "timeout": timeout,
    }  # fmt: skip
    asked = {"personalization": personalization, "verify": verify, "verify_with": verify_with}
    last: list[PagerankResult] = []
    described = command.make_all(
        loaded, needs, runs, how | iterating | asked,
        lambda: PagerankSolver(loaded, where, **iterating, **limited).run,
        [(jumps,)], repeat, None if output is None else lambda _, result: last.append(result),
    )  # fmt: skip
    first = runs.first
    command.print_head(loaded, first)
    print_runs(
        report,
        ["iterations", "converged", "change", "ms", "ms an iteration", "verified"],
        (
            (
                run["iterations"],
                "yes" if run["converged"] else "no",
                f"{run['change']:.3e}",
                f"{run['milliseconds']:.3f}",
                f"{run['milliseconds_per_iteration']:.3f}",
                checked(run["verified"]),
            )
            for run in runs.described
        ),
    )
    if top > 0:
        report.table(
            "highest ranks",
            ["vertex", "rank"],
            [(one["vertex"], f"{one['rank']:.6e}") for one in runs.described[0]["top"]],
            (),
        )
    report.json(described | {"summary": runs.summary()})
    runs.save(
        report, where, output,
        lambda file: np.savez(file, ranks=last[0].ranks, names=loaded.names),
    )  # fmt: skip
    if not first.converged:
        report.line(
            f"did not converge in {first.iterations} iterations: the last one changed the ranks by "
            f"{first.change:.3e}, {tolerance:g} was asked for"
        )
        raise typer.Exit(1)

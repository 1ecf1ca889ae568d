"""`gossamer pagerank GRAPH`: PageRank by power iteration, verified on request."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from gossamer.algorithm.pagerank import (
    PagerankResult,
    PagerankSolver,
    compare_ranks,
    verify_pagerank,
)
from gossamer.cli import options
from gossamer.cli.graph_command import GraphCommand, run_json
from gossamer.cli.groups import OfTable, Reading, Running, Working
from gossamer.cli.input.numbers import read_vector, read_vertex_numbers
from gossamer.cli.output.plots import plot_ranks
from gossamer.cli.runs import checked, print_runs
from gossamer.errors import UsageError
from gossamer.graph import Graph

#: Ranks that are looked at together for the highest ones.
_BLOCK = 1 << 16


def _foremost(graph: Graph, result: PagerankResult, count: int) -> list[tuple[int, float]]:
    """The `count` vertices of highest rank, by the file's own ids; ties in the order of ids."""
    ranks = result.ranks
    best = np.zeros(0, np.int64)
    # In blocks: a sort of all would take several arrays that no plan has.
    for begin in range(0, ranks.size if count > 0 else 0, _BLOCK):
        block = np.arange(begin, min(begin + _BLOCK, ranks.size))
        if best.size == count:
            block = block[ranks[block] > ranks[best[-1]]]
        both = np.concatenate([best, block])
        best = both[np.argsort(-ranks[both], kind="stable")][:count]
    return [(graph.name_of(int(v)), float(ranks[v])) for v in best]


def pagerank(
    context: typer.Context,
    graph: options.GraphArgument,
    how: Annotated[dict[str, Any], OfTable("pagerank")],
    personalization: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Where jumps lead: one number a vertex (.npy, text)."),
    ] = None,
    top: Annotated[int, typer.Option(min=0, metavar="K", help="Print K vertices.")] = 10,
    weights: options.Weights = False,
    *,
    running: Running,
    reading: Reading,
    largest_component: options.LargestComponent = False,
    working: Working,
) -> None:
    """Rank vertices by PageRank."""
    name = how["engine"].partition(":")[0]
    if name in ("async", "host") and "max_iterations" in options.given(context):
        raise UsageError(f"pagerank: --max-iterations: engine {name} has no iterations to count")
    command = GraphCommand.open(
        "pagerank", graph, reading, running, working,
        weights=weights, largest_component=largest_component,
    )  # fmt: skip
    if working.plan:  # ranks are written as they are
        return command.plan_of(PagerankSolver, how)
    verify_with, report = running.verify_with, command.report
    jumps = None if personalization is None else read_vector(personalization, "personalization")
    expected = None if verify_with is None else read_vertex_numbers(verify_with, "ranks")
    loaded, given, needs = command.prepared(
        PagerankSolver, how, (verify_with, expected), (personalization, jumps)
    )
    asked = {name: how[name] for name in ("damping", "precision", "weighted")}

    def check(result: PagerankResult) -> None:
        # What did not converge promises the change that it reports, and no tolerance.
        promised = how["tolerance"] if result.converged else result.change
        if expected is not None:
            compare_ranks(
                loaded, result.ranks, expected, damping=how["damping"], tolerance=promised
            )
        if running.verify:
            verify_pagerank(
                loaded, result.ranks, tolerance=promised, personalization=jumps,
                timeout=running.timeout, **asked,
            )  # fmt: skip

    def to_json(result: PagerankResult) -> dict[str, Any]:
        return run_json(result) | {
            "iterations": result.iterations,
            "milliseconds_per_iteration": result.milliseconds / max(1, result.iterations),
            "converged": result.converged,
            "change": result.change,
            "top": [{"vertex": v, "rank": x} for v, x in _foremost(loaded, result, top)],
        }

    runs = command.runs(check, to_json)
    described = command.make_all(
        loaded, needs, runs, how | {"personalization": personalization},
        lambda: PagerankSolver(loaded, command.where, **given)._run, [(jumps,)],
    )  # fmt: skip
    first = runs.first
    command.print_head(loaded, first)
    if loaded.weighted:
        used = "are used" if first.weighted else "are not used (--weighted: in proportion to them)"
        report.line(f"weights {used}")
    print_runs(
        report,
        ["iterations", "converged", "change", "ms", "ms an iteration", "verified"],
        (
            (run["iterations"], "yes" if run["converged"] else "no", f"{run['change']:.3e}",
             f"{run['milliseconds']:.3f}", f"{run['milliseconds_per_iteration']:.3f}",
             checked(run["verified"]))
            for run in runs.described
        ),
    )  # fmt: skip
    if top > 0:
        report.table(
            "highest ranks",
            ["vertex", "rank"],
            [(one["vertex"], f"{one['rank']:.6e}") for one in runs.described[0]["top"]],
            (),
        )
    report.json(described | {"summary": runs.summary()})
    command.save(runs, lambda last: {"ranks": last.ranks})
    command.draw(lambda path: plot_ranks(path, command.drawn.ranks, f"{loaded.name}: PageRank"))
    if not first.converged:
        report.line(
            f"did not converge in {first.iterations} iterations: the last one changed the ranks by "
            f"{first.change:.3e}, {how['tolerance']:g} was asked for"
        )
        raise typer.Exit(1)

"""`gossamer spanning-forest GRAPH`: the minimum spanning forest, verified on request."""

from __future__ import annotations

from typing import Annotated, Any

from gossamer.algorithm.spanning_forest import (
    SpanningForestResult,
    SpanningForestSearch,
    compare_spanning_forests,
    verify_spanning_forest,
)
from gossamer.cli import options
from gossamer.cli.graph_command import GraphCommand, run_json
from gossamer.cli.groups import OfTable, Reading, Running, Working
from gossamer.cli.input.numbers import read_numbers
from gossamer.cli.output.plots import plot_weights
from gossamer.cli.runs import checked, print_runs
from gossamer.errors import UsageError


def spanning_forest(
    graph: options.GraphArgument,
    how: Annotated[dict[str, Any], OfTable("spanning_forest")],
    running: Running,
    reading: Reading,
    *,
    weights: options.Weights = False,
    largest_component: options.LargestComponent = False,
    working: Working,
) -> None:
    """Find the minimum spanning forest: edges that join all at least weight."""
    if running.partition != "auto":
        raise UsageError(
            f"spanning-forest: --partition {running.partition}: all ranks read the same rows, and "
            "none owns vertices"
        )
    command = GraphCommand.open(
        "spanning-forest", graph, reading, running, working, weights=weights,
        largest_component=largest_component,
    )  # fmt: skip
    # Arcs, their ends and weights.
    if working.plan:
        return command.plan_of(SpanningForestSearch, how, 0 if running.output is None else 24)
    verify_with, report = running.verify_with, command.report
    expected = None if verify_with is None else read_numbers(verify_with, "arcs")
    loaded, given, needs = command.prepared(SpanningForestSearch, how)

    def check(result: SpanningForestResult) -> None:
        if expected is not None:
            compare_spanning_forests(loaded, result.arcs, expected)
        if running.verify:
            verify_spanning_forest(loaded, result.arcs, timeout=running.timeout)

    def to_json(result: SpanningForestResult) -> dict[str, Any]:
        return run_json(result) | {
            "edges": len(result.arcs),
            "trees": result.trees,
            "weight": result.weight,
            "rounds": result.rounds,
        }

    runs = command.runs(check, to_json)
    described = command.make_all(
        loaded, needs, runs, how,
        lambda: SpanningForestSearch(loaded, command.where, **given).run, [()],
    )  # fmt: skip
    command.print_head(loaded, runs.first)
    print_runs(
        report,
        ["edges", "trees", "weight", "rounds", "ms", "verified"],
        (
            (f"{run['edges']:,}", f"{run['trees']:,}", f"{run['weight']:,}", f"{run['rounds']:,}",
             f"{run['milliseconds']:.3f}", checked(run["verified"]))
            for run in runs.described
        ),
    )  # fmt: skip
    report.json(described | {"summary": runs.summary()})
    command.save(runs, _arrays, by_vertex=False)
    title = f"{loaded.name}: {runs.first.trees:,} trees of weight {runs.first.weight:,}"
    command.draw(lambda path: plot_weights(path, command.drawn.weights, title))


def _arrays(last: SpanningForestResult) -> dict[str, Any]:
    return {"arcs": last.arcs, "tails": last.tails, "heads": last.heads, "weights": last.weights}

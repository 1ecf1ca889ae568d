"""`gossamer components GRAPH`: weak components, verified on request."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from gossamer.algorithm.components import (
    ComponentsResult,
    ComponentsSearch,
    compare_labels,
    verify_components,
)
from gossamer.algorithm.options import defaults
from gossamer.cli import options
from gossamer.cli.graph_command import GraphCommand, run_json
from gossamer.cli.groups import OfTable, Reading, Running, Working
from gossamer.cli.input.numbers import read_vertex_numbers
from gossamer.cli.output.plots import plot_sizes
from gossamer.cli.runs import checked, print_runs
from gossamer.errors import UsageError

from .strong_components import strong_components


def components(
    graph: options.GraphArgument,
    how: Annotated[dict[str, Any], OfTable("components")],
    running: Running,
    reading: Reading,
    working: Working,
    strong: Annotated[
        bool, typer.Option("--strong", help="As strong-components: along arcs' directions.")
    ] = False,
) -> None:
    """Find weak components."""
    if strong:
        usual = defaults("components")
        for name in how.keys() - defaults("strong_components").keys():
            if how[name] != usual[name]:
                raise UsageError(
                    f"components: --strong: --{name.replace('_', '-')} is of weak components"
                )
        of_both = {name: how[name] for name in how if name in defaults("strong_components")}
        return strong_components(graph, of_both, running, reading, working)
    command = GraphCommand.open("components", graph, reading, running, working)
    if working.plan:  # labels are written as they are
        return command.plan_of(ComponentsSearch, how)
    verify_with, report = running.verify_with, command.report
    expected = None if verify_with is None else read_vertex_numbers(verify_with, "labels")
    loaded, given, needs = command.prepared(ComponentsSearch, how, (verify_with, expected))

    def check(result: ComponentsResult) -> None:
        if expected is not None:
            compare_labels(loaded, result.labels, expected)
        if running.verify:
            verify_components(loaded, result.labels, timeout=running.timeout)

    def to_json(result: ComponentsResult) -> dict[str, Any]:
        empty = loaded.vertices == 0
        return run_json(result) | {
            "edges_of_ranks": result.edges_of_ranks,
            "components": result.count,
            "largest": result.largest,
            # null: there is no vertex.
            "largest_from": None if empty else loaded.name_of(result.largest_label),
        }

    runs = command.runs(check, to_json)
    described = command.make_all(
        loaded, needs, runs, how, lambda: ComponentsSearch(loaded, command.where, **given).run, [()]
    )
    command.print_head(loaded, runs.first)
    if runs.first.edges_of_ranks:
        shares = ", ".join(f"{edges:,}" for edges in runs.first.edges_of_ranks)
        report.line(f"edges by rank, first run: {shares}")
    print_runs(
        report,
        ["components", "largest", "ms", "verified"],
        (
            (f"{run['components']:,}", f"{run['largest']:,}", f"{run['milliseconds']:.3f}",
             checked(run["verified"]))
            for run in runs.described
        ),
    )  # fmt: skip
    report.json(described | {"summary": runs.summary()})
    command.save(runs, lambda last: {"labels": last.labels})
    title = f"{loaded.name}: {runs.first.count:,} components"
    command.draw(lambda path: plot_sizes(path, command.drawn.labels, title))

"""`gossamer strong-components GRAPH`: strong components, verified on request."""

from __future__ import annotations

from typing import Annotated, Any

from gossamer.algorithm.components import compare_labels
from gossamer.algorithm.strong_components import (
    StrongComponentsResult,
    StrongComponentsSearch,
    verify_strong_components,
)
from gossamer.cli import options
from gossamer.cli.graph_command import GraphCommand, run_json
from gossamer.cli.groups import OfTable, Reading, Running, Working
from gossamer.cli.input.numbers import read_vertex_numbers
from gossamer.cli.output.plots import plot_sizes
from gossamer.cli.runs import checked, print_runs
from gossamer.errors import UsageError


def strong_components(
    graph: options.GraphArgument,
    how: Annotated[dict[str, Any], OfTable("strong_components")],
    running: Running,
    reading: Reading,
    working: Working,
) -> None:
    """Find strong components: who reaches each other along arcs."""
    if running.partition != "auto":
        raise UsageError(
            f"strong-components: --partition {running.partition}: all ranks read the same rows, "
            "and none owns vertices"
        )
    command = GraphCommand.open("strong-components", graph, reading, running, working)
    if working.plan:  # labels are written as they are
        return command.plan_of(StrongComponentsSearch, how)
    verify_with, report = running.verify_with, command.report
    expected = None if verify_with is None else read_vertex_numbers(verify_with, "labels")
    loaded, given, needs = command.prepared(StrongComponentsSearch, how, (verify_with, expected))

    def check(result: StrongComponentsResult) -> None:
        if expected is not None:
            compare_labels(loaded, result.labels, expected)
        if running.verify:
            verify_strong_components(loaded, result.labels, timeout=running.timeout)

    def to_json(result: StrongComponentsResult) -> dict[str, Any]:
        empty = loaded.vertices == 0
        return run_json(result) | {
            "components": result.count,
            "largest": result.largest,
            # null: there is no vertex.
            "largest_from": None if empty else loaded.name_of(result.largest_label),
            "trimmed": result.trimmed,
        }

    runs = command.runs(check, to_json)
    described = command.make_all(
        loaded, needs, runs, how,
        lambda: StrongComponentsSearch(loaded, command.where, **given).run, [()],
    )  # fmt: skip
    command.print_head(loaded, runs.first)
    print_runs(
        report,
        ["components", "largest", "trimmed", "ms", "verified"],
        (
            (f"{run['components']:,}", f"{run['largest']:,}", f"{run['trimmed']:,}",
             f"{run['milliseconds']:.3f}", checked(run["verified"]))
            for run in runs.described
        ),
    )  # fmt: skip
    report.json(described | {"summary": runs.summary()})
    command.save(runs, lambda last: {"labels": last.labels})
    title = f"{loaded.name}: {runs.first.count:,} strong components"
    command.draw(lambda path: plot_sizes(path, command.drawn.labels, title))

"""`gossamer communities GRAPH`: communities by modularity, verified on request."""

from __future__ import annotations

from typing import Annotated, Any

from gossamer.algorithm.communities import (
    CommunitiesResult,
    CommunitiesSearch,
    verify_communities,
)
from gossamer.algorithm.components import compare_labels
from gossamer.cli import options
from gossamer.cli.graph_command import GraphCommand, run_json
from gossamer.cli.groups import OfTable, Reading, Running, Working
from gossamer.cli.input.numbers import read_vertex_numbers
from gossamer.cli.output.plots import plot_sizes
from gossamer.cli.runs import checked, print_runs
from gossamer.errors import UsageError


def communities(
    graph: options.GraphArgument,
    how: Annotated[dict[str, Any], OfTable("communities")],
    running: Running,
    reading: Reading,
    *,
    weights: options.Weights = False,
    largest_component: options.LargestComponent = False,
    working: Working,
) -> None:
    """Find communities: by modularity, Louvain or Leiden."""
    if running.partition != "auto":
        raise UsageError(
            f"communities: --partition {running.partition}: all ranks read the same rows, "
            "and none owns vertices"
        )
    command = GraphCommand.open(
        "communities", graph, reading, running, working, weights=weights,
        largest_component=largest_component,
    )  # fmt: skip
    if working.plan:  # labels are written as they are
        return command.plan_of(CommunitiesSearch, how)
    verify_with, report = running.verify_with, command.report
    expected = None if verify_with is None else read_vertex_numbers(verify_with, "labels")
    loaded, given, needs = command.prepared(CommunitiesSearch, how, (verify_with, expected))

    def check(result: CommunitiesResult) -> None:
        if expected is not None:
            compare_labels(loaded, result.labels, expected)
        if running.verify:
            verify_communities(
                loaded, result.labels, result.modularity, resolution=how["resolution"],
                connected=how["method"] == "leiden", timeout=running.timeout,
            )  # fmt: skip

    def to_json(result: CommunitiesResult) -> dict[str, Any]:
        empty = loaded.vertices == 0
        return run_json(result) | {
            "communities": result.count,
            "largest": result.largest,
            # null: there is no vertex.
            "largest_from": None if empty else loaded.name_of(result.largest_label),
            "modularity": result.modularity,
            "levels": result.levels,
            "rounds": result.rounds,
        }

    runs = command.runs(check, to_json)
    described = command.make_all(
        loaded, needs, runs, how,
        lambda: CommunitiesSearch(loaded, command.where, **given).run, [()],
    )  # fmt: skip
    command.print_head(loaded, runs.first)
    print_runs(
        report,
        ["communities", "largest", "modularity", "levels", "ms", "verified"],
        (
            (f"{run['communities']:,}", f"{run['largest']:,}", f"{run['modularity']:.6f}",
             f"{run['levels']:,}", f"{run['milliseconds']:.3f}", checked(run["verified"]))
            for run in runs.described
        ),
    )  # fmt: skip
    report.json(described | {"summary": runs.summary()})
    command.save(runs, lambda last: {"labels": last.labels})
    title = f"{loaded.name}: {runs.first.count:,} communities"
    command.draw(lambda path: plot_sizes(path, command.drawn.labels, title))

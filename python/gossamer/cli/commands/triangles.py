"""`gossamer triangles GRAPH`: triangles and clustering coefficients, verified on request."""

from __future__ import annotations

from typing import Annotated, Any

from gossamer.algorithm.triangles import (
    TrianglesResult,
    TrianglesSearch,
    compare_triangles,
    verify_triangles,
)
from gossamer.cli import options
from gossamer.cli.graph_command import GraphCommand, run_json
from gossamer.cli.groups import OfTable, Reading, Running, Working
from gossamer.cli.input.numbers import read_vertex_numbers
from gossamer.cli.output.plots import plot_clustering
from gossamer.cli.runs import checked, print_runs
from gossamer.errors import UsageError


def triangles(
    graph: options.GraphArgument,
    how: Annotated[dict[str, Any], OfTable("triangles")],
    weights: options.Weights = False,
    *,
    running: Running,
    reading: Reading,
    largest_component: options.LargestComponent = False,
    working: Working,
) -> None:
    """Count triangles, with clustering coefficients and transitivity."""
    if running.partition != "auto":
        raise UsageError(
            f"triangles: --partition {running.partition}: all ranks read the same rows, and none "
            "owns vertices"
        )
    command = GraphCommand.open(
        "triangles", graph, reading, running, working,
        weights=weights, largest_component=largest_component,
    )  # fmt: skip
    if working.plan:  # counts are written as they are, beside coefficients
        return command.plan_of(TrianglesSearch, how, 0 if running.output is None else 8)
    verify_with, report = running.verify_with, command.report
    expected = None if verify_with is None else read_vertex_numbers(verify_with, "triangles")
    loaded, given, needs = command.prepared(TrianglesSearch, how, (verify_with, expected))

    def check(result: TrianglesResult) -> None:
        if expected is not None:
            compare_triangles(loaded, result.counts, expected)
        if running.verify:
            verify_triangles(
                loaded, result.counts, weighted=how["weighted"], timeout=running.timeout
            )

    def to_json(result: TrianglesResult) -> dict[str, Any]:
        return run_json(result) | {
            "triangles": result.total,
            "average_clustering": result.average_clustering,
            "transitivity": result.transitivity,
        }

    runs = command.runs(check, to_json)
    described = command.make_all(
        loaded, needs, runs, how, lambda: TrianglesSearch(loaded, command.where, **given).run, [()]
    )
    command.print_head(loaded, runs.first)
    if not loaded.symmetric:
        report.line("directed: triangles count by directions (--symmetrize: without them)")
    print_runs(
        report,
        ["triangles", "average clustering", "transitivity", "ms", "verified"],
        (
            (f"{run['triangles']:,}", f"{run['average_clustering']:.6g}",
             f"{run['transitivity']:.6g}", f"{run['milliseconds']:.3f}", checked(run["verified"]))
            for run in runs.described
        ),
    )  # fmt: skip
    report.json(described | {"summary": runs.summary()})
    command.save(runs, lambda last: {"triangles": last.counts, "clustering": last.clustering})
    title = f"{loaded.name}: {runs.first.total:,} triangles"
    command.draw(lambda path: plot_clustering(path, command.drawn.clustering, title))

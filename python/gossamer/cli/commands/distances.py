"""`gossamer distances GRAPH`: depths from many vertices at once, verified on request."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
import typer

from gossamer.algorithm.distances import DistancesResult, DistancesSearch, verify_depths
from gossamer.cli import options
from gossamer.cli.distance_command import refuse_partition
from gossamer.cli.graph_command import GraphCommand, Sources, run_json
from gossamer.cli.groups import OfTable, Reading, Running, Working
from gossamer.cli.output.plots import plot_numbers
from gossamer.cli.output.results import SUFFIXES
from gossamer.cli.runs import checked, print_runs
from gossamer.errors import UsageError


def distances(
    context: typer.Context,
    graph: options.GraphArgument,
    how: Annotated[dict[str, Any], OfTable("distances", measure=None)],
    searches: Sources,
    running: Running,
    reading: Reading,
    *,
    largest_component: options.LargestComponent = False,
    working: Working,
) -> None:
    """Find the distances of all vertices from many, by arcs."""
    refuse_partition("distances", running)
    searches.check(context, "distances", None, "depths")
    if running.verify_with is not None:
        raise UsageError("distances: --verify-with: a file has one row; see bfs")
    if running.output is not None and running.output.suffix in SUFFIXES[1:]:
        raise UsageError(f"distances: --output {running.output}: a matrix goes to .npz alone")
    command = GraphCommand.open(
        "distances", graph, reading, running, working, largest_component=largest_component
    )
    how = how | {"measure": "sums"}
    if working.plan:  # depths are found whether they are written or not, a batch of them twice
        count = searches.sources or 1
        return command.plan_of(DistancesSearch, how, 2 * count, "depths of all vertices, by source")
    report = command.report
    loaded, given, needs = command.prepared(DistancesSearch, how)
    sources = np.array(searches.choose(loaded), np.int64)

    def check(result: DistancesResult) -> None:
        verify_depths(loaded, sources, result.depths, inward=how["inward"], timeout=running.timeout)

    def to_json(result: DistancesResult) -> dict[str, Any]:
        reached = result.reached
        assert reached is not None
        return run_json(result) | {
            "sources": int(sources.size),
            "reached": reached.tolist(),
            "deepest": result.diameter,
            "alone": result.alone,
        }

    runs = command.runs(check, to_json)
    every = np.arange(loaded.vertices)

    def prepare() -> Any:
        search = DistancesSearch(loaded, command.where, **given)
        return lambda: search.run(sources, every)

    described = command.make_all(loaded, needs, runs, how | searches.json, prepare, [()])
    command.print_head(loaded, runs.first)
    print_runs(
        report,
        ["sources", "deepest", "ms", "verified"],
        (
            (f"{run['sources']:,}", run["deepest"], f"{run['milliseconds']:.3f}",
             checked(run["verified"]))
            for run in runs.described
        ),
    )  # fmt: skip
    report.json(described | {"summary": runs.summary()})
    command.save(runs, lambda last: {"sources": last.sources, "depths": last.depths})
    title = f"{loaded.name}: from {sources.size} vertices"

    def draw(path: Any) -> None:
        depths = command.drawn.depths
        plot_numbers(path, depths[depths >= 0], "distance", title)

    command.draw(draw)

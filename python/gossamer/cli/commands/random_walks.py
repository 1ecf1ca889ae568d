"""`gossamer random-walks GRAPH`: uniform, weighted and node2vec's walks, verified on request."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
import typer

from gossamer.algorithm.bfs import draw_sources
from gossamer.algorithm.random_walks import (
    RandomWalksResult,
    RandomWalksSearch,
    verify_random_walks,
)
from gossamer.cli import options
from gossamer.cli.distance_command import refuse_partition
from gossamer.cli.graph_command import GraphCommand, run_json
from gossamer.cli.groups import OfTable, Reading, Running, Working
from gossamer.cli.output.plots import plot_numbers
from gossamer.cli.output.results import SUFFIXES
from gossamer.cli.runs import checked, print_runs
from gossamer.errors import UsageError


def random_walks(
    graph: options.GraphArgument,
    source: Annotated[
        list[str] | None,
        typer.Option(metavar="V", help="Walks begin at this vertex; any number of them."),
    ] = None,
    sources: Annotated[
        int | None,
        typer.Option(min=1, metavar="K", help="Draw K sources of degree 1 or more, by the seed."),
    ] = None,
    *,
    how: Annotated[dict[str, Any], OfTable("random_walks")],
    running: Running,
    reading: Reading,
    weights: options.Weights = False,
    largest_component: options.LargestComponent = False,
    working: Working,
) -> None:
    """Walk at random along arcs: uniformly, by weights, or as node2vec does."""
    refuse_partition("random-walks", running)
    if source and sources:
        raise UsageError("give --source or --sources, not both")
    if running.verify_with is not None:
        raise UsageError("random-walks: --verify-with: other programs draw otherwise; see --verify")
    if running.output is not None and running.output.suffix in SUFFIXES[1:]:
        raise UsageError(f"random-walks: --output {running.output}: a matrix goes to .npz alone")
    command = GraphCommand.open(
        "random-walks", graph, reading, running, working, weights=weights,
        largest_component=largest_component,
    )  # fmt: skip
    count = len(source) if source else sources
    if working.plan:  # walks are written as they are
        return command.plan_of(RandomWalksSearch, how | {"sources": count})
    report = command.report
    loaded, given, needs = command.prepared(RandomWalksSearch, how | {"sources": count})
    del given["sources"]
    starts = None
    if source:
        starts = np.array([options.vertex(loaded, of, "--source") for of in source], np.int64)
    elif sources:
        starts = np.array(draw_sources(loaded, sources, how["seed"]), np.int64)
        if not starts.size:
            raise UsageError(
                f"{loaded.name}: no vertex has an edge to draw a source from; give --source"
            )

    def check(result: RandomWalksResult) -> None:
        verify_random_walks(
            loaded, result.walks, sources=starts, seed=how["seed"], weighted=how["weighted"],
            p=how["p"], q=how["q"], timeout=running.timeout,
        )  # fmt: skip

    def to_json(result: RandomWalksResult) -> dict[str, Any]:
        return run_json(result) | {
            "walks": result.count,
            "steps": result.steps,
            "ended": result.ended,
        }

    runs = command.runs(check, to_json)

    def prepare() -> Any:
        search = RandomWalksSearch(loaded, command.where, **given)
        return lambda: search.run(starts)

    chosen = how | {"source": source, "sources": sources}
    described = command.make_all(loaded, needs, runs, chosen, prepare, [()])
    command.print_head(loaded, runs.first)
    print_runs(
        report,
        ["walks", "steps", "ended", "ms", "verified"],
        (
            (f"{run['walks']:,}", f"{run['steps']:,}", f"{run['ended']:,}",
             f"{run['milliseconds']:.3f}", checked(run["verified"]))
            for run in runs.described
        ),
    )  # fmt: skip
    report.json(described | {"summary": runs.summary()})

    def arrays(last: RandomWalksResult) -> dict[str, Any]:
        return {"walks": last.walks}

    command.save(runs, arrays, by_vertex=False)
    title = f"{loaded.name}: {runs.first.count:,} walks"

    def draw(path: Any) -> None:
        walks = command.drawn.walks
        visits = np.bincount(walks[walks >= 0], minlength=loaded.vertices)
        plot_numbers(path, visits, "visits", title)

    command.draw(draw)

"""`gossamer sssp GRAPH`: shortest paths from one vertex or many, verified on request."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
import typer

from gossamer.algorithm.sssp import (
    SsspResult,
    SsspSearch,
    compare_distances,
    distance_type,
    verify_sssp,
)
from gossamer.cli import options
from gossamer.cli.graph_command import GraphCommand, Sources, run_json
from gossamer.cli.groups import OfTable, Reading, Running, Working
from gossamer.cli.input.numbers import read_distances
from gossamer.cli.output.files import SearchOutput
from gossamer.cli.output.plots import plot_distances
from gossamer.cli.output.progress import progress
from gossamer.cli.runs import checked, print_runs


def sssp(
    context: typer.Context,
    graph: options.GraphArgument,
    *,
    begin: Sources,
    target: Annotated[
        list[str] | None,
        typer.Option(metavar="V", help="Say the distance of this vertex; any number of them."),
    ] = None,
    how: Annotated[dict[str, Any], OfTable("sssp")],
    weights: options.Weights = False,
    running: Running,
    reading: Reading,
    largest_component: options.LargestComponent = False,
    working: Working,
) -> None:
    """Find shortest paths along non-negative weights."""
    verify_with, output = running.verify_with, running.output
    begin.check(context, "sssp", verify_with, "distances")
    command = GraphCommand.open(
        "sssp", graph, reading, running, working,
        weights=weights, largest_component=largest_component,
    )  # fmt: skip
    if working.plan:
        each = 0 if output is None else 16 if how["parents"] else 8
        return command.plan_of(SsspSearch, how, (begin.sources or 1) * each)
    expected = None if verify_with is None else read_distances(verify_with)
    loaded, given, needs = command.prepared(SsspSearch, how, (verify_with, expected))
    with progress("planning"):
        sources = begin.choose(loaded)
        targets = [(name, options.vertex(loaded, name, "--target")) for name in target or []]
    saved = None
    if output is not None:
        kinds = {"raw_distances": distance_type(loaded)} | (
            {"parents": np.int64} if how["parents"] else {}
        )
        saved = SearchOutput(output, loaded, sources, kinds, "distances", command.limit)

    def check(result: SsspResult) -> None:
        if expected is not None:
            compare_distances(loaded, result.raw_distances, expected)
        if running.verify:
            verify_sssp(
                loaded, result.source, result.raw_distances, result.parents,
                threads=working.threads, smallest_parents=True, timeout=running.timeout,
            )  # fmt: skip

    def to_json(result: SsspResult) -> dict[str, Any]:
        there = result.is_reached
        values = result.raw_distances[there]
        return {"source": loaded.name_of(result.source)} | run_json(result) | {
            "delta": result.delta,
            "delta_reason": result.delta_reason,
            "rounds": result.rounds,
            "relaxations": result.relaxations,
            "reached": result.reached,
            "largest_distance": values.max().item(),
            "sum_of_distances": values.sum(dtype="u8" if values.dtype.kind == "u" else "f8").item(),
            # null: not reached.
            "distances": {
                str(name): result.raw_distances[i].item() if there[i] else None
                for name, i in targets
            },
        }  # fmt: skip

    runs = command.runs(check, to_json)
    described = command.make_all(
        loaded, needs, runs, how | begin.json,
        lambda: SsspSearch(loaded, command.where, **given).run,
        [(vertex,) for vertex in sources], None if saved is None else saved.keep,
    )  # fmt: skip
    report = command.report
    command.print_head(loaded, runs.first)
    if runs.first.delta_reason:
        report.line(f"delta {runs.first.delta:g}: {runs.first.delta_reason}")
    else:
        report.line("priority none: first in, first out")
    print_runs(
        report,
        ["source", "reached", "farthest", "rounds", "arcs looked at", "ms", "verified"],
        (
            (run["source"], f"{run['reached']:,}", f"{run['largest_distance']:,}",
             f"{run['rounds']:,}", f"{run['relaxations']:,}", f"{run['milliseconds']:.3f}",
             checked(run["verified"]))
            for run in runs.described
        ),
    )  # fmt: skip
    for run in {run["source"]: run for run in runs.described}.values():
        start = f"from {run['source']} to" if len(sources) > 1 else "to"
        for name, value in run["distances"].items():
            report.line(f"{start} {name}: {'not reached' if value is None else f'{value:,}'}")
    report.json(described | {"summary": {"sources": len(sources)} | runs.summary()})
    runs.save(report, command.where, output, None if saved is None else saved.write)
    command.tracing.write(report, command.on)
    title = f"{loaded.name}: distances from {runs.described[0]['source']}"
    command.draw(lambda path: plot_distances(path, command.drawn.distances, title))

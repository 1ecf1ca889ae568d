"""`gossamer sssp GRAPH`: shortest paths from one vertex or many, verified on request."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from gossamer.algorithm.sssp import SsspResult, SsspSearch, compare_distances, verify_sssp
from gossamer.algorithm.sssp.distances import distance_type
from gossamer.cli import options
from gossamer.cli.graph_command import GraphCommand, run_json
from gossamer.cli.groups import Reading, Working
from gossamer.cli.input.numbers import read_distances
from gossamer.cli.input.sources import Sources
from gossamer.cli.output.progress import progress
from gossamer.cli.output.searches import SearchOutput
from gossamer.cli.runs import checked, print_runs
from gossamer.errors import UsageError


def _delta(text: str) -> float | None:
    if text == "auto":
        return None
    try:
        width = float(text)
    except ValueError:
        raise UsageError(f"--delta {text}: neither auto nor a number") from None
    if width <= 0:
        raise UsageError(f"--delta {text}: not a positive number")
    return width


def sssp(
    context: typer.Context,
    graph: options.GraphArgument,
    *,
    begin: Sources,
    target: Annotated[
        list[int] | None,
        typer.Option(metavar="V", help="Say the distance of this vertex; any number of them."),
    ] = None,
    machine: options.MachineOrGpus = "auto",
    delta: Annotated[str, typer.Option(metavar="auto|X", help="Width of a bucket.")] = "auto",
    parents: Annotated[bool, typer.Option("--parents", help="Find a tree as well.")] = False,
    engine: options.EngineOfSssp = "auto",
    partition: options.Partition = "auto",
    use: options.Use = "auto",
    deterministic: options.Deterministic = False,
    weights: options.Weights = False,
    repeat: options.Repeat = 1,
    verify: options.Verify = False,
    verify_with: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Compare with distances in .npz, .npy or text."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", metavar="FILE.npz", help="Distances (and parents)."),
    ] = None,
    timeout: options.Timeout = None,
    reading: Reading,
    largest_component: options.LargestComponent = False,
    working: Working,
) -> None:
    """Find shortest paths along non-negative weights."""
    begin.check(context, "sssp", verify_with, "distances")
    width = _delta(delta)
    command = GraphCommand.open(
        "sssp", graph, machine, reading, working, partition=partition, output=output,
        timeout=timeout, weights=weights, largest_component=largest_component,
    )  # fmt: skip
    where, report = command.where, command.report
    how: dict[str, Any] = {"engine": engine, "parents": parents, "use": use}
    limited = how | {"memory": command.limit}
    if working.plan:
        command.plan(
            lambda shape, size, table: SsspSearch.plan(
                shape, where, partition=table, weight_bytes=size, **limited
            ),
            0 if output is None else (begin.sources or 1) * (16 if parents else 8),
        )
        return
    expected = None if verify_with is None else read_distances(verify_with)
    loaded = command.load((verify_with, expected))
    command.divide(loaded)
    limited["partition"] = command.parts
    with progress("planning"):
        needs = SsspSearch.plan(loaded, where, **limited)
        sources = begin.choose(loaded)
        targets = [(name, loaded.index_of(name)) for name in target or []]
    saved = None
    if output is not None:
        kinds = {"distances": distance_type(loaded)} | ({"parents": np.int64} if parents else {})
        saved = SearchOutput(loaded, sources, kinds, "distances", command.limit)

    def check(result: SsspResult) -> None:
        if expected is not None:
            compare_distances(loaded, result.distances, expected)
        if verify:
            verify_sssp(
                loaded, result.source, result.distances, result.parents,
                threads=working.threads, timeout=timeout,
            )  # fmt: skip

    def to_json(result: SsspResult) -> dict[str, Any]:
        there = result.is_reached
        values = result.distances[there]
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
                str(name): result.distances[i].item() if there[i] else None for name, i in targets
            },
        }  # fmt: skip

    runs = command.runs(check if verify or expected is not None else None, to_json)
    asked = asdict(begin) | {
        "delta": delta, "deterministic": deterministic, "verify": verify,
        "verify_with": verify_with, "timeout": timeout,
    }  # fmt: skip
    described = command.make_all(
        loaded, needs, runs, how | asked,
        lambda: SsspSearch(
            loaded, where, delta=width, deterministic=deterministic, timeout=timeout, **limited
        ).run,
        [(vertex,) for vertex in sources], repeat, None if saved is None else saved.keep,
    )  # fmt: skip
    command.print_head(loaded, runs.first)
    if runs.first.delta_reason:
        report.line(f"delta {runs.first.delta:g}: {runs.first.delta_reason}")
    else:
        report.line("priority none: first in, first out")
    print_runs(
        report,
        ["source", "reached", "farthest", "rounds", "arcs looked at", "ms", "verified"],
        (
            (
                run["source"],
                f"{run['reached']:,}",
                f"{run['largest_distance']:,}",
                f"{run['rounds']:,}",
                f"{run['relaxations']:,}",
                f"{run['milliseconds']:.3f}",
                checked(run["verified"]),
            )
            for run in runs.described
        ),
    )
    for run in {run["source"]: run for run in runs.described}.values():
        start = f"from {run['source']} to" if len(sources) > 1 else "to"
        for name, value in run["distances"].items():
            report.line(f"{start} {name}: {'not reached' if value is None else f'{value:,}'}")
    report.json(described | {"summary": {"sources": len(sources)} | runs.summary()})
    runs.save(report, where, output, None if saved is None else saved.write)

"""`gossamer components GRAPH`: weak components, verified on request."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from gossamer.algorithm.comparisons import compare_labels
from gossamer.algorithm.components import ComponentsResult, ComponentsSearch, verify_components
from gossamer.cli import options
from gossamer.cli.graph_command import GraphCommand, run_json
from gossamer.cli.groups import Reading, Working
from gossamer.cli.input.numbers import read_vertex_numbers
from gossamer.cli.runs import checked, print_runs


def components(
    graph: options.GraphArgument,
    machine: options.MachineOrGpus = "auto",
    engine: options.EngineOfComponents = "auto",
    *,
    partition: options.Partition = "auto",
    deterministic: options.Deterministic = False,
    use: options.Use = "auto",
    repeat: options.Repeat = 1,
    verify: options.Verify = False,
    verify_with: options.VerifyWith = None,
    output: Annotated[
        Path | None, typer.Option("--output", metavar="FILE.npz", help="The labels.")
    ] = None,
    timeout: options.Timeout = None,
    reading: Reading,
    working: Working,
) -> None:
    """Find weak components."""
    command = GraphCommand.open(
        "components", graph, machine, reading, working,
        partition=partition, output=output, timeout=timeout,
    )  # fmt: skip
    where, report = command.where, command.report
    how: dict[str, Any] = {"engine": engine, "use": use}
    limited = how | {"memory": command.limit}
    if working.plan:  # labels are written as they are
        command.plan(
            lambda shape, _, table: ComponentsSearch.plan(shape, where, partition=table, **limited)
        )
        return
    expected = None if verify_with is None else read_vertex_numbers(verify_with, "labels")
    loaded = command.load((verify_with, expected))
    command.divide(loaded)
    limited["partition"] = command.parts
    needs = ComponentsSearch.plan(loaded, where, **limited)

    def check(result: ComponentsResult) -> None:
        if expected is not None:
            compare_labels(loaded, result.labels, expected)
        if verify:
            verify_components(loaded, result.labels, timeout=timeout)

    def to_json(result: ComponentsResult) -> dict[str, Any]:
        empty = loaded.vertices == 0
        return run_json(result) | {
            "edges_of_ranks": result.edges_of_ranks,
            "components": result.count,
            "largest": result.largest,
            # null: there is no vertex.
            "largest_from": None if empty else loaded.name_of(result.largest_label),
        }

    runs = command.runs(check if verify or expected is not None else None, to_json)
    asked = {
        "deterministic": deterministic, "verify": verify, "verify_with": verify_with,
        "timeout": timeout,
    }  # fmt: skip
    last: list[ComponentsResult] = []
    described = command.make_all(
        loaded, needs, runs, how | asked,
        lambda: ComponentsSearch(
            loaded, where, deterministic=deterministic, timeout=timeout, **limited
        ).run,
        [()], repeat, None if output is None else lambda _, result: last.append(result),
    )  # fmt: skip
    command.print_head(loaded, runs.first)
    if runs.first.edges_of_ranks:
        shares = ", ".join(f"{edges:,}" for edges in runs.first.edges_of_ranks)
        report.line(f"edges by rank, first run: {shares}")
    print_runs(
        report,
        ["components", "largest", "ms", "verified"],
        (
            (
                f"{run['components']:,}",
                f"{run['largest']:,}",
                f"{run['milliseconds']:.3f}",
                checked(run["verified"]),
            )
            for run in runs.described
        ),
    )
    report.json(described | {"summary": runs.summary()})
    runs.save(
        report, where, output,
        lambda file: np.savez(file, labels=last[0].labels, names=loaded.names),
    )  # fmt: skip

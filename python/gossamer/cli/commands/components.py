"""`gossamer components GRAPH`: weak components, verified on request."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from gossamer.algorithm.comparisons import compare_labels
from gossamer.algorithm.components import ComponentsResult, ComponentsSearch, verify_components
from gossamer.cli import options
from gossamer.cli.graph_command import GraphCommand, checked
from gossamer.cli.input.distances import read_vertex_numbers
from gossamer.cli.input.numbers import check_length
from gossamer.cli.output.progress import progress
from gossamer.cli.output.report import write_whole
from gossamer.cli.output.worklists import work_json


def components(
    graph: options.GraphArgument,
    machine: options.MachineOrGpus = "auto",
    engine: options.EngineOfComponents = "auto",
    balance: options.Balance = "none",
    priority: options.Priority = "soft",
    partition: options.Partition = "auto",
    route: options.Route = "direct",
    packet: options.Packet = None,
    deterministic: options.Deterministic = False,
    use: options.Use = "auto",
    repeat: options.Repeat = 1,
    verify: options.Verify = False,
    verify_with: options.VerifyWith = None,
    output: Annotated[
        Path | None, typer.Option("--output", metavar="FILE.npz", help="The labels.")
    ] = None,
    timeout: options.Timeout = None,
    source_format: options.From = "auto",
    symmetrize: options.Symmetrize = False,
    deduplicate: options.Deduplicate = False,
    remove_self_loops: options.RemoveSelfLoops = False,
    threads: options.Threads = 0,
    memory: options.Memory = None,
    plan: options.Plan = False,
    json: options.Json = None,
) -> None:
    """Find weak components."""
    options.check_packet(packet)
    command = GraphCommand.open(
        "components", graph, machine, json=json, memory=memory, timeout=timeout, output=output,
        threads=threads, partition=partition, format=source_format, symmetrize=symmetrize,
        deduplicate=deduplicate, remove_self_loops=remove_self_loops,
    )  # fmt: skip
    where, limit, report = command.where, command.limit, command.report
    if plan:
        command.plan(
            lambda shape, _, table: ComponentsSearch.plan(
                shape,
                where,
                engine=engine,
                balance=balance,
                priority=priority,
                partition=table,
                route=route,
                packet=packet,
                use=use,
                memory=limit,
            ),
            lambda vertices: 0,  # labels are written as they are
        )
        return
    expected = None if verify_with is None else read_vertex_numbers(verify_with, "labels")
    loaded = command.origin.load()
    if verify_with is not None and expected is not None:
        check_length(verify_with, expected, loaded)
    command.divide(loaded)
    needs = ComponentsSearch.plan(
        loaded, where, engine=engine, balance=balance, priority=priority,
        partition=command.parts, route=route, packet=packet, use=use, memory=limit,
    )  # fmt: skip

    def check(result: ComponentsResult) -> None:
        if expected is not None:
            compare_labels(loaded, result.labels, expected)
        if verify:
            verify_components(loaded, result.labels, timeout=timeout)

    def to_json(result: ComponentsResult, verified: bool | None) -> dict[str, Any]:
        empty = loaded.vertices == 0
        return {
            "milliseconds": result.milliseconds,
            "phases": result.phases,
            "engine": result.engine,
            "engine_reason": result.engine_reason,
            "work": work_json(result.work),
            "edges_of_ranks": result.edges_of_ranks,
            "components": result.count,
            "largest": result.largest,
            # null: there is no vertex.
            "largest_from": None if empty else loaded.name_of(result.largest_label),
            "verified": verified,
        }

    runs = command.runs(repeat, check if verify or expected is not None else None, to_json)
    chosen = {
        "engine": engine, "balance": balance, "priority": priority, "route": route,
        "packet": packet,
        "deterministic": deterministic, "use": use, "verify": verify,
        "verify_with": None if verify_with is None else str(verify_with), "timeout": timeout,
    }  # fmt: skip
    last: list[ComponentsResult] = []
    described = command.make_all(
        loaded,
        needs,
        runs,
        chosen,
        lambda: (
            ComponentsSearch(
                loaded,
                where,
                engine=engine,
                balance=balance,
                priority=priority,
                partition=command.parts,
                route=route,
                packet=packet,
                deterministic=deterministic,
                use=use,
                memory=limit,
                timeout=timeout,
            ).run
        ),
        [()],
        None if output is None else lambda _, result: last.append(result),
        repeat,
    )
    assert runs.first is not None  # at least one run
    command.print_head(loaded, runs.first)
    if runs.first.edges_of_ranks:
        shares = ", ".join(f"{edges:,}" for edges in runs.first.edges_of_ranks)
        report.line(f"edges by rank, first run: {shares}")
    command.print_runs(
        ["components", "largest", "ms", "verified"],
        [
            (
                f"{run['components']:,}",
                f"{run['largest']:,}",
                f"{run['milliseconds']:.3f}",
                checked(run["verified"]),
            )
            for run in runs.described
        ],
    )
    report.json(described | {"summary": command.summary(runs.described)})
    if runs.failure is not None:
        raise runs.failure
    if output is not None:
        if where.here():
            with progress(f"writing {output.name}"), write_whole(output) as file:
                np.savez(file, labels=last[0].labels, names=loaded.names)
        report.line(f"wrote {output}")

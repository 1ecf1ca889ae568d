"""`gossamer bfs GRAPH`: breadth-first search from one vertex or many, verified on request."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gossamer.cli import options
from gossamer.cli.graph_command import GraphCommand
from gossamer.cli.input.sources import check_sources
from gossamer.cli.output.plots import check_plot
from gossamer.cli.output.traces import TraceOption, TraceOutput
from gossamer.errors import UsageError

from .run import Asked, How, SearchRun


def bfs(
    context: typer.Context,
    graph: options.GraphArgument,
    source: Annotated[
        int | None,
        typer.Option(metavar="V", help="Source vertex, by the file's own id."),
    ] = None,
    sources: Annotated[
        int | None, typer.Option(min=1, metavar="K", help="Draw K sources of degree 1 or more.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, metavar="S", help="Seed of the draw.")] = 1,
    machine: options.MachineOrGpus = "auto",
    direction: Annotated[str, typer.Option(help="auto, top-down or bottom-up.")] = "auto",
    repeat: Annotated[int, typer.Option(min=1, metavar="N", help="Runs of each source.")] = 1,
    verify: options.Verify = False,
    verify_with: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Compare with depths in .npz, .npy or text."),
    ] = None,
    engine: Annotated[
        str, typer.Option(help="auto, sync, async, host, tasks, vector-queue, …")
    ] = "auto",
    transport: Annotated[
        str, typer.Option(help="Of engine vector-queue: auto, copy or direct.")
    ] = "auto",
    results: Annotated[
        str,
        typer.Option(
            help="Of engine vector-queue: stay, overlapped, slices or serial (on the host)."
        ),
    ] = "stay",
    duplicates: Annotated[
        str, typer.Option(help="Of engine vector-queue: vector or sort-unique.")
    ] = "vector",
    balance: options.Balance = "none",
    priority: options.Priority = "soft",
    route: options.Route = "direct",
    packet: options.Packet = None,
    use: options.Use = "auto",
    breakdown: Annotated[
        bool, typer.Option("--breakdown", help="Messages by kind, and what copies hide.")
    ] = False,
    deterministic: Annotated[
        bool, typer.Option("--deterministic", help="Smallest possible parents (a second pass).")
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option("--output", metavar="FILE.npz", help="Parents and depths of each source."),
    ] = None,
    trace: TraceOption = None,
    plot: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Levels of the first run as .png, .svg …"),
    ] = None,
    timeout: options.Timeout = None,
    partition: options.Partition = "auto",
    renumber: Annotated[str, typer.Option(help="none or degree (inside each rank).")] = "none",
    source_format: options.From = "auto",
    symmetrize: options.Symmetrize = False,
    deduplicate: options.Deduplicate = False,
    remove_self_loops: options.RemoveSelfLoops = False,
    largest_component: options.LargestComponent = False,
    threads: options.Threads = 0,
    memory: options.Memory = None,
    plan: options.Plan = False,
    json: options.Json = None,
) -> None:
    """Search a graph breadth-first."""
    check_sources(context, "bfs")
    options.check_packet(packet)
    if verify_with is not None and source is None:
        raise UsageError("--verify-with: give the --source that its depths are from")
    if plot is not None:
        check_plot(plot)
    tracing = TraceOutput(trace)
    command = GraphCommand.open(
        "bfs", graph, machine, json=json, memory=memory, timeout=timeout, output=output,
        threads=threads, partition=partition, searches_alone=True, format=source_format,
        symmetrize=symmetrize, deduplicate=deduplicate, remove_self_loops=remove_self_loops,
        largest_component=largest_component,
    )  # fmt: skip
    how = How(
        direction, engine, transport, results, duplicates, balance, priority, route, packet,
        deterministic,
    )  # fmt: skip
    asked = Asked(
        source, sources, seed, repeat, verify, verify_with, use, timeout, renumber, threads,
        breakdown, output, plot,
    )  # fmt: skip
    run = SearchRun(command, how, asked, tracing)
    if plan:
        run.print_plan()
    else:
        run.run()

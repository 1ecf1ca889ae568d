"""`gossamer bfs`: its options, those of the search apart from those of its runs."""

from __future__ import annotations

import typer

from gossamer.cli import options
from gossamer.cli.graph_command import GraphCommand
from gossamer.cli.groups import Reading, Working
from gossamer.cli.input.sources import Sources
from gossamer.cli.output.plots import check_plot
from gossamer.cli.output.traces import TraceOption, TraceOutput

from .run import Asked, How, SearchRun


def bfs(
    context: typer.Context,
    graph: options.GraphArgument,
    *,
    begin: Sources,
    machine: options.MachineOrGpus = "auto",
    how: How,
    asked: Asked,
    trace: TraceOption = None,
    partition: options.Partition = "auto",
    reading: Reading,
    largest_component: options.LargestComponent = False,
    working: Working,
) -> None:
    """Search a graph breadth-first."""
    begin.check(context, "bfs", asked.verify_with, "depths")
    if asked.plot is not None:
        check_plot(asked.plot)
    tracing = TraceOutput(trace)
    command = GraphCommand.open(
        "bfs", graph, machine, reading, working, partition=partition, output=asked.output,
        timeout=asked.timeout, largest_component=largest_component, searches_alone=True,
    )  # fmt: skip
    run = SearchRun(command, begin, how, asked, working.threads, tracing)
    if working.plan:
        run.print_plan()
    else:
        run.run()

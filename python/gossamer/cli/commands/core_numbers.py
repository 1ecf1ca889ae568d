"""`gossamer core-numbers GRAPH`: the k-core decomposition, verified on request."""

from __future__ import annotations

from typing import Annotated, Any

from gossamer.algorithm.core_numbers import (
    CoreNumbersResult,
    CoreNumbersSearch,
    compare_core_numbers,
    verify_core_numbers,
)
from gossamer.cli import options
from gossamer.cli.graph_command import GraphCommand, run_json
from gossamer.cli.groups import OfTable, Reading, Running, Working
from gossamer.cli.input.numbers import read_vertex_numbers
from gossamer.cli.output.plots import plot_core_numbers
from gossamer.cli.runs import checked, print_runs
from gossamer.errors import UsageError


def core_numbers(
    graph: options.GraphArgument,
    how: Annotated[dict[str, Any], OfTable("core_numbers")],
    running: Running,
    reading: Reading,
    *,
    largest_component: options.LargestComponent = False,
    working: Working,
) -> None:
    """Find core numbers: the largest k-core of each vertex."""
    if running.partition != "auto":
        raise UsageError(
            f"core-numbers: --partition {running.partition}: all ranks read the same rows, and "
            "none owns vertices"
        )
    command = GraphCommand.open(
        "core-numbers", graph, reading, running, working, largest_component=largest_component
    )
    if working.plan:  # numbers are written as they are
        return command.plan_of(CoreNumbersSearch, how)
    verify_with, report = running.verify_with, command.report
    expected = None if verify_with is None else read_vertex_numbers(verify_with, "core_numbers")
    loaded, given, needs = command.prepared(CoreNumbersSearch, how, (verify_with, expected))

    def check(result: CoreNumbersResult) -> None:
        if expected is not None:
            compare_core_numbers(loaded, result.numbers, expected)
        if running.verify:
            verify_core_numbers(loaded, result.numbers, timeout=running.timeout)

    def to_json(result: CoreNumbersResult) -> dict[str, Any]:
        return run_json(result) | {"degeneracy": result.degeneracy, "rounds": result.rounds}

    runs = command.runs(check, to_json)
    described = command.make_all(
        loaded, needs, runs, how, lambda: CoreNumbersSearch(loaded, command.where, **given).run,
        [()],
    )  # fmt: skip
    command.print_head(loaded, runs.first)
    if not loaded.symmetric:
        report.line("directed: arcs in and out count (--symmetrize: each neighbour once)")
    print_runs(
        report,
        ["degeneracy", "rounds", "ms", "verified"],
        (
            (f"{run['degeneracy']:,}", f"{run['rounds']:,}", f"{run['milliseconds']:.3f}",
             checked(run["verified"]))
            for run in runs.described
        ),
    )  # fmt: skip
    report.json(described | {"summary": runs.summary()})
    command.save(runs, lambda last: {"core_numbers": last.numbers})
    title = f"{loaded.name}: degeneracy {runs.first.degeneracy:,}"
    command.draw(lambda path: plot_core_numbers(path, command.drawn.numbers, title))

"""What closeness, harmonic, eccentricity and diameter share as commands: numbers of all vertices
by their distances."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

import numpy as np
import typer

from gossamer.algorithm.distances import (
    DistancesResult,
    DistancesSearch,
    compare_numbers,
    verify_distances,
)
from gossamer.errors import UsageError

from .graph_command import GraphCommand, run_json
from .groups import Reading, Running, Working
from .input.numbers import read_vertex_numbers
from .output.plots import plot_numbers
from .runs import checked, print_runs

#: Of a verification.
Samples = Annotated[
    int,
    typer.Option(min=0, metavar="K", help="With --verify: search from K vertices anew, 0 = all."),
]
Outward = Annotated[
    bool, typer.Option("--outward", help="Distances from vertices, along arcs, not to them.")
]


def refuse_partition(name: str, running: Running) -> None:
    if running.partition != "auto":
        raise UsageError(
            f"{name}: --partition {running.partition}: all ranks read the same rows, and none owns "
            "vertices"
        )


def numbers_of(
    measure: str,
    graph: str,
    how: dict[str, Any],
    running: Running,
    reading: Reading,
    working: Working,
    *,
    samples: int,
    largest_component: bool,
    shown: list[str],
    wf_improved: bool = True,
) -> None:
    """Such a command; `shown`: columns of its table of runs, entries of their descriptions."""
    refuse_partition(measure, running)
    one = measure == "diameter"
    if one and running.plot is not None:
        raise UsageError("diameter: --plot: there is one number to draw (see eccentricity)")
    command = GraphCommand.open(
        measure, graph, reading, running, working, largest_component=largest_component
    )
    if working.plan:  # numbers are written as they are
        return command.plan_of(DistancesSearch, how)
    verify_with, report = running.verify_with, command.report
    if one and verify_with is not None:
        raise UsageError("diameter: --verify-with: a file has a number of each vertex")
    expected = None if verify_with is None else read_vertex_numbers(verify_with, measure)
    loaded, given, needs = command.prepared(DistancesSearch, how, (verify_with, expected))

    def check(result: DistancesResult) -> None:
        if expected is not None:
            compare_numbers(loaded, result.values, expected)
        if not running.verify:
            return
        values, sources = (
            ([result.diameter] * (result.end >= 0), [result.end] * (result.end >= 0))
            if one
            else (result.values, None)
        )
        verify_distances(
            loaded, values, "eccentricity" if one else measure, sources=sources,
            inward=how["inward"], wf_improved=wf_improved, samples=samples,
            timeout=running.timeout,
        )  # fmt: skip

    def to_json(result: DistancesResult) -> dict[str, Any]:
        said: dict[str, Any] = {
            "connected": result.all_reached,
            "diameter": result.diameter,
            # null: there is no vertex.
            "end": None if result.end < 0 else loaded.name_of(result.end),
            "searches": result.searches,
            "alone": result.alone,
        }
        if not one:
            values = result.values
            best = int(values.argmax()) if values.size else None
            said |= {
                "largest": None if best is None else values[best].item(),
                "largest_of": None if best is None else loaded.name_of(best),
            }
        if measure == "eccentricity":
            said |= {"radius": result.radius, "center": int(result.center.size)}
        return run_json(result) | said

    runs = command.runs(check, to_json)

    def prepare() -> Any:
        search = DistancesSearch(loaded, command.where, **given)
        return lambda: replace(search.run(), measure=measure, wf_improved=wf_improved)

    described = command.make_all(loaded, needs, runs, how, prepare, [()])
    command.print_head(loaded, runs.first)
    if not runs.described[0]["connected"]:
        strongly = "" if loaded.symmetric else "strongly "
        report.line(f"not {strongly}connected: distances are those between vertices with a path")
    print_runs(
        report,
        [*(name.replace("_", " ") for name in shown), "searches", "ms", "verified"],
        (
            (*(_text(run[name]) for name in shown), f"{run['searches']:,}",
             f"{run['milliseconds']:.3f}", checked(run["verified"]))
            for run in runs.described
        ),
    )  # fmt: skip
    report.json(described | {"summary": runs.summary()})
    if one:
        command.save(
            runs,
            lambda last: {"diameter": np.array([last.diameter]), "end": np.array([last.end])},
            by_vertex=False,
        )
        return
    command.save(runs, lambda last: {measure: last.values})
    title = f"{loaded.name}: {measure}"
    command.draw(lambda path: plot_numbers(path, command.drawn.values, measure, title))


def _text(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else f"{value}"

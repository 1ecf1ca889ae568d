"""What commands share whose algorithms are written as vertex steps."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import typer

from gossamer.algorithm.by_steps import StepsResult
from gossamer.algorithm.distances import compare_numbers
from gossamer.algorithm.fixed_point import beyond_floats, diverged
from gossamer.errors import UsageError
from gossamer.graph import Graph
from gossamer.machine.plans import MemoryPlan
from gossamer.vertex_steps import VertexSteps

from .graph_command import GraphCommand, run_json
from .groups import Reading, Running, Working
from .input.numbers import read_vertex_numbers
from .output.plots import plot_numbers
from .runs import checked, print_runs


def refuse_what_steps_lack(name: str, running: Running) -> None:
    """UsageError for options that would do nothing."""
    if running.partition != "auto":
        raise UsageError(f"{name}: --partition {running.partition}: vertex steps use ranges")
    if running.trace is not None:
        raise UsageError(f"{name}: --trace: vertex steps are not recorded")


def by_steps(
    name: str,
    graph: str,
    reading: Reading,
    running: Running,
    working: Working,
    plan: Callable[..., MemoryPlan],
    *,
    how: dict[str, Any],
    run: Callable[[VertexSteps], Any],
    verify: Callable[[Graph, Any], None],
    arrays: dict[str, str],
    said: tuple[str, ...],
    weights: bool = False,
    largest_component: bool = False,
    tolerance: float = 0.0,
    advice: str = "",
    smaller: str = "",
) -> None:
    """Such a command. `plan`: as StepsBytes.plan(), what a run takes. `run` makes a result on
    steps, `verify` checks one. `arrays`: what goes to --output, and of which attribute; the first
    is compared with --verify-with, and drawn. `said`: what a run has, its columns. `advice`: said
    of what did not converge; `smaller`: what to take less of where it diverged."""
    refuse_what_steps_lack(name, running)
    command = GraphCommand.open(
        name, graph, reading, running, working,
        weights=weights, largest_component=largest_component, on_host=True,
    )  # fmt: skip
    if working.plan:  # results are written as they are
        return command.plan(
            lambda shape, weight_bytes, _: plan(shape, command.where, working.memory, weight_bytes)
        )
    verify_with, report = running.verify_with, command.report
    first, attribute = next(iter(arrays.items()))
    expected = None if verify_with is None else read_vertex_numbers(verify_with, first)
    loaded = command.load((verify_with, expected))

    def numbers(result: Any, of: str = attribute) -> Any:
        """Truths are 0 and 1, which --verify-with reads again."""
        found = getattr(result, of)
        return found.view(np.int8) if found.dtype == np.bool_ else found

    def check(result: Any) -> None:
        if expected is not None:
            compare_numbers(loaded, numbers(result), expected, tolerance=tolerance)
        if running.verify:
            verify(loaded, result)

    def to_json(result: Any) -> dict[str, Any]:
        entries: dict[str, Any] = {}
        for of in said:
            if of == "largest":
                values = getattr(result, attribute)
                at = int(values.argmax())
                entries["largest"] = _finite(float(values[at]))
                entries["largest_of"] = loaded.name_of(at)
            else:
                entries[of] = _finite(getattr(result, of))
        return run_json(result) | entries

    def once() -> StepsResult:
        # Anew each time: a run that was given up leaves no fields.
        found: StepsResult = run(
            VertexSteps(loaded, command.where, memory=working.memory, timeout=running.timeout)
        )
        return found

    runs = command.runs(check, to_json)
    needs = plan(loaded, command.where, working.memory)
    described = command.make_all(loaded, needs, runs, how, lambda: once, [()])
    command.print_head(loaded, runs.first)
    columns = [column for of in said for column in (of, "largest_of")[: 1 + (of == "largest")]]
    print_runs(
        report,
        [*(column.replace("_", " ") for column in columns), "ms", "verified"],
        (
            (*(_text(one[column]) for column in columns), f"{one['milliseconds']:.3f}",
             checked(one["verified"]))
            for one in runs.described
        ),
    )  # fmt: skip
    report.json(described | {"summary": runs.summary()})
    converged = getattr(runs.first, "converged", True)
    if not converged:
        runs.failure = None  # a check can but say the same, less clearly
    command.save(runs, lambda last: {of: numbers(last, its) for of, its in arrays.items()})
    title = f"{loaded.name}: {first}"
    command.draw(lambda path: plot_numbers(path, numbers(command.drawn), first, title))
    if not converged:
        report.line(
            beyond_floats(runs.first.iterations, smaller)
            if diverged(runs.first)
            else f"did not converge in {runs.first.iterations} iterations: one more would change "
            f"{first} by {runs.first.change:.3e}, {how['tolerance']:g} was asked for{advice}"
        )
        raise typer.Exit(1)


def promised(result: Any) -> float:
    """The change that a result reports, for its check; 0 of what diverged, which fails it."""
    return float(result.change) if math.isfinite(result.change) else 0.0


def _finite(value: Any) -> Any:
    """None of what diverged: JSON has finite numbers."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _text(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.6g}"
    return f"{value:,}" if isinstance(value, int) else f"{value}"

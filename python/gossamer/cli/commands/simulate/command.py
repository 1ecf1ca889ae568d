"""`gossamer simulate`: a collective, conjugate gradient or a search on a modelled system."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gossamer import _gossamer
from gossamer.cli.groups import Working
from gossamer.cli.options import check_input_path
from gossamer.cli.output.plots import check_plot
from gossamer.cli.output.report import Report
from gossamer.errors import UsageError
from gossamer.simulation import WHAT_IF, System

from .case import Case
from .collective import predict_collective
from .options import PROGRAMS, check_options, check_what_if, default_ranks, parse_ranks, parse_sizes
from .plan import plan_program
from .program import predict_bfs, predict_cg


def _systems(
    name: str, against: str | None, change: list[str], what_if: str | None
) -> list[System]:
    for given in (name, against):
        if given is not None and ("/" in given or given.endswith(".toml")):
            check_input_path(Path(given))
    first = System(name, _changes_of(name, [name, against], change, True))
    if against == name:
        raise UsageError(f"--against: '{name}' is the same system")
    if what_if is not None:
        if against is not None:
            raise UsageError("give --against or --what-if, not both")
        if what_if not in WHAT_IF:
            raise UsageError(f"--what-if: '{what_if}' is none of {', '.join(WHAT_IF)}")
        return [first, first.what_if(what_if)]
    if against is None:
        return [first]
    return [first, System(against, _changes_of(against, [name, against], change, False))]


def _changes_of(
    system: str, known: list[str | None], change: list[str], unnamed: bool
) -> tuple[str, ...]:
    """Changes of one system among `known`: those that name it and, on request, no system."""
    found = []
    for text in change:
        key, equals, value = text.partition("=")
        whose, colon, field = key.rpartition(":")
        if colon and whose not in known:
            there = " and ".join(name for name in known if name is not None)
            raise UsageError(f"--change {text}: '{whose}' is not simulated: there is {there}")
        if whose == system or (unnamed and not colon):
            found.append(field + equals + value)
    return tuple(found)


def _changed(systems: list[System], asked: list[str]) -> list[str]:
    """Which system was changed, and to what: with two of them that is no matter of course."""
    if not asked:
        return []
    return [
        f"{s.title}: {', '.join(s.changes) if s.changes else 'as described, without changes'}"
        for s in systems
    ]


def _notes(systems: list[System], ranks: int) -> list[str]:
    """Where a prediction goes beyond the hardware; UsageError where a system cannot be so large."""
    return list(dict.fromkeys(note for s in systems if (note := s.beyond(ranks))))


def _list(report: Report) -> None:
    known = [(name, _gossamer.system_title(name)) for name in _gossamer.system_names()]
    report.table("systems", ["name", "what it models"], known, (0, 1))
    questions = [(name, meaning) for name, (meaning, _) in WHAT_IF.items()]
    report.table("--what-if", ["name", "what changes"], questions, (0, 1))
    report.json(
        {
            "systems": [{"name": name, "title": title} for name, title in known],
            "what_if": [
                {"name": name, "meaning": meaning, "changes": list(changes)}
                for name, (meaning, changes) in WHAT_IF.items()
            ],
        }
    )


def simulate(
    context: typer.Context,
    operation: Annotated[
        str | None,
        typer.Argument(metavar="OP|cg|bfs", help="allgather, broadcast, …; or a program."),
    ] = None,
    data: Annotated[
        str | None, typer.Argument(metavar="[MATRIX|GRAPH]", help="What cg or bfs works on.")
    ] = None,
    system: Annotated[
        str, typer.Option(metavar="NAME|FILE", help="A modelled system; list them with --systems.")
    ] = "peach2",
    against: Annotated[
        str | None, typer.Option(metavar="NAME|FILE", help="A second system, side by side.")
    ] = None,
    what_if: Annotated[
        str | None,
        typer.Option("--what-if", metavar="NAME", help=f"Beside it: {', '.join(WHAT_IF)}."),
    ] = None,
    ranks: Annotated[
        str | None,
        typer.Option(metavar="P[,P…]", help="Ranks: 16; programs take a list (1,2,4,8,16)."),
    ] = None,
    size: Annotated[
        str,
        typer.Option(
            "--bytes", metavar="A..B", help="Message or, where each rank has one, block size."
        ),
    ] = "8..16M",
    algorithm: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="A name; own: what the system's software does; or fastest."
        ),
    ] = "own",
    root: Annotated[int, typer.Option(help="Root of rooted operations.")] = 0,
    buffers: Annotated[str, typer.Option(help="Where data is: device or host.")] = "device",
    mapping: Annotated[
        str,
        typer.Option(help="own (as the system's software), identity, or searched (fewer meet)."),
    ] = "own",
    iterations: Annotated[
        int, typer.Option(min=1, metavar="N", help="cg: the length to predict.")
    ] = 1000,
    values: Annotated[
        bool, typer.Option("--values", help="cg: make positive definite values for a pattern.")
    ] = False,
    source: Annotated[
        int | None, typer.Option(metavar="V", help="bfs: source; default one of degree ≥ 1.")
    ] = None,
    change: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[NAME:]KEY=VALUE",
            help="Change --system: network.latency=2e-7; NAME:KEY=VALUE: the one of that name.",
        ),
    ] = None,
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Plot as .png, .svg …")] = None,
    systems: Annotated[bool, typer.Option("--systems", help="List the systems.")] = False,
    *,
    working: Working,
) -> None:
    """Predict a collective, cg or bfs on a modelled system: virtual time, nothing measured."""
    report = Report(working.json)
    check_options(context, operation, systems)
    if systems:
        _list(report)
        return
    assert operation is not None  # check_options refuses it
    if mapping not in ("own", "identity", "searched"):
        raise UsageError(f"--mapping: '{mapping}' is none of own, identity and searched")
    if operation in PROGRAMS and data is None:
        raise UsageError(f"{operation}: which {'matrix' if operation == 'cg' else 'graph'}?")
    if operation not in PROGRAMS and data is not None:
        raise UsageError(f"{operation}: takes no argument '{data}'")
    if plot is not None:
        check_plot(plot)
    # A barrier has no messages, and so one row.
    sizes = [0] if operation == "barrier" else parse_sizes(size)
    chosen = _systems(system, against, change or [], what_if)
    check_what_if(what_if, operation, chosen[0], sizes, buffers, mapping)
    counts = default_ranks(operation, chosen) if ranks is None else parse_ranks(ranks)
    notes = _changed(chosen, change or []) + _notes(chosen, max(counts))
    for note in notes:
        report.line(note)
    if data is not None:
        case = Case(report, operation, data, chosen, counts, working, values, plot)
        if working.plan:
            plan_program(case)
            return
        found = predict_cg(case, iterations) if operation == "cg" else predict_bfs(case, source)
    else:
        if len(counts) != 1:
            raise UsageError(f"--ranks: '{ranks}': a collective takes one number")
        found = predict_collective(
            report, operation, chosen, counts[0], sizes, algorithm, root, buffers, mapping,
            change or [], plot,
        )  # fmt: skip
    report.json(found | {"notes": notes})

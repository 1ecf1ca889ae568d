"""`gossamer simulate`: a collective, conjugate gradient or a search on a modelled system."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from gossamer import _gossamer
from gossamer.arguments import memory_bytes
from gossamer.cli import options
from gossamer.cli.groups import Working
from gossamer.cli.output.plots import check_plot
from gossamer.cli.output.report import Report
from gossamer.errors import UsageError
from gossamer.simulation import ELEMENT, ROOTED, WHAT_IF, System

from .program import Case, plan_program, predict_bfs, predict_cg, predict_collective

PROGRAMS = ("cg", "bfs")


def _collectives() -> list[str]:
    return list(dict.fromkeys(str(a["operation"]) for a in _gossamer.collective_algorithms()))


@dataclass(frozen=True)
class _Use:
    """An option, what it belongs to, and that in words."""

    option: str
    operations: frozenset[str]
    purpose: str


def _uses() -> dict[str, _Use]:
    """By parameter of the command; those that serve every operation are not in it."""
    collectives = frozenset(_collectives())
    programs, moving = frozenset(PROGRAMS), collectives - {"barrier"}
    every = collectives | programs
    return {
        "size": _Use("--bytes", moving, "collectives that move data: the size of their messages"),
        "algorithm": _Use("--algorithm", collectives, "collectives: how they are done"),
        "root": _Use("--root", frozenset(ROOTED), f"what has a root: {', '.join(ROOTED)}"),
        "buffers": _Use("--buffers", collectives, "collectives: where their data is"),
        "mapping": _Use("--mapping", collectives, "collectives: which rank is on which node"),
        "iterations": _Use("--iterations", frozenset({"cg"}), "cg: the length to predict"),
        "values": _Use("--values", frozenset({"cg"}), "cg: values for a pattern"),
        "source": _Use("--source", frozenset({"bfs"}), "bfs: the vertex to begin at"),
        "threads": _Use("--threads", programs, "cg and bfs: reading or making their data"),
        "memory": _Use("--memory", programs, "cg and bfs: reading or making their data"),
        "plan": _Use("--plan", programs, "cg and bfs: a collective is replayed without its data"),
        "plot": _Use("--plot", every - {"barrier"}, "what has sizes or numbers of ranks"),
    }


def check_options(context: typer.Context, operation: str | None, listing: bool) -> None:
    """UsageError that names the first option without a meaning for the operation."""
    given = options.given(context)
    if listing:
        spelt = {"operation": "OP", "data": "MATRIX or GRAPH", "size": "--bytes"}
        for name in given:
            if name not in ("systems", "json"):
                option = spelt.get(name, "--" + name.replace("_", "-"))
                raise UsageError(f"--systems lists what there is: {option} does nothing beside it")
        return
    if operation is None:
        raise UsageError("which operation? (allgather, broadcast, …; cg, bfs; or --systems)")
    known = _collectives()
    if operation not in known and operation not in PROGRAMS:
        raise UsageError(f"'{operation}' is none of {', '.join([*known, *PROGRAMS])}")
    uses = _uses()
    for name in given:
        use = uses.get(name)
        if use is not None and operation not in use.operations:
            raise UsageError(f"{operation}: {use.option} is for {use.purpose}")


def check_what_if(
    question: str | None, operation: str, system: System, sizes: list[int], buffers: str,
    mapping: str,
) -> None:  # fmt: skip
    """UsageError where a question changes nothing, or what it says nothing about.

    The hub reduces scalars, staging and mappings are of collectives; bfs puts by itself.
    """
    if question is None:
        return
    option = f"--what-if {question}"
    if question == "hub-reduction":
        scalar = operation == "allreduce" and buffers == "host" and max(sizes) <= ELEMENT
        if operation != "cg" and not scalar:
            raise UsageError(
                f"{operation}: {option} is for cg and for scalars: allreduce with --buffers host "
                f"and --bytes {ELEMENT}"
            )
    elif operation == "bfs":
        raise UsageError(f"bfs: {option} is for collectives and cg: a search has puts of its own")
    elif operation == "cg":
        row = _gossamer.system_collective(
            system.name, list(system.changes), "allgather", ELEMENT, 2, "device"
        )
        if row is None:
            raise UsageError(
                f"cg: {option} changes what a system's own software does, and {system.name} "
                "describes none"
            )
    elif question == "staged-puts" and buffers == "host":
        raise UsageError(f"{operation}: {option} is for --buffers device")
    elif question == "own-mapping" and mapping != "own":
        raise UsageError(f"{operation}: give {option} or --mapping {mapping}, not both")


def parse_sizes(text: str) -> list[int]:
    """``64``, ``8,1K,1M`` or ``8..16M`` (doubling), in bytes; ascending, each once."""
    first, dots, last = text.partition("..")
    if not dots:
        return sorted({memory_bytes(part, "--bytes") for part in text.split(",")})
    low, high = (memory_bytes(end, "--bytes") for end in (first, last))
    if high < low:
        raise UsageError(f"--bytes: '{text}' is not a range such as 8..16M")
    sizes = [low]
    while sizes[-1] * 2 <= high:
        sizes.append(sizes[-1] * 2)
    return sizes


def parse_ranks(text: str) -> list[int]:
    """``16`` or ``1,2,4``; ascending, each once: what is said of them compares neighbours."""
    parts = text.split(",")
    if not all(part.isdecimal() and int(part) >= 1 for part in parts):
        raise UsageError(f"--ranks: '{text}' is no number and no list such as 1,2,4")
    return sorted({int(part) for part in parts})


def default_ranks(operation: str, systems: list[System]) -> list[int]:
    """What papers B and E measure, as far as every system has the nodes."""
    most = min((s.nodes for s in systems if s.nodes > 0), default=16)
    if operation == "bfs":
        return [min(2, most)]
    if operation == "cg":
        return [p for p in (1, 2, 4, 8, 16) if p <= most]
    return [min(16, most)]


def _systems(
    name: str, against: str | None, change: list[str], what_if: str | None
) -> list[System]:
    for given in (name, against):
        if given is not None and ("/" in given or given.endswith(".toml")):
            options.check_input_path(Path(given))
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
        str | None, typer.Option(metavar="V", help="bfs: source; default one of degree ≥ 1.")
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

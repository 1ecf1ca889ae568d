"""`gossamer collective`: prints a collective's schedule, lists its algorithms, or times them."""

from __future__ import annotations

import json as json_module
from typing import Annotated, Any

import typer

from gossamer import _gossamer
from gossamer.arguments import memory_bytes
from gossamer.cli import options
from gossamer.cli.output.progress import progress
from gossamer.cli.output.report import Report, machine_json
from gossamer.cli.runs import checked
from gossamer.errors import UsageError, VerificationError
from gossamer.machine import Machine
from gossamer.simulation import ELEMENT, ROOTED, no_values


def _measure(
    report: Report, where: Machine, operation: str, algorithm: str | None, size: int, verify: bool
) -> None:
    """Times one algorithm on a machine, or all of the operation, and says which one rules take.
    `verify`: each also runs with data whose result is known."""
    if operation != "barrier" and size % ELEMENT:  # what is timed are such values
        raise UsageError(no_values(operation, size))
    chosen = _gossamer.collective_choice(where._handle, operation, size)
    known = [a["name"] for a in _gossamer.collective_algorithms() if a["operation"] == operation]
    # What the rules choose may be a library's, which has no schedule and is not among them.
    wanted = [algorithm] if algorithm else [*known, *({chosen} - set(known))]
    measured: list[dict[str, Any]] = []
    failure = ""
    with progress(f"measuring {operation}", unit="count") as bar:
        for name in wanted:
            found = _gossamer.measure_collective(where._handle, operation, name, size)
            wrong = None
            if verify:
                wrong = _gossamer.verify_collective(where._handle, operation, name, size)
            measured.append(found | {"verified": None if wrong is None else not wrong})
            failure = failure or wrong or ""
            if bar is not None:
                bar(len(measured), len(wanted))
    report.table(
        f"{operation} of {size} bytes on {where.spec}: {where.size} rank(s), fabric {where.fabric}",
        ["algorithm", "µs", "verified", ""],
        [
            (
                m["algorithm"],
                f"{1e6 * m['seconds']:.2f}",
                checked(m["verified"]),
                "chosen" * (m["algorithm"] == chosen),
            )
            for m in measured
        ],
        (0, 2, 3),
    )
    report.json({"machine": machine_json(where), "chosen": chosen, "measured": measured})
    if failure:
        raise VerificationError(failure)


def _check_options(context: typer.Context, operation: str) -> None:
    """UsageError that names the first option that would do nothing."""
    given = [name for name in options.given(context) if name not in ("operation", "json")]
    spelt = {"size": "--bytes"}
    named = {name: spelt.get(name, "--" + name.replace("_", "-")) for name in given}
    if "machine" in given:
        serving = {"machine", "algorithm", "size", "verify"}
        reason = "--machine goes with --algorithm, --bytes, --verify and --json only"
    elif "algorithm" in given:
        serving = set(named) - {"verify"}
        reason = "--verify is for a --machine, --check for a schedule"
    else:
        serving = set()
        reason = "algorithms are listed, unless one is given as --algorithm or a --machine"
    for name, option in named.items():
        if name not in serving:
            raise UsageError(f"collective: {option} does nothing here: {reason}")
        if name == "root" and operation not in ROOTED:
            raise UsageError(f"{operation}: --root is for what has one: {', '.join(ROOTED)}")
        if operation == "barrier" and name in ("size", "element", "in_place", "direct"):
            raise UsageError(f"barrier: {option} does nothing: it moves no data")


def collective(
    context: typer.Context,
    operation: Annotated[str, typer.Argument(metavar="OP", help="allreduce, broadcast, …")],
    algorithm: Annotated[
        str | None, typer.Option(metavar="NAME", help="Without it, list the algorithms.")
    ] = None,
    machine: Annotated[
        str | None, typer.Option(metavar="SPEC", help="Time it there (see bfs --help).")
    ] = None,
    ranks: Annotated[int, typer.Option(min=1, max=2**31 - 1, help="Number of ranks.")] = 4,
    size: Annotated[
        str, typer.Option("--bytes", metavar="BYTES", help="Message size: 64, 4K, 16M.")
    ] = "64",
    element: Annotated[int, typer.Option(min=1, max=1 << 20, help="Bytes per element.")] = 8,
    root: Annotated[int, typer.Option(min=0, max=2**31 - 1, help="Root of rooted operations.")] = 0,
    in_place: Annotated[bool, typer.Option("--in-place", help="Input and output are one.")] = False,
    direct: Annotated[
        bool, typer.Option("--direct", help="Peers write straight into the output.")
    ] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Check result and races (up to 64 ranks).")
    ] = False,
    verify: Annotated[
        bool, typer.Option("--verify", help="With --machine: check every element of a result.")
    ] = False,
    json: options.Json = None,
) -> None:
    """Print what each rank of a collective puts where, after which signals, or time it."""
    report = Report(json)
    _check_options(context, operation)
    if machine is not None:
        where = report.open_machine(machine)
        _measure(report, where, operation, algorithm, memory_bytes(size, "--bytes"), verify)
        return
    if algorithm is None:
        known = [a for a in _gossamer.collective_algorithms() if a["operation"] == operation]
        if known:
            rows = [(a["name"], a["summary"]) for a in known]
            report.table(f"algorithms of {operation}", ["name", "what it does"], rows, (0, 1))
            foreign = [a for a in _gossamer.library_algorithms() if a["operation"] == operation]
            for a in foreign:
                report.line(f"without a schedule: {a['name']} ({a['summary']})")
            report.json({"algorithms": known, "libraries": foreign})
            return
    count, rest = divmod(memory_bytes(size, "--bytes"), element)
    if rest and operation != "barrier":
        raise UsageError(no_values(operation, count * element + rest, element))
    schedule = _gossamer.Schedule(
        operation, algorithm or "", ranks, count, element, root, in_place, direct, 0, []
    )
    if check:
        with progress("checking the schedule"):
            wrong = schedule.check()
        if wrong:
            raise VerificationError(wrong)
    if not report.silent:
        report.line(schedule.text().rstrip("\n"))
    if check:
        report.line("checked: every element is right, nothing races")
    if json is not None:
        report.json({"schedule": json_module.loads(schedule.json())})

"""`gossamer reproduce [WHAT…]`: figures and tables of the five papers, made again."""

from __future__ import annotations

import datetime
import importlib.util
import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from gossamer.cli import options
from gossamer.cli.help import complete_machines
from gossamer.cli.output.plots import quiet_fonts
from gossamer.cli.output.progress import progress
from gossamer.cli.output.report import Report, write_whole
from gossamer.errors import UsageError
from gossamer.machine import Machine

if TYPE_CHECKING:
    from gossamer.reproduce.catalogue import Entry
    from gossamer.reproduce.report import Row


def _hardware(entries: Iterable[Entry], memory_node: int | None, machines: list[Machine]) -> str:
    """Of a row's own it says whether it was measured."""
    if machines:
        from gossamer.reproduce.measured_file import hardware

        return "; ".join(f"{machine.spec}: {hardware(machine)}" for machine in machines)
    if not any(entry.measured for entry in entries):
        return "simulated"
    host = f"{Machine('cpu').devices[0].name}, {len(os.sched_getaffinity(0))} cores"
    return host if memory_node is None else f"{host}, lists on memory node {memory_node}"


def reproduce(
    what: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[WHAT]...",
            help="Papers (C) and figures (C.table3, E.fig6). Default: all that is predicted.",
        ),
    ] = None,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FOLDER", help="Where files go.")
    ] = Path("papers"),
    quick: Annotated[
        bool, typer.Option("--quick", help="A few points, which show that it works.")
    ] = False,
    measured: Annotated[
        bool, typer.Option("--measured", help="All that is measured on this host; no WHAT.")
    ] = False,
    memory_node: Annotated[
        int | None,
        typer.Option(
            "--memory-node",
            metavar="N",
            help="Memory of this host (NUMA) for paper D's lists; threads stay.",
        ),
    ] = None,
    machine: Annotated[
        list[str] | None,
        typer.Option(
            "--machine",
            metavar="SPEC",
            help="Measure there what --list says; may be repeated.",
            autocompletion=complete_machines,
        ),
    ] = None,
    scale: Annotated[
        int | None,
        typer.Option(
            "--scale", min=10, max=30, metavar="N", help="Of papers A's and B's graphs, not theirs."
        ),
    ] = None,
    listed: Annotated[bool, typer.Option("--list", help="Every figure and table.")] = False,
    json: options.Json = None,
) -> None:
    """Make the papers' figures and tables again: their values beside ours.

    Writes plots, their points, tables of what differs and why, and index.html, a page of all that.
    Most are predicted on models of the papers' own systems: this host's load does not matter.
    Those of paper D are measured, and want the host for themselves. With --machine most of all
    papers' are, on each machine that is named; --list says which machines each takes. Papers A, B
    and E stand beside what is predicted, the others instead of it.
    """
    # Loaded late: the systems are read when the figures' modules are.
    from gossamer.reproduce.catalogue import CATALOGUE, chosen, on_machines

    report = Report(json)
    if listed:
        report.table(
            "", ["name", "paper", "figure", "how", "what"],
            [(e.key, e.paper, e.name, e.how, e.about) for e in CATALOGUE], left=range(5),
        )  # fmt: skip
        return
    if what and measured:
        raise UsageError("reproduce: --measured is all that is measured; give it or names")
    entries = chosen(what or [], measured)
    machines = [Machine(spec) for spec in machine or ()]
    where: dict[Entry, list[str]] = {}
    refused: list[str] = []
    if machines:
        where, refused = on_machines(entries, machines, what or ())
        entries = list(where)
    if memory_node is not None and not any(entry.has_list for entry in entries):
        raise UsageError("reproduce: --memory-node is for D.fig3 to D.fig6, or --measured")
    if scale is not None and not any(entry.paper in "AB" for entry in entries):
        raise UsageError("reproduce: --scale is for papers A and B")
    if importlib.util.find_spec("matplotlib") is None:
        raise UsageError("reproduce needs matplotlib: pip install 'gossamer[plot]'")
    for line in refused:
        report.line(line)
    quiet_fonts()
    from gossamer.reproduce.run import page, reproduce

    found: dict[Entry, list[Row]] = {}
    for entry in entries:
        with progress(f"{entry.paper} {entry.name}"):
            found |= reproduce([entry], output, quick, memory_node, where, scale)
        for row in found[entry]:
            report.line(row.text())
            if row.reason:
                report.line(f"{'':12s} {row.reason}")
    hardware = _hardware(entries, memory_node, machines)
    with write_whole(output / "index.html") as out:
        out.write(page(found, output, quick, hardware if machines else "").encode("utf-8"))
    report.line(f"wrote {output / 'index.html'}")
    report.json({
        "date": datetime.date.today().isoformat(),
        "hardware": hardware,
        "command": " ".join(["gossamer reproduce", *(what or []), *["--measured"] * measured,
                             *["--quick"] * quick,
                             *(f"--machine {spec}" for spec in machine or ()),
                             *([] if scale is None else [f"--scale {scale}"]),
                             *([] if memory_node is None else [f"--memory-node {memory_node}"])]),
        "results": [row.record() for rows in found.values() for row in rows],
    })  # fmt: skip

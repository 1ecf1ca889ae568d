"""`gossamer tune`: measures collectives on a machine and writes the rules that choose."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gossamer import _gossamer
from gossamer.arguments import memory_bytes
from gossamer.cli import options
from gossamer.cli.output.progress import progress
from gossamer.cli.output.report import Report, write_whole
from gossamer.errors import UsageError


def tune(
    machine: Annotated[
        str, typer.Option("--machine", metavar="SPEC", help="The machine to measure.")
    ] = "auto",
    ops: Annotated[
        str, typer.Option("--ops", metavar="OP,OP,…", help="Operations; all by default.")
    ] = "",
    max_bytes: Annotated[
        str, typer.Option("--max-bytes", metavar="BYTES", help="The largest message.")
    ] = "16M",
    output: Annotated[
        str | None,
        typer.Option(
            metavar="FILE|-",
            help="Where the rules go; by default to the user's settings for this machine, "
            "where every run finds them.",
        ),
    ] = None,
    json: options.Json = None,
) -> None:
    """Measure every collective algorithm and write down which one is fastest at which size."""
    if output == "-" and json == "-":
        raise UsageError("tune: --output - and --json - cannot both have stdout")
    report = Report(json)
    opened = report.open_machine(machine)
    target = _gossamer.collective_rules_file(opened._handle) if output is None else Path(output)
    if target is None:
        raise UsageError("tune: neither XDG_CONFIG_HOME nor HOME is set; give --output")
    if output is None and opened.here():
        target.parent.mkdir(parents=True, exist_ok=True)
    if output != "-" and (output is not None or opened.here()):
        options.check_output_path(target)
    names = [name for name in ops.split(",") if name]
    with progress("measuring", "count") as shown:
        found = _gossamer.tune(opened._handle, names, memory_bytes(max_bytes, "--max-bytes"), shown)
    if opened.virtual:
        found["text"] = found["text"].replace("measured:", "predicted, in virtual time:", 1)
    if output == "-":
        report.line(found["text"].rstrip("\n"))
    else:
        if opened.here():
            with write_whole(target) as file:
                file.write(found["text"].encode())
        report.line(found["rules"].rstrip("\n"))
        report.line(f"written to {target}")
        if opened.virtual:
            report.line("times are those of the modelled system: nothing was measured")
    report.json({"machine": opened.spec, "rules": found["rules"], "measured": found["measured"]})

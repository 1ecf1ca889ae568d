"""`gossamer dataflow PROGRAM`: the graph of endpoints, routers and links that a program makes."""

from __future__ import annotations

import json as json_module
import shutil
import subprocess
from pathlib import Path
from typing import Annotated

import typer

from ..errors import UsageError
from ..filter import filter_graph
from . import options
from .filter import Buffers, Gather, Packet, Split
from .output import Report, machine_json, write_whole
from .progress import open_machine

__all__ = ["dataflow"]


def dataflow(
    program: Annotated[str, typer.Argument(help="filter")],
    machine: Annotated[str, typer.Option(metavar="SPEC", help="As for the program.")] = "auto",
    elements: Annotated[
        int, typer.Option(min=0, metavar="N", help="Of the array (int32), for sizes chosen.")
    ] = 1 << 20,
    split: Split = "first-available",
    gather: Gather = True,
    packet: Packet = None,
    buffers: Buffers = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", metavar="FILE", help="A .dot file, or .svg (needs Graphviz)."),
    ] = None,
    json: options.Json = None,
) -> None:
    """Print a program's graph of endpoints and links, as Graphviz reads it."""
    if program != "filter":
        raise UsageError(f"dataflow: no program '{program}' (there is filter)")
    if output is not None:
        if output.suffix not in (".dot", ".svg"):
            raise UsageError(f"{output}: the suffix is neither .dot nor .svg")
        options.check_output_path(output)
    options.check_packet(packet)
    report = Report(json)
    where = open_machine(machine)
    report.mute = not where.here()
    if report.mute:
        return

    def graph(as_json: bool) -> str:
        return filter_graph(
            elements, "int32", where,
            split=split, gather=gather, packet=packet, buffers=buffers, json=as_json,
        )  # fmt: skip

    text = graph(False)
    if output is None:
        report.line(text.rstrip("\n"))
    else:
        if output.suffix == ".svg":
            text = _svg(text)
        with write_whole(output) as file:
            file.write(text.encode())
        report.line(f"wrote {output}")
    if json is not None:
        found = json_module.loads(graph(True))
        report.json({"program": program, "machine": machine_json(where), **found})


def _svg(text: str) -> str:
    dot = shutil.which("dot")
    if dot is None:
        raise UsageError("--output: .svg needs Graphviz's program dot, which is not here; use .dot")
    made = subprocess.run(
        [dot, "-Tsvg"], input=text, capture_output=True, encoding="utf-8", timeout=60, check=False
    )
    if made.returncode != 0:
        raise UsageError(f"--output: dot failed: {made.stderr.strip()}")
    return made.stdout

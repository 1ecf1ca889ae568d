"""`gossamer dataflow PROGRAM`: the graph of endpoints, routers and links that a program makes, of
a built-in one or of a Python file's."""

from __future__ import annotations

import importlib.util
import json as json_module
import shutil
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from gossamer.algorithm.filter import filter_graph
from gossamer.cli import options
from gossamer.cli.groups import Segments
from gossamer.cli.output.report import Report, machine_json, write_whole
from gossamer.dataflow import Wiring, wiring_text
from gossamer.errors import Error, InputError, UsageError
from gossamer.machine import Machine


def dataflow(
    program: Annotated[
        str,
        typer.Argument(
            help="filter, or FILE.py[:NAME]: a gossamer.dataflow.Wiring of that name (wiring), or "
            "a function that makes one for a machine."
        ),
    ],
    machine: Annotated[str, typer.Option(metavar="SPEC", help="As for the program.")] = "auto",
    elements: Annotated[
        int, typer.Option(min=0, metavar="N", help="Of the array (int32), for sizes chosen.")
    ] = 1 << 20,
    *,
    segments: Segments,
    output: Annotated[
        Path | None,
        typer.Option("--output", metavar="FILE", help="A .dot file, or .svg (needs Graphviz)."),
    ] = None,
    dot: Annotated[bool, typer.Option("--dot", help="Print it as Graphviz reads it.")] = False,
    json: options.Json = None,
) -> None:
    """Print a program's graph of endpoints, routers and links, without running it."""
    path, _, name = program.partition(".py:")
    if program != "filter" and path == program and not program.endswith(".py"):
        raise UsageError(f"dataflow: no program '{program}' (there is filter, or a file: FILE.py)")
    if output is not None:
        if output.suffix not in (".dot", ".svg"):
            raise UsageError(f"{output}: the suffix is neither .dot nor .svg")
        options.check_output_path(output)
    options.check_packet(segments.packet)
    report = Report(json)
    where = report.open_machine(machine)
    if report.mute:
        return

    if program == "filter":
        described, text = (
            filter_graph(elements, "int32", where, json=as_json, **asdict(segments))
            for as_json in (True, False)
        )
        found = json_module.loads(described)
    else:
        made = _wiring(Path(path.removesuffix(".py") + ".py"), name or "wiring", where)
        made.check()
        where, found, text = made.machine, made.json(), made.dot()
    if output is None:
        report.line(text.rstrip("\n") if dot else wiring_text(found))
    else:
        if output.suffix == ".svg":
            text = _svg(text)
        with write_whole(output) as file:
            file.write(text.encode())
        report.line(f"wrote {output}")
    if json is not None:
        report.json({"program": program, "machine": machine_json(where), **found})


def _wiring(path: Path, name: str, where: Machine) -> Wiring:
    """What a file has by the name; functions are called with the machine."""
    options.check_input_path(path)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise UsageError(f"{path}: not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault(path.stem, module)
    sys.path.insert(0, str(path.resolve().parent))
    try:
        spec.loader.exec_module(module)
        if not hasattr(module, name):
            raise UsageError(f"{path}: nothing there is named '{name}'")
        made: Any = getattr(module, name)
        if callable(made):
            made = made(where)
    except (Error, OSError):
        raise
    except Exception as error:  # the file's own
        line = (str(error).splitlines() or [""])[0]
        raise InputError(f"{path}: {type(error).__name__}: {line}") from error
    finally:
        sys.path.pop(0)
    if not isinstance(made, Wiring):
        raise UsageError(
            f"{path}: '{name}' is no gossamer.dataflow.Wiring, and no function that makes one"
        )
    return made


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

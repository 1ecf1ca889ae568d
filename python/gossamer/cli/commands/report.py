"""`gossamer report FILE… -o PAGE`: one page of what runs left, which needs no network."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Annotated

import typer

from gossamer.cli import options
from gossamer.cli.output.progress import progress
from gossamer.cli.output.report import Report, write_whole
from gossamer.errors import UsageError
from gossamer.report import page, read_input


def report(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE...", help="JSON of --json, of a run, stats, info or --plan; traces."
        ),
    ],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE.html", help="The page.")],
    title: Annotated[str, typer.Option(help="Its heading.")] = "Gossamer report",
) -> None:
    """Put results and traces on one page of HTML."""
    options.check_output_path(output)
    for file in files:
        options.check_input_path(file)
    missing = [name for name in ("jinja2", "bokeh") if importlib.util.find_spec(name) is None]
    if missing:
        raise UsageError(f"report needs {' and '.join(missing)}: pip install 'gossamer[report]'")
    found = [read_input(file) for file in files]
    with progress("drawing"):
        text = page(found, title)
    with write_whole(output) as out:
        # Names of files, and JSON, may hold what is no text.
        out.write(text.encode("utf-8", "backslashreplace"))
    Report(None).line(f"wrote {output}")

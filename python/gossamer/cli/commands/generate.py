"""`gossamer generate SPEC -o FILE`: makes a graph and writes it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gossamer import _gossamer
from gossamer.cli import options
from gossamer.cli.groups import Working
from gossamer.cli.input.graphs import GENERATORS, GraphSource
from gossamer.cli.output.report import Report, print_plan
from gossamer.errors import UsageError
from gossamer.graph import Graph
from gossamer.graph.verify import verify_generated

from .convert import write_graph


def generate(
    spec: Annotated[
        str,
        typer.Argument(
            metavar="SPEC",
            help=f"{', '.join(_gossamer.generator_forms())}.",
        ),
    ],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Where to write it.")
    ] = None,
    to: options.To = "auto",
    weights: Annotated[
        bool,
        typer.Option(
            "--weights", help="Integer weights 1..255 (road: always; matrices: their own)."
        ),
    ] = False,
    keep_duplicates: Annotated[
        bool, typer.Option("--keep-duplicates", help="Keep self-loops and parallel edges.")
    ] = False,
    device: Annotated[
        int | None,
        typer.Option(min=0, max=(1 << 31) - 1, metavar="K", help="Generate on GPU K."),
    ] = None,
    verify: options.VerifyFile = False,
    *,
    working: Working,
) -> None:
    """Make a graph and write it to a file."""
    report = Report(working.json)
    if not _gossamer.is_generator(spec):
        raise UsageError(f"'{spec}' is no generator ({GENERATORS})")
    source = GraphSource(
        spec,
        weights=weights,
        keep_duplicates=keep_duplicates,
        device=device,
        threads=working.threads,
        memory=working.limit,
        always_generate=True,
    )
    if working.plan:
        print_plan(report, source.plan(), "generate", spec)
        return
    if output is None:
        raise UsageError("generate: where to? Give -o FILE")

    def check(graph: Graph) -> None:
        verify_generated(graph, spec, weights=weights, keep_duplicates=keep_duplicates)

    write_graph(report, source, output, to, "generate", check, verify)

"""`gossamer generate SPEC -o FILE`: makes a graph and writes it."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from gossamer import _gossamer
from gossamer.cli import options
from gossamer.cli.groups import Working
from gossamer.cli.input.graphs import GENERATORS, GraphSource
from gossamer.cli.output.progress import progress
from gossamer.cli.output.report import Report, describe_graph, format_bytes, graph_json, print_plan
from gossamer.errors import UsageError


def generate(
    spec: Annotated[
        str,
        typer.Argument(
            metavar="SPEC",
            help="kron:SCALE[:EDGEFACTOR[:SEED]], uniform:SCALE[:DEGREE[:SEED]], grid:WxH, "
            "road:SIDE[:KEEP[:SEED]], poisson:NX[xNY[xNZ]], band:ROWS:NON_ZEROS[:SEED].",
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
        int | None, typer.Option(min=0, metavar="K", help="Generate on GPU K.")
    ] = None,
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
    options.check_output_path(output, files_only="graphs")
    to = options.output_format(output, to)
    start = time.perf_counter()
    graph = source.load()
    generated = time.perf_counter()
    with progress(f"writing {output.name}"):
        graph.write(output, to)
    written = time.perf_counter()
    size = output.stat().st_size
    describe_graph(report, graph)
    report.line(
        f"wrote {output} ({format_bytes(size)}): {generated - start:.2f} s to generate, "
        f"{written - generated:.2f} s to write"
    )
    report.json(
        {
            "graph": graph_json(graph),
            "output": {"file": str(output), "bytes": size},
            "seconds": {"generate": generated - start, "write": written - generated},
        }
    )

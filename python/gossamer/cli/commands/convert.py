"""`gossamer convert IN OUT`: reads a graph, changes it as asked, writes it in another format."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from gossamer.cli import options
from gossamer.cli.groups import Reading, Working
from gossamer.cli.input.graphs import GraphSource
from gossamer.cli.output.progress import progress
from gossamer.cli.output.report import Report, describe_graph, format_bytes, graph_json, print_plan
from gossamer.errors import NamesWarning, VerificationError
from gossamer.graph import Graph
from gossamer.graph.verify import verify_written

#: Formats that have no place for vertex ids, and the id that their first vertex gets.
_FIRST_ID = {"galois": 0, "mtx": 1}


def _renumbered_from(graph: Graph, to: str) -> int | None:
    """The first id in a file of that format, if ids there are not those of the graph."""
    first = _FIRST_ID.get(to)
    if first is None or (graph._handle.name_map() is None and graph.name_of(0) == first):
        return None
    return first


def write_graph(
    report: Report,
    source: GraphSource,
    output: Path,
    to: str,
    doing: str,
    check: Callable[[Graph], object] | None = None,
    verify: bool = False,
) -> None:
    """Reads or makes a graph, as `doing` says, writes it, and reports both. `verify`: reads the
    file back and compares; before that `check` says whether the graph is right."""
    options.check_output_path(output, files_only="graphs")
    to = options.output_format(output, to)
    if doing == "read" and source.limited:
        source.check(source.plan())  # writing takes nothing that grows with the graph
    start = time.perf_counter()
    loaded = source.load()
    there = time.perf_counter()
    with progress(f"writing {output.name}"), warnings.catch_warnings():
        warnings.simplefilter("ignore", NamesWarning)  # said below
        loaded.write(output, to)
    written = time.perf_counter()
    size = output.stat().st_size
    describe_graph(report, loaded)
    report.line(
        f"wrote {output} ({format_bytes(size)}): {there - start:.2f} s to {doing}, "
        f"{written - there:.2f} s to write"
    )
    first = _renumbered_from(loaded, to)
    named = loaded._labels is not None
    failure = None
    if verify:
        try:
            with progress(f"verifying {output.name}"):
                if check is not None:
                    check(loaded)
                verify_written(loaded, output, to, names=first is None and not named)
            report.line(f"verified: {output} was read back, and is the same graph")
        except VerificationError as error:
            failure = error
    if named:
        report.line(f"vertices of {output} have numbers: no format keeps names that are texts")
    elif first is not None:
        report.line(
            f"vertices of {output} are numbered from {first}: its format keeps no other ids "
            "(.npz and .gsr do)"
        )
    ids = "numbers" if named else "kept" if first is None else f"from {first}"
    report.json(
        {
            "graph": graph_json(loaded),
            "output": {"file": str(output), "bytes": size, "ids": ids},
            "seconds": {doing: there - start, "write": written - there},
            "verified": failure is None if verify else None,
        }
    )
    if failure is not None:
        raise failure


def convert(
    graph: options.GraphArgument,
    output: Annotated[Path, typer.Argument(metavar="OUT", help="Where to write it.")],
    to: options.To = "auto",
    *,
    reading: Reading,
    largest_component: options.LargestComponent = False,
    verify: options.VerifyFile = False,
    working: Working,
) -> None:
    """Read a graph and write it in another format."""
    report = Report(working.json)
    source = GraphSource(
        graph, reading, largest_component, threads=working.threads, memory=working.limit
    )
    if working.plan:
        print_plan(report, source.plan(), "convert", graph)
        return
    write_graph(report, source, output, to, "read", verify=verify)

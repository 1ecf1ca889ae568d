"""Options that several commands take, and the values they stand for."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

import typer

from gossamer import _gossamer
from gossamer.arguments import memory_bytes
from gossamer.errors import Error, UsageError
from gossamer.graph import Graph, formats

from .help import complete_graphs, complete_machines

GraphArgument = Annotated[
    str,
    typer.Argument(
        metavar="GRAPH",
        help="A file, a data set such as data:road-NY, or a generator such as kron:20; "
        "`gossamer generate --help` has all generators.",
        autocompletion=complete_graphs,
    ),
]
From = Annotated[
    str, typer.Option("--from", metavar="FORMAT", help="Input format; by content if auto.")
]
To = Annotated[
    str, typer.Option("--to", metavar="FORMAT", help="Output format; by the suffix if auto.")
]
Json = Annotated[
    str | None,
    typer.Option("--json", metavar="FILE|-", help="Write the result as JSON; - is stdout."),
]
Memory = Annotated[
    str | None,
    typer.Option(
        metavar="[device=]BYTES",
        help="Memory to plan with, per device and on the host: 4096, 512M, 16G; device=: per GPU.",
    ),
]
Plan = Annotated[bool, typer.Option("--plan", help="Print bytes per device and stop.")]
Machine = Annotated[
    str,
    typer.Option(
        "--machine",
        metavar="SPEC",
        help="auto, cpu[:P[xT]], cuda[:0-3|:0,2|:0*3], mpi[:T|:cuda], sim:SYSTEM,ranks=P, "
        "sums with +.",
        autocompletion=complete_machines,
    ),
]
Partition = Annotated[
    str, typer.Option(metavar="NAME|FILE", help="auto, ranges, edges, hash, metis, or a file.")
]
Repeat = Annotated[int, typer.Option(min=1, metavar="N", help="Runs, of each source.")]
Verify = Annotated[bool, typer.Option("--verify", help="Check every run (not timed).")]
VerifyFile = Annotated[
    bool,
    typer.Option("--verify", help="Read the file back and compare (generate: also the graph)."),
]
Timeout = Annotated[
    float | None,
    typer.Option(metavar="S", help="Seconds one run, or its check, may last."),
]
Trace = Annotated[
    Path | None,
    typer.Option(
        "--trace", metavar="FILE", help="Record every run, for Perfetto and `gossamer trace`."
    ),
]
Plot = Annotated[
    Path | None,
    typer.Option("--plot", metavar="FILE", help="A picture of the first result: .png, .svg …"),
]
Weights = Annotated[
    bool, typer.Option("--weights", help="Of generators' graphs: weights 1 to 255.")
]
LargestComponent = Annotated[
    bool, typer.Option("--largest-component", help="Keep the largest (weakly) connected component.")
]


#: Suffixes of outputs, and the formats they stand for.
_FORMAT_OF_SUFFIX = {".mtx": "mtx", ".gr": "galois", ".npz": "npz", ".gsr": "gsr"}


def given(context: typer.Context) -> list[str]:
    """Names of the parameters that the command line sets itself."""

    def named(name: str) -> bool:
        source: Any = context.get_parameter_source(name)
        return source is not None and source.name == "COMMANDLINE"

    return [name for name in context.params if named(name)]


def memory_limit(text: str | None) -> int | None:
    """--memory as bytes."""
    return None if text is None else memory_bytes(text, "--memory")


def check_packet(text: str | None) -> None:
    """Refuses a --packet that is no number of bytes."""
    memory_bytes(text, "--packet")


def check_timeout(timeout: float | None) -> None:
    """Refuses what is no length of time."""
    if timeout is not None and not timeout > 0:
        raise UsageError("--timeout: not a positive number of seconds")


def check_output_path(path: Path, option: str = "", files_only: str = "") -> bool:
    """Refuses an output that cannot be written before any work is done for it. True: it is a pipe
    or a device, which is written to as it is.

    `option` goes before the path in the message. `files_only`: what does not go there, in words.
    """
    if str(path) == "-":
        raise UsageError(f"{option}-: name a file: this does not go to stdout")
    try:
        stream = _gossamer.check_output(os.fspath(path), files_only)
    except Error as error:
        raise type(error)(f"{option}{error}") from None
    if not stream:
        identity = _gossamer.file_identity(os.fspath(path))
        if identity in _outputs:
            raise UsageError(f"{option}{path}: two outputs cannot be one file")
        _outputs.add(identity)
    return stream


#: Files that the command under way will write, as `file_identity` tells them apart.
_outputs: set[bytes] = set()


def forget_outputs() -> None:
    """A command begins."""
    _outputs.clear()


def check_input_path(path: Path | None) -> None:
    """Refuses an output that would replace what is read."""
    if path is not None and _gossamer.file_identity(os.fspath(path)) in _outputs:
        raise UsageError(f"{path}: is read, and cannot be an output as well")


def number_or_text(name: str) -> int | str:
    """The name of a vertex, as JSON has it."""
    try:
        return int(name)
    except ValueError:
        return name


def vertex(graph: Graph, name: str, option: str) -> int:
    """The index of the vertex that an option names, as the graph calls it: a number or a text."""
    if graph._labels is not None:
        return graph._vertex_names.index(name, option)
    number = number_or_text(name)
    if isinstance(number, str):
        raise UsageError(
            f"{option}: '{name}' is no integer, and vertices of {graph.name} have no other names"
        )
    return graph._vertex_names.index(number, option)


def check_array_path(path: Path, *suffixes: str) -> None:
    """Refuses an --output of arrays that cannot be written, or whose name says another format."""
    if check_output_path(path) or path.suffix in suffixes:
        return
    if len(suffixes) == 1:
        why = f"{suffixes[0]}, the only format written"
    else:
        why = f"{', '.join(suffixes[:-1])} or {suffixes[-1]}"
    raise UsageError(f"--output {path}: the suffix must be {why}")


def output_format(path: Path, to: str) -> str:
    """The format to write, by --to or the suffix; refused before a graph is made or read for it.

    These are the library's rules and words; it applies them only when it writes.
    """
    writers = [name for name, _, _, _, writes in formats() if writes]
    if to != "auto":
        if to not in writers:
            raise UsageError(f"--to {to}: no format that is written ({', '.join(writers)})")
        return to
    if path.name.endswith((".gz", ".xz", ".zst")):
        raise UsageError(f"{path}: compressed files are read, not written; compress it afterwards")
    for suffix, name in _FORMAT_OF_SUFFIX.items():
        if path.name.endswith(suffix):
            return name
    raise UsageError(
        f"{path}: the suffix names no format that is written ({', '.join(_FORMAT_OF_SUFFIX)})"
    )

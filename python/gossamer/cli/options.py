"""Options that several commands take, and the values they stand for."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..errors import UsageError
from ..graph import memory_bytes

__all__ = [
    "Deduplicate",
    "GraphArgument",
    "Json",
    "LargestComponent",
    "Memory",
    "Plan",
    "RemoveSelfLoops",
    "Symmetrize",
    "Threads",
    "check_output_path",
    "memory_limit",
]

GraphArgument = Annotated[
    str,
    typer.Argument(
        metavar="GRAPH",
        help="A graph file, or a generator: kron:SCALE[:EDGEFACTOR[:SEED]], "
        "uniform:SCALE[:DEGREE[:SEED]], grid:WxH, road:SIDE[:KEEP[:SEED]], "
        "poisson:NX[xNY[xNZ]], band:ROWS:NON_ZEROS[:SEED].",
    ),
]
Json = Annotated[
    str | None,
    typer.Option("--json", metavar="FILE|-", help="Write the result as JSON; - is stdout."),
]
Memory = Annotated[
    str | None,
    typer.Option(
        metavar="BYTES", help="Memory to plan with, per device and on the host: 4096, 512M, 16G."
    ),
]
Plan = Annotated[bool, typer.Option("--plan", help="Print bytes per device and stop.")]
Threads = Annotated[int, typer.Option(min=0, help="Threads on the host; 0 = all cores.")]
Symmetrize = Annotated[bool, typer.Option("--symmetrize", help="Store (v, u) beside (u, v).")]
Deduplicate = Annotated[bool, typer.Option("--deduplicate", help="Keep one arc per (u, v).")]
RemoveSelfLoops = Annotated[bool, typer.Option("--remove-self-loops", help="Drop (v, v).")]
LargestComponent = Annotated[
    bool, typer.Option("--largest-component", help="Keep the largest (weakly) connected component.")
]


def memory_limit(text: str | None) -> int | None:
    """--memory as bytes."""
    return None if text is None else memory_bytes(text)


def check_output_path(path: Path) -> None:
    """Refuses an output that cannot be written before any work is done for it."""
    folder = path.parent
    if not folder.is_dir():
        raise UsageError(f"{path}: there is no folder {folder}")
    if path.is_dir():
        raise UsageError(f"{path}: is a folder")

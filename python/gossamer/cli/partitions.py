"""Partition arguments: a method's name, or a file in METIS's format."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..errors import UsageError
from ..graph import Graph, read_partition

__all__ = ["METHODS", "check_partition", "partition_argument"]

METHODS = ("auto", "ranges", "edges", "hash", "metis")


def check_partition(text: str) -> None:
    """Refuses what is neither a method nor a file, before a graph is read for it."""
    if text not in METHODS and not Path(text).is_file():
        raise UsageError(f"--partition {text}: no such file, and none of {', '.join(METHODS)}")


def partition_argument(text: str, graph: Graph, parts: int) -> Any:
    """The name of a method, or the part of every vertex as the file says."""
    if text in METHODS:
        return text
    return read_partition(text, graph.vertices, parts)

"""METIS's partitions, kept beside the graph's file: to find one takes longer than most runs."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt

from gossamer.cli.output.report import write_whole
from gossamer.errors import Error, InputError
from gossamer.graph import Graph, read_partition

PartIds = npt.NDArray[np.int32]


def partition_file(source: Path, graph: Graph, parts: int) -> Path:
    """Where the partition of the graph that was read from `source` is kept.

    The name says which graph it is of: the file's size and time, and how it was read,
    so that a changed file finds nothing.
    """
    status = source.stat()
    read = (graph.format, graph.vertices, graph.arcs, graph.steps)
    facts = (status.st_size, status.st_mtime_ns, *read)
    key = hashlib.sha256(repr(facts).encode()).hexdigest()[:12]
    return source.with_name(f"{source.name}.metis-{parts}-{key}.part")


def kept_partition(
    source: Path | None, graph: Graph, parts: int, make: Callable[[], PartIds]
) -> tuple[PartIds, str]:
    """The part of every vertex, and a line that says where it comes from or went ("" for neither).

    source: the graph's file; None, or a pipe, where it has none. make: finds the partition. The
    file has METIS's format, one part a line: ``--partition FILE`` takes it as well. One that cannot
    be read is made again; one that cannot be written is done without.
    """
    if source is None or not source.is_file():
        return make(), ""
    path = partition_file(source, graph, parts)
    if path.is_file():
        try:
            return (
                read_partition(path, graph.vertices, parts),
                f"metis partition from {path.name}",
            )
        except (InputError, OSError):
            pass  # cut short, or changed by hand
    part_of = make()
    try:
        with write_whole(path) as file:
            np.savetxt(file, part_of, fmt="%d")
    except Error as error:
        return part_of, f"metis partition not kept: {error}"
    return part_of, f"metis partition kept in {path.name}"

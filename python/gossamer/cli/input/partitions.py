"""Partition arguments (a method's name, or a file in METIS's format), what one costs, and METIS's
partitions, kept beside the graph's file: to find one takes longer than most runs."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from gossamer.cli.output.report import write_whole
from gossamer.errors import Error, InputError, UsageError
from gossamer.graph import Graph, read_partition
from gossamer.graph.statistics import PartitionQuality

PartIds = npt.NDArray[np.int32]

#: Bytes a vertex, at most, that measuring a partition takes for a while.
_MEASURE_BYTES = 25

METHODS = ("auto", "ranges", "edges", "hash", "metis")


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


def check_partition(text: str) -> None:
    """Refuses what is neither a method nor a file, before a graph is read for it."""
    if text not in METHODS and not Path(text).is_file():
        raise UsageError(f"--partition {text}: no such file, and none of {', '.join(METHODS)}")


def partition_argument(
    text: str, graph: Graph, parts: int, source: Path | None, memory: int | None
) -> tuple[Any, str]:
    """The name of a method, or the part of every vertex: as the file says, or METIS, whose
    partitions are kept beside `source`. And a line on that, or ""."""
    if text == "metis" and parts > 1:
        return kept_partition(
            source, graph, parts, lambda: graph.partition("metis", parts, memory=memory)
        )
    if text in METHODS:
        return text, ""
    return read_partition(text, graph.vertices, parts), ""


def measuring(loading: dict[str, Any]) -> dict[str, Any]:
    """The entry of a plan for measuring a partition; `loading`: the plan of loading the graph."""
    return {
        "device": "host",
        "purpose": "measuring the partition",
        "bytes": loading["vertices"] * _MEASURE_BYTES,
        "certainty": "about" if loading["vertices_are"] == "about" else "at most",
    }


def quality_line(q: PartitionQuality, name: str) -> str:
    """Cut, halo and balance in words."""
    return (
        f"partition {name} in {q.parts}: {q.cut_arcs:,} of {q.arcs:,} arcs cut "
        f"({100 * q.cut_share:.2f} %), halo {q.halo_total:,} vertices; largest part / average: "
        f"vertices {q.vertex_balance:.3f}, arcs {q.arc_balance:.3f}"
    )


def quality_json(q: PartitionQuality, name: str) -> dict[str, Any]:
    """The "partition" object of JSON outputs."""
    return {"method": name, **asdict(q)}

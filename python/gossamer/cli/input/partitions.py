"""Partition arguments (a method's name, or a file in METIS's format), and what one costs."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from gossamer.errors import UsageError
from gossamer.graph import Graph, read_partition
from gossamer.graph.statistics import PartitionQuality

from .kept_partition import kept_partition

#: Bytes a vertex, at most, that measuring a partition takes for a while.
_MEASURE_BYTES = 25

METHODS = ("auto", "ranges", "edges", "hash", "metis")


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

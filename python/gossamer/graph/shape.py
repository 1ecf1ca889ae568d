"""Graphs and partitions as the library's plans take them, before anything is placed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gossamer import _gossamer
from gossamer.arguments import instance
from gossamer.arrays import id_array
from gossamer.errors import UsageError

from .csr import Graph

if TYPE_CHECKING:
    from gossamer.machine import Machine

_METHODS = ("auto", "ranges", "edges", "hash", "metis")


def part_ids(partition: Any) -> tuple[str, Any]:
    """A partition argument as (name, part of every vertex or None)."""
    if isinstance(partition, str):
        if partition not in _METHODS:
            raise UsageError(
                f"partition: '{partition}' is none of {', '.join(_METHODS)}; the parts of a file "
                "are given as an array (see read_partition)"
            )
        return partition, None
    parts = id_array(partition, "partition", "parts")
    if parts.size and not 0 <= parts.min() <= parts.max() < 1 << 31:
        raise UsageError("partition: parts are numbered from 0 to 2^31 - 1")
    return "file", parts.astype(np.int32, copy=False)


@dataclass(frozen=True)
class GraphShape:
    """What is known of a graph before it is made or read: enough to plan for it."""

    vertices: int
    #: Stored arcs.
    arcs: int
    #: False: not known to be symmetric; both directions are planned for.
    symmetric: bool
    #: ``exact``, ``at most`` or ``about``.
    vertices_are: str = "exact"
    arcs_are: str = "exact"
    #: No row has more arcs; 0: not known.
    longest_row: int = 0


def planning_handle(
    graph: Graph | GraphShape, machine: Machine, partition: Any = "auto"
) -> _gossamer.Graph | _gossamer.GraphShape:
    """What the bindings plan with: without a partition, a graph on the machine's GPU as it is."""
    if not isinstance(graph, GraphShape):
        given = instance(graph, Graph, "plan: graph", "a Graph or a GraphShape")
        return given._on(machine, isinstance(partition, str) and partition == "auto")
    return _gossamer.GraphShape(
        graph.vertices,
        graph.arcs,
        graph.symmetric,
        graph.vertices_are,
        graph.arcs_are,
        graph.longest_row,
    )

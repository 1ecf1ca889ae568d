"""Statistics of graphs and of partitions, counted exactly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gossamer import _gossamer
from gossamer.arguments import flags, integer, memory_bytes, thread_count
from gossamer.arrays import id_array

if TYPE_CHECKING:
    from .csr import Graph
    from .input import Progress


@dataclass(frozen=True)
class WeightStatistics:
    """Weights of the arcs; minimum and maximum leave NaNs out."""

    #: ``none``, ``int32``, ``float`` or ``double``.
    kind: str
    #: Where they come from.
    source: str
    minimum: float
    maximum: float
    zeros: int
    negatives: int
    nans: int


@dataclass(frozen=True)
class Statistics:
    """What a graph looks like. An arc is a stored entry (u, v), a self-loop an arc (v, v)."""

    vertices: int
    arcs: int
    self_loops: int
    #: Arcs beyond the first of their (u, v).
    parallel_arcs: int
    #: Pairs {u, v}, u ≠ v, joined in either direction: edges of the undirected simple graph.
    simple_edges: int
    symmetric: bool
    minimum_degree: int
    maximum_degree: int
    #: The first vertex of that degree (index); None in a graph without vertices.
    maximum_degree_vertex: int | None
    mean_degree: float
    #: (percent, degree that so many per cent of the vertices do not exceed) for 0 (the minimum), 1,
    #: 10, 25, 50 (the median), 75, 90, 99, 99.9 and 100 (the maximum).
    percentiles: list[tuple[float, int]]
    #: [0]: vertices of degree 0; [k]: of degree in [2^(k-1), 2^k).
    degree_histogram: list[int]
    #: Vertices without any arc, neither out nor in.
    isolated_vertices: int
    #: Vertices whose only arcs are self-loops; not among the isolated ones.
    loop_vertices: int
    #: Weakly connected components.
    components: int
    #: Vertices of the largest one.
    largest_component: int
    #: Strongly connected components, None unless asked for.
    strong_components: int | None
    largest_strong_component: int | None
    #: Triangles of the undirected simple graph, None unless asked for.
    triangles: int | None
    weights: WeightStatistics


@dataclass(frozen=True)
class PartitionQuality:
    """What a partition costs; lists have one entry a part."""

    parts: int
    arcs: int
    #: Arcs whose ends lie in different parts.
    cut_arcs: int
    #: Their share of all arcs.
    cut_share: float
    #: Vertices of the largest part over the average.
    vertex_balance: float
    #: The same for arcs in the rows of the part's vertices.
    arc_balance: float
    vertices_of: list[int]
    arcs_of: list[int]
    #: Distinct vertices of other parts that a part's rows touch.
    halo_of: list[int]
    halo_total: int


def statistics(
    graph: Graph,
    *,
    strong: bool = True,
    triangles: bool = False,
    threads: int = 0,
    memory: int | str | None = None,
    progress: Progress | None = None,
) -> Statistics:
    """Counts everything of :class:`Statistics` in O(n + m), but for what is asked for here.

    strong: strong components, on one thread (weak ones if the graph is symmetric).
    triangles: O(m^1.5) time, an id an edge and 16 bytes a vertex of memory.
    threads: 0 = all cores.
    memory: limit of graph and counting together; CapacityError before it is exceeded.
    """
    flags("statistics", strong=strong, triangles=triangles)
    count = thread_count(threads, "statistics")
    raw: dict[str, Any] = _gossamer.statistics(
        graph._handle, strong, triangles, count, memory_bytes(memory), progress
    )
    raw["weights"] = WeightStatistics(**raw["weights"])
    return Statistics(**raw)


def partition_quality(
    graph: Graph, part_of: Any, parts: int, *, memory: int | str | None = None
) -> PartitionQuality:
    """Measures the partition that gives vertex v to part ``part_of[v]``."""
    array = id_array(part_of, "partition_quality: part_of", "parts").astype(np.int32, copy=False)
    count = integer(parts, "partition_quality: parts", 1 << 31)
    return PartitionQuality(
        **_gossamer.partition_quality(graph._handle, array, count, memory_bytes(memory))
    )

"""Graphs of other libraries: igraph's, and edges as PyTorch Geometric has them."""

from __future__ import annotations

from typing import Any

import numpy as np

from gossamer.arguments import imported, integer, texts
from gossamer.errors import InputError, UsageError

from .csr import Graph
from .input import both_ways, from_edges


def from_igraph(graph: Any, weight: str | None = "weight", *, name: str = "igraph") -> Graph:
    """A graph with the vertices and edges of an ``igraph.Graph``.

    Vertices keep their indices, and the names in igraph's attribute ``name`` where there is one.
    Edges of an undirected graph are arcs both ways, and parallel ones stay.
    weight: edge attribute with the weights, integers that fit int32, or floats; None, or an
    attribute that the graph lacks: no weights.

    InputError, with the edge, for a weight that is missing; UsageError for what is no igraph
    graph, for names that are not distinct and hashable, and where igraph is not installed.
    """
    igraph = imported("igraph", "from_igraph")
    texts("from_igraph", name=name)
    if not isinstance(graph, igraph.Graph):
        raise UsageError(f"from_igraph: expected an igraph.Graph, got {type(graph).__name__}")
    ends = np.array(graph.get_edgelist(), np.int64).reshape(-1, 2)
    values = None
    names = graph.vs["name"] if "name" in graph.vs.attributes() else None
    if weight is not None and weight in graph.es.attributes():
        given = graph.es[weight]
        for edge, value in enumerate(given):
            if value is None or value != value:
                of = [end if names is None else names[end] for end in ends[edge].tolist()]
                raise InputError(
                    f"from_igraph: edge {edge}, {of[0]!r} -> {of[1]!r}, has no {weight}"
                )
        values = np.array(given) if given else np.empty(0)
    u, v = ends.T
    if not graph.is_directed():
        u, v, values = both_ways(u, v, values)
    return from_edges(u, v, values, graph.vcount(), name=name, names=names)


def from_torch(
    edge_index: Any,
    edge_weight: Any = None,
    num_nodes: int | None = None,
    *,
    name: str = "torch",
    names: Any = None,
) -> Graph:
    """A graph of edges as PyTorch Geometric has them.

    edge_index: tensor of shape (2, m), sources above targets, of int32 or int64. edge_weight:
    tensor of m numbers. num_nodes: default: the largest index + 1, or the number of `names`, which
    are those of :func:`from_edges`. Tensors on one GPU make a graph that stays there
    (:attr:`Graph.device`), others are copied from wherever they are. Gradients stay behind.

    UsageError for other shapes.
    """
    shape = tuple(getattr(edge_index, "shape", ()))
    if len(shape) != 2 or shape[0] != 2:
        raise UsageError(f"from_torch: edge_index: expected a tensor of 2 rows, got shape {shape}")
    if num_nodes is not None:
        num_nodes = integer(num_nodes, "from_torch: num_nodes")
    weights = None
    if edge_weight is not None:
        weights = edge_weight.detach() if hasattr(edge_weight, "detach") else edge_weight
    try:
        tails, heads = edge_index[0], edge_index[1]
    except (TypeError, NotImplementedError):  # of some sparse matrices
        of = type(edge_index).__name__
        raise UsageError(f"from_torch: edge_index: rows of {of} cannot be taken") from None
    return from_edges(tails, heads, weights, num_nodes, name=name, names=names)

"""Minimum spanning trees and forests."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from typing import Any

import gossamer as gs
import numpy as np
from networkx.utils import not_implemented_for

from .graph import ConvertedGraph
from .machine import compiled, machine
from .refusal import refuses, weight_refused


def _refused(given: Mapping[str, Any]) -> str | None:
    """Other algorithms have edges in another order, and take others of equals."""
    if given["G"].is_multigraph():
        return "a multigraph"
    if given["algorithm"] != "kruskal":
        return f"algorithm {given['algorithm']!r}"
    return weight_refused(given)


@refuses(_refused)
@not_implemented_for("directed")
def minimum_spanning_edges(
    G: ConvertedGraph, algorithm: str = "kruskal", weight: Hashable = "weight",
    keys: bool = True, data: bool = True, ignore_nan: bool = False,
) -> Iterator[tuple[Any, ...]]:  # fmt: skip
    # No weight is NaN, and graphs without parallel edges have no keys.
    return _edges(G, weight, G.living() if data else None)


@refuses(_refused)
@not_implemented_for("directed")
def minimum_spanning_tree(
    G: ConvertedGraph, weight: Hashable = "weight", algorithm: str = "kruskal",
    ignore_nan: bool = False,
) -> Any:  # fmt: skip
    source = G.living()
    made = source.__class__()
    made.graph.update(source.graph)
    made.add_nodes_from(source.nodes.items())
    made.add_edges_from(_edges(G, weight, source))
    return made


def _edges(G: ConvertedGraph, weight: Hashable, source: Any) -> Iterator[tuple[Any, ...]]:
    """In Kruskal's order: by weight, and among equals as the graph has them, which is how the
    library chooses among equals, too. With their attributes, if there is a source."""
    if not G.rows.indices.size:
        return iter(())
    with compiled():
        found = gs.spanning_forest(G.graph(weight), machine())
    order = np.argsort(found.weights, kind="stable")
    ends = (G.named(of[order].tolist()) for of in (found.tails, found.heads))
    edges = zip(*ends, strict=True)
    if source is None:
        return edges
    near = source._adj
    return ((u, v, near[u][v]) for u, v in edges)

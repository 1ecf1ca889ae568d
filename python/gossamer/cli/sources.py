"""--source, --sources and --seed: where searches begin."""

from __future__ import annotations

from ..bfs import draw_sources
from ..errors import UsageError
from ..graph import Graph

__all__ = ["choose_sources"]


def choose_sources(graph: Graph, source: int | None, count: int | None, seed: int) -> list[int]:
    """Indices: the vertex that was named, or `count` that are drawn."""
    if source is not None:
        return [graph.index_of(source)]
    found = draw_sources(graph, 1 if count is None else count, seed)
    if not found:
        raise UsageError(
            f"{graph.name}: no vertex has an edge to draw a source from; give --source"
        )
    return found

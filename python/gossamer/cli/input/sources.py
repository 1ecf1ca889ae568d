"""--source, --sources and --seed: where searches begin."""

from __future__ import annotations

import typer

from gossamer.algorithm.bfs import draw_sources
from gossamer.cli import options
from gossamer.errors import UsageError
from gossamer.graph import Graph


def check_sources(context: typer.Context, command: str) -> None:
    """UsageError for options that would do nothing beside --source."""
    given = options.given(context)
    if "source" not in given:
        return
    if "sources" in given:
        raise UsageError("give --source or --sources, not both")
    if "seed" in given:
        raise UsageError(f"{command}: --seed is for sources that are drawn, --source names one")


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

"""--source, --sources and --seed: where searches begin."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from gossamer.algorithm.bfs import draw_sources
from gossamer.cli import options
from gossamer.errors import UsageError
from gossamer.graph import Graph


@dataclass(frozen=True)
class Sources:
    """A vertex that is named, or any number that are drawn."""

    source: Annotated[
        int | None, typer.Option(metavar="V", help="Source vertex, by the file's own id.")
    ] = None
    sources: Annotated[
        int | None, typer.Option(min=1, metavar="K", help="Draw K sources of degree 1 or more.")
    ] = None
    seed: Annotated[int, typer.Option(min=0, metavar="S", help="Seed of the draw.")] = 1

    def check(self, context: typer.Context, command: str, verify_with: object, what: str) -> None:
        """UsageError for options that would do nothing beside --source, and for a --verify-with
        without it: `what` a file has of each vertex is from one source."""
        given = options.given(context)
        if "source" in given and "sources" in given:
            raise UsageError("give --source or --sources, not both")
        if "source" in given and "seed" in given:
            raise UsageError(f"{command}: --seed is for sources that are drawn, --source names one")
        if verify_with is not None and self.source is None:
            raise UsageError(f"--verify-with: give the --source that its {what} are from")

    def choose(self, graph: Graph) -> list[int]:
        """Their indices."""
        if self.source is not None:
            return [graph.index_of(self.source)]
        found = draw_sources(graph, self.sources or 1, self.seed)
        if not found:
            raise UsageError(
                f"{graph.name}: no vertex has an edge to draw a source from; give --source"
            )
        return found

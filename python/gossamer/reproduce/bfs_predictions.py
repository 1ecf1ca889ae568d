"""Paper B's searches: two nodes, Kronecker graphs, run once for all benches that look at them."""

from functools import cache

import gossamer as gs
from gossamer.simulation import BfsPrediction, System, bfs


@cache
def graph(scale: int) -> gs.Graph:
    """Graph500's, edge factor 16."""
    return gs.kronecker(scale)


@cache
def predicted(scale: int, system: System, variant: str) -> BfsPrediction:
    """From a source of degree 1 or more."""
    source = gs.draw_sources(graph(scale), 1)[0]
    return bfs(graph(scale), system, 2, source, variant)

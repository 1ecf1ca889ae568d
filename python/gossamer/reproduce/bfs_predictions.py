"""Paper B's searches: two nodes, Kronecker graphs, run once for all benches that look at them; on
models, or on machines that are there."""

from functools import cache

import gossamer as gs
from gossamer.simulation import BfsPrediction, System, bfs

from .extent import extent
from .here import Here

#: Frontiers as on models: of fixed size, or as lists that go top-down.
ENGINES = {"published": "published", "compact": "sync"}


@cache
def graph(scale: int) -> gs.Graph:
    """Graph500's, edge factor 16."""
    return gs.kronecker(scale)


@cache
def predicted(scale: int, system: System, variant: str) -> BfsPrediction:
    """From a source of degree 1 or more."""
    source = gs.draw_sources(graph(scale), 1)[0]
    return bfs(graph(scale), system, 2, source, variant)


@cache
def measured(scale: int, here: Here, variant: str) -> gs.BfsResult:
    """The same search there, verified: the fastest of a few."""
    source = gs.draw_sources(graph(scale), 1)[0]
    direction = "auto" if variant == "published" else "top-down"
    search = gs.BfsSearch(
        here.machine().place(graph(scale)), engine=ENGINES[variant], direction=direction
    )
    runs = [search.run(source) for _ in range(extent.repeat)]
    gs.verify_bfs(graph(scale), source, runs[0].parents, runs[0].depths)
    return min(runs, key=lambda one: one.milliseconds)

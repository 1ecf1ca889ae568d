"""Paper A's searches: two systems, Kronecker graphs, run once for all benches that look at them.

Times are those of engine `vector_queue`, by copies, in virtual time; on machines that are there the
fastest of a few runs, verified. The paper's include bringing Label to the host, which GPUs do one
after the other: results `serial`.
"""

from __future__ import annotations

import statistics
import tomllib
from dataclasses import dataclass
from functools import cache, lru_cache

import gossamer as gs
from gossamer.simulation import System

from .extent import extent
from .here import Here, Where

EXPETHER = System("expether", label="ExpEther")
GAMING = System("gaming", label="gaming machine")
SYSTEMS = (EXPETHER, GAMING)
GPUS = (1, 2, 4)
#: Of Fig. 6 to 8 and 10, and of Table 4.
EDGE_FACTOR, TABLE_EDGE_FACTOR = 16, 96
TABLE_SCALE = 20
#: In Table 1 the first iteration expands the source alone.
FOURTH = 3
#: MB that "each GPU sends" in the fourth iteration of Fig. 10's search, on 4 GPUs at SCALE 24.
SENT = 12.9
#: Taken as one of a GPU's copies: throughput is largest in that iteration, so its frontier is the
#: search's largest. 3: as all of a GPU's copies, of a frontier before the largest.
ONE_COPY, ALL_COPIES = 1, 3
#: Sources among which the one that comes nearest to it is looked for.
DRAWN = 16


@dataclass(frozen=True)
class Found:
    """What is looked at of a search: its arrays are many."""

    milliseconds: float
    edges: int
    overlap: list[gs.BfsOverlap]
    hidden: float | None


@lru_cache(maxsize=2)
def graph(scale: int, edge_factor: int = EDGE_FACTOR) -> gs.Graph:
    """Graph500's, with parallel edges and self-loops: M counts them, and so do TEPS."""
    return gs.kronecker(scale, edge_factor, keep_duplicates=True)


@lru_cache(maxsize=1)
def _placed(system: Where, ranks: int, scale: int, edge_factor: int) -> gs.PlacedGraph:
    return system.machine(ranks).place(graph(scale, edge_factor), by_columns=True)


def searches(
    system: Where, ranks: int, scale: int, edge_factor: int = EDGE_FACTOR, results: str = "stay"
) -> list[Found]:
    """From as many sources of degree 1 or more as the extent has; each made once."""
    return _searches(system, ranks, scale, edge_factor, results)


@cache
def _searches(system: Where, ranks: int, scale: int, edge_factor: int, results: str) -> list[Found]:
    placed = _placed(system, ranks, scale, edge_factor)
    sources = gs.draw_sources(placed.graph, extent.searches)
    return _run(system, placed, sources, results)


def _run(
    system: Where, placed: gs.PlacedGraph, sources: list[int], results: str = "stay"
) -> list[Found]:
    here = isinstance(system, Here)
    transport = "transport=copy," if here else ""  # on models `auto` copies
    search = gs.BfsSearch(placed, engine=f"vector_queue:{transport}results={results}")
    made = []
    for source in sources:
        runs = [search.run(source) for _ in range(extent.repeat if here else 1)]
        if here:
            gs.verify_bfs(placed.graph, source, runs[0].parents, runs[0].depths)
        result = min(runs, key=lambda one: one.milliseconds)
        made.append(Found(result.milliseconds, result.edges, result.overlap, result.hidden))
    return made


@cache
def fourth_level_source(scale: int, copies: int = ONE_COPY) -> int:
    """The source of Fig. 10's search: of DRAWN drawn ones, that whose fourth frontier is nearest to
    one of which a quarter, 8 bytes a vertex, has SENT in so many copies; at another SCALE than 24
    so much of it as the graph is smaller."""
    wanted = 1e6 * SENT * 2.0 ** (scale - 24) * 4 / (copies * 8)
    search = gs.BfsSearch(gs.Machine("cpu").place(graph(scale)))

    def off(source: int) -> float:
        levels = search.run(source).per_level
        return abs((levels[FOURTH].frontier if len(levels) > FOURTH else 0) - wanted)

    return min(gs.draw_sources(graph(scale), DRAWN), key=off)


@cache
def overlapped(system: Where, ranks: int, scale: int) -> dict[int, Found]:
    """Fig. 10's search, by how many copies its text is taken to mean."""
    sources = {copies: fourth_level_source(scale, copies) for copies in (ONE_COPY, ALL_COPIES)}
    placed = _placed(system, ranks, scale, EDGE_FACTOR)
    found = _run(system, placed, list(sources.values()))
    return dict(zip(sources, found, strict=True))


def milliseconds(system: Where, ranks: int, scale: int, results: str = "stay") -> float:
    """Mean of the sources."""
    found = searches(system, ranks, scale, results=results)
    return statistics.mean(one.milliseconds for one in found)


def host_copy(system: System, size: int, origin: str = "device", target: str = "host") -> float:
    """Seconds of one copy between a GPU and its host."""
    rows = tomllib.loads(system.description)["copy"]
    row: dict[str, float] = next(r for r in rows if (r["from"], r["to"]) == (origin, target))
    return row["start"] + size / row["bandwidth"]


def label_milliseconds(
    system: Where, ranks: int, scale: int, edge_factor: int = EDGE_FACTOR, results: str = "serial"
) -> float:
    """What a search takes longer for having its result on the host, mean of the sources."""
    ways = [searches(system, ranks, scale, edge_factor, way) for way in (results, "stay")]
    mean: float = statistics.mean(
        there.milliseconds - stays.milliseconds for there, stays in zip(*ways, strict=True)
    )
    return mean


def gteps(system: Where, ranks: int, scale: int, edge_factor: int = EDGE_FACTOR) -> float:
    """Edges by seconds, search and transfer of Label; harmonic mean of the sources. Parallel edges
    are kept and counted, as Graph500's M has them."""
    return 1e-6 * statistics.harmonic_mean(
        found.edges / found.milliseconds
        for found in searches(system, ranks, scale, edge_factor, "serial")
    )


def hidden(found: list[Found]) -> float:
    """Per cent of the copies' time that computing did not wait for, all searches together."""
    copied = waited = 0.0
    for result in found:
        for level in result.overlap:
            copied += level.copy_milliseconds or 0.0
            waited += level.idle_milliseconds
    return 100 * max(0.0, 1 - waited / copied)


def throughput(found: Found, level: int = FOURTH) -> float:
    """GB/s of all copies of one level."""
    return 1e-9 * (found.overlap[level].throughput or 0.0)


def copy_size(found: Found, ranks: int, level: int = FOURTH) -> float:
    """MB of one of a GPU's copies in that level, mean of GPUs and stages."""
    return 1e-6 * statistics.mean(found.overlap[level].bytes_per_stage) / ranks

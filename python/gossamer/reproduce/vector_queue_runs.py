"""Paper A's searches: two systems, Kronecker graphs, run once for all benches that look at them.

Times are those of engine `vector_queue`, by copies, in virtual time. The paper's include bringing
Label to the host, which GPUs do one after the other: results `serial`.
"""

from __future__ import annotations

import statistics
import tomllib
from dataclasses import dataclass
from functools import cache, lru_cache

import gossamer as gs
from gossamer.simulation import System

from .extent import extent

EXPETHER = System("expether", label="ExpEther")
GAMING = System("gaming", label="gaming machine")
SYSTEMS = (EXPETHER, GAMING)
GPUS = (1, 2, 4)
#: Of Fig. 6 to 8 and 10, and of Table 4.
EDGE_FACTOR, TABLE_EDGE_FACTOR = 16, 96
#: In Table 1 the first iteration expands the source alone.
FOURTH = 3


@dataclass(frozen=True)
class Found:
    """What is looked at of a search: its arrays are many."""

    milliseconds: float
    edges: int
    overlap: list[gs.BfsOverlap]
    hidden: float | None


@cache
def graph(scale: int, edge_factor: int = EDGE_FACTOR) -> gs.Graph:
    """Graph500's."""
    return gs.kronecker(scale, edge_factor)


@lru_cache(maxsize=1)
def _placed(system: System, ranks: int, scale: int, edge_factor: int) -> gs.PlacedGraph:
    return system.machine(ranks).place(graph(scale, edge_factor))


def searches(
    system: System, ranks: int, scale: int, edge_factor: int = EDGE_FACTOR, results: str = "stay"
) -> list[Found]:
    """From as many sources of degree 1 or more as the extent has; each made once."""
    return _searches(system, ranks, scale, edge_factor, results)


@cache
def _searches(
    system: System, ranks: int, scale: int, edge_factor: int, results: str
) -> list[Found]:
    placed = _placed(system, ranks, scale, edge_factor)
    search = gs.BfsSearch(placed, engine=f"vector_queue:results={results}")
    made = []
    for source in gs.draw_sources(placed.graph, extent.searches):
        result = search.run(source)
        made.append(Found(result.milliseconds, result.edges, result.overlap, result.hidden))
    return made


def milliseconds(system: System, ranks: int, scale: int, results: str = "stay") -> float:
    """Mean of the sources."""
    found = searches(system, ranks, scale, results=results)
    return statistics.mean(one.milliseconds for one in found)


def host_copy(system: System, size: int, origin: str = "device", target: str = "host") -> float:
    """Seconds of one copy between a GPU and its host."""
    rows = tomllib.loads(system.description)["copy"]
    row: dict[str, float] = next(r for r in rows if (r["from"], r["to"]) == (origin, target))
    return row["start"] + size / row["bandwidth"]


def label_milliseconds(
    system: System, ranks: int, scale: int, edge_factor: int = EDGE_FACTOR, results: str = "serial"
) -> float:
    """What a search takes longer for having its result on the host, mean of the sources."""
    ways = [searches(system, ranks, scale, edge_factor, way) for way in (results, "stay")]
    mean: float = statistics.mean(
        there.milliseconds - stays.milliseconds for there, stays in zip(*ways, strict=True)
    )
    return mean


def gteps(system: System, ranks: int, scale: int, edge_factor: int = EDGE_FACTOR) -> float:
    """Edges by seconds, search and transfer of Label; harmonic mean of the sources. Parallel edges
    are neither kept nor counted."""
    return 1e-6 * statistics.harmonic_mean(
        found.edges / found.milliseconds
        for found in searches(system, ranks, scale, edge_factor, "serial")
    )


def hidden(system: System, ranks: int, scale: int) -> float:
    """Per cent of the copies' time that computing did not wait for, all sources together."""
    copied = waited = 0.0
    for result in searches(system, ranks, scale):
        for level in result.overlap:
            copied += level.copy_milliseconds or 0.0
            waited += level.idle_milliseconds
    return 100 * max(0.0, 1 - waited / copied)


def throughput(system: System, ranks: int, scale: int, level: int = FOURTH) -> float:
    """GB/s of all copies of one level, the best of the sources: a maximum, as in the paper."""
    return 1e-9 * max(
        result.overlap[level].throughput or 0.0
        for result in searches(system, ranks, scale)
        if len(result.overlap) > level
    )


def sent_by_each(system: System, ranks: int, scale: int, level: int = FOURTH) -> float:
    """MB that a GPU sends in that level, mean of GPUs and sources."""
    return statistics.mean(
        1e-6 * sum(result.overlap[level].bytes_per_stage) / ranks
        for result in searches(system, ranks, scale)
        if len(result.overlap) > level
    )

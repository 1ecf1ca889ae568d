"""What a breadth-first search cannot take less than: the zoo's bound.

The sum over levels of what a level costs with hardly anything in it: narrow below 4,096 arcs, wide
above. Then the results' bytes over bandwidth, and looks over the rate of random accesses. A level
looks at its rows' arcs, or, going up, once at every vertex that is not reached: the fewer counts.
Rates are measured here, on the machine that is asked about.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import gossamer as gs
import numpy as np

#: Arcs of a level from which on it is wide.
WIDE = 4096
#: Levels of a few dozen vertices, and of some ten thousand arcs.
NARROW_GRAPH, WIDE_GRAPH = "grid:20000x32", "mesh:600x40x40"


@dataclass
class Rates:
    narrow_us: float  #: a level
    wide_us: float
    bytes_per_us: float
    looks_per_us: float

    def asdict(self) -> dict[str, float]:
        return asdict(self)


def level_us(spec: str, machine: gs.Machine, looks_per_us: float) -> float:
    """Without the time of its looks."""
    graph = gs.generate(spec)
    search = gs.BfsSearch(machine.place(graph))
    runs = [search.run(0) for _ in range(4)]
    us = float(np.median([r.milliseconds for r in runs[1:]])) * 1e3
    return max(us - graph.arcs / looks_per_us, 0) / runs[0].levels


def best_us(call: Callable[[], Any]) -> float:
    times = []
    for _ in range(8):
        begin = time.perf_counter()
        call()
        times.append((time.perf_counter() - begin) * 1e6)
    return min(times)


def memory_rates(gpu: bool) -> tuple[float, float]:
    """Bytes written, and looks into 16 MiB that have been looked at before, a microsecond."""
    xp: Any = np
    wait: Callable[[], Any] = lambda: None  # noqa: E731
    if gpu:
        xp = importlib.import_module("cupy")
        wait = xp.cuda.Device().synchronize
    few, many = 1 << 22, 1 << 26 if gpu else 1 << 22
    table = xp.arange(few, dtype=xp.int32)
    order = xp.asarray(np.random.default_rng(1).integers(0, few, many, dtype=np.int32))
    out = xp.empty(many, dtype=xp.int32)

    def fill() -> None:
        out.fill(1)
        wait()

    def look() -> None:
        xp.take(table, order, out=out)
        wait()

    return 4 * many / best_us(fill), many / best_us(look)


def measure_rates(machine: gs.Machine, gpu: bool) -> Rates:
    filled, looked = memory_rates(gpu)
    narrow = level_us(NARROW_GRAPH, machine, looked)
    return Rates(narrow, max(narrow, level_us(WIDE_GRAPH, machine, looked)), filled, looked)


def bound_ms(graph: gs.Graph, result: Any, rates: Rates) -> dict[str, float]:
    """`ms`, and looks an arc of the rows reached."""
    depths = np.asarray(result.depths)
    degrees = np.asarray(graph.degrees)
    reached = depths >= 0
    arcs = np.bincount(depths[reached], weights=degrees[reached])
    vertices = np.bincount(depths[reached])
    open_after = np.count_nonzero(degrees) - np.cumsum(vertices)
    looks = np.minimum(arcs, np.maximum(open_after, 0)).sum()
    wide = int(np.count_nonzero(arcs >= WIDE))
    us = (len(arcs) - wide) * rates.narrow_us + wide * rates.wide_us
    us += 8 * graph.vertices / rates.bytes_per_us + looks / rates.looks_per_us
    return {"ms": us / 1e3, "looks_an_arc": float(looks / max(arcs.sum(), 1))}

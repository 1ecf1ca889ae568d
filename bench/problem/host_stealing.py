"""What stealing gains between GPUs: sssp by engine `host`, with it and without.

    python bench/problem/host_stealing.py [--machine cuda:0-1] [--graph SPEC …] [--out FILE.json]

Each graph is cut evenly and unevenly: of sixteen vertices one belongs to each other rank, the rest
to the first. Both take turns on eight sources, three runs of each; distances must be the same, and
those from the last source are verified. Times are medians of what results report.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from pathlib import Path
from typing import Any

import gossamer as gs
import numpy as np
from measured_rows import MeasuredRows

ENGINES = ("host", "host:balance=steal")


def uneven(vertices: int, ranks: int) -> np.ndarray:
    of_sixteen = np.arange(vertices) % 16
    return np.where(of_sixteen < ranks, of_sixteen, 0).astype(np.int32)


def row(graph: gs.Graph, machine: gs.Machine, cut: str) -> dict[str, Any]:
    partition = "ranges" if cut == "even" else uneven(graph.vertices, machine.size)
    searches = {e: gs.SsspSearch(graph, machine, engine=e, partition=partition) for e in ENGINES}
    times: dict[str, list[float]] = {e: [] for e in ENGINES}
    items = dict.fromkeys(ENGINES, 0)
    stolen = 0
    sources = gs.draw_sources(graph, 8, 3)
    for search in searches.values():
        search.run(sources[0])
    for source in sources:
        found = {}
        for engine, search in searches.items():
            runs = [search.run(source) for _ in range(3)]
            times[engine].append(statistics.median(r.milliseconds for r in runs))
            found[engine] = runs[-1].distances
            items[engine] += runs[-1].work.items
            stolen += runs[-1].work.stolen
        if not np.array_equal(*found.values()):
            sys.exit(f"{graph.name}, {cut}: distances from {source} differ")
    gs.verify_sssp(graph, sources[-1], found["host"])
    said = {e: {"ms": statistics.median(t), "items": items[e]} for e, t in times.items()}
    return {"graph": graph.name, "cut": cut, "stolen": stolen, "engines": said}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--machine", default="cuda:0-1")
    parser.add_argument(
        "--graph", nargs="+", default=["uniform:23:16", "kron:22", "road:3000", "kron:24"]
    )
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    machine = gs.Machine(given.machine)
    rows = MeasuredRows(given.machine, given.out)
    for spec in given.graph:
        graph = gs.generate(spec, weights=True)
        for cut in ("even", "uneven"):
            rows.add(row(graph, machine, cut))


if __name__ == "__main__":
    main()

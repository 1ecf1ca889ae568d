"""64 searches at once on GPUs, beside one `bfs`: milliseconds of the device.

    python bench/problem/gpu_distances.py [--machine cuda:0] [--sources 64] [--out FILE.json]

Medians of seven runs after one. Sources have arcs, and are the same for all. Depths of some are
verified, and numbers of some vertices.
"""

from __future__ import annotations

import argparse
import statistics
from pathlib import Path
from typing import Any

import gossamer as gs
import numpy as np
from measured_rows import MeasuredRows, timed

VERIFIED = 4
GRAPHS = ("kron:22", "uniform:22:16", "small-world:2000000:10:10", "road:2000")
#: Where bounds leave few vertices open.
MEASURES = {"kron": ("diameter", "eccentricity"), "road": ("diameter",)}


def starts(graph: gs.Graph, count: int) -> Any:
    degrees = np.diff(graph.to_scipy().indptr)
    return np.random.default_rng(1).choice(np.flatnonzero(degrees), count, replace=False)


def measure(rows: MeasuredRows, graph: gs.Graph, machine: gs.Machine, sources: Any) -> None:
    def note(what: str, said: dict[str, Any], **more: Any) -> None:
        rows.add({"what": what, "graph": graph.name, **said, **more})

    one = gs.BfsSearch(machine.place(graph))
    one.run(int(sources[0]))
    each = [one.run(int(s)).milliseconds for s in sources]
    note("bfs, one source", {"ms": statistics.mean(each)})
    sums = gs.DistancesSearch(graph, machine)
    found, said = timed(lambda: sums.run(sources))
    note("numbers", said, sources=len(sources), times=said["ms"] / statistics.mean(each))
    gs.verify_distances(graph, found.sums, "sums", sources=sources, samples=VERIFIED)
    everywhere = np.arange(graph.vertices)
    found, said = timed(lambda: sums.run(sources, everywhere))
    note("depths", said, sources=len(sources), times=said["ms"] / statistics.mean(each),
         phases=found.phases, bytes=found.depths.dtype.itemsize)  # fmt: skip
    gs.verify_depths(graph, sources[:VERIFIED], found.depths[:VERIFIED])
    del found
    found, said = timed(lambda: sums.run(sources, sources))
    note("depths between them", said, sources=len(sources))
    for name in MEASURES.get(graph.name.split(":")[0], ()):
        search = gs.DistancesSearch(graph, machine, measure=name)
        found = search.run()
        note(name, {"ms": found.milliseconds}, searches=found.searches,
             diameter=found.diameter, phases=found.phases)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--machine", default="cuda:0")
    parser.add_argument("--sources", type=int, default=64)
    parser.add_argument("--graphs", nargs="+", default=GRAPHS)
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    machine = gs.Machine(given.machine)
    rows = MeasuredRows(given.machine, given.out)
    for spec in given.graphs:
        graph = gs.generate(spec)
        measure(rows, graph, machine, starts(graph, given.sources))


if __name__ == "__main__":
    main()

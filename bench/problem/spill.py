"""Graphs whose rows do not fit the memory that a GPU is given: bfs and PageRank from host memory.

    python bench/problem/spill.py [--graph kron:26] [--memory device=3G] [--sources 16]
                                  [--out FILE.json]

The first searches are verified. Bounds: the bytes of rows in host memory over 51 GB/s, which
kernels read there in order (PCIe 5), for an iteration of PageRank, which reads all of them.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import statistics
import time
from pathlib import Path
from typing import Any

import gossamer as gs
import numpy as np


def spilled(plan: gs.MemoryPlan) -> int:
    return sum(e.bytes for e in plan.entries if e.memory == "pinned")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--graph", default="kron:26")
    parser.add_argument("--memory", default="device=3G")
    parser.add_argument("--sources", type=int, default=16)
    parser.add_argument("--verified", type=int, default=2)
    parser.add_argument("--weights", action="store_true", help="sssp, too")
    parser.add_argument("--out", type=Path)
    asked = parser.parse_args()
    machine = gs.Machine("cuda:0")
    how: dict[str, Any] = {"memory": asked.memory, "spill": "host"}
    rows: list[dict[str, Any]] = []

    def note(row: dict[str, Any]) -> None:
        rows.append({"graph": asked.graph, "memory": asked.memory} | row)
        print(json.dumps(rows[-1]), flush=True)

    began = time.perf_counter()
    graph = gs.generate(asked.graph, weights=asked.weights)
    note({"what": "making the graph", "s": time.perf_counter() - began, "arcs": graph.arcs})

    began = time.perf_counter()
    placed = machine.place(graph, **how)
    search = gs.BfsSearch(placed)
    prepared = time.perf_counter() - began
    milliseconds, reason = [], ""
    for i, source in enumerate(gs.draw_sources(graph, asked.sources, 7)):
        result = search.run(source)
        reason = result.engine_reason
        milliseconds.append(result.milliseconds)
        if i < asked.verified:
            result.verify()
    away = spilled(placed.plan)
    note({"what": "bfs", "ms": statistics.median(milliseconds), "least": min(milliseconds),
          "most": max(milliseconds), "bytes in host memory": away, "prepare s": prepared,
          "reason": reason})  # fmt: skip
    del search, placed, result
    gs.cache().clear()

    plan = gs.PagerankSolver.plan(graph, machine, **how)
    began = time.perf_counter()
    solver = gs.PagerankSolver(graph, machine, max_iterations=10, tolerance=0, **how)
    prepared = time.perf_counter() - began
    found = [solver.run() for _ in range(3)]
    iteration = [r.milliseconds / r.iterations for r in found]
    ranks = np.asarray(found[-1].ranks)
    note({"what": "PageRank, an iteration", "ms": statistics.median(iteration),
          "bound ms": spilled(plan) / 51e6, "bytes in host memory": spilled(plan),
          "prepare s": prepared, "sum": float(ranks.sum(dtype=np.float64)),
          "reason": found[-1].engine_reason})  # fmt: skip
    del solver, found
    gs.cache().clear()

    began = time.perf_counter()
    components = gs.ComponentsSearch(graph, machine, **how)
    result = components.run()
    note({"what": "components", "ms": components.run().milliseconds, "count": result.count,
          "prepare s": time.perf_counter() - began, "reason": result.engine_reason})  # fmt: skip
    del components, result
    gs.cache().clear()
    if asked.weights:
        began = time.perf_counter()
        paths = gs.SsspSearch(graph, machine, **how)
        prepared = time.perf_counter() - began
        times = [paths.run(s).milliseconds for s in gs.draw_sources(graph, 4, 7)]
        note({"what": "sssp", "ms": statistics.median(times), "prepare s": prepared})
    if asked.out is not None:
        found_all = {
            "date": datetime.date.today().isoformat(),
            "command": "bench/problem/spill.py",
            "machine": machine.devices[0].name,
            "cores": len(os.sched_getaffinity(0)),
            "rows": rows,
        }
        asked.out.write_text(json.dumps(found_all, indent=1) + "\n")


if __name__ == "__main__":
    main()

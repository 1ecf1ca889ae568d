"""Programs of the user's own beside built-in algorithms, on one GPU or on CPU ranks.

    python bench/problem/own_programs.py [--machine cuda:0] [--graph SPEC|FILE …] [--sources 5]
                                         [--rounds 3] [--delta W …] [--out FILE.json]

Shortest paths by `sssp`, by each of its engines, and by `min`, `value + weight`, once with the
built-in expression, once compiled (`value + weight * 1`); widest paths by `max`,
`min(value, weight)`. Distances are compared with those of `sssp`, widest paths with a run on CPU
ranks; with `--delta`, first windows of these widths, too, of widest paths and of engine `sync`.
Medians of milliseconds that results report. Files are symmetrized, with weights of 1 to 255.
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


def cores() -> int:
    return len(os.sched_getaffinity(0))


def load(spec: str) -> gs.Graph:
    if not Path(spec).exists():
        return gs.generate(spec, weights=True)
    graph = gs.read(spec)
    u = np.repeat(np.arange(graph.vertices, dtype=np.int32), np.diff(graph.indptr))
    v = np.asarray(graph.indices, dtype=np.int32)
    w = np.random.default_rng(1).integers(1, 256, len(v), dtype=np.int32)
    return gs.from_edges(
        u, v, w, graph.vertices, symmetrize=True, deduplicate=True, name=graph.name
    )


def median_of(call: Any, sources: list[int], rounds: int) -> tuple[float, list[Any]]:
    """Milliseconds, and the last round's results; one round goes before."""
    milliseconds, found = [], []
    for i in range(rounds + 1):
        found = [call(s) for s in sources]
        if i > 0:
            milliseconds += [r.milliseconds for r in found]
    return statistics.median(milliseconds), found


def measure_widths(
    graph: gs.Graph, machine: gs.Machine, sources: list[int], rounds: int, widths: list[float]
) -> dict[str, Any]:
    row: dict[str, Any] = {}
    widest = gs.vertex_program("max", "min(value, weight)", "uint32")
    for width in widths:
        search = widest.prepare(graph, machine, delta=width)
        row[f"widest, delta {width:g}"] = median_of(search.run, sources, rounds)[0]
        paths = gs.SsspSearch(graph, machine, engine="sync", delta=width)
        row[f"sssp sync, delta {width:g}"] = median_of(paths.run, sources, rounds)[0]
    return row


def measure(
    graph: gs.Graph, machine: gs.Machine, count: int, rounds: int, widths: list[float]
) -> dict[str, Any]:
    sources = [int(s) for s in gs.draw_sources(graph, count)]
    gpu = any(d.kind != "cpu" for d in machine.devices)
    row: dict[str, Any] = {"graph": graph.name, "vertices": graph.vertices, "arcs": graph.arcs}
    wanted: list[Any] = []
    for engine in ("sync", "async"):
        search = gs.SsspSearch(graph, machine, engine=engine)
        row[f"sssp {engine}"], found = median_of(search.run, sources, rounds)
        wanted = [np.asarray(r.raw_distances) for r in found]
    programs = {
        "own": gs.vertex_program("min", "value + weight", "uint32"),
        "own compiled": gs.vertex_program("min", "value + weight * 1", "uint32"),
        "widest": gs.vertex_program("max", "min(value, weight)", "uint32"),
        "widest compiled": gs.vertex_program("max", "min(value, weight * 1)", "uint32"),
    }
    for name, program in programs.items():
        begin = time.perf_counter()
        program.compile(machine)
        row[f"{name}: compile ms"] = (time.perf_counter() - begin) * 1e3
        begin = time.perf_counter()
        search = program.prepare(graph, machine)
        row[f"{name}: prepare ms"] = (time.perf_counter() - begin) * 1e3
        row[name], found = median_of(search.run, sources, rounds)
        work = found[-1].work
        row[f"{name}: items"] = work.items / graph.vertices
        row[f"{name}: arcs"] = found[-1].arcs / max(1, graph.arcs)
        row[f"{name}: windows"] = work.windows
        if name.startswith("own"):
            for have, want in zip(found, wanted, strict=True):
                assert np.array_equal(have.values, want), f"{graph.name}: {name} differs from sssp"
        elif gpu:
            want = program.run(graph, sources[-1], f"cpu:{max(1, cores() // 2)}x1", delta=1).values
            assert np.array_equal(found[-1].values, want), f"{graph.name}: {name} differs from cpu"
    return row | measure_widths(graph, machine, sources, rounds, widths)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--machine", default="cuda:0")
    parser.add_argument(
        "--graph", nargs="+", default=["kron:22", "road:5000", "small-world:2000000:10:10"]
    )
    parser.add_argument("--sources", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--delta", type=float, nargs="+", default=[])
    parser.add_argument("--out", type=Path)
    asked = parser.parse_args()
    machine = gs.Machine(asked.machine)
    rows = []
    for spec in asked.graph:
        rows.append(measure(load(spec), machine, asked.sources, asked.rounds, asked.delta))
        print(json.dumps(rows[-1]), flush=True)
    if asked.out:
        found = {
            "bench": "own_programs",
            "date": datetime.date.today().isoformat(),
            "machine": [d.name for d in machine.devices],
            "command": f"python bench/problem/own_programs.py --graph {' '.join(asked.graph)} "
            f"--machine {asked.machine} --sources {asked.sources} --rounds {asked.rounds}",
            "rows": rows,
        }
        asked.out.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()

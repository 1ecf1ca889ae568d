"""Core numbers, spanning forests and random walks on one GPU: milliseconds of the device.

    python bench/problem/gpu_cores_forests_walks.py [--machine cuda:0] [--walks 10000000]
                                                    [--graphs GRAPH ...] [--strong FILE ...]
                                                    [--out FILE.json]

Medians of seven runs after one; of walks the second run. Core numbers are verified, the forest of
one graph, and the first walks. Strong components are those of directed graphs in files.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import gossamer as gs
import numpy as np
from measured_rows import MeasuredRows, timed

CHECKED_WALKS = 20_000
WALKS: dict[str, dict[str, Any]] = {
    "uniform": {}, "weighted": {"weighted": True}, "node2vec": {"p": 0.5, "q": 2.0},
    "node2vec, weighted": {"weighted": True, "p": 0.5, "q": 2.0},
}  # fmt: skip


def cores(graph: gs.Graph, machine: gs.Machine) -> dict[str, Any]:
    found, said = timed(gs.CoreNumbersSearch(graph, machine).run)
    gs.verify_core_numbers(graph, found.numbers)
    more = {"degeneracy": found.degeneracy, "rounds": found.rounds}
    return {"what": "core_numbers", "graph": graph.name, **said, **more}


def forest(graph: gs.Graph, machine: gs.Machine) -> dict[str, Any]:
    found, said = timed(gs.SpanningForestSearch(graph, machine).run)
    if graph.name.startswith("uniform"):  # others take minutes
        gs.verify_spanning_forest(graph, found.arcs)
    more = {"rounds": found.rounds, "weight": found.weight, "phases": found.phases}
    return {"what": "spanning_forest", "graph": graph.name, **said, **more}


def strong(graph: gs.Graph, machine: gs.Machine) -> dict[str, Any]:
    found, said = timed(gs.StrongComponentsSearch(graph, machine).run)
    gs.verify_strong_components(graph, found.labels)
    more = {"count": found.count, "largest": found.largest}
    return {"what": "strong_components", "graph": graph.name, **said, **more}


def walks(graph: gs.Graph, machine: gs.Machine, kind: str, count: int) -> dict[str, Any]:
    sources = np.random.default_rng(1).integers(0, graph.vertices, count)
    options = WALKS[kind]
    search = gs.RandomWalksSearch(graph, machine, length=80, **options)
    found, said = timed(lambda: search.run(sources), 1)
    few = slice(0, CHECKED_WALKS)
    gs.verify_random_walks(graph, found.walks[few], sources=sources[few], **options)
    more = {"steps": found.steps, "phases": found.phases}
    return {"what": f"random_walks, {kind}", "graph": graph.name, **said, **more}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--machine", default="cuda:0")
    parser.add_argument("--walks", type=int, default=10_000_000)
    parser.add_argument("--graphs", nargs="+", default=["kron:22", "road:5000", "uniform:22:16"])
    parser.add_argument("--strong", nargs="*", default=[], metavar="FILE")
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    machine = gs.Machine(given.machine)
    rows = MeasuredRows(given.machine, given.out)
    for spec in given.graphs:
        graph = gs.generate(spec, weights=True)
        rows.add(cores(graph, machine))
        rows.add(forest(graph, machine))
        if spec == "kron:22":
            for kind in WALKS:
                rows.add(walks(graph, machine, kind, given.walks))
    for name in given.strong:
        rows.add(strong(gs.read(name), machine))


if __name__ == "__main__":
    main()

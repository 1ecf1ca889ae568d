"""Shortest paths, components and PageRank beside SciPy: the same graphs, one run.

    python bench/problem/algorithm_rivals.py BENCHES [--rounds 3] [--out FOLDER] [PROBLEM ...]

BENCHES is the folder of the programs bench_sssp, bench_components and bench_pagerank (preset
`bench`), which verify what they time and write the graph for the peer. PROBLEM is one of them.
SciPy, on one thread, runs `csgraph.dijkstra` from the same sources, `csgraph.connected_components`,
and the product of a CSR matrix with a vector in float64, which is what a power iteration consists
of. Graphs are converted before. Rounds alternate, so that a busy machine disturbs all alike;
processor times of both sides stand beside the wall times for the same reason.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import scipy
from processor import processor_name
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components, dijkstra

Times = list[tuple[float, float]]


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Wall and processor milliseconds."""
    wall, processor = time.perf_counter(), time.process_time()
    work()
    return (time.perf_counter() - wall) * 1e3, (time.process_time() - processor) * 1e3


def load(prefix: str, weights: bool) -> Any:
    offsets = np.fromfile(prefix + ".offsets", np.int64).astype(np.int32)
    columns = np.fromfile(prefix + ".columns", np.int32)
    there = weights and Path(prefix + ".weights").exists()
    values = np.fromfile(prefix + ".weights", np.int32) if there else np.ones(len(columns))
    n = len(offsets) - 1
    return csr_matrix((values.astype(np.float64), columns, offsets), (n, n))


def peer_sssp(prefix: str) -> Callable[[int], Times]:
    matrix = load(prefix, True)
    sources = np.fromfile(prefix + ".sources", np.int64)
    return lambda k: [timed(lambda: dijkstra(matrix, indices=int(sources[k % len(sources)])))]


def peer_components(prefix: str) -> Callable[[int], Times]:
    matrix = load(prefix, False)
    return lambda k: [timed(lambda: connected_components(matrix, directed=False))]


def peer_pagerank(prefix: str) -> Callable[[int], Times]:
    matrix = load(prefix, False)
    vector = np.full(matrix.shape[0], 1 / matrix.shape[0])
    return lambda k: [timed(lambda: matrix @ vector) for _ in range(5)]


PEERS = {"sssp": peer_sssp, "components": peer_components, "pagerank": peer_pagerank}


def compare(folder: Path, problem: str, graph: str, machine: str, rounds: int) -> dict[str, Any]:
    program = str(folder / f"bench_{problem}")
    with tempfile.TemporaryDirectory() as scratch:
        prefix = str(Path(scratch) / "graph")

        def ours(*more: str) -> dict[str, Any]:
            out = prefix + ".json"
            command = [program, graph, "--machine", machine, "--json", out, *more]
            subprocess.run(command, check=True)
            found: dict[str, Any] = json.loads(Path(out).read_text())
            return found

        runs = [ours("--export", prefix)]
        peer = PEERS[problem](prefix)
        theirs: Times = []
        for k in range(rounds):
            theirs += peer(k)
            runs.append(ours())
    wall, processor = (float(np.median([t[i] for t in theirs])) for i in (0, 1))
    mine = float(np.median([r["median_ms"] for r in runs]))
    spent = float(np.median([r["processor_ms"] for r in runs]))
    return {
        "problem": problem,
        "graph": Path(graph).name,  # generators have no slash
        "machine": machine,
        "gossamer_ms": mine,
        "gossamer_processor_ms": spent,
        "gossamer_runs": runs,
        "scipy_ms": wall,
        "scipy_processor_ms": processor,
        "ratio": wall / mine,
        "processor_ratio": processor / spent,
    }


def default_graphs(problem: str) -> list[str]:
    """A Kronecker graph, and for paths a real road network where it is ($GOSSAMER_DATA)."""
    here = Path(__file__).resolve().parents[2]
    data = Path(os.environ.get("GOSSAMER_DATA", here.parent / "shared/data"))
    roads = data / "USA-road-d.NY.gr.xz"
    return ["kron:20"] + [str(roads)] * (problem == "sssp" and roads.exists())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("problems", nargs="*", default=list(PEERS), metavar="PROBLEM")
    parser.add_argument("--graph", action="append")
    parser.add_argument("--machine", default="cpu")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--out", default="bench/results")
    options = parser.parse_args()
    results = []
    for problem in options.problems:
        for graph in options.graph or default_graphs(problem):
            r = compare(options.folder, problem, graph, options.machine, options.rounds)
            results.append(r)
            print(
                f"{problem} {r['graph']}: {r['gossamer_ms']:.2f} ms, SciPy {r['scipy_ms']:.1f} ms: "
                f"{r['ratio']:.1f} x (processor time {r['processor_ratio']:.1f} x)",
                flush=True,
            )
    now = datetime.datetime.now(datetime.UTC)
    report = {
        "date": now.isoformat(timespec="seconds"),
        "command": " ".join(sys.argv),
        "processor": processor_name(),
        "cores": len(os.sched_getaffinity(0)),
        "load": os.getloadavg(),
        "versions": {"scipy": scipy.__version__},
        "results": results,
    }
    folder = Path(options.out)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{now:%Y-%m-%d-%H%M}-algorithm-rivals.json"
    path.write_text(json.dumps(report, indent=1) + "\n")
    print(path)


if __name__ == "__main__":
    main()

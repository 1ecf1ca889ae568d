"""BFS beside NetworKit and SciPy: the same graphs, the same sources, one run.

    python bench/problem/bfs_rivals.py BENCH_BFS [--sources 64] [--out bench/results] [GRAPH ...]

BENCH_BFS is the program made by the target bench_bfs (preset `bench`). It searches and verifies,
and writes the graph and its sources for the peers. SciPy runs `breadth_first_order` (one thread,
parents); NetworKit runs `distance.BFS` without paths (depths; its quicker setting) on as many
threads as Gossamer. Times are medians over the sources, of the search alone: graphs are converted
before. Rounds alternate, so that a busy machine disturbs all alike.
"""

import argparse
import datetime
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import networkit
import numpy as np
import scipy
from processor import processor_name
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import breadth_first_order


def run_gossamer(program: str, graph: str, machine: str, sources: int, prefix: str) -> dict:
    out = prefix + ".json"
    command = [program, graph, "--machine", machine, "--sources", str(sources), "--json", out]
    subprocess.run([*command, "--export", prefix], check=True)
    return json.loads(Path(out).read_text())


def timed(function, sources) -> list[float]:
    times = []
    for source in sources:
        begin = time.perf_counter()
        function(int(source))
        times.append((time.perf_counter() - begin) * 1e3)
    return times


def compare(program: str, graph: str, machine: str, sources: int, rounds: int) -> dict:
    with tempfile.TemporaryDirectory() as folder:
        prefix = str(Path(folder) / "graph")
        runs = [run_gossamer(program, graph, machine, sources, prefix)]
        offsets = np.fromfile(prefix + ".offsets", np.int64)
        columns = np.fromfile(prefix + ".columns", np.int32)
        chosen = np.fromfile(prefix + ".sources", np.int64)
        n = len(offsets) - 1
        matrix = csr_matrix((np.ones(len(columns)), columns, offsets.astype(np.int32)), (n, n))
        rows = np.repeat(np.arange(n), np.diff(offsets))
        once = rows < columns
        ends = (rows[once], columns[once].astype(np.int64))
        peer = networkit.GraphFromCoo((np.ones(int(once.sum())), ends), n=n, directed=False)
        del rows, once, ends
        few = max(1, sources // (4 * rounds))  # the peers are slow: fewer sources a round
        scipy_ms: list[float] = []
        networkit_ms: list[float] = []
        for k in range(rounds):
            part = chosen[k * few : (k + 1) * few]
            scipy_ms += timed(lambda s: breadth_first_order(matrix, s), part)
            networkit_ms += timed(
                lambda s: networkit.distance.BFS(peer, s, storePaths=False).run(), part
            )
            runs.append(run_gossamer(program, graph, machine, sources, prefix))
    ours = float(np.median([r["median_ms"] for r in runs]))
    theirs = {"scipy": float(np.median(scipy_ms)), "networkit": float(np.median(networkit_ms))}
    return {
        "graph": Path(graph).name,  # generators have no slash
        "gossamer_ms": ours,
        "gossamer_runs": runs,
        "peers_ms": theirs,
        "ratio": {name: value / ours for name, value in theirs.items()},
    }


def default_graphs() -> list[str]:
    """Generated graphs, and a real road network where it is ($GOSSAMER_DATA)."""
    here = Path(__file__).resolve().parents[2]
    data = Path(os.environ.get("GOSSAMER_DATA", here.parent / "shared/data"))
    roads = data / "USA-road-d.NY.gr.xz"
    return ["kron:20", "uniform:20", "road:2000"] + [str(roads)] * roads.exists()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("graphs", nargs="*", default=default_graphs())
    parser.add_argument("--machine", default="cpu")
    parser.add_argument("--sources", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--out", default="bench/results")
    options = parser.parse_args()
    networkit.setNumberOfThreads(len(os.sched_getaffinity(0)))
    results = []
    for graph in options.graphs:
        results.append(
            compare(options.program, graph, options.machine, options.sources, options.rounds)
        )
        r = results[-1]
        print(
            f"{graph}: {r['gossamer_ms']:.2f} ms; SciPy {r['ratio']['scipy']:.2f} x, "
            f"NetworKit {r['ratio']['networkit']:.2f} x",
            flush=True,
        )
    now = datetime.datetime.now(datetime.UTC)
    report = {
        "date": now.isoformat(timespec="seconds"),
        "command": " ".join(sys.argv),
        "processor": processor_name(),
        "cores": len(os.sched_getaffinity(0)),
        "load": os.getloadavg(),
        "versions": {"scipy": scipy.__version__, "networkit": networkit.__version__},
        "results": results,
    }
    folder = Path(options.out)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{now:%Y-%m-%d-%H%M}-bfs-rivals.json"
    path.write_text(json.dumps(report, indent=1) + "\n")
    print(path)


if __name__ == "__main__":
    main()

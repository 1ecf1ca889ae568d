"""Four algorithms on 1, 2, 3 … GPUs of this host: `auto` on each beside one, and the same answers.

    python bench/problem/gpu_counts.py [--machine cuda:0 cuda:0-1 …] [--use auto|all]
                                       [--algorithm NAME …] [--graph SPEC|FILE …] [--sources 8]
                                       [--rounds 3] [--out FILE.json]

Machines take turns on each source, so that a host that grows slow slows all. The first answer of
each machine is verified, every answer is compared with that of the first machine. Times are medians
of what results report, on the device. A table ends the run, worst rows first: the last machine's
time over the first's. Graphs as zoo.py loads them; its families without --graph.
"""

from __future__ import annotations

import argparse
import datetime
import json
import statistics
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gossamer as gs
import numpy as np
import zoo
from processor import processor_name

Run = Callable[[int], Any]
#: Ranks of vertices are sums of floats, in another order on other machines.
PAGERANK_TOLERANCE = 1e-6


def answer(algorithm: str, result: Any) -> np.ndarray:
    name = {"bfs": "depths", "sssp": "distances", "components": "labels", "pagerank": "ranks"}
    return np.asarray(getattr(result, name[algorithm]))


def same(algorithm: str, first: np.ndarray, other: np.ndarray) -> bool:
    if algorithm == "pagerank":
        return bool(np.abs(first - other).sum() <= PAGERANK_TOLERANCE * np.abs(first).sum())
    return bool(np.array_equal(first, other))


def search(graph: gs.Graph, algorithm: str, machine: gs.Machine, use: str) -> tuple[Run, str]:
    """A prepared search on the ranks that `use` takes, and why it is not all, if known already."""
    if algorithm == "bfs":
        ranks = gs.ranks_for_bfs(graph, machine, use)
        return gs.BfsSearch(ranks.machine.place(graph)).run, ranks.reason
    if algorithm == "sssp":
        return gs.SsspSearch(graph, machine, use=use).run, ""
    if algorithm == "components":
        components = gs.ComponentsSearch(graph, machine, use=use)
        return lambda source: components.run(), ""
    solver = gs.PagerankSolver(graph, machine, use=use)
    return lambda source: solver.run(), ""


def measure(
    graph: gs.Graph, algorithm: str, machines: dict[str, gs.Machine], options: argparse.Namespace
) -> dict[str, Any]:
    sources = [0] * options.sources
    if algorithm in ("bfs", "sssp"):
        with_arcs = np.flatnonzero(np.asarray(graph.degrees))
        sources = np.random.default_rng(2).choice(with_arcs, options.sources).tolist()
    runs = {name: search(graph, algorithm, m, options.use) for name, m in machines.items()}
    times: dict[str, list[float]] = {name: [] for name in runs}
    how: dict[str, str] = {}
    for k, source in enumerate(sources):
        first: np.ndarray | None = None
        for turn in range(options.rounds + 1):
            for name, (run, reason) in runs.items():
                result = run(source)
                if turn > 0:
                    times[name].append(result.milliseconds)
                    continue
                if k == 0:
                    zoo.verify(graph, algorithm, source, result)
                found = answer(algorithm, result)
                first = found if first is None else first
                if not same(algorithm, first, found):
                    raise SystemExit(f"{algorithm} {graph.name} from {source}: {name} differs")
                how[name] = f"{result.engine}: {reason or result.ranks_reason or 'all'}"
    medians = {name: statistics.median(t) for name, t in times.items()}
    return {"graph": graph.name, "algorithm": algorithm, "vertices": graph.vertices,
            "arcs": graph.arcs, "ms": medians, "how": how}  # fmt: skip


def table(rows: list[dict[str, Any]], names: list[str]) -> str:
    def over(row: dict[str, Any]) -> float:
        return float(row["ms"][names[-1]] / row["ms"][names[0]])

    lines = [f"| algorithm | graph | {' | '.join(names)} | last over first | last ran |",
             "|---|---|" + "---:|" * (len(names) + 1) + "---|"]  # fmt: skip
    for row in sorted(rows, key=over, reverse=True):
        times = " | ".join(f"{row['ms'][n]:.3f}" for n in names)
        lines.append(f"| {row['algorithm']} | {row['graph']} | {times} | {over(row):.2f} "
                     f"| {row['how'][names[-1]]} |")  # fmt: skip
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--machine", nargs="+", default=["cuda:0", "cuda"])
    parser.add_argument("--use", default="auto", choices=("auto", "all"))
    parser.add_argument("--algorithm", nargs="*", default=list(zoo.ALGORITHMS),
                        choices=zoo.ALGORITHMS)  # fmt: skip
    parser.add_argument("--graph", nargs="*")
    parser.add_argument("--sources", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    machines = {spec: gs.Machine(spec) for spec in options.machine}
    rows: list[dict[str, Any]] = []
    for spec in options.graph or zoo.default_graphs():
        graph = zoo.load(spec)
        for algorithm in options.algorithm:
            rows.append(measure(graph, algorithm, machines, options))
            print(algorithm, graph.name, rows[-1]["ms"], file=sys.stderr, flush=True)
        if options.out:  # a run may be cut short
            now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
            words = [Path(a).name if Path(a).exists() else a for a in sys.argv]
            devices = {n: [str(d.name) for d in m.devices] for n, m in machines.items()}
            options.out.write_text(json.dumps({
                "date": now, "command": " ".join(words), "processor": processor_name(),
                "devices": devices, "rows": rows}, indent=1) + "\n")  # fmt: skip
    print(table(rows, options.machine))


if __name__ == "__main__":
    main()

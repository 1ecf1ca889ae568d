"""Every algorithm by every engine on graphs of all families, and real ones: `auto` beside the best.

    python bench/problem/zoo.py [--machine cpu] [--algorithm NAME …] [--graph SPEC|FILE …]
                                [--sources 16] [--rounds 3] [--engines] [--peers] [--out FILE.json]

Without --graph: the families below, and the files in $GOSSAMER_DATA if it is set. Files are
symmetrized. Times are medians of what results report, over all sources and rounds; sources are
drawn among vertices with arcs. First answers to a source are verified. --engines runs each engine
that this machine has beside `auto`; --peers SciPy, NetworKit and igraph, those that are installed,
by the wall: both on the first four sources. A table ends the run, worst rows first: `auto` over the
best engine, and over the best peer, on these sources. Searches stand beside a bound
(zoo_bound.py).
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gossamer as gs
import numpy as np
from processor import processor_name
from zoo_bound import Rates, bound_ms, measure_rates
from zoo_peers import Peer, peers_of

FAMILIES = (
    "star:1000000", "path:300000", "tree:20:2", "cliques:2000x60", "lollipop:2000x20000",
    "bipartite:100x200000:40", "small-world:2000000:10:10", "mesh:120x120x120",
    "preferential:1000000:8", "geometric:400000:12", "web:1000000:10", "kron:20",
    "kron:20:16:1:degree", "uniform:19", "road:1500", "grid:1000x1000",
)  # fmt: skip
ALGORITHMS = ("bfs", "sssp", "components", "pagerank")
#: Sources of engines and peers beside `auto`, which is compared with them on these.
FEW = 4
#: An answer that takes longer is not waited for: the engine is out of the question on this graph.
LIMIT = 20.0

Run = Callable[[int], Any]


def load(spec: str) -> gs.Graph:
    if not Path(spec).exists():
        return gs.generate(spec, weights=True)
    graph = gs.read(spec, symmetrize=True, deduplicate=True, remove_self_loops=True)
    if graph.weighted and np.asarray(graph.weights).dtype.kind in "iu":
        return graph
    u = np.repeat(np.arange(graph.vertices), np.diff(graph.indptr))
    v = np.asarray(graph.indices).astype(np.int64)
    # A weight of both directions of an edge, 1 to 255.
    weights = ((np.minimum(u, v) * 2654435761 + np.maximum(u, v) * 40503) >> 7) % 255 + 1
    return gs.from_edges(u, v, weights.astype(np.int32), graph.vertices, symmetrize=True,
                         deduplicate=True, name=graph.name)  # fmt: skip


def search(algorithm: str, graph: gs.Graph, machine: gs.Machine, engine: str) -> Run:
    """A prepared search by source, which only paths have."""
    if algorithm == "bfs":
        return gs.BfsSearch(machine.place(graph), engine=engine, timeout=LIMIT).run
    if algorithm == "sssp":
        return gs.SsspSearch(graph, machine, engine=engine, timeout=LIMIT).run
    if algorithm == "components":
        found = gs.ComponentsSearch(graph, machine, engine=engine, timeout=LIMIT)
        return lambda source: found.run()
    solver = gs.PagerankSolver(graph, machine, engine=engine, timeout=LIMIT)
    return lambda source: solver.run()


def verify(graph: gs.Graph, algorithm: str, source: int, result: Any) -> None:
    """By code that shares nothing with the engines; VerificationError if it is wrong."""
    if algorithm == "bfs":
        gs.verify_bfs(graph, source, result.parents, result.depths)
    elif algorithm == "sssp":
        gs.verify_sssp(graph, source, result.distances)
    elif algorithm == "components":
        gs.verify_components(graph, result.labels)
    else:
        gs.verify_pagerank(graph, result.ranks)


def measure(
    graph: gs.Graph, algorithm: str, machine: gs.Machine, engine: str, sources: list[int],
    rounds: int, rates: Rates | None = None,
) -> dict[str, Any]:  # fmt: skip
    """Verifies the first round, times the others. With `rates`, bounds of the first round's."""
    run = search(algorithm, graph, machine, engine)
    times, first, bounds = [], [], []
    for i in range(rounds + 1):
        for k, source in enumerate(sources):
            result = run(source)
            if i == 0:
                verify(graph, algorithm, source, result)
                if rates is not None and algorithm == "bfs":
                    bounds.append(bound_ms(graph, result, rates))
            else:
                times.append(result.milliseconds)
                first += times[-1:] if k < FEW else []
    row = {"ms": statistics.median(times), "few_ms": statistics.median(first),
           "worst_ms": max(times), "engine": result.engine}  # fmt: skip
    if algorithm == "bfs":
        row["levels"] = result.levels
    if bounds:
        row["bound_ms"] = statistics.median(b["ms"] for b in bounds)
        row["looks_an_arc"] = statistics.median(b["looks_an_arc"] for b in bounds)
    return row


def kind_of(machine: gs.Machine) -> str:
    return "cuda" if str(machine.spec).startswith("cuda") else "cpu"


def measure_graph(
    graph: gs.Graph, algorithm: str, machine: gs.Machine, options: argparse.Namespace,
    rates: Rates,
) -> dict[str, Any]:  # fmt: skip
    sources = [0] * options.sources
    if algorithm in ("bfs", "sssp"):
        with_arcs = np.flatnonzero(np.asarray(graph.degrees))
        sources = np.random.default_rng(1).choice(with_arcs, options.sources).tolist()
    row: dict[str, Any] = {"graph": graph.name, "algorithm": algorithm, "engines": {},
                           "vertices": graph.vertices, "arcs": graph.arcs}  # fmt: skip
    row["auto"] = measure(graph, algorithm, machine, "auto", sources, options.rounds, rates)
    names = [e.name for e in gs.engines(algorithm) if kind_of(machine) in e.runs_on]
    for name in names if options.engines else []:
        if name == row["auto"]["engine"]:
            row["engines"][name] = row["auto"]
            continue
        try:
            row["engines"][name] = measure(
                graph, algorithm, machine, name, sources[:FEW], options.rounds
            )
        except (gs.Timeout, gs.UsageError, gs.NotCompiled, gs.CapacityError) as error:
            row["engines"][name] = {"ms": None, "why": str(error)}
    times = [e["few_ms"] for e in row["engines"].values() if e["ms"] is not None]
    row["best_ms"] = min([*times, row["auto"]["few_ms"]])
    row["peers"] = {}
    for name, peer in peers_of(graph, algorithm).items() if options.peers else ():
        row["peers"][name] = measure_peer(peer, sources[:FEW])
    return row


def measure_peer(peer: Peer, sources: list[int]) -> float:
    """Milliseconds, the median of an answer to each source behind one that goes before."""
    times = []
    for source in [sources[0], *sources]:
        begin = time.perf_counter()
        peer(source)
        times.append((time.perf_counter() - begin) * 1e3)
    return statistics.median(times[1:])


def table(rows: list[dict[str, Any]]) -> str:
    def over(row: dict[str, Any]) -> float:
        peer = min(row["peers"].values(), default=float("inf"))
        few = float(row["auto"]["few_ms"])
        return max(few / row["best_ms"], few / peer)

    lines = ["| algorithm | graph | auto, ms | by | best engine | ms | best peer | ms "
             "| bound, ms | looks an arc |",
             "|---|---|---:|---|---|---:|---|---:|---:|---:|"]  # fmt: skip
    for row in sorted(rows, key=over, reverse=True):
        timed = {n: e["few_ms"] for n, e in row["engines"].items() if e["ms"] is not None}
        best = min(timed, key=timed.__getitem__, default="")
        peer = min(row["peers"], key=row["peers"].__getitem__, default="")
        cells = [row["algorithm"], row["graph"], f"{row['auto']['ms']:.3f}", row["auto"]["engine"],
                 best, f"{timed[best]:.3f}" if best else "",
                 peer, f"{row['peers'][peer]:.3f}" if peer else "",
                 *(f"{row['auto'][k]:.3f}" if k in row["auto"] else ""
                   for k in ("bound_ms", "looks_an_arc"))]  # fmt: skip
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def default_graphs() -> list[str]:
    folder = os.environ.get("GOSSAMER_DATA")
    files = sorted(Path(folder).glob("*")) if folder else []
    real = [str(f) for f in files if f.name.split(".")[-1] != "md" and ".mtx" not in f.name]
    return [*FAMILIES, *real]


def report(machine: gs.Machine, rows: list[dict[str, Any]], rates: Rates) -> dict[str, Any]:
    now = datetime.datetime.now(datetime.UTC)
    words = [Path(a).name if Path(a).exists() else a for a in sys.argv]
    return {"date": now.isoformat(timespec="seconds"), "command": " ".join(words),
            "processor": processor_name(), "cores": len(os.sched_getaffinity(0)),
            "machine": str(machine.spec), "devices": [str(d.name) for d in machine.devices],
            "load": os.getloadavg(), "rates": rates.asdict(), "rows": rows}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--machine", default="cpu")
    parser.add_argument("--algorithm", nargs="*", default=list(ALGORITHMS), choices=ALGORITHMS)
    parser.add_argument("--graph", nargs="*")
    parser.add_argument("--sources", type=int, default=16)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--engines", action="store_true")
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    machine = gs.Machine(options.machine)
    rates = measure_rates(machine, kind_of(machine) == "cuda")
    rows: list[dict[str, Any]] = []
    for spec in options.graph or default_graphs():
        graph = load(spec)
        for algorithm in options.algorithm:
            row = measure_graph(graph, algorithm, machine, options, rates)
            rows.append(row)
            print(f"{algorithm} {graph.name}: {row['auto']['ms']:.3f} ms", file=sys.stderr)
        if options.out:  # a run may be cut short
            options.out.write_text(json.dumps(report(machine, rows, rates), indent=1) + "\n")
    print(table(rows))


if __name__ == "__main__":
    main()

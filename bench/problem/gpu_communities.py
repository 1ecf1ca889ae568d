"""Communities on one GPU: milliseconds of the device, beside those of CPU ranks.

    python bench/problem/gpu_communities.py [GRAPH ...] [--machine cuda:0] [--host cpu]
                                            [--out FILE.json]

Medians of five runs after one, by method. Labels must be those of the host, unless that is `none`.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import gossamer as gs
import numpy as np
from measured_rows import MeasuredRows, timed

GRAPHS = ("kron:20", "kron:20,weights", "uniform:20:16", "road:2000", "web:1000000:16")
RUNS = 5


def measured(graph: gs.Graph, machine: gs.Machine, host: gs.Machine | None) -> dict[str, Any]:
    row: dict[str, Any] = {"vertices": graph.vertices, "arcs": graph.arcs}
    for method in ("louvain", "leiden"):
        search = gs.CommunitiesSearch(graph, machine, method=method)
        first = search.run()
        later, said = timed(search.run, RUNS)
        row[method] = {
            **{name: round(ms, 2) for name, ms in said.items()},
            "first_ms": round(first.milliseconds, 2),
            "modularity": first.modularity,
            "count": first.count,
            "levels": first.levels,
            "rounds": first.rounds,
            "phases": {name: round(ms, 2) for name, ms in later.phases.items()},
        }
        if host is None:
            continue
        right = gs.communities(graph, host, method=method)
        row[method]["host_ms"] = round(right.milliseconds, 1)
        if not np.array_equal(first.labels, right.labels):
            raise SystemExit(f"{graph.name}: {method} finds other communities than the host")
    return row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("graphs", nargs="*", default=list(GRAPHS), metavar="GRAPH")
    parser.add_argument("--machine", default="cuda:0")
    parser.add_argument("--host", default="cpu")
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    machine = gs.Machine(given.machine)
    host = None if given.host == "none" else gs.Machine(given.host)
    rows = MeasuredRows(given.machine, given.out)
    for spec in given.graphs:
        name, _, weights = spec.partition(",")
        graph = gs.generate(name, weights=weights == "weights")
        rows.add({"graph": spec, **measured(graph, machine, host)})


if __name__ == "__main__":
    main()

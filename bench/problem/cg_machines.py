"""Conjugate gradient on several machines: time an iteration, its parts, every run verified.

    PYTHONPATH=<build>/python python bench/problem/cg_machines.py SPEC… [--matrix FILE] [--json OUT]
        [--engine NAME]…

The matrices: the 3-D Poisson problem of 256³ unknowns (100 iterations) and, with --matrix, a file
(1000 iterations). One rank needs no exchange; several are run with both, and once as a user gets it
who asks for nothing but the spec. `of_bound` is the share of cg_bound.py's bound that was reached;
what lies in cache (a small matrix) is not held by it.
"""

from __future__ import annotations

import argparse
import json
import statistics
from pathlib import Path
from typing import Any

import gossamer as gs
import numpy as np
from cg_bound import microseconds

ROUNDS = 3


def measure(
    graph: gs.Graph, spec: str, exchange: str, iterations: int, engine: str, use: str = "all"
) -> dict[str, Any]:
    b = np.ones(graph.vertices)
    solver = gs.CgSolver(
        graph, spec, iterations=iterations, exchange=exchange, engine=engine, use=use
    )
    results = [solver.solve(b) for _ in range(ROUNDS)]
    last = results[-1]
    reached = last.residual / last.right_side_norm
    gs.verify_cg(graph, b, last.x, rtol=reached, iterations=iterations)
    took = 1e3 * statistics.median(r.milliseconds for r in results) / iterations
    bound = microseconds(graph.vertices, graph.arcs, last.ranks)
    return {
        "matrix": graph.name,
        "spec": spec,
        "engine": last.engine,
        "use": use,
        "ranks": last.ranks,
        "exchange": last.exchange,
        "us_per_iteration": took,
        "bound_us": bound,
        "of_bound": bound / took,
        "phases_us": {name: 1e3 * ms / iterations for name, ms in last.phases.items()},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("specs", nargs="+", metavar="SPEC")
    parser.add_argument("--matrix", type=Path)
    parser.add_argument("--engine", action="append", help="default: fused")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    problems = [(gs.matrix("poisson:256x256x256"), 100)]
    if given.matrix is not None:
        problems.append((gs.read(given.matrix), 1000))
    found = []
    for graph, iterations in problems:
        for spec in given.specs:
            several = gs.Machine(spec).size > 1
            for exchange in ("allgather", "halo") if several else ("auto",):
                for engine in given.engine or ["fused"]:
                    found.append(measure(graph, spec, exchange, iterations, engine))
                    print(json.dumps(found[-1]), flush=True)
            if several:  # what a user gets who asks for nothing
                found.append(measure(graph, spec, "auto", iterations, "auto", "auto"))
                print(json.dumps(found[-1]), flush=True)
    if given.json is not None:
        given.json.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()

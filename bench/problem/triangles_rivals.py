"""Triangles beside NetworKit, igraph and rustworkx: the same graphs, in turns.

    python bench/problem/triangles_rivals.py [GRAPH ...] [--rounds 3] [--machine cpu]
        [--against networkit,igraph,rustworkx] [--out FILE]

GRAPH is a generator, a file or a data set; its undirected simple graph is counted. Each library
holds the graph before it is timed and computes every vertex's clustering coefficient, but for
rustworkx, which has transitivity alone. `first` is Gossamer's first call, which lays rows out,
`call` a later one. Wall and processor milliseconds, the least of the rounds: on a busy machine
processor time says more.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gossamer as gs
import numpy as np
from processor import processor_name

GRAPHS = ("kron:18", "data:road-NY", "data:cnr-2000", "data:slashdot")


def timed(work: Callable[[], object]) -> tuple[float, float]:
    wall, processor = time.perf_counter(), time.process_time()
    work()
    return (time.perf_counter() - wall) * 1e3, (time.process_time() - processor) * 1e3


def edges(graph: gs.Graph) -> tuple[Any, Any]:
    """Ends of each edge once."""
    u = np.repeat(np.arange(graph.vertices), graph.degrees)
    v = np.asarray(graph.indices).astype(u.dtype)
    return u[u < v], v[u < v]


def networkit(graph: gs.Graph, coefficients: Any) -> Callable[[], object]:
    import networkit as nk

    u, v = edges(graph)
    held = nk.GraphFromCoo((np.ones(u.size), (u, v)), n=graph.vertices, directed=False)

    def call() -> Any:
        return nk.centrality.LocalClusteringCoefficient(held, turbo=True).run()

    np.testing.assert_allclose(call().scores(), coefficients, rtol=1e-9)
    return call


def igraph(graph: gs.Graph, coefficients: Any) -> Callable[[], object]:
    import igraph as ig

    held = ig.Graph(graph.vertices, np.column_stack(edges(graph)))
    found = held.transitivity_local_undirected(mode="zero")
    np.testing.assert_allclose(found, coefficients, rtol=1e-9)
    return lambda: held.transitivity_local_undirected(mode="zero")


def rustworkx(graph: gs.Graph, coefficients: Any) -> Callable[[], object]:
    import rustworkx as rx

    held = rx.PyGraph(multigraph=False)
    held.add_nodes_from(range(graph.vertices))
    u, v = edges(graph)
    held.add_edges_from_no_data(list(zip(u.tolist(), v.tolist(), strict=True)))
    return lambda: rx.transitivity(held)


PEERS = {"networkit": networkit, "igraph": igraph, "rustworkx": rustworkx}


def compare(name: str, machine: str, rounds: int, against: list[str]) -> dict[str, Any]:
    read = gs.read(name) if ":" not in name or name.startswith("data:") else gs.generate(name)
    graph = read.rebuild(symmetrize=True, deduplicate=True, remove_self_loops=True)
    where = gs.Machine(machine)
    result = gs.triangles(graph, where)
    gs.verify_triangles(graph, result.counts)
    there = [of for of in against if importlib.util.find_spec(of)]
    peers = {of: PEERS[of](graph, result.clustering) for of in there}
    times: dict[str, list[tuple[float, float]]] = {}
    for _ in range(rounds):
        graph.forget()
        for of, work in {
            "first": lambda: gs.triangles(graph, where).counts,
            "call": lambda: gs.triangles(graph, where).counts,
            **peers,
        }.items():
            times.setdefault(of, []).append(timed(work))
    return {
        "graph": name,
        "vertices": graph.vertices,
        "edges": graph.arcs // 2,
        "triangles": result.total,
        "wall_ms": {of: min(t[0] for t in ts) for of, ts in times.items()},
        "processor_ms": {of: min(t[1] for t in ts) for of, ts in times.items()},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("graphs", nargs="*", default=list(GRAPHS), metavar="GRAPH")
    parser.add_argument("--machine", default="cpu")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--against", default=",".join(PEERS), help="peers, with commas")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    found = []
    for name in options.graphs:
        one = compare(name, options.machine, options.rounds, options.against.split(","))
        found.append(one)
        print(json.dumps(one), flush=True)
    if options.out is not None:
        report = {"processor": processor_name(), "machine": options.machine, "graphs": found}
        options.out.write_text(json.dumps(report, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()

"""Strong components beside SciPy, NetworKit, igraph and rustworkx: the same graphs, in turns.

    python bench/problem/strong_components_rivals.py [GRAPH ...] [--rounds 5] [--machine cpu]
        [--against scipy,networkit,igraph,rustworkx] [--out FILE]

GRAPH is a file or a data set, taken as it is, or a generator, of whose edges half keep one way
alone, by a fixed rule. Each library holds the graph before it is timed, and must find as many
components. `first` is Gossamer's first call, which reverses arcs, `call` a later one. Wall and
processor milliseconds, the least of the rounds: on a busy machine processor time says more.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gossamer as gs
import numpy as np
from processor import processor_name
from triangles_rivals import timed

GRAPHS = ("kron:18", "data:cnr-2000", "data:slashdot", "web:300000:10")


def ends(graph: gs.Graph) -> tuple[Any, Any]:
    """Of each arc."""
    u = np.repeat(np.arange(graph.vertices), graph.degrees)
    return u, np.asarray(graph.indices).astype(u.dtype)


def scipy(graph: gs.Graph) -> Callable[[], int]:
    from scipy.sparse import csgraph

    held = graph.to_scipy()
    return lambda: csgraph.connected_components(held, connection="strong")[0]


def networkit(graph: gs.Graph) -> Callable[[], int]:
    import networkit as nk

    u, v = ends(graph)
    held = nk.GraphFromCoo((np.ones(u.size), (u, v)), n=graph.vertices, directed=True)

    def call() -> int:
        found = nk.components.StronglyConnectedComponents(held).run()
        return found.numberOfComponents()

    return call


def igraph(graph: gs.Graph) -> Callable[[], int]:
    import igraph as ig

    held = ig.Graph(graph.vertices, np.column_stack(ends(graph)), directed=True)
    return lambda: len(held.connected_components(mode="strong"))


def rustworkx(graph: gs.Graph) -> Callable[[], int]:
    import rustworkx as rx

    held = rx.PyDiGraph()
    held.add_nodes_from(range(graph.vertices))
    u, v = ends(graph)
    held.add_edges_from_no_data(list(zip(u.tolist(), v.tolist(), strict=True)))
    return lambda: len(rx.strongly_connected_components(held))


PEERS = {"scipy": scipy, "networkit": networkit, "igraph": igraph, "rustworkx": rustworkx}


def prepared(name: str) -> gs.Graph:
    if ":" not in name or name.startswith("data:"):
        return gs.read(name)
    graph = gs.generate(name)
    u, v = ends(graph)
    # Of half the edges one arc, whose direction follows from its ends, and both of the others.
    small = np.minimum(u, v) * graph.vertices + np.maximum(u, v)
    of_edge = (small * 2654435761 >> 7) % 4
    kept = (of_edge > 1) | ((of_edge == 0) == (u < v))
    return gs.from_edges(u[kept], v[kept], n=graph.vertices, name=name)


def compare(name: str, machine: str, rounds: int, against: list[str]) -> dict[str, Any]:
    graph = prepared(name)
    where = gs.Machine(machine)
    result = gs.strong_components(graph, where)
    gs.verify_strong_components(graph, result.labels)
    peers = {of: PEERS[of](graph) for of in against if importlib.util.find_spec(of)}
    for of, call in peers.items():
        if (count := call()) != result.count:
            raise AssertionError(f"{of}: {count} components, not {result.count}")
    times: dict[str, list[tuple[float, float]]] = {}
    for _ in range(rounds):
        graph.forget()
        for of, work in {
            "first": lambda: gs.strong_components(graph, where).labels,
            "call": lambda: gs.strong_components(graph, where).labels,
            **peers,
        }.items():
            times.setdefault(of, []).append(timed(work))
    return {
        "graph": name,
        "vertices": graph.vertices,
        "arcs": graph.arcs,
        "components": result.count,
        "largest": result.largest,
        "wall_ms": {of: round(min(t[0] for t in ts), 2) for of, ts in times.items()},
        "processor_ms": {of: round(min(t[1] for t in ts), 2) for of, ts in times.items()},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("graphs", nargs="*", default=list(GRAPHS), metavar="GRAPH")
    parser.add_argument("--machine", default="cpu")
    parser.add_argument("--rounds", type=int, default=5)
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

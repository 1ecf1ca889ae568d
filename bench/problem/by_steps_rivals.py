"""Algorithms by steps beside NetworKit, igraph and rustworkx: the same graphs, in turns.

    python bench/problem/by_steps_rivals.py [GRAPH ...] [--tasks hits,katz,eigenvector,set,coloring]
        [--rounds 3] [--machine cpu] [--against networkit,igraph,rustworkx] [--limit 60]
        [--out FILE]

GRAPH is a generator, a file or a data set; its undirected simple graph counts. Each library holds
the graph before it is timed. Katz's alpha is half of what surely converges. Tolerances are those
that NetworKit begins with, 1e-8 and 1e-9; igraph goes on to the precision of doubles, rustworkx
counts as NetworkX does. NetworKit's set is Luby's; colourings are igraph's by coloured neighbours
and rustworkx's greedy one. Sets and colourings of others are verified, and all that Gossamer
finds. `call` is a later call. Who takes longer than the limit is timed once. Wall and processor
milliseconds, the least of the rounds: on a busy machine processor time says more.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

import gossamer as gs
import numpy as np
from rivals import Times, installed, of_rounds, options_of, timed, write_report
from triangles_rivals import edges

GRAPHS = ("kron:18", "data:road-NY", "data:cnr-2000", "data:slashdot")
TASKS = ("hits", "katz", "eigenvector", "set", "coloring")
Calls = dict[str, Callable[[], Any]]


def ours(graph: gs.Graph, where: gs.Machine, alpha: float) -> Calls:
    return {
        "hits": lambda: gs.hits(graph, where),
        "katz": lambda: gs.katz(graph, where, alpha=alpha, tolerance=1e-8),
        "eigenvector": lambda: gs.eigenvector(graph, where, tolerance=1e-9, max_iterations=10_000),
        "set": lambda: gs.independent_set(graph, where),
        "coloring": lambda: gs.coloring(graph, where),
    }


def verify(graph: gs.Graph, task: str, found: Any, alpha: float) -> None:
    match task:
        case "hits":
            gs.verify_hits(graph, found.hubs, found.authorities)
        case "katz":
            gs.verify_katz(graph, found.values, alpha=alpha)
        case "eigenvector":
            gs.verify_eigenvector(graph, found.values, tolerance=1e-6)
        case "set":
            gs.verify_independent_set(graph, found.chosen)
        case "coloring":
            gs.verify_coloring(graph, found.colors)


def networkit(graph: gs.Graph, alpha: float) -> Calls:
    import networkit as nk

    u, v = edges(graph)
    held = nk.GraphFromCoo((np.ones(u.size), (u, v)), n=graph.vertices, directed=False)

    def chosen() -> Any:
        return np.array(nk.independentset.Luby().run(held), bool)

    gs.verify_independent_set(graph, chosen(), seed=None)
    return {
        "katz": lambda: nk.centrality.KatzCentrality(held, alpha, 1.0, 1e-8).run(),
        "eigenvector": lambda: nk.centrality.EigenvectorCentrality(held, 1e-9).run(),
        "set": chosen,
    }


def igraph(graph: gs.Graph, _: float) -> Calls:
    import igraph as ig

    held = ig.Graph(graph.vertices, np.column_stack(edges(graph)))

    def colors() -> Any:
        return held.vertex_coloring_greedy(method="colored_neighbors")

    gs.verify_coloring(graph, np.array(colors()), seed=None)
    return {"hits": held.hub_score, "eigenvector": held.eigenvector_centrality, "coloring": colors}


def rustworkx(graph: gs.Graph, alpha: float) -> Calls:
    import rustworkx as rx

    held, both = rx.PyGraph(multigraph=False), rx.PyDiGraph(multigraph=False)
    u, v = edges(graph)
    for of, ends in ((held, [(u, v)]), (both, [(u, v), (v, u)])):
        of.add_nodes_from(range(graph.vertices))
        for a, b in ends:
            of.add_edges_from_no_data(list(zip(a.tolist(), b.tolist(), strict=True)))

    def colors() -> Any:
        return rx.graph_greedy_color(held)

    gs.verify_coloring(graph, np.array([c for _, c in sorted(colors().items())]), seed=None)
    each = 1e-8 / graph.vertices
    return {
        "hits": lambda: rx.hits(both, max_iter=1000),
        "katz": lambda: rx.katz_centrality(held, alpha, 1.0, max_iter=1000, tol=each),
        "eigenvector": lambda: rx.eigenvector_centrality(held, max_iter=10_000, tol=each / 10),
        "coloring": colors,
    }


PEERS = {"networkit": networkit, "igraph": igraph, "rustworkx": rustworkx}


def compare(name: str, options: argparse.Namespace) -> dict[str, Any]:
    generated = ":" in name and not name.startswith("data:")
    read = gs.generate(name) if generated else gs.read(name)
    graph = read.rebuild(symmetrize=True, deduplicate=True, remove_self_loops=True)
    alpha = 0.5 / np.sqrt(graph.arcs)
    where = gs.Machine(options.machine)
    calls = {"call": ours(graph, where, alpha)}
    calls |= {of: PEERS[of](graph, alpha) for of in installed(options)}
    tasks = {}
    for task in options.tasks.split(","):
        verify(graph, task, calls["call"][task](), alpha)
        asked = {of: found[task] for of, found in calls.items() if task in found}
        times: Times = {}
        for _ in range(options.rounds):
            for of, call in asked.items():
                before = times.setdefault(of, [])
                if not before or before[-1][0] < 1e3 * options.limit:
                    before.append(timed(call))
        tasks[task] = of_rounds(times)
    return {"graph": name, "vertices": graph.vertices, "edges": graph.arcs // 2, "tasks": tasks}


def main() -> None:
    options = options_of(__doc__, GRAPHS, PEERS, rounds=3)
    options.add_argument("--tasks", default=",".join(TASKS))
    options.add_argument("--limit", type=float, default=60, help="seconds")
    write_report(options, compare)


if __name__ == "__main__":
    main()

"""Random walks beside igraph and NetworkX: the same graph, as many walks of as many steps.

    python bench/problem/random_walks_rivals.py [GRAPH ...] [--walks 1000000] [--length 80]
        [--machine cpu] [--rounds 3] [--against igraph,networkx] [--share 0.001] [--out FILE]

GRAPH is a generator, a file or a data set; its undirected simple graph counts, with weights 1 to
255. Each library holds the graph before it is timed. Peers make a share of the walks, and are
counted as if they had made all: igraph's random_walk, uniform and by weights, one walk a call;
NetworkX's generate_random_paths, which prepares a matrix of all probabilities and goes as the
weights say. Neither has p and q. Wall and processor milliseconds, the least of the rounds: on a
busy machine processor time says more. `first` adds weights up, too.
"""

from __future__ import annotations

import argparse
import importlib.util
from collections.abc import Callable
from typing import Any

import gossamer as gs
import numpy as np
from rivals import Times, of_rounds, options_of, timed, write_report

GRAPHS = ("kron:18",)
KINDS: dict[str, dict[str, Any]] = {
    "uniform": {},
    "weighted": {"weighted": True},
    "node2vec": {"p": 0.5, "q": 2.0},
    "node2vec, weighted": {"weighted": True, "p": 0.5, "q": 2.0},
}

#: Walks from these sources, so many steps each.
Peer = Callable[[Any, int], object]


def igraph(graph: gs.Graph, edges: Any, weights: Any) -> dict[str, Peer]:
    import igraph as ig

    held = ig.Graph(graph.vertices, edges)
    held.es["weight"] = weights

    def walk(sources: Any, length: int, by: str | None) -> object:
        return [held.random_walk(v, length, stuck="return", weights=by) for v in sources]

    return {
        "igraph, uniform": lambda sources, length: walk(sources, length, None),
        "igraph, weighted": lambda sources, length: walk(sources, length, "weight"),
    }


def networkx(graph: gs.Graph, edges: Any, weights: Any) -> dict[str, Peer]:
    import networkx as nx

    held = nx.Graph()
    held.add_weighted_edges_from(zip(*edges.T.tolist(), weights.tolist(), strict=True))

    def walk(sources: Any, length: int) -> object:
        return list(nx.generate_random_paths(held, len(sources), length, weight="weight"))

    return {"networkx, weighted": walk}


PEERS = {"igraph": igraph, "networkx": networkx}
#: Who takes a row's weights each step: so many times fewer walks.
SLOWER = {"igraph, weighted": 50}
#: NetworkX's matrix has an entry for each pair of vertices.
LARGEST = {"networkx": 1 << 13}


def prepared(name: str) -> tuple[gs.Graph, Any, Any]:
    """The graph, its edges and their weights."""
    read = gs.generate(name) if ":" in name and not name.startswith("data:") else gs.read(name)
    read = read.rebuild(symmetrize=True, deduplicate=True, remove_self_loops=True)
    u = np.repeat(np.arange(read.vertices), read.degrees)
    v = np.asarray(read.indices).astype(u.dtype)
    weights = ((np.minimum(u, v) * 31 + np.maximum(u, v) * 17) % 255 + 1).astype(np.int32)
    graph = gs.from_csr(read.indptr, read.indices, weights, symmetric=True, name=name)
    once = u < v
    return graph, np.column_stack([u[once], v[once]]), weights[once]


def compare(name: str, options: argparse.Namespace) -> dict[str, Any]:
    graph, edges, weights = prepared(name)
    where = gs.Machine(options.machine)
    starts = np.flatnonzero(np.asarray(graph.degrees) > 0)
    sources = np.random.default_rng(1).choice(starts, options.walks)
    few = sources[: max(1, int(options.walks * options.share))].tolist()
    times: Times = {}
    steps: dict[str, int] = {}
    peers: dict[str, Peer] = {}
    for of in options.against.split(","):
        if importlib.util.find_spec(of) and graph.vertices <= LARGEST.get(of, 1 << 40):
            peers |= PEERS[of](graph, edges, weights)
    for given in KINDS.values():
        found = gs.random_walks(graph, where, sources=sources[:20000], length=20, **given)
        gs.verify_random_walks(graph, found.walks, sources=sources[:20000], **given)
    for _ in range(options.rounds):
        graph.forget()
        for kind, given in KINDS.items():

            def work(kind: str = kind, given: dict[str, Any] = given) -> None:
                found = gs.random_walks(
                    graph, where, sources=sources, length=options.length, **given
                )
                steps[kind] = found.steps

            if kind == "weighted":
                times.setdefault("weighted, first", []).append(timed(work))
            times.setdefault(kind, []).append(timed(work))
        for of, walk in peers.items():
            some = few[: max(1, len(few) // SLOWER.get(of, 1))]
            taken = timed(lambda walk=walk, some=some: walk(some, options.length))
            scale = options.walks / len(some)
            times.setdefault(of, []).append((taken[0] * scale, taken[1] * scale))
    return {
        "graph": name,
        "vertices": graph.vertices,
        "arcs": graph.arcs,
        "walks": options.walks,
        "length": options.length,
        "steps": steps,
        "share_of_peers": len(few) / options.walks,
        **of_rounds(times),
    }


def main() -> None:
    parser = options_of(__doc__, GRAPHS, PEERS, rounds=3)
    parser.add_argument("--walks", type=int, default=1_000_000)
    parser.add_argument("--length", type=int, default=80)
    parser.add_argument("--share", type=float, default=0.001, help="of the walks, by peers")
    write_report(parser, compare)


if __name__ == "__main__":
    main()

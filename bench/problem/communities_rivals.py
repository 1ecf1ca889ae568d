"""Communities beside NetworKit, igraph and NetworkX: the same graphs, in turns.

    python bench/problem/communities_rivals.py [GRAPH ...] [--rounds 5] [--machine cpu]
        [--against networkit,igraph,networkx] [--seeds 3] [--limit 60] [--out FILE]

GRAPH is a generator, a file or a data set; its undirected simple graph counts, without weights.
Each library holds the graph before it is timed. Beside Gossamer's `louvain` stand NetworKit's PLM,
without and with refinement, igraph's community_multilevel and NetworkX's louvain_communities.
Beside its `leiden` stand NetworKit's ParallelLeiden and igraph's community_leiden. Modularity is
the mean over seeds, by gs.modularity. `first` is a first call, the others are later ones; `once`
is one iteration. Who takes longer than the limit is timed once. Wall and processor milliseconds,
the least of the rounds: on a busy machine processor time says more.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable
from typing import Any

import gossamer as gs
import numpy as np
from rivals import Times, installed, of_rounds, options_of, timed, write_report

GRAPHS = ("kron:18", "data:road-NY", "data:cnr-2000", "data:slashdot", "data:enron")

#: Both ends of each edge once.
Edges = tuple[Any, Any]
#: Finds communities with a seed, and makes labels of what was found.
Peer = tuple[Callable[[int], Any], Callable[[Any], Any]]


def _of_networkit(n: int, edges: Edges, how: str) -> Peer:
    import networkit as nk

    u, v = edges
    held = nk.GraphFromCoo((np.ones(u.size), (u, v)), n=n, directed=False, weighted=False)

    def find(seed: int) -> Any:
        nk.setSeed(seed, False)
        made = {
            "plm": lambda: nk.community.PLM(held),
            "plm_refined": lambda: nk.community.PLM(held, refine=True),
            "leiden": lambda: nk.community.ParallelLeiden(held),
        }[how]()
        return made.run()

    return find, lambda found: np.array(found.getPartition().getVector(), np.int64)


def networkit_plm(n: int, edges: Edges) -> Peer:
    return _of_networkit(n, edges, "plm")


def networkit_plm_refined(n: int, edges: Edges) -> Peer:
    return _of_networkit(n, edges, "plm_refined")


def networkit_leiden(n: int, edges: Edges) -> Peer:
    return _of_networkit(n, edges, "leiden")


def _of_igraph(n: int, edges: Edges, leiden: bool) -> Peer:
    import igraph as ig

    held = ig.Graph(n, np.column_stack(edges))

    def find(seed: int) -> Any:
        random.seed(seed)  # where igraph takes its numbers from
        if leiden:
            return held.community_leiden(objective_function="modularity")
        return held.community_multilevel()

    return find, lambda found: np.array(found.membership, np.int64)


def igraph_multilevel(n: int, edges: Edges) -> Peer:
    return _of_igraph(n, edges, False)


def igraph_leiden(n: int, edges: Edges) -> Peer:
    return _of_igraph(n, edges, True)


def networkx_louvain(n: int, edges: Edges) -> Peer:
    import networkx as nx

    held = nx.Graph()
    held.add_nodes_from(range(n))
    held.add_edges_from(zip(edges[0].tolist(), edges[1].tolist(), strict=True))

    def labels(found: Any) -> Any:
        of = np.empty(n, np.int64)
        for i, part in enumerate(found):
            of[list(part)] = i
        return of

    return lambda seed: nx.community.louvain_communities(held, seed=seed), labels


PEERS = {
    "networkit": [networkit_plm, networkit_plm_refined, networkit_leiden],
    "igraph": [igraph_multilevel, igraph_leiden],
    "networkx": [networkx_louvain],
}


def prepared(name: str) -> tuple[gs.Graph, Edges]:
    """The graph, and its edges for others."""
    read = gs.generate(name) if ":" in name and not name.startswith("data:") else gs.read(name)
    read = read.rebuild(symmetrize=True, deduplicate=True, remove_self_loops=True)
    u = np.repeat(np.arange(read.vertices), read.degrees)
    v = np.asarray(read.indices).astype(u.dtype)
    once = u < v
    bare = gs.from_csr(read.indptr, read.indices, symmetric=True, name=name)
    return bare, (u[once], v[once])


def compare(name: str, options: argparse.Namespace) -> dict[str, Any]:
    graph, edges = prepared(name)
    where = gs.Machine(options.machine)
    works: dict[str, Callable[[], object]] = {}
    times: Times = {}
    quality: dict[str, float] = {}
    counts: dict[str, int] = {}

    def keep(of: str, all_labels: list[Any]) -> None:
        quality[of] = round(float(np.mean([gs.modularity(graph, one) for one in all_labels])), 5)
        counts[of] = int(np.mean([np.unique(one).size for one in all_labels]))

    for method in ("louvain", "leiden"):
        found = [
            gs.communities(graph, where, method=method, seed=seed)
            for seed in range(options.seeds)
        ]  # fmt: skip
        for one in found:
            gs.verify_communities(
                graph, one.labels, one.modularity, connected=method == "leiden"
            )  # fmt: skip
        keep(method, [one.labels for one in found])
        works[method] = lambda method=method: gs.communities(graph, where, method=method).labels
        works[method + ", once"] = lambda method=method: (
            gs.communities(graph, where, method=method, iterations=1).labels
        )
        keep(method + ", once", [works[method + ", once"]()])
    for of in installed(options):
        for make in PEERS[of]:
            find, labels = make(graph.vertices, edges)
            kept: list[Any] = []
            once = timed(lambda find=find, kept=kept: kept.append(find(0)))
            slow = once[0] > 1e3 * options.limit
            kept += [] if slow else [find(seed) for seed in range(1, options.seeds)]
            keep(make.__name__, [labels(one) for one in kept])
            if slow:
                times[make.__name__] = [once]
            else:
                works[make.__name__] = lambda find=find: find(0)
    for _ in range(options.rounds):
        graph.forget()
        for method in ("louvain", "leiden"):
            times.setdefault(f"{method}, first", []).append(timed(works[method]))
        for of, work in works.items():
            times.setdefault(of, []).append(timed(work))
    return {
        "graph": name,
        "vertices": graph.vertices,
        "edges": edges[0].size,
        "modularity": quality,
        "communities": counts,
        **of_rounds(times),
    }


def main() -> None:
    parser = options_of(__doc__, GRAPHS, PEERS)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--limit", type=float, default=60, help="seconds")
    write_report(parser, compare)


if __name__ == "__main__":
    main()

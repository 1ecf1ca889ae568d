"""Betweenness beside NetworKit, igraph and rustworkx: the same graphs, in turns.

    python bench/problem/betweenness_rivals.py [GRAPH ...] [--samples 16] [--rounds 5]
        [--machine cpu] [--edges] [--against networkit,igraph,rustworkx] [--limit 60] [--out FILE]

GRAPH is a generator, a file or a data set, taken as it is, its parallel arcs and loops dropped.
`--samples 0` asks for exact scores. NetworKit draws its samples itself, on one thread or on all;
Gossamer and igraph get the same, others in each round. rustworkx has exact scores alone. Each
library holds the graph before it is timed. Exact scores must be the same to 1e-6. `first` is
Gossamer's first call, which lays rows out, `call` a later one. Who takes longer than the limit is
timed once. Wall and processor milliseconds, the median of the rounds: samples differ from round to
round, and what they cost in a directed graph does, too.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Callable
from typing import Any

import gossamer as gs
import numpy as np
from rivals import Times, installed, of_rounds, options_of, timed, write_report

GRAPHS = ("kron:18", "data:road-NY", "data:cnr-2000", "data:slashdot")
Scores = Callable[[Any], Any]


def ends(graph: gs.Graph) -> tuple[Any, Any]:
    """Of each edge once."""
    u = np.repeat(np.arange(graph.vertices), graph.degrees)
    v = np.asarray(graph.indices).astype(u.dtype)
    once = u < v if graph.symmetric else u != v
    return u[once], v[once]


def networkit(graph: gs.Graph, options: Any, parallel: bool) -> Scores | None:
    import networkit as nk

    u, v = ends(graph)
    directed = not graph.symmetric
    held = nk.GraphFromCoo((np.ones(u.size), (u, v)), n=graph.vertices, directed=directed)
    of = nk.centrality
    if options.edges:
        return None
    if options.samples:
        count = options.samples
        return lambda _: of.EstimateBetweenness(held, count, False, parallel).run().scores()
    if not parallel:
        return None
    factor = 1 if directed else 0.5

    def exact(_: Any) -> Any:
        return np.array(of.Betweenness(held).run().scores()) * factor

    return exact


def igraph(graph: gs.Graph, options: Any) -> Scores:
    import igraph as ig

    directed = not graph.symmetric
    held = ig.Graph(graph.vertices, np.column_stack(ends(graph)), directed=directed)
    call = held.edge_betweenness if options.edges else held.betweenness
    if not options.samples:
        return lambda _: call(directed=directed)
    return lambda sources: call(directed=directed, sources=sources.tolist())


def rustworkx(graph: gs.Graph, options: Any) -> Scores | None:
    import rustworkx as rx

    if options.samples or options.edges:
        return None
    held = rx.PyGraph(multigraph=False) if graph.symmetric else rx.PyDiGraph()
    held.add_nodes_from(range(graph.vertices))
    u, v = ends(graph)
    held.add_edges_from_no_data(list(zip(u.tolist(), v.tolist(), strict=True)))

    def call(_: Any) -> Any:
        found = rx.betweenness_centrality(held, normalized=False)
        return [found[i] for i in range(graph.vertices)]

    return call


def peers(graph: gs.Graph, options: Any) -> dict[str, Scores]:
    made: dict[str, Scores | None] = {}
    wanted = installed(options)
    if "networkit" in wanted:
        made["networkit, one thread"] = networkit(graph, options, False)
        made["networkit"] = networkit(graph, options, True)
    if "igraph" in wanted:
        made["igraph"] = igraph(graph, options)
    if "rustworkx" in wanted:
        made["rustworkx"] = rustworkx(graph, options)
    return {of: call for of, call in made.items() if call is not None}


def prepared(name: str) -> gs.Graph:
    graph = gs.read(name) if ":" not in name or name.startswith("data:") else gs.generate(name)
    graph = graph.rebuild(deduplicate=True, remove_self_loops=True)
    return gs.from_csr(graph.indptr, graph.indices, symmetric=graph.symmetric, name=name)


def compare(name: str, options: argparse.Namespace) -> dict[str, Any]:
    graph = prepared(name)
    where = gs.Machine(options.machine)
    rng = np.random.default_rng(1)

    def ours(sources: Any) -> Any:
        found = gs.betweenness(graph, where, sources=sources, edges=options.edges, normalized=False)
        return found.scores[found.arcs] if options.edges else found.scores  # type: ignore[attr-defined]

    def draw() -> Any:
        if not options.samples:
            return None
        return rng.choice(graph.vertices, options.samples, replace=False)

    sources = draw()
    expected = ours(sources)
    gs.verify_betweenness(
        graph, gs.betweenness(graph, where, sources=sources, edges=options.edges).scores,
        sources=sources, edges=options.edges,
    )  # fmt: skip
    times: Times = {}
    works: dict[str, Scores] = {"first": ours, "call": ours}
    for of, call in peers(graph, options).items():
        kept: list[Any] = []
        once = timed(lambda call=call, kept=kept: kept.append(call(sources)))
        if not options.samples:
            np.testing.assert_allclose(kept.pop(), expected, rtol=1e-6, atol=1e-9, err_msg=of)
        if once[0] > 1e3 * options.limit:
            times[of] = [once]
        else:
            works[of] = call
    for _ in range(options.rounds):
        graph.forget()
        sources = draw()
        for of, work in works.items():
            times.setdefault(of, []).append(timed(lambda work=work, sources=sources: work(sources)))
    return {
        "graph": name,
        "vertices": graph.vertices,
        "arcs": graph.arcs,
        "samples": options.samples,
        "edges": options.edges,
        **of_rounds(times, statistics.median),
    }


def main() -> None:
    parser = options_of(__doc__, GRAPHS, ["networkit", "igraph", "rustworkx"])
    parser.add_argument("--samples", type=int, default=16, help="0: exact scores")
    parser.add_argument("--edges", action="store_true")
    parser.add_argument("--limit", type=float, default=60, help="seconds")
    write_report(parser, compare)


if __name__ == "__main__":
    main()

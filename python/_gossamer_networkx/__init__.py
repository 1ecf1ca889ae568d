"""The NetworkX backend `gossamer`: what NetworkX learns of it when it is imported.

This stands outside of the package `gossamer`, so that `import networkx` loads neither that nor
NumPy. NetworkX loads :mod:`_gossamer_networkx.backend` when the backend is first used.
"""

from __future__ import annotations

from typing import Any

_ANY_ORDER = "Nodes at one distance are in the graph's order."
_ANY_PATH = "Of paths of one length another may come."
_SEES = "Of changes meanwhile only the number of nodes is seen."
_LARGEST = "`max_iter` counts 20 rounds as one. Without `normalized` no number is negative."
_KRUSKAL = "By Kruskal's algorithm, of graphs without parallel edges; no weight is negative."
_NO_WEIGHTS = "Without weights. Samples are those that NetworkX draws."
_MOVES = "Other communities than NetworkX's, of an undirected graph, without `max_level`."
_SINKS = "Components come behind those that they lead to, in another order than NetworkX's."

#: The functions that run here, and what differs from NetworkX.
FUNCTIONS: dict[str, str] = {
    "all_pairs_dijkstra": _ANY_PATH,
    "all_pairs_dijkstra_path": _ANY_PATH,
    "all_pairs_dijkstra_path_length": _ANY_ORDER,
    "all_pairs_shortest_path": "",
    "all_pairs_shortest_path_length": _ANY_ORDER,
    "ancestors": "",
    "average_clustering": "Weights are not negative.",
    "betweenness_centrality": _NO_WEIGHTS,
    "bfs_edges": "`sort_neighbors`, and `reverse` of directed graphs, are not supported.",
    "bfs_layers": "",
    "bfs_predecessors": "`sort_neighbors` is not supported.",
    "bfs_successors": "`sort_neighbors` is not supported.",
    "bfs_tree": "`sort_neighbors`, and `reverse` of directed graphs, are not supported.",
    "bidirectional_shortest_path": _ANY_PATH,
    "center": "By hops; of a tree the two may come in another order.",
    "closeness_centrality": "By hops.",
    "clustering": "Weights are not negative.",
    "condensation": "Only of components that are given.",
    "connected_components": "",
    "core_number": "",
    "descendants": "",
    "descendants_at_distance": "",
    "diameter": "By hops.",
    "dijkstra_path": _ANY_PATH,
    "dijkstra_path_length": "",
    "edge_betweenness_centrality": _NO_WEIGHTS,
    "eccentricity": "By hops.",
    "eigenvector_centrality": "Weights are not negative.",
    "greedy_color": "Only of undirected graphs, by strategy random_sequential.",
    "harmonic_centrality": "By hops, from all nodes.",
    "has_path": "",
    "hits": _LARGEST + " Weights are not negative.",
    "is_connected": "",
    "is_directed_acyclic_graph": "",
    "is_strongly_connected": "",
    "is_weakly_connected": "",
    "k_core": "",
    "k_corona": "",
    "k_crust": "",
    "k_shell": "",
    "katz_centrality": "Weights are not negative.",
    "leiden_communities": _MOVES,
    "louvain_communities": _MOVES + " `threshold` does not count.",
    "maximal_independent_set": "Another set than NetworkX's, without `nodes`.",
    "minimum_spanning_edges": _KRUSKAL,
    "minimum_spanning_tree": _KRUSKAL,
    "modularity": "Only of undirected graphs. Weights are not negative.",
    "multi_source_dijkstra": _ANY_PATH,
    "multi_source_dijkstra_path": _ANY_PATH,
    "multi_source_dijkstra_path_length": _ANY_ORDER,
    "node_connected_component": "",
    "number_connected_components": "",
    "number_strongly_connected_components": "",
    "number_weakly_connected_components": "",
    "pagerank": "",
    "periphery": "By hops.",
    "predecessor": "",
    "radius": "By hops.",
    "shortest_path": _ANY_PATH + " Bellman-Ford is not supported.",
    "shortest_path_length": _ANY_ORDER + " Bellman-Ford is not supported.",
    "single_source_dijkstra": _ANY_PATH,
    "single_source_dijkstra_path": _ANY_PATH,
    "single_source_dijkstra_path_length": _ANY_ORDER,
    "single_source_shortest_path": "",
    "single_source_shortest_path_length": _ANY_ORDER,
    "single_target_shortest_path": "Of paths of one length another may come in directed graphs.",
    "single_target_shortest_path_length": _ANY_ORDER,
    "strongly_connected_components": _SINKS,
    "topological_generations": _SEES,
    "topological_sort": _SEES,
    "transitivity": "Only of undirected graphs.",
    "triangles": "",
    "weakly_connected_components": "",
}


def info() -> dict[str, Any]:
    """The entry point ``networkx.backend_info``."""
    return {
        "backend_name": "gossamer",
        "project": "gossamer",
        "package": "_gossamer_networkx",
        "short_summary": "Graph algorithms on CPU cores and GPUs.",
        "functions": {
            name: {"additional_docs": note} if note else {} for name, note in FUNCTIONS.items()
        },
        # machine: a spec of gossamer.Machine. min_arcs: graphs of fewer are left to NetworkX.
        "default_config": {"machine": "auto", "min_arcs": 10_000},
    }

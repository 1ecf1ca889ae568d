"""The backend's results beside NetworkX's own, on graphs of several families."""

from __future__ import annotations

import inspect
import random
import warnings
from collections.abc import Callable, Iterator
from functools import reduce
from itertools import pairwise
from operator import add
from pathlib import Path
from typing import Any

import gossamer as gs
import numpy as np
import pytest

nx = pytest.importorskip("networkx", minversion="3.5")
backend = pytest.importorskip("_gossamer_networkx.backend")
pytestmark = pytest.mark.filterwarnings(r"ignore:\s*bfs_predecessors is deprecated")

GENERATORS: dict[str, Callable[[], Any]] = {
    "null": nx.Graph,
    "null directed": nx.MultiDiGraph,
    "one node": lambda: nx.empty_graph(1),
    "isolated": lambda: nx.empty_graph(4, create_using=nx.DiGraph),
    "path": lambda: nx.path_graph(40),
    "star": lambda: nx.star_graph(20),
    "complete": lambda: nx.complete_graph(9),
    "grid": lambda: nx.grid_2d_graph(6, 7),
    "random": lambda: nx.gnm_random_graph(60, 90, seed=3),
    "sparse": lambda: nx.gnm_random_graph(80, 50, seed=4),
    "directed": lambda: nx.gnm_random_graph(60, 120, seed=5, directed=True),
    "acyclic": lambda: nx.gn_graph(50, seed=6),
    "small world": lambda: nx.watts_strogatz_graph(50, 4, 0.2, seed=7),
    "preferential": lambda: nx.barabasi_albert_graph(60, 3, seed=8),
    "geometric": lambda: nx.random_geometric_graph(60, 0.2, seed=9),
    "scale-free": lambda: nx.scale_free_graph(50, seed=10),  # parallel arcs and loops
    "multigraph": lambda: nx.MultiGraph(nx.scale_free_graph(50, seed=11)),
}
WEIGHTS = ("none", "integers", "floats", "some", "zeros", "huge")


def weighted(graph: Any, kind: str) -> Any:
    """The graph with strings for nodes, and weights by a formula."""
    graph = nx.relabel_nodes(graph, {node: f"n{node}" for node in graph})
    for i, (_, _, attributes) in enumerate(graph.edges(data=True)):
        if kind == "integers":
            attributes["weight"] = 1 + i * 7 % 5
        elif kind == "floats":
            attributes["weight"] = 0.1 + i * 7 % 5 / 3
        elif kind == "some" and i % 3:
            attributes["weight"] = 2
        elif kind == "zeros":
            attributes["weight"] = i % 2
        elif kind == "huge":
            attributes["weight"] = 2**40 + i
    return graph


@pytest.fixture(params=list(GENERATORS))
def family(request: pytest.FixtureRequest) -> Any:
    return GENERATORS[request.param]()


@pytest.fixture(params=WEIGHTS)
def graph(request: pytest.FixtureRequest, family: Any) -> Any:
    return weighted(family, request.param)


MISTAKES = (AttributeError, KeyError, TypeError, ValueError)


def outcome(name: str, graph: Any, *arguments: Any, of: str, **options: Any) -> Any:
    """What a call gives, or raises."""
    try:
        result = getattr(nx, name)(graph, *arguments, backend=of, **options)
        return list(result) if isinstance(result, Iterator) else result
    except (nx.NetworkXException, ArithmeticError, *MISTAKES) as error:
        return type(error), str(error)


def same(name: str, graph: Any, *arguments: Any, **options: Any) -> Any:
    """Checks that both give or raise the same; returns it."""
    ours = outcome(name, graph, *arguments, of="gossamer", **options)
    theirs = outcome(name, graph, *arguments, of="networkx", **options)
    assert ours == theirs, name
    return ours


def same_numbers(name: str, graph: Any, *arguments: Any, **options: Any) -> None:
    """Checks floats, which are added in another order, and who has them."""
    ours = outcome(name, graph, *arguments, of="gossamer", **options)
    theirs = outcome(name, graph, *arguments, of="networkx", **options)
    if isinstance(theirs, dict):
        assert list(ours) == list(theirs)
        assert all(type(x) is float for x in ours.values())
        assert ours == pytest.approx(theirs, rel=1e-9, abs=1e-12)
    else:
        assert ours == theirs


def ends(graph: Any) -> list[str]:
    """Some nodes, and one that is not there."""
    return [*list(graph)[:: max(len(graph) // 3, 1)], "nowhere"]


def test_pagerank(graph: Any) -> None:
    nodes = list(graph)
    same_numbers("pagerank", graph)
    same_numbers("pagerank", graph, weight=None, alpha=0.5)
    same_numbers("pagerank", graph, tol=1e-12, max_iter=300)
    same_numbers("pagerank", graph, personalization={n: i for i, n in enumerate(nodes[:5])})
    same_numbers("pagerank", graph, personalization={"nowhere": 1})
    same_numbers("pagerank", graph, max_iter=1, tol=1e-12)
    same_numbers("pagerank", graph, max_iter=0)
    if nodes:
        same_numbers("pagerank", graph, nstart={n: i + 1 for i, n in enumerate(nodes[:7])})
        # In two runs, so that only what both converge to is the same.
        ends = {n: i + 1 for i, n in enumerate(nodes[:4])}
        same_numbers("pagerank", graph, dangling=ends, tol=1e-14, max_iter=1000)


def in_turn(graph: Any) -> dict[Any, int]:
    """Numbers of the nodes, from the last to the first."""
    return {node: i % 4 + 1 for i, node in enumerate(reversed(list(graph)))}


@pytest.mark.parametrize("weight", [None, "weight"])
def test_katz(graph: Any, weight: str | None) -> None:
    # Less than one over the largest eigenvalue of all but the huge weights.
    options: dict[str, Any] = {"weight": weight, "alpha": 0.01, "max_iter": 200}
    same_numbers("katz_centrality", graph, **options)
    same_numbers("katz_centrality", graph, **options, normalized=False, tol=1e-12)
    same_numbers("katz_centrality", graph, **options, beta=in_turn(graph))
    same_numbers("katz_centrality", graph, **options, nstart=in_turn(graph), beta=2)
    same_numbers("katz_centrality", graph, **options, beta=0)
    same_numbers("katz_centrality", graph, **options, beta={"nowhere": 1.0})
    same_numbers("katz_centrality", graph, **options | {"max_iter": 1})
    same_numbers("katz_centrality", graph, **options | {"max_iter": 0})


@pytest.mark.parametrize("weight", [None, "weight"])
def test_eigenvectors(graph: Any, weight: str | None) -> None:
    options: dict[str, Any] = {"weight": weight, "max_iter": 500}
    same_numbers("eigenvector_centrality", graph, **options)
    same_numbers("eigenvector_centrality", graph, **options, tol=1e-9)
    same_numbers("eigenvector_centrality", graph, **options, nstart=in_turn(graph))
    same_numbers("eigenvector_centrality", graph, **options, nstart=dict.fromkeys(graph, 0))
    same_numbers("eigenvector_centrality", graph, **options | {"max_iter": 2})
    same_numbers("eigenvector_centrality", graph, **options | {"max_iter": 0})


def test_iterations_from_numbers_that_cancel() -> None:
    graph = nx.path_graph(2)
    for backend_name in ("gossamer", "networkx"):
        with pytest.raises(ZeroDivisionError):
            nx.eigenvector_centrality(graph, nstart={0: 1, 1: -1}, backend=backend_name)


def test_eigenvectors_of_weights_whose_squares_are_too_large() -> None:
    graph = nx.star_graph(3)
    nx.set_edge_attributes(graph, 1e200, "weight")
    same_numbers("eigenvector_centrality", graph, weight="weight", max_iter=3)
    same_numbers("eigenvector_centrality", graph, weight="weight", tol=1, max_iter=9)


def test_an_empty_name_is_no_weight_of_eigenvectors() -> None:
    graph = weighted(nx.barabasi_albert_graph(20, 2, seed=1), "integers")
    nx.set_edge_attributes(graph, 7, "")
    graph.edges["n0", "n1"][""] = 1000
    same_numbers("eigenvector_centrality", graph, weight="")


#: NetworkX had one before 3.7. It finds the vectors however long power iteration would take.
BY_VECTORS = (
    {"method": "svd"} if "method" in inspect.signature(nx.hits.orig_func).parameters else {}
)


def same_hits(graph: Any, **options: Any) -> None:
    """Checks hubs and authorities where one pair is the largest; NetworkX's start is random."""
    options = BY_VECTORS | options
    ours = outcome("hits", graph, of="gossamer", **options)
    theirs = outcome("hits", graph, of="networkx", **options)
    if not len(graph) or not isinstance(theirs[0], dict):
        assert ours == theirs
        return
    sizes = np.linalg.svd(nx.to_numpy_array(graph), compute_uv=False)
    for mine, signed in zip(ours, theirs, strict=True):
        assert list(mine) == list(signed) == list(graph)
        assert all(type(x) is float and x >= 0 for x in mine.values())
        if sizes[1] < 0.99 * sizes[0]:
            other = {node: abs(x) for node, x in signed.items()}  # signs are any without normalized
            least = 1e-9 * max(mine.values())
            assert mine == pytest.approx(other, rel=1e-6, abs=least)


def has_hits(graph: Any) -> bool:
    return len(graph) > 1 and graph.number_of_edges() > 0


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_hits(graph: Any) -> None:
    if len(graph) and not has_hits(graph):
        with pytest.raises(NotImplementedError):
            nx.hits(graph, backend="gossamer")
        return
    same_hits(graph)
    same_hits(graph, normalized=False)
    same_hits(graph, tol=0, max_iter=200)
    same_hits(graph, max_iter=0)
    same_hits(graph, nstart={node: i % 4 + 0.5 for i, node in enumerate(graph)})


@pytest.mark.parametrize("normalized", [True, False])
def test_hits_are_singular_vectors(graph: Any, normalized: bool) -> None:
    """Where several pairs are the largest, too."""
    if not has_hits(graph):
        return
    start = {node: 0.5 + i % 3 for i, node in enumerate(graph)}
    given = BY_VECTORS | {"nstart": start, "normalized": normalized}
    found = nx.hits(graph, **given, backend="gossamer")
    hubs, authorities = (np.array(list(part.values())) for part in found)
    matrix = nx.to_numpy_array(graph)
    size = np.linalg.norm(matrix, 2)
    one = np.linalg.norm(authorities)
    assert sum(authorities) == pytest.approx(1) if normalized else one == pytest.approx(1)
    along = matrix @ authorities
    assert hubs == pytest.approx(along / along.sum() if normalized else along, rel=1e-9)
    assert matrix.T @ along / size**2 == pytest.approx(authorities, abs=1e-9 * one)


@pytest.mark.parametrize("factor", [1e-150, 1e150])
def test_hits_of_weights_whose_squares_are_no_floats(factor: float) -> None:
    graph = nx.gnm_random_graph(40, 200, seed=2, directed=True)
    expected = nx.hits(graph, backend="networkx")
    nx.set_edge_attributes(graph, factor, "weight")
    for mine, other in zip(nx.hits(graph, backend="gossamer"), expected, strict=True):
        assert mine == pytest.approx(other, rel=1e-6, abs=1e-9)


@pytest.mark.skipif(not BY_VECTORS, reason="NetworkX has one method before 3.7")
@pytest.mark.parametrize("normalized", [True, False])
def test_hits_by_power_iteration(normalized: bool) -> None:
    graph = nx.gnm_random_graph(60, 400, seed=4, directed=True)
    same_hits(graph, method="power_iteration", normalized=normalized)
    with pytest.raises(NotImplementedError):
        nx.hits(graph, method="qr", backend="gossamer")


def test_hits_that_do_not_converge() -> None:
    graph = nx.path_graph(50)
    for max_iter in (0, 1):
        with pytest.raises(nx.PowerIterationFailedConvergence, match=f"within {max_iter} iter"):
            nx.hits(graph, max_iter=max_iter, backend="gossamer")


def test_lengths(graph: Any) -> None:
    for source in ends(graph):
        same("single_source_dijkstra_path_length", graph, source)
        same("single_source_dijkstra_path_length", graph, source, cutoff=3)
        same("shortest_path_length", graph, source, weight="weight")
        same("shortest_path_length", graph, target=source, weight="weight")
        for target in ends(graph):
            same("dijkstra_path_length", graph, source, target)
            same("shortest_path_length", graph, source, target, weight="weight")


def test_lengths_from_several(graph: Any) -> None:
    *nodes, missing = ends(graph)
    for sources in (set(nodes), nodes[:2], nodes[:1], [*nodes, *nodes], {missing}, []):
        for cutoff in (None, -1, 3):
            same("multi_source_dijkstra_path_length", graph, sources, cutoff=cutoff)


def test_lengths_of_all_pairs(graph: Any) -> None:
    for cutoff in (None, 0, 2):
        same("all_pairs_shortest_path_length", graph, cutoff=cutoff)
        same("all_pairs_dijkstra_path_length", graph, cutoff=cutoff)
    same("shortest_path_length", graph)
    same("shortest_path_length", graph, weight="weight")
    same("shortest_path_length", graph, method="floyd")


def length_of(graph: Any, path: list[Any], weight: str | None) -> Any:
    """Of a path, by its lightest edges, added as they come; KeyError when there is none."""
    edges = (graph[u][v] for u, v in pairwise(path))
    if weight is None:
        return sum(1 for _ in edges)
    if graph.is_multigraph():
        each = (min(edge.get(weight, 1) for edge in keys.values()) for keys in edges)
    else:
        each = (edge.get(weight, 1) for edge in edges)
    return reduce(add, each, 0)  # from Python 3.12 on sum() of floats keeps what rounding loses


def same_paths(name: str, graph: Any, *arguments: Any, by: str | None, **options: Any) -> None:
    """Checks that both find paths, as long, between the same nodes."""
    ours = outcome(name, graph, *arguments, of="gossamer", **options)
    theirs = outcome(name, graph, *arguments, of="networkx", **options)
    pairs = [(ours, theirs)]
    if isinstance(theirs, dict):
        assert ours.keys() == theirs.keys(), name
        pairs = [(ours[node], theirs[node]) for node in theirs]
    elif not isinstance(theirs, list):
        assert ours == theirs, name
        return
    for mine, other in pairs:
        assert type(mine) is list and mine[-1] == other[-1]
        starts = arguments[0] if "multi" in name else {other[0]}
        assert mine[0] in starts and len(set(mine)) == len(mine)
        # Floats may be added from the other end.
        expected = pytest.approx(length_of(graph, other, by), rel=1e-12)
        assert length_of(graph, mine, by) == expected, name


def test_paths_by_weight(graph: Any) -> None:
    *nodes, missing = ends(graph)
    for source in (*nodes, missing):
        for cutoff in (None, -1, 3):
            options = {"by": "weight", "cutoff": cutoff}
            same_paths("single_source_dijkstra_path", graph, source, **options)
        same_paths("shortest_path", graph, source, by="weight", weight="weight")
        same_paths("shortest_path", graph, target=source, by="weight", weight="weight")
        for target in (*nodes, missing):
            same_paths("dijkstra_path", graph, source, target, by="weight")
            same_paths("shortest_path", graph, source, target, by="weight", weight="weight")
    for sources in (set(nodes), nodes[:2], [missing], []):
        for cutoff in (None, 3):
            same_paths("multi_source_dijkstra_path", graph, sources, by="weight", cutoff=cutoff)


def test_lengths_and_paths(graph: Any) -> None:
    """Where a call gives both, they belong to each other."""
    *nodes, missing = ends(graph)
    calls: list[tuple[Any, ...]] = [
        ("single_source_dijkstra", source, target)
        for source in (*nodes, missing)
        for target in (None, *nodes, missing)
    ]
    calls += [("multi_source_dijkstra", set(nodes), target) for target in (None, *nodes, missing)]
    for name, *arguments in calls:
        for cutoff in (None, 0, 3):
            ours = outcome(name, graph, *arguments, of="gossamer", cutoff=cutoff)
            theirs = outcome(name, graph, *arguments, of="networkx", cutoff=cutoff)
            assert ours[0] == theirs[0], name
            if isinstance(theirs[1], dict):
                assert ours[1].keys() == theirs[1].keys() == theirs[0].keys()
                for node, path in ours[1].items():
                    assert path[-1] == node and length_of(graph, path, "weight") == ours[0][node]
            elif isinstance(theirs[1], list):
                assert ours[1][-1] == theirs[1][-1]
                assert length_of(graph, ours[1], "weight") == ours[0]
            else:
                assert ours == theirs


def test_paths_of_all_pairs(graph: Any) -> None:
    for cutoff in (None, 0, 2):
        same("all_pairs_shortest_path", graph, cutoff=cutoff)
        ours = outcome("all_pairs_dijkstra", graph, of="gossamer", cutoff=cutoff)
        theirs = outcome("all_pairs_dijkstra", graph, of="networkx", cutoff=cutoff)
        assert [(node, both[0]) for node, both in ours] == [(n, both[0]) for n, both in theirs]
        for node, (lengths, paths) in ours:
            assert paths.keys() == lengths.keys()
            for target, path in paths.items():
                assert path[0] == node and path[-1] == target
                assert length_of(graph, path, "weight") == lengths[target]
        alone = outcome("all_pairs_dijkstra_path", graph, of="gossamer", cutoff=cutoff)
        assert alone == [(node, paths) for node, (_, paths) in ours]
    same("shortest_path", graph)
    whole = outcome("shortest_path", graph, of="gossamer", weight="weight")
    assert whole == outcome("all_pairs_dijkstra_path", graph, of="gossamer")
    same("shortest_path", graph, method="floyd")


@pytest.mark.parametrize("cutoff", [None, -1, 0, 1.5, 2])
def test_dijkstra_without_weights(family: Any, cutoff: Any) -> None:
    graph = weighted(family, "integers")
    *nodes, missing = ends(graph)
    options: dict[str, Any] = {"weight": None, "cutoff": cutoff}
    for source in (*nodes, missing):
        found = same("single_source_dijkstra_path_length", graph, source, **options)
        assert not isinstance(found, dict) or all(type(x) is int for x in found.values())
        same_paths("single_source_dijkstra_path", graph, source, by=None, **options)
        for target in (*nodes, missing):
            same("dijkstra_path_length", graph, source, target, weight=None)
            same_paths("dijkstra_path", graph, source, target, by=None, weight=None)
    for sources in (set(nodes), nodes[:2], [missing], []):
        same("multi_source_dijkstra_path_length", graph, sources, **options)
        same_paths("multi_source_dijkstra_path", graph, sources, by=None, **options)
    same("all_pairs_dijkstra_path_length", graph, **options)
    for node, (lengths, paths) in outcome("all_pairs_dijkstra", graph, of="gossamer", **options):
        assert paths.keys() == lengths.keys()
        for target, path in paths.items():
            assert path[0] == node and path[-1] == target
            assert length_of(graph, path, None) == lengths[target]


@pytest.mark.parametrize("cutoff", [None, -1, 0, 1.5, 2])
def test_paths_by_hops(family: Any, cutoff: Any) -> None:
    graph = weighted(family, "none")
    for source in ends(graph):
        options = {"by": None, "cutoff": cutoff}
        same_paths("single_target_shortest_path", graph, source, **options)
        if not graph.is_directed():
            same_order("single_target_shortest_path", graph, source, cutoff=cutoff)
        same_order("shortest_path", graph, source)
        same_paths("shortest_path", graph, target=source, by=None)
        for target in ends(graph):
            same_paths("shortest_path", graph, source, target, by=None)
            same_paths("bidirectional_shortest_path", graph, source, target, by=None)


def test_all_pairs_are_found_as_they_are_asked_for() -> None:
    graph = nx.path_graph(4)
    for name in (
        "all_pairs_shortest_path", "all_pairs_shortest_path_length", "all_pairs_dijkstra",
        "all_pairs_dijkstra_path", "all_pairs_dijkstra_path_length",
    ):  # fmt: skip
        pairs = getattr(nx, name)(graph, backend="gossamer")
        assert iter(pairs) is pairs and next(pairs)[0] == 0 and next(pairs)[0] == 1


def test_paths_along_weights_that_add_nothing() -> None:
    """A ring of zeros, behind it one node; and weights that vanish beside what is there."""
    graph = nx.DiGraph()
    graph.add_weighted_edges_from([("a", "b", 1), ("b", "c", 0), ("c", "d", 0), ("d", "b", 0)])
    graph.add_weighted_edges_from(
        [("d", "e", 2.0**60), ("e", "f", 1), ("f", "e", 1), ("z", "y", 0)]
    )
    expected = {"a": "a", "b": "ab", "c": "abc", "d": "abcd", "e": "abcde", "f": "abcdef"}
    found = nx.single_source_dijkstra_path(graph, "a", backend="gossamer")
    assert found == {node: list(path) for node, path in expected.items()}
    several = nx.multi_source_dijkstra_path(graph, {"a", "z"}, backend="gossamer")
    assert several == found | {"z": ["z"], "y": ["z", "y"]}


@pytest.mark.parametrize("cutoff", [None, -1, 0, 1.5, 2])
def test_hops(family: Any, cutoff: Any) -> None:
    graph = weighted(family, "none")
    for source in ends(graph):
        found = same("single_source_shortest_path_length", graph, source, cutoff=cutoff)
        if isinstance(found, dict):
            assert list(found.values()) == sorted(found.values())
            assert all(type(x) is int for x in found.values())
        same("single_target_shortest_path_length", graph, source, cutoff=cutoff)


def test_reach(family: Any) -> None:
    graph = weighted(family, "none")
    for source in ends(graph):
        same("descendants", graph, source)
        same("ancestors", graph, source)
        same("shortest_path_length", graph, source)
        same("shortest_path_length", graph, target=source)
        for distance in (0, 2, 99, -1):
            same("descendants_at_distance", graph, source, distance)
        for target in ends(graph):
            same("has_path", graph, source, target)
            same("shortest_path_length", graph, source, target)


def same_order(name: str, graph: Any, *arguments: Any, **options: Any) -> Any:
    """Checks that both give the same in the same order; returns it."""
    found = same(name, graph, *arguments, **options)
    if isinstance(found, dict):
        theirs = outcome(name, graph, *arguments, of="networkx", **options)
        assert list(found) == list(theirs)
    return found


@pytest.mark.parametrize("few", [0, 8])
@pytest.mark.parametrize("limit", [None, 0, 1, 1.5, 3, -2])
def test_traversals(family: Any, limit: Any, few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("_gossamer_networkx.traversal._FEW_NODES", few)
    graph = weighted(family, "none")
    for source in ends(graph):
        for name in ("bfs_edges", "bfs_predecessors", "bfs_successors"):
            same(name, graph, source, depth_limit=limit)
        tree = outcome("bfs_tree", graph, source, depth_limit=limit, of="gossamer")
        expected = outcome("bfs_tree", graph, source, depth_limit=limit, of="networkx")
        if isinstance(tree, nx.DiGraph):
            assert list(tree.edges) == list(expected.edges) and list(tree) == list(expected)
        else:
            assert tree == expected
        if source in graph:
            same("bfs_layers", graph, source)
    for sources in (ends(graph)[:-1], [], ends(graph)):
        same("bfs_layers", graph, sources)
        same_order("single_source_shortest_path", graph, source, cutoff=limit)
        for options in ({}, {"return_seen": True}, {"target": ends(graph)[0]}):
            same_order("predecessor", graph, source, cutoff=limit, **options)


def later(graph: Any, seed: int) -> Any:
    """The graph's arcs turned from the earlier to the later of its nodes, in another order."""
    place = {node: i for i, node in enumerate(graph)}
    kind = nx.MultiDiGraph if graph.is_multigraph() else nx.DiGraph
    nodes, made = list(graph), kind()
    random.Random(seed).shuffle(nodes)
    made.add_nodes_from(nodes)
    made.add_edges_from(sorted((u, v), key=place.get) for u, v, *_ in graph.edges if u != v)
    return made


ORDERS = ("topological_sort", "topological_generations", "is_directed_acyclic_graph")


@pytest.mark.parametrize("few", [0, 2, 16])
def test_topological_orders(family: Any, few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("_gossamer_networkx.acyclic._FEW_NODES", few)
    for graph in (family, *(later(weighted(family, "none"), seed) for seed in range(3))):
        for name in ORDERS:
            same(name, graph)


@pytest.mark.parametrize("directed", [True, False])
def test_orders_are_refused_when_they_are_asked_for(directed: bool) -> None:
    graph = nx.complete_graph(3, nx.DiGraph if directed else nx.Graph)
    for name in ORDERS[:2]:
        listed = getattr(nx, name)(graph, backend="gossamer")
        with pytest.raises(nx.NetworkXUnfeasible if directed else nx.NetworkXError):
            next(listed)


@pytest.mark.parametrize("name", ORDERS[:2])
def test_orders_of_a_graph_whose_nodes_change(name: str) -> None:
    for change, error in (
        (lambda graph: graph.add_edge(3, 4), RuntimeError),
        (lambda graph: graph.remove_node(1), RuntimeError),
        (lambda graph: graph.remove_node(3), nx.NetworkXUnfeasible),
    ):
        for of in ("gossamer", "networkx"):
            graph = nx.path_graph(4, nx.DiGraph)
            listed = getattr(nx, name)(graph, backend=of)
            next(listed)
            change(graph)
            with pytest.raises(error, match="raph changed during iteration"):
                list(listed)


def bunches(graph: Any) -> list[Any]:
    """What NetworkX takes, or not, for one node or several."""
    nodes = list(graph)
    several = [nodes, nodes[::-1], nodes[:3] * 2, [], {}, ends(graph), set(nodes[:2])]
    return [None, *several, *nodes[:2], "nowhere", 7, 1.5, [nodes[:1]], [[]], [0, [1]]]


@pytest.mark.parametrize("calls", [0, 1000])
def test_triangles(family: Any, calls: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("_gossamer_networkx.triangles._CALLS", calls)
    graph = weighted(family, "none")
    for nodes in [None] if graph.is_directed() else bunches(graph):
        found = same_order("triangles", graph, nodes)
        theirs = outcome("triangles", graph, nodes, of="networkx")
        if isinstance(found, dict):
            assert [*map(type, found.values())] == [*map(type, theirs.values())]
        else:
            assert type(found) is type(theirs)


def test_triangles_of_an_iterator() -> None:
    graph = nx.complete_graph(5)
    ours = nx.triangles(graph, iter([3, 9, 1]), backend="gossamer")
    assert ours == nx.triangles(graph, [3, 1], backend="networkx")


def test_clustering(family: Any) -> None:
    graph = weighted(family, "none")
    for nodes in bunches(graph):
        found = same_order("clustering", graph, nodes)
        theirs = outcome("clustering", graph, nodes, of="networkx")
        if isinstance(found, dict):
            assert [*map(type, found.values())] == [*map(type, theirs.values())]
        for count_zeros in (True, False):
            same("average_clustering", graph, nodes, count_zeros=count_zeros)


def test_clustering_by_weights(graph: Any) -> None:
    ours = outcome("clustering", graph, weight="weight", of="gossamer")
    theirs = outcome("clustering", graph, weight="weight", of="networkx")
    assert ours == (pytest.approx(theirs, rel=1e-9) if isinstance(theirs, dict) else theirs)
    for count_zeros in (True, False):
        options = {"weight": "weight", "count_zeros": count_zeros}
        ours = outcome("average_clustering", graph, **options, of="gossamer")
        theirs = outcome("average_clustering", graph, **options, of="networkx")
        assert ours == (pytest.approx(theirs, rel=1e-9) if isinstance(theirs, float) else theirs)


def test_components(family: Any) -> None:
    graph = weighted(family, "none")
    for name in (
        "connected_components", "number_connected_components", "is_connected",
        "weakly_connected_components", "number_weakly_connected_components",
        "is_weakly_connected", "core_number",
    ):  # fmt: skip
        same(name, graph)
    for node in ends(graph):
        same("node_connected_component", graph, node)
    if not graph.is_multigraph():
        graph.remove_edges_from(list(nx.selfloop_edges(graph)))
        same("core_number", graph)
    if not graph.is_directed():
        same("transitivity", graph)


def test_cores(family: Any) -> None:
    graph = weighted(family, "floats")
    graph.graph["name"] = "with attributes"
    nx.set_node_attributes(graph, {node: i for i, node in enumerate(graph)}, "place")
    calls: list[tuple[Any, ...]] = [(name,) for name in ("k_core", "k_shell", "k_crust")]
    calls += [(name[0], k) for name in [*calls, ("k_corona",)] for k in (0, 1, 2, 99)]
    for loops in (True, False):
        if not loops and not graph.is_multigraph():
            graph.remove_edges_from(list(nx.selfloop_edges(graph)))
        for name, *k in calls:
            ours = outcome(name, graph, *k, of="gossamer")
            theirs = outcome(name, graph, *k, of="networkx")
            if not isinstance(theirs, nx.Graph):
                assert ours == theirs
                continue
            assert type(ours) is type(theirs) and ours.graph == theirs.graph
            assert list(ours.nodes(data=True)) == list(theirs.nodes(data=True))
            assert list(ours.edges(data=True)) == list(theirs.edges(data=True))


def test_cores_by_given_numbers() -> None:
    graph = nx.path_graph(5)
    for name, k in (("k_core", None), ("k_shell", 1), ("k_crust", None), ("k_corona", 2)):
        given = {node: min(node, 2) for node in graph}
        theirs = getattr(nx, name)(graph, k, given, backend="networkx")
        ours = getattr(nx, name)(graph, k, given, backend="gossamer")
        assert list(ours) == list(theirs) and list(ours.edges) == list(theirs.edges)


def test_cores_of_a_graph_that_was_changed_or_is_gone() -> None:
    graph = nx.path_graph(3)
    converted = backend.convert_from_nx(graph)
    assert list(nx.k_core(converted)) == [0, 1, 2]
    graph.add_edge(0, 2)
    del graph
    with pytest.raises(nx.NetworkXError, match="changed since it was converted, or is gone"):
        nx.k_core(converted)


@pytest.mark.parametrize("k", [None, 1, 7, "all", "too many"])
def test_betweenness(family: Any, k: Any) -> None:
    graph = weighted(family, "none")
    nodes = len(graph)
    number = {"all": nodes, "too many": nodes + 1}.get(k, k)
    for normalized in (True, False):
        options = {"k": number, "normalized": normalized, "seed": 3}
        near("edge_betweenness_centrality", graph, **options)
        for endpoints in (True, False):
            near("betweenness_centrality", graph, endpoints=endpoints, **options)


def near(name: str, graph: Any, **options: Any) -> None:
    """Scores by the same keys, but for rounding; or the same is raised."""
    ours, theirs = (outcome(name, graph, of=of, **options) for of in ("gossamer", "networkx"))
    if isinstance(theirs, tuple):
        assert ours == theirs
        return
    assert set(ours) == set(theirs)
    assert ours == pytest.approx(theirs, rel=1e-9, abs=1e-12, nan_ok=True)


def test_betweenness_with_weights_is_left_to_networkx() -> None:
    graph = nx.path_graph(4)
    for name in ("betweenness_centrality", "edge_betweenness_centrality"):
        assert backend.can_run(name, (graph,), {}) is True
        assert backend.can_run(name, (graph,), {"weight": "weight"}) == "weights"


def test_strong_components(family: Any) -> None:
    graph = weighted(family, "none")
    same("number_strongly_connected_components", graph)
    same("is_strongly_connected", graph)
    if not graph.is_directed():
        with pytest.raises(nx.NetworkXNotImplemented, match="undirected"):
            nx.strongly_connected_components(graph, backend="gossamer")
        with pytest.raises(nx.NetworkXNotImplemented, match="undirected"):
            nx.condensation(graph, [], backend="gossamer")
        return
    theirs = list(nx.strongly_connected_components(graph, backend="networkx"))
    ours = list(nx.strongly_connected_components(graph, backend="gossamer"))
    assert set(map(frozenset, ours)) == set(map(frozenset, theirs)) and len(ours) == len(theirs)
    number = {node: i for i, part in enumerate(ours) for node in part}
    assert all(number[u] >= number[v] for u, v in graph.edges())
    found = nx.condensation(graph, theirs, backend="gossamer")
    expected = nx.condensation(graph, theirs, backend="networkx")
    assert type(found) is nx.DiGraph and found.graph == expected.graph
    assert list(found.nodes(data=True)) == list(expected.nodes(data=True))
    assert set(found.edges) == set(expected.edges)
    why = "NetworkX numbers components in its own order"
    assert backend.can_run("condensation", (graph,), {}) == why


def test_closeness(family: Any) -> None:
    graph = weighted(family, "none")
    for options in ({}, {"wf_improved": False}):
        same("closeness_centrality", graph, **options)
        for node in ends(graph):
            same("closeness_centrality", graph, u=node, **options)
    bunches: list[Any] = [None, list(graph)[::3], ["nowhere"], *ends(graph), 1.5, [[]]]
    for nbunch in bunches:
        ours = outcome("harmonic_centrality", graph, nbunch, of="gossamer")
        theirs = outcome("harmonic_centrality", graph, nbunch, of="networkx")
        if not isinstance(theirs, dict):
            assert ours == theirs
            continue
        assert ours == pytest.approx(theirs, rel=1e-9)
        assert [type(ours[node]) for node in theirs] == [type(x) for x in theirs.values()]
    why = "distances by weight"
    assert backend.can_run("closeness_centrality", (graph,), {"distance": "w"}) == why
    assert backend.can_run("harmonic_centrality", (graph,), {"distance": "w"}) == why
    sources = {"sources": list(graph)[:1]}
    assert backend.can_run("harmonic_centrality", (graph,), sources) == "paths from chosen sources"


def test_eccentricities(family: Any) -> None:
    graph = weighted(family, "none")
    same("eccentricity", graph)
    for node in (*ends(graph), list(graph)[::3], ["nowhere"]):
        same("eccentricity", graph, node)
    if not len(graph):  # what Python says of the largest of none
        for name in ("diameter", "radius", "periphery", "center"):
            assert backend.can_run(name, (graph,), {}) == "of no nodes"
        return
    for usebounds in (False, True):
        for name in ("diameter", "radius", "periphery"):
            same(name, graph, usebounds=usebounds)
        ours = outcome("center", graph, usebounds=usebounds, of="gossamer")
        theirs = outcome("center", graph, usebounds=usebounds, of="networkx")
        in_any_order = isinstance(theirs, list)
        assert ours == theirs or (in_any_order and sorted(ours) == sorted(theirs))
    given = "of lengths that are given"
    assert backend.can_run("diameter", (graph,), {"e": {}}) == given
    assert backend.can_run("eccentricity", (graph,), {"sp": {}}) == given
    assert backend.can_run("radius", (graph,), {"weight": "w"}) == "distances by weight"


@pytest.mark.parametrize("attribute", ["weight", "none of that name"])
def test_spanning_forests(graph: Any, attribute: str) -> None:
    graph.graph["name"] = "with attributes"
    nx.set_node_attributes(graph, {node: i for i, node in enumerate(graph)}, "place")
    if graph.is_multigraph() or graph.is_directed():
        with pytest.raises((NotImplementedError, nx.NetworkXNotImplemented)):
            nx.minimum_spanning_tree(graph, attribute, backend="gossamer")
        return
    for options in ({}, {"data": False}, {"keys": False}, {"ignore_nan": True}):
        ours, theirs = (
            list(nx.minimum_spanning_edges(graph, weight=attribute, backend=of, **options))
            for of in ("gossamer", "networkx")
        )
        assert ours == theirs
        tree = nx.minimum_spanning_tree(graph, attribute, backend="gossamer")
        expected = nx.minimum_spanning_tree(graph, attribute, backend="networkx")
        assert type(tree) is type(expected) and tree.graph == expected.graph
        assert list(tree.nodes(data=True)) == list(expected.nodes(data=True))
        assert list(tree.edges(data=True)) == list(expected.edges(data=True))


def test_spanning_forests_that_are_refused() -> None:
    graph = nx.path_graph(4)
    for options, why in (
        ({"algorithm": "prim"}, "algorithm 'prim'"),
        ({"algorithm": "boruvka"}, "algorithm 'boruvka'"),
    ):
        assert backend.can_run("minimum_spanning_edges", (graph,), options) == why
        assert backend.can_run("minimum_spanning_tree", (graph,), options) == why
    assert backend.can_run("minimum_spanning_tree", (nx.MultiGraph(),), {}) == "a multigraph"
    for bad in (float("nan"), -1):
        graph[1][2]["weight"] = bad
        with pytest.raises(NotImplementedError):
            list(nx.minimum_spanning_edges(graph, backend="gossamer"))
    with pytest.raises(nx.NetworkXNotImplemented, match="directed"):
        nx.minimum_spanning_tree(nx.DiGraph([(0, 1)]), backend="gossamer")


@pytest.mark.parametrize(
    "weights",
    [
        (-3, 4, -1, 2, 0),
        (-3.5, 4.0, -1.0, 2.0, 0.0, -0.0),
        (2**53 + 3, 2**53 + 1, 2**53 + 2, 2**53),
        (2**52 + 1, 2**52, 2**52 + 2),
        (2**63 + 3, 2**63 + 1, 2**63 + 2),
        (1, 2**63 + 3, 2**63 + 2, 2**63 + 1),
        (-1, 2**63 + 3, 2**63 + 2, 2**63 + 1),
        (2**53 + 1, 2.0**53, 2**53 - 1),
        (np.longdouble(1) + np.longdouble(2) ** -60, np.longdouble(1)),
        (float("inf"), 1.0, -float("inf")),
    ],
    ids=str,
)
def test_spanning_forests_of_any_weights(weights: tuple[Any, ...]) -> None:
    """What the backend does not take is NetworkX's, and nothing is wrong."""
    edges = list(nx.complete_graph(7).edges)
    random.Random(1).shuffle(edges)
    graph = nx.Graph()
    graph.add_weighted_edges_from(
        (u, v, weights[i % len(weights)]) for i, (u, v) in enumerate(edges)
    )
    expected = list(nx.minimum_spanning_edges(graph, backend="networkx"))
    with nx.config(backend_priority=["gossamer"]), nx.config.backends.gossamer(min_arcs=0):
        assert list(nx.minimum_spanning_edges(graph)) == expected
        tree = nx.minimum_spanning_tree(graph)
    assert set(map(frozenset, tree.edges)) == {frozenset(edge[:2]) for edge in expected}


@pytest.mark.parametrize("function", ["louvain_communities", "leiden_communities"])
def test_communities(graph: Any, function: str) -> None:
    find = getattr(nx.community, function)
    if graph.is_directed():
        options = {"seed": 1}
        if function == "louvain_communities":  # NetworkX has it, and leiden_communities has nobody
            assert backend.can_run(function, (graph,), options) == "a directed graph"
        else:
            with pytest.raises(nx.NetworkXNotImplemented, match="directed"):
                find(graph, backend="gossamer")
        return
    found = find(graph, seed=1, backend="gossamer")
    assert all(type(part) is set for part in found) and nx.community.is_partition(graph, found)
    assert found == find(graph, seed=1, backend="gossamer")
    if not graph.size("weight"):
        return
    q = nx.community.modularity(graph, found, backend="networkx")
    theirs = nx.community.louvain_communities(graph, seed=1, backend="networkx")
    assert q >= nx.community.modularity(graph, theirs, backend="networkx") - 0.02
    if function == "leiden_communities":
        assert all(nx.is_connected(graph.subgraph(part)) for part in found)
    alone = find(graph, resolution=1e9, weight=None, backend="gossamer")
    loops = set(nx.nodes_with_selfloops(graph))
    assert all(len(part) == 1 for part in alone) or loops


def test_modularity(graph: Any) -> None:
    nodes = list(graph)
    halves = [set(nodes[::2]), set(nodes[1::2])]
    kwargs: dict[str, Any]
    for kwargs in ({}, {"weight": None}, {"resolution": 0.5}, {"weight": "none of that name"}):
        for parts in (halves, [{node} for node in nodes], iter([set(nodes)])):
            given = list(parts)
            if graph.is_directed():
                why = backend.can_run("modularity", (graph, given), kwargs)
                assert why == "a directed graph"
                continue
            ours, theirs = (
                outcome_of(nx.community.modularity, graph, given, backend=of, **kwargs)
                for of in ("gossamer", "networkx")
            )
            if isinstance(theirs, tuple):
                assert ours[0] is theirs[0] is ZeroDivisionError
            else:
                assert type(ours) is float and ours == pytest.approx(theirs, abs=1e-12)
    if graph.is_directed() or not nodes:
        return
    for wrong in (halves[:1], [*halves, {nodes[0]}], [*halves, {"nowhere"}], [nodes, nodes]):
        if len(nodes) == 1 and wrong is not halves and len(wrong) == 1:
            continue  # the only node is in the first half
        ours, theirs = (
            outcome_of(nx.community.modularity, graph, wrong, backend=of)
            for of in ("gossamer", "networkx")
        )
        assert ours[0] is theirs[0] is nx.community.quality.NotAPartition


def outcome_of(function: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    """What a call gives, or raises."""
    try:
        return function(*arguments, **options)
    except (nx.NetworkXException, ArithmeticError, *MISTAKES) as error:
        return type(error), str(error)


def test_communities_that_are_refused() -> None:
    graph = nx.path_graph(4)
    for options, why in (
        ({"max_level": 1}, "max_level"),
        ({"resolution": -1}, "resolution -1"),
        ({"resolution": float("inf")}, "resolution inf"),
        ({"weight": len}, "weights by a function"),
    ):
        assert backend.can_run("louvain_communities", (graph,), options) == why
        assert backend.can_run("leiden_communities", (graph,), options) == why
    graph[1][2]["weight"] = -1
    with pytest.raises(NotImplementedError):
        nx.community.louvain_communities(graph, backend="gossamer")
    seeds = [
        nx.community.louvain_communities(nx.path_graph(40), seed=seed, backend="gossamer")
        for seed in (3, 3, np.random.RandomState(1), np.random.default_rng(1), None)
    ]
    assert seeds[0] == seeds[1]
    assert sorted(node for part in seeds[2] for node in part) == list(range(40))


def test_independent_sets(graph: Any) -> None:
    if graph.is_directed():
        with pytest.raises(nx.NetworkXNotImplemented, match="directed"):
            nx.maximal_independent_set(graph, backend="gossamer")
        return
    if not len(graph):
        with pytest.raises(NotImplementedError):
            nx.maximal_independent_set(graph, backend="gossamer")
        return
    found = nx.maximal_independent_set(graph, seed=1, backend="gossamer")
    assert type(found) is list and found == nx.maximal_independent_set(
        graph, seed=1, backend="gossamer"
    )
    within = set(found)
    assert len(within) == len(found) and within <= set(graph)
    for node in graph:
        beside = within & (set(graph[node]) - {node})
        assert (node in within) != bool(beside)
    nodes = list(graph)
    assert backend.can_run("maximal_independent_set", (graph, nodes[:1]), {}) == "nodes"


def test_colorings(graph: Any) -> None:
    random.seed(3)  # which NetworkX's strategy draws from
    strategy = "random_sequential"
    first: dict[Any, int] = {}
    if graph.is_directed():
        why = backend.can_run("greedy_color", (graph, strategy), {})
        assert why == "a directed graph"
        return
    for asked in (strategy, nx.coloring.strategy_random_sequential):
        found = nx.greedy_color(graph, asked, backend="gossamer")
        first = found if asked is strategy else first
        assert list(found) == list(graph) and all(type(c) is int for c in found.values())
        for node, color in found.items():
            theirs = {found[other] for other in graph[node] if other != node}
            # None smaller was left when its turn came.
            assert color not in theirs and set(range(color)) <= theirs
    random.seed(3)
    assert nx.greedy_color(graph, strategy, backend="gossamer") == first
    can = backend.can_run
    assert can("greedy_color", (graph,), {}) == "strategy: not random_sequential"
    assert can("greedy_color", (graph, strategy, True), {}) == "interchange"


def test_pagerank_raises_without_a_warning() -> None:
    with warnings.catch_warnings(), pytest.raises(nx.PowerIterationFailedConvergence):
        warnings.simplefilter("error")
        nx.pagerank(nx.star_graph(9), max_iter=1, tol=1e-12, backend="gossamer")


def test_loops_count_once() -> None:
    graph = nx.Graph([(0, 0), (0, 1), (1, 2), (2, 0)])
    for name in ("transitivity", "triangles", "clustering", "average_clustering"):
        same(name, graph)
    same_numbers("pagerank", graph)
    same("core_number", graph)


def test_every_announced_function_is_there() -> None:
    page = (Path(__file__).parents[3] / "docs" / "networkx.md").read_text("utf-8")
    for name in nx.utils.backends.backend_info["gossamer"]["functions"]:
        assert f"`{name}`" in page
        assert callable(getattr(backend, name)), name
        assert name in nx.utils.backends._registered_algorithms


def parameters(function: Any) -> list[tuple[Any, ...]]:
    """Without types, which NetworkX does not say."""
    said = inspect.signature(function).parameters.values()
    return [(parameter.name, parameter.kind, parameter.default) for parameter in said]


def test_signatures_are_those_of_networkx() -> None:
    for name in nx.utils.backends.backend_info["gossamer"]["functions"]:
        theirs = nx.utils.backends._registered_algorithms[name].orig_func
        assert parameters(getattr(backend, name)) == parameters(theirs), name


def test_functions_name_their_counterparts() -> None:
    steps = ("hits", "katz", "eigenvector", "independent_set", "coloring")
    measures = ("closeness", "harmonic", "eccentricity", "diameter", "condensation", "modularity")
    algorithms = {engine.algorithm for engine in gs.engines()} - {"cg"}
    for name in (*algorithms, *steps, *measures):
        lines = [line.strip() for line in (inspect.getdoc(getattr(gs, name)) or "").splitlines()]
        said = next(line for line in lines if line.startswith("NetworkX: "))
        for other in said.split("``")[1::2]:
            assert callable(reduce(getattr, other.split("."), nx)), (name, other)

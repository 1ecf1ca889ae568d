"""What the backend keeps of graphs, what it refuses, and what it imports."""

from __future__ import annotations

import copy
import gc
import pickle
import weakref
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any

import gossamer as gs
import pytest

nx = pytest.importorskip("networkx", minversion="3.5")
backend = pytest.importorskip("_gossamer_networkx.backend")


def named() -> Any:
    """Three named nodes, two edges of which one weighs, a self-loop."""
    graph = nx.Graph()
    graph.add_edge("b", "a", cost=2)
    graph.add_edge("b", ("c", 1))
    graph.add_edge("a", "a", cost=5)
    return graph


def test_importing_networkx_loads_neither_gossamer_nor_numpy(
    run_python: Callable[[str], str],
) -> None:
    program = """
import sys, networkx
print("gossamer" in networkx.utils.backends.backends)
print([name for name in ("gossamer", "numpy", "_gossamer_networkx.backend") if name in sys.modules])
"""
    assert run_python(program).split() == ["True", "[]"]


def test_add_edge_converts_again() -> None:
    graph = nx.path_graph(4)
    graph.add_node(4)
    assert not nx.is_connected(graph, backend="gossamer")
    graph.add_edge(3, 4)
    assert nx.is_connected(graph, backend="gossamer")


def test_an_edge_changed_by_hand_is_seen_as_networkx_caches() -> None:
    graph = nx.path_graph(3)
    length = nx.single_source_dijkstra_path_length
    assert length(graph, 0, backend="gossamer")[2] == 2
    graph[1][2]["weight"] = 5  # which NetworkX does not notice
    assert length(graph, 0, backend="gossamer")[2] == 2
    graph.__networkx_cache__.clear()
    assert length(graph, 0, backend="gossamer")[2] == 6


def test_weights_are_read_when_they_are_needed() -> None:
    graph = named()
    converted = backend.convert_from_nx(graph)
    assert nx.single_source_dijkstra_path_length(converted, "a", weight="cost") == {
        "a": 0, "b": 2, ("c", 1): 3,
    }  # fmt: skip
    graph.add_edge("b", "d")
    with pytest.raises(nx.NetworkXError, match="'other' was not converted, and the graph"):
        nx.single_source_dijkstra_path_length(converted, "a", weight="other")
    assert nx.dijkstra_path_length(converted, "a", "b", weight="cost") == 2


def test_the_original_is_held_weakly() -> None:
    graph = named()
    seen = weakref.ref(graph)
    converted = backend.convert_from_nx(graph, edge_attrs={"cost": 1})
    assert backend.convert_to_nx(converted) is graph
    del graph
    gc.collect()
    assert seen() is None
    again = backend.convert_to_nx(converted)
    assert list(again) == ["b", "a", ("c", 1)] and again["a"]["a"] == {"cost": 5}
    assert nx.utils.edges_equal(again.edges, named().edges)


@pytest.mark.parametrize("kind", ["Graph", "DiGraph", "MultiGraph", "MultiDiGraph"])
def test_graphs_are_made_anew_when_the_original_was_changed(kind: str) -> None:
    graph = getattr(nx, kind)([(0, 1), (1, 0), (0, 1), (2, 2), (1, 3)])
    before = graph.copy()
    converted = backend.convert_from_nx(graph)
    graph.add_edge(7, 8)
    again = backend.convert_to_nx(converted)
    assert type(again) is type(graph) and list(again) == list(before)
    assert sorted(again.edges) == sorted(before.edges)


@pytest.mark.parametrize("again", [copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_graphs_are_pickled_and_copied(again: Any) -> None:
    converted = backend.convert_from_nx(named(), edge_attrs={"cost": 1})
    assert nx.number_connected_components(converted) == 1  # keeps a graph of Gossamer
    other = again(converted)
    assert nx.shortest_path_length(other, "a", ("c", 1), weight="cost") == 3
    graph = named()
    assert nx.is_connected(graph, backend="gossamer")  # with what NetworkX keeps of it
    assert nx.is_connected(again(graph), backend="gossamer")


def test_views_are_converted() -> None:
    graph = nx.gnm_random_graph(30, 60, seed=1)
    part = graph.subgraph([20, 3, 4, 11, 9])
    assert nx.number_connected_components(
        part, backend="gossamer"
    ) == nx.number_connected_components(part)


@pytest.mark.parametrize("weight", [Decimal(1), Fraction(1, 2)])
def test_exact_numbers_are_refused(weight: Any) -> None:
    graph = nx.Graph()
    graph.add_edge(0, 1, weight=weight)
    why = backend.can_run("single_source_dijkstra_path_length", (graph, 0), {})
    assert why == f"weights of type {type(weight).__name__}"
    with nx.config(backend_priority=["gossamer"]):
        assert nx.single_source_dijkstra_path_length(graph, 0)[1] == weight


def test_refusals_have_reasons() -> None:
    graph = nx.path_graph(3)
    can = backend.can_run
    assert can("pagerank", (graph,), {}) is True
    assert can("pagerank", (graph,), {"dangling": {0: 1}}) is True
    assert can("pagerank", (graph,), {"dangling": {7: 1}}) == "dangling: a node of more than 0"
    given = {"dangling": {0: 1}, "alpha": 1}
    assert can("pagerank", (graph,), given) == "alpha: less than 1 with dangling"
    assert can("dijkstra_path_length", (graph, 0, 1), {"weight": len}) == "weights by a function"
    assert can("shortest_path", (graph,), {}) is True
    for name in ("shortest_path", "shortest_path_length"):
        given = {"weight": "weight", "method": "bellman-ford"}
        assert can(name, (graph,), given) == "method: Bellman-Ford"
    assert can("pagerank", (graph,), {"max_iter": 2.5}) == "max_iter: not an integer"
    sources = "multi_source_dijkstra_path"
    assert can(sources, (graph, iter([0])), {}) == "sources: not a collection"
    assert can(sources, (graph, {0}), {"weight": len}) == "weights by a function"
    katz, eigenvector = "katz_centrality", "eigenvector_centrality"
    assert can(katz, (graph,), {"nstart": {2: 1, 1: 0.5, 0: 0}, "beta": {}}) is True
    assert can(katz, (graph, "much"), {}) == "alpha: not a real number"
    assert can(katz, (graph,), {"beta": [1]}) == "beta: not a real number, or one for each node"
    assert can(eigenvector, (graph,), {"max_iter": 2.5}) == "max_iter: not an integer"
    assert can(eigenvector, (graph,), {"weight": len}) == "weights by a function"
    for start in ({0: 1}, [0, 1, 2], {0: 1, 1: 1, 2: Decimal(1)}):
        why = can(eigenvector, (graph,), {"nstart": start})
        assert why == "nstart: not a real number for each node"
    assert can("transitivity", (graph.to_directed(),), {}) == "a directed graph"
    assert can("hits", (graph,), {"nstart": {0: 1, 1: 0.5, 2: 2}}) is True
    assert can("hits", (graph,), {"max_iter": 2.5}) == "max_iter: not an integer"
    for tol in (-1, "small", float("nan")):
        assert can("hits", (graph,), {"tol": tol}) == "tol: not a real number from zero up"
    for start in ({0: 1.0}, [1.0] * 3, {2: 1.0, 1: 1.0, 0: 1.0}, {0: 1.0, 1: 1, 2: 0}, {0: 1}):
        why = can("hits", (graph,), {"nstart": start})
        assert why == "nstart: not a positive float for each node, in the graph's order"
    assert backend.should_run("pagerank", (graph,), {}) == ("4 arcs are fewer than min_arcs, 10000")
    with nx.config.backends.gossamer(min_arcs=4):
        assert backend.should_run("pagerank", (graph,), {}) is True


def test_brief_calls_wait_for_a_converted_graph() -> None:
    graph = nx.path_graph(30, nx.DiGraph)
    plain = graph.to_undirected()
    brief: list[tuple[Any, ...]] = [
        ("topological_sort", graph),
        ("is_directed_acyclic_graph", graph),
        ("triangles", plain, 3),
        ("triangles", plain, [1, 2]),
        ("triangles", plain, iter([1, 2])),
    ]
    with nx.config.backends.gossamer(min_arcs=1):
        should = backend.should_run
        for name, *args in brief:
            assert should(name, args, {}) == "NetworkX is done before the graph would be converted"
        assert should("triangles", (plain,), {}) is True
        assert should("triangles", (plain,), {"nodes": list(plain)}) is True
        for made in (graph, plain):
            nx.pagerank(made, backend="gossamer")
        for name, *args in brief:
            assert should(name, args, {}) is True
        graph.add_edge(29, 30)
        assert should("topological_sort", (graph,), {}) is not True


def test_classes_with_neighbours_of_their_own_are_refused() -> None:
    class Complement(nx.Graph):  # type: ignore[misc, name-defined]
        def __getitem__(self, node: Any) -> Any:
            return {other: {} for other in self._node if other not in self._adj[node]}

    graph = Complement([(0, 1)])
    why = backend.can_run("core_number", (graph,), {})
    assert why == "the graph's class overrides neighbours"
    with pytest.raises(gs.UsageError, match="Complement has neighbours of its own"):
        gs.from_networkx(graph)


@pytest.mark.parametrize("weight", [-1, float("nan"), "1", None, 10**30])
def test_other_weights_are_left_to_networkx(weight: Any) -> None:
    graph = nx.path_graph(3)
    graph.add_edge(1, 2, weight=weight)
    with pytest.raises(NotImplementedError):
        nx.pagerank(graph, backend="gossamer")


def test_the_machine_is_configured() -> None:
    graph = nx.path_graph(5)
    with nx.config.backends.gossamer(machine="cpu:2"):
        assert nx.has_path(graph, 0, 4, backend="gossamer")
    with nx.config.backends.gossamer(machine="abacus"), pytest.raises(gs.Error, match="abacus"):
        nx.has_path(graph, 0, 4, backend="gossamer")


CALLS: dict[str, tuple[Any, ...]] = {
    "all_pairs_dijkstra": (),
    "all_pairs_shortest_path": (),
    "eigenvector_centrality": (),
    "hits": (),
    "k_core": (2,),
    "katz_centrality": (0.01,),
    "maximal_independent_set": (None, 5),
    "multi_source_dijkstra": ({0, 7, 9},),
    "shortest_path": (None, 3, "weight"),
    "single_source_dijkstra": (5,),
    "single_target_shortest_path": (4,),
}


@pytest.mark.parametrize("name", CALLS)
def test_several_ranks_find_what_one_does(name: str) -> None:
    graph = nx.gnm_random_graph(40, 90, seed=1)
    for i, (_, _, attributes) in enumerate(graph.edges(data=True)):
        attributes["weight"] = i % 6
    found = []
    for machine in ("cpu:1", "cpu:3"):
        with nx.config.backends.gossamer(machine=machine):
            result = getattr(nx, name)(graph, *CALLS[name], backend="gossamer")
        if isinstance(result, nx.Graph):
            result = list(result.edges)
        found.append(list(result) if isinstance(result, Iterator) else result)
    if name == "hits":  # which ends by the size of what is left
        for three, one in zip(found[1], found[0], strict=True):
            assert three == pytest.approx(one, rel=1e-9, abs=1e-12)
    elif "centrality" in name:  # floats, which several ranks add in another order
        assert found[1] == pytest.approx(found[0], rel=1e-12)
    else:
        assert found[1] == found[0]


def test_views_of_edges_are_read() -> None:
    graph = nx.MultiGraph([(0, 1), (0, 1), (1, 2), (0, 2)])
    view = graph.edge_subgraph([(0, 1, 0), (1, 2, 0)])
    assert nx.number_connected_components(view, backend="gossamer") == 1
    assert gs.from_networkx(view).to_scipy().toarray().tolist() == [[0, 1, 0], [1, 0, 1], [0, 1, 0]]


def test_steps_are_left_to_networkx_without_a_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    def without(*_: Any, **__: Any) -> None:
        raise gs.NotCompiled("no compiler")

    monkeypatch.setattr(gs, "vertex_steps", without)
    graph = nx.path_graph(4)
    for name in ("katz_centrality", "eigenvector_centrality", "hits", "maximal_independent_set"):
        with pytest.raises(NotImplementedError, match="raised NotImplementedError"):
            getattr(nx, name)(graph, backend="gossamer")
    with nx.config.backends.gossamer(min_arcs=0), nx.config(backend_priority=["gossamer"]):
        assert nx.katz_centrality(graph) == nx.katz_centrality(graph, backend="networkx")

"""Graphs of NetworkX as Gossamer's."""

from __future__ import annotations

from typing import Any

import gossamer as gs
import numpy as np
import pytest

nx = pytest.importorskip("networkx")


def named() -> Any:
    """Three named nodes, two edges of which one weighs, a self-loop."""
    graph = nx.Graph()
    graph.add_edge("b", "a", cost=2)
    graph.add_edge("b", ("c", 1))
    graph.add_edge("a", "a", cost=5)
    return graph


def test_a_graph_has_the_nodes_for_names() -> None:
    graph = gs.from_networkx(named(), weight="cost")
    assert list(graph.names) == ["b", "a", ("c", 1)]
    assert graph.index_of(("c", 1)) == 2 and graph.name_of(0) == "b"
    assert graph.symmetric and graph.sorted and graph.arcs == 5
    np.testing.assert_array_equal(graph.indptr, [0, 2, 4, 5])
    np.testing.assert_array_equal(graph.indices, [1, 2, 0, 1, 0])
    assert graph.weights is not None
    np.testing.assert_array_equal(graph.weights, [2, 1, 2, 5, 1])
    with pytest.raises(gs.UsageError, match="no vertex 'd' \\(3 names: 'b', 'a', "):
        graph.index_of("d")


def test_names_stay_in_graphs_made_of_a_graph() -> None:
    given = nx.path_graph(["x", "y"])
    given.add_edges_from(["pq", "qr"])
    part = gs.from_networkx(given).largest_component()
    assert list(part.names) == ["p", "q", "r"]
    assert part.index_of("q") == 1 and part.transposed().name_of(2) == "r"
    with pytest.raises(gs.UsageError, match="no vertex 'x'"):
        part.index_of("x")


def test_parallel_edges_stay_parallel() -> None:
    given = nx.MultiDiGraph()
    given.add_edge(0, 1, w=2.5)
    given.add_edge(0, 1)
    given.add_edge(1, 1, w=0.5)
    graph = gs.from_networkx(given, "w")
    assert graph.directed
    np.testing.assert_array_equal(graph.indices, [1, 1, 1])
    assert sorted(graph.weights[:2].tolist()) == [1.0, 2.5]  # type: ignore[index]


def test_what_is_refused() -> None:
    with pytest.raises(gs.UsageError, match="from_networkx: not a NetworkX graph: int"):
        gs.from_networkx(3)
    with pytest.raises(gs.InputError, match="from_networkx: the graph has no nodes"):
        gs.from_networkx(nx.Graph())
    bare = nx.Graph(["ab"])
    said = "^from_networkx: weight: no edge has the attribute 'wieght'; edges have "
    with pytest.raises(gs.UsageError, match=said + "none$"):
        gs.from_networkx(bare, "wieght")
    bare["a"]["b"].update(weight=2, since=1990)
    with pytest.raises(gs.UsageError, match=said + "'since', 'weight'$"):
        gs.from_networkx(bare, "wieght")
    bare["a"]["b"].update({i: i for i in range(9)})
    with pytest.raises(gs.UsageError, match=said + "'since', 'weight', 0, 1, 2, …$"):
        gs.from_networkx(nx.MultiDiGraph(bare), "wieght")
    assert gs.from_networkx(nx.empty_graph(2), "wieght").arcs == 0
    given = nx.Graph()
    given.add_edge("a", "b", w=1)
    given.add_edge("b", "c", w="heavy")
    words = "^edge attribute 'w' of 'b' -> 'c': weights are numbers of 64 bits"
    with pytest.raises(gs.InputError, match=words + ", not str$"):
        gs.from_networkx(given, "w")
    given["b"]["c"]["w"] = 1 << 70
    with pytest.raises(gs.InputError, match=words + "$"):
        gs.from_networkx(given, "w")
    given["b"]["c"]["w"] = np.longdouble(1)
    with pytest.raises(gs.InputError, match=words + ", not longdouble$"):
        gs.from_networkx(given, "w")
    for other, large in ((0.5, 2**53 + 1), (1, 2**63 + 1)):
        given["a"]["b"]["w"], given["b"]["c"]["w"] = other, large
        said = f"'b' -> 'c': {large} is no double, and not all weights are integers of 64 bits"
        with pytest.raises(gs.InputError, match=said):
            gs.from_networkx(given, "w")
    given["b"]["c"]["w"], given["a"]["b"]["w"] = 2**60, 0.5
    weights = gs.from_networkx(given, "w").weights
    assert weights is not None and weights.tolist() == [0.5, 0.5, 2.0**60, 2.0**60]
    given["a"]["b"]["w"] = 1
    parallel = nx.MultiDiGraph([("a", "b", {"w": 1}), ("a", "b", {"w": 2}), ("b", "a", {"w": [1]})])
    with pytest.raises(gs.InputError, match="'w' of 'b' -> 'a': weights are numbers of 64 bits"):
        gs.from_networkx(parallel, "w")
    given["b"]["c"]["w"] = -1
    with pytest.raises(gs.InputError, match="networkx: the arc 'b' -> 'c' has the weight -1; "):
        gs.sssp(gs.from_networkx(given, "w"), "a", "cpu:1x1")

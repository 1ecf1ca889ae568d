"""Names of vertices: any hashable objects, through every way in, and as sources."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path
from typing import Any

import gossamer as gs
import numpy as np
import pytest
import scipy.sparse as sp

NAMES = ["a", ("b", 1), None, 2.5, "lone"]


def path(names: Any = NAMES) -> gs.Graph:
    """A path over the first four, and a vertex beside it."""
    return gs.from_edges([0, 1, 2], [1, 2, 3], [1, 2, 3], symmetrize=True, names=names)


def test_names_are_any_hashable_objects() -> None:
    graph = path()
    assert graph.vertices == 5 and graph.names.tolist() == NAMES
    assert [graph.index_of(name) for name in NAMES] == [0, 1, 2, 3, 4]
    assert [graph.name_of(v) for v in range(5)] == NAMES
    words = r"edges: no vertex 'c' \(5 names: 'a', \('b', 1\), None, …\)"
    with pytest.raises(gs.UsageError, match=words):
        graph.index_of("c")
    with pytest.raises(gs.UsageError, match="expected a name, which is hashable, got list"):
        graph.index_of(["a"])


def test_names_stay_with_what_is_made_of_a_graph() -> None:
    graph = gs.from_edges([3, 1], [1, 2], names=["lone", "x", "y", "z"])
    assert graph.largest_component().names.tolist() == ["x", "y", "z"]
    assert graph.largest_component().index_of("z") == 2
    assert graph.transposed().names.tolist() == graph.rebuild(symmetrize=True).names.tolist()
    with pytest.raises(gs.UsageError, match="no vertex 'lone'"):
        graph.largest_component().index_of("lone")


def test_every_way_in_takes_names() -> None:
    matrix = sp.csr_array(np.array([[0, 1], [0, 0]]))
    for graph in (
        gs.from_scipy(matrix, names=["x", "y"]),
        gs.from_csr(matrix.indptr, matrix.indices, names=np.array(["x", "y"])),
    ):
        assert graph.names.tolist() == ["x", "y"] and graph.index_of("y") == 1


@pytest.mark.parametrize("given", [[30, 10, 20], np.array([30, 10, 20], np.uint32)])
def test_integers_are_the_librarys_own_names(given: Any, tmp_path: Any) -> None:
    graph = gs.from_edges([0], [1], names=given)
    assert graph.names.tolist() == [30, 10, 20] and graph.names.dtype == np.int64
    assert [graph.index_of(name) for name in (30, 10, 20)] == [0, 1, 2]
    graph.write(tmp_path / "named.gsr")
    assert gs.read(tmp_path / "named.gsr").names.tolist() == [30, 10, 20]
    with pytest.raises(gs.UsageError, match=r"no vertex 5 \(3 ids from 10 to 30\)"):
        graph.index_of(5)


def test_a_file_without_the_names_says_so(tmp_path: Any) -> None:
    graph = gs.from_edges([("a", "b")])
    with pytest.warns(gs.NamesWarning, match=r"x.gsr has indices in place of names: no format"):
        graph.write(tmp_path / "x.gsr")
    assert gs.read(tmp_path / "x.gsr").names.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (["a", "b", "a"], "from_edges: names: vertices 0 and 2 are both 'a'"),
        (np.array([4, 7, 7]), "from_edges: names: vertices 1 and 2 are both 7"),
        (["a", [1], "c"], "from_edges: names: vertex 1 has a list, which is not hashable"),
        ("abc", "from_edges: names: expected one name a vertex, got str"),
        (7, "from_edges: names: expected one name a vertex, got int"),
        (np.array([[1, 2]]), "from_edges: names: expected one dimension, got 2"),
    ],
)
def test_bad_names_are_refused(names: Any, words: str) -> None:
    with pytest.raises(gs.UsageError, match=words):
        gs.from_edges([0], [1], names=names)


def test_a_name_a_vertex() -> None:
    with pytest.raises(gs.UsageError, match="edges: 1 names for 2 vertices"):
        gs.from_edges([0], [1], n=2, names=["a"])
    with pytest.raises(gs.InputError, match="vertex 1 is not below the number of vertices, 1"):
        gs.from_edges([0], [1], names=["a"])


def test_sources_are_indices_or_names() -> None:
    graph = path()
    by_name = gs.bfs(graph, ("b", 1), "cpu:1")
    assert by_name.source == 1 and by_name.depths.tolist() == [1, 0, 1, 2, -1]
    assert gs.bfs(graph, 1, "cpu:1").source == 1
    assert gs.sssp(graph, 2.5, "cpu:1").source == 3
    placed = gs.Machine("cpu:1").place(graph)
    assert gs.BfsSearch(placed).run(None).source == 2
    gs.verify_bfs(graph, ("b", 1), by_name.parents, by_name.depths)
    for search in (gs.bfs, gs.sssp):
        with pytest.raises(gs.UsageError, match="no vertex 'c'"):
            search(graph, "c", "cpu:1")
        with pytest.raises(gs.UsageError, match="source: expected an integer, got True"):
            search(graph, True, "cpu:1")


def test_integers_are_indices_whatever_vertices_are_called() -> None:
    graph = gs.from_edges([0, 1], [1, 2], names=[2, 1, "x"])
    assert gs.bfs(graph, 2, "cpu:1").source == 2
    assert gs.bfs(graph, graph.index_of(2), "cpu:1").source == 0


def test_len_and_in() -> None:
    graph = path()
    assert len(graph) == 5 and ("b", 1) in graph and None in graph
    assert "c" not in graph and ["a"] not in graph and 0 not in graph
    assert 2 in gs.grid(2, 2) and 4 not in gs.grid(2, 2) and "a" not in gs.grid(2, 2)


def test_a_pickle_is_the_graph(small_file: Path) -> None:
    named = gs.from_edges([3, 1], [1, 2], names=["lone", "x", "y", "z"]).largest_component()
    for graph in (path(), gs.read(small_file), gs.kronecker(6), named):
        again = pickle.loads(pickle.dumps(graph))
        assert repr(again) == repr(graph) and again.names.tolist() == graph.names.tolist()
        for what in ("symmetric", "sorted", "steps", "format", "weight_source", "id_width"):
            assert getattr(again, what) == getattr(graph, what)
        assert np.array_equal(again.indptr, graph.indptr)
        assert np.array_equal(again.indices, graph.indices)
        assert np.array_equal(again.weights, graph.weights)
        again.validate()
    assert pickle.loads(pickle.dumps(named)).index_of("z") == 2


def test_a_copy_of_what_never_changes_is_itself() -> None:
    graph = path()
    assert copy.copy(graph) is graph and copy.deepcopy([graph])[0] is graph


def test_ends_may_be_names() -> None:
    graph = gs.from_edges(["b", "a", "c"], ["a", "c", "b"], [1, 2, 3])
    assert list(graph.names) == ["b", "a", "c"] and graph.arcs == 3
    assert gs.sssp(graph, "b", "cpu:1").to_dict() == {"b": 0, "a": 1, "c": 3}
    tuples = gs.from_edges([(0, 0), (0, 1)], [(0, 1), (1, 1)], symmetrize=True)
    assert list(tuples.names) == [(0, 0), (0, 1), (1, 1)] and len(tuples) == 3
    of_arrays = gs.from_edges(np.array(["x", "y"]), np.array(["y", "z"], object))
    assert list(of_arrays.names) == ["x", "y", "z"]
    assert list(gs.from_edges([b"x", 7], [7, 8]).names) == [b"x", 7, 8]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ((["a"], ["b", "c"]), "from_edges: u has 1 elements, v has 2"),
        ((["a", ["b"]], ["b", "c"]), "from_edges: edge 1: a list is not hashable"),
        ((["a", None], ["b", "c"]), "from_edges: None is no name"),
        ((["a"], ["b"], None, 3), "from_edges: ends that are names say how many and which"),
    ],
)
def test_ends_that_are_no_names_are_refused(given: Any, message: str) -> None:
    with pytest.raises(gs.UsageError, match=message):
        gs.from_edges(*given)


def test_an_integer_that_is_a_name_alone_says_so() -> None:
    weights = np.array([1, 2, 3], np.int32)
    graph = gs.from_edges([0, 1, 2], [1, 2, 0], weights, names=np.array([5, 7, 1001]))
    with pytest.raises(gs.UsageError) as caught:
        gs.sssp(graph, 1001, "cpu:1")
    said = "no vertex with index 1001, but one of that name: graph.index_of(1001)"
    assert str(caught.value).endswith(said)
    assert gs.bfs(graph, graph.index_of(1001), "cpu:1")[1001] == 0


def test_arcs_that_are_refused_are_named() -> None:
    ends = ["ann", ("bob", 1)], [("bob", 1), "cleo"]
    words = "the arc ('bob', 1) -> 'cleo' has the weight "
    positive = gs.vertex_program("min", "value + weight", "uint32")
    sums = gs.vertex_program("sum", "value * weight", "float64", threshold=1e-9)
    for weight, shown in ((-2.5, "-2.5"), (np.nan, "nan"), (np.inf, "inf")):
        graph = gs.from_edges(*ends, [1.0, weight])
        for call in (
            lambda graph=graph: gs.sssp(graph, "ann", "cpu:1x1"),
            lambda graph=graph: gs.SsspSearch(graph, "cpu:2x1", engine="async"),
            lambda graph=graph: gs.pagerank(graph, "cpu:1x1", weighted=True),
            lambda graph=graph: gs.sssp(graph.largest_component(), "ann", "cpu:1x1"),
            lambda graph=graph: positive.prepare(graph, "cpu:1x1"),
        ):
            with pytest.raises(gs.InputError) as caught:
                call()
            assert words + shown in str(caught.value) and caught.value.arc == (1, 2)
    with pytest.raises(gs.InputError, match=r"'cleo' has the weight -3, and sums only grow$"):
        sums.prepare(gs.from_edges(*ends, [1, -3]), "cpu:1x1")


def test_arcs_of_integers_keep_their_ids(tmp_path: Path) -> None:
    file = tmp_path / "edges.csv"
    file.write_text("source,target,weight\n70,30,1\n30,500,-2\n")
    with pytest.raises(gs.InputError, match=r"edges\.csv: the arc 30 -> 500 has the weight -2; "):
        gs.sssp(gs.read(file), 0, "cpu:1x1")
    file.write_text("source,target,weight\nann,bob,1\nbob,cleo,-2\n")
    with pytest.raises(gs.InputError, match=r"edges\.csv: the arc 'bob' -> 'cleo' has the weight"):
        gs.sssp(gs.read(file), "ann", "cpu:1x1")

"""Results by the names of vertices."""

from __future__ import annotations

import copy
import pickle
import sys
from collections.abc import Callable
from typing import Any

import gossamer as gs
import numpy as np
import pytest

NAMES = ["a", ("b", 1), "c", "lone"]


def graph(names: Any = NAMES, w: Any = (2, 3)) -> gs.Graph:
    """A path over the first three, and a vertex beside it."""
    return gs.from_edges([0, 1], [1, 2], w, symmetrize=True, names=names)


def test_values_by_name() -> None:
    g = graph()
    found = gs.bfs(g, "c", "cpu:1")
    assert found["a"] == 2 and found["lone"] is None and type(found["a"]) is int
    assert found.to_dict() == {"a": 2, ("b", 1): 1, "c": 0, "lone": None}
    assert gs.sssp(g, "c", "cpu:1").to_dict() == {"a": 5, ("b", 1): 3, "c": 0, "lone": None}
    assert gs.components(g, "cpu:1").to_dict() == {
        "a": "a",
        ("b", 1): "a",
        "c": "a",
        "lone": "lone",
    }
    ranks = gs.pagerank(g, "cpu:1")
    assert list(ranks.to_dict()) == NAMES and ranks["a"] == ranks.ranks[0]
    assert gs.sssp(graph(w=[0.5, 1.5]), 0, "cpu:1")["c"] == 2.0
    with pytest.raises(gs.UsageError, match="no vertex 'x'"):
        found["x"]


def test_ids_of_files_are_names(small: gs.Graph) -> None:
    found = gs.bfs(small, small.index_of(4), "cpu:1")
    assert found[4] == 0 and found[3] == 1 and found[5] is None
    assert gs.components(small, "cpu:1")[6] == 5  # a vertex, by the file's id
    with pytest.raises(gs.UsageError, match="no vertex 0"):
        found[0]


def test_series_and_frames() -> None:
    pd = pytest.importorskip("pandas")
    g = graph()
    depths = gs.bfs(g, "a", "cpu:1").to_series()
    assert depths.name == "depth" and depths.index.name == "vertex" and depths["c"] == 2
    assert depths.index.tolist() == NAMES and depths.mean() == 1  # of those that were reached
    table = gs.sssp(g, "a", "cpu:1", parents=True).to_frame()
    assert table["distance"].mean() == 7 / 3 and table["distance"].isna().tolist()[-1]
    assert table["parent"].tolist() == ["a", "a", ("b", 1), None]
    assert gs.components(g, "cpu:1").to_frame()["label"].tolist() == ["a", "a", "a", "lone"]
    numbered = gs.bfs(graph([10, 20, 30, 40]), 0, "cpu:1").to_frame()
    assert numbered["parent"].dropna().tolist() == [10, 10, 20]
    assert numbered["parent"].isna().tolist() == [False] * 3 + [True]
    floats = gs.sssp(graph(w=[0.5, 1.5]), 0, "cpu:1").to_series()
    assert np.isnan(floats["lone"]) and floats.mean() == 2.5 / 3
    assert isinstance(gs.pagerank(g, "cpu:1").to_series(), pd.Series)


def test_programs_have_values_by_name() -> None:
    pd = pytest.importorskip("pandas")
    found = gs.vertex_program("min", "value + weight").run(graph(), "a", "cpu:1")
    assert found["c"] == 5 and found.to_dict() == {"a": 0, ("b", 1): 2, "c": 5, "lone": None}
    assert found.values.tolist() == [0, 2, 5, np.inf]
    assert isinstance(found.to_series(), pd.Series) and found.to_series().name == "value"
    assert repr(found).startswith("VertexProgramResult(engine='worklist'")


@pytest.mark.parametrize("dtype", ["int32", "uint32", "int64", "uint64", "float32", "float64"])
def test_what_no_program_reached_has_no_value(dtype: str) -> None:
    def found(update: str, propagate: str, **options: Any) -> Any:
        return gs.vertex_program(update, propagate, dtype, **options).run(graph(), "a", "cpu:1")

    hops = found("min", "value + 1")
    assert hops["lone"] is None and hops.to_dict() == {"a": 0, ("b", 1): 1, "c": 2, "lone": None}
    widest = found("max", "min(value, weight)", start=9)
    assert widest.to_dict() == {"a": 9, ("b", 1): 2, "c": 2, "lone": None}
    assert pickle.loads(pickle.dumps(hops))["lone"] is None
    # What someone else says is a number like others.
    assert found("min", "value + 1", initial=100)["lone"] == 100
    begun = gs.vertex_program("min", "value + 1", dtype)
    most = begun.initial.item()
    given = np.array([0, most, most, most], dtype)
    assert begun.run(graph(), machine="cpu:1", values=given)["lone"] == most
    if "int" in dtype:
        bits = found("or", "value")
        assert bits.to_dict() == {"a": 1, ("b", 1): 1, "c": 1, "lone": 0}


def test_an_attribute_that_is_not_there_says_what_is() -> None:
    g = graph()
    program = gs.vertex_program("min", "value + weight").run(g, 0, "cpu:1")
    cases: list[tuple[Any, str, str]] = [
        (gs.pagerank(g, "cpu:1"), "scores", "Result has no 'scores'; its values are in 'ranks'"),
        (gs.betweenness(g, "cpu:1"), "values", "its values are in 'scores'"),
        (gs.sssp(g, "a", "cpu:1"), "depths", "its values are in 'distances' and 'parents'"),
        (gs.bfs(g, "a", "cpu:1"), "distances", "its values are in 'depths' and 'parents'"),
        (gs.closeness(g, "cpu:1"), "scores", "its values are in 'values' and 'depths'"),
        (gs.triangles(g, "cpu:1"), "numbers", "its values are in 'counts' and 'pairs'"),
        (program, "ranks", "VertexProgramResult has no 'ranks'; its values are in 'values'"),
        (program, "_ranks", "'VertexProgramResult' object has no attribute '_ranks'"),
        (program, "__array__", "'VertexProgramResult' object has no attribute '__array__'"),
    ]  # fmt: skip
    for result, name, said in cases:
        assert not hasattr(result, name) and getattr(result, name, 1) == 1
        with pytest.raises(AttributeError, match=f"{said}$") as caught:
            getattr(result, name)
        assert copy.copy(result).to_dict() == result.to_dict()
        assert caught.value.name == name and caught.value.obj is result


def test_an_error_within_a_property_stays() -> None:
    class Torn(type(gs.pagerank(graph(), "cpu:1"))):  # type: ignore[misc]
        @property
        def torn(self) -> Any:
            return None.missing  # type: ignore[attr-defined]

    with pytest.raises(AttributeError, match="'NoneType' object has no attribute 'missing'"):
        object.__new__(Torn).torn  # noqa: B018


def test_a_source_is_shown_as_it_is_given() -> None:
    g = graph()
    assert repr(gs.sssp(g, "c", "cpu:1")).startswith("SsspResult(source='c', reached=3, engine=")
    assert repr(gs.bfs(g, ("b", 1), "cpu:1")).startswith("BfsResult(source ('b', 1), 3 reached")
    numbered = gs.bfs(graph([10, 20, 30, 40]), 2, "cpu:1")  # 30 would be an index, too
    assert repr(numbered).startswith("BfsResult(source 2, ")
    assert "<td>c</td>" in gs.sssp(g, "c", "cpu:1")._repr_html_()


def test_results_are_asked_by_name_and_not_gone_through() -> None:
    found = gs.pagerank(graph(), "cpu:1")
    uses: list[Callable[[Any], object]] = [list, lambda result: "a" in result]
    for use in uses:
        with pytest.raises(TypeError, match="is not iterable"):
            use(found)


def test_what_is_no_name_is_refused_by_who_asked() -> None:
    with pytest.raises(gs.UsageError, match=r"^bfs: source: expected a name, which is hashable"):
        gs.bfs(graph(), ["a", "c"], "cpu:1")


def test_results_pickle() -> None:
    g = graph()
    found: list[Any] = [
        gs.sssp(g, "c", "cpu:1", parents=True), gs.components(g, "cpu:1"),
        gs.pagerank(g, "cpu:1"), gs.vertex_program("min", "value + weight").run(g, 0, "cpu:1"),
    ]  # fmt: skip
    for result in found:
        again = pickle.loads(pickle.dumps(result))
        assert again.to_dict() == result.to_dict() and repr(again) == repr(result)
    assert np.array_equal(pickle.loads(pickle.dumps(found[0])).distances, found[0].distances)
    assert pickle.loads(pickle.dumps(found[1])).gather("labels").tolist() == [0, 0, 0, 3]


def test_a_search_pickles_with_its_graph() -> None:
    found = gs.bfs(graph(), "a", "cpu:1")
    for again in (pickle.loads(pickle.dumps(found)), copy.deepcopy(found)):
        twice = pickle.loads(pickle.dumps(again))
        assert repr(twice) == repr(again) == repr(found)
        assert twice.to_dict() == found.to_dict() and twice.path("c") == found.path("c")
        assert (again.edges, again.phases, again.per_level) == (
            found.edges, found.phases, found.per_level,
        )  # fmt: skip
        assert np.array_equal(again.gather(), found.parents)
        again.verify()
        for of_ranks in ("placed", "parts"):
            with pytest.raises(gs.UsageError, match=f"^{of_ranks}: a pickle keeps the "):
                getattr(again, of_ranks)
    assert copy.copy(found) is found
    in_parts = gs.bfs(gs.Machine("cpu:2x1").generate("kron:11"), 1)
    with pytest.raises(gs.UsageError, match="parts"):
        pickle.dumps(in_parts)


def test_paths_are_given_by_names() -> None:
    g = graph()
    found = gs.bfs(g, "a", "cpu:1")
    path = found.path("c")
    assert path[0] == "a" and path[-1] == "c" and found.path("a") == ["a"]
    assert gs.sssp(g, "a", "cpu:1", parents=True).path("c")[0] == "a"
    with pytest.raises(gs.UsageError, match=r"^path: 'lone' is not reached from 'a'$"):
        found.path("lone")
    with pytest.raises(gs.UsageError, match="no vertex 'nobody'"):
        found.path("nobody")
    with pytest.raises(gs.UsageError, match=r"^path: there are no parents; search with parents="):
        gs.sssp(g, "a", "cpu:1").path("c")


def test_results_hold_no_graph() -> None:
    found = gs.pagerank(graph(), "cpu:1")  # the graph is gone
    assert set(found.to_dict()) == set(NAMES)


def test_without_pandas_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    found = gs.bfs(graph(), 0, "cpu:1")
    with pytest.raises(gs.UsageError, match="to_series needs pandas, which is not installed"):
        found.to_series()
    with pytest.raises(gs.UsageError, match="to_frame needs pandas"):
        found.to_frame()


def test_series_of_numbers_may_be_subtracted() -> None:
    for weights in ([1, 2], None):
        g = gs.from_edges([0, 1], [1, 2], weights, 3)
        found = gs.sssp(g, 0, "cpu:1") if weights else gs.components(g, "cpu:1")
        series = found.to_series()
        assert (series - 10 < 0).all() and series.dtype in ("Int64", "int64", "int32")


def test_networkx_graphs_are_answered_with_what_takes_them() -> None:
    nx = pytest.importorskip("networkx")
    for call in (gs.pagerank, gs.components, lambda g: gs.bfs(g, 0)):
        with pytest.raises(gs.UsageError, match=r"of NetworkX \(gs.from_networkx makes one"):
            call(nx.path_graph(3))


def test_plans_read_as_text() -> None:
    plan = gs.SsspSearch.plan(gs.kronecker(8, weights=True), gs.Machine("cpu:2x1"))
    first, *lines = str(plan).splitlines()
    assert first.endswith(" in all") and len(lines) == len(plan.entries)
    assert "rank 1, host: columns (exact)" in str(plan)

"""Graphs of pandas' frames: names of any type, duplicates, and what is missing."""

from __future__ import annotations

import sys
from typing import Any

import gossamer as gs
import numpy as np
import pytest

pd = pytest.importorskip("pandas")


def frame(source: Any, target: Any, **columns: Any) -> Any:
    return pd.DataFrame({"source": source, "target": target, **columns})


def arcs(graph: gs.Graph) -> list[tuple[Any, ...]]:
    """Every arc by the names of its ends, with its weight."""
    names = graph.names.tolist()
    rows = np.repeat(np.arange(graph.vertices), graph.degrees)
    values = [] if graph.weights is None else [graph.weights.tolist()]
    ends = [names[v] for v in rows], [names[v] for v in graph.indices]
    return sorted(zip(*ends, *values, strict=True))


@pytest.mark.parametrize("kind", ["str", "object", "category", "string"])
def test_strings_are_names(kind: str) -> None:
    table = frame(["b", "a", "b"], ["c", "b", "d"]).astype(kind)
    graph = gs.from_pandas(table)
    assert graph.names.tolist() == ["b", "a", "c", "d"]
    assert arcs(graph) == [("a", "b"), ("b", "c"), ("b", "d")]
    assert graph.index_of("c") == 2 and graph.name_of(2) == "c" and not graph.weighted
    assert all(type(name) is str for name in graph.names)


@pytest.mark.parametrize(
    ("one", "other"), [("int64", "int64"), ("int32", "uint64"), ("Int64", "O")]
)
def test_integers_ascend(one: str, other: str) -> None:
    graph = gs.from_pandas(frame(pd.array([7, 3], one), pd.array([9, 7], other)))
    assert graph.names.tolist() == [3, 7, 9] and graph.names.dtype == np.int64
    assert arcs(graph) == [(3, 7), (7, 9)]
    consecutive = gs.from_pandas(frame([2, 0], [1, 2]))
    assert consecutive.names.tolist() == [0, 1, 2] and consecutive.index_of(2) == 2


def test_wide_integers_are_not_rounded() -> None:
    graph = gs.from_pandas(frame(np.array([2**53 + 1], np.int64), np.array([2**53], np.uint64)))
    assert graph.names.tolist() == [2**53, 2**53 + 1]


def test_tuples_dates_and_mixtures_are_names() -> None:
    day = pd.Timestamp("2026-01-02")
    graph = gs.from_pandas(frame([(1, 2), "x"], [day, 5]))
    assert graph.names.tolist() == [(1, 2), "x", day, 5]
    dates = gs.from_pandas(frame(pd.to_datetime(["2026-01-02"]), pd.to_datetime(["2026-01-03"])))
    assert dates.index_of(day) == 0


@pytest.mark.parametrize(
    ("duplicates", "directed", "undirected"),
    [
        ("keep", [5, 7, 1, 4], [5, 7, 1, 4]),
        ("first", [5, 1, 4], [5, 4]),
        ("sum", [12, 1, 4], [13, 4]),
        ("min", [5, 1, 4], [1, 4]),
        ("max", [7, 1, 4], [7, 4]),
    ],
)  # fmt: skip
def test_duplicates(duplicates: str, directed: list[int], undirected: list[int]) -> None:
    table = frame(["a", "a", "b", "c"], ["b", "b", "a", "c"], w=[5, 7, 1, 4])
    graph = gs.from_pandas(table, weight="w", duplicates=duplicates)
    assert sorted(w for *_, w in arcs(graph)) == sorted(directed)
    both = gs.from_pandas(table, weight="w", duplicates=duplicates, directed=False)
    both.validate()
    want = [w for w in undirected if w != 4] * 2 + [4]  # a loop is stored once
    assert both.symmetric and sorted(w for *_, w in arcs(both)) == sorted(want)
    simple = gs.from_pandas(
        table, weight="w", duplicates=duplicates, directed=False, remove_self_loops=True
    )
    assert simple.arcs == both.arcs - 1


def test_sums_agree_with_scipy() -> None:
    random = np.random.default_rng(3)
    u, v, w = random.integers(0, 40, (3, 3000))
    table = frame(u, v, w=w.astype(float))
    graph = gs.from_pandas(table, weight="w", duplicates="sum")
    want = np.zeros((40, 40))
    np.add.at(want, (u, v), w)
    assert np.array_equal(graph.to_scipy().toarray(), want)
    assert graph.arcs == np.count_nonzero(np.bincount(u * 40 + v))


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (frame(["a", None], ["b", "c"]), "row 1: no value in column 'source'"),
        (frame([1.0, 2.0], [2.0, np.nan]), "row 1: no value in column 'target'"),
        (
            frame(["a"] * 3, ["b"] * 3, w=[1, 2, np.nan]),
            "row 2, 'a' -> 'b': no value in column 'w'",
        ),
        (frame([3], [4], w=[None]), "row 0, 3 -> 4: no value in column 'w'"),
    ],
)
def test_missing_values_are_refused_with_their_row(table: Any, words: str) -> None:
    with pytest.raises(gs.InputError, match=f"^from_pandas: {words}$"):
        gs.from_pandas(table, weight="w" if "w" in table else None)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"source": "from"}, r"no column 'from' \(there are 'source', 'target', 'w', 'text'\)"),
        ({"duplicates": "last"}, "duplicates 'last' is none of keep, first, sum, min, max"),
        ({"duplicates": "sum"}, "duplicates 'sum' needs a column of weights"),
        ({"weight": "text"}, "column 'text': weights are numbers"),
        ({"source": "w"}, "column 'w' has values that are not hashable"),
        ({"directed": 1}, "directed: expected True or False, got 1"),
    ],
)
def test_errors(options: dict[str, Any], words: str) -> None:
    table = frame(["a"], ["b"], w=pd.Series([[1]]), text=["x"])
    with pytest.raises(gs.UsageError, match=f"^from_pandas: {words}"):
        gs.from_pandas(table, **options)


def test_only_frames_are_taken() -> None:
    with pytest.raises(gs.UsageError, match="expected a DataFrame, got dict"):
        gs.from_pandas({"source": ["a"], "target": ["b"]})


def test_without_pandas_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(gs.UsageError, match="from_pandas needs pandas, which is not installed"):
        gs.from_pandas(None)

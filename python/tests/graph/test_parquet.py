"""Parquet files of edges: columns, names, row groups, and what is refused."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import gossamer as gs
import numpy as np
import pytest
from gossamer.graph.parquet import ParquetFile

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


def written(folder: Path, columns: dict[str, Any], rows: int = 2) -> Path:
    """A file of these columns, so many rows a group."""
    path = folder / "edges.parquet"
    pq.write_table(pa.table(columns), path, row_group_size=rows)
    return path


def arcs(graph: gs.Graph) -> list[tuple[Any, ...]]:
    names = graph.names.tolist()
    rows = np.repeat(np.arange(graph.vertices), graph.degrees)
    values = [] if graph.weights is None else [graph.weights.tolist()]
    ends = [names[v] for v in rows], [names[v] for v in graph.indices]
    return sorted(zip(*ends, *values, strict=True))


@pytest.mark.parametrize("kind", ["int64", "int32", "uint8", "uint64"])
def test_ids(tmp_path: Path, kind: str) -> None:
    ends = {"dst": pa.array([9, 7, 3], kind), "note": ["x", "y", "z"]}
    path = written(tmp_path, ends | {"src": pa.array([7, 3, 9], kind)})
    graph = gs.read(path)
    assert graph.format == "parquet" and graph.name == "edges.parquet"
    assert graph.names.tolist() == [3, 7, 9] and arcs(graph) == [(3, 7), (7, 9), (9, 3)]


def test_weights(tmp_path: Path) -> None:
    ends = {"a": [0, 1, 2], "b": [1, 2, 0]}
    whole = gs.read(written(tmp_path, ends | {"Weight": [5, 6, 7]}))
    assert (
        whole.weights is not None
        and whole.weights.dtype == np.int32
        and arcs(whole) == [(0, 1, 5), (1, 2, 6), (2, 0, 7)]
    )
    real = gs.read(written(tmp_path, ends | {"w": [5, 6.5, 7]}))
    assert (
        real.weights is not None
        and real.weights.dtype == np.float64
        and arcs(real)[1] == (1, 2, 6.5)
    )


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.dictionary("int8", "string")])
def test_texts_are_names(tmp_path: Path, kind: Any) -> None:
    ends = {"from": ["ann", "bob", "cleo", "ann"], "to": ["bob", "cleo", "ann", "dan"]}
    path = written(tmp_path, {name: pa.array(x).cast(kind) for name, x in ends.items()})
    graph = gs.read(path)
    assert sorted(graph.names) == ["ann", "bob", "cleo", "dan"]
    assert arcs(graph) == sorted(zip(*ends.values(), strict=True))
    assert gs.bfs(graph, "bob", machine="cpu:1x1").reached == 4
    steps = gs.read(path, symmetrize=True, largest_component=True)
    assert steps.symmetric and steps.index_of("dan") >= 0


def test_progress_and_steps(tmp_path: Path) -> None:
    rows = 50_000  # four times as many are in three batches and a bit
    path = written(tmp_path, {"u": [0, 1, 1, 1] * rows, "v": [0, 2, 2, 1] * rows}, rows)
    seen: list[tuple[int, int]] = []
    graph = gs.read(
        path, deduplicate=True, remove_self_loops=True, progress=lambda *at: seen.append(at)
    )
    assert arcs(graph) == [(1, 2)]
    assert len(seen) == 4 and seen[-1] == (path.stat().st_size,) * 2


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"a": [1]}, r"expected 2 columns or more \(source, target, …\), found 1"),
        ({"source": [1], "b": [2]}, "there is a column 'source' and none 'target'"),
        ({"u": [1], "v": [2], "U": [3]}, "there are several columns 'u'"),
        ({"a": pa.array([], "int64"), "b": pa.array([], "int64")}, "the graph has no edges"),
        ({"a": [1, 2, None], "b": [2, 3, 4]}, "row 2: no value in column 'a'"),
        ({"a": [1, 2, 3], "b": [2, 3, 4], "w": [1, 2, None]}, "row 2: no value in column 'w'"),
        ({"a": ["x", "y", "z"], "b": ["x", "y", None]}, "row 2: no value in column 'b'"),
        ({"a": [1, 2, -3], "b": [2, 3, 4]}, "row 2: negative vertex id '-3'"),
        ({"a": pa.array([2**63], "uint64"), "b": [1]}, f"column 'a': {2**63} is too large"),
        ({"a": [1.5], "b": [2.5]}, "column 'a' has the type double: ends of edges are integers, "),
        ({"a": [1], "b": ["x"]}, "column 'a' has the type int64: ends of edges are integers, or"),
        ({"a": [1], "b": [2], "value": ["x"]}, "column 'value' has the type string: weights are"),
        ({"a": [1], "b": [2], "w": [np.inf]}, "row 0: weight is not finite"),
        ({"a": [1], "b": [2], "w": [2**53 + 1]}, f"column 'w': {2**53 + 1} is too large"),
    ],
)
def test_what_is_refused(tmp_path: Path, columns: dict[str, Any], message: str) -> None:
    path = written(tmp_path, columns)
    with pytest.raises(gs.InputError, match=rf"^.*edges\.parquet: {message}") as caught:
        gs.read(path)
    assert "\n" not in str(caught.value)


def test_columns_by_name(tmp_path: Path) -> None:
    columns = {"a": [0, 1], "b": [1, 2], "w": [1, 1], "km": [5, 6]}
    path = written(tmp_path, columns)
    assert arcs(gs.read(path, weight="km")) == [(0, 1, 5), (1, 2, 6)]
    assert arcs(gs.read(path, source="b", target="a")) == [(1, 0, 1), (2, 1, 1)]
    with pytest.raises(gs.UsageError) as caught:
        gs.read(path, weight="miles")
    assert str(caught.value) == f"{path}: no column 'miles' (there are 'a', 'b', 'w', 'km')"


def test_damaged(tmp_path: Path) -> None:
    path = written(tmp_path, {"a": [1], "b": [2]})
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(gs.InputError, match=r"^.*edges\.parquet: .+") as caught:
        gs.read(path)
    assert "\n" not in str(caught.value)
    with pytest.raises(gs.InputError, match=r"none\.parquet"):
        gs.read(tmp_path / "none.parquet")
    with pytest.raises(gs.InputError, match=r"none\.parquet"):
        gs.read(tmp_path / "none.parquet", format="parquet")


def test_memory(tmp_path: Path) -> None:
    ends = np.arange(100_000)
    path = written(tmp_path, {"a": ends, "b": ends[::-1]}, 10_000)
    with pytest.raises(gs.CapacityError, match="not enough memory for this graph"):
        gs.read(path, memory="1M")
    assert gs.read(path, memory="64M").arcs == 100_000


def test_without_pyarrow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, {"a": [1], "b": [2]})
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(gs.UsageError) as caught:
        gs.read(path)
    assert str(caught.value) == (
        "reading Parquet needs pyarrow, which is not installed: pip install pyarrow"
    )


def test_formats_list_it() -> None:
    assert ("parquet", "Parquet table of edges", ".parquet .pq", True, False) in gs.graph.formats()


@pytest.mark.parametrize(("said", "refused"), [(1 << 62, True), (-(1 << 62), False)])
def test_sizes_that_a_file_only_claims(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: int, refused: bool
) -> None:
    path = written(tmp_path, {"u": [0, 1], "v": [1, 2]})
    monkeypatch.setattr(ParquetFile, "_page_bytes", lambda *_: 3 * said)
    if refused:
        with pytest.raises(gs.CapacityError, match="not enough memory for this graph"):
            gs.read(path)
    else:
        assert gs.read(path).arcs == 2

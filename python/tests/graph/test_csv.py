"""CSV and TSV: names of vertices, and that every graph made of one keeps them. The C++ tests have
the columns and the errors."""

from __future__ import annotations

import gzip
import lzma
import pickle
from pathlib import Path
from typing import Any

import gossamer as gs
import numpy as np
import pytest
from gossamer import _gossamer
from gossamer.graph.xz import by_python

FRIENDS = 'source,target,weight\nalice,"bob, jr",3\n"bob, jr",cleo,4\ndan,"say ""eve""",1\n'


@pytest.fixture
def friends(tmp_path: Path) -> Path:
    path = tmp_path / "friends.csv"
    path.write_text(FRIENDS)
    return path


def test_texts_are_names(friends: Path) -> None:
    graph = gs.read(friends)
    assert graph.format == "csv"
    assert graph.names.tolist() == ["alice", "bob, jr", "cleo", "dan", 'say "eve"']
    assert all(type(name) is str for name in graph.names)
    paths = gs.sssp(graph, "alice", machine="cpu:1x1")
    assert paths["cleo"] == 7 and paths["dan"] is None
    with pytest.raises(gs.UsageError, match=r"no vertex 'zoe' \(5 names: 'alice', 'bob, jr', "):
        gs.bfs(graph, "zoe", machine="cpu:1x1")


def test_names_go_along(friends: Path) -> None:
    whole = gs.read(friends, symmetrize=True)
    for graph in (
        gs.read(friends, symmetrize=True, largest_component=True),
        whole.largest_component(),
        pickle.loads(pickle.dumps(whole.largest_component())),
        whole.largest_component().transposed(),
    ):
        assert graph.names.tolist() == ["alice", "bob, jr", "cleo"]
        assert graph.index_of("cleo") == 2


def test_ids_are_numbers(tmp_path: Path) -> None:
    path = tmp_path / "ids.tsv"
    path.write_text("from\tto\tseen\n7\t100\tonce\n4000000000\t7\ttwice\n")
    graph = gs.read(path)
    assert graph.format == "csv" and graph.names.dtype == np.int64 and not graph.weighted
    assert graph.names.tolist() == [7, 100, 4_000_000_000]
    path.write_text("from\tto\n7\t100\nseven\t7\n")
    with pytest.raises(gs.InputError, match=r"ids\.tsv:3: expected vertex id, found 'seven' \(ids"):
        gs.read(path)


def test_compressed(friends: Path) -> None:
    packed = friends.with_name("friends.csv.gz")
    packed.write_bytes(gzip.compress(friends.read_bytes()))
    assert gs.read(packed).names.tolist() == gs.read(friends).names.tolist()
    if by_python():
        pytest.skip("this build has no liblzma")
    packed = friends.with_name("friends.csv.xz")
    packed.write_bytes(lzma.compress(friends.read_bytes()))
    assert gs.read(packed).name_of(0) == "alice"


@pytest.mark.parametrize("packed", ["", ".gz", ".xz"])
def test_plans_of_much_text_in_few_bytes(tmp_path: Path, packed: str) -> None:
    text = b"a,b\n" + b"0,1\n" * 900_000  # a thousand to one
    if packed:
        text = gzip.compress(text) if packed == ".gz" else lzma.compress(text)
    path = tmp_path / f"copies.csv{packed}"
    path.write_bytes(text)
    said = _gossamer.plan_read(str(path), "auto", False, False, False, 1, 0, ("", "", ""))
    assert 600_000 <= said["arcs"] <= 1_200_000


def test_names_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "bytes.csv"
    path.write_bytes("a,b\nJos\xe9,Zo\xeb\n".encode("latin-1"))
    assert gs.read(path).names.tolist() == [r"Jos\xe9", r"Zo\xeb"]
    path.write_text("a,b\nJosé,Zoë\n", encoding="utf-8")
    assert gs.read(path).names.tolist() == ["José", "Zoë"]


def test_names_count_in_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "many.csv"
    path.write_text("a,b\n" + "".join(f"{'n' * 90}{i},{'m' * 90}{i}\n" for i in range(20_000)))
    with pytest.raises(gs.CapacityError, match="vertex names"):
        gs.read(path, memory="2M")
    assert gs.read(path, memory="64M").vertices == 40_000


TOWNS = "town,next,weight,km\nann,bob,1,5\nbob,cleo,1,6.5\n"


def test_columns_by_name(tmp_path: Path) -> None:
    path = tmp_path / "towns.csv"
    path.write_text(TOWNS)
    assert gs.sssp(gs.read(path), "ann", "cpu:1x1")["cleo"] == 2
    graph = gs.read(path, weight="km")
    assert graph.names.tolist() == ["ann", "bob", "cleo"]
    assert graph.weights is not None and graph.weights.tolist() == [5, 6.5]
    back = gs.read(path, source="next", target="town", weight="km")
    assert gs.sssp(back, "cleo", "cpu:1x1")["ann"] == 11.5


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (
            {"weight": "KM"},
            r"towns\.csv: no column 'KM' \(there are 'town', 'next', 'weight', 'km'\)",
        ),
        ({"source": "town", "target": "to"}, "towns.csv: no column 'to' .there are 'town', "),
        (
            {"source": "town", "target": "town"},
            "towns.csv: column 'town' cannot be two of source, ",
        ),
        ({"source": "town"}, "read: source names a column, name that of target as well"),
        ({"target": "next"}, "read: target names a column, name that of source as well"),
        ({"weight": 3}, "read: weight: expected a column's name, got 3"),
        ({"weight": ""}, "read: weight: a column's name is not empty"),
        ({"weight": "km", "format": "edges"}, "edges has no columns with names .CSV, TSV and"),
    ],
)
def test_columns_that_are_refused(tmp_path: Path, columns: dict[str, Any], message: str) -> None:
    path = tmp_path / "towns.csv"
    path.write_text(TOWNS)
    with pytest.raises(gs.UsageError, match=message):
        gs.read(path, **columns)


def test_columns_need_a_header(tmp_path: Path) -> None:
    path = tmp_path / "towns.csv"
    path.write_text("0,1,5\n1,2,6\n")
    with pytest.raises(gs.UsageError) as caught:
        gs.read(path, weight="km")
    assert str(caught.value) == (
        f"{path}: columns have no names: the first row has an edge (0,1,5)"
    )


def test_semicolons_separate_where_there_is_no_comma(tmp_path: Path) -> None:
    path = tmp_path / "roads.csv"
    path.write_text('from;to;weight\nann;bob;2\nbob;"cleo; dan";3\n')
    graph = gs.read(path)
    assert graph.names.tolist() == ["ann", "bob", "cleo; dan"] and graph.weighted
    path.write_text("1;2\n2;3\n")
    assert gs.read(path).arcs == 2
    path.write_text("a,b\nann;1,bob\n")  # commas win
    assert gs.read(path).names.tolist() == ["ann;1", "bob"]


def test_a_row_with_a_weight_is_no_header(tmp_path: Path) -> None:
    path = tmp_path / "roads.csv"
    path.write_text("ann,bob,2\nbob,cleo,3\n")
    graph = gs.read(path)
    assert graph.names.tolist() == ["ann", "bob", "cleo"]
    assert graph.weights is not None and graph.weights.tolist() == [2, 3]
    with pytest.raises(gs.UsageError, match="columns have no names: the first row has an edge"):
        gs.read(path, weight="km")
    path.write_text("from,to,2019\nann,bob,2\n")  # named as ends are
    assert gs.read(path).names.tolist() == ["ann", "bob"]

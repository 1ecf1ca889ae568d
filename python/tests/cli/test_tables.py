"""Tables of edges on the command line: vertices are called as the file calls them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gossamer as gs
import numpy as np
import pytest

FRIENDS = "source,target,weight\nalice,bob,3\nbob,cleo,4\ndan,eve,1\n"


@pytest.fixture(params=["csv", "parquet"])
def friends(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "csv":
        (tmp_path / "friends.csv").write_text(FRIENDS)
        return "friends.csv"
    pa = pytest.importorskip("pyarrow")
    rows = [line.split(",") for line in FRIENDS.splitlines()[1:]]
    source, target, weight = zip(*rows, strict=True)
    table = pa.table({"source": source, "target": target, "weight": list(map(int, weight))})
    pytest.importorskip("pyarrow.parquet").write_table(table, tmp_path / "friends.parquet")
    return "friends.parquet"


def test_sources_and_targets_are_names(cli: Any, tmp_path: Path, friends: str) -> None:
    out = cli.json(
        "bfs", friends, "--source", "alice", "--machine", "cpu:1x1", "--output", "found.npz"
    )
    assert out["runs"][0]["source"] == out["options"]["source"] == "alice"
    assert out["runs"][0]["reached"] == 3
    with np.load(tmp_path / "found.npz") as found:
        assert set(found["names"].tolist()) == {"alice", "bob", "cleo", "dan", "eve"}
    out = cli.json(
        "sssp", friends, "--source", "alice", "--target", "cleo", "--target", "eve",
        "--machine", "cpu:1x1",
    )  # fmt: skip
    assert out["runs"][0]["distances"] == {"cleo": 7, "eve": None}
    for command in ("components", "pagerank"):
        cli.json(command, friends, "--machine", "cpu:1x1", "--output", "o.npz")
        with np.load(tmp_path / "o.npz") as found:
            assert "alice" in found["names"]


def test_a_name_that_no_vertex_has(cli: Any, friends: str, small_file: Path) -> None:
    text = cli.fails(2, "bfs", friends, "--source", "zoe", "--machine", "cpu:1x1")
    assert text.startswith(f"{friends}: no vertex 'zoe' (5 names: ")
    text = cli.fails(2, "bfs", small_file, "--source", "zoe", "--machine", "cpu:1x1")
    assert text == ("--source: 'zoe' is no integer, and vertices of small.gr have no other names")
    text = cli.fails(2, "sssp", small_file, "--source", 1, "--target", "x", "--machine", "cpu:1x1")
    assert text.startswith("--target: 'x' is no integer")


def test_plan(cli: Any, friends: str) -> None:
    out = cli.json("bfs", friends, "--plan", "--machine", "cpu:1x1")
    assert any(e["purpose"].startswith("reading: ") for e in out["plan"]["entries"])


def test_files_keep_no_texts(cli: Any, friends: str) -> None:
    assert cli.json("convert", friends, "o.gsr")["output"]["ids"] == "numbers"
    assert "no format keeps names that are texts" in cli("convert", friends, "o.npz").stdout


TOWNS = "town,next,weight,km,minutes\nann,bob,1,5,7\nbob,cleo,1,6,8\n"


def test_columns_by_name(cli: Any, tmp_path: Path) -> None:
    (tmp_path / "towns.csv").write_text(TOWNS)
    line = ("sssp", "towns.csv", "--source", "ann", "--target", "cleo", "--machine", "cpu:1x1")
    for options, distance in (
        ((), 2),
        (("--weight-column", "km"), 11),
        (("--weight-column", "minutes", "--largest-component"), 15),
        (("--source-column", "town", "--target-column", "next", "--weight-column", "km"), 11),
    ):
        assert cli.json(*line, *options)["runs"][0]["distances"] == {"cleo": distance}
    assert cli("convert", "towns.csv", "o.gsr", "--weight-column", "km").returncode == 0
    weights = gs.read(tmp_path / "o.gsr").weights
    assert weights is not None and weights.tolist() == [5, 6]
    entries = cli.json("bfs", "towns.csv", "--plan", "--weight-column", "km", "--machine", "cpu:1")
    assert entries["plan"]["entries"]


def test_columns_that_are_not_there(cli: Any, tmp_path: Path, small_file: Path) -> None:
    (tmp_path / "towns.csv").write_text(TOWNS)
    there = "(there are 'town', 'next', 'weight', 'km', 'minutes')"
    for more in ((), ("--plan",)):
        text = cli.fails(2, "sssp", "towns.csv", "--weight-column", "miles", *more)
        assert text == f"towns.csv: no column 'miles' {there}"
    text = cli.fails(2, "bfs", "towns.csv", "--source-column", "town")
    assert text == "give --source-column and --target-column, or neither"
    text = cli.fails(2, "bfs", "towns.csv", "--weight-column", "")
    assert text == "--weight-column, --source-column, --target-column: an empty name"
    text = cli.fails(2, "bfs", small_file, "--weight-column", "km")
    assert text.endswith("small.gr: dimacs has no columns with names (CSV, TSV and Parquet have)")

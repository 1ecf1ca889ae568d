"""`gossamer generate`, `convert` and `stats`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import gossamer as gs
import numpy as np
import pytest
import scipy.sparse as sp
from gossamer import _gossamer
from gossamer.cli.input import partitions


@pytest.mark.parametrize("suffix", [".npz", ".mtx", ".gsr"])
def test_generate_convert_stats(cli: Any, tmp_path: Path, suffix: str) -> None:
    out = cli.json("generate", "road:20", "-o", "road.gsr")
    size = (tmp_path / "road.gsr").stat().st_size
    assert out["output"] == {"file": "road.gsr", "bytes": size, "ids": "kept"}
    other = f"road2{suffix}"
    assert cli("convert", "road.gsr", other).returncode == 0
    first, second = cli.json("stats", "road.gsr"), cli.json("stats", other)
    assert (first["graph"]["format"], second["graph"]["format"]) == ("gsr", suffix[1:])
    for key in ("vertices", "arcs", "simple_edges", "degree_histogram", "components"):
        assert first["statistics"][key] == second["statistics"][key]
    assert first["statistics"]["weights"]["minimum"] >= 1
    graph = gs.road(20)
    assert np.array_equal(gs.read(tmp_path / other).indices, graph.indices)
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted(["road.gsr", other])


def test_output_names_the_format_of_a_file(cli: Any, small_file: Path) -> None:
    for command in (("stats", small_file), ("bfs", small_file, "--source", 1)):
        first = cli(*command).stdout.splitlines()[0]
        assert first.startswith("small.gr: 6 vertices") and first.endswith(", format: dimacs")
    assert "format" not in cli("stats", "grid:2x2").stdout.splitlines()[0]
    assert cli.json("stats", "grid:2x2")["graph"]["format"] is None


def test_convert_says_when_ids_are_lost(cli: Any, small_file: Path, tmp_path: Path) -> None:
    (tmp_path / "sparse.txt").write_text("10 200\n200 3000\n")
    for name, ids in (
        ("o.gr", "from 0"),
        ("o.mtx", "from 1"),
        ("o.npz", "kept"),
        ("o.gsr", "kept"),
    ):
        assert cli.json("convert", "sparse.txt", name)["output"]["ids"] == ids
        text = cli("convert", "sparse.txt", name).stdout
        assert (f"vertices of {name} are numbered {ids}" in text) == (ids != "kept")
        known = [10, 200, 3000] if ids == "kept" else [int(ids[-1]) + i for i in range(3)]
        assert gs.read(tmp_path / name).names.tolist() == known
    # DIMACS and Matrix Market both count from 1, Galois from 0.
    assert cli.json("convert", small_file, "o.mtx")["output"]["ids"] == "kept"
    assert cli.json("convert", small_file, "o.gr")["output"]["ids"] == "from 0"
    assert cli.json("convert", small_file, "o.bin", "--to", "galois")["output"]["ids"] == "from 0"


def test_a_format_can_be_named(cli: Any, tmp_path: Path) -> None:
    # METIS's triangle, which is also a list of edges with two columns.
    (tmp_path / "g").write_text("3 3\n2 3\n1 3\n1 2\n")
    for name, arcs in (("metis", 6), ("edges", 4)):
        for command in (("bfs",), ("stats",), ("convert", "x.npz")):
            line = (command[0], "g", *command[1:], "--from", name)
            assert cli.json(*line)["graph"]["arcs"] == arcs
    sp.save_npz(tmp_path / "a.npz", sp.csr_array(np.diag([1.0, 2.0])))
    assert cli.json("cg", "a.npz", "--from", "npz")["graph"]["vertices"] == 2
    for command in (("bfs", "g"), ("stats", "g"), ("convert", "g", "x.npz"), ("cg", "a.npz")):
        text = cli.fails(2, *command, "--from", "magic")
        assert text.startswith("unknown graph format 'magic'; known are auto, mtx, edges")
        assert text.endswith(", parquet") or command[0] == "cg"
    text = cli.fails(2, "bfs", "kron:4", "--from", "mtx")
    assert text == "--from mtx: kron:4 is a generator, not a file"
    text = cli.fails(2, "bfs", "kron:4", "--weight-column", "km")
    assert text == "--weight-column km: kron:4 is a generator, not a file"


def test_every_command_takes_generated_matrices(cli: Any, tmp_path: Path) -> None:
    found = cli.json("stats", "poisson:9x8x7")
    arcs = 504 + 2 * (8 * 8 * 7 + 9 * 7 * 7 + 9 * 8 * 6)
    counts = found["statistics"]
    assert (counts["vertices"], counts["arcs"], counts["self_loops"]) == (504, arcs, 504)
    assert (counts["weights"]["minimum"], counts["weights"]["maximum"]) == (-1, 6)
    assert counts["symmetric"] and found["graph"]["weights"] == "generated: Laplacian"
    out = cli.json("bfs", "band:500:9000", "--sources", 3, "--verify", "--machine", "cpu:2x1")
    assert out["summary"]["verified"] and out["graph"]["arcs"] == 9000
    assert cli("convert", "poisson:9x8x7", "a.npz", "--remove-self-loops").returncode == 0
    assert gs.read(tmp_path / "a.npz").arcs == arcs - 504
    for command in ("stats", "bfs"):
        plan = cli.json(command, "poisson:9x8x7", "--plan")["plan"]
        assert (plan["vertices"], plan["vertices_are"]) == (504, "exact")
        assert (plan["arcs"], plan["arcs_are"]) == (arcs, "exact")
    plan = cli.json("stats", "poisson:9x8x7", "--remove-self-loops", "--plan")["plan"]
    assert (plan["arcs"], plan["arcs_are"]) == (arcs, "at most")


def test_stats_of_a_partition(cli: Any, small_file: Path) -> None:
    out = cli.json("stats", small_file, "--partition", "2:ranges")
    assert out["partition"]["method"] == "ranges" and out["partition"]["cut_arcs"] == 2
    assert out["statistics"]["symmetric"] is True
    text = cli("stats", small_file, "--partition", "2:ranges").stdout
    assert "2 of 10 arcs cut (20.00 %)" in text and "largest weak component" in text


def test_stats_of_triangles_loops_and_percentiles(cli: Any, tmp_path: Path) -> None:
    # A triangle, a vertex with a loop alone, a vertex with nothing.
    (tmp_path / "t.gr").write_text(
        "p sp 5 7\na 1 2 1\na 2 1 1\na 2 3 1\na 3 2 1\na 1 3 1\na 3 1 1\na 4 4 1\n"
    )
    out = cli.json("stats", "t.gr", "--triangles")["statistics"]
    assert (out["triangles"], out["isolated_vertices"], out["loop_vertices"]) == (1, 1, 1)
    assert out["percentiles"] == [
        {"percent": p, "degree": d}
        for p, d in ((0, 0), (1, 0), (10, 0), (25, 1), (50, 2), (75, 2), (90, 2), (99, 2),
                     (99.9, 2), (100, 2))
    ]  # fmt: skip
    assert cli.json("stats", "t.gr")["statistics"]["triangles"] is None
    text = cli("stats", "t.gr", "--triangles").stdout
    assert "triangles" in text and "degree: median" in text and "degree: 99.9 %" in text


def test_slashdot(cli: Any, data: Path) -> None:
    path = data / "soc-Slashdot0902.txt.xz"
    found = cli.json("stats", path)["statistics"]
    assert (found["vertices"], found["arcs"], found["self_loops"]) == (82168, 948464, 78303)
    assert (found["simple_edges"], found["components"]) == (504230, 1)
    assert found["largest_strong_component"] == 71307 and found["symmetric"] is False


@pytest.mark.skipif(not _gossamer.build_info()["features"]["metis"], reason="built without METIS")
def test_metis_warns_nobody_on_stdout(environment: dict[str, str]) -> None:
    for spec, parts in (("kron:4", 48), ("kron:6", 48)):
        line = ("stats", spec, "--partition", f"{parts}:metis", "--json", "-")
        run = subprocess.run(
            [sys.executable, "-m", "gossamer", *line],
            env=environment, capture_output=True, text=True, check=True,
        )  # fmt: skip
        assert json.loads(run.stdout)["partition"]["parts"] == parts


def test_symmetrizing_a_symmetric_graph_changes_nothing(cli: Any, tmp_path: Path) -> None:
    (tmp_path / "a.mtx").write_text(
        "%%MatrixMarket matrix coordinate real symmetric\n3 3 5\n"
        "1 1 2\n2 2 2\n3 3 2\n2 1 -1\n3 2 -1\n"
    )
    said = cli("convert", "a.mtx", "b.npz", "--symmetrize").stdout
    assert "already symmetric: nothing to do" in said and "7 stored arcs" in said
    assert cli("cg", "b.npz").returncode == 0
    # One edge from both ends, another from one.
    (tmp_path / "list.txt").write_text("0 1\n1 0\n1 2\n")
    said = cli("stats", "list.txt", "--symmetrize").stdout
    assert "symmetrized: 1 pair of vertices has parallel arcs" in said


@pytest.mark.skipif(not _gossamer.build_info()["features"]["metis"], reason="built without METIS")
def test_a_metis_partition_is_kept_beside_the_graph(
    cli: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cli("generate", "grid:40x30", "-o", "grid.mtx")
    first = cli("bfs", "grid.mtx", "--machine", "cpu:3x1", "--partition", "metis", "--verify")
    (path,) = tmp_path.glob("grid.mtx.metis-3-*.part")
    assert f"metis partition kept in {path.name}" in first.stdout
    part_of = np.loadtxt(path, dtype=int)
    assert part_of.shape == (1200,) and set(part_of) == {0, 1, 2}

    def never(*_: Any) -> None:
        raise AssertionError("the partition is there")

    with monkeypatch.context() as m:
        m.setattr(gs.Graph, "partition", never)
        for line in (("bfs", "grid.mtx", "--machine", "cpu:3x1", "--partition", "metis"),
                     ("stats", "grid.mtx", "--partition", "3:metis")):  # fmt: skip
            assert f"metis partition from {path.name}" in cli(*line).stdout
    # The graph after a step is another, a file that was cut short is made again.
    cli("stats", "grid.mtx", "--partition", "2:metis", "--largest-component")
    assert len(list(tmp_path.glob("grid.mtx.metis-*.part"))) == 2
    path.write_text("0\n1\n")
    again = cli("stats", "grid.mtx", "--partition", "3:metis")
    assert f"metis partition kept in {path.name}" in again.stdout
    assert np.array_equal(np.loadtxt(path, dtype=int), part_of)
    # Generators have no file to lie beside.
    assert "metis partition" not in cli("stats", "grid:40x30", "--partition", "3:metis").stdout


@pytest.mark.skipif(not _gossamer.build_info()["features"]["metis"], reason="built without METIS")
def test_a_metis_partition_that_cannot_be_kept(cli: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    cli("generate", "grid:20x20", "-o", "grid.mtx")

    def refused(*_: Any, **__: Any) -> None:
        raise gs.UsageError("grid.part: cannot be written: Read-only file system")

    monkeypatch.setattr(partitions, "write_whole", refused)
    text = cli("stats", "grid.mtx", "--partition", "2:metis").stdout
    assert "metis partition not kept: grid.part: cannot be written: Read-only" in text

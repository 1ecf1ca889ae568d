"""`--plan` and `--memory` of every command."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gossamer as gs
import pytest


def test_bfs_plan_stops_before_the_search(cli: Any, tmp_path: Path) -> None:
    out = cli.json("bfs", "grid:100x100", "--machine", "cpu:2x1", "--plan", "--output", "x.npz")
    assert set(out) == {"plan", "version"}
    assert out["plan"]["totals"]["host"] == sum(e["bytes"] for e in out["plan"]["entries"])
    assert {e.get("rank") for e in out["plan"]["entries"]} == {None, 0, 1}
    (written,) = [e for e in out["plan"]["entries"] if e["purpose"].startswith("--output")]
    assert (written["bytes"], written["certainty"]) == (10000 * 12, "exact")
    assert out["plan"]["limits"]["host"]["bytes"] > 0
    assert list(tmp_path.iterdir()) == []
    assert "memory plan" in cli("bfs", "grid:100x100", "--plan").stdout


@pytest.mark.parametrize(
    "arguments",
    [("stats", "kron:10"), ("convert", "kron:10", "o.npz"), ("generate", "kron:10"),
     ("bfs", "kron:10")],
)  # fmt: skip
def test_every_command_has_a_plan(cli: Any, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    out = cli.json(*arguments, "--plan")
    assert out["plan"]["command"] == arguments[0] and out["plan"]["totals"]["host"] > 0
    assert list(tmp_path.iterdir()) == []


def test_plans_make_no_graph(cli: Any) -> None:
    # Terabytes: whatever made or placed any of it would fail or never end.
    out = cli.json("bfs", "kron:33", "--machine", "cpu:2x1", "--plan", "--memory", "1T")["plan"]
    assert (out["vertices"], out["vertices_are"]) == (1 << 33, "exact")
    assert (out["arcs"], out["arcs_are"]) == (2 * 16 << 33, "at most")
    sure = {e["purpose"]: e["certainty"] for e in out["entries"]}
    assert sure["generating"] == "at most" and sure["rank 1: offsets"] == "exact"
    assert sure["rank 1: parents and depths"] == "exact"
    text = cli("bfs", "kron:33", "--machine", "cpu:2x1", "--plan", "--partition", "hash").stdout
    assert "≤ 274,877,906,944 arcs" in text and "~" in text
    for command in (("stats", "kron:33"), ("generate", "kron:33"), ("convert", "kron:33", "x.gsr")):
        assert cli.json(*command, "--plan")["plan"]["totals"]["host"] > 1 << 40


def test_a_plan_from_the_shape_bounds_the_plan_of_the_graph() -> None:
    for spec, bound in (("kron:12", 2 * 16 << 12), ("grid:90x70", 2 * (89 * 70 + 90 * 69))):
        graph = gs.generate(spec)
        shape = gs.GraphShape(graph.vertices, bound, True, "exact", "at most")
        for where in ("cpu:1x1", "cpu:1x2"):
            machine = gs.Machine(where)
            real, planned = (
                gs.BfsSearch.plan(machine, g, partition="hash") for g in (graph, shape)
            )
            assert [(e.rank, e.purpose) for e in real.entries] == [
                (e.rank, e.purpose) for e in planned.entries
            ]
            for one, other in zip(real.entries, planned.entries, strict=True):
                assert one.certainty == "exact" and other.certainty in ("exact", "at most")
                assert one.bytes == other.bytes or (
                    other.certainty == "at most" and one.bytes < other.bytes
                )
        machine = gs.Machine("cpu:3x1")
        real, planned = (gs.BfsSearch.plan(machine, g) for g in (graph, shape))
        for one, other in zip(real.entries, planned.entries, strict=True):
            assert other.certainty == "about" or one.bytes == other.bytes


@pytest.mark.parametrize(
    ("name", "text", "counts"),
    [
        ("exact.gr", "p sp 4 2\na 1 2 1\na 2 3 1\n", (4, "exact", 2, "exact")),
        ("exact.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 2\n",
         (3, "exact", 1, "exact")),
        ("guess.txt", "0 1\n1 2\n2 3\n3 4\n", (8, "about", 4, "about")),
        ("header.txt", "# Nodes: 9 Edges: 2\n0 1\n1 2\n", (9, "exact", 2, "exact")),
    ],
)  # fmt: skip
def test_plans_of_files_come_from_header_or_size(
    cli: Any, tmp_path: Path, name: str, text: str, counts: tuple[Any, ...]
) -> None:
    (tmp_path / name).write_text(text)
    keys = ("vertices", "vertices_are", "arcs", "arcs_are")
    for command in (("stats", name), ("bfs", name, "--machine", "cpu:1x1")):
        found = cli.json(*command, "--plan")["plan"]
        assert tuple(found[k] for k in keys) == counts
    found = cli.json("bfs", name, "--symmetrize", "--largest-component", "--plan")["plan"]
    assert found["arcs"] == 2 * counts[2]
    assert found["arcs_are"] == ("about" if counts[3] == "about" else "at most")
    assert found["vertices_are"] == ("about" if counts[1] == "about" else "at most")


def test_plan_of_a_file(cli: Any, small_file: Path) -> None:
    out = cli.json("stats", small_file, "--plan", "--memory", "1G")
    assert out["plan"]["limits"]["host"] == {"bytes": 1 << 30, "source": "--memory"}
    *reading, counting = out["plan"]["entries"]
    assert all(e["purpose"].startswith("reading: ") for e in reading)
    assert (counting["purpose"], counting["bytes"]) == ("counting", 6 * 40)


def test_too_little_memory_is_refused_with_the_plan(cli: Any, tmp_path: Path) -> None:
    done = cli("generate", "kron:20", "-o", "k.npz", "--memory", "1M")
    assert done.returncode == 2
    assert "kron:20 does not fit: 1048576 vertices, 16777216 generated edges" in done.stderr
    assert "the limit is 1.0 MiB (--memory)" in done.stderr
    done = cli("bfs", "kron:16", GOSSAMER_MEMORY="1M")
    assert done.returncode == 2 and "the limit is 1.0 MiB (GOSSAMER_MEMORY)" in done.stderr
    done = cli("bfs", "grid:4x4", "--sources", 16, "--output", "x.npz", "--memory", "100")
    assert done.returncode == 2
    assert list(tmp_path.iterdir()) == []

"""`--plan` and `--memory` of every command."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gossamer as gs
import pytest


def test_bfs_plan_stops_before_the_search(cli: Any, tmp_path: Path) -> None:
    out = cli.json("bfs", "grid:100x100", "--machine", "cpu:2x1", "--plan", "--output", "x.npz")
    assert set(out) == {"plan", "version", "date"}
    stages = {"graph": 0, "loading": 0, "run": 0}
    for e in out["plan"]["entries"]:
        stages[e.get("stage", "run")] += e["bytes"]
    assert min(stages.values()) > 0
    most = stages["graph"] + max(stages["loading"], stages["run"])
    assert out["plan"]["totals"]["host"] == most
    assert {e.get("rank") for e in out["plan"]["entries"]} == {None, 0, 1}
    (written,) = [e for e in out["plan"]["entries"] if e["purpose"].startswith("--output")]
    assert (written["bytes"], written["certainty"]) == (10000 * 12, "exact")
    assert out["plan"]["limits"]["host"]["bytes"] > 0
    assert list(tmp_path.iterdir()) == []
    assert "memory plan" in cli("bfs", "grid:100x100", "--plan").stdout


@pytest.mark.parametrize(
    "arguments",
    [("stats", "kron:10"), ("convert", "kron:10", "o.npz"), ("generate", "kron:10"),
     ("bfs", "kron:10"), ("simulate", "bfs", "kron:10"), ("simulate", "cg", "poisson:9x9")],
)  # fmt: skip
def test_every_command_has_a_plan(cli: Any, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    out = cli.json(*arguments, "--plan")
    name = " ".join(arguments[: 2 if arguments[0] == "simulate" else 1])
    assert out["plan"]["command"] == name and out["plan"]["totals"]["host"] > 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--engine", "foo"), "bfs: unknown engine 'foo'"),
        (("--engine", "sync:balance=steal"), "bfs: engine 'sync' has no option 'balance'"),
        (("--engine", "vector_queue:transport=x"), "bfs: engine 'vector_queue': unknown transport"),
    ],
)
def test_what_a_search_refuses_has_no_plan(
    cli: Any, options: tuple[str, ...], message: str
) -> None:
    given = ("bfs", "grid:4x4", "--machine", "cpu:2x1", *options)
    assert cli.fails(2, *given, "--plan").startswith(message)
    assert cli.fails(2, *given).startswith(message)


def test_plans_make_no_graph(cli: Any) -> None:
    # Terabytes: whatever made or placed any of it would fail or never end.
    out = cli.json("bfs", "kron:33", "--machine", "cpu:2x1", "--plan", "--memory", "1T")["plan"]
    assert (out["vertices"], out["vertices_are"]) == (1 << 33, "exact")
    assert (out["arcs"], out["arcs_are"]) == (2 * 16 << 33, "at most")
    sure = {e["purpose"]: e["certainty"] for e in out["entries"]}
    assert sure["generating: the graph"] == "at most" and sure["rank 1: offsets"] == "exact"
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
                gs.BfsSearch.plan(g, machine, partition="hash") for g in (graph, shape)
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
        real, planned = (gs.BfsSearch.plan(g, machine) for g in (graph, shape))
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


def test_a_plan_of_more_bytes_than_63_bits_have(cli: Any, tmp_path: Path) -> None:
    path = tmp_path / "claims.txt"
    path.write_text("# Nodes: 9223372036854775807 Edges: 1\n0 1\n")
    ended = cli("bfs", path, "--plan")
    assert ended.returncode == 0, ended.stderr
    assert "host: 8192.0 PiB of " in ended.stdout


def test_plan_of_a_file(cli: Any, small_file: Path) -> None:
    out = cli.json("stats", small_file, "--plan", "--memory", "1G")
    assert out["plan"]["limits"]["host"] == {"bytes": 1 << 30, "source": "--memory"}
    *reading, counting = out["plan"]["entries"]
    assert all(e["purpose"].startswith("reading: ") for e in reading)
    assert (counting["purpose"], counting["bytes"]) == ("counting", 6 * 40)


@pytest.mark.parametrize(
    ("arguments", "purposes"),
    [
        (("stats", "g.gsr"), {"counting"}),
        (("stats", "g.npz", "--no-strong"), {"counting"}),
        (("stats", "g.gsr", "--deduplicate"), {"reading: rebuilding", "counting"}),
        (("stats", "g.gsr", "--triangles", "--partition", "2:edges"),
         {"counting", "partitioning by edges", "measuring the partition"}),
        (("stats", "road:50", "--remove-self-loops"), {"rebuilding", "counting"}),
        (("convert", "g.gsr", "o.npz", "--largest-component"), {"largest component"}),
    ],
)  # fmt: skip
def test_what_is_in_the_plan_is_compared_with_the_limit(
    cli: Any, tmp_path: Path, arguments: tuple[str, ...], purposes: set[str]
) -> None:
    graph = gs.road(50)
    graph.write(tmp_path / "g.gsr")
    graph.write(tmp_path / "g.npz")
    plan = cli.json(*arguments, "--plan")["plan"]
    assert purposes <= {e["purpose"] for e in plan["entries"]}
    assert all(e["certainty"] == "at most" for e in plan["entries"])
    total = plan["totals"]["host"]
    text = cli.fails(2, *arguments, "--memory", total - 1)
    name = arguments[1]
    assert text.startswith(f"{name} does not fit: 2500 vertices, {plan['arcs']} arcs; ")
    assert all(purpose in text for purpose in purposes) and text.endswith(" (--memory)")
    text = cli.fails(2, *arguments, GOSSAMER_MEMORY=str(total - 1))
    assert text.endswith(" (GOSSAMER_MEMORY)")
    assert {p.name for p in tmp_path.iterdir()} == {"g.gsr", "g.npz"}
    assert cli(*arguments, "--memory", total).returncode == 0
    # A plan is shown whatever the limit.
    assert cli(*arguments, "--plan", "--memory", 1).returncode == 0


def test_guessed_plans_are_checked_when_the_counts_are_known(cli: Any, tmp_path: Path) -> None:
    # Edges of a path, without a header: the plan is a guess, and the reader is let try.
    (tmp_path / "path.txt").write_text("".join(f"{i} {i + 1}\n" for i in range(20000)))
    assert cli.json("stats", "path.txt", "--plan")["plan"]["arcs_are"] == "about"
    text = cli.fails(2, "stats", "path.txt", "--memory", "900K")
    assert text.startswith("path.txt does not fit: 20001 vertices, 20000 arcs; counting takes")
    assert "the limit is 900.0 KiB (--memory)" in text
    assert cli("stats", "path.txt", "--memory", "2M").returncode == 0


def test_metis_and_its_measurement_are_planned(cli: Any) -> None:
    plan = cli.json("stats", "grid:90x90", "--partition", "4:metis", "--plan")["plan"]
    metis, quality = plan["entries"][-2:]
    assert (metis["purpose"], metis["certainty"]) == ("partitioning by metis", "about")
    assert metis["bytes"] > 70 * plan["arcs"]
    assert (quality["purpose"], quality["certainty"]) == ("measuring the partition", "at most")
    plan = cli.json("bfs", "grid:90x90", "--partition", "metis", "--machine", "cpu:2x1", "--plan")
    assert "rank 0: partitioning by METIS" in {e["purpose"] for e in plan["plan"]["entries"]}


def test_a_second_direction_is_a_bound_unless_symmetry_is_known(
    cli: Any, small_file: Path, small: gs.Graph
) -> None:
    def second(name: Path) -> dict[str, str]:
        plan = cli.json("bfs", name, "--machine", "cpu:1x2", "--plan")["plan"]
        return {e["purpose"]: e["certainty"] for e in plan["entries"] if "rev" in e["purpose"]}

    # The file's arcs turn out symmetric, but its header does not say so.
    assert small.symmetric and second(small_file) == {"rank 0: reversed graph": "at most"}
    small.write(small_file.with_suffix(".gsr"))
    assert second(small_file.with_suffix(".gsr")) == {}


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

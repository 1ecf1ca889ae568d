"""The command line: what commands print and write, JSON's schema, exit codes and messages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import gossamer as gs
import numpy as np
import pytest

NUMBER = (int, float)


def shape(value: Any) -> Any:
    """Keys and types of a JSON value."""
    if isinstance(value, dict):
        return {key: shape(v) for key, v in value.items()}
    return type(value).__name__


# --- bfs --------------------------------------------------------------------------------------


def test_bfs_json_schema(cli: Any, small_file: Path) -> None:
    out = cli.json("bfs", small_file, "--source", 1, "--verify", "--machine", "cpu:2x1")
    assert list(out) == [
        "algorithm", "graph", "machine", "options", "runs", "summary", "memory", "version",
    ]  # fmt: skip
    assert out["algorithm"] == "bfs" and out["version"] == gs.__version__
    assert out["graph"] == {
        "name": "small.gr",
        "vertices": 6,
        "edges": 5,
        "directed": False,
        "weights": "file",
        "arcs": 10,
        "steps": [],
    }
    assert out["machine"]["spec"] == "cpu:2x1" and out["machine"]["fabric"] == "threads"
    assert [d["kind"] for d in out["machine"]["devices"]] == ["cpu", "cpu"]
    (run,) = out["runs"]
    assert shape({k: v for k, v in run.items() if k != "phases"}) == {
        "source": "int",
        "milliseconds": "float",
        "levels": "int",
        "reached": "int",
        "edges": "int",
        "teps": "float",
        "verified": "bool",
        "frontiers": "list",
        "directions": "str",
    }
    assert (run["source"], run["levels"], run["reached"], run["edges"]) == (1, 3, 4, 4)
    assert run["verified"] is True and run["frontiers"] == [1, 2, 1]
    assert len(run["directions"]) == 3 and set(run["directions"]) <= {"t", "b"}
    assert all(isinstance(ms, NUMBER) for ms in run["phases"].values())
    summary = out["summary"]
    assert summary["median_milliseconds"] == run["milliseconds"]
    assert summary["harmonic_mean_teps"] == pytest.approx(run["teps"])
    assert summary["uploads"] == 1 and summary["verified"] is True
    assert out["memory"]["peak_bytes"] > 1 << 20 and out["memory"]["planned_bytes"] > 0
    assert out["options"]["source"] == 1 and out["options"]["direction"] == "auto"


def test_bfs_many_sources_and_repeats(cli: Any) -> None:
    out = cli.json("bfs", "kron:8", "--sources", 64, "--repeat", 2, "--seed", 5)
    sources = [run["source"] for run in out["runs"]]
    assert len(sources) == 128 and sources[::2] == sources[1::2] and len(set(sources)) == 64
    assert sources[::2] == gs.draw_sources(gs.kronecker(8), 64, seed=5)
    assert out["summary"]["runs"] == 128 and out["summary"]["uploads"] == 1
    assert out["summary"]["verified"] is None and out["runs"][0]["verified"] is None
    rates = [run["teps"] for run in out["runs"]]
    assert out["summary"]["harmonic_mean_teps"] == pytest.approx(128 / sum(1 / r for r in rates))


def test_bfs_text_states_what_it_counts(cli: Any, small_file: Path) -> None:
    done = cli("bfs", small_file, "--source", "4")
    assert done.returncode == 0 and done.stderr == ""
    assert "6 vertices, 5 undirected edges" in done.stdout
    assert "TEPS: undirected edges of the component reached" in done.stdout
    assert "frontier" in done.stdout and "expand" in done.stdout


def test_bfs_states_the_steps_taken(cli: Any, tmp_path: Path) -> None:
    (tmp_path / "g.txt").write_text("0 1\n0 1\n1 1\n1 2\n8 9\n")
    steps = ["--symmetrize", "--deduplicate", "--remove-self-loops", "--largest-component"]
    out = cli.json("bfs", "g.txt", "--source", 0, *steps)
    assert (out["graph"]["vertices"], out["graph"]["edges"]) == (3, 2)
    assert len(out["graph"]["steps"]) >= 4 and not out["graph"]["directed"]
    text = cli("bfs", "g.txt", "--source", 0, *steps).stdout
    for step in out["graph"]["steps"]:
        assert step in text


def test_bfs_output_holds_every_source(cli: Any, small_file: Path, tmp_path: Path) -> None:
    assert cli("bfs", small_file, "--sources", 3, "--output", "out.npz").returncode == 0
    with np.load(tmp_path / "out.npz") as out:
        graph = gs.read(small_file)
        assert out["parents"].shape == out["depths"].shape == (3, 6)
        assert out["names"].tolist() == [1, 2, 3, 4, 5, 6]
        for source, parents, depths in zip(
            out["sources"], out["parents"], out["depths"], strict=True
        ):
            gs.verify_bfs(graph, int(source), parents, depths)


def test_bfs_options_reach_the_engine(cli: Any) -> None:
    common = ("bfs", "kron:8", "--sources", 2, "--verify", "--machine", "cpu:3x1")
    assert set(cli.json(*common, "--direction", "top-down")["runs"][0]["directions"]) == {"t"}
    assert set(cli.json(*common, "--direction", "bottom-up")["runs"][0]["directions"]) == {"b"}
    out = cli.json(*common, "--deterministic", "--partition", "hash", "--renumber", "degree")
    assert "deterministic" in out["runs"][0]["phases"]
    assert out["options"]["partition"] == "hash" and out["summary"]["verified"] is True


def test_bfs_takes_a_partition_file(cli: Any, small_file: Path, tmp_path: Path) -> None:
    (tmp_path / "parts").write_text("1\n0\n1\n0\n1\n0\n")
    out = cli.json(
        "bfs", small_file, "--source", 1, "--partition", "parts", "--machine", "cpu:2x1", "--verify"
    )
    assert out["summary"]["verified"] is True
    (tmp_path / "parts").write_text("1\n0\n1\n")
    text = cli.fails(2, "bfs", small_file, "--partition", "parts", "--machine", "cpu:2x1")
    assert "parts" in text


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


# --- other commands ---------------------------------------------------------------------------


def test_info_says_which_collectives_run(cli: Any, tmp_path: Path) -> None:
    folder = tmp_path / "gossamer" / "collectives"
    folder.mkdir(parents=True)
    (folder / "cpu_2x1.rules").write_text("broadcast:0-inf:@flat\n")
    rules = "allreduce:0-4k:@one_shot,4k-inf:@ring"
    variables = {"XDG_CONFIG_HOME": str(tmp_path), "GOSSAMER_COLLECTIVES": rules}
    out = cli("info", "--machine", "cpu:2x1", **variables).stdout
    tuned = folder / "cpu_2x1.rules"
    assert (
        f"collectives by message size (built in, over it {tuned}, over it GOSSAMER_COLLECTIVES):\n"
    ) in out
    assert f"  {rules}\n" in out
    assert "  broadcast:0-inf:@flat\n" in out
    assert f"\nGOSSAMER_COLLECTIVES={rules}\n" in out
    line = cli.fails(2, "info", GOSSAMER_COLLECTIVES="allreduce:@quick")
    assert line.startswith("GOSSAMER_COLLECTIVES:1:")


def test_info(cli: Any) -> None:
    out = cli.json("info", "--machine", "cpu:2x1")
    assert out["devices"]["cpu"]["cores"] >= 1 and out["devices"]["cpu"]["memory"] > 0
    assert set(out["features"]) == {
        "cuda",
        "metis",
        "hwloc",
        "openmp",
        "mpi",
        "gzip",
        "xz",
        "zstd",
    }
    assert out["versions"]["gossamer"] == gs.__version__
    assert out["machine"]["links"][0][1]["transport"] == "threads"
    assert out["machine"]["sharing"] == ["run alone", "run alone"]
    assert out["machine"]["collectives"]["given"] is None
    assert "\nbarrier:0-inf:@" in out["machine"]["collectives"]["rules"]
    assert len(out["devices"]["gpus"]) == len(out["reach"])
    text = cli("info", GOSSAMER_PEER="off").stdout
    assert "compiled in" in text and "GOSSAMER_PEER=off" in text
    assert "requests to the owner" in cli("info", GOSSAMER_PEER="no-atomics").stdout
    if out["devices"]["gpus"]:
        shared = cli.json("info", "--machine", "cuda:0*2")
        assert shared["machine"]["sharing"] == ["run together", "run together"]
        turns = cli("info", "--machine", "cuda:0*2", GOSSAMER_SHARED_KERNELS="off").stdout
        assert "cuda:0: kernels of the 2 ranks that share it take turns" in turns
    else:
        assert f"no GPU: {out['devices']['no_gpu_because']}" in text


@pytest.mark.parametrize("suffix", [".npz", ".mtx", ".gsr"])
def test_generate_convert_stats(cli: Any, tmp_path: Path, suffix: str) -> None:
    out = cli.json("generate", "road:20", "-o", "road.gsr")
    size = (tmp_path / "road.gsr").stat().st_size
    assert out["output"] == {"file": "road.gsr", "bytes": size}
    other = f"road2{suffix}"
    assert cli("convert", "road.gsr", other).returncode == 0
    first, second = cli.json("stats", "road.gsr"), cli.json("stats", other)
    for key in ("vertices", "arcs", "simple_edges", "degree_histogram", "components"):
        assert first["statistics"][key] == second["statistics"][key]
    assert first["statistics"]["weights"]["minimum"] >= 1
    graph = gs.road(20)
    assert np.array_equal(gs.read(tmp_path / other).indices, graph.indices)
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted(["road.gsr", other])


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


def test_json_goes_to_a_file_beside_the_text(cli: Any, small_file: Path, tmp_path: Path) -> None:
    done = cli("stats", small_file, "--json", "out.json")
    assert done.returncode == 0 and "stored arcs" in done.stdout
    assert json.loads((tmp_path / "out.json").read_text())["graph"]["name"] == "small.gr"


def test_version_and_help(cli: Any) -> None:
    assert cli("--version").stdout == f"gossamer {gs.__version__}\n"
    for command in ((), ("bfs",), ("info",), ("generate",), ("convert",), ("stats",)):
        assert cli(*command, "--help").returncode == 0
    assert "--deterministic" in cli("bfs", "--help").stdout


# --- errors -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("bfs", "absent.gr"), "absent.gr: no such file, and no generator"),
        (("stats", "absent.gr"), "absent.gr: no such file"),
        (("convert", "absent.gr", "x.npz"), "absent.gr: no such file"),
        (("bfs", "kron:x"), "kron:x"),
        (("bfs", "grid:4"), "grid:4"),
        (("stats", "poisson:4x"), "generator 'poisson:4x': NY '' is not a whole number"),
        (("generate", "band:5:26", "-o", "x.npz"), "NON_ZEROS must be 5 to 25, not 26"),
        (("generate", "mesh:4", "-o", "x.npz"), "'mesh:4' is no generator"),
        (("generate", "kron:4"), "Give -o FILE"),
        (("generate", "kron:4", "-o", "no/such/x.npz"), "there is no folder no/such"),
        (("generate", "kron:4", "-o", "."), "is a folder"),
        (("generate", "kron:4", "-o", "x.npz", "--to", "bogus"), "bogus"),
        (("generate", "kron:4", "-o", "x.unknown"), "x.unknown"),
        (("bfs", "grid:4x4", "--source", "16"), "grid:4x4: no vertex 16 (ids are 0 to 15)"),
        (("bfs", "grid:4x4", "--source", "-1"), "no vertex -1"),
        (("bfs", "grid:1x1"), "no vertex has an edge to draw a source from"),
        (("bfs", "grid:4x4", "--source", "1", "--sources", "2"), "not both"),
        (("bfs", "grid:4x4", "--machine", "abacus"), "abacus"),
        (("bfs", "grid:4x4", "--machine", "cpu:0"), "cpu:0"),
        (("bfs", "grid:4x4", "--direction", "up"), "'up' is none of auto, top-down, bottom-up"),
        (("bfs", "grid:4x4", "--engine", "warp"), "warp"),
        (("bfs", "grid:4x4", "--partition", "magic"), "no such file, and none of auto, ranges"),
        (("bfs", "grid:4x4", "--renumber", "magic"), "magic"),
        (("bfs", "grid:4x4", "--timeout", "0"), "--timeout: not a positive number"),
        (("bfs", "grid:4x4", "--timeout", "soon"), "--timeout"),
        (("bfs", "grid:4x4", "--memory", "lots"), "not a number of bytes: 'lots'"),
        (("bfs", "grid:4x4", "--repeat", "0"), "--repeat"),
        (("bfs", "grid:4x4", "--output", "no/such.npz"), "there is no folder no"),
        (("stats", "grid:4x4", "--partition", "metis"), "expected PARTS:NAME"),
        (("stats", "grid:4x4", "--partition", "2:magic"), "magic"),
        (("bfs",), "GRAPH"),
        (("bfs", "grid:4x4", "--bogus"), "--bogus"),
        (("frobnicate",), "frobnicate"),
    ],
)
def test_bad_usage_is_one_line_and_exit_code_2(
    cli: Any, tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    assert message in cli.fails(2, *arguments)
    assert list(tmp_path.iterdir()) == []


def test_no_cuda_device(cli: Any) -> None:
    if gs._gossamer.hardware()["gpus"]:
        pytest.skip("there is a GPU")
    for spec in ("cuda", "cuda:7", "cpu:1+cuda:0"):
        text = cli.fails(2, "bfs", "grid:4x4", "--machine", spec)
        if gs._gossamer.build_info()["features"]["cuda"]:
            assert "this host has no CUDA device (" in text
        else:
            assert "CUDA devices not compiled in: configure with -DGOSSAMER_CUDA=ON" in text


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("empty.mtx", b"", "empty.mtx"),
        ("bad.gr", b"p sp 2 1\na 1 5 1\n", "bad.gr:2: "),
        ("short.gr", b"p sp 2 2\na 1 2 1\n", "short.gr"),
        ("cut.gr.gz", b"\x1f\x8b\x08\x00\x00", "cut.gr.gz"),
        ("junk.bin", bytes(range(256)), "junk.bin"),
    ],
)
def test_bad_files_are_named(
    cli: Any, tmp_path: Path, name: str, content: bytes, message: str
) -> None:
    (tmp_path / name).write_bytes(content)
    assert message in cli.fails(2, "convert", name, "out.npz")
    assert [p.name for p in tmp_path.iterdir()] == [name]


def test_too_little_memory_is_refused_with_the_plan(cli: Any, tmp_path: Path) -> None:
    done = cli("generate", "kron:20", "-o", "k.npz", "--memory", "1M")
    assert done.returncode == 2
    assert "kron:20 does not fit: 1048576 vertices, 16777216 generated edges" in done.stderr
    assert "the limit is 1048576 bytes (--memory)" in done.stderr
    done = cli("bfs", "kron:16", GOSSAMER_MEMORY="1M")
    assert done.returncode == 2 and "the limit is 1048576 bytes (GOSSAMER_MEMORY)" in done.stderr
    done = cli("bfs", "grid:4x4", "--sources", 16, "--output", "x.npz", "--memory", "100")
    assert done.returncode == 2
    assert list(tmp_path.iterdir()) == []


def test_time_out_is_exit_code_4(cli: Any, tmp_path: Path) -> None:
    arguments = ("--direction", "bottom-up", "--timeout", "0.06", "--machine", "cpu:1x1")
    text = cli.fails(4, "bfs", "road:1500:0.95", *arguments, "--output", "x.npz")
    assert "did not end within 0.06 s" in text
    assert list(tmp_path.iterdir()) == []


def test_failed_verification_is_exit_code_3(run_python: Any, tmp_path: Path) -> None:
    # A verifier that finds fault with every second result stands in for a wrong engine.
    program = f"""
import os, gossamer as gs
from gossamer.bfs import BfsResult
from gossamer.cli import run
os.chdir({str(tmp_path)!r})
calls = []
def verify(self, *, threads=0, timeout=None):
    calls.append(self)
    if len(calls) % 2 == 0: raise gs.VerificationError("bfs from 0: wrong")
BfsResult.verify = verify
print(run(["bfs", "grid:9x9", "--sources", "4", "--verify", "--json", "o.json",
           "--output", "o.npz"]))
"""
    assert run_python(program).splitlines()[-1] == "3"
    out = json.loads((tmp_path / "o.json").read_text())
    assert [run["verified"] for run in out["runs"]] == [True, False, True, False]
    assert out["summary"]["verified"] is False
    assert not (tmp_path / "o.npz").exists()


def test_time_out_of_a_check_leaves_a_report(run_python: Any, tmp_path: Path) -> None:
    program = f"""
import os, gossamer as gs
from gossamer.bfs import BfsResult
from gossamer.cli import run
os.chdir({str(tmp_path)!r})
calls = []
def verify(self, *, threads=0, timeout=None):
    calls.append(timeout)
    if len(calls) == 2: raise gs.Timeout("the verification did not end within 9 s")
BfsResult.verify = verify
print(run(["bfs", "grid:9x9", "--sources", "4", "--verify", "--timeout", "9", "--json", "o.json",
           "--output", "o.npz"]), calls)
"""
    assert run_python(program).splitlines()[-1] == "4 [9.0, 9.0]"
    out = json.loads((tmp_path / "o.json").read_text())
    assert [run["verified"] for run in out["runs"]] == [True]
    assert out["failure"]["text"] == "the verification did not end within 9 s"
    assert [path.name for path in tmp_path.iterdir()] == ["o.json"]


# --- real graphs ------------------------------------------------------------------------------


def test_new_york(cli: Any, data: Path) -> None:
    path = data / "USA-road-d.NY.gr.xz"
    out = cli.json("bfs", path, "--source", 140961, "--verify")
    assert (out["graph"]["vertices"], out["graph"]["arcs"]) == (264346, 733846)
    (run,) = out["runs"]
    assert run["source"] == 140961 and run["verified"] is True
    assert run["reached"] == 264346 and run["levels"] == 415 + 1


def test_slashdot(cli: Any, data: Path) -> None:
    path = data / "soc-Slashdot0902.txt.xz"
    found = cli.json("stats", path)["statistics"]
    assert (found["vertices"], found["arcs"], found["self_loops"]) == (82168, 948464, 78303)
    assert (found["simple_edges"], found["components"]) == (504230, 1)
    assert found["largest_strong_component"] == 71307 and found["symmetric"] is False

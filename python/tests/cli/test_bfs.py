"""`gossamer bfs`: its JSON, text and output file; time limits, verification, real graphs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import gossamer as gs
import numpy as np
import pytest
from gossamer.cli import run

NUMBER = (int, float)


def shape(value: Any) -> Any:
    """Keys and types of a JSON value."""
    if isinstance(value, dict):
        return {key: shape(v) for key, v in value.items()}
    return type(value).__name__


def test_bfs_json_schema(cli: Any, small_file: Path) -> None:
    out = cli.json("bfs", small_file, "--source", 1, "--verify", "--machine", "cpu:2x1")
    assert list(out) == [
        "algorithm", "graph", "machine", "options", "ranks", "runs", "partition", "memory",
        "summary", "version", "date",
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
        "format": "dimacs",
    }
    assert out["machine"]["spec"] == "cpu:2x1" and out["machine"]["fabric"] == "threads"
    assert [d["kind"] for d in out["machine"]["devices"]] == ["cpu", "cpu"]
    (run,) = out["runs"]
    assert shape({k: v for k, v in run.items() if k not in ("phases", "messages")}) == {
        "source": "int",
        "engine": "str",
        "engine_reason": "str",
        "milliseconds": "float",
        "levels": "int",
        "reached": "int",
        "edges": "int",
        "teps": "float",
        "verified": "bool",
        "frontiers": "list",
        "level_milliseconds": "list",
        "overlap": "NoneType",
        "work": "NoneType",
        "directions": "str",
    }
    assert (run["source"], run["levels"], run["reached"], run["edges"]) == (1, 3, 4, 4)
    assert run["engine"] == "sync"
    assert run["engine_reason"].startswith("chosen, single_kernel needs a GPU for every rank; ")
    assert run["verified"] is True and run["frontiers"] == [1, 2, 1]
    assert len(run["directions"]) == 3 and set(run["directions"]) <= {"t", "b"}
    assert all(isinstance(ms, NUMBER) for ms in run["phases"].values())
    assert list(run["messages"]) == ["flag", "out", "tree"]
    assert shape(run["messages"]["flag"]) == {
        "rounds": "int",
        "messages": "int",
        "bytes": "int",
        "milliseconds": "float",
    }
    # Two ranks tell each other twice a round, in 8 bytes; the result stays where it is.
    flag = run["messages"]["flag"]
    assert flag["messages"] == 4 * flag["rounds"] and flag["bytes"] == 8 * flag["messages"]
    assert run["messages"]["tree"]["messages"] == 0
    summary = out["summary"]
    assert summary["median_milliseconds"] == run["milliseconds"]
    assert summary["harmonic_mean_teps"] == pytest.approx(run["teps"])
    assert summary["uploads"] == 1 and summary["verified"] is True and summary["sources"] == 1
    host = out["memory"]["devices"].pop("host")
    assert out["memory"] == host | {
        "devices": {},
        "resident_bytes": out["memory"]["resident_bytes"],
    }
    assert out["memory"]["resident_bytes"] > 1 << 20
    assert out["options"]["source"] == 1 and out["options"]["direction"] == "auto"


def test_bfs_many_sources_and_repeats(cli: Any) -> None:
    out = cli.json("bfs", "kron:8", "--sources", 64, "--repeat", 2, "--seed", 5)
    sources = [run["source"] for run in out["runs"]]
    assert len(sources) == 128 and sources[::2] == sources[1::2] and len(set(sources)) == 64
    assert sources[::2] == gs.draw_sources(gs.kronecker(8), 64, seed=5)
    assert out["summary"]["runs"] == 128 and out["summary"]["sources"] == 64
    assert out["summary"]["uploads"] == 1
    assert out["summary"]["verified"] is None and out["runs"][0]["verified"] is None
    rates = [run["teps"] for run in out["runs"]]
    assert out["summary"]["harmonic_mean_teps"] == pytest.approx(128 / sum(1 / r for r in rates))


@pytest.mark.parametrize("command", ["bfs", "sssp"])
def test_a_source_that_is_named_is_not_drawn(cli: Any, small_file: Path, command: str) -> None:
    given = (command, small_file, "--source", 1)
    line = cli.fails(2, *given, "--seed", 3)
    assert line == f"{command}: --seed is for sources that are drawn, --source names one"
    assert cli.fails(2, *given, "--sources", 2) == "give --source or --sources, not both"
    assert cli(command, small_file, "--seed", 3, "--machine", "cpu:1x1").returncode == 0


@pytest.mark.parametrize("machine", ["cpu:1x1", "cpu:2x1", "cpu:3x1"])
@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--deterministic",),
        ("--engine", "async"),
        ("--engine", "tasks"),
        ("--engine", "published"),
        ("--partition", "edges"),
    ],
)
def test_a_run_takes_what_its_plan_says(
    cli: Any, machine: str, options: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    plans = []
    plan = gs.BfsSearch.plan
    monkeypatch.setattr(
        gs.BfsSearch, "plan", lambda *a, **k: plans.append(plan(*a, **k)) or plans[-1]
    )
    out = cli.json("bfs", "kron:16", "--sources", 3, "--repeat", 2, "--machine", machine, *options)
    memory = out["memory"]
    (entries,) = [p.entries for p in plans]
    assert memory["planned_bytes"] == sum(e.bytes for e in entries)
    # A plan that lacked any entry would be exceeded by more than the sizes that are rounded.
    rounding = 1024 * len({e.rank for e in entries})
    assert rounding < min(e.bytes for e in entries)
    assert memory["peak_bytes"] <= memory["planned_bytes"] + rounding, entries
    # And it is what a run takes: nearly all of it is taken at one time.
    assert memory["peak_bytes"] > 0.98 * memory["planned_bytes"], entries


def test_fewer_sources_than_asked_for_are_stated(cli: Any) -> None:
    drawn = int(np.count_nonzero(gs.kronecker(8).degrees))
    said = f"only {drawn} vertices have an edge: so many sources, not 9,999\n"
    assert said in cli("bfs", "kron:8", "--sources", 9999).stdout
    assert "have an edge" not in cli("bfs", "kron:8", "--sources", drawn).stdout
    summary = cli.json("bfs", "kron:8", "--sources", 9999, "--repeat", 2)["summary"]
    assert (summary["sources"], summary["runs"]) == (drawn, 2 * drawn)


@pytest.mark.parametrize("partition", ["edges", "hash", "parts"])
def test_bfs_states_what_the_partition_costs(
    cli: Any, small_file: Path, tmp_path: Path, partition: str
) -> None:
    (tmp_path / "parts").write_text("1\n0\n1\n0\n1\n0\n")
    arguments = (small_file, "--partition", partition)
    out = cli.json("bfs", *arguments, "--source", 1, "--machine", "cpu:2x1")["partition"]
    asked = cli.json("stats", small_file, "--partition", f"2:{partition}")["partition"]
    assert cli.json("bfs", small_file, "--machine", "cpu:2x1")["partition"] is None  # auto
    assert out == asked and out["method"] == partition and out["parts"] == 2
    line = next(
        line
        for line in cli("stats", small_file, "--partition", f"2:{partition}").stdout.splitlines()
        if line.startswith(f"partition {partition} in 2: ")
    )
    text = cli("bfs", *arguments, "--source", 1, "--machine", "cpu:2x1").stdout
    assert line in text.splitlines() and "arcs cut" in line and "halo" in line
    assert cli.json("bfs", *arguments[:1], "--machine", "cpu:1x1")["partition"] is None
    assert "arcs cut" not in cli("bfs", small_file, "--machine", "cpu:1x1").stdout


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


def test_time_out_is_exit_code_4(cli: Any, tmp_path: Path) -> None:
    arguments = ("--direction", "bottom-up", "--timeout", "0.06", "--machine", "cpu:1x1")
    text = cli.fails(4, "bfs", "road:1500:0.95", *arguments, "--output", "x.npz")
    assert "did not end within 0.06 s" in text
    assert list(tmp_path.iterdir()) == []


def test_a_limit_shorter_than_a_look_at_the_clock_is_kept(cli: Any, tmp_path: Path) -> None:
    for command in ("bfs", "cg"):
        data = "kron:8" if command == "bfs" else "poisson:9x9"
        arguments = (command, data, "--timeout", "0.0000001", "--machine", "cpu:1x1")
        done = cli(*arguments, "--json", "o.json", "--verify")
        assert done.returncode == 4
        assert done.stderr == f"gossamer: {command} did not end within 1e-07 s\n"
        assert json.loads((tmp_path / "o.json").read_text())["runs"] == []
    graph = gs.grid(3, 3)
    result = gs.bfs(graph, 0, "cpu:1x1", timeout=60)
    with pytest.raises(gs.Timeout, match="the verification did not end within 1e-09 s"):
        result.verify(timeout=1e-9)
    # A modelled system's clock is not the one that limits.
    assert gs.bfs(graph, 0, "sim:peach2,ranks=2", timeout=1e-6).milliseconds > 1e-3


def run_with_verifier(run_python: Any, folder: Path, verifier: str, *options: str) -> str:
    """The last line of a run of four searches whose results `verifier`, a statement that knows
    `calls` so far and the `timeout`, checks: it stands in for a wrong or slow engine."""
    program = f"""
import os, gossamer as gs
from gossamer.algorithm.bfs import BfsResult
from gossamer.cli import run
os.chdir({str(folder)!r})
calls = []
def verify(self, *, threads=0, smallest_parents=False, timeout=None):
    calls.append(timeout)
    {verifier}
BfsResult.verify = verify
print(run(["bfs", "grid:9x9", "--sources", "4", "--verify", "--json", "o.json",
           "--output", "o.npz", *{options!r}]), calls)
"""
    return str(run_python(program).splitlines()[-1])


def test_failed_verification_is_exit_code_3(run_python: Any, tmp_path: Path) -> None:
    wrong = 'if len(calls) % 2 == 0: raise gs.VerificationError("bfs from 0: wrong")'
    assert run_with_verifier(run_python, tmp_path, wrong) == "3 [None, None, None, None]"
    out = json.loads((tmp_path / "o.json").read_text())
    assert [run["verified"] for run in out["runs"]] == [True, False, True, False]
    assert out["summary"]["verified"] is False
    assert not (tmp_path / "o.npz").exists()


def test_time_out_of_a_check_leaves_a_report(run_python: Any, tmp_path: Path) -> None:
    slow = 'if len(calls) == 2: raise gs.Timeout("the verification did not end within 9 s")'
    last = run_with_verifier(run_python, tmp_path, slow, "--timeout", "9")
    assert last == "4 [9.0, 9.0]"
    out = json.loads((tmp_path / "o.json").read_text())
    assert [run["verified"] for run in out["runs"]] == [True]
    assert out["summary"] is None
    assert out["failure"]["text"] == "the verification did not end within 9 s"
    assert [path.name for path in tmp_path.iterdir()] == ["o.json"]


def test_new_york(cli: Any, data: Path) -> None:
    path = data / "USA-road-d.NY.gr.xz"
    out = cli.json("bfs", path, "--source", 140961, "--verify")
    assert (out["graph"]["vertices"], out["graph"]["arcs"]) == (264346, 733846)
    (run,) = out["runs"]
    assert run["source"] == 140961 and run["verified"] is True
    assert run["reached"] == 264346 and run["levels"] == 415 + 1


def test_fewer_ranks_are_told_with_their_reason(
    cli: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Only GPUs are left out; a choice of two CPU ranks stands for that of two GPUs.
    def one(graph: object, machine: gs.Machine, use: str, **options: object) -> gs.BfsRanks:
        assert list(options)[:3] == ["renumber", "memory", "spill"]
        assert list(options)[3:] == ["direction", "deterministic", "engine"]
        if use == "all":
            return gs.BfsRanks(machine)
        provided = "" if isinstance(graph, gs.Graph) else "it is small"
        return gs.BfsRanks(gs.Machine("cpu:1x1"), "1 of 2 ranks: it is enough", provided)

    monkeypatch.setattr("gossamer.cli.commands.bfs.ranks_for_bfs", one)
    command = ["bfs", "kron:8", "--machine", "cpu:2x1"]
    ran = cli.json(*command)
    planned = cli.json(*command, "--plan")["plan"]
    fewer = {"used": 1, "of": 2, "reason": "1 of 2 ranks: it is enough"}
    assert ran["ranks"] == fewer | {"provided": ""}
    assert planned["ranks"] == fewer | {"provided": "it is small"}
    # What is planned is what runs.
    assert ran["machine"]["spec"] == "cpu:1x1"
    assert {e.get("rank") for e in planned["entries"]} == {None, 0}
    assert {e.get("rank") for e in cli.json(*command, "--plan", "--use", "all")["plan"]["entries"]
            } == {None, 0, 1}  # fmt: skip
    # A partition is one for all ranks.
    parted = cli.json(*command, "--plan", "--partition", "hash")["plan"]
    assert parted["ranks"] == {"used": 2, "of": 2, "reason": "", "provided": ""}
    capsys.readouterr()
    assert run([*command, "--plan"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "used 1 of 2 ranks: it is enough, provided that it is small (--use all" in text
    assert run(command) == 0
    assert "used 1 of 2 ranks: it is enough (--use all: all" in capsys.readouterr().out
    # Another engine is asked for by name.
    assert cli.json(*command, "--engine", "tasks")["ranks"]["used"] == 2


def test_all_ranks_where_one_lacks_memory_are_told_with_their_reason(
    cli: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # tests/unit/algorithm/bfs/too_large_test.cpp has the rule; this is what becomes of its answer.
    reason = "all 2 ranks: cuda:0 alone would need 3.0 GiB of its 2.0 GiB"

    def all_of_them(graph: object, machine: gs.Machine, *_: object, **__: object) -> gs.BfsRanks:
        return gs.BfsRanks(machine, reason)

    monkeypatch.setattr("gossamer.cli.commands.bfs.ranks_for_bfs", all_of_them)
    command = ["bfs", "road:9", "--machine", "cpu:2x1"]
    ran = cli.json(*command)
    assert ran["ranks"] == {"used": 2, "of": 2, "reason": reason, "provided": ""}
    assert ran["machine"]["spec"] == "cpu:2x1"
    capsys.readouterr()
    for way in ([], ["--plan"]):
        assert run([*command, *way]) == 0
        lines = " ".join(capsys.readouterr().out.split())
        assert f"used {reason}" in lines and "--use all" not in lines


def test_use_is_auto_or_all(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bfs", "kron:6", "--machine", "cpu:2x1", "--use", "all"]) == 0
    assert run(["bfs", "kron:6", "--machine", "cpu:2x1", "--use", "some"]) == 2
    assert "use 'some' is neither auto nor all" in capsys.readouterr().err


def test_depths_are_compared_with_files(cli: Any, small_file: Path, tmp_path: Path) -> None:
    given = ["bfs", small_file, "--source", 1, "--machine", "cpu:2x1"]
    cli(*given, "--output", "out.npz")
    (depths,) = np.load(tmp_path / "out.npz")["depths"]
    assert -1 in depths  # the file's words for "not reached"
    (tmp_path / "right.txt").write_text(" ".join(str(d) if d >= 0 else "inf" for d in depths))
    np.save(tmp_path / "right.npy", depths.astype(np.uint32))
    for name in ("out.npz", "right.txt", "right.npy"):
        found = cli.json(*given, "--verify-with", name)
        assert found["summary"]["verified"] is True and found["options"]["verify_with"] == name
    farthest = int(np.argmax(depths))
    depths[farthest] += 1
    np.save(tmp_path / "wrong.npy", depths)
    done = cli(*given, "--verify-with", "wrong.npy")
    assert done.returncode == 3
    assert done.stderr == (
        f"gossamer: bfs on small.gr: vertex {farthest + 1} is at {depths[farthest] - 1}, expected "
        f"{depths[farthest]}\n"
    )
    np.savez(tmp_path / "other.npz", distances=np.arange(6))
    assert cli.fails(2, *given, "--verify-with", "other.npz") == (
        "other.npz: there is no array named depths"
    )
    assert "give the --source that its depths are from" in cli.fails(
        2, "bfs", small_file, "--machine", "cpu:1x1", "--verify-with", "out.npz"
    )

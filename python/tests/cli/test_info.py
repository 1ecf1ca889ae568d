"""`gossamer info`, `--version`, `--help`, and where `--json` writes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import gossamer as gs
import pytest
from gossamer.cli.commands.info import _warnings


def test_info(cli: Any) -> None:
    out = cli.json("info", "--machine", "cpu:2x1")
    assert out["devices"]["cpu"]["cores"] >= 1 and out["devices"]["cpu"]["memory"] > 0
    assert set(out["features"]) == {
        "cuda",
        "cusparse",
        "nccl",
        "metis",
        "hwloc",
        "openmp",
        "boost_context",
        "mpi",
        "gzip",
        "xz",
        "zstd",
    }
    assert out["versions"]["gossamer"] == gs.__version__
    assert out["machine"]["links"][0][1]["transport"] == "threads"
    assert out["machine"]["sharing"] == ["run alone", "run alone"]
    (host,) = out["machine"]["hosts"]
    assert host == {"ranks": [0, 1], "cores": out["devices"]["cpu"]["cores"]}
    assert out["machine"]["gpu_messages"] == ""  # its ranks are no GPUs of MPI processes
    assert out["machine"]["collectives"]["given"] is None
    assert "\nbarrier:0-inf:@" in out["machine"]["collectives"]["rules"]
    assert len(out["devices"]["gpus"]) == len(out["reach"])
    text = cli("info", GOSSAMER_PEER="off", GOSSAMER_BIND="off", GOSSAMER_CACHE="/c").stdout
    assert "compiled in" in text
    given = {line for line in text.splitlines() if line.startswith("GOSSAMER_")}
    assert {"GOSSAMER_BIND=off", "GOSSAMER_CACHE=/c", "GOSSAMER_PEER=off"} <= given
    assert "requests to the owner" in cli("info", GOSSAMER_PEER="no-atomics").stdout
    if out["devices"]["gpus"]:
        shared = cli.json("info", "--machine", "cuda:0*2")
        assert shared["machine"]["sharing"] == ["run together", "run together"]
        turns = cli("info", "--machine", "cuda:0*2", GOSSAMER_SHARED_KERNELS="off").stdout
        assert "cuda:0: kernels of the 2 ranks that share it take turns" in turns
    else:
        assert f"no GPU: {out['devices']['no_gpu_because']}" in text


def test_info_says_how_ranks_reach_each_other(cli: Any) -> None:
    title = "transport from rank to rank (direct: by loads and stores, too)"
    text = cli("info", "--machine", "cpu:2x1").stdout
    assert title in text and "threads (self), direct " in text and "threads (host), direct" in text
    assert "copies only" not in text and "by request" not in text
    text = cli("info", "--machine", "sim:peach2,ranks=2").stdout
    assert "sim (none), copies only, atomics by request" in text
    for spec in ("cpu:2x1", "sim:peach2,ranks=2"):
        (link, *_), _ = cli.json("info", "--machine", spec)["machine"]["links"]
        assert link["load_store"] is True and link["proxied"] is False


def test_info_of_gpus_warns_of_what_is_slow(cli: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    # What a host with three GPUs and two cores answers; no machine of it is opened.
    gpus = [
        {"ordinal": k, "name": "Tesla", "memory": 16 << 30, "units": 80, "pci": f"0000:0{k}:00.0"}
        for k in range(3)
    ]
    reach = [["same", "nvlink", "none"], ["nvlink", "same", "pcie"], ["none", "pcie", "same"]]
    hardware = gs._gossamer.hardware() | {"gpus": gpus, "cores": 2, "reach": reach}
    monkeypatch.setattr(gs._gossamer, "hardware", lambda: hardware)
    out = cli.json("info", "--machine", "cpu:1x1")
    assert out["devices"]["gpus"] == gpus and out["reach"] == reach
    threads, staged = out["warnings"][:2]
    assert threads.startswith("2 CPU threads for 3 GPUs: each GPU is driven by one thread")
    assert staged.startswith("2 of 6 GPU pairs have no peer access: their transfers go through")
    text = cli("info", "--machine", "cpu:1x1").stdout
    assert f"\nwarning: {threads}\n" in text and f"\nwarning: {staged}\n" in text
    (row,) = [
        line.split()
        for line in text.splitlines()
        if line.split()[:3] == ["cuda:1", "nvlink", "same"]
    ]
    assert row == ["cuda:1", "nvlink", "same", "pcie"]


def test_info_counts_cpu_threads_by_host() -> None:
    # A job of five processes with a GPU each, on hosts of two and of three; this one may use a
    # single core of its host, which has four GPUs.
    devices = [{"kind": "cuda"}] * 5
    hardware = {"gpus": [{}] * 4, "cores": 1, "reach": []}

    def said(cores: tuple[int, int]) -> list[str]:
        ranks = ([0, 2], [1, 3, 4])
        hosts = [{"ranks": r, "cores": c} for r, c in zip(ranks, cores, strict=True)]
        return _warnings(hardware, {"fabric": "mpi", "devices": devices, "hosts": hosts})

    assert said((2, 3)) == []
    (line,) = said((2, 2))
    assert line.startswith("2 CPU threads for the 3 GPU ranks on the host of rank 1: each is ")
    assert len(said((1, 1))) == 2
    devices[:] = [{"kind": "cpu"}] * 5  # nothing to drive
    assert said((1, 1)) == []


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


def test_json_goes_to_a_file_beside_the_text(cli: Any, small_file: Path, tmp_path: Path) -> None:
    done = cli("stats", small_file, "--json", "out.json")
    assert done.returncode == 0 and "stored arcs" in done.stdout
    assert json.loads((tmp_path / "out.json").read_text())["graph"]["name"] == "small.gr"


def test_version_and_help(cli: Any) -> None:
    assert cli("--version").stdout == f"gossamer {gs.__version__}\n"
    for command in ((), ("bfs",), ("info",), ("generate",), ("convert",), ("stats",)):
        assert cli(*command, "--help").returncode == 0
    assert "--deterministic" in cli("bfs", "--help").stdout


def test_commands_have_the_options_that_the_documentation_says(cli: Any) -> None:
    every = {"--json", "--memory", "--plan", "--threads"}
    lacking = {
        "info": every - {"--json"},
        "collective": every - {"--json"},
        "tune": every - {"--json"},
    }
    for command in (
        "info", "generate", "convert", "stats", "bfs", "cg", "collective", "tune", "simulate",
    ):  # fmt: skip
        words = set(cli(command, "--help").stdout.split())
        assert every - words == lacking.get(command, set()), command

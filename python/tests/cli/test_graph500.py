"""`gossamer graph500`: the benchmark's output, its JSON, its plan, and its exit codes."""

from __future__ import annotations

import importlib
import json
import re
from typing import Any

import gossamer as gs
import numpy as np
import pytest

ways = importlib.import_module("gossamer.graph500")

QUARTILES = ["min", "firstquartile", "median", "thirdquartile", "max"]
#: The lines of the reference code, in its order.
KEYS = [
    "SCALE", "edgefactor", "NBFS", "graph_generation", "num_mpi_processes", "construction_time",
    *(f"bfs  {name}_time" for name in [*QUARTILES, "mean", "stddev"]),
    *(f"{name}_nedge" for name in [*QUARTILES, "mean", "stddev"]),
    *(f"bfs  {name}_TEPS" for name in [*QUARTILES, "harmonic_mean", "harmonic_stddev"]),
    *(f"bfs  {name}_validate" for name in [*QUARTILES, "mean", "stddev"]),
]  # fmt: skip


def parse(text: str) -> dict[str, str]:
    """`key: value` lines; the ranked figure has a mark before its value."""
    lines = [re.fullmatch(r"([\w ]+):\s+(?:!\s+)?(\S+)", line) for line in text.splitlines()]
    assert all(lines), text
    return {found[1]: found[2] for found in lines if found}


def test_output_is_the_benchmarks(cli: Any) -> None:
    done = cli("graph500", "--scale", 7, "--edgefactor", 4, "--machine", "cpu:2x1")
    assert (done.returncode, done.stderr) == (0, "")
    values = parse(done.stdout)
    assert list(values) == KEYS
    assert [values[key] for key in ("SCALE", "edgefactor", "NBFS", "num_mpi_processes")] == [
        "7", "4", "64", "2"
    ]  # fmt: skip
    (ranked,) = [line for line in done.stdout.splitlines() if "!" in line]
    assert ranked.startswith("bfs  harmonic_mean_TEPS:     !  ")
    numbers = {key: float(value) for key, value in values.items()}
    for kind in ("bfs  {}_time", "{}_nedge", "bfs  {}_TEPS", "bfs  {}_validate"):
        ordered = [numbers[kind.format(name)] for name in QUARTILES]
        assert ordered == sorted(ordered)
    assert numbers["max_nedge"] <= 4 << 7
    # TEPS and times are of the same searches, nedge alike in all of them or nearly so.
    assert numbers["bfs  harmonic_mean_TEPS"] == pytest.approx(
        numbers["mean_nedge"] / numbers["bfs  mean_time"], rel=0.5
    )


def test_text_says_what_the_result_holds() -> None:
    result = gs.graph500(6, machine="cpu:1x1")
    values = {key: float(value) for key, value in parse(result.text()).items()}
    wanted = {
        "graph_generation": result.generation_seconds,
        "construction_time": result.construction_seconds,
        "bfs  firstquartile_time": result.time.first_quartile,
        "bfs  stddev_time": result.time.stddev,
        "thirdquartile_nedge": result.nedge.third_quartile,
        "stddev_nedge": result.nedge.stddev,
        "bfs  harmonic_mean_TEPS": result.teps.harmonic_mean,
        "bfs  harmonic_stddev_TEPS": result.teps.harmonic_stddev,
        "bfs  median_validate": result.validation.median,
    }
    for key, value in wanted.items():
        assert values[key] == pytest.approx(value, rel=1e-5), key


def test_json_schema(cli: Any) -> None:
    out = cli.json("graph500", "--scale", 6, "--machine", "cpu:2x1", "--seed", 9)
    assert list(out) == [
        "algorithm", "graph", "machine", "options", "runs", "seconds", "summary", "memory",
        "version", "date",
    ]  # fmt: skip
    assert out["algorithm"] == "graph500" and out["graph"]["name"] == "kron:6:16:9"
    assert out["machine"]["spec"] == "cpu:2x1"
    assert out["options"] == {
        "scale": 6, "edgefactor": 16, "seed": 9, "direction": "auto", "engine": "auto",
        "renumber": "none", "parts": False, "roots": 64, "timeout": None, "memory": None,
    }  # fmt: skip
    drawn = gs.draw_sources(gs.kronecker(6, 16, 9), 64, seed=9)
    assert [run["root"] for run in out["runs"]] == drawn
    for run in out["runs"]:
        assert list(run) == [
            "root", "seconds", "nedge", "edges", "teps", "validation_seconds", "verified"
        ]  # fmt: skip
        assert run["verified"] is True and run["nedge"] > run["edges"] > 0
        assert run["teps"] == run["nedge"] / run["seconds"]
    steps = out["seconds"]
    assert list(steps) == ["generation", "construction", "build", "place", "prepare"]
    assert steps["construction"] == pytest.approx(
        steps["build"] + steps["place"] + steps["prepare"]
    )
    summary = out["summary"]
    assert summary["runs"] == len(drawn)
    times = [run["seconds"] for run in out["runs"]]
    assert summary["seconds"] == pytest.approx(vars(gs.Spread.of(times)))
    rates = gs.RateSpread.of([run["nedge"] for run in out["runs"]], times)
    assert summary["teps"] == pytest.approx(vars(rates))
    assert summary["nedge"]["maximum"] == max(run["nedge"] for run in out["runs"])
    checks = [run["validation_seconds"] for run in out["runs"]]
    assert summary["validation_seconds"]["mean"] == pytest.approx(np.mean(checks))
    assert out["memory"]["planned_bytes"] > 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--scale", "0"], "--scale"),
        (["--scale", "41"], "--scale"),
        (["--scale", "x"], "--scale"),
        ([], "--scale"),
        (["--scale", "5", "--edgefactor", "0"], "--edgefactor"),
        (["--scale", "5", "--roots", "65"], "--roots"),
        (["--scale", "5", "--timeout", "0"], "--timeout: not a positive number of seconds"),
        (["--scale", "5", "--engine", "no-such"], "no-such"),
        (["--scale", "5", "--direction", "up"], "unknown direction 'up'"),
        (["--scale", "5", "--renumber", "up"], "renumber"),
        (["--scale", "5", "--machine", "gpu"], "gpu"),
        (["--scale", "5", "--machine", "cuda:99"], "CUDA"),
        (["--scale", "5", "--json", "no/such/folder"], "--json no/such/folder"),
        (["--scale", "20", "--memory", "64M"], "graph500 at scale 20 does not fit the host"),
    ],
)
def test_bad_usage(cli: Any, arguments: list[str], said: str) -> None:
    assert said in cli.fails(2, "graph500", *arguments)


def test_plan_stops_before_anything_is_made(cli: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(self: Any, progress: Any = None) -> None:
        raise AssertionError("made")

    monkeypatch.setattr(gs.Graph500, "generate", never)
    out = cli.json("graph500", "--scale", 33, "--machine", "cpu:2x1", "--plan")
    assert set(out) == {"plan", "version", "date"}
    plan = out["plan"]
    assert (plan["command"], plan["graph"]) == ("graph500", "kron:33:16:1")
    assert (plan["vertices"], plan["vertices_are"]) == (1 << 33, "exact")
    assert (plan["arcs"], plan["arcs_are"]) == (2 * 16 << 33, "at most")
    assert plan["totals"]["host"] == sum(e["bytes"] for e in plan["entries"])
    assert {e.get("rank") for e in plan["entries"]} == {None, 0, 1}
    own = {e["purpose"]: e["bytes"] for e in plan["entries"] if "rank" not in e}
    assert list(own) == ["edge list and sorting", "graph", "edges by first end", "validation"]
    assert own["graph"] == 8 * ((1 << 33) + 1) + 8 * (2 * 16 << 33)
    text = cli("graph500", "--scale", 8, "--memory", "1G", "--plan").stdout
    assert "memory plan: graph500 kron:8:16:1" in text and "of 1.0 GiB (--memory)" in text


def test_a_failed_validation_has_no_result(cli: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    good = ways._tree

    def broken(result: gs.BfsResult) -> Any:
        parents, depths = good(result)
        parents = parents.copy()
        parents[result.source] = -1
        return parents, depths

    monkeypatch.setattr(ways, "_tree", broken)
    said = cli.fails(3, "graph500", "--scale", 6)
    assert re.fullmatch(r"bfs from \d+: the source \d+ is not its own parent", said)
    done = cli("graph500", "--scale", 6, "--json", "-")
    assert done.returncode == 3
    out = json.loads(done.stdout)
    assert [run["verified"] for run in out["runs"]] == [False] and out["summary"] is None


def test_parts(cli: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = ["graph500", "--scale", "11", "--machine", "cpu:2x1", "--parts"]
    done = cli(*arguments)
    assert done.returncode == 0 and list(parse(done.stdout)) == KEYS
    assert parse(done.stdout)["graph_generation"] == "0"
    out = cli.json(*arguments)
    whole = cli.json(*arguments[:-1])
    assert out["graph"] == whole["graph"]
    assert list(out["seconds"]) == ["generation", "construction", "generate", "prepare"]
    assert [run["nedge"] for run in out["runs"]] == [run["nedge"] for run in whole["runs"]]
    assert out["options"] == whole["options"] | {"parts": True}
    plan = cli.json(*arguments, "--plan")["plan"]
    assert {e["rank"] for e in plan["entries"]} == {0, 1}
    assert plan["totals"]["host"] == sum(e["bytes"] for e in plan["entries"])
    said = cli.fails(2, "graph500", "--scale", 9, "--machine", "cpu:2x1", "--parts")
    assert "fewer than 512 vertices" in said


def test_fewer_roots(cli: Any) -> None:
    out = cli.json("graph500", "--scale", 8, "--roots", 3)
    assert [run["root"] for run in out["runs"]] == gs.draw_sources(gs.kronecker(8), 3)
    assert parse(cli("graph500", "--scale", 8, "--roots", 1).stdout)["NBFS"] == "1"


def test_wide_ids_and_modelled_machines(cli: Any) -> None:
    wide = cli("graph500", "--scale", 6, "--machine", "cpu:2x1", GOSSAMER_WIDE_IDS="on")
    assert wide.returncode == 0 and list(parse(wide.stdout)) == KEYS
    done = cli("graph500", "--scale", 6, "--machine", "sim:peach2,ranks=4")
    note, *lines = done.stdout.splitlines()
    assert "modelled system" in note and list(parse("\n".join(lines))) == KEYS

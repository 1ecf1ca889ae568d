"""`gossamer filter` and `gossamer dataflow`: JSON, files, and errors in one line."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import gossamer as gs
import numpy as np
import pytest
from gossamer.cli import run


def filtered(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert run(["filter", *arguments, "--json", "-"]) == 0
    result: dict[str, Any] = json.loads(capsys.readouterr().out)
    return result


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    said = filtered(
        capsys, "count:100000", "10..99", "--machine", "cpu:2x1", "--verify", "--repeat", "2"
    )
    assert said["algorithm"] == "filter"
    assert said["array"] == {"name": "count:100000", "elements": 100000, "type": "int32"}
    assert said["summary"]["matched"] == 90
    assert said["summary"]["verified"] is True
    assert [run["verified"] for run in said["runs"]] == [True, True]
    assert sum(share["elements"] for share in said["runs"][0]["shares"]) == 100000
    assert set(said["runs"][0]["shares"][0]) == {
        "segments", "elements", "matched", "busy", "ended",
    }  # fmt: skip
    assert said["options"]["split"] == "first-available"
    assert said["memory"]["devices"]


def test_it_says_what_it_ran_on(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["filter", "count:1000", "<5", "--machine", "cpu:2x1"]) == 0
    said = capsys.readouterr().out
    (device, _) = gs.Machine("cpu:2x1").devices
    assert said.startswith("machine cpu:2x1: 2 rank(s), fabric threads\n")
    assert re.search(rf"^ *1 +{re.escape(device.name)} +\d", said, re.MULTILINE), said
    assert run(["filter", "count:1000", "<5", "--machine", "sim:peach2,ranks=2"]) == 0
    assert "fabric sim; virtual time\n" in capsys.readouterr().out


def test_files_in_and_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    array = np.random.default_rng(2).integers(0, 1000, 20000)
    np.save(tmp_path / "in.npy", array)
    out = tmp_path / "out.npy"
    assert run(["filter", str(tmp_path / "in.npy"), ">500", "--machine", "cpu:2x1",
                "--output", str(out)]) == 0  # fmt: skip
    assert np.array_equal(np.load(out), array[array > 500])
    assert f"wrote {out}" in capsys.readouterr().out


def test_runs_are_recorded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "filter.json"
    assert run(["filter", "count:100000", "<5", "--machine", "cpu:2x1", "--trace", str(path)]) == 0
    assert run(["trace", "summary", str(path), "--json", "-"]) == 0
    said = capsys.readouterr().out
    assert '"filter"' in said
    events = json.loads(path.read_text())["traceEvents"]
    assert {"predicate", "put", "filter"} <= {event["name"] for event in events}


def test_the_plan(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["filter", "count:1000", "<5", "--machine", "cpu:2x1", "--plan"]) == 0
    assert "receive buffers" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["random:x", "<1"], "random:x: 'x' is no number from 0 to"),
        (["count:3000000000", "<1"], "count:3000000000: '3000000000' is no number from 0 to"),
        (["no.npy", "<1"], "no.npy: cannot be opened: No such file or directory"),
        (["count:10", "<1", "--slowdown", "a"], "--slowdown: 'a' is no list of numbers"),
        (["count:10", "<1", "--keep", "--verify"], "--keep: results stay on the ranks"),
        (["count:10", "<1", "--timeout", "0"], "--timeout: not a positive number of seconds"),
        (["count:10", "1"], "filter: '1' is no predicate"),
    ],
)
def test_errors(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["filter", *arguments, "--machine", "cpu:1x1"]) == 2
    said = capsys.readouterr().err
    assert message in said
    assert said.count("\n") == 1


def test_a_file_that_is_no_array(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "text.npy"
    path.write_text("nothing")
    assert run(["filter", str(path), "<1", "--machine", "cpu:1x1"]) == 2
    assert f"{path}:1: expected a number, found 'nothing'" in capsys.readouterr().err


def test_the_graph_as_dot(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["dataflow", "filter", "--machine", "cpu:3x1", "--dot"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("digraph dataflow {")
    assert text.count("subgraph cluster_") == 3
    path = tmp_path / "graph.dot"
    assert run(["dataflow", "filter", "--machine", "cpu:3x1", "--output", str(path)]) == 0
    assert path.read_text() == text


def test_the_graph_as_json(cli: Any) -> None:
    arguments = ("dataflow", "filter", "--machine", "cpu:3x1", "--buffers", 3)
    found = cli.json(*arguments)
    nodes, links = found["nodes"], found["links"]
    assert {node["rank"] for node in nodes} == {0, 1, 2, None}
    assert all((node["rank"] is None) == (node["policy"] is not None) for node in nodes)
    assert links and {link["buffers"] for link in links} <= {3, None}
    dot = cli(*arguments, "--dot", "--json", "graph.json").stdout
    assert dot.count("label=") > len(nodes) and dot.count(" -> ") == len(links)
    for link in links:
        assert f"n{link['from']} -> n{link['to']}" in dot
    beside = json.loads((cli.folder / "graph.json").read_text())
    assert (beside["nodes"], beside["links"]) == (nodes, links)


def test_the_graph_as_svg(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "graph.svg"
    arguments = ["dataflow", "filter", "--machine", "cpu:2x1", "--output", str(path)]
    if shutil.which("dot") is not None:
        assert run(arguments) == 0
        assert "<svg" in path.read_text()
        path.unlink()
    bare = tmp_path / "bin"
    bare.mkdir()
    monkeypatch.setenv("PATH", str(bare))
    assert run(arguments) == 2
    assert "--output: .svg needs Graphviz's program dot" in capsys.readouterr().err
    assert not path.exists()
    # A stand-in for Graphviz that says what it got.
    dot = bare / "dot"
    dot.write_text('#!/bin/sh\necho "<svg $1>"; while read -r line; do echo "$line"; done\n')
    dot.chmod(0o755)
    assert run(arguments) == 0
    assert path.read_text().startswith("<svg -Tsvg>\ndigraph dataflow {\n")
    dot.write_text("#!/bin/sh\necho broken >&2; exit 1\n")
    assert run(arguments) == 2
    assert "--output: dot failed: broken" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["bfs"], "dataflow: no program 'bfs' (there is filter, or a file: FILE.py)"),
        (["filter", "--output", "x.png"], "x.png: the suffix is neither .dot nor .svg"),
    ],
)
def test_graph_errors(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["dataflow", *arguments, "--machine", "cpu:1x1"]) == 2
    assert message in capsys.readouterr().err


def test_arrays_are_planned_before_they_are_made(cli: Any) -> None:
    given = ("filter", "random:1000000000000", "<0.5", "--machine", "cpu:1x1")
    plan = cli.json(*given, "--plan")["plan"]
    made = {"device": "host", "purpose": "the array", "certainty": "exact"}
    assert plan["entries"][0] == made | {"bytes": 4 * 10**12}
    shown = cli("filter", "count:1000", "<5", "--plan", "--memory", "1M").stdout
    assert "of 1.0 MiB" in shown and "≤: an upper bound" in shown
    text = cli.fails(2, *given)
    assert text.startswith("filter random:1000000000000: the array takes 3.6 TiB, ")


def test_made_arrays_are_what_numpy_makes(cli: Any, tmp_path: Path) -> None:
    n = (1 << 22) + 5  # more than one piece
    assert cli("filter", f"random:{n}:7", ">=0", "--output", "a.npy").returncode == 0
    wanted = np.random.default_rng(7).random(n, dtype=np.float32)
    assert np.array_equal(np.load(tmp_path / "a.npy"), wanted)
    assert cli("filter", f"count:{n}", ">=0", "--output", "b.npy").returncode == 0
    assert np.array_equal(np.load(tmp_path / "b.npy"), np.arange(n, dtype=np.int32))


def test_files_of_other_arrays(cli: Any, tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", x=np.arange(3))
    assert cli.fails(2, "filter", "a.npz", "<1") == ("a.npz: there is no array named array")
    np.save(tmp_path / "big.npy", np.arange(5, dtype=">i4"))
    assert cli.fails(2, "filter", "big.npy", "!=2") == (
        "filter: the array's numbers are in another byte order; array.astype('int32') has them in "
        "this machine's"
    )


def test_a_plan_has_its_totals(cli: Any) -> None:
    plan = cli.json("filter", "count:1000", "<5", "--machine", "cpu:2x1", "--plan")["plan"]
    assert plan["totals"] == {"host": sum(entry["bytes"] for entry in plan["entries"])}

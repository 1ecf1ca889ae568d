"""`gossamer bfs` by engine: what each says of its messages, its work and its results' way."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from gossamer.cli import run


def test_bfs_breakdown_names_messages_by_kind(
    capsys: pytest.CaptureFixture[str], small_file: Path
) -> None:
    arguments = ["bfs", str(small_file), "--source", "1", "--machine", "cpu:2x1"]
    assert run([*arguments, "--engine", "published", "--breakdown", "--verify"]) == 0
    out = capsys.readouterr().out
    assert "messages of the first run, all ranks" in out
    for kind, what in (("flag", "agreement"), ("out", "frontiers"), ("tree", "the result's way")):
        assert re.search(rf"^\s*{kind}\s+{what}", out, re.MULTILINE), out
    assert run([*arguments, "--engine", "published", "--deterministic"]) == 2
    assert "engine 'published' keeps the parents that come first" in capsys.readouterr().err


def test_what_nobody_timed_has_no_time(
    cli: Any, capsys: pytest.CaptureFixture[str], small_file: Path
) -> None:
    arguments = ["bfs", str(small_file), "--source", "1", "--machine", "cpu:2x1"]
    found = cli.json(*arguments, "--engine", "tasks")["runs"][0]
    assert found["messages"]["out"]["milliseconds"] is None
    assert found["messages"]["flag"]["milliseconds"] > 0
    assert "exchange" not in found["phases"] and found["phases"]["expand"] > 0
    capsys.readouterr()
    assert run([*arguments, "--engine", "tasks", "--breakdown"]) == 0
    assert re.search(r"^\s*out\s+frontiers.*–\s*$", capsys.readouterr().out, re.MULTILINE)


def test_vector_queue_reports_what_copies_hide(
    cli: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["bfs", "kron:10", "--machine", "sim:expether,ranks=3", "--engine", "vector_queue"]
    for transport in ("copy", "direct"):
        out = cli.json(*arguments[:-1], f"vector_queue:transport={transport}", "--verify")
        (found,) = out["runs"]
        overlap = found["overlap"]
        assert found["verified"] is True
        assert overlap["link_limit"] == pytest.approx(3 * 1.25e9)
        assert [level["bytes_per_stage"] for level in overlap["levels"]] == [
            [8 * n] * 2 for n in found["frontiers"]
        ]
        copied = sum(level["copy_milliseconds"] for level in overlap["levels"])
        waited = sum(level["idle_milliseconds"] for level in overlap["levels"])
        assert overlap["hidden"] == pytest.approx(max(0, 1 - waited / copied))
        assert all(0 < level["throughput"] < 3 * 1.25e9 for level in overlap["levels"])
    capsys.readouterr()
    assert run([*arguments, "--breakdown"]) == 0
    text = capsys.readouterr().out
    assert "exchange of the first run, all ranks" in text
    assert re.search(r"communication hidden behind computing: \d+%; all links together: 3.75", text)


def test_the_engine_and_its_reason_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["bfs", "kron:6", "--machine", "cpu:1x1"]
    assert run(arguments) == 0
    assert "engine sync: chosen, single_kernel needs a GPU for" in capsys.readouterr().out
    assert run([*arguments, "--engine", "tasks"]) == 0
    assert "engine tasks: asked for" in capsys.readouterr().out


@pytest.mark.parametrize("machine", ["cpu:1x1", "cpu:3x1", "sim:peach2,ranks=3"])
def test_the_async_engine_counts_its_work(
    cli: Any, capsys: pytest.CaptureFixture[str], machine: str
) -> None:
    arguments = ["bfs", "kron:9", "--machine", machine, "--engine", "async"]
    out = cli.json(*arguments, "--verify", "--deterministic")
    (found,) = out["runs"]
    work = found["work"]
    assert found["verified"] is True and set(found["directions"]) == {"t"}
    assert work["items"] - work["repeated"] == found["reached"] == sum(found["frontiers"])
    assert found["messages"]["out"]["bytes"] == work["bytes"]
    assert found["messages"]["out"]["messages"] == work["parcels"]
    assert (work["sent"] > 0) == (len(out["machine"]["devices"]) > 1)
    capsys.readouterr()
    assert run([*arguments, "--breakdown"]) == 0
    text = capsys.readouterr().out
    assert "worklist of the first run, all ranks" in text
    assert re.search(r"depth\s+direction\s+frontier\s*\n", text), text  # levels have no times
    assert f"per second of {'virtual' if 'sim' in machine else 'wall'} time" in text
    assert re.search(r"items +[\d,]+ *\n *repeated +[\d,]+ *\n", text), text
    assert cli.json("bfs", "kron:9", "--machine", machine)["runs"][0]["work"] is None
    capsys.readouterr()
    assert run([*arguments, "--direction", "bottom-up"]) == 2
    assert "engine 'async' goes top-down only" in capsys.readouterr().err


def test_transport_is_refused_where_it_means_nothing(
    cli: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["bfs", "kron:6", "--engine", "sync:transport=copy"]) == 2
    assert "engine 'sync' has no option 'transport'" in capsys.readouterr().err
    assert cli.json("bfs", "kron:6", "--machine", "cpu:2x1")["runs"][0]["overlap"] is None


@pytest.mark.parametrize("results", ["serial", "slices", "overlapped"])
def test_results_go_to_the_host(cli: Any, capsys: pytest.CaptureFixture[str], results: str) -> None:
    graph = ["bfs", "kron:11", "--machine", "sim:expether,ranks=3", "--engine"]
    stays, goes = (
        cli.json(*graph, f"vector_queue:results={where}", "--verify")["runs"][0]
        for where in ("stay", results)
    )
    assert stays["verified"] and goes["verified"]
    assert stays["frontiers"] == goes["frontiers"]
    assert "tree" not in stays["phases"] and stays["messages"]["tree"]["bytes"] == 0
    assert goes["milliseconds"] > stays["milliseconds"]
    assert goes["phases"]["tree"] > 0
    bound = 8 * 2048 if results != "overlapped" else 8 * (stays["reached"] - 1)
    assert 4 * (stays["reached"] - 1) <= goes["messages"]["tree"]["bytes"] <= bound
    capsys.readouterr()
    assert run([*graph, f"vector_queue:results={results}"]) == 0
    assert "to finished parents in the host's memory" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--engine", "async:results=serial"), "engine 'async' has no option 'results'"),
        (("--engine", "vector_queue:results=moon"),
         "unknown results 'moon' (there are stay, serial, slices, overlapped)"),
        (("--engine", "vector_queue:duplicates=none"),
         "unknown duplicates 'none' (there are vector, sort-unique)"),
        (("--engine", "vector_queue:label_bytes=6"), "label_bytes 6 is none of 0, 4, 8"),
        (("--engine", "vector_queue:results=overlapped", "--deterministic"),
         "results 'overlapped' are the parents that come first: with deterministic ones they "
         "stay"),
    ],
)  # fmt: skip
def test_options_of_engine_vector_queue_are_refused_where_they_mean_nothing(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], message: str
) -> None:
    assert run(["bfs", "kron:6", "--machine", "cpu:2x1", *arguments]) == 2
    assert message in " ".join(capsys.readouterr().err.split())

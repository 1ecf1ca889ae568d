"""Files on the command line: what is read must be files, and no output replaces another."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gossamer import _gossamer

SYSTEMS = Path(__file__).parents[3] / "share" / "systems"


def test_graphs_are_not_read_from_pipes(cli: Any, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")  # nobody writes to it: to open it would wait for ever
    refused = "is a pipe or a device; a graph is read from a file"
    assert cli.fails(2, "stats", "pipe") == f"pipe: {refused}"
    assert cli.fails(2, "convert", "pipe", "out.gsr", "--from", "galois") == f"pipe: {refused}"
    assert cli.fails(2, "stats", "/dev/null") == f"/dev/null: {refused}"
    program = "from gossamer.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program, "stats", "/dev/stdin"],
        input="p sp 2 1\na 1 2 3\n", capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (2, f"gossamer: /dev/stdin: {refused}\n")


@pytest.mark.parametrize(
    ("command", "what"),
    [
        (("simulate", "allreduce", "--bytes", 8, "--system"), "a system"),
        (("simulate", "allreduce", "--bytes", 8, "--against"), "a system"),
        (("trace", "summary"), "a trace"),
        (("cg", "poisson:4", "--machine", "cpu:1x1", "--rhs"), "a list of numbers"),
        (("components", "grid:2x2", "--machine", "cpu:1x1", "--verify-with"), "a list of numbers"),
        (("filter",), "a list of numbers"),
    ],
)
def test_what_lies_beside_a_graph_is_a_file(
    cli: Any, tmp_path: Path, command: tuple[str | int, ...], what: str
) -> None:
    """A device may never end, and a pipe that nobody writes to never begins."""
    os.mkfifo(tmp_path / "pipe")
    more = ("<3",) if command[0] == "filter" else ()
    for path in ("/dev/zero", str(tmp_path / "pipe")):
        refused = f"{path}: is a pipe or a device; {what} is read from a file"
        assert cli.fails(2, *command, path, *more) == refused


def test_what_lies_beside_a_graph_has_a_length(
    cli: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "long.toml").touch()
    os.truncate(tmp_path / "long.toml", 1 << 40)  # takes no place on the disk
    text = cli.fails(2, "simulate", "allreduce", "--bytes", 8, "--system", "long.toml")
    assert text == "long.toml: is too long: a system has at most 1048576 bytes"
    rules = "a list of rules has at most 1048576 bytes"
    given = ("bfs", "grid:2x2", "--machine", "cpu:2x1")
    text = cli.fails(2, *given, GOSSAMER_COLLECTIVES="./long.toml")
    assert text == f"./long.toml: is too long: {rules}"
    text = cli.fails(2, *given, GOSSAMER_COLLECTIVES="/dev/zero")
    assert text == "/dev/zero: is a pipe or a device; a list of rules is read from a file"
    monkeypatch.setattr(_gossamer, "host_memory", lambda: (3200, "test"))
    (tmp_path / "numbers").write_text("1 " * 100_000)
    given = ("cg", "poisson:4", "--machine", "cpu:1x1", "--rhs", "numbers")
    assert cli.fails(2, *given, GOSSAMER_MEMORY="1M") == (
        "numbers: the numbers do not fit: they take 1.5 MiB or more; the limit is 1.0 MiB "
        "(GOSSAMER_MEMORY)"
    )
    assert cli.fails(2, "trace", "summary", "long.toml") == (
        "long.toml: is too long: a trace has at most 400 bytes"
    )


@pytest.mark.parametrize(
    "outputs",
    [
        ("--output", "a.npz", "--json", "a.npz"),
        ("--output", "a.npz", "--trace", "./a.npz"),
        ("--json", "a", "--trace", "a"),
    ],
)
def test_two_outputs_are_two_files(
    cli: Any, small_file: Path, tmp_path: Path, outputs: tuple[str, ...]
) -> None:
    text = cli.fails(2, "bfs", small_file, "--source", 1, "--machine", "cpu:1x1", *outputs)
    assert text.endswith(": two outputs cannot be one file")
    assert list(tmp_path.iterdir()) == [small_file]


@pytest.mark.parametrize("command", ["bfs", "components"])
def test_an_input_is_no_output(cli: Any, small_file: Path, command: str) -> None:
    before = small_file.read_bytes()
    text = cli.fails(2, command, small_file, "--machine", "cpu:1x1", "--json", small_file)
    assert text.endswith("small.gr: is read, and cannot be an output as well")
    assert small_file.read_bytes() == before


def test_no_input_is_an_output(cli: Any, tmp_path: Path) -> None:
    """Right-hand sides, matrices, traces and systems are kept as well as graphs."""
    rhs, system, trace = tmp_path / "b.npy", tmp_path / "own.toml", tmp_path / "t.json"
    np.save(rhs, np.ones(64))
    system.write_text((SYSTEMS / "peach2.toml").read_text())
    assert cli("cg", "poisson:8x8", "--trace", trace).returncode == 0
    matrix = tmp_path / "a.mtx"
    assert cli("convert", "poisson:8x8", matrix).returncode == 0
    for arguments in (
        ("cg", "poisson:8x8", "--rhs", rhs, "--output", rhs),
        ("cg", matrix, "--json", matrix),
        ("stats", matrix, "--json", matrix),
        ("simulate", "cg", matrix, "--json", matrix),
        ("trace", "summary", trace, "--json", trace),
        ("simulate", "allreduce", "--bytes", 8, "--system", system, "--json", system),
        ("simulate", "allreduce", "--bytes", 8, "--against", system, "--json", system),
    ):
        before = Path(arguments[-1]).read_bytes()
        text = cli.fails(2, *arguments)
        assert text.endswith(": is read, and cannot be an output as well"), text
        assert Path(arguments[-1]).read_bytes() == before


def test_rules_and_json_do_not_share_stdout(cli: Any) -> None:
    assert cli.fails(2, "tune", "--machine", "cpu:2", "--output", "-", "--json", "-") == (
        "tune: --output - and --json - cannot both have stdout"
    )


def test_plots_need_no_further_program(cli: Any) -> None:
    pytest.importorskip("matplotlib")
    text = cli.fails(2, "bfs", "grid:4x4", "--machine", "cpu:1x1", "--plot", "levels.pgf")
    assert text.startswith("--plot levels.pgf: not one of .") and ".pgf," not in text


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (np.ones(4) * 1j, "byte 128: real numbers are needed, not type '<c16'"),
        (np.ones((2, 2)), "byte 128: one row or column of numbers is needed, not 2 x 2"),
        (np.ones(3), "3 numbers, the matrix has 4 rows"),
        (np.array([1, 2, np.nan, 4]), "number 3 is nan"),
    ],
)
def test_right_hand_sides_are_vectors(cli: Any, tmp_path: Path, values: Any, message: str) -> None:
    np.save(tmp_path / "b.npy", values)
    given = ["cg", "poisson:4", "--machine", "cpu:1x1", "--rhs"]
    assert cli.fails(2, *given, "b.npy") == f"b.npy: {message}"
    np.save(tmp_path / "column.npy", np.ones((4, 1)))
    assert cli(*given, "column.npy").returncode == 0
    (tmp_path / "b.txt").write_text("1 2\n3 four\n")
    assert cli.fails(2, *given, "b.txt") == "b.txt:2: expected a number, found 'four'"

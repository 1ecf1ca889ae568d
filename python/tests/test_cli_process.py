"""The command line as a program of its own: its exit code, Ctrl-C, what it shows on terminals."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest


def start(cli: Any, *arguments: str, before: str = "", **streams: Any) -> subprocess.Popen[bytes]:
    command = [
        sys.executable, "-c", f"{before}\nfrom gossamer.cli import main; main()", *arguments
    ]  # fmt: skip
    return subprocess.Popen(command, cwd=cli.folder, env=cli.environment, **streams)


def test_the_program_ends_with_the_exit_code(cli: Any) -> None:
    process = start(cli, "bfs", "absent", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 2 and out == b"" and err.startswith(b"gossamer: absent: no such")


@pytest.mark.parametrize(
    "arguments",
    [
        ("bfs", "road:1200:0.9", "--sources", "64", "--direction", "bottom-up", "--output",
         "x.npz"),
        ("generate", "kron:21:32", "--threads", "1", "-o", "x.mtx"),
        ("stats", "uniform:19:24", "--partition", "64:metis"),
    ],
)  # fmt: skip
def test_ctrl_c_leaves_at_once_and_nothing_behind(
    cli: Any, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    process = start(cli, *arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        time.sleep(3)
        assert process.poll() is None
        begin = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=20)
        assert time.monotonic() - begin < 1
    finally:
        process.kill()
    assert process.returncode == 130 and errors == b"gossamer: interrupted\n"
    assert list(tmp_path.iterdir()) == []


# No fixed work takes a second on every machine: steps are made slow, and patience short.
SLOW = """
import time, rich.progress
from gossamer.bfs import BfsResult, BfsSearch
from gossamer.cg import CgSolver
from gossamer.cli import cg, progress
from gossamer.graph import Graph
from gossamer.machine import Machine
progress.PATIENCE = {patience}
def slow(owner, name):
    real = getattr(owner, name)
    def call(*arguments, **options):
        time.sleep(0.5)
        return real(*arguments, **options)
    setattr(owner, name, call)
"""


def shown_by(cli: Any, *arguments: str, before: str, terminal: bool = True) -> bytes:
    """What a command writes to stderr."""
    leader, follower = pty.openpty() if terminal else os.pipe()
    process = start(
        cli, *arguments, "--json", "-", before=before, stdout=subprocess.DEVNULL, stderr=follower
    )
    os.close(follower)
    seen = b""
    try:
        while chunk := os.read(leader, 4096):
            seen += chunk
    except OSError:  # the other side was closed
        pass
    os.close(leader)
    assert process.wait(60) == 0, seen
    return seen


@pytest.mark.parametrize(
    ("patience", "terminal", "shown"), [(0.1, True, True), (3600, True, False), (0, False, False)]
)
def test_progress_only_on_terminals_and_for_long_work(
    cli: Any, patience: float, terminal: bool, shown: bool
) -> None:
    seen = shown_by(
        cli, "bfs", "kron:8", "--sources", "3", terminal=terminal,
        before=SLOW.format(patience=patience) + "slow(BfsSearch, 'run')",
    )  # fmt: skip
    if shown:
        assert b"bfs, searching" in seen and b"2/3" in seen
    else:
        assert seen == b""


@pytest.mark.parametrize(
    ("arguments", "steps"),
    [
        (
            ("bfs", "grid:9x9", "--deduplicate", "--largest-component", "--verify",
             "--machine", "cpu:2x1"),
            {"Graph, 'rebuild'": "rebuilding grid:9x9",
             "Graph, 'largest_component'": "keeping the largest component of grid:9x9",
             "BfsSearch, 'plan'": "planning",
             "Machine, 'place'": "placing grid:9x9",
             "BfsSearch, 'run'": "bfs, searching",
             "BfsResult, 'verify'": "bfs, verifying"},
        ),
        (
            ("cg", "poisson:9", "--verify", "--output", "x.npy"),
            {"CgSolver, 'plan'": "planning",
             "CgSolver, '__init__'": "placing poisson:9",
             "CgSolver, 'solve'": "cg, iterating",
             "cg, 'verify_cg'": "cg, verifying"},
        ),
        (("generate", "grid:9x9", "-o", "x.gsr"), {"Graph, 'write'": "writing x.gsr"}),
        (("convert", "grid:9x9", "x.npz"), {"Graph, 'write'": "writing x.npz"}),
        (
            ("stats", "grid:9x9", "--partition", "2:hash"),
            {"Graph, 'partition'": "partitioning grid:9x9",
             "Graph, 'partition_quality'": "measuring the partition"},
        ),
    ],
)  # fmt: skip
def test_every_long_step_has_a_bar_with_its_name(
    cli: Any, arguments: tuple[str, ...], steps: dict[str, str]
) -> None:
    before = SLOW.format(patience=0.1) + "\n".join(f"slow({call})" for call in steps)
    seen = shown_by(cli, *arguments, before=before).decode()
    assert [name for name in steps.values() if name not in seen] == []

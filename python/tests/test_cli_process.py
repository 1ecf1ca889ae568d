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
        ("stats", "uniform:21:24", "--partition", "64:metis"),
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
        assert time.monotonic() - begin < 2
    finally:
        process.kill()
    assert process.returncode == 130 and errors == b"gossamer: interrupted\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("patience", "terminal", "shown"), [(0, True, True), (3600, True, False), (0, False, False)]
)
def test_progress_only_on_terminals_and_for_long_work(
    cli: Any, patience: float, terminal: bool, shown: bool
) -> None:
    # What counts as long is set here, since no fixed graph takes a second on every machine.
    leader, follower = pty.openpty() if terminal else os.pipe()
    process = start(
        cli, "bfs", "kron:12", "--sources", "8", "--json", "-",
        before=f"import gossamer.cli.progress as p; p.PATIENCE = {patience}",
        stdout=subprocess.DEVNULL, stderr=follower,
    )  # fmt: skip
    os.close(follower)
    seen = b""
    try:
        while chunk := os.read(leader, 4096):
            seen += chunk
    except OSError:  # the other side was closed
        pass
    os.close(leader)
    assert process.wait(60) == 0
    assert (b"bfs" in seen) is shown, seen

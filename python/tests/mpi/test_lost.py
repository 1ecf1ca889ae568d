"""Processes of an MPI job that are killed or stopped: who is left says so, and leaves in time."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

PROCESSES = 3
#: The last one, so that all others are waited for before it.
VICTIM = PROCESSES - 1
#: Seconds of a deadline; GOSSAMER_TIMEOUT is a share of 60.
DEADLINE = 1.2

# Every process runs one command line many times. The victim sends itself a signal before its first
# run, between two, or while one goes on. The others note their exit codes and last words.
SCRIPT = """
import contextlib, io, os, signal, sys, threading
from gossamer import cli
from gossamer.cli import runs
folder, deadline, phase, name, *arguments = sys.argv[1:]
number = getattr(signal, name)
rank = int(os.environ["OMPI_COMM_WORLD_RANK"])
make = runs.Runs.make
def end():
    open(f"{folder}/victim.{os.getpid()}", "w").close()
    os.kill(os.getpid(), number)
def lost(self, *given):
    os.environ["GOSSAMER_TIMEOUT"] = deadline  # of runs: processes of a busy host start far apart
    made = len(self.described)
    if rank == 2 and (made, phase) in ((0, "first"), (2, "between")):
        end()
    if rank == 2 and (made, phase) == (1, "inside"):
        threading.Timer(0.15, end).start()
    return make(self, *given)
runs.Runs.make = lost
words = io.StringIO()
with contextlib.redirect_stderr(words), contextlib.redirect_stdout(io.StringIO()):
    code = cli.run([*arguments, "--machine", "mpi:1", "--repeat", "100000"])
open(f"{folder}/new.{rank}", "w").write(f"{code} {words.getvalue()}")
os.rename(f"{folder}/new.{rank}", f"{folder}/left.{rank}")
raise SystemExit(code)
"""

#: Command lines whose runs last longer than what comes before the signal inside one.
COMMANDS = {
    "bfs": ["bfs", "grid:20000x10", "--source", "0"],
    "bfs-async": ["bfs", "grid:3000x100", "--source", "0", "--engine", "async"],
    "bfs-tasks": ["bfs", "grid:1000x100", "--source", "0", "--engine", "tasks"],
    "sssp-async": ["sssp", "road:600", "--source", "0", "--engine", "async"],
    "sssp-tasks": ["sssp", "road:200", "--source", "0", "--engine", "tasks"],
    "components": ["components", "grid:3000x100"],
    "components-routed": ["components", "kron:17", "--engine", "routed"],
    "pagerank": ["pagerank", "kron:14", "--tolerance", "0", "--max-iterations", "3000"],
    "cg": ["cg", "poisson:40x40x40", "--iterations", "600"],
    "filter": ["filter", "random:4000000", "<0.5"],
}


def ends(launch: Any, folder: Path, phase: str, number: str, command: str) -> None:
    script = folder / "lost.py"
    script.write_text(SCRIPT)
    asked = [str(folder), str(DEADLINE / 60), phase, number, *COMMANDS[command]]
    job = ["-n", str(PROCESSES), sys.executable, str(script), *asked]
    with subprocess.Popen(
        [*launch.command(recovery=True), *job],
        env=launch.variables(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        try:
            took = survivors_leave(folder)
        finally:
            # Who is stopped would be waited for.
            for path in folder.glob("victim.*") if number == "SIGSTOP" else ():
                os.kill(int(path.suffix[1:]), signal.SIGKILL)
            try:
                _, said = running.communicate(timeout=30)
            except subprocess.TimeoutExpired:
                running.kill()
                raise
    left = {path.name: path.read_text() for path in folder.glob("left.*")}
    assert sorted(left) == [f"left.{rank}" for rank in range(VICTIM)], said
    for words in left.values():
        assert words.startswith("4 gossamer: "), (left, said)
        assert words.count("\n") == 1, (left, said)
        assert f"rank {VICTIM}, whose process" in words or f"rank {VICTIM}: its process" in words, (
            left,
            said,
        )
    assert took < 4 * DEADLINE + 2, left


def survivors_leave(folder: Path) -> float:
    """Seconds from the signal until all others have left."""
    struck = None
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if struck is None and any(folder.glob("victim.*")):
            struck = time.monotonic()
        if len(list(folder.glob("left.*"))) == VICTIM:
            assert struck is not None, [path.read_text() for path in folder.glob("left.*")]
            return time.monotonic() - struck
        time.sleep(0.02)
    pytest.fail("who is left hangs")


#: Of all, with GOSSAMER_LOST_RANKS=all: some five minutes.
SOME = [
    ("first", "SIGSTOP", "bfs"),
    ("first", "SIGKILL", "filter"),
    ("inside", "SIGKILL", "components-routed"),
    ("inside", "SIGSTOP", "filter"),
    ("inside", "SIGKILL", "bfs-async"),
    ("inside", "SIGSTOP", "sssp-tasks"),
    ("between", "SIGSTOP", "pagerank"),
]


EVERY = list(itertools.product(("first", "inside", "between"), ("SIGKILL", "SIGSTOP"), COMMANDS))
CASES = EVERY if os.environ.get("GOSSAMER_LOST_RANKS") == "all" else SOME


@pytest.mark.parametrize(("phase", "number", "command"), CASES)
def test_survivors_name_the_lost_rank(
    launch: Any, tmp_path: Path, phase: str, number: str, command: str
) -> None:
    ends(launch, tmp_path, phase, number, command)


@pytest.mark.parametrize("command", ["filter", "bfs-async"])
def test_so_they_do_without_shared_memory(
    launch: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setenv("GOSSAMER_MPI_SHARED", "off")
    ends(launch, tmp_path, "inside" if command == "filter" else "first", "SIGKILL", command)


def test_a_job_whose_process_never_comes_does_not_start(launch: Any) -> None:
    launch.deadline = DEADLINE / 60
    open_it = ["-n", "1", sys.executable, "-c", "import gossamer as gs; gs.Machine('mpi')"]
    begin = time.monotonic()
    done = subprocess.run(
        [*launch.command(), *open_it, ":", "-n", "1", "sleep", "60"],
        env=launch.variables(),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 4, done.stderr
    assert (
        "gossamer: MPI did not start within 1.2 s: a process of the job has not come" in done.stderr
    )
    assert time.monotonic() - begin < 20

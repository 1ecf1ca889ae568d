"""Fixtures: small graphs and files, the command line in a process of its own, data, GPUs."""

from __future__ import annotations

import io
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gossamer as gs
import pytest
from gossamer import _gossamer
from gossamer.cli import run
from gossamer.graph.xz import by_python

# Example 1 of the text formats, with ids from 1: a path 1-2-3-4 with a chord, and a lone pair 5-6.
DIMACS = """c a small graph
p sp 6 10
a 1 2 5
a 2 1 5
a 2 3 7
a 3 2 7
a 3 4 1
a 4 3 1
a 1 3 2
a 3 1 2
a 5 6 9
a 6 5 9
"""


def pytest_configure() -> None:
    # What starts tests in the background may ignore Ctrl-C, and its children would inherit that.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--whole", action="store_true", help="every cell of the matrices of tests")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--whole"):
        left = [item for item in items if item.get_closest_marker("whole")]
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if not item.get_closest_marker("whole")]
    marked = [item for item in items if item.get_closest_marker("gpu")]
    if marked and not _gossamer.hardware()["gpus"]:
        reason = f"no GPU: {_gossamer.hardware()['no_gpu_because']}"
        for item in marked:
            item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="session")
def environment() -> dict[str, str]:
    """An environment in which a subprocess finds the package under test."""
    root = str(Path(_gossamer.__file__).parent.parent)
    path = os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH")]))
    variables = {k: v for k, v in os.environ.items() if not k.startswith("GOSSAMER_")}
    return variables | {"PYTHONPATH": path, "COLUMNS": "200"}


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder with real graphs, if there is one."""
    default = Path(__file__).parents[3] / "shared" / "data"
    folder = Path(os.environ.get("GOSSAMER_DATA", default))
    if not folder.is_dir():
        pytest.skip(f"no data in {folder} (GOSSAMER_DATA)")
    if not _gossamer.build_info()["features"]["xz"] and not by_python():
        pytest.skip("the data are .xz, and neither this build nor Python has lzma")
    return folder


@pytest.fixture
def small_file(tmp_path: Path) -> Path:
    """A DIMACS file: 6 vertices (ids from 1), 5 undirected edges in two components."""
    path = tmp_path / "small.gr"
    path.write_text(DIMACS)
    return path


@pytest.fixture
def small(small_file: Path) -> gs.Graph:
    """The graph in that file."""
    return gs.read(small_file)


@dataclass
class Outcome:
    """What a command line did."""

    returncode: int
    stdout: str
    stderr: str


class Cli:
    """Runs command lines in this process, in an empty folder; JSON comes back parsed."""

    def __init__(
        self, environment: dict[str, str], folder: Path, patch: pytest.MonkeyPatch
    ) -> None:
        self.environment = environment
        self.folder = folder
        self.patch = patch

    def __call__(self, *arguments: str | Path | int, **variables: str) -> Outcome:
        out, err = io.StringIO(), io.StringIO()
        with self.patch.context() as patch, redirect_stdout(out), redirect_stderr(err):
            patch.chdir(self.folder)
            for name, value in variables.items():
                patch.setenv(name, value)
            code = run([str(a) for a in arguments])
        return Outcome(code, out.getvalue(), err.getvalue())

    def json(self, *arguments: str | Path | int) -> Any:
        done = self(*arguments, "--json", "-")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def fails(self, code: int, *arguments: str | Path | int, **variables: str) -> str:
        """Expects this exit code, one line on stderr, nothing on stdout; returns the line."""
        done = self(*arguments, **variables)
        assert done.returncode == code, (done.returncode, done.stderr)
        assert done.stdout == ""
        lines = done.stderr.splitlines()
        assert len(lines) == 1, done.stderr
        assert lines[0].startswith("gossamer: ")
        return lines[0].removeprefix("gossamer: ")


@pytest.fixture
def cli(environment: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cli:
    """The command line, run in an empty folder."""
    return Cli(environment, tmp_path, monkeypatch)


@dataclass
class Mpi:
    """Command lines under MPI's launcher, in jobs whose deadlines are `deadline` times 60 s."""

    launcher: str
    environment: dict[str, str]
    #: Ample, as the compiler on a busy host is waited for, too.
    deadline: float = 0.5

    def command(self, *, recovery: bool = False) -> list[str]:
        """The launcher and its options; with `recovery` the others live on when one is lost."""
        version = subprocess.run(
            [self.launcher, "--version"], capture_output=True, text=True, check=False
        )
        if "Open MPI" in version.stdout or "OpenRTE" in version.stdout:
            command = [self.launcher, "--allow-run-as-root", "--oversubscribe", "--bind-to", "none"]
            return [*command, "--enable-recovery"] if recovery else command
        if recovery:
            pytest.skip("survivors would have to ignore MPICH's SIGUSR1")
        return [self.launcher]

    def variables(self) -> dict[str, str]:
        """The environment of a job."""
        ours = {k: v for k, v in os.environ.items() if k.startswith("GOSSAMER_")}
        return self.environment | ours | {"GOSSAMER_TIMEOUT": str(self.deadline)}

    def __call__(
        self, processes: int, *arguments: str, recovery: bool = False
    ) -> subprocess.CompletedProcess[str]:
        """Runs so many interpreters with the same arguments."""
        job = ["-n", str(processes), sys.executable, *arguments]
        return subprocess.run(
            [*self.command(recovery=recovery), *job],
            capture_output=True,
            text=True,
            timeout=120,
            env=self.variables(),
            check=False,
        )


@pytest.fixture
def launch(environment: dict[str, str]) -> Mpi:
    """MPI's launcher; skips where there is none, or no build for it."""
    launcher = shutil.which("mpirun")
    if launcher is None or not _gossamer.build_info()["features"]["mpi"]:
        pytest.skip("needs a build with MPI, and mpirun")
    return Mpi(launcher, environment)


@pytest.fixture
def run_python(environment: dict[str, str]) -> Callable[[str], str]:
    """Runs a program in a fresh interpreter and returns what it printed."""

    def run_program(program: str) -> str:
        done = subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            text=True,
            env=environment,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run_program

"""Fixtures: small graphs and files, the command line in a process of its own, data, GPUs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gossamer as gs
import pytest
from gossamer import _gossamer

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


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
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


class Cli:
    """Runs one command line; JSON comes back parsed."""

    def __init__(self, environment: dict[str, str], folder: Path) -> None:
        self.environment = environment
        self.folder = folder

    def __call__(
        self, *arguments: str | Path, **variables: str
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", "from gossamer.cli import main; main()", *map(str, arguments)],
            capture_output=True,
            text=True,
            cwd=self.folder,
            env=self.environment | variables,
            timeout=120,
            check=False,
        )

    def json(self, *arguments: str | Path) -> Any:
        done = self(*arguments, "--json", "-")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def fails(self, code: int, *arguments: str | Path, **variables: str) -> str:
        """Expects this exit code, one line on stderr, nothing on stdout; returns the line."""
        done = self(*arguments, **variables)
        assert done.returncode == code, (done.returncode, done.stderr)
        assert done.stdout == ""
        lines = done.stderr.splitlines()
        assert len(lines) == 1, done.stderr
        assert lines[0].startswith("gossamer: ")
        return lines[0].removeprefix("gossamer: ")


@pytest.fixture
def cli(environment: dict[str, str], tmp_path: Path) -> Cli:
    """The command line, run in an empty folder."""
    return Cli(environment, tmp_path)


@pytest.fixture
def run_python(environment: dict[str, str]) -> Callable[[str], str]:
    """Runs a program in a fresh interpreter and returns what it printed."""

    def run(program: str) -> str:
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

    return run

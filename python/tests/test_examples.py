"""Examples in Python, each run as a program of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from gossamer.program import nvrtc

EXAMPLES = Path(__file__).parents[2] / "examples"


def run(environment: dict[str, str], name: str, *arguments: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / name), *arguments],
        capture_output=True,
        text=True,
        env=environment,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()


def test_widest_path(environment: dict[str, str]) -> None:
    lines = run(environment, "widest_path.py")
    assert [line.split(" ", 1)[0] for line in lines] == ["cpu:1", "cpu:3"]
    assert len({line.split(":", 2)[-1] for line in lines}) == 1
    assert all(line.endswith(": verified") for line in lines)


@pytest.mark.skipif(nvrtc.find_nvrtc() is None, reason="no libnvrtc")
@pytest.mark.gpu
def test_widest_path_on_gpus(environment: dict[str, str]) -> None:
    lines = run(environment, "widest_path.py", "cpu:1", "cuda:0", "cuda:0*3", "cuda")
    assert len(lines) == 4 and all(line.endswith(": verified") for line in lines)
    assert all("(worklist)" in line for line in lines)


@pytest.mark.parametrize("name", ["predicate_filter.py", "reduction.py"])
def test_links_and_routers(environment: dict[str, str], name: str) -> None:
    machines = ["cpu:1x1", "cpu:3x1", "sim:m60,ranks=4"]
    lines = run(environment, name, *machines)
    assert [line.split(" ")[0].removesuffix(":") for line in lines] == machines
    assert all(line.endswith(": verified") for line in lines)


@pytest.mark.gpu
def test_links_and_routers_on_gpus(environment: dict[str, str]) -> None:
    lines = run(environment, "predicate_filter.py", "cuda:0", "cuda:0*3", "cpu:1x1+cuda:0")
    assert len(lines) == 3 and all(line.endswith(": verified") for line in lines)

"""The programs of bench/problem that Python starts: on small graphs they run to the end, and what
they compare is equal."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "bench" / "problem"
PROGRAMS = {
    "own_programs": ["--machine", "cpu:2x1", "--graph", "kron:8", "--sources", "2"],
    "gpu_counts": ["--machine", "cpu:1x1", "cpu:2x1", "--graph", "kron:8", "--use", "all"],
    "zoo": ["--machine", "cpu:1", "--graph", "kron:8", "--sources", "2", "--engines"],
}


@pytest.mark.parametrize(("name", "options"), PROGRAMS.items())
def test_it_runs(
    environment: dict[str, str], tmp_path: Path, name: str, options: list[str]
) -> None:
    out = tmp_path / "out.json"
    done = subprocess.run(
        [sys.executable, str(FOLDER / f"{name}.py"), *options, "--rounds", "1", "--out", str(out)],
        env=environment, cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    rows = json.loads(out.read_text(encoding="utf-8"))["rows"]
    assert {row["graph"] for row in rows} == {"kron:8"}

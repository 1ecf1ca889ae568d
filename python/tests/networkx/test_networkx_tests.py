"""NetworkX's own tests, run with the backend."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

nx = pytest.importorskip("networkx", minversion="3.5")

#: What holds the tests of the announced functions.
MODULES = (
    "approximation.tests.test_kcomponents", "components", "link_analysis", "shortest_paths",
    "tests.test_cluster", "tests.test_core", "tests.test_dag", "traversal.tests.test_bfs",
)  # fmt: skip


def test_networkx_tests_pass(environment: dict[str, str], tmp_path: Path) -> None:
    variables = {"NETWORKX_TEST_BACKEND": "gossamer", "NETWORKX_FALLBACK_TO_NX": "True"}
    modules = [f"networkx.algorithms.{module}" for module in MODULES]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--pyargs"]
    done = subprocess.run(
        [*command, *modules],
        capture_output=True,
        text=True,
        env=environment | variables,
        cwd=tmp_path,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed and int(passed[1]) > 300, done.stdout

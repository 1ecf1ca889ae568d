"""NetworkX's own tests, run with the backend.

passes.json says how many of each module passed, where NetworkX took what the backend refuses, and
where it took only what is not announced. It was written with the version of NetworkX that it names.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

nx = pytest.importorskip("networkx", minversion="3.5")
announced = pytest.importorskip("_gossamer_networkx").FUNCTIONS

HERE = Path(__file__).parent
#: What holds the tests of the announced functions.
MODULES = (
    "approximation.tests.test_kcomponents", "centrality.tests.test_betweenness_centrality",
    "centrality.tests.test_closeness_centrality", "centrality.tests.test_eigenvector_centrality",
    "centrality.tests.test_harmonic_centrality", "centrality.tests.test_katz_centrality",
    "coloring.tests.test_coloring",
    "community.tests.test_leiden", "community.tests.test_louvain", "community.tests.test_quality",
    "components", "link_analysis", "shortest_paths", "tests.test_cluster", "tests.test_core",
    "tests.test_dag", "tests.test_distance_measures", "tests.test_mis", "traversal.tests.test_bfs",
    "tree.tests.test_mst",
)  # fmt: skip
#: 500 graphs of up to 20 nodes, which ask for 100,000 lengths by weight one at a time: 6 minutes.
SLOW = "test_use_bounds_on_off_consistency"


@pytest.mark.parametrize("fallback", ["all", "others"])
def test_networkx_tests_pass(environment: dict[str, str], tmp_path: Path, fallback: str) -> None:
    file = tmp_path / "counts.json"
    variables = {
        "NETWORKX_TEST_BACKEND": "gossamer",
        "NETWORKX_FALLBACK_TO_NX": "True",  # whatever the text is
        "COUNTS_FILE": str(file),
        "NO_FALLBACK": "1" if fallback == "others" else "",
        "PYTHONPATH": os.pathsep.join([environment["PYTHONPATH"], str(HERE)]),
    }
    modules = [f"networkx.algorithms.{module}" for module in MODULES]
    plugins = ["-p", "no:cacheprovider", "-p", "backend_counts", "-k", f"not {SLOW}"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *plugins, "--pyargs", *modules],
        capture_output=True,
        text=True,
        env=environment | variables,
        cwd=tmp_path,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr
    counts: dict[str, Any] = json.loads(file.read_text("utf-8"))
    # NetworkX's tests of colourings begin with strategies that are refused.
    left = {"greedy_color"} if fallback == "others" else set()
    assert counts["calls"].keys() | left == announced.keys(), "all that are announced are called"
    table = json.loads((HERE / "passes.json").read_text("utf-8"))
    if nx.__version__ != table["networkx"]:  # has other tests
        return
    before, passed = table[fallback], counts["passed"]
    assert passed.keys() <= before.keys(), "each module has its line in passes.json"
    fewer = {
        name: (passed.get(name, 0), n) for name, n in before.items() if n > passed.get(name, 0)
    }
    assert not fewer, f"fewer passed than with NetworkX {table['networkx']}: {fewer} ({file})"

"""A modelled rank alone is charged for its work, as one of several is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gossamer as gs
import numpy as np
import pytest

RUNS: dict[str, Callable[[gs.Graph, str], Any]] = {
    "bfs": lambda g, machine: gs.bfs(g, 1, machine),
    "sssp": lambda g, machine: gs.sssp(g, 1, machine),
    "components": gs.components,
    "pagerank": gs.pagerank,
}


@pytest.fixture(scope="module")
def graph() -> gs.Graph:
    return gs.kronecker(12, weights=True)


@pytest.mark.parametrize("name", RUNS)
def test_it_takes_time(name: str, graph: gs.Graph) -> None:
    assert RUNS[name](graph, "sim:m60,ranks=1").milliseconds > 0.01


def test_results_are_those_of_cpu_ranks(graph: gs.Graph) -> None:
    found, alone = gs.bfs(graph, 1, "sim:m60,ranks=1"), gs.bfs(graph, 1, "cpu:1")
    found.verify()
    assert np.array_equal(found.depths, alone.depths)
    lengths = gs.sssp(graph, 1, "sim:m60,ranks=1").distances
    assert np.array_equal(lengths, gs.sssp(graph, 1, "cpu:1").distances)

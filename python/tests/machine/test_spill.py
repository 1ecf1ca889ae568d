"""Rows that a GPU has no room for lie in host memory, and searches find the same."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import gossamer as gs
import numpy as np
import pytest

MIB = 1 << 20


def spilled(plan: gs.MemoryPlan) -> int:
    return sum(e.bytes for e in plan.entries if e.memory == "pinned")


def limit_that_spills(plan: Callable[..., gs.MemoryPlan], bytes_away: int) -> str:
    """A limit of GPUs under which as many bytes of rows spill."""
    taken = sum(e.bytes for e in plan().entries if e.memory == "device")
    for limit in range(taken, 0, -2 * MIB):
        if spilled(plan(memory=f"device={limit}", spill="host")) >= bytes_away:
            return f"device={limit}"
    raise AssertionError("there are fewer bytes of rows")


@pytest.fixture(scope="module")
def graph() -> gs.Graph:
    return gs.generate("kron:17", weights=True)


@pytest.fixture(scope="module")
def source(graph: gs.Graph) -> int:
    return int(np.diff(graph.indptr).argmax())


def check_reason(result: Any) -> None:
    assert "of rows stay in host memory" in result.engine_reason


@pytest.mark.gpu
@pytest.mark.parametrize("away", [2 * MIB, 13 * MIB])
@pytest.mark.parametrize("engine", ["single_kernel", "sync", "async"])
def test_bfs(graph: gs.Graph, source: int, engine: str, away: int) -> None:
    machine = gs.Machine("cuda:0")
    limit = limit_that_spills(partial(gs.BfsSearch.plan, graph, machine), away)
    if away > 10 * MIB:  # rows leave room for any engine, which takes a little less
        with pytest.raises(gs.CapacityError):
            gs.bfs(graph, source, machine, memory=limit)
    result = gs.bfs(graph, source, machine, memory=limit, spill="host", engine=engine)
    check_reason(result)
    result.verify()


@pytest.mark.gpu
def test_directed_bfs() -> None:
    rng = np.random.default_rng(3)
    u, v = rng.integers(0, 100_000, (2, 3_000_000), dtype=np.int32)
    graph = gs.from_edges(u, v, n=100_000)
    machine = gs.Machine("cuda:0")
    limit = limit_that_spills(partial(gs.BfsSearch.plan, graph, machine), 16 * MIB)
    result = gs.bfs(graph, 5, machine, memory=limit, spill="host")
    check_reason(result)
    result.verify()


@pytest.mark.gpu
@pytest.mark.parametrize("away", [2 * MIB, 24 * MIB])
@pytest.mark.parametrize("engine", ["sync", "async"])
def test_sssp(graph: gs.Graph, source: int, engine: str, away: int) -> None:
    machine = gs.Machine("cuda:0")
    limit = limit_that_spills(partial(gs.SsspSearch.plan, graph, machine, engine=engine), away)
    with pytest.raises(gs.CapacityError):
        gs.sssp(graph, source, machine, memory=limit, engine=engine)
    result = gs.sssp(graph, source, machine, memory=limit, spill="host", engine=engine)
    check_reason(result)
    gs.verify_sssp(graph, source, result.distances)


@pytest.mark.gpu
@pytest.mark.parametrize("engine", ["sync", "async"])
def test_components(graph: gs.Graph, engine: str) -> None:
    machine = gs.Machine("cuda:0")
    limit = limit_that_spills(
        partial(gs.ComponentsSearch.plan, graph, machine, engine=engine), 8 * MIB
    )
    result = gs.components(graph, machine, memory=limit, spill="host", engine=engine)
    check_reason(result)
    gs.verify_components(graph, result.labels)


@pytest.mark.gpu
@pytest.mark.parametrize("options", [{}, {"weighted": True}, {"engine": "async"}])
def test_pagerank(graph: gs.Graph, options: dict[str, Any]) -> None:
    machine = gs.Machine("cuda:0")
    limit = limit_that_spills(partial(gs.PagerankSolver.plan, graph, machine, **options), 8 * MIB)
    result = gs.pagerank(graph, machine, memory=limit, spill="host", **options)
    check_reason(result)
    there = gs.pagerank(graph, machine, **options)
    assert np.abs(np.asarray(result.ranks) - np.asarray(there.ranks)).max() < 1e-5


def test_limits_of_devices_leave_hosts_alone(graph: gs.Graph, source: int) -> None:
    assert gs.bfs(graph, source, "cpu", memory="device=1K").reached > 1
    with pytest.raises(gs.CapacityError):
        gs.bfs(graph, source, "cpu:2", memory="1K")


def test_bad_words(graph: gs.Graph) -> None:
    with pytest.raises(gs.UsageError, match="spill 'disk' is none of auto, host, none"):
        gs.bfs(graph, 1, "cpu", spill="disk")
    with pytest.raises(gs.UsageError, match="spill"):
        gs.components(graph, "cpu", spill="disk")
    with pytest.raises(gs.UsageError, match="not a positive number of bytes"):
        gs.bfs(graph, 1, "cpu", memory="device=0")
    with pytest.raises(gs.UsageError, match="not a number of bytes"):
        gs.bfs(graph, 1, "cpu", memory="device=much")
    with pytest.raises(gs.UsageError, match="not a number of bytes"):
        graph.partition("hash", 2, memory="device=3G")

"""Balance of worklists, as each algorithm and its command ask for it: the same results, and counts
of what was given away."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import gossamer as gs
import numpy as np
import pytest

if TYPE_CHECKING:
    from conftest import Cli

#: Ranks of virtual time, in which every run is the same.
MODEL = "sim:peach2,ranks=4"


def _ranks(graph: gs.Graph, machine: str, **options: Any) -> gs.PagerankResult:
    return gs.pagerank(graph, machine, precision=64, tolerance=1e-10, **options)


@pytest.mark.parametrize("machine", ["cpu:1x1", "cpu:3x1", MODEL])
@pytest.mark.parametrize("balance", ["none", "steal"])
def test_results_are_the_same(machine: str, balance: str) -> None:
    graph = gs.generate("kron:10", weights=True)
    options = {"engine": f"async:balance={balance}"}
    found = gs.bfs(graph, 1, machine, **options)
    assert np.array_equal(found.depths, gs.bfs(graph, 1, "cpu:1x1").depths)
    found.verify()
    labels = gs.components(graph, machine, **options)
    assert np.array_equal(labels.labels, gs.components(graph, "cpu:1x1").labels)
    ranks = _ranks(graph, machine, **options)
    gs.verify_pagerank(graph, ranks.ranks, precision=64, tolerance=1e-10)
    for work in (found.work, labels.work, ranks.work):
        assert work is not None
        if balance != "steal" or machine == "cpu:1x1":
            assert work.stolen == work.given_bytes == 0


@pytest.mark.parametrize(
    "search",
    [
        lambda g, **o: gs.bfs(g, 1, "cpu:2x1", **o),
        lambda g, **o: gs.components(g, "cpu:2x1", **o),
        lambda g, **o: gs.pagerank(g, "cpu:2x1", **o),
    ],
)
def test_it_is_of_engine_async(search: Callable[..., object]) -> None:
    graph = gs.grid(3, 3)
    with pytest.raises(gs.UsageError, match="engine 'sync' has no option 'balance'"):
        search(graph, engine="sync:balance=steal")
    with pytest.raises(gs.UsageError, match=r"unknown balance 'move' \(there are none, steal\)"):
        search(graph, engine="async:balance=move")


@pytest.mark.parametrize("command", [["bfs", "--source", "1"], ["components"], ["pagerank"]])
def test_commands_take_it(cli: Cli, command: list[str]) -> None:
    name, *more = command
    given = [name, "kron:12", *more, "--machine", MODEL, "--verify", "--engine"]
    found = cli.json(*given, "async:balance=steal")
    assert found["options"]["engine"] == "async:balance=steal"
    (run,) = found["runs"]
    assert run["verified"] is True
    assert run["work"]["stolen"] > 0 and run["work"]["given_bytes"] > 0
    for plan in ([], ["--plan"]):
        assert "unknown balance 'move'" in cli.fails(2, *given, "async:balance=move", *plan)

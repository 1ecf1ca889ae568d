"""Engine host, whose worklists host threads drive on GPUs: what it needs, and what is its alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import gossamer as gs
import pytest

if TYPE_CHECKING:
    from conftest import Cli

MACHINE = "cpu:2x1"
SEARCHES: list[Callable[..., object]] = [
    lambda graph, **options: gs.bfs(graph, 1, MACHINE, **options),
    lambda graph, **options: gs.sssp(graph, 1, MACHINE, **options),
    lambda graph, **options: gs.components(graph, MACHINE, **options),
    lambda graph, **options: gs.pagerank(graph, MACHINE, **options),
]
COMMANDS = [["bfs"], ["sssp", "--weights"], ["components"], ["pagerank"]]


@pytest.mark.parametrize("search", SEARCHES)
def test_host_threads_need_gpus_to_drive(search: Callable[..., object]) -> None:
    graph = gs.generate("road:20", weights=True)
    refusal = r"engine 'host' of \w+ on CPU ranks: .*give the machine cuda"
    with pytest.raises(gs.UsageError, match=refusal):
        search(graph, engine="host:route=ring,packet=1K")
    with pytest.raises(gs.UsageError, match=r"engine 'async' has no option 'route'"):
        search(graph, engine="async:route=ring")
    with pytest.raises(gs.UsageError, match=r"unknown route 'star' \(there are direct, ring\)"):
        search(graph, engine="host:route=star")


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_pass_on_what_it_takes(cli: Cli, command: list[str]) -> None:
    name, *more = command
    given = [name, "kron:6", *more, "--machine", MACHINE, "--engine"]
    refused = cli.fails(2, *given, "host:route=ring,packet=1K")
    assert refused.startswith(f"engine 'host' of {name} on CPU ranks: it runs on GPUs")
    for plan in ([], ["--plan"]):
        assert "unknown route 'star'" in cli.fails(2, *given, "host:route=star", *plan)
    assert "'x'" in cli.fails(2, *given, "host:packet=x")


def test_pagerank_has_no_iterations_then(cli: Cli) -> None:
    given = ["pagerank", "kron:6", "--engine", "host", "--max-iterations", "3"]
    assert "engine host has no iterations to count" in cli.fails(2, *given)

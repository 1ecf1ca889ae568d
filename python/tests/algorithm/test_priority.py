"""The order of worklists, as each algorithm and its command ask for it: the same results first in,
first out."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import gossamer as gs
import numpy as np
import pytest

if TYPE_CHECKING:
    from conftest import Cli

SEARCHES = [
    lambda g, **o: gs.bfs(g, 1, "cpu:2x1", **o),
    lambda g, **o: gs.sssp(g, 1, "cpu:2x1", **o),
    lambda g, **o: gs.components(g, "cpu:2x1", **o),
    lambda g, **o: gs.pagerank(g, "cpu:2x1", **o),
]
COMMANDS = [["bfs", "--source", "1"], ["sssp", "--weights"], ["components"], ["pagerank"]]


def test_distances_are_the_same() -> None:
    graph = gs.generate("road:60", weights=True)
    soft = gs.sssp(graph, 1, "cpu:1x1", engine="async")
    plain = gs.sssp(graph, 1, "cpu:1x1", engine="async:priority=none")
    assert np.array_equal(soft.distances, plain.distances)
    assert soft.work is not None and plain.work is not None
    assert soft.delta > 0 and soft.work.windows > 0
    assert plain.delta == plain.work.windows == plain.work.deferred == 0
    assert plain.work.items > soft.work.items  # what the order is for


@pytest.mark.parametrize("search", SEARCHES)
def test_it_is_of_engine_async(search: Callable[..., object]) -> None:
    graph = gs.generate("kron:6", weights=True)
    with pytest.raises(gs.UsageError, match="engine 'sync' has no option 'priority'"):
        search(graph, engine="sync:priority=none")
    with pytest.raises(gs.UsageError, match=r"unknown priority 'hard' \(there are soft, none\)"):
        search(graph, engine="async:priority=hard")


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("machine", ["cpu:2x1", "sim:peach2,ranks=4"])
def test_commands_take_it(cli: Cli, command: list[str], machine: str) -> None:
    name, *more = command
    given = [name, "kron:10", *more, "--machine", machine]
    totals = {}
    for priority in ("soft", "none"):
        asked = [*given, "--engine", f"async:priority={priority}"]
        found = cli.json(*asked, "--verify")
        (run,) = found["runs"]
        assert run["verified"] is True
        assert (run["work"]["windows"] == 0) == (priority == "none")
        memory = cli.json(*asked)["memory"]  # checks are not in the plan
        assert memory["peak_bytes"] <= memory["planned_bytes"] + 4096
        plan = cli.json(*asked, "--plan")["plan"]
        totals[priority] = sum(e["bytes"] for e in plan["entries"])
    assert totals["none"] < totals["soft"]  # no list of what is deferred


def test_command_has_no_windows_then(cli: Cli) -> None:
    given = ["sssp", "kron:8", "--weights", "--machine", "cpu:1x1", "--engine"]
    given.append("async:priority=none")
    shown = cli(*given).stdout
    assert "priority none: first in, first out" in shown and "delta" not in shown
    assert cli.fails(2, *given, "--delta", "4") == (
        "--delta is the width of windows, and priority 'none' has none"
    )

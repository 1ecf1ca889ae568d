"""Machine ``auto`` and CPUs beside GPUs: where calls run, and what they say of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import gossamer as gs
import numpy as np
import pytest
from gossamer import _gossamer

REASON = "cpu in place of 1 GPU: so it is said"


@pytest.fixture
def beside_a_gpu(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """``auto`` seems to be a GPU that CPUs are faster than, and must not run. Who asked."""
    real = gs.Machine.devices.func  # type: ignore[attr-defined]
    asked: list[str] = []

    def devices(machine: gs.Machine) -> Any:
        found = real(machine)
        return [replace(found[0], kind="cuda", ordinal=0)] if machine.spec == "auto" else found

    def choose(machine: Any, graph: Any, algorithm: str) -> tuple[str, str]:
        asked.append(algorithm)
        return ("cpu", REASON) if machine.spec == "auto" else (machine.spec, "")

    monkeypatch.setattr(gs.Machine, "devices", property(devices))
    monkeypatch.setattr(_gossamer, "choose_machine", choose)
    return asked


def calls(graph: gs.Graph, *machine: Any, **options: Any) -> dict[str, Any]:
    return {
        "bfs": lambda: gs.bfs(graph, 0, *machine, **options),
        "sssp": lambda: gs.sssp(graph, 0, *machine, **options),
        "components": lambda: gs.components(graph, *machine, **options),
        "pagerank": lambda: gs.pagerank(graph, *machine, **options),
    }


def test_auto_takes_cpus_and_says_why(beside_a_gpu: list[str]) -> None:
    graph = gs.generate("path:300", weights=True)
    for name, call in calls(graph).items():
        assert call().ranks_reason == REASON, name
        assert beside_a_gpu[-1] == name
    assert gs.bfs(graph, 0).placed.machine.spec == "cpu"
    assert gs.SsspSearch(graph).machine.spec == "cpu"
    ranks = gs.ranks_for_bfs(graph, "auto")
    assert (ranks.machine.spec, ranks.reason) == ("cpu", REASON)


def test_other_algorithms_ask_by_their_names(beside_a_gpu: list[str]) -> None:
    graph = gs.generate("grid:4x5", weights=True)
    asked: dict[str, Callable[[gs.Graph], Any]] = {
        "triangles": gs.triangles, "core_numbers": gs.core_numbers,
        "strong_components": gs.strong_components, "spanning_forest": gs.spanning_forest,
        "communities": gs.communities, "betweenness": gs.betweenness,
        "distances": lambda g: gs.distances(g, [0]), "diameter": gs.diameter,
        "random_walks": gs.random_walks,
    }  # fmt: skip
    for name, call in asked.items():
        assert call(graph).ranks_reason == REASON, name
        assert beside_a_gpu[-1] == name
    assert gs.DistancesSearch.plan(graph, measure="diameter").total > 0
    assert beside_a_gpu[-1] == "diameter"


def test_what_goes_by_steps_stays(beside_a_gpu: list[str]) -> None:
    assert gs.VertexSteps(gs.generate("grid:4x5"), "cpu").machine.spec == "cpu"
    assert gs.hits(gs.generate("grid:4x5"), "cpu").ranks_reason == ""
    assert beside_a_gpu == []


def test_what_was_named_stays(beside_a_gpu: list[str]) -> None:
    graph = gs.generate("path:300", weights=True)
    for options in ({"engine": "sync"}, {"partition": "hash"}, {"use": "all"}):
        for name, call in calls(graph, **options).items():
            assert call().ranks_reason == "", (name, options)
    placed = gs.Machine("auto").place(graph)
    assert gs.bfs(placed, 0).ranks_reason == gs.components(placed).ranks_reason == ""
    assert beside_a_gpu == []


@pytest.mark.parametrize("command", ["bfs", "sssp", "components", "pagerank"])
def test_commands_print_it(cli: Any, beside_a_gpu: list[str], command: str) -> None:
    gs.generate("path:300", weights=True).write(str(cli.folder / "path.gsr"))
    said = cli(command, "path.gsr").stdout
    assert f"used {REASON} (--use all: all of them)" in said
    out = cli.json(command, "path.gsr")
    assert out["machine"]["spec"] == "cpu" and out["ranks"]["reason"] == REASON
    assert cli.json(command, "path.gsr", "--use", "all")["ranks"]["reason"] == ""
    # Small graphs are made on the host, where CPUs may take them.
    weights = ["--weights"] if command == "sssp" else []
    assert cli.json(command, "path:300", *weights)["ranks"]["reason"] == REASON


def test_without_gpus_nobody_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(_gossamer, "choose_machine")
    graph = gs.generate("path:300", weights=True)
    for call in calls(graph, "cpu").values():
        assert call().ranks_reason == ""


@pytest.mark.gpu
def test_deep_graphs_leave_the_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GOSSAMER_MACHINE", raising=False)
    path = gs.generate("path:300000")
    left = gs.bfs(path, 0)
    assert left.placed.machine.devices[0].kind == "cpu"
    assert left.ranks_reason.startswith("cpu in place of ") and left.levels == 300000
    stayed = gs.bfs(path, 0, machine="cuda:0")
    assert stayed.placed.machine.devices[0].kind == "cuda" and stayed.ranks_reason == ""
    assert np.array_equal(left.depths, stayed.depths)
    flat = gs.kronecker(16)
    assert gs.bfs(flat, gs.draw_sources(flat, 1)[0]).placed.machine.devices[0].kind == "cuda"

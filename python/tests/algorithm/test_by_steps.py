"""What algorithms by vertex steps say that they take."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import gossamer as gs
import numpy as np
import pytest
from gossamer.algorithm.by_steps import StepsBytes
from gossamer.algorithm.coloring import coloring_of
from gossamer.algorithm.eigenvector import eigenvector_of, taken
from gossamer.algorithm.hits import hits_of
from gossamer.algorithm.independent_set import independent_set_of
from gossamer.algorithm.katz import katz_of
from gossamer.graph.shape import GraphShape
from gossamer.vertex_steps.lowering import lower

#: As the commands run them.
RUNS: dict[str, Callable[[Any], object]] = {
    "hits": lambda s: hits_of(s, np.ones(s.graph.vertices), 1e-3, 9, s.graph.weighted),
    "katz": lambda s: katz_of(
        s, 1e-5, np.ones(s.graph.vertices), None, 1e-6, 9, True, s.graph.weighted
    ),
    "eigenvector": lambda s: eigenvector_of(
        s, np.ones(s.graph.vertices), 1e-3, 5, s.graph.weighted
    ),
    "independent_set": lambda s: independent_set_of(s, 7),
    "coloring": lambda s: coloring_of(s, 7),
}


def what_is_taken(name: str, graph: gs.Graph, weighted: bool) -> StepsBytes:
    if name == "eigenvector":
        return taken(graph, weighted)
    found: StepsBytes = import_module(f"gossamer.algorithm.{name}").TAKEN
    return found


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", RUNS)
def test_plans_have_all_fields(name: str, weighted: bool) -> None:
    graph = gs.generate("kron:7", weights=weighted)
    planned = what_is_taken(name, graph, weighted)
    steps = gs.vertex_steps(graph, "cpu:1x1")
    RUNS[name](steps)
    facts = steps._facts
    assert sum(p.dtype.itemsize for p in facts.fields.values()) == planned.fields
    assert not steps._copies
    facts.ranks, facts.skewed = 3, True
    for operations in steps._programs:
        lower(operations, facts, True)  # as for GPUs
    assert sum(p.dtype.itemsize for p in steps._copies.values()) == planned.gathered


def test_eigenvectors_of_directed_graphs_take_less() -> None:
    one_way = gs.from_edges([0, 1, 2], [1, 2, 0])
    both = one_way.rebuild(symmetrize=True)
    steps = gs.vertex_steps(one_way, "cpu:1x1")
    eigenvector_of(steps, np.ones(3), 1e-3, 5, False)
    used = sum(p.dtype.itemsize for p in steps._facts.fields.values())
    assert used == taken(one_way, False).fields < taken(both, False).fields
    unknown = GraphShape(vertices=3, arcs=3, symmetric=False)
    assert taken(unknown, False) == taken(both, False)


@pytest.mark.parametrize("name", RUNS)
def test_commands_plan(cli: Any, name: str) -> None:
    planned = what_is_taken(name, gs.generate("kron:10"), False)
    command = name.replace("_", "-")
    given = [command, "kron:10", "--machine", "cpu:2x1"]
    given += ["--alpha", "1e-4"] if name == "katz" else []
    plan = cli.json(*given, "--plan")["plan"]
    assert plan["command"] == command
    sizes: dict[str, int] = {}
    for e in plan["entries"]:
        purpose = e["purpose"].split(": ")[-1]
        sizes[purpose] = sizes.get(purpose, 0) + e["bytes"]
    assert sizes["fields"] == planned.fields << 10
    assert sizes["values set and results"] == planned.arrays << 10
    memory = cli.json(*given)["memory"]
    assert 0 < memory["peak_bytes"] <= memory["planned_bytes"] <= plan["totals"]["host"]

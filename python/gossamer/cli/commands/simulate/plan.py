"""`gossamer simulate cg|bfs … --plan`: what loading and the largest of the runs take here."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any

from gossamer import _gossamer
from gossamer.algorithm.bfs import BfsSearch
from gossamer.algorithm.cg import CgSolver
from gossamer.cli.output.report import plan_json, plan_totals, print_plan

from .case import Case


def _largest(plans: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """One runs after the other, and each gives back what it took."""
    return max(plans, key=lambda plan: sum(plan_totals(plan["entries"]).values()))


def _bfs(case: Case) -> dict[str, Any]:
    origin = case.origin
    loading = origin.plan()
    shape = origin.shape(loading)
    bytes_there = loading["limits"]["host"]["bytes"]
    variants: list[dict[str, Any]] = [{"engine": "published"}, {"direction": "top-down"}]
    running = _largest(
        plan_json(
            BfsSearch.plan(machine, shape, memory=case.working.limit, **variant),
            machine,
            bytes_there,
        )
        for machine, variant in itertools.product(case.machines(), variants)
    )
    limits = running["limits"] | loading["limits"]
    return loading | {"entries": loading["entries"] + running["entries"], "limits": limits}


def _cg(case: Case) -> dict[str, Any]:
    """As `gossamer cg --plan`, it looks at its matrix."""
    matrix, limit = case.matrix(), case.working.limit
    how: dict[str, Any] = {"exchange": "allgather", "engine": "published", "memory": limit}
    bytes_there = limit or _gossamer.host_memory()[0]
    running = _largest(
        plan_json(CgSolver.plan(matrix, machine, **how), machine, bytes_there)
        for machine in case.machines()
    )
    counts = {"vertices": matrix.vertices, "arcs": matrix.arcs}
    return counts | {f"{name}_are": "exact" for name in counts} | running


def plan_program(case: Case) -> None:
    """Prints it: modelled ranks' memory is this host's."""
    plan = _cg(case) if case.operation == "cg" else _bfs(case)
    print_plan(case.report, plan, f"simulate {case.operation}", case.data)

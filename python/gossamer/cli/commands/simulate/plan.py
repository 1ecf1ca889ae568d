"""`gossamer simulate cg|bfs … --plan`: what loading and the largest of the runs take here."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any

from gossamer import _gossamer
from gossamer.algorithm.bfs import BfsSearch
from gossamer.algorithm.cg import CgSolver
from gossamer.cli.input.graphs import GraphSource
from gossamer.cli.input.matrices import load_matrix
from gossamer.cli.output.report import Report, plan_json, plan_totals, print_plan
from gossamer.simulation import System


def _largest(plans: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """One runs after the other, and each gives back what it took."""
    return max(plans, key=lambda plan: sum(plan_totals(plan["entries"]).values()))


def _bfs(
    data: str, systems: list[System], ranks: list[int], threads: int, limit: int | None
) -> Any:
    origin = GraphSource(data, threads=threads, memory=limit)
    loading = origin.plan()
    shape = origin.shape(loading)
    bytes_there = loading["limits"]["host"]["bytes"]
    machines = [system.machine(p) for system, p in itertools.product(systems, ranks)]
    variants: list[dict[str, Any]] = [{"engine": "published"}, {"direction": "top-down"}]
    running = _largest(
        plan_json(BfsSearch.plan(machine, shape, memory=limit, **variant), machine, bytes_there)
        for machine, variant in itertools.product(machines, variants)
    )
    limits = running["limits"] | loading["limits"]
    return loading | {"entries": loading["entries"] + running["entries"], "limits": limits}


def _cg(
    data: str, systems: list[System], ranks: list[int], values: bool, threads: int,
    limit: int | None,
) -> Any:  # fmt: skip
    """As `gossamer cg --plan`, it looks at its matrix."""
    matrix = load_matrix(GraphSource(data, threads=threads, memory=limit), values)
    bytes_there = limit or _gossamer.host_memory()[0]
    machines = [system.machine(p) for system, p in itertools.product(systems, ranks)]
    running = _largest(
        plan_json(
            CgSolver.plan(matrix, machine, exchange="allgather", engine="published", memory=limit),
            machine,
            bytes_there,
        )
        for machine in machines
    )
    counts = {"vertices": matrix.vertices, "arcs": matrix.arcs}
    return counts | {f"{name}_are": "exact" for name in counts} | running


def plan_program(
    report: Report, operation: str, data: str, systems: list[System], ranks: list[int],
    values: bool, threads: int, limit: int | None,
) -> None:  # fmt: skip
    """Prints it: modelled ranks' memory is this host's."""
    if operation == "cg":
        plan = _cg(data, systems, ranks, values, threads, limit)
    else:
        plan = _bfs(data, systems, ranks, threads, limit)
    print_plan(report, plan, f"simulate {operation}", data)

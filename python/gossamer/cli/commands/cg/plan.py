"""`gossamer cg --plan`: bytes per device, of loading and of solving."""

from __future__ import annotations

from collections.abc import Callable

from gossamer.cli.input.graphs import GraphSource
from gossamer.cli.output.report import Report, plan_json, plan_totals, print_plan
from gossamer.cli.output.traces import TraceOutput
from gossamer.graph import Graph
from gossamer.machine import Machine
from gossamer.machine.plans import MemoryPlan


def plan_cg(
    report: Report,
    origin: GraphSource,
    where: Machine,
    tracing: TraceOutput,
    load: Callable[[], Graph],
    solving: Callable[[Graph], MemoryPlan],
) -> None:
    """Prints the plan. What ranks exchange is known when the matrix is there, so it is loaded; of
    one that does not fit, what loading takes is printed alone."""
    plan = origin.plan()
    host = plan["limits"]["host"]
    if plan_totals(plan["entries"])["host"] > host["bytes"]:
        print_plan(report, plan, "cg", origin.text)
        report.line(
            "what solving takes depends on the matrix, which is not loaded: it does not fit"
        )
        return
    loaded = load()
    needs = plan_json(solving(loaded), where, host["bytes"])
    exact = {"vertices": loaded.vertices, "arcs": loaded.arcs}
    entries = plan["entries"] + needs["entries"] + tracing.plan(where)
    limits = needs["limits"] | plan["limits"]
    sure = {"vertices_are": "exact", "arcs_are": "exact"}
    print_plan(
        report, plan | exact | sure | {"entries": entries, "limits": limits}, "cg", origin.text
    )

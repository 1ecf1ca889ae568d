"""`gossamer graph500 --scale S`: the Graph500 benchmark, with its own output."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from gossamer.cli import options
from gossamer.cli.groups import OfTable, Working
from gossamer.cli.output.progress import progress
from gossamer.cli.output.report import (
    MemoryUse,
    Report,
    graph_json,
    machine_json,
    plan_json,
    print_plan,
    reporting_lost,
)
from gossamer.graph500 import ROOTS, Graph500, Graph500Result, Graph500Search
from gossamer.machine.placed_graph import PlacedGraph
from gossamer.machine.plans import MemoryPlan


def _graph_json(placed: PlacedGraph) -> dict[str, Any]:
    """The "graph" object, of a graph in parts as well."""
    if placed.whole:
        return graph_json(placed.graph)
    return {
        "name": placed.name,
        "vertices": placed.vertices,
        "edges": placed.arcs // 2,
        "directed": False,
        "weights": "none",
        "arcs": placed.arcs,
        "steps": placed.steps,
        "format": None,
    }


def _run_json(search: Graph500Search) -> dict[str, Any]:
    """One entry of "runs"."""
    return {
        "root": search.root,
        "seconds": search.seconds,
        "nedge": search.nedge,
        "edges": search.edges,
        "teps": search.teps,
        "validation_seconds": search.validation_seconds,
        "verified": search.failure is None,
    }


def _summary_json(result: Graph500Result) -> dict[str, Any] | None:
    """The "summary" object; null when a validation failed: such a run has no result."""
    if result.failure is not None:
        return None
    return {
        "runs": len(result.searches),
        "seconds": vars(result.time),
        "nedge": vars(result.nedge),
        "teps": vars(result.teps),
        "validation_seconds": vars(result.validation),
    }


def _print_plan(report: Report, run: Graph500, plan: MemoryPlan) -> None:
    shape = run.shape
    limit, source = run.host_limit
    parts = plan_json(plan, run.machine, limit)
    parts["limits"]["host"]["source"] = source
    counts = {
        "vertices": shape.vertices,
        "vertices_are": shape.vertices_are,
        "arcs": shape.arcs,
        "arcs_are": shape.arcs_are,
    }
    print_plan(report, {**counts, **parts}, "graph500", run.spec)


def _search_all(run: Graph500, described: dict[str, Any]) -> None:
    """Every root's search and validation, up to the first tree that is wrong."""
    with progress("graph500, searching", unit="count") as bar:
        for root in run.roots:
            search = run.search(root)
            described["runs"].append(_run_json(search))
            if search.failure is not None:
                return
            if bar is not None:
                bar(len(described["runs"]), len(run.roots))


def graph500(
    scale: Annotated[int, typer.Option(min=1, max=40, metavar="S", help="log2 of the vertices.")],
    edgefactor: Annotated[
        int, typer.Option(min=1, max=65536, metavar="E", help="Edges in the list, a vertex.")
    ] = 16,
    machine: options.Machine = "auto",
    seed: Annotated[
        int, typer.Option(min=0, metavar="S", help="Seed of the graph and of the roots.")
    ] = 1,
    *,
    searched: Annotated[dict[str, Any], OfTable("bfs", only=("direction",))],
    renumber: Annotated[str, typer.Option(help="none or degree (inside each rank).")] = "none",
    parts: Annotated[
        bool | None,
        typer.Option(
            "--parts/--no-parts",
            help="Make the graph on the ranks, in parts, and check it there; default on GPUs.",
        ),
    ] = None,
    roots: Annotated[
        int, typer.Option(min=1, max=ROOTS, metavar="K", help="Searches; the benchmark makes 64.")
    ] = ROOTS,
    timeout: options.Timeout = None,
    working: Working,
) -> None:
    """Run the Graph500 benchmark: 64 validated searches of a Kronecker graph."""
    options.check_timeout(timeout)
    report = Report(working.json)
    limit = working.limit
    where = report.open_machine(machine)
    how: dict[str, Any] = {
        "seed": seed, "renumber": renumber, "roots": roots, "timeout": timeout, "memory": limit,
    } | searched  # fmt: skip
    run = Graph500(
        scale, edge_factor=edgefactor, machine=where, parts=parts, threads=working.threads, **how
    )
    planned = run.plan()
    if working.plan:
        _print_plan(report, run, planned)
        return
    taken = MemoryUse(where)
    with progress(f"generating {run.spec}") as bar:
        run.generate(bar)
    with progress(f"constructing {run.spec}") as bar:
        placed = run.construct(bar)
    described: dict[str, Any] = {
        "algorithm": "graph500",
        "graph": _graph_json(placed),
        "machine": machine_json(where),
        "options": {"scale": scale, "edgefactor": edgefactor, "parts": run.parts, **how},
        "runs": [],
    }
    with reporting_lost(report, where, described):
        _search_all(run, described)
    result = run.result
    report.json(
        described
        | {
            "seconds": {
                "generation": result.generation_seconds,
                "construction": result.construction_seconds,
                **result.construction,
            },
            "summary": _summary_json(result),
            "memory": taken.json(planned),
        }
    )
    if result.failure is not None:
        raise result.failure
    if where.virtual:
        report.line("times of searches are those of the modelled system, all others are measured")
    report.line(result.text().rstrip())

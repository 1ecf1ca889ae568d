"""`gossamer eigenvector GRAPH`: eigenvector centrality, verified on request."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from gossamer.algorithm.by_steps import check_limits, check_weights
from gossamer.algorithm.eigenvector import eigenvector_of, taken
from gossamer.algorithm.verify_fixed_points import verify_eigenvector
from gossamer.cli import options
from gossamer.cli.groups import Reading, Running, Working
from gossamer.cli.steps_command import by_steps, promised
from gossamer.graph import Graph
from gossamer.graph.shape import GraphShape
from gossamer.machine.plans import MemoryPlan
from gossamer.vertex_steps import VertexSteps


def eigenvector(
    graph: options.GraphArgument,
    tolerance: Annotated[
        float, typer.Option(metavar="X", help="Stop when a vertex changes by less, in the mean.")
    ] = 1e-6,
    max_iterations: Annotated[int, typer.Option(metavar="N", help="Give up after so many.")] = 100,
    weighted: Annotated[
        bool, typer.Option("--weighted", help="Arcs count by their weights.")
    ] = False,
    weights: options.Weights = False,
    *,
    running: Running,
    reading: Reading,
    largest_component: options.LargestComponent = False,
    working: Working,
) -> None:
    """Find eigenvector centralities, by arcs that come in."""
    close, most = check_limits("eigenvector", tolerance, max_iterations)
    how = {"tolerance": close, "max_iterations": most, "weighted": weighted}

    def plan(of: Graph | GraphShape, *limits: Any) -> MemoryPlan:
        return taken(of, weighted).plan(of, *limits)

    def run(steps: VertexSteps) -> Any:
        check_weights("eigenvector", steps.graph, weighted)
        return eigenvector_of(steps, 1 / steps.graph.vertices, close, most, weighted)

    def verify(loaded: Graph, result: Any) -> None:
        # The last change was within the tolerance; the next one, which it reports, may be larger.
        verify_eigenvector(
            loaded, result.values, weighted=weighted, tolerance=promised(result),
            timeout=running.timeout,
        )  # fmt: skip

    by_steps(
        "eigenvector", graph, reading, running, working, plan, how=how, run=run,
        verify=verify,
        arrays={"eigenvector": "values"}, said=("iterations", "converged", "change", "largest"),
        weights=weights, largest_component=largest_component, tolerance=1e-5,
    )  # fmt: skip

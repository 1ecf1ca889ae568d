"""`gossamer hits GRAPH`: hubs and authorities, verified on request."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from gossamer.algorithm.by_steps import check_limits, check_weights
from gossamer.algorithm.hits import TAKEN, hits_of
from gossamer.algorithm.verify_fixed_points import verify_hits
from gossamer.cli import options
from gossamer.cli.groups import Reading, Running, Working
from gossamer.cli.steps_command import by_steps, promised
from gossamer.graph import Graph
from gossamer.vertex_steps import VertexSteps


def hits(
    graph: options.GraphArgument,
    tolerance: Annotated[
        float, typer.Option(metavar="X", help="Stop when authorities turn by this at most.")
    ] = 1e-10,
    max_iterations: Annotated[int, typer.Option(metavar="N", help="Give up after so many.")] = 1000,
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
    """Find hubs and authorities."""
    close, most = check_limits("hits", tolerance, max_iterations)
    how = {"tolerance": close, "max_iterations": most, "weighted": weighted}

    def run(steps: VertexSteps) -> Any:
        check_weights("hits", steps.graph, weighted)
        return hits_of(steps, 1.0, close, most, weighted)

    def verify(loaded: Graph, result: Any) -> None:
        verify_hits(
            loaded, result.hubs, result.authorities, weighted=weighted,
            tolerance=promised(result), timeout=running.timeout,
        )  # fmt: skip

    by_steps(
        "hits", graph, reading, running, working, TAKEN.plan, how=how, run=run,
        verify=verify,
        arrays={"authorities": "authorities", "hubs": "hubs"},
        said=("iterations", "converged", "change", "largest"),
        weights=weights, largest_component=largest_component, tolerance=1e-5,
    )  # fmt: skip

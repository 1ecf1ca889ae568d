"""`gossamer katz GRAPH`: Katz centrality, verified on request."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from gossamer.algorithm.by_steps import check_limits, check_weights
from gossamer.algorithm.katz import TAKEN, katz_of, smaller_than
from gossamer.algorithm.verify_fixed_points import verify_katz
from gossamer.cli import options
from gossamer.cli.groups import Reading, Running, Working
from gossamer.cli.steps_command import by_steps, promised
from gossamer.errors import UsageError
from gossamer.graph import Graph
from gossamer.vertex_steps import VertexSteps


def katz(
    graph: options.GraphArgument,
    alpha: Annotated[float, typer.Option(metavar="X", help="Factor of each arc of a walk.")] = 0.1,
    beta: Annotated[
        float, typer.Option(metavar="X", help="What each vertex has of its own.")
    ] = 1.0,
    normalized: Annotated[
        bool, typer.Option("--normalized/--no-normalized", help="Scale to the length 1.")
    ] = True,
    tolerance: Annotated[
        float, typer.Option(metavar="X", help="Stop when a vertex changes by less, in the mean.")
    ] = 1e-6,
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
    """Find Katz centralities: walks that end at each vertex."""
    close, most = check_limits("katz", tolerance, max_iterations)
    if alpha < 0:
        raise UsageError(f"katz: --alpha: zero or more, not {alpha:g}")
    how = {
        "alpha": alpha, "beta": beta, "normalized": normalized, "tolerance": close,
        "max_iterations": most, "weighted": weighted,
    }  # fmt: skip

    def run(steps: VertexSteps) -> Any:
        check_weights("katz", steps.graph, weighted)
        return katz_of(steps, alpha, beta, None, close, most, normalized, weighted)

    def verify(loaded: Graph, result: Any) -> None:
        # The last change was within the tolerance; the next one, which it reports, may be larger.
        verify_katz(
            loaded, result.values, alpha=alpha, beta=beta, normalized=normalized,
            weighted=weighted, tolerance=promised(result), timeout=running.timeout,
        )  # fmt: skip

    by_steps(
        "katz", graph, reading, running, working, TAKEN.plan, how=how, run=run,
        verify=verify,
        arrays={"katz": "values"}, said=("iterations", "converged", "change", "largest"),
        weights=weights, largest_component=largest_component, tolerance=1e-5,
        advice=f"; --alpha {alpha:g} may be one over the largest eigenvalue, or more",
        smaller=smaller_than(f"--alpha than {alpha:g}"),
    )  # fmt: skip

"""`gossamer coloring GRAPH`: a greedy colouring, verified on request."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from gossamer.algorithm.coloring import TAKEN, coloring_of
from gossamer.algorithm.verify_greedy import verify_coloring
from gossamer.arguments import seed_number
from gossamer.cli import options
from gossamer.cli.groups import Reading, Running, Working
from gossamer.cli.steps_command import by_steps
from gossamer.graph import Graph


def coloring(
    graph: options.GraphArgument,
    seed: Annotated[int, typer.Option(metavar="S", help="Of the order of vertices.")] = 0,
    *,
    running: Running,
    reading: Reading,
    largest_component: options.LargestComponent = False,
    working: Working,
) -> None:
    """Color a graph: neighbours have different colors."""
    key = seed_number(seed, "coloring")

    def verify(loaded: Graph, result: Any) -> None:
        verify_coloring(loaded, result.colors, seed=key, timeout=running.timeout)

    by_steps(
        "coloring", graph, reading, running, working, TAKEN.plan, how={"seed": key},
        run=lambda steps: coloring_of(steps, key), verify=verify, arrays={"colors": "colors"},
        said=("count", "rounds"), largest_component=largest_component,
    )  # fmt: skip

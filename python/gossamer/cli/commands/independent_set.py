"""`gossamer independent-set GRAPH`: a maximal independent set, verified on request."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from gossamer.algorithm.independent_set import TAKEN, independent_set_of
from gossamer.algorithm.verify_greedy import verify_independent_set
from gossamer.arguments import seed_number
from gossamer.cli import options
from gossamer.cli.groups import Reading, Running, Working
from gossamer.cli.steps_command import by_steps
from gossamer.graph import Graph


def independent_set(
    graph: options.GraphArgument,
    seed: Annotated[int, typer.Option(metavar="S", help="Of the order of vertices.")] = 0,
    *,
    running: Running,
    reading: Reading,
    largest_component: options.LargestComponent = False,
    working: Working,
) -> None:
    """Find a maximal independent set: no two neighbours, none to add."""
    key = seed_number(seed, "independent-set")

    def verify(loaded: Graph, result: Any) -> None:
        verify_independent_set(loaded, result.chosen, seed=key, timeout=running.timeout)

    by_steps(
        "independent-set", graph, reading, running, working, TAKEN.plan, how={"seed": key},
        run=lambda steps: independent_set_of(steps, key), verify=verify,
        arrays={"chosen": "chosen"}, said=("count", "rounds"), largest_component=largest_component,
    )  # fmt: skip

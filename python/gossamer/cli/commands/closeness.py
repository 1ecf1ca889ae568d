"""`gossamer closeness GRAPH`: closeness centrality, verified on request."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from gossamer.cli import options
from gossamer.cli.distance_command import Outward, Samples, numbers_of
from gossamer.cli.groups import OfTable, Reading, Running, Working


def closeness(
    graph: options.GraphArgument,
    how: Annotated[dict[str, Any], OfTable("distances", measure=None, inward=None)],
    outward: Outward = False,
    plain: Annotated[
        bool, typer.Option("--plain", help="Not scaled by the part of the graph that is reached.")
    ] = False,
    samples: Samples = 64,
    *,
    running: Running,
    reading: Reading,
    largest_component: options.LargestComponent = False,
    working: Working,
) -> None:
    """Find the closeness of vertices: how near all others are."""
    numbers_of(
        "closeness", graph, how | {"measure": "sums", "inward": not outward}, running, reading,
        working, samples=samples, largest_component=largest_component,
        shown=["largest", "largest_of"], wf_improved=not plain,
    )  # fmt: skip

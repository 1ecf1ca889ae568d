"""`gossamer diameter GRAPH`: the largest distance between two vertices, verified on request."""

from __future__ import annotations

from typing import Annotated, Any

from gossamer.cli import options
from gossamer.cli.distance_command import numbers_of
from gossamer.cli.groups import OfTable, Reading, Running, Working


def diameter(
    graph: options.GraphArgument,
    how: Annotated[dict[str, Any], OfTable("distances", measure=None, inward=None)],
    running: Running,
    reading: Reading,
    *,
    largest_component: options.LargestComponent = False,
    working: Working,
) -> None:
    """Find the diameter: the largest distance between two vertices."""
    numbers_of(
        "diameter", graph, how | {"measure": "diameter", "inward": False}, running, reading,
        working, samples=0, largest_component=largest_component, shown=["diameter", "end"],
    )  # fmt: skip

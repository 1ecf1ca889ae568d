"""`gossamer eccentricity GRAPH`: how far away the furthest vertex is, verified on request."""

from __future__ import annotations

from typing import Annotated, Any

from gossamer.cli import options
from gossamer.cli.distance_command import Samples, numbers_of
from gossamer.cli.groups import OfTable, Reading, Running, Working


def eccentricity(
    graph: options.GraphArgument,
    how: Annotated[dict[str, Any], OfTable("distances", measure=None)],
    samples: Samples = 64,
    *,
    running: Running,
    reading: Reading,
    largest_component: options.LargestComponent = False,
    working: Working,
) -> None:
    """Find the eccentricity of vertices: the distance of the furthest one."""
    numbers_of(
        "eccentricity", graph, how | {"measure": "eccentricity"}, running, reading, working,
        samples=samples, largest_component=largest_component,
        shown=["radius", "center", "diameter", "end"],
    )  # fmt: skip

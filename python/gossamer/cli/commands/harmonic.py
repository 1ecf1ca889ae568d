"""`gossamer harmonic GRAPH`: harmonic centrality, verified on request."""

from __future__ import annotations

from typing import Annotated, Any

from gossamer.cli import options
from gossamer.cli.distance_command import Outward, Samples, numbers_of
from gossamer.cli.groups import OfTable, Reading, Running, Working


def harmonic(
    graph: options.GraphArgument,
    how: Annotated[dict[str, Any], OfTable("distances", measure=None, inward=None)],
    outward: Outward = False,
    samples: Samples = 64,
    *,
    running: Running,
    reading: Reading,
    largest_component: options.LargestComponent = False,
    working: Working,
) -> None:
    """Find the harmonic centrality of vertices: the sum of 1 / distance of all others."""
    numbers_of(
        "harmonic", graph, how | {"measure": "sums", "inward": not outward}, running, reading,
        working, samples=samples, largest_component=largest_component,
        shown=["largest", "largest_of"],
    )  # fmt: skip

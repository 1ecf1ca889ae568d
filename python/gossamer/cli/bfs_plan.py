"""What `gossamer bfs --plan` prints: loading, searching, measuring the partition, the output."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..machine import GraphShape, Machine
from ..plans import MemoryPlan
from .bfs_output import OUTPUT_BYTES
from .graphs import GraphSource
from .output import plan_json
from .partitions import METHODS

__all__ = ["full_plan"]

#: Bytes a vertex, at most, that measuring a partition takes for a while.
_MEASURE_BYTES = 25


def full_plan(
    origin: GraphSource,
    where: Machine,
    plan_search: Callable[[GraphShape, str], MemoryPlan],
    partition: str,
    kept: int,
) -> dict[str, Any]:
    """The plan of a graph that is not there yet, for `print_plan`.

    `plan_search` plans placement and search of a shape with a partition of that name; `kept` is the
    number of sources whose parents and depths go to a file, 0 for none.
    """
    loading = origin.plan()
    # A partition from a file takes what any table of parts takes.
    table = partition if partition in METHODS else "hash"
    running = plan_json(
        plan_search(origin.shape(loading), table), where, loading["limits"]["host"]["bytes"]
    )
    entries = loading["entries"] + running["entries"]
    if where.size > 1:
        entries.append(
            {
                "device": "host",
                "purpose": "measuring the partition",
                "bytes": loading["vertices"] * _MEASURE_BYTES,
                "certainty": "about" if loading["vertices_are"] == "about" else "at most",
            }
        )
    if kept:
        entries.append(
            {
                "device": "host",
                "purpose": f"--output: {kept} parents and depths",
                "bytes": kept * loading["vertices"] * OUTPUT_BYTES,
                "certainty": loading["vertices_are"],
            }
        )
    return loading | {"entries": entries, "limits": running["limits"] | loading["limits"]}

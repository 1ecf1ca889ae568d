"""What `gossamer bfs --plan` prints: all that takes memory, and how many ranks take part."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..bfs import BfsRanks
from ..machine import Machine
from ..plans import MemoryPlan
from .bfs_output import OUTPUT_BYTES
from .output import plan_json
from .partitions import METHODS, measuring

__all__ = ["full_plan", "ranks_json", "ranks_line"]


def ranks_json(ranks: BfsRanks, where: Machine) -> dict[str, Any]:
    """The "ranks" object: how many of those asked about take part, and why so many."""
    return {
        "used": ranks.machine.size,
        "of": where.size,
        "reason": ranks.reason,
        "provided": ranks.provided,
    }


def ranks_line(ranks: BfsRanks, where: Machine) -> str:
    """The same in words."""
    unless = f", provided that {ranks.provided}" if ranks.provided else ""
    if ranks.reason:
        fewer = ranks.machine.size < where.size
        return f"used {ranks.reason}{unless}" + (" (--use all: all of them)" if fewer else "")
    return f"used all {where.size} rank(s){unless}"


def full_plan(
    loading: dict[str, Any],
    where: Machine,
    plan_search: Callable[[str], MemoryPlan],
    partition: str,
    kept: int,
) -> dict[str, Any]:
    """The plan of a graph that is not there yet, for `print_plan`.

    `loading` is the plan of loading it; `plan_search` plans placement and search with a partition
    of that name; `kept` is the number of sources whose parents and depths go to a file, 0 for none.
    """
    # A partition from a file takes what any table of parts takes.
    table = partition if partition in METHODS else "hash"
    running = plan_json(plan_search(table), where, loading["limits"]["host"]["bytes"])
    entries = loading["entries"] + running["entries"]
    if where.size > 1:
        entries.append(measuring(loading))
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

"""What `gossamer bfs` says of the ranks that take part."""

from __future__ import annotations

from typing import Any

from gossamer.algorithm.bfs import BfsRanks
from gossamer.machine import Machine


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

"""Breadth-first search over every rank of a machine."""

from __future__ import annotations

from .records import BfsLevel, BfsMessages, BfsOverlap, Part
from .result import BfsResult, verify_bfs
from .search import BfsRanks, BfsSearch, bfs, draw_sources, ranks_for_bfs, use_of_ranks

__all__ = [
    "BfsLevel",
    "BfsMessages",
    "BfsOverlap",
    "BfsRanks",
    "BfsResult",
    "BfsSearch",
    "Part",
    "bfs",
    "draw_sources",
    "ranks_for_bfs",
    "use_of_ranks",
    "verify_bfs",
]

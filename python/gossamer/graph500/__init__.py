"""The Graph500 benchmark: generation, construction, 64 searches, each of them validated."""

from __future__ import annotations

from .result import Graph500Result, Graph500Search
from .run import ROOTS, Graph500, graph500
from .spread import RateSpread, Spread

__all__ = [
    "ROOTS",
    "Graph500",
    "Graph500Result",
    "Graph500Search",
    "RateSpread",
    "Spread",
    "graph500",
]

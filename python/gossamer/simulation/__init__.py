"""Predictions on modelled systems: a collective's replay, and whole programs in virtual time.

Nothing is measured here. A collective is a schedule replayed without payload; conjugate gradient
and breadth-first search are the programs themselves, run on ``sim`` machines, whose clocks are
virtual.
"""

from __future__ import annotations

from .collectives import (
    ELEMENT,
    ROOTED,
    Collective,
    CollectivePrediction,
    device_copy,
    no_values,
    ping_pong,
)
from .programs import BfsPrediction, CgPrediction, bfs, cg
from .systems import WHAT_IF, System

__all__ = [
    "ELEMENT",
    "ROOTED",
    "WHAT_IF",
    "BfsPrediction",
    "CgPrediction",
    "Collective",
    "CollectivePrediction",
    "System",
    "bfs",
    "cg",
    "device_copy",
    "no_values",
    "ping_pong",
]

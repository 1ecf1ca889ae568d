"""Algorithms of the user's own, step by step: named values at vertices, sent, mapped and reduced.

with gs.vertex_steps(graph, machine="cuda") as s:
    s.fields(rank=1 / graph.vertices)
    with s.repeat(until="moved < 1e-9", at_most=200):
        s.send("rank / max(degree, 1)", "sum", into="got")
        s.reduce("abs(0.15 / vertices + 0.85 * got - rank)", "sum", into="moved")
        s.map(rank="0.15 / vertices + 0.85 * got")
    ranks = s["rank"]
"""

from __future__ import annotations

from .model import verify_steps
from .steps import Repeated, VertexSteps, vertex_steps

__all__ = ["Repeated", "VertexSteps", "verify_steps", "vertex_steps"]

"""Algorithms of the user's own: values at vertices, improved along arcs until nothing improves.

widest = gs.vertex_program(update="max", propagate="min(value, weight)", dtype="float64")
widest.run(graph, source, machine="cuda").values
"""

from __future__ import annotations

from .program import VertexProgram, vertex_program
from .search import VertexProgramResult, VertexSearch

__all__ = ["VertexProgram", "VertexProgramResult", "VertexSearch", "vertex_program"]

"""`gossamer bfs GRAPH`: breadth-first search from one vertex or many, verified on request."""

from __future__ import annotations

from .command import bfs

__all__ = ["bfs"]

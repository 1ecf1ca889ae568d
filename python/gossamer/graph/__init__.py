"""Graphs, and the ways in and out."""

from __future__ import annotations

from .csr import Graph
from .input import Progress, formats, from_csr, from_edges, from_scipy, read, read_partition

__all__ = [
    "Graph",
    "Progress",
    "formats",
    "from_csr",
    "from_edges",
    "from_scipy",
    "read",
    "read_partition",
]

"""Graphs, and the ways in and out."""

from __future__ import annotations

from .csr import Graph
from .input import Progress, formats, from_csr, from_edges, from_scipy, read, read_partition
from .networkx import from_networkx

__all__ = [
    "Graph",
    "Progress",
    "formats",
    "from_csr",
    "from_edges",
    "from_networkx",
    "from_scipy",
    "read",
    "read_partition",
]

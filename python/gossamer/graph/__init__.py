"""Graphs, and the ways in and out."""

from __future__ import annotations

from .csr import Graph
from .frames import from_pandas
from .input import Progress, formats, from_csr, from_edges, from_scipy, read, read_partition
from .networkx import from_networkx
from .peers import from_igraph, from_torch

__all__ = [
    "Graph",
    "Progress",
    "formats",
    "from_csr",
    "from_edges",
    "from_igraph",
    "from_networkx",
    "from_pandas",
    "from_scipy",
    "from_torch",
    "read",
    "read_partition",
]

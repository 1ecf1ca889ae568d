"""Gossamer: a runtime for irregular (graph) computing on many processors.

    import gossamer as gs

    graph = gs.kronecker(20)
    result = gs.bfs(graph, source=0)
    print(result.levels, result.reached, result.teps)

Importing starts nothing: no GPU is touched before a machine is opened.
"""

from . import errors  # isort: skip  (the bindings look their exceptions up there)
from ._gossamer import __version__
from .arrays import Array
from .bfs import BfsLevel, BfsMessages, BfsResult, BfsSearch, Part, bfs, draw_sources, verify_bfs
from .cg import CgResult, CgSolver, cg, matrix, verify_cg, with_values
from .errors import (
    Cancelled,
    CapacityError,
    Error,
    ForeignError,
    InputError,
    NotCompiled,
    RankError,
    Timeout,
    UsageError,
    VerificationError,
)
from .generators import generate, grid, kronecker, road, uniform
from .graph import (
    Graph,
    formats,
    from_csr,
    from_edges,
    from_scipy,
    read,
    read_partition,
)
from .machine import Device, GraphShape, Link, Machine, MemoryPlan, PlacedGraph, PlanEntry
from .statistics import PartitionQuality, Statistics

__all__ = [
    "Array",
    "BfsLevel",
    "BfsMessages",
    "BfsResult",
    "BfsSearch",
    "Cancelled",
    "CapacityError",
    "CgResult",
    "CgSolver",
    "Device",
    "Error",
    "ForeignError",
    "Graph",
    "GraphShape",
    "InputError",
    "Link",
    "Machine",
    "MemoryPlan",
    "NotCompiled",
    "Part",
    "PartitionQuality",
    "PlacedGraph",
    "PlanEntry",
    "RankError",
    "Statistics",
    "Timeout",
    "UsageError",
    "VerificationError",
    "__version__",
    "bfs",
    "cg",
    "draw_sources",
    "errors",
    "formats",
    "from_csr",
    "from_edges",
    "from_scipy",
    "generate",
    "grid",
    "kronecker",
    "matrix",
    "read",
    "read_partition",
    "road",
    "uniform",
    "verify_bfs",
    "verify_cg",
    "with_values",
]

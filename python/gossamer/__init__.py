"""Gossamer: a runtime for irregular (graph) computing on many processors.

    import gossamer as gs

    graph = gs.kronecker(20)
    result = gs.bfs(graph, gs.draw_sources(graph, 1)[0])  # from a vertex that has edges
    print(result.levels, result.reached, result.teps)

Importing starts nothing: no GPU is touched before a machine is opened.
"""

from . import errors  # isort: skip  (the bindings look their exceptions up there)
from . import bench, dataflow
from ._gossamer import version as __version__
from .algorithm.bfs import (
    BfsLevel,
    BfsMessages,
    BfsOverlap,
    BfsRanks,
    BfsResult,
    BfsSearch,
    Part,
    bfs,
    draw_sources,
    ranks_for_bfs,
    verify_bfs,
)
from .algorithm.cg import CgResult, CgSolver, cg, matrix, verify_cg, with_values
from .algorithm.comparisons import compare_labels, compare_ranks
from .algorithm.components import ComponentsResult, ComponentsSearch, components, verify_components
from .algorithm.engines import Engine, EngineOption, engines
from .algorithm.filter import (
    FilterResult,
    FilterShare,
    filter,
    filter_graph,
    plan_filter,
    verify_filter,
)
from .algorithm.pagerank import PagerankResult, PagerankSolver, pagerank, verify_pagerank
from .algorithm.prepared import WorklistCounters
from .algorithm.sssp import SsspResult, SsspSearch, compare_distances, sssp, verify_sssp
from .arrays import Array
from .errors import (
    Cancelled,
    CapacityError,
    Error,
    ExpressionError,
    ForeignError,
    InputError,
    NotCompiled,
    RankError,
    Timeout,
    UsageError,
    VerificationError,
)
from .graph import Graph, formats, from_csr, from_edges, from_scipy, read, read_partition
from .graph.generators import generate, grid, kronecker, road, uniform
from .graph.shape import GraphShape
from .graph.statistics import PartitionQuality, Statistics
from .graph500 import Graph500, graph500
from .graph500.result import Graph500Result, Graph500Search
from .graph500.spread import RateSpread, Spread
from .machine import Device, Link, Machine
from .machine.cache import Cache, KeptEntry, cache
from .machine.placed_graph import PlacedGraph
from .machine.plans import MemoryPlan, PlanEntry
from .trace import Trace, read_trace, sum_runs
from .vertex_program import VertexProgram, vertex_program
from .vertex_program.search import VertexProgramResult, VertexSearch
from .vertex_steps import Repeated, VertexSteps, vertex_steps

__all__ = [
    "Array",
    "BfsLevel",
    "BfsMessages",
    "BfsOverlap",
    "BfsRanks",
    "BfsResult",
    "BfsSearch",
    "Cache",
    "Cancelled",
    "CapacityError",
    "CgResult",
    "CgSolver",
    "ComponentsResult",
    "ComponentsSearch",
    "Device",
    "Engine",
    "EngineOption",
    "Error",
    "ExpressionError",
    "FilterResult",
    "FilterShare",
    "ForeignError",
    "Graph",
    "Graph500",
    "Graph500Result",
    "Graph500Search",
    "GraphShape",
    "InputError",
    "KeptEntry",
    "Link",
    "Machine",
    "MemoryPlan",
    "NotCompiled",
    "PagerankResult",
    "PagerankSolver",
    "Part",
    "PartitionQuality",
    "PlacedGraph",
    "PlanEntry",
    "RankError",
    "RateSpread",
    "Repeated",
    "Spread",
    "SsspResult",
    "SsspSearch",
    "Statistics",
    "Timeout",
    "Trace",
    "UsageError",
    "VerificationError",
    "VertexProgram",
    "VertexProgramResult",
    "VertexSearch",
    "VertexSteps",
    "WorklistCounters",
    "__version__",
    "bench",
    "bfs",
    "cache",
    "cg",
    "compare_distances",
    "compare_labels",
    "compare_ranks",
    "components",
    "dataflow",
    "draw_sources",
    "engines",
    "errors",
    "filter",
    "filter_graph",
    "formats",
    "from_csr",
    "from_edges",
    "from_scipy",
    "generate",
    "graph500",
    "grid",
    "kronecker",
    "matrix",
    "pagerank",
    "plan_filter",
    "ranks_for_bfs",
    "read",
    "read_partition",
    "read_trace",
    "road",
    "sssp",
    "sum_runs",
    "uniform",
    "verify_bfs",
    "verify_cg",
    "verify_components",
    "verify_filter",
    "verify_pagerank",
    "verify_sssp",
    "vertex_program",
    "vertex_steps",
    "with_values",
]

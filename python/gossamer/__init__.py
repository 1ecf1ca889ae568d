"""Gossamer: a runtime for irregular (graph) computing on many processors.

    import gossamer as gs

    graph = gs.kronecker(20)
    result = gs.bfs(graph, gs.draw_sources(graph, 1)[0])  # from a vertex that has edges
    print(result.levels, result.reached, result.teps)

Importing starts nothing: no GPU is touched before a machine is opened.
"""

import re as _re
import sys as _sys
import typing as _typing

from . import errors as errors  # isort: skip  (the bindings look their exceptions up there)
from . import _gossamer as _gossamer  # isort: skip  (refuses subinterpreters before NumPy is there)
from . import bench as bench
from . import dataflow as dataflow
from . import datasets as datasets
from ._gossamer import version as _version
from .algorithm.betweenness import BetweennessResult as BetweennessResult
from .algorithm.betweenness import BetweennessSearch as BetweennessSearch
from .algorithm.betweenness import EdgeBetweennessResult as EdgeBetweennessResult
from .algorithm.betweenness import betweenness as betweenness
from .algorithm.betweenness import compare_betweenness as compare_betweenness
from .algorithm.betweenness import verify_betweenness as verify_betweenness
from .algorithm.bfs import BfsLevel as BfsLevel
from .algorithm.bfs import BfsMessages as BfsMessages
from .algorithm.bfs import BfsOverlap as BfsOverlap
from .algorithm.bfs import BfsRanks as BfsRanks
from .algorithm.bfs import BfsResult as BfsResult
from .algorithm.bfs import BfsSearch as BfsSearch
from .algorithm.bfs import Part as Part
from .algorithm.bfs import bfs as bfs
from .algorithm.bfs import draw_sources as draw_sources
from .algorithm.bfs import ranks_for_bfs as ranks_for_bfs
from .algorithm.bfs import verify_bfs as verify_bfs
from .algorithm.cg import CgResult as CgResult
from .algorithm.cg import CgSolver as CgSolver
from .algorithm.cg import cg as cg
from .algorithm.cg import matrix as matrix
from .algorithm.cg import verify_cg as verify_cg
from .algorithm.cg import with_values as with_values
from .algorithm.coloring import ColoringResult as ColoringResult
from .algorithm.coloring import coloring as coloring
from .algorithm.communities import CommunitiesResult as CommunitiesResult
from .algorithm.communities import CommunitiesSearch as CommunitiesSearch
from .algorithm.communities import communities as communities
from .algorithm.communities import modularity as modularity
from .algorithm.communities import verify_communities as verify_communities
from .algorithm.components import ComponentsResult as ComponentsResult
from .algorithm.components import ComponentsSearch as ComponentsSearch
from .algorithm.components import compare_labels as compare_labels
from .algorithm.components import components as components
from .algorithm.components import verify_components as verify_components
from .algorithm.core_numbers import CoreNumbersResult as CoreNumbersResult
from .algorithm.core_numbers import CoreNumbersSearch as CoreNumbersSearch
from .algorithm.core_numbers import compare_core_numbers as compare_core_numbers
from .algorithm.core_numbers import core_numbers as core_numbers
from .algorithm.core_numbers import verify_core_numbers as verify_core_numbers
from .algorithm.distances import DistancesResult as DistancesResult
from .algorithm.distances import DistancesSearch as DistancesSearch
from .algorithm.distances import closeness as closeness
from .algorithm.distances import compare_numbers as compare_numbers
from .algorithm.distances import diameter as diameter
from .algorithm.distances import distances as distances
from .algorithm.distances import eccentricity as eccentricity
from .algorithm.distances import harmonic as harmonic
from .algorithm.distances import verify_depths as verify_depths
from .algorithm.distances import verify_distances as verify_distances
from .algorithm.eigenvector import EigenvectorResult as EigenvectorResult
from .algorithm.eigenvector import eigenvector as eigenvector
from .algorithm.filter import FilterResult as FilterResult
from .algorithm.filter import FilterShare as FilterShare
from .algorithm.filter import filter as filter
from .algorithm.filter import filter_graph as filter_graph
from .algorithm.filter import plan_filter as plan_filter
from .algorithm.filter import verify_filter as verify_filter
from .algorithm.hits import HitsResult as HitsResult
from .algorithm.hits import hits as hits
from .algorithm.independent_set import IndependentSetResult as IndependentSetResult
from .algorithm.independent_set import independent_set as independent_set
from .algorithm.katz import KatzResult as KatzResult
from .algorithm.katz import katz as katz
from .algorithm.options import Engine as Engine
from .algorithm.options import EngineOption as EngineOption
from .algorithm.options import engines as engines
from .algorithm.pagerank import PagerankResult as PagerankResult
from .algorithm.pagerank import PagerankSolver as PagerankSolver
from .algorithm.pagerank import compare_ranks as compare_ranks
from .algorithm.pagerank import pagerank as pagerank
from .algorithm.pagerank import verify_pagerank as verify_pagerank
from .algorithm.prepared import WorklistCounters as WorklistCounters
from .algorithm.random_walks import RandomWalksResult as RandomWalksResult
from .algorithm.random_walks import RandomWalksSearch as RandomWalksSearch
from .algorithm.random_walks import random_walks as random_walks
from .algorithm.random_walks import verify_random_walks as verify_random_walks
from .algorithm.spanning_forest import SpanningForestResult as SpanningForestResult
from .algorithm.spanning_forest import SpanningForestSearch as SpanningForestSearch
from .algorithm.spanning_forest import compare_spanning_forests as compare_spanning_forests
from .algorithm.spanning_forest import spanning_forest as spanning_forest
from .algorithm.spanning_forest import verify_spanning_forest as verify_spanning_forest
from .algorithm.sssp import SsspResult as SsspResult
from .algorithm.sssp import SsspSearch as SsspSearch
from .algorithm.sssp import compare_distances as compare_distances
from .algorithm.sssp import sssp as sssp
from .algorithm.sssp import verify_sssp as verify_sssp
from .algorithm.strong_components import StrongComponentsResult as StrongComponentsResult
from .algorithm.strong_components import StrongComponentsSearch as StrongComponentsSearch
from .algorithm.strong_components import condensation as condensation
from .algorithm.strong_components import strong_components as strong_components
from .algorithm.strong_components import verify_strong_components as verify_strong_components
from .algorithm.triangles import TrianglesResult as TrianglesResult
from .algorithm.triangles import TrianglesSearch as TrianglesSearch
from .algorithm.triangles import compare_triangles as compare_triangles
from .algorithm.triangles import triangles as triangles
from .algorithm.triangles import verify_triangles as verify_triangles
from .algorithm.verify_fixed_points import verify_eigenvector as verify_eigenvector
from .algorithm.verify_fixed_points import verify_hits as verify_hits
from .algorithm.verify_fixed_points import verify_katz as verify_katz
from .algorithm.verify_greedy import verify_coloring as verify_coloring
from .algorithm.verify_greedy import verify_independent_set as verify_independent_set
from .arrays import Array as Array
from .errors import Cancelled as Cancelled
from .errors import CapacityError as CapacityError
from .errors import ConvergenceWarning as ConvergenceWarning
from .errors import CrowdedWarning as CrowdedWarning
from .errors import Error as Error
from .errors import ExpressionError as ExpressionError
from .errors import ForeignError as ForeignError
from .errors import InputError as InputError
from .errors import NamesWarning as NamesWarning
from .errors import NotCompiled as NotCompiled
from .errors import RankError as RankError
from .errors import Timeout as Timeout
from .errors import UsageError as UsageError
from .errors import VerificationError as VerificationError
from .graph import Graph as Graph
from .graph import formats as formats
from .graph import from_csr as from_csr
from .graph import from_edges as from_edges
from .graph import from_igraph as from_igraph
from .graph import from_networkx as from_networkx
from .graph import from_pandas as from_pandas
from .graph import from_scipy as from_scipy
from .graph import from_torch as from_torch
from .graph import read as read
from .graph import read_partition as read_partition
from .graph.generators import generate as generate
from .graph.generators import grid as grid
from .graph.generators import kronecker as kronecker
from .graph.generators import road as road
from .graph.generators import uniform as uniform
from .graph.shape import GraphShape as GraphShape
from .graph.statistics import PartitionQuality as PartitionQuality
from .graph.statistics import Statistics as Statistics
from .graph.verify import verify_generated as verify_generated
from .graph.verify import verify_partition_quality as verify_partition_quality
from .graph.verify import verify_statistics as verify_statistics
from .graph.verify import verify_written as verify_written
from .graph500 import Graph500 as Graph500
from .graph500 import Graph500Result as Graph500Result
from .graph500 import Graph500Search as Graph500Search
from .graph500 import RateSpread as RateSpread
from .graph500 import Spread as Spread
from .graph500 import graph500 as graph500
from .machine import Device as Device
from .machine import Link as Link
from .machine import Machine as Machine
from .machine.cache import Cache as Cache
from .machine.cache import KeptEntry as KeptEntry
from .machine.cache import cache as cache
from .machine.placed_graph import PlacedGraph as PlacedGraph
from .machine.plans import MemoryPlan as MemoryPlan
from .machine.plans import PlanEntry as PlanEntry
from .trace import Trace as Trace
from .trace import read_trace as read_trace
from .trace import sum_runs as sum_runs
from .vertex_program import VertexProgram as VertexProgram
from .vertex_program import VertexProgramResult as VertexProgramResult
from .vertex_program import VertexSearch as VertexSearch
from .vertex_program import vertex_program as vertex_program
from .vertex_steps import Repeated as Repeated
from .vertex_steps import VertexSteps as VertexSteps
from .vertex_steps import verify_steps as verify_steps
from .vertex_steps import vertex_steps as vertex_steps

__version__: str = _version

if not _typing.TYPE_CHECKING:  # which would then take any name

    def __getattr__(name: str) -> _typing.Any:
        """Only asked for what is not there. Docstrings say what NetworkX calls a function."""
        said = f"module '{__name__}' has no attribute '{name}'"
        if not name.startswith("_"):
            words = _re.compile(rf"(?m)^ *NetworkX: .*``(\w+\.)?{_re.escape(name)}``")
            documents = {k: getattr(x, "__doc__", None) or "" for k, x in globals().items()}
            ours = (k for k, text in documents.items() if words.search(text))
            if found := next(ours, ""):
                said += f"; NetworkX's is {__name__}.{found} here"
        raise AttributeError(said, name=name, obj=_sys.modules[__name__])

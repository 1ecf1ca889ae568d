"""The entry point ``networkx.backends``: NetworkX takes its functions from this module."""

from __future__ import annotations

from typing import Any

from . import FUNCTIONS, refusal
from . import acyclic as _acyclic
from . import betweenness as _betweenness
from . import centrality as _centrality
from . import communities as _communities
from . import components as _components
from . import density as _density
from . import distances as _distances
from . import greedy as _greedy
from . import hits as _hits
from . import pagerank as _pagerank
from . import paths as _paths
from . import shortest_paths as _shortest_paths
from . import traversal as _traversal
from . import trees as _trees
from . import triangles as _triangles
from .graph import convert_from_nx as convert_from_nx
from .graph import convert_to_nx as convert_to_nx
from .refusal import should_run as should_run

_modules = (
    _acyclic, _betweenness, _centrality, _communities, _components, _density, _distances, _greedy,
    _hits, _pagerank, _paths, _shortest_paths, _traversal, _trees, _triangles,
)  # fmt: skip
_functions = {n: getattr(m, n) for n in FUNCTIONS for m in _modules if hasattr(m, n)}
globals().update(_functions)


def can_run(name: str, args: Any, kwargs: Any) -> bool | str:
    """True, or why the backend does not take these arguments."""
    return refusal.can_run(_functions, name, args, kwargs)

"""Shortest paths from one source along non-negative weights."""

from __future__ import annotations

from .distances import compare_distances, verify_sssp
from .search import SsspResult, SsspSearch, sssp

__all__ = ["SsspResult", "SsspSearch", "compare_distances", "sssp", "verify_sssp"]

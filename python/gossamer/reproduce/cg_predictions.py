"""Conjugate gradient on both systems, run once for all benches that look at it."""

from functools import cache

from gossamer.simulation import CgPrediction, System, cg

from .extent import extent
from .systems import matrix


@cache
def predicted(name: str, system: System, ranks: int) -> CgPrediction:
    """1,000 iterations, as paper E has it."""
    return cg(matrix(name), system, ranks)


def milliseconds(name: str, system: System) -> dict[int, float]:
    """By number of ranks."""
    return {p: 1e3 * predicted(name, system, p).seconds for p in extent.ranks}

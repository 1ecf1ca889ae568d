"""Results of any origin beside others': components by their parts, ranks by their difference."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from gossamer.arguments import instance, number
from gossamer.arrays import number_array
from gossamer.errors import VerificationError
from gossamer.graph import Graph


def compare_labels(graph: Graph, labels: Any, expected: Any) -> None:
    """Compares labels with somebody else's: whether both put the same vertices together, whatever
    they call components. One number a vertex each.

    VerificationError names two vertices that are together in one of them alone, in the file's own
    ids; UsageError for an array that is none of numbers.
    """
    instance(graph, Graph, "compare_labels: graph")
    of = f"components of {graph.name}"
    ours = _numbers(graph, labels, "compare_labels: labels", of)
    theirs = _numbers(graph, expected, "compare_labels: expected", of)
    here, there = _first_of_component(ours), _first_of_component(theirs)
    different = np.flatnonzero(here != there)
    if not different.size:
        return
    v = int(different[0])
    together = here[v] < there[v]
    u = int(min(here[v], there[v]))
    raise VerificationError(
        f"{of}: vertices {graph.name_of(u)} and {graph.name_of(v)} are in "
        + ("one component, expected in two" if together else "two components, expected in one")
    )


def compare_ranks(
    graph: Graph,
    ranks: Any,
    expected: Any,
    *,
    damping: float = 0.85,
    tolerance: float = 1e-6,
) -> float:
    """Compares ranks with somebody else's, one number a vertex each; returns the 1-norm of the
    difference.

    VerificationError when that exceeds `tolerance` / (1 - `damping`), how far from the fixed point
    ranks may be that an iteration changes by `tolerance`, and what rounding of float32 adds;
    UsageError for an array that is none of numbers.
    """
    instance(graph, Graph, "compare_ranks: graph")
    of = f"pagerank of {graph.name}"
    ours = _numbers(graph, ranks, "compare_ranks: ranks", of)
    theirs = _numbers(graph, expected, "compare_ranks: expected", of)
    damping = number(damping, "compare_ranks: damping")
    tolerance = number(tolerance, "compare_ranks: tolerance")
    # Without jumps nothing draws ranks together.
    allowed = tolerance / (1 - damping) if damping < 1 else tolerance
    if ours.dtype == np.float32:
        allowed += float(np.finfo(np.float32).eps)
    difference = float(np.abs(ours.astype(np.float64) - theirs.astype(np.float64)).sum())
    if not difference <= allowed:  # nor of what is no number
        raise VerificationError(
            f"{of}: the ranks differ from those expected by {difference:.3e} "
            f"in the 1-norm, the tolerance {tolerance:g} allows {allowed:.3e}"
        )
    return difference


def _numbers(graph: Graph, values: Any, name: str, of: str) -> npt.NDArray[Any]:
    """One number a vertex; `name` is what they are called, `of` whose result they are."""
    array = number_array(values, name)
    if len(array) != graph.vertices:
        raise VerificationError(
            f"{of}: there are {len(array)} numbers to compare, the graph has {graph.vertices} "
            "vertices"
        )
    return array


def _first_of_component(labels: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """The smallest vertex of each vertex's component, by labels of any kind."""
    _, first, component = np.unique(labels, return_index=True, return_inverse=True)
    smallest: npt.NDArray[np.int64] = first[component]
    return smallest

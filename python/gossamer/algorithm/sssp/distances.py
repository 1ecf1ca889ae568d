"""Distances of any origin: checked against their graph, compared with each other."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from gossamer import _gossamer
from gossamer.algorithm.runs import run_verifier
from gossamer.arguments import instance, integer, number, thread_count
from gossamer.arrays import host_array, id_array, number_array
from gossamer.errors import UsageError, VerificationError
from gossamer.graph import Graph

#: What a vertex that is not reached has among distances of integer weights.
UNREACHED = np.uint32(0xFFFFFFFF)


def verify_sssp(
    graph: Graph,
    source: int,
    distances: Any,
    parents: Any = None,
    *,
    threads: int = 0,
    timeout: float | None = None,
) -> None:
    """Checks distances, and parents if given, whoever made them: no arc shortens a distance, every
    reached vertex has a path of its distance, parents are a tree of tight arcs.

    Distances may be of any type that holds what the weights give: for integer weights infinity is
    "not reached", as 4294967295 is.

    VerificationError names the first violation, in the file's own vertex ids; Timeout after
    `timeout` seconds; UsageError for a type that the weights' distances do not fit.
    """
    source = integer(source, "verify_sssp: source")
    instance(graph, Graph, "verify_sssp: graph")
    of = f"sssp from {graph.name_of(source)}"
    tree = None if parents is None else id_array(parents, "verify_sssp: parents")
    given = (
        _distances(graph, distances, of),
        None if tree is None else tree.astype(np.int64, copy=False),
        thread_count(threads, "verify_sssp"),
    )
    run_verifier(
        of, "verify_sssp", timeout,
        lambda limit: _gossamer.verify_sssp(graph._handle, source, *given, limit),
    )  # fmt: skip


def compare_distances(
    graph: Graph, distances: Any, expected: Any, *, tolerance: float = 1e-5
) -> None:
    """Compares distances with somebody else's (infinity, or 4294967295 of uint32 = not reached):
    exactly for integer weights, else within `tolerance` times the distance. VerificationError names
    the first difference; UsageError when `expected` is no array of numbers."""
    instance(graph, Graph, "compare_distances: graph")
    theirs = number_array(expected, "compare_distances: expected")
    numbers = theirs.astype(np.float64)
    if theirs.dtype == UNREACHED.dtype:
        numbers[theirs == UNREACHED] = np.inf
    ok, reason = _gossamer.compare_distances(
        graph._handle,
        _distances(graph, distances, f"sssp on {graph.name}"),
        numbers,
        number(tolerance, "compare_distances: tolerance"),
    )
    if not ok:
        raise VerificationError(f"sssp on {graph.name}: {reason}")


def distance_type(graph: Graph) -> np.dtype[Any]:
    """The type of the distances that a graph's weights give."""
    weights = graph.weights
    return UNREACHED.dtype if weights is None or weights.dtype.kind != "f" else weights.dtype


def _distances(graph: Graph, distances: Any, of: str) -> npt.NDArray[Any]:
    """Distances in the type that the graph's weights give, from any other that has the same values.

    VerificationError for a number that is no distance, begun with `of`; UsageError for an array
    that is none of numbers.
    """
    given = host_array(distances, "distances")
    kind = distance_type(graph)
    if given.dtype == kind:
        return given
    if given.dtype.kind not in "iuf":
        raise UsageError(f"distances: of {given.dtype}; {graph.name}'s weights give {kind}")
    with np.errstate(all="ignore"):
        if kind == UNREACHED.dtype:
            unreached = (
                np.isposinf(given) if given.dtype.kind == "f" else np.zeros(given.size, bool)
            )
            taken = np.where(unreached, UNREACHED, given.astype(np.int64).astype(kind))
            wrong = np.flatnonzero(~unreached & (taken != given))
        else:
            taken = given.astype(kind)
            wrong = np.flatnonzero((taken != given) & ~np.isnan(given))
    if not wrong.size:
        return taken
    vertex = int(wrong[0])
    if kind != UNREACHED.dtype:
        raise UsageError(
            f"distances: {given[vertex]} of {given.dtype} is no {kind}, which {graph.name}'s "
            "weights give"
        )
    raise VerificationError(
        f"{of}: vertex {graph.name_of(vertex)} has the distance {given[vertex]}, and integer "
        f"weights give whole numbers below {UNREACHED}"
    )

"""Checks of independent sets and colourings, in NumPy: that they are some, and that they are those
which going through the vertices in the seeded order gives. Nothing is shared with the steps.

What a vertex gets depends on its earlier neighbours alone. A result in which each vertex has what
its earlier neighbours give is therefore the greedy one: the first to differ would contradict them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from gossamer.arguments import instance, seed_number
from gossamer.arrays import number_array
from gossamer.errors import UsageError
from gossamer.graph import Graph

from .arc_blocks import ArcBlocks
from .prepared import run_verifier

Places = npt.NDArray[np.uint64]


def _mixed(x: Places) -> Places:
    """The finalizer of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014)."""
    u = np.uint64
    x = (x ^ (x >> u(30))) * u(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> u(27))) * u(0x94D049BB133111EB)
    return x ^ (x >> u(31))


def seeded_places(vertices: int, seed: int) -> Places:
    """The places of all vertices in the order of a seed, all different; smaller is earlier."""
    key = _mixed(np.array([(seed + 0x9E3779B97F4A7C15) % (1 << 64)], np.uint64))
    return _mixed(np.arange(vertices, dtype=np.uint64) ^ key)


def _graph_and_seed(of: str, graph: Any, seed: Any) -> int | None:
    instance(graph, Graph, f"{of}: graph")
    if not graph.symmetric:
        raise UsageError(
            f"{of}: {graph.name} is directed; neighbours are those of an undirected graph "
            "(graph.rebuild(symmetrize=True))"
        )
    return None if seed is None else seed_number(seed, of)


def verify_independent_set(
    graph: Graph, chosen: Any, *, seed: int | None = 0, timeout: float | None = None
) -> None:
    """Checks an independent set, whoever made it, a truth for each vertex: no two are neighbours,
    no vertex could be added, and it is the greedy set of the order of `seed`. seed=None: any
    maximal set will do.

    VerificationError names the first violation, in the file's own vertex ids; Timeout after
    `timeout` seconds; UsageError for an array that is none of numbers, and for a directed graph.
    """
    what = "verify_independent_set"
    key = _graph_and_seed(what, graph, seed)
    array = number_array(chosen, f"{what}: chosen")

    def check(limit: float | None) -> tuple[bool, str]:
        why = _set_differs(graph, array, key, limit)
        return why is None, why or ""

    run_verifier(f"independent set of {graph.name}", what, timeout, check)


def _set_differs(
    graph: Graph, array: npt.NDArray[Any], seed: int | None, limit: float | None
) -> str | None:
    if array.size != graph.vertices:
        return f"there are {array.size} truths, the graph has {graph.vertices} vertices"
    strange = np.flatnonzero((array != 0) & (array != 1))
    if strange.size:
        return f"vertex {graph.name_of(int(strange[0]))} has {array[strange[0]]}, neither 0 nor 1"
    within = array != 0
    place = None if seed is None else seeded_places(graph.vertices, seed)
    beside, earlier = np.zeros(graph.vertices, bool), np.zeros(graph.vertices, bool)
    for block in ArcBlocks(graph, False, limit):
        u, v = block.tails, block.heads
        theirs = within[v] & (u != v)
        both = np.flatnonzero(theirs & within[u])
        if both.size:
            ends = graph.name_of(int(u[both[0]])), graph.name_of(int(v[both[0]]))
            return f"vertices {ends[0]} and {ends[1]} are neighbours, and both in it"
        beside[u[theirs]] = True
        if place is not None:
            earlier[u[theirs & (place[v] < place[u])]] = True
    alone = np.flatnonzero(~(within | beside))
    if alone.size:
        return f"vertex {graph.name_of(int(alone[0]))} could be added"
    if place is not None:
        early = np.flatnonzero(~(within | earlier))
        if early.size:
            return (
                f"vertex {graph.name_of(int(early[0]))} is not in it, though no earlier neighbour "
                f"of seed {seed} is"
            )
    return None


def verify_coloring(
    graph: Graph, colors: Any, *, seed: int | None = 0, timeout: float | None = None
) -> None:
    """Checks a colouring, whoever made it: neighbours have different colours, and each vertex has
    the smallest that no earlier neighbour in the order of `seed` has. seed=None: any colouring will
    do.

    VerificationError names the first violation, in the file's own vertex ids; Timeout after
    `timeout` seconds; UsageError for an array that is none of numbers, and for a directed graph.
    """
    what = "verify_coloring"
    key = _graph_and_seed(what, graph, seed)
    array = number_array(colors, f"{what}: colors")

    def check(limit: float | None) -> tuple[bool, str]:
        why = _coloring_differs(graph, array, key, limit)
        return why is None, why or ""

    run_verifier(f"colouring of {graph.name}", what, timeout, check)


def _coloring_differs(
    graph: Graph, array: npt.NDArray[Any], seed: int | None, limit: float | None
) -> str | None:
    n = graph.vertices
    if array.size != n:
        return f"there are {array.size} colours, the graph has {n} vertices"
    # Nobody needs a colour as large as the number of vertices.
    strange = np.flatnonzero(~((array >= 0) & (array < n) & (array == np.floor(array))))
    if strange.size:
        first = int(strange[0])
        return f"vertex {graph.name_of(first)} has {array[first]}, no colour from 0 to {n - 1}"
    color = array.astype(np.int64)
    place = None if seed is None else seeded_places(n, seed)
    for block in ArcBlocks(graph, False, limit):
        u, v = block.tails, block.heads
        same = np.flatnonzero((color[u] == color[v]) & (u != v))
        if same.size:
            one, other = int(u[same[0]]), int(v[same[0]])
            ends = f"{graph.name_of(one)} and {graph.name_of(other)}"
            return f"vertices {ends} are neighbours, and both have colour {color[one]}"
        if place is None:
            continue
        # Each smaller colour must be had by an earlier neighbour: as many different ones.
        below = (place[v] < place[u]) & (color[v] < color[u])
        pairs = np.unique((u[below] - block.first) * n + color[v[below]])
        had = np.bincount(pairs // n, minlength=block.stop - block.first)
        short = np.flatnonzero(had < color[block.first : block.stop])
        if short.size:
            early = block.first + int(short[0])
            taken = set((pairs[pairs // n == short[0]] % n).tolist())
            free = next(c for c in range(int(color[early])) if c not in taken)
            return (
                f"vertex {graph.name_of(early)} has colour {color[early]}, though no earlier "
                f"neighbour of seed {seed} has {free}"
            )
    return None

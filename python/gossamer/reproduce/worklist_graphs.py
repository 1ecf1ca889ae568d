"""Graphs of the kinds that paper C measured, generated at sizes that a small host runs in seconds.

Of each: what the paper calls it, its size there, and what stands for it here. Where the paper cut
with METIS, so does this: vertices are renumbered part by part here, and not by the engines' own
option, since the same runs are made on GPUs, whose engines take contiguous ranges alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
import numpy.typing as npt

import gossamer as gs

from .extent import extent


@dataclass(frozen=True)
class Kind:
    """One of paper C's Table 4."""

    name: str
    #: Millions there; arcs as the paper counts edges.
    vertices: float
    arcs: float
    #: Generators: of the searches and components, of PageRank (which takes ten times as long), of
    #: PageRank by our tolerance (a hundred times), and of --quick.
    spec: str
    pagerank_spec: str
    fine_spec: str
    quick_spec: str
    #: About as large as there, for hosts with GPUs: OSM's and twitter's take 5 and 30 GB.
    full_spec: str
    #: Cut by METIS in the paper.
    metis: bool

    def asked(self, algorithm: str) -> str:
        """The generator that is used."""
        if extent.small_graphs:
            return self.quick_spec
        return self.pagerank_spec if algorithm == "pagerank" else self.spec

    def size(self, made: gs.Graph) -> float:
        """Of a generated graph, in the paper's."""
        return made.vertices / (1e6 * self.vertices)


USA = Kind(
    "USA", 24, 58, "road:3000", "road:1000", "road:300", "road:60", "road:4900", True
)  # fmt: skip
OSM = Kind(
    "OSM-eur-k", 174, 348, "road:3000:0.55", "road:1000:0.55", "road:400:0.55", "road:80:0.55",
    "road:13200:0.55", True,
)  # fmt: skip
#: Of its degrees, in the mean and at most, which are 14.2 and 20,293 in the paper, this web graph
#: has 14.3 and 15,206; and it can be cut, which a Kronecker graph cannot.
LIVE_JOURNAL = Kind(
    "soc-LiveJournal1", 5, 69, "web:1000000:8", "web:300000:8", "web:4000:8", "web:600:8",
    "web:5000000:8", True,
)  # fmt: skip
TWITTER = Kind(
    "twitter", 51, 1963, "kron:19:20", "kron:16:20", "kron:12:20", "kron:10:20", "kron:26:15", False
)  # fmt: skip
KRON = Kind(
    "kron21.sym", 2, 182, "kron:19:48", "kron:16:48", "kron:12:48", "kron:9:48", "kron:21:48",
    False,
)  # fmt: skip
KINDS = (USA, OSM, LIVE_JOURNAL, TWITTER, KRON)


@lru_cache(maxsize=8)
def graph(spec: str) -> gs.Graph:
    """With integer weights."""
    return gs.generate(spec, weights=True)


_orders: dict[tuple[str, int], npt.NDArray[np.int32]] = {}


def _by_parts(whole: gs.Graph, ranks: int) -> npt.NDArray[np.int32]:
    """Vertices in the order of METIS's parts, found once: it takes longer than all runs."""
    key = (whole.name, ranks)
    if key not in _orders:
        parts = whole.partition("metis", ranks)
        _orders[key] = np.argsort(parts, kind="stable").astype(np.int32)
    return _orders[key]


_sources: dict[tuple[str, int], int] = {}


def _source(whole: gs.Graph) -> int:
    """The first of some drawn that reaches half of the graph, else the one that reaches most: the
    paper's 0 may have no arc here, and a directed graph has vertices that lead nowhere."""
    key = (whole.name, whole.arcs)
    if key not in _sources:
        most = -1
        for source in gs.draw_sources(whole, 16):
            reached = gs.BfsSearch(gs.Machine("cpu:1x1").place(whole)).run(source).reached
            if reached > most:
                most, _sources[key] = reached, int(source)
            if 2 * reached >= whole.vertices:
                break
    return _sources[key]


@dataclass(frozen=True)
class Cut:
    """A graph for some ranks, and where one vertex went: the source of searches."""

    graph: gs.Graph
    source: int


@lru_cache(maxsize=2)
def cut(spec: str, ranks: int, metis: bool) -> Cut:
    """A generated graph, cut by METIS or left as it is."""
    return cut_of(graph(spec), ranks, metis)


def cut_of(whole: gs.Graph, ranks: int, metis: bool) -> Cut:
    """With METIS: vertices in the order of its parts. The source is always the same one."""
    source = _source(whole)
    if not metis or ranks == 1:
        return Cut(whole, source)
    order = _by_parts(whole, ranks)
    matrix = whole.to_scipy()[order][:, order]
    return Cut(
        gs.from_scipy(matrix, symmetric=whole.symmetric), int(np.flatnonzero(order == source)[0])
    )


def unit_weights(whole: gs.Graph) -> gs.Graph:
    """The same with weights of one: shortest paths are breadth-first search."""
    ones = np.ones(whole.arcs, dtype=np.int32)
    return gs.from_csr(
        whole.indptr, whole.indices, ones, symmetric=whole.symmetric, name=f"{whole.name}, ones"
    )


def with_weights(whole: gs.Graph) -> gs.Graph:
    """Weights 1 to 255 where there are none, the same both ways."""
    if whole.weights is not None:
        return whole
    sources = np.repeat(np.arange(whole.vertices), np.diff(whole.indptr))
    mixed = (sources + whole.indices) * 2654435761 % (1 << 32) // (1 << 8)
    weights = (mixed % 255 + 1).astype(np.int32)
    return gs.from_csr(
        whole.indptr, whole.indices, weights, symmetric=whole.symmetric, name=whole.name
    )


@cache
def size_note(kind: Kind, algorithm: str) -> str:
    """What stands for the paper's graph."""
    spec = kind.asked(algorithm)
    found = graph(spec)
    return (
        f"{spec} ({found.vertices / 1e6:.2f}M, {found.arcs / 1e6:.2f}M) stands for {kind.name} "
        f"({kind.vertices:g}M, {kind.arcs:g}M)."
    )

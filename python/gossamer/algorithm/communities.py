"""Communities by modularity: Louvain and Leiden."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, TypedDict, Unpack

import numpy as np
import numpy.typing as npt

from gossamer import _gossamer
from gossamer.arguments import flags, instance, number
from gossamer.arrays import id_array
from gossamer.graph import Graph
from gossamer.graph.shape import GraphShape
from gossamer.machine import Machine
from gossamer.machine.placed_graph import PlacedGraph
from gossamer.machine.plans import MemoryPlan
from gossamer.trace import Trace

from .by_name import Column
from .options import defaults, spelled_out
from .prepared import Prepared, ValuesResult, run_verifier


@dataclass(frozen=True, repr=False)
class CommunitiesResult(ValuesResult):
    """Communities of a graph."""

    _arrays: ClassVar[tuple[str, ...]] = ("labels",)

    #: Number of communities.
    count: int
    #: Vertices of the largest.
    largest: int
    #: Its label; of several as large the smallest.
    largest_label: int
    #: What :func:`modularity` says of the labels; 0 where no arc weighs anything.
    modularity: float
    #: Graphs that vertices moved in, of all iterations.
    levels: int
    #: Rounds of moves in them.
    rounds: int
    #: Rows to labels, slowest rank, without the modularity.
    milliseconds: float
    #: Milliseconds by phase: move, refine (of ``leiden`` alone), contract.
    phases: dict[str, float]

    @cached_property
    def labels(self) -> npt.NDArray[np.signedinteger[Any]]:
        """Smallest vertex (index) of each vertex's community, as wide as the graph's ids."""
        return self._here()

    def _columns(self) -> dict[str, Column]:
        return {"label": Column(self.labels, vertices=True)}


class CommunitiesOptions(TypedDict, total=False):
    """Those of :class:`CommunitiesSearch`."""

    engine: str
    method: str
    resolution: float
    seed: int
    iterations: int
    memory: int | str | None
    timeout: float | None
    trace: Trace | str | Path | None


_explicit = spelled_out(CommunitiesOptions, defaults("communities"))


class CommunitiesSearch(Prepared):
    """Prepared for a graph on a machine, run any number of times.

    Communities are parts with more weight within them than their vertices' weights let one expect:
    vertices move to wherever the modularity gains most, and communities become the vertices of a
    smaller graph, until nobody moves. They are the same on every machine. method: ``louvain``, or
    ``leiden``, where well-joined parts of communities become the vertices: its communities are
    connected, and their modularity is higher. It takes about twice as long. resolution: more of it,
    smaller communities. seed: an integer from 0 on, which draws the vertices that move together.
    iterations: beginnings, each from the communities before; one that changes nothing is the last.
    engine: ``auto``, or one of ``gossamer.engines("communities")``. memory: bytes that each device
    may be asked for, ``"device=3G"`` of GPUs alone. timeout: seconds that a run, or a wait for a
    silent rank, may last. trace: records every run; of the function a path, too. All ranks read the
    same rows, so there is no partition; of several GPUs the first works.

    UsageError: a directed graph (``rebuild(symmetrize=True)`` makes it undirected), an engine or
    method that does not exist. InputError: a weight that is negative or not finite. NotCompiled:
    ranks that are processes.
    """

    _algorithm = "communities"
    _make = _gossamer.make_communities_search
    _plan = _gossamer.plan_communities
    _handle: _gossamer.CommunitiesSearch

    @_explicit
    def __init__(
        self,
        graph: Graph | PlacedGraph,
        machine: Machine | str | None = None,
        **options: Unpack[CommunitiesOptions],
    ) -> None:
        self._handle = self._prepare(graph, machine, options)

    def run(self) -> CommunitiesResult:
        """Finds the communities."""
        return CommunitiesResult(**self._named(self._handle.run()), work=None)

    @classmethod
    @_explicit
    def plan(
        cls,
        graph: Graph | GraphShape,
        machine: Machine | str | None = None,
        **options: Unpack[CommunitiesOptions],
    ) -> MemoryPlan:
        """What a run takes beside the graph."""
        return cls._planned(graph, machine, options)


@spelled_out(CommunitiesOptions, defaults("communities"), CommunitiesSearch)
def communities(
    graph: Graph | PlacedGraph,
    machine: Machine | str | None = None,
    **options: Unpack[CommunitiesOptions],
) -> CommunitiesResult:
    """Communities of an undirected graph, by modularity: Louvain's, or Leiden's.

    NetworkX: ``community.louvain_communities``, ``community.leiden_communities``.

    `machine` is a :class:`Machine`, a spec, or None for ``auto``; a placed graph brings its
    machine. The options are those of :class:`CommunitiesSearch`. :func:`compare_labels` compares
    labels with somebody else's.
    """
    return CommunitiesSearch._once(graph, machine, options, lambda search: search.run())


def modularity(graph: Graph, labels: Any, resolution: float = 1) -> float:
    """The modularity of any communities of an undirected graph; 0 where no arc weighs anything.
    `labels`: any integers, one a vertex.

    NetworkX: ``community.modularity``.

    Of each community the share of all weight that lies within it, less `resolution` times the
    square of the share that its vertices have; a loop counts twice. It does not depend on the
    number of threads.

    UsageError: labels that are none of integers, or not one a vertex, a directed graph, a
    resolution below zero. InputError: a weight that is negative or not finite.
    """
    instance(graph, Graph, "modularity: graph")
    given = id_array(labels, "modularity: labels", "labels")
    if given.size and (int(given.min()) < 0 or int(given.max()) >= graph.vertices):
        given = np.unique(given, return_inverse=True)[1].astype(np.int64)
    found: float = _gossamer.modularity(
        graph._handle, given, number(resolution, "modularity: resolution")
    )
    return found


def verify_communities(
    graph: Graph, labels: Any, modularity: float, *, resolution: float = 1,
    connected: bool = False, timeout: float | None = None,
) -> None:  # fmt: skip
    """Checks communities, whoever found them: labels are the smallest vertex of each, and their
    modularity is that which is given, added up anew from edges. connected: so is each community,
    as those of ``leiden`` are.

    VerificationError names the first violation, in the file's own vertex ids; Timeout after
    `timeout` seconds; UsageError for an array that is none of integers, and for a directed graph.
    """
    instance(graph, Graph, "verify_communities: graph")
    flags("verify_communities", connected=connected)
    given = id_array(labels, "verify_communities: labels", "labels")
    claimed = number(modularity, "verify_communities: modularity")
    at = number(resolution, "verify_communities: resolution")
    run_verifier(
        f"communities of {graph.name}", "verify_communities", timeout,
        lambda limit: _gossamer.verify_communities(
            graph._handle, given, claimed, at, connected, limit
        ),
    )  # fmt: skip

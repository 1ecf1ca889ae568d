"""A maximal independent set: the one that going through the vertices in a seeded order takes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from gossamer.arguments import seed_number
from gossamer.graph import Graph
from gossamer.machine import Machine
from gossamer.machine.placed_graph import PlacedGraph
from gossamer.vertex_steps import VertexSteps

from .by_name import Column
from .by_steps import StepsBytes, StepsResult, check_undirected, draw, opened, said_of
from .options import hinting

TAKEN = StepsBytes(fields=20, gathered=0, arrays=2)


@dataclass(frozen=True, kw_only=True, repr=False)
class IndependentSetResult(StepsResult):
    """Vertices of which no two are neighbours, and to which no other can be added."""

    _arrays: ClassVar[tuple[str, ...]] = ("chosen",)

    #: Of each vertex, whether it is in the set.
    chosen: npt.NDArray[np.bool_]
    #: In each, every vertex that comes before all its undecided neighbours was taken.
    rounds: int

    @cached_property
    def count(self) -> int:
        """Vertices in the set."""
        return int(np.count_nonzero(self.chosen))

    @property
    def members(self) -> npt.NDArray[np.int64]:
        """Their indices, ascending."""
        return np.flatnonzero(self.chosen)

    def _columns(self) -> dict[str, Column]:
        return {"chosen": Column(self.chosen)}


@hinting
def independent_set(
    graph: Graph | PlacedGraph,
    machine: Machine | str | None = None,
    *,
    seed: int = 0,
    memory: int | str | None = None,
    timeout: float | None = None,
) -> IndependentSetResult:
    """A maximal independent set of an undirected graph: no two of its vertices are neighbours, and
    every other vertex has a neighbour in it.

    NetworkX: ``maximal_independent_set``.

    It is the greedy set of an order drawn by `seed`: each vertex is taken unless an earlier
    neighbour was. So it is the same on every machine. Loops do not count. `machine`, `memory` and
    `timeout` are those of :func:`vertex_steps`; a placed graph brings its machine.

    UsageError: a directed graph (``graph.rebuild(symmetrize=True)`` is the undirected one), a seed
    that is not one of 64 bits. NotCompiled: no compiler, or ranks that run no steps.
    """
    what = "independent_set"
    steps = opened(what, graph, machine, memory, timeout)
    return independent_set_of(steps, seed_number(seed, what))


def independent_set_of(s: VertexSteps, seed: int) -> IndependentSetResult:
    """As :func:`independent_set`, on steps that nothing was done with."""
    check_undirected("independent_set", s.graph)
    s.fields(chosen=False, open=True)
    draw(s, seed)
    with s.repeat(until="waiting == 0") as loop:
        s.send("draw", "min", into="least", where="open")
        s.map(wins="False")
        # A loop brings the vertex its own draw.
        s.map(where="open", wins="draw <= least")
        s.send("True", "any", into="beside", where="wins")
        s.map(where="wins", chosen="True")
        s.map(where="open", open="not wins and not beside")
        s.reduce("True", "count", into="waiting", where="open")
    chosen = s["chosen"]
    return IndependentSetResult(**said_of("independent_set", s), chosen=chosen, rounds=loop.rounds)

"""A colouring: neighbours have different colours, each the smallest that is left in a seeded order.

Jones and Plassmann's method (SIAM Journal on Scientific Computing 14, 1993): who comes before all
its uncoloured neighbours knows all that it may not take, and takes its colour at once.
"""

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

TAKEN = StepsBytes(fields=42, gathered=0, arrays=8)

#: Of places of bits in a number of 64, those where a bit of the place is set.
_PLACES = (
    0xAAAAAAAAAAAAAAAA, 0xCCCCCCCCCCCCCCCC, 0xF0F0F0F0F0F0F0F0, 0xFF00FF00FF00FF00,
    0xFFFF0000FFFF0000, 0xFFFFFFFF00000000,
)  # fmt: skip

#: No draw is larger.
_LAST = (1 << 64) - 1

#: The order is gone through in 64 parts where vertices have many neighbours in the mean. All parts
#: at once would send along all arcs in every round, and there are as many rounds as the longest way
#: of rising places has vertices. Where rounds are few, looking at each vertex costs more than arcs.
_PART_BITS, _MANY = 6, 8


@dataclass(frozen=True, kw_only=True, repr=False)
class ColoringResult(StepsResult):
    """A colour for each vertex, another one than its neighbours'."""

    _arrays: ClassVar[tuple[str, ...]] = ("colors",)

    #: Of each vertex, from 0.
    colors: npt.NDArray[np.int32]
    #: In each, every vertex that comes before all its uncoloured neighbours was decided on.
    rounds: int

    @cached_property
    def count(self) -> int:
        """Different colours: 0 to `count` - 1 are all taken."""
        return int(self.colors.max(initial=-1)) + 1

    def _columns(self) -> dict[str, Column]:
        return {"color": Column(self.colors)}


@hinting
def coloring(
    graph: Graph | PlacedGraph,
    machine: Machine | str | None = None,
    *,
    seed: int = 0,
    memory: int | str | None = None,
    timeout: float | None = None,
) -> ColoringResult:
    """A colouring of an undirected graph: neighbours have different colours.

    NetworkX: ``greedy_color``.

    It is the greedy one of an order drawn by `seed`: each vertex takes the smallest colour that no
    earlier neighbour has. So it is the same on every machine, with at most one colour more than the
    most neighbours that a vertex has. Loops do not count. `machine`, `memory` and `timeout` are
    those of :func:`vertex_steps`; a placed graph brings its machine.

    UsageError: a directed graph (``graph.rebuild(symmetrize=True)`` is the undirected one), a seed
    that is not one of 64 bits. NotCompiled: no compiler, or ranks that run no steps.
    """
    what = "coloring"
    steps = opened(what, graph, machine, memory, timeout)
    return coloring_of(steps, seed_number(seed, what))


def coloring_of(s: VertexSteps, seed: int) -> ColoringResult:
    """As :func:`coloring`, on steps that nothing was done with.

    Colours come in windows of 64, and a field of bits says which of them neighbours have. A vertex
    whose turn finds its window full takes none of it, and waits for the next window. Its later
    neighbours need not wait for it there. So each window gives what a greedy colouring gives.

    Within a window the order is gone through part by part (Blelloch, Fineman and Shun, SPAA 2012).
    """
    check_undirected("coloring", s.graph)
    place = " + ".join(
        f"{1 << i} * ((free & {mask}) != 0)" for i, mask in enumerate(_PLACES)
    )  # fmt: skip
    bits = _PART_BITS if s.graph.arcs >= _MANY * s.graph.vertices else 0
    s.fields(color=np.int32(-1))
    s.numbers(base=0, rounds=0, shift=64 - bits, parts=1 << bits)
    draw(s, seed)
    # In which part a vertex has its turn, until it has a colour.
    s.map(turn="int32(draw >> shift)")
    with s.repeat(until="left == 0"):
        s.map(used="uint64(0)")
        s.set(part="0")
        with s.repeat(until="part == parts"):
            s.map(open="turn == part")
            s.map(where="open", least=f"{_LAST}")
            with s.repeat(until="waiting == 0"):
                # Nobody asks what comes to those who are not open.
                s.send("draw", "min", into="least", where="open", accumulate=True)
                s.map(wins="False")
                # A loop brings the vertex its own draw.
                s.map(where="open", wins="draw <= least", least=f"{_LAST}")
                # The lowest bit that is not set; none of 64 that are.
                s.map(where="wins", free="~used & (used + 1)", open="False")
                s.map(where="wins", color=f"int32(base + {place}) if free != 0 else color")
                s.map(where="wins", turn="-1 if free != 0 else turn")
                s.reduce("True", "count", into="waiting", where="open")
                # Neighbours in later parts hear of it, too.
                s.send("free", "or", into="used", where="wins", accumulate=True)
                s.set(rounds="rounds + 1")
            s.set(part="part + 1")
        s.reduce("turn >= 0", "count", into="left")
        s.set(base="base + 64")
    colors = s["color"]
    return ColoringResult(**said_of("coloring", s), colors=colors, rounds=s["rounds"])

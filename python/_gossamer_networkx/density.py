"""Dense parts of graphs: cores and triangles."""

from __future__ import annotations

from typing import Any

import gossamer as gs
import networkx as nx
import numpy as np
from networkx.utils import not_implemented_for

from .graph import ConvertedGraph
from .machine import machine
from .refusal import refuses


@not_implemented_for("multigraph")
def core_number(G: ConvertedGraph) -> dict[Any, int]:
    if not len(G):
        return {}
    tails = np.repeat(np.arange(len(G)), np.diff(G.rows.indptr))
    if (tails == G.rows.indices).any():
        raise nx.NetworkXNotImplemented(
            "Input graph has self loops which is not permitted; "
            "Consider using G.remove_edges_from(nx.selfloop_edges(G))."
        )
    try:
        # As examples/steps/core_numbers.py says: who has fewest neighbours leaves first.
        with gs.vertex_steps(G.graph(), machine()) as s:
            s.fields(core=0, here=True)
            s.numbers(k=0)
            s.send("1", "sum", into="left", along="both")
            with s.repeat(until="remain == 0"):
                s.reduce("left", "min", into="fewest", where="here")
                s.set(k="max(k, fewest)")
                s.map(leaves="here and left <= k")
                s.map(where="leaves", core="k", here="False")
                s.send("1", "sum", into="gone", along="both", where="leaves")
                s.map(left="left - gone")
                s.reduce("here", "count", into="remain")
            core = s["core"]
    except gs.NotCompiled as error:  # no compiler for the steps, or not on such a machine
        raise NotImplementedError(str(error)) from None
    return dict(zip(G.nodes, core.tolist(), strict=True))


@refuses(lambda given: "a directed graph" if given["G"].is_directed() else None)
@not_implemented_for("multigraph")
def transitivity(G: ConvertedGraph) -> float:
    if not len(G):
        return 0
    simple = G.graph().rebuild(remove_self_loops=True)
    triangles = simple.count_triangles()
    degrees = simple.degrees
    # Each triangle is a pair of neighbours of three nodes, in either order.
    return 6 * triangles / int((degrees * (degrees - 1)).sum()) if triangles else 0

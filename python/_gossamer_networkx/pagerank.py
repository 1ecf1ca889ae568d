"""PageRank."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import gossamer as gs
import networkx as nx
import numpy as np

from .graph import ConvertedGraph
from .machine import machine
from .refusal import refuses, weight_refused


def _refused(given: Mapping[str, Any]) -> str | None:
    if not 0 <= given["alpha"] <= 1:
        return "alpha: from 0 to 1"
    if given["dangling"] is not None and given["alpha"] == 1:
        return "alpha: less than 1 with dangling"
    if not given["tol"] > 0:
        return "tol: more than 0"
    if not isinstance(given["max_iter"], int):
        return "max_iter: not an integer"
    for name in ("personalization", "nstart", "dangling"):
        values = given[name]
        if values is not None and not all(0 <= x < float("inf") for x in values.values()):
            return f"{name}: finite, 0 or more"
    for name in ("nstart", "dangling"):
        values = given[name]
        if values is not None and not any(values.get(node, 0) for node in given["G"]):
            return f"{name}: a node of more than 0"
    return weight_refused(given)


@refuses(_refused)
def pagerank(
    G: ConvertedGraph,
    alpha: float = 0.85,
    personalization: Mapping[Any, float] | None = None,
    max_iter: int = 100,
    tol: float = 1.0e-6,
    nstart: Mapping[Any, float] | None = None,
    weight: Hashable | None = "weight",
    dangling: Mapping[Any, float] | None = None,
) -> dict[Any, float]:
    n = len(G)
    if not n:
        return {}
    if weight is not None:
        given = G.weights(weight)
        if given.size == 0 or ((given == given[0]).all() and given[0] > 0):
            weight = None  # all alike: as without
    jumps = None if personalization is None else G.values(personalization)
    ends = None if dangling is None else G.values(dangling)
    if jumps is not None and not jumps.any():
        raise ZeroDivisionError
    if max_iter < 1:
        raise nx.PowerIterationFailedConvergence(max_iter)
    solver = gs.PagerankSolver(
        G.graph(weight),
        machine(),
        engine="sync:steps=power",  # NetworkX's: ranks after as many iterations
        damping=float(alpha),
        tolerance=n * float(tol),
        max_iterations=max_iter,
        precision=64,
        weighted=weight is not None,
    )
    # Without the warning of run(): NetworkX's exception says it.
    found = solver._run(jumps, None if nstart is None else G.values(nstart), ends)
    if not found.converged:
        raise nx.PowerIterationFailedConvergence(max_iter)
    return dict(zip(G.nodes, np.asarray(found.ranks).tolist(), strict=True))

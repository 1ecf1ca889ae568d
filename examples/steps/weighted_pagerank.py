"""PageRank along arcs with weights: a vertex gives its rank to those it points to, each its arc's
share of the weights. What vertices without such arcs have goes to all alike.

    python weighted_pagerank.py [MACHINE ...] # default: cpu:1 cpu:3; for example cuda
"""

from __future__ import annotations

import sys

import gossamer as gs
import numpy as np


def weighted_pagerank(
    graph: gs.Graph, machine: str | None = None, damping: float = 0.85, tolerance: float = 1e-10
) -> np.ndarray:
    """By vertex, 1 in all."""
    with gs.vertex_steps(graph, machine) as s:
        s.numbers(damping=damping, tolerance=tolerance)
        s.map(rank="1 / vertices")
        s.send("float64(weight)", "sum", into="strength", along="in")
        with s.repeat(until="moved < tolerance", at_most=1000):
            s.map(share="rank / strength if strength > 0 else 0.0")
            s.send("share * weight", "sum", into="got")
            s.reduce("rank", "sum", into="lost", where="strength <= 0")
            s.map(new="(1 - damping + damping * lost) / vertices + damping * got")
            s.reduce("abs(new - rank)", "sum", into="moved")
            s.map(rank="new")
        return s["rank"]


def main(machines: list[str]) -> int:
    graph = gs.kronecker(10, weights=True)
    for machine in machines:
        rank = weighted_pagerank(graph, machine)
        print(f"{machine}: most to {rank.argmax()}: {rank.max():.6f}, {rank.sum():.6f} in all")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or ["cpu:1", "cpu:3"]))

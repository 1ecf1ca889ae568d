"""Katz centrality: all walks that end at a vertex count, each arc of a walk by the factor alpha
(Katz, Psychometrika 18, 1953). It exists for alpha below one over the largest eigenvalue.

    python katz.py [MACHINE ...]              # default: cpu:1 cpu:3; for example cuda
"""

from __future__ import annotations

import sys

import gossamer as gs
import numpy as np


def katz(
    graph: gs.Graph, machine: str | None = None, alpha: float = 0.1, tolerance: float = 1e-12
) -> np.ndarray:
    """By vertex, of length 1."""
    with gs.vertex_steps(graph, machine) as s:
        s.numbers(alpha=alpha, tolerance=tolerance)
        s.fields(katz=1.0)
        with s.repeat(until="moved < tolerance * vertices", at_most=10_000):
            s.send("katz", "sum", into="got")
            s.map(new="1 + alpha * got")
            s.reduce("abs(new - katz)", "sum", into="moved")
            s.map(katz="new")
        return s["katz"] / np.linalg.norm(s["katz"])


def main(machines: list[str]) -> int:
    graph = gs.road(50)
    for machine in machines:
        found = katz(graph, machine)
        print(f"{machine}: most central {found.argmax()}, {found.max() / found.mean():.4f} of mean")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or ["cpu:1", "cpu:3"]))

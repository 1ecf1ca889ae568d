"""Betweenness by Brandes' algorithm (Journal of Mathematical Sociology 25, 2001): a search from
each source counts shortest paths, and the way back adds up how many of them lead through a
vertex.

    python betweenness.py [MACHINE ...]       # default: cpu:1 cpu:3; for example cuda
"""

from __future__ import annotations

import sys

import gossamer as gs
import numpy as np


def betweenness(graph: gs.Graph, sources: np.ndarray, machine: str | None = None) -> np.ndarray:
    """Of paths that begin at sources; of symmetric graphs half of it, as no end is the first."""
    with gs.vertex_steps(graph, machine) as s:
        s.fields(score=0.0)
        for source in sources:
            s.numbers(source=int(source), level=0)
            s.map(depth="0 if vertex == source else -1", paths="1.0 if vertex == source else 0.0")
            with s.repeat(until="not some"):
                s.send("paths", "sum", into="more", where="depth == level")
                s.set(level="level + 1")
                s.map(where="depth < 0 and more > 0", depth="level", paths="more")
                s.reduce("depth == level", "any", into="some")
            s.map(part="0.0")
            with s.repeat(until="level <= 0"):
                s.send("(1 + part) / paths", "sum", into="back", along="in", where="depth == level")
                s.set(level="level - 1")
                s.map(where="depth == level", part="paths * back")
            s.map(where="vertex != source", score="score + part")
        return s["score"] / (2 if graph.symmetric else 1)


def main(machines: list[str]) -> int:
    graph = gs.road(30).largest_component()
    for machine in machines:
        score = betweenness(graph, np.arange(0, graph.vertices, 10), machine)
        print(f"{machine}: most paths lead through {score.argmax()}: {score.max():.6g}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or ["cpu:1", "cpu:3"]))

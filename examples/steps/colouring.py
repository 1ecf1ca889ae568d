"""Greedy colouring: neighbours have different colours. A colour's vertices are a maximal
independent set of those that have none yet: each takes the least colour that is left to it, in an
order drawn at random (Jones and Plassmann, SIAM Journal on Scientific Computing 14, 1993).

    python colouring.py [MACHINE ...]         # default: cpu:1 cpu:3; for example cuda
"""

from __future__ import annotations

import sys

import gossamer as gs
import numpy as np


def colouring(graph: gs.Graph, machine: str | None = None) -> np.ndarray:
    """Colours from 0, at most one more than the most neighbours that a vertex has."""
    with gs.vertex_steps(graph, machine) as s:
        s.fields(colour=-1)
        s.numbers(next=0)
        s.map(draw="vertex * 6364136223846793005")
        s.map(draw="(draw ^ draw >> 32 & 0xFFFFFFFF) * 2862933555777941757")
        with s.repeat(until="left == 0"):
            s.map(open="colour < 0")
            with s.repeat(until="waiting == 0"):
                s.send("draw", "min", into="least", along="both", where="open")
                s.map(wins="open and draw <= least")
                s.send("True", "any", into="out", along="both", where="wins")
                s.map(where="wins", colour="next")
                s.map(open="open and not wins and not out")
                s.reduce("open", "count", into="waiting")
            s.reduce("colour < 0", "count", into="left")
            s.set(next="next + 1")
        return s["colour"]


def main(machines: list[str]) -> int:
    graph = gs.kronecker(10)
    for machine in machines:
        print(f"{machine}: {colouring(graph, machine).max() + 1} colours")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or ["cpu:1", "cpu:3"]))

"""A maximal independent set by Luby's algorithm (SIAM Journal on Computing 15, 1986): in each round
vertices draw numbers, who has the least beside it is chosen, and its neighbours are out.

    python independent_set.py [MACHINE ...]   # default: cpu:1 cpu:3; for example cuda
"""

from __future__ import annotations

import sys

import gossamer as gs
import numpy as np


def independent_set(graph: gs.Graph, machine: str | None = None, seed: int = 1) -> np.ndarray:
    """Which vertices are chosen: no two are neighbours, and everybody else has one beside it."""
    with gs.vertex_steps(graph, machine) as s:
        s.fields(chosen=False, open=True)
        s.numbers(round=seed)
        with s.repeat(until="left == 0"):
            # Odd factors and shifts lose nothing: no two vertices draw the same in a round.
            s.map(draw="(vertex + round * vertices) * 6364136223846793005")
            s.map(draw="(draw ^ draw >> 32 & 0xFFFFFFFF) * 2862933555777941757")
            s.send("draw", "min", into="least", along="both", where="open")
            s.map(wins="open and draw <= least")
            s.send("True", "any", into="out", along="both", where="wins")
            s.map(chosen="chosen or wins", open="open and not wins and not out")
            s.reduce("open", "count", into="left")
            s.set(round="round + 1")
        return s["chosen"]


def main(machines: list[str]) -> int:
    graph = gs.kronecker(10)
    for machine in machines:
        print(f"{machine}: {independent_set(graph, machine).sum()} of {graph.vertices} chosen")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or ["cpu:1", "cpu:3"]))

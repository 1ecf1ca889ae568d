"""Core numbers: the largest k for which a vertex is in a part of the graph where every vertex has
k neighbours or more (Seidman, Social Networks 5, 1983). Who has fewest leaves first.

    python core_numbers.py [MACHINE ...]      # default: cpu:1 cpu:3; for example cuda
"""

from __future__ import annotations

import sys

import gossamer as gs
import numpy as np


def core_numbers(graph: gs.Graph, machine: str | None = None) -> np.ndarray:
    """By vertex; arcs count in both directions."""
    with gs.vertex_steps(graph, machine) as s:
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
        return s["core"]


def main(machines: list[str]) -> int:
    graph = gs.kronecker(10).rebuild(deduplicate=True, remove_self_loops=True)
    for machine in machines:
        core = core_numbers(graph, machine)
        print(f"{machine}: cores up to {core.max()}, {(core == core.max()).sum()} in the last")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or ["cpu:1", "cpu:3"]))

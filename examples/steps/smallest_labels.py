"""Label propagation by minimum: every vertex ends with the smallest vertex of its component. Only
those whose label fell send it on.

    python smallest_labels.py [MACHINE ...]   # default: cpu:1 cpu:3; for example cuda
"""

from __future__ import annotations

import sys

import gossamer as gs
import numpy as np


def smallest_labels(graph: gs.Graph, machine: str | None = None) -> np.ndarray:
    """By vertex; arcs lead in both directions."""
    with gs.vertex_steps(graph, machine) as s:
        s.map(label="vertex", fell="True")
        with s.repeat(until="not some"):
            s.send("label", "min", into="near", along="both", where="fell")
            s.map(fell="near < label", label="min(near, label)")
            s.reduce("fell", "any", into="some")
        return s["label"]


def main(machines: list[str]) -> int:
    graph = gs.road(100)
    for machine in machines:
        print(f"{machine}: {np.unique(smallest_labels(graph, machine)).size} components")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or ["cpu:1", "cpu:3"]))

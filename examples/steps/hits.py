"""HITS: good hubs point to good authorities, which good hubs point to (Kleinberg, Journal of the
ACM 46, 1999). Power iteration, each side scaled to the sum 1.

    python hits.py [MACHINE ...]              # default: cpu:1 cpu:3; for example cuda
"""

from __future__ import annotations

import sys

import gossamer as gs
import numpy as np


def hits(
    graph: gs.Graph, machine: str | None = None, tolerance: float = 1e-10, at_most: int = 1000
) -> tuple[np.ndarray, np.ndarray]:
    """Hubs and authorities, by vertex."""
    with gs.vertex_steps(graph, machine) as s:
        s.numbers(tolerance=tolerance)
        s.map(hub="1 / vertices")
        with s.repeat(until="moved < tolerance", at_most=at_most):
            s.send("hub", "sum", into="authority")
            s.reduce("authority", "sum", into="total")
            s.map(authority="authority / max(total, 1e-300)")
            s.send("authority", "sum", into="better", along="in")
            s.reduce("better", "sum", into="total")
            s.map(better="better / max(total, 1e-300)")
            s.reduce("abs(better - hub)", "sum", into="moved")
            s.map(hub="better")
        return s["hub"], s["authority"]


def main(machines: list[str]) -> int:
    ids = np.random.default_rng(1).integers(0, 1000, (2, 8000))
    graph = gs.from_edges(*ids, n=1000, deduplicate=True)
    for machine in machines:
        hub, authority = hits(graph, machine)
        print(f"{machine}: best hub {hub.argmax()}, best authority {authority.argmax()}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or ["cpu:1", "cpu:3"]))

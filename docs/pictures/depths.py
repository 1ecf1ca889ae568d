"""Draws depths.png: a road network coloured by distance from the crossing in its middle.

python docs/pictures/depths.py
"""

from __future__ import annotations

from pathlib import Path

import gossamer as gs
import matplotlib.pyplot as plt
import numpy as np

SIDE = 360


def main() -> None:
    graph = gs.generate(f"road:{SIDE}")
    middle = SIDE * SIDE // 2 + SIDE // 2
    near = np.argsort(np.abs(np.arange(graph.vertices) - middle))
    source = next(int(v) for v in near if graph.indptr[v + 1] > graph.indptr[v])
    result = gs.bfs(graph, source, "cpu")
    depths = np.where(result.depths < 0, np.nan, result.depths).reshape(SIDE, SIDE)
    figure, axes = plt.subplots(figsize=(6, 6), dpi=100)
    axes.imshow(depths % 60 + depths / 4, cmap="twilight_shifted", interpolation="nearest")
    axes.set_axis_off()
    figure.savefig(Path(__file__).with_name("depths.png"), bbox_inches="tight", pad_inches=0)
    print(f"{result.reached} crossings, {result.levels} levels, from {source}")


if __name__ == "__main__":
    main()

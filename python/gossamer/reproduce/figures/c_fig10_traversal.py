"""Paper C, Fig. 10: breadth-first search and shortest paths on 1 to 8 M60s (drawn only).

`--machine SPEC …` (cuda:0 cuda:0-1 cuda:0-3, or cpu:1x1 cpu:2x1) measures, and verifies."""

from collections.abc import Sequence
from pathlib import Path

from ..measured_scaling import scaling_on_machines
from ..report import Row, show
from ..scaling import Published, scaling_figure

#: Of soc-LiveJournal1 the text says it by name.
BENDS = ("soc-LiveJournal1",)
BFS = Published(
    {"USA": 2, "OSM-eur-k": 5, "soc-LiveJournal1": 6, "twitter": 8, "kron21.sym": 7}, bends=BENDS
)
SSSP = Published(
    {"USA": 3, "OSM-eur-k": 8, "soc-LiveJournal1": 6, "twitter": 8, "kron21.sym": 8}, bends=BENDS
)


def run(folder: Path) -> list[Row]:
    return scaling_figure(folder, "C Fig. 10", "c_fig10_traversal", (("bfs", BFS), ("sssp", SSSP)))


def on_machines(words: Sequence[str] | None = None) -> list[Row]:
    return scaling_on_machines("C Fig. 10", "c_fig10_traversal", ("bfs", "sssp"), __doc__, words)


if __name__ == "__main__":
    show(on_machines())

"""Paper C, Fig. 11: PageRank by pushed residuals on 1 to 8 M60s (drawn only).

`--machine SPEC …` (cuda:0 cuda:0-1 cuda:0-3, or cpu:1x1 cpu:2x1) measures, and verifies."""

from pathlib import Path

from ..measured_scaling import measured_main
from ..report import Row
from ..scaling import Published, scaling_figure

PAGERANK = Published(
    {"USA": 8, "OSM-eur-k": 8, "soc-LiveJournal1": 5, "twitter": 1, "kron21.sym": 1},
    (("USA", 8, 7.28), ("soc-LiveJournal1", 4, 3.02)),
    bends=("soc-LiveJournal1",),
)


def run(folder: Path) -> list[Row]:
    return scaling_figure(folder, "C Fig. 11", "c_fig11_pagerank", (("pagerank", PAGERANK),))


if __name__ == "__main__":
    measured_main("C Fig. 11", "c_fig11_pagerank", ("pagerank",), __doc__)

"""Paper C, Fig. 11: PageRank by pushed residuals on 1 to 8 M60s (drawn only)."""

from pathlib import Path

from report import Row, main
from scaling import Published, scaling_figure

PAGERANK = Published(
    {"USA": 8, "OSM-eur-k": 8, "soc-LiveJournal1": 5, "twitter": 1, "kron21.sym": 1},
    (("USA", 8, 7.28), ("soc-LiveJournal1", 4, 3.02)),
    bends=("soc-LiveJournal1",),
)


def run(folder: Path) -> list[Row]:
    return scaling_figure(folder, "C Fig. 11", "c_fig11_pagerank", (("pagerank", PAGERANK),))


if __name__ == "__main__":
    main(run)

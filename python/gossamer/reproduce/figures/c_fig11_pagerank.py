"""Paper C, Fig. 11: PageRank by pushed residuals on 1 to 8 M60s (drawn only).

`--machine SPEC …` (cuda:0 cuda:0-1 cuda:0-3, or cpu:1x1 cpu:2x1) measures, and verifies."""

from collections.abc import Sequence
from pathlib import Path

from ..measured_scaling import scaling_on_machines
from ..report import NOT_IN_PAPER, Row, compared, show
from ..scaling import Published, scaling_figure
from ..worklist_graphs import KINDS
from ..worklist_runs import tolerance_cost

PAGERANK = Published(
    {"USA": 8, "OSM-eur-k": 8, "soc-LiveJournal1": 5, "twitter": 1, "kron21.sym": 1},
    (("USA", 8, 7.28), ("soc-LiveJournal1", 4, 3.02)),
    bends=("soc-LiveJournal1",),
)


def run(folder: Path) -> list[Row]:
    name = "c_fig11_pagerank"
    rows = scaling_figure(folder, "C Fig. 11", name, (("pagerank", PAGERANK),))
    return compared(folder, name, rows + tolerance_rows("C Fig. 11"))


def tolerance_rows(figure: str) -> list[Row]:
    """What our own stopping rule costs; the predictions go by the paper's."""
    return [
        Row(figure, f"PageRank, {kind.name}: by our tolerance over by the paper's rule",
            NOT_IN_PAPER, tolerance_cost(kind), "times",
            reason=f"{kind.fine_spec}, one GPU. Ours ends when the ranks are known to 1e-6 in the "
            "1-norm, Groute's when each vertex waits for less than 0.01 of the mean rank.")
        for kind in KINDS
    ]  # fmt: skip


def on_machines(words: Sequence[str] | None = None) -> list[Row]:
    return scaling_on_machines("C Fig. 11", "c_fig11_pagerank", ("pagerank",), __doc__, words)


if __name__ == "__main__":
    show(on_machines())

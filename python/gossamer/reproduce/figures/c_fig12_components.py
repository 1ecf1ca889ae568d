"""Paper C, Fig. 12: connected components on 1 to 8 M60s (drawn only), by hooking, compressing and a
reduction of what each GPU found. Edges lie on the GPUs before the clock starts, as in the paper's
public program; how much longer it takes to stream them from the host is said beside it.

`--machine SPEC …` (cuda:0 cuda:0-1 cuda:0-3, or cpu:1x1 cpu:2x1) measures, and verifies."""

from collections.abc import Sequence
from pathlib import Path

from ..measured_scaling import scaling_on_machines
from ..paper_c_reasons import RATES, reason
from ..report import NOT_IN_PAPER, Row, compared, show
from ..scaling import Published, best, scaling_figure
from ..table3_published import PUBLISHED
from ..worklist_graphs import KINDS, USA, graph, size_note
from ..worklist_runs import PAPERS_WAYS, predicted, streamed_cost

COMPONENTS = Published(
    {"USA": 5, "OSM-eur-k": 4, "soc-LiveJournal1": 2, "twitter": 8, "kron21.sym": 8},
    (("kron21.sym", 8, 2.9),),
)


def run(folder: Path) -> list[Row]:
    name = "c_fig12_components"
    rows = scaling_figure(folder, "C Fig. 12", name, (("components", COMPONENTS),))
    rows.append(one_gpu())
    return compared(folder, name, rows + streamed_rows("C Fig. 12"))


def one_gpu() -> Row:
    """The text: on USA and one GPU 10.99 times as fast as Gunrock, whose time Table 3 has. On 8 it
    is 49.6 times, but Gunrock's time there is only drawn."""
    milliseconds = PUBLISHED[USA.name]["components"]["Gunrock"][0] / 10.99
    ours = predicted("components", USA, 1, PAPERS_WAYS["components"])
    return Row(
        "C Fig. 12", "components, USA, 1 GPU: rate, by 10.99 times Gunrock's",
        1e3 * USA.arcs / milliseconds, 1e-3 * graph(USA.asked("components")).arcs / ours, "M/s",
        reason=f"{size_note(USA, 'components')} {reason(RATES, 'components', USA)}",
    )  # fmt: skip


def streamed_rows(figure: str) -> list[Row]:
    """What it costs to send the edges; the predictions have them in place."""
    rows = []
    for kind in KINDS:
        ranks = best("components", kind, PAPERS_WAYS["components"])
        rows.append(
            Row(figure, f"components, {kind.name}, {ranks} GPUs: edges streamed over prestaged",
                NOT_IN_PAPER, streamed_cost(kind, ranks), "times",
                reason=f"{size_note(kind, 'components')} One thread of rank 0's host makes all "
                "packets in the model, and sends them over PCIe.")
        )  # fmt: skip
    return rows


def on_machines(words: Sequence[str] | None = None) -> list[Row]:
    return scaling_on_machines("C Fig. 12", "c_fig12_components", ("components",), __doc__, words)


if __name__ == "__main__":
    show(on_machines())

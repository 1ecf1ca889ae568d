"""Paper C, Fig. 12: connected components on 1 to 8 M60s (drawn only), by hooking, compressing and a
reduction of what each GPU found. Edges lie on the GPUs before the clock starts, as in the paper's
public program; how much longer it takes to stream them from the host is said beside it.

`--machine SPEC …` (cuda:0 cuda:0-1 cuda:0-3, or cpu:1x1 cpu:2x1) measures, and verifies."""

from collections.abc import Sequence
from pathlib import Path

from ..measured_scaling import scaling_on_machines
from ..paper_c_reasons import RATES, reason
from ..report import NOT_COMPARED, NOT_IN_PAPER, Row, compared, show
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
    return compared(folder, name, rows + over_gunrock() + streamed_rows("C Fig. 12"))


def over_gunrock() -> list[Row]:
    """The text: on USA 10.99 times as fast as Gunrock on one GPU, whose time Table 3 has, and 49.6
    times on eight, where Gunrock's time is only drawn."""
    theirs = PUBLISHED[USA.name]["components"]
    gunrock = USA.arcs / theirs["Gunrock"][0]
    ours = graph(USA.asked("components")).arcs / 1e6
    rate = ours / predicted("components", USA, 1, PAPERS_WAYS["components"])
    groute, gpus = theirs["Groute"]
    return [
        Row("C Fig. 12", "components, USA, 1 GPU: over Gunrock's, by rate", 10.99, rate / gunrock,
            "times", reason=f"{size_note(USA, 'components')} "
            f"{reason(RATES, 'components', USA)}"),
        Row("C Fig. 12", "components, USA, 8 GPUs: over Gunrock's", 49.6, NOT_COMPARED, "times",
            reason="Gunrock's time on 8 GPUs is drawn only, and Gunrock is not modelled. Groute's "
            f"best, {groute:g} ms on {gpus} GPUs, says that it is {49.6 * groute:.0f} ms or more."),
    ]  # fmt: skip


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

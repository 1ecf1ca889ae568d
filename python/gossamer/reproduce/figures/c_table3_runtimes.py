"""Paper C, Table 3: the best times of BFS, SSSP, PageRank and components, and on how many GPUs.

Predicted on the modelled M60s in the paper's way of running each; this project's is beside it.
`--machine SPEC …` (cpu:1x1 cpu:2x1, or cuda:0 cuda:0-1 cuda:0-3) measures, and verifies, on
generated graphs and on the real ones of GOSSAMER_DATA: this project's best, and beside it the
paper's algorithm. On GPUs worklists run in one kernel and driven by host threads, in either order.
`--full-size` generates as large as the paper's. Graphs differ in size, so rates are compared: arcs
of the graph by the time of the whole run. The paper's PageRank goes by its stopping rule, its
components have their edges in place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path

import gossamer as gs

from .. import worklist_systems as systems
from ..extent import extent
from ..measured_file import save
from ..paper_c_reasons import RATES, reason
from ..plots import bars
from ..report import NOT_IN_PAPER, Row, compared, measured, show
from ..runtimes import Timed, best_of, graphs, papers_way, parser, timed, write_runs
from ..table3_published import PUBLISHED, beside
from ..worklist_graphs import KINDS, Kind, graph, size_note
from ..worklist_runs import (
    ALGORITHMS,
    ENGINES,
    PAPERS_WAYS,
    predicted,
)
from .c_fig11_pagerank import tolerance_rows
from .c_fig12_components import streamed_rows

NAME = "c_table3_runtimes"


def _row(best: Timed, kind: Kind | None, note: str, way: str = "") -> Row:
    published = None if kind is None else PUBLISHED[kind.name][best.algorithm].get("Groute")
    rate = None if published is None or kind is None else kind.arcs / (1e-3 * published[0])
    return Row(
        "C Table 3",
        f"{best.algorithm}, {best.graph}: rate{way}, best on {best.ranks}, {best.engine}",
        NOT_IN_PAPER if rate is None else rate, best.rate, "M/s",
        reason=f"{best.milliseconds:.3f} ms. {note} {beside(kind, best.algorithm)}",
    )  # fmt: skip


def _draw(folder: Path, found: Iterable[Timed], how: str) -> None:
    """Rates, a bar an algorithm."""
    rates = {(t.graph, t.algorithm): t.rate for t in found}
    graphs = list(dict.fromkeys(name for name, _ in rates))
    bars(
        folder, NAME, graphs,
        {a: [rates.get((name, a), 0.0) for name in graphs] for a in ALGORITHMS},
        "millions of arcs a second", f"C Table 3: best rates ({how})",
        stacked=False, mark=NOT_IN_PAPER,
    )  # fmt: skip


# --- predicted ------------------------------------------------------------------------------------


def _modelled(kind: Kind, algorithm: str, way: str) -> Timed:
    ranks = min(extent.gpus, key=lambda r: predicted(algorithm, kind, r, way))
    made = graph(kind.asked(algorithm))
    engine = ENGINES[algorithm].partition(":")[0]
    return Timed(
        kind.name, kind.name, made.vertices, made.arcs, algorithm, systems.NAME, ranks,
        f"{engine}, {way}", predicted(algorithm, kind, ranks, way), None,
    )  # fmt: skip


def _ours(kind: Kind, algorithm: str) -> Row:
    """This project's way, beside the paper's."""
    one = _modelled(kind, algorithm, systems.STORES)
    return Row(
        "C Table 3", f"{algorithm}, {kind.name}: rate, best on {one.ranks}, {one.engine}",
        NOT_IN_PAPER, one.rate, "M/s",
        reason=f"{one.milliseconds:.3f} ms. {size_note(kind, algorithm)}",
    )  # fmt: skip


def run(folder: Path) -> list[Row]:
    found = [(kind, _modelled(kind, a, PAPERS_WAYS[a])) for a in ALGORITHMS for kind in KINDS]
    _draw(folder, [one for _, one in found], "predicted")
    rows = [
        _row(one, kind, f"{size_note(kind, one.algorithm)} {reason(RATES, one.algorithm, kind)}")
        for kind, one in found
    ]
    rows += [_ours(kind, algorithm) for algorithm in ALGORITHMS for kind in KINDS]
    return compared(folder, NAME, rows + tolerance_rows("C Table 3") + streamed_rows("C Table 3"))


# --- measured -------------------------------------------------------------------------------------


def _note(one: Timed) -> str:
    work = f" {one.work}." if one.work else ""
    return f"{one.graph} ({one.vertices / 1e6:.2f}M, {one.arcs / 1e6:.2f}M).{work}"


def on_machines(words: Sequence[str] | None = None) -> list[Row]:
    """Measured: the best of engines and machines by graph and algorithm, and the paper's way; all
    of them in a file."""
    given = parser(__doc__).parse_args(words)
    machines = [gs.Machine(spec) for spec in given.machine]
    every: list[Timed] = []
    rows, bests = [], []
    for whole, kind in graphs(given):
        for algorithm in given.algorithms:
            found = [
                t for m in machines
                for t in timed(whole, kind, m, algorithm)
            ]  # fmt: skip
            every += found
            best = best_of(found)
            if best is not None:
                bests.append(best)
                rows.append(_row(best, kind, _note(best)))
            way = papers_way(found)
            if way is not None:
                rows.append(_row(way, kind, _note(way), " in the paper's way"))
        if given.json:  # after each graph: a run that is cut short keeps what it has
            save(given.json, measured(rows), machines, runs=[asdict(one) for one in every])
    _draw(given.folder, bests, "measured")
    write_runs(given.folder, NAME, every)
    return compared(given.folder, NAME, measured(rows))


if __name__ == "__main__":
    show(on_machines())

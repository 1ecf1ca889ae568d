"""Paper C, Table 3: the best times of BFS, SSSP, PageRank and components, and on how many GPUs.

Predicted on the modelled M60s. `--machine SPEC …` (cpu:1x1 cpu:2x1, or cuda:0 cuda:0-1 cuda:0-3)
measures, and verifies, on generated graphs and on the real ones of GOSSAMER_DATA; `--full-size`
generates as large as the paper's. Graphs differ in size, so rates are compared: arcs of the graph
by the time of the whole run."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import gossamer as gs
import worklist_systems as systems
from extent import extent
from gossamer import CapacityError, NotCompiled, UsageError
from measured_file import save
from plots import bars
from report import NOT_IN_PAPER, Row, arguments, compared, main, measured, show, write_csv
from systems import data_folder
from table3_published import PUBLISHED, beside
from worklist_graphs import KINDS, LIVE_JOURNAL, USA, Kind, cut_of, graph, size_note, with_weights
from worklist_runs import ALGORITHMS, predicted, run_of

NAME = "c_table3_runtimes"
ENGINES = ("auto", "async")
REPEAT = 3
#: Real graphs, and the paper's of the same kind; none: a web graph.
REAL: dict[str, Kind | None] = {
    "USA-road-d.NY.gr.xz": USA, "USA-road-d.BAY.gr.xz": USA,
    "soc-Slashdot0902.txt.xz": LIVE_JOURNAL, "email-Enron.txt.xz": LIVE_JOURNAL,
    "cnr-2000.graph-txt.xz": None,
}  # fmt: skip


@dataclass(frozen=True)
class Timed:
    """One line of the table: an algorithm on a graph, by one engine of one machine."""

    graph: str
    kind: str
    vertices: int
    arcs: int
    algorithm: str
    machine: str
    ranks: int
    engine: str
    milliseconds: float
    items: int | None

    @property
    def rate(self) -> float:
        """Millions of arcs a second."""
        return 1e-3 * self.arcs / self.milliseconds


def _row(best: Timed, kind: Kind | None, note: str) -> Row:
    published = None if kind is None else PUBLISHED[kind.name][best.algorithm].get("Groute")
    rate = None if published is None or kind is None else kind.arcs / (1e-3 * published[0])
    return Row(
        "C Table 3", f"{best.algorithm}, {best.graph}: rate, best on {best.ranks}, {best.engine}",
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


def _modelled(kind: Kind, algorithm: str) -> Timed:
    ranks = min(extent.gpus, key=lambda r: predicted(algorithm, kind, r, systems.STORES))
    made = graph(kind.asked(algorithm))
    return Timed(
        kind.name, kind.name, made.vertices, made.arcs, algorithm, systems.NAME, ranks, "async",
        predicted(algorithm, kind, ranks, systems.STORES), None,
    )  # fmt: skip


def run(folder: Path) -> list[Row]:
    found = [(kind, _modelled(kind, algorithm)) for algorithm in ALGORITHMS for kind in KINDS]
    _draw(folder, [timed for _, timed in found], "predicted")
    rows = [_row(timed, kind, size_note(kind, timed.algorithm)) for kind, timed in found]
    return compared(folder, NAME, rows)


# --- measured -------------------------------------------------------------------------------------


def _graphs(given: argparse.Namespace) -> Iterator[tuple[gs.Graph, Kind | None]]:
    for kind in KINDS:
        spec = kind.full_spec if given.full_size else kind.asked("bfs")
        if spec:
            yield gs.generate(spec, weights=True), kind
    for name, real_kind in ({} if given.quick else REAL).items():
        if (data_folder() / name).exists():
            read = gs.read(data_folder() / name)
            yield with_weights(read), real_kind


def _timed(whole: gs.Graph, kind: Kind | None, machine: gs.Machine, algorithm: str) -> list[Timed]:
    """Each engine that the machine has; best of a few, since hosts are shared."""
    rows = []
    on = cut_of(whole, machine.size, False)
    for engine in ENGINES:
        try:
            made = [run_of(algorithm, on, machine, engine, verify=i == 0) for i in range(REPEAT)]
        except (CapacityError, NotCompiled, UsageError) as error:
            print(f"{algorithm}, {whole.name}, {machine.spec}, {engine}: {error}", flush=True)
            continue
        best = min(made, key=lambda one: one.milliseconds)
        rows.append(
            Timed(whole.name, kind.name if kind else "", whole.vertices, whole.arcs, algorithm,
                  machine.spec, machine.size, engine, best.milliseconds, best.items)
        )  # fmt: skip
        print(f"{algorithm:10} {whole.name:24} {machine.spec:10} {engine:5} "
              f"{best.milliseconds:11.3f} ms, verified", flush=True)  # fmt: skip
    return rows


def on_machines(given: argparse.Namespace) -> list[Row]:
    """Measured: the best of engines and machines by graph and algorithm, all of them in a file."""
    if given.quick:
        extent.shorten()
    machines = [gs.Machine(spec) for spec in given.machine]
    every: list[Timed] = []
    rows, bests = [], []
    for whole, kind in _graphs(given):
        for algorithm in given.algorithms:
            found = [t for m in machines for t in _timed(whole, kind, m, algorithm)]
            if not found:
                continue
            every += found
            bests.append(min(found, key=lambda timed: timed.milliseconds))
            note = f"{whole.name} ({whole.vertices / 1e6:.2f}M, {whole.arcs / 1e6:.2f}M)."
            rows.append(_row(bests[-1], kind, note))
        if given.json:  # after each graph: a run that is cut short keeps what it has
            save(given.json, measured(rows), machines, runs=[asdict(timed) for timed in every])
    _draw(given.folder, bests, "measured")
    write_csv(given.folder, f"{NAME}_runs", list(asdict(every[0])),
              [list(asdict(timed).values()) for timed in every])  # fmt: skip
    return compared(given.folder, NAME, measured(rows))


def _parser() -> argparse.ArgumentParser:
    parser = arguments(__doc__)
    parser.add_argument("--machine", required=True, nargs="+", help="e.g. cuda:0 cuda:0-3")
    parser.add_argument("--full-size", action="store_true", help="graphs as large as the paper's")
    parser.add_argument("--algorithms", nargs="+", default=ALGORITHMS, choices=ALGORITHMS)
    parser.add_argument("--json", type=Path)
    return parser


if __name__ == "__main__":
    if "--machine" in sys.argv:
        show(on_machines(_parser().parse_args()))
    else:
        main(run)

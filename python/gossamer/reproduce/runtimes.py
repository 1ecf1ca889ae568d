"""Paper C's algorithms timed on machines that are there: what Table 3 and Fig. 10 to 12 measure.

Every engine that a machine has, the best of a few runs, verified, on generated graphs and on the
real ones of GOSSAMER_DATA.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import gossamer as gs
from gossamer import CapacityError, NotCompiled, UsageError

from .extent import extent
from .report import arguments, write_csv
from .worklist_graphs import KINDS, LIVE_JOURNAL, USA, Kind, cut_of, with_weights
from .worklist_runs import ALGORITHMS, ENGINES, by_residual, measured_engines, run_of

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

    @property
    def work(self) -> str:
        """Work items, where they are counted."""
        return "" if self.items is None else f"{self.items / self.vertices:.2f} items a vertex"


def graphs(given: argparse.Namespace) -> Iterator[tuple[gs.Graph, Kind | None]]:
    """With weights, and the paper's of the same kind."""
    if given.quick:
        extent.shorten()
    for kind in KINDS:
        if not given.graphs or kind.name in given.graphs:
            spec = kind.full_spec if given.full_size else kind.asked("bfs")
            yield gs.generate(spec, weights=True), kind
    folder = os.environ.get("GOSSAMER_DATA")
    for name, real_kind in ({} if given.quick or not folder else REAL).items():
        file = Path(folder or "") / name
        if file.exists():
            yield with_weights(gs.read(file)), real_kind


def timed(whole: gs.Graph, kind: Kind | None, machine: gs.Machine, algorithm: str) -> list[Timed]:
    """Each of the engines that the machine has; best of a few, since hosts are shared."""
    rows = []
    on = cut_of(whole, machine.size, False)
    for engine in measured_engines(algorithm, machine):
        try:
            made = [run_of(algorithm, on, machine, engine, verify=i == 0) for i in range(REPEAT)]
        except (CapacityError, NotCompiled, UsageError) as error:
            said = f"{algorithm}, {whole.name}, {machine.spec}, {engine}: {error}"
            print(said, file=sys.stderr, flush=True)
            continue
        best = min(made, key=lambda one: one.milliseconds)
        rows.append(
            Timed(whole.name, kind.name if kind else "", whole.vertices, whole.arcs, algorithm,
                  machine.spec, machine.size, engine, best.milliseconds, best.items)
        )  # fmt: skip
        print(f"{algorithm:10} {whole.name:24} {machine.spec:10} {engine:32} "
              f"{best.milliseconds:11.3f} ms, verified {rows[-1].work}".rstrip(),
              file=sys.stderr, flush=True)  # fmt: skip
    return rows


def best_of(found: Iterable[Timed]) -> Timed | None:
    """The fastest engine. Ranks by the paper's rule are coarser, and are no best of ours."""
    ours = (one for one in found if not by_residual(one.engine))
    return min(ours, key=lambda one: one.milliseconds, default=None)


def papers_way(found: Iterable[Timed]) -> Timed | None:
    """The fastest by the paper's algorithm."""
    theirs = (one for one in found if one.engine == ENGINES[one.algorithm])
    return min(theirs, key=lambda one: one.milliseconds, default=None)


def write_runs(folder: Path, name: str, every: Sequence[Timed]) -> None:
    """folder/NAME_runs.csv: all that was timed."""
    write_csv(folder, f"{name}_runs", list(asdict(every[0])),
              [list(asdict(one).values()) for one in every])  # fmt: skip


def parser(description: str | None, of: Sequence[str] = ALGORITHMS) -> argparse.ArgumentParser:
    """`of`: the algorithms to choose from."""
    made = arguments(description)
    made.add_argument("--machine", required=True, nargs="+", help="e.g. cuda:0 cuda:0-3")
    made.add_argument("--full-size", action="store_true", help="graphs as large as the paper's")
    made.add_argument("--graphs", nargs="+", default=(), choices=[kind.name for kind in KINDS])
    made.add_argument("--algorithms", nargs="+", default=of, choices=of)
    made.add_argument("--json", type=Path)
    return made

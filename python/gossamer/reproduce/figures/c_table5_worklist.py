"""Paper C, Table 5 and section 5.2: what soft priorities, METIS and one kernel give shortest paths,
and the work items of shortest paths and breadth-first search.

Predicted on the modelled M60s. `--machine SPEC …` (cpu:1x1 cpu:4x1, or cuda:0 cuda:0-3) runs the
same there: priorities and items are measured, and beside engines that are one kernel those that the
host drives, of PageRank and components, too. `--roads FILE` takes a real road network instead of
the generated one."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import gossamer as gs
from gossamer import _gossamer

from .. import worklist_systems as systems
from ..engine_rows import engine_rows
from ..extent import extent
from ..measured_file import save
from ..paper_c_reasons import PRIORITIES, items_reason
from ..plots import bars
from ..report import NOT_IN_PAPER, Row, arguments, compared, measured, show
from ..worklist_graphs import KRON, LIVE_JOURNAL, USA, Cut, Kind, cut_of, graph, unit_weights
from ..worklist_runs import Run, shortest

NAME = "c_table5_worklist"
KINDS = (LIVE_JOURNAL, KRON, USA)
#: Speedups by number of GPUs: soft priorities alone, and with one kernel.
PUBLISHED = {
    (LIVE_JOURNAL.name, 1): (1.03, 1.03), (LIVE_JOURNAL.name, 2): (0.95, 0.95),
    (LIVE_JOURNAL.name, 4): (1.29, 1.31), (LIVE_JOURNAL.name, 8): (1.29, 1.09),
    (KRON.name, 1): (1.02, 1.01), (KRON.name, 2): (1.10, 1.09),
    (KRON.name, 4): (1.58, 1.57), (KRON.name, 8): (1.45, 1.48),
    (USA.name, 1): (71.36, 166.27), (USA.name, 2): (58.11, 142.57),
    (USA.name, 4): (34.59, 89.94), (USA.name, 8): (16.22, 39.34),
}  # fmt: skip
#: Work items on USA, in millions: (algorithm, GPUs, soft priorities, METIS). USA is cut by METIS
#: where the text does not say, as everywhere in the paper.
ITEMS = {
    ("SSSP", 1, False, True): 13998, ("SSSP", 4, False, True): 15865, ("SSSP", 4, True, True): 59,
    ("BFS", 1, False, True): 23.9, ("BFS", 4, False, False): 4244, ("BFS", 4, False, True): 27,
    ("BFS", 4, True, False): 134, ("BFS", 4, True, True): 24.1,
}  # fmt: skip
#: Of `USA`; first in, first out takes a hundred times as long there.
ROADS, SMALL_ROADS = "road:1500", "road:60"

Machines = Callable[[int, bool, float], gs.Machine]


@dataclass(frozen=True)
class Setting:
    """Where it runs, and on what in place of USA."""

    #: By number of ranks, whether one kernel does everything, and the graph's size (Kind.size).
    machine: Machines
    ranks: tuple[int, ...]
    #: … of the counts of items.
    item_ranks: tuple[int, ...]
    usa: gs.Graph
    #: A measured run has no other way than its own.
    modelled: bool = True
    #: Without METIS graphs are not cut anew, and rows say so.
    metis: bool = True
    #: Graphs about as large as the paper's.
    full_size: bool = False

    @property
    def unit(self) -> str:
        """What rows call a rank."""
        return "GPUs" if self.modelled else "ranks"


def _whole(kind: Kind, setting: Setting) -> gs.Graph:
    if kind is USA:
        return setting.usa
    return graph(kind.full_spec if setting.full_size else kind.asked("sssp"))


def _search(
    on: Cut, kind: Kind, setting: Setting, ranks: int, soft: bool = True, fused: bool = False
) -> Run:  # fmt: skip
    return shortest(
        on, setting.machine(ranks, fused, kind.size(on.graph)), priority="soft" if soft else "none",
        verify=not setting.modelled,
    )  # fmt: skip


def _speedups(setting: Setting, kind: Kind, ranks: int) -> tuple[float, float | None]:
    """Soft priorities, and with one kernel: against neither. A machine that is there already has
    one kernel, or none."""
    on = cut_of(_whole(kind, setting), ranks, kind.metis and setting.metis)
    plain = _search(on, kind, setting, ranks, soft=False).milliseconds
    soft = _search(on, kind, setting, ranks).milliseconds
    fused = _search(on, kind, setting, ranks, fused=True).milliseconds if setting.modelled else None
    return plain / soft, None if fused is None else plain / fused


def _note(kind: Kind, setting: Setting) -> str:
    whole = _whole(kind, setting)
    note = f"{whole.name} has {whole.vertices / 1e6:.2f}M vertices, {kind.name} {kind.vertices:g}M."
    if setting.modelled:
        note += f" {PRIORITIES[kind.name]}"
    if kind.metis and not setting.metis:
        note += " On several ranks not cut by METIS, which is not built in here."
    return note


def _speedup_rows(setting: Setting) -> tuple[list[Row], dict[str, tuple[float, float | None]]]:
    rows, bar = [], {}
    for kind in KINDS:
        for ranks in setting.ranks:
            ours = _speedups(setting, kind, ranks)
            published = PUBLISHED.get((kind.name, ranks), (None, None))
            note = _note(kind, setting)
            bar[f"{kind.name}, {ranks}"] = ours
            for what, there, here in zip(
                ("soft priorities", "soft priorities, one kernel"), published, ours, strict=True
            ):
                if here is not None:
                    rows.append(
                        Row("C Table 5", f"SSSP, {kind.name}, {ranks} {setting.unit}: {what}",
                            NOT_IN_PAPER if there is None else there, here, "times", reason=note)
                    )  # fmt: skip
    return rows, bar


def _item_cases(setting: Setting) -> list[tuple[str, int, bool, bool]]:
    """Algorithm, ranks, soft priorities, METIS: on one rank there is nothing to cut."""
    return [
        (algorithm, ranks, soft, metis)
        for algorithm in ("SSSP", "BFS")
        for ranks in setting.item_ranks
        for soft in (False, True)
        for metis in ((True,) if ranks == 1 else (False, True) if setting.metis else (False,))
    ]


def _item_rows(setting: Setting) -> list[Row]:
    """Items in vertices of the graph, so that sizes can differ."""
    rows = []
    graphs = {"SSSP": setting.usa, "BFS": unit_weights(setting.usa)}
    for algorithm, ranks, soft, metis in _item_cases(setting):
        whole = graphs[algorithm]
        found = _search(cut_of(whole, ranks, metis), USA, setting, ranks, soft)
        millions = ITEMS.get((algorithm, ranks, soft, metis))
        how = "soft priorities" if soft else "first in, first out"
        how += ", METIS" if metis and ranks > 1 else ""
        rows.append(
            Row("C 5.2", f"{algorithm}, USA, {ranks} {setting.unit}, {how}: items",
                NOT_IN_PAPER if millions is None else millions / USA.vertices,
                (found.items or 0) / whole.vertices, "n",
                reason=f"In vertices; {whole.name} has {whole.vertices / 1e6:.2f}M of 24M. BFS is "
                f"shortest paths with weights of one. {items_reason(algorithm, ranks, soft, metis)}"
                .strip())
        )  # fmt: skip
    return rows


def _all(folder: Path, setting: Setting, extra: Iterable[Row] = ()) -> list[Row]:
    rows, bar = _speedup_rows(setting)
    parts = {"soft priorities": [soft for soft, _ in bar.values()]}
    if setting.modelled:
        parts["soft priorities, one kernel"] = [fused or 0.0 for _, fused in bar.values()]
    how = "predicted" if setting.modelled else "measured"
    bars(folder, NAME, list(bar), parts, "times as fast as neither",
         f"C Table 5: shortest paths by worklist ({how}; numbers beside it)",
         stacked=False, mark="not in the paper")  # fmt: skip
    rows += [*_item_rows(setting), *extra]
    return compared(folder, NAME, rows if setting.modelled else measured(rows))


def run(folder: Path) -> list[Row]:
    def machine(ranks: int, fused: bool, size: float) -> gs.Machine:
        return systems.system(systems.COPIES if fused else systems.LAUNCHES, size).machine(ranks)

    roads = SMALL_ROADS if extent.small_graphs else ROADS
    ranks = (1, 4) if extent.small_graphs else (1, 2, 4, 8)
    return _all(folder, Setting(machine, ranks, (1, 4), graph(roads)))


def _parser() -> argparse.ArgumentParser:
    parser = arguments(__doc__)
    parser.add_argument("--machine", required=True, nargs="+", help="e.g. cuda:0 cuda:0-3")
    parser.add_argument("--roads", type=Path, help="a road network, e.g. USA-road-d.NY.gr.xz")
    parser.add_argument("--full-size", action="store_true", help="graphs as large as the paper's")
    parser.add_argument("--json", type=Path)
    return parser


def on_machines(words: Sequence[str] | None = None) -> list[Row]:
    """Measured, on all ranks of each machine."""
    given = _parser().parse_args(words)
    if given.quick:
        extent.shorten()
    machines = {machine.size: machine for machine in map(gs.Machine, given.machine)}
    roads = USA.full_spec if given.full_size else SMALL_ROADS if given.quick else ROADS
    usa = gs.read(given.roads) if given.roads else graph(roads)
    setting = Setting(
        lambda ranks, fused, size: machines[ranks], tuple(machines), tuple(machines), usa,
        modelled=False, metis=_gossamer.build_info()["features"]["metis"],
        full_size=given.full_size,
    )  # fmt: skip
    extra = [row for machine in machines.values() for row in engine_rows(machine, usa)]
    rows = _all(given.folder, setting, extra)
    if given.json:
        save(given.json, rows, list(machines.values()))
    return rows


if __name__ == "__main__":
    show(on_machines())

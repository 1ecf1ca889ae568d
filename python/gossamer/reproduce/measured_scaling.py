"""Fig. 10 to 12 of paper C on machines that are there: time by number of GPUs, verified."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

import gossamer as gs

from .measured_file import save
from .plots import lines
from .report import NOT_IN_PAPER, Row, compared, measured
from .runtimes import Timed, best_of, graphs, papers_way, parser, timed, write_runs

#: Ends of names: this project's best engine, and the paper's algorithm, as in Table 3.
BEST, WAY = "", ", in the paper's way"
PICKED = {BEST: best_of, WAY: papers_way}


def _rows(figure: str, way: str, picked: Sequence[Timed]) -> list[Row]:
    """Each machine over the first."""
    one = picked[0]
    return [
        Row(figure, f"{one.algorithm}, {one.graph}{way}: {many.machine} over {one.machine}",
            NOT_IN_PAPER, one.milliseconds / many.milliseconds, "times",
            reason=f"{one.milliseconds:.3f} ms ({one.engine}) and {many.milliseconds:.3f} "
            f"({many.engine}); {one.vertices / 1e6:.2f}M vertices, {one.arcs / 1e6:.2f}M arcs.")
        for many in picked[1:]
    ]  # fmt: skip


def scaling_on_machines(
    figure: str, name: str, algorithms: Sequence[str], description: str | None,
    words: Sequence[str] | None,
) -> list[Row]:  # fmt: skip
    """A figure's `on_machines`: every engine of Table 3; the first machine is what others are
    compared with."""
    given = parser(description, algorithms).parse_args(words)
    machines = [gs.Machine(spec) for spec in given.machine]
    every: list[Timed] = []
    rows: list[Row] = []
    times: dict[str, dict[str, dict[int, float]]] = {a: {} for a in given.algorithms}
    for whole, kind in graphs(given):
        for algorithm in given.algorithms:
            on = [timed(whole, kind, m, algorithm) for m in machines]
            every += [one for found in on for one in found]
            for way, pick in PICKED.items():
                picked = [one for one in map(pick, on) if one is not None]
                if picked:
                    rows += _rows(figure, way, picked)
                    times[algorithm][whole.name + way] = {t.ranks: t.milliseconds for t in picked}
        if given.json:  # after each graph: a run that is cut short keeps what it has
            save(given.json, measured(rows), machines, runs=[asdict(one) for one in every])
    ranks = sorted({m.size for m in machines})
    for algorithm, curves in times.items():
        lines(
            given.folder, f"{name}_{algorithm}_measured", ranks,
            {curve: [of.get(r) for r in ranks] for curve, of in curves.items()},
            ("ranks", "ms"), f"{figure}: {algorithm} (measured)",
        )  # fmt: skip
    write_runs(given.folder, name, every)
    return compared(given.folder, name, measured(rows))

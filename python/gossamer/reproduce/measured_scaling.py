"""Fig. 10 to 12 of paper C on machines that are there: time by number of GPUs, verified."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

import gossamer as gs

from .measured_file import save
from .plots import lines
from .report import NOT_IN_PAPER, Row, compared, measured
from .runtimes import Timed, graphs, parser, timed, write_runs


def _rows(figure: str, best: Sequence[Timed]) -> list[Row]:
    """Each machine over the first, by the best engine of both."""
    one = best[0]
    return [
        Row(figure, f"{one.algorithm}, {one.graph}: {many.machine} over {one.machine}",
            NOT_IN_PAPER, one.milliseconds / many.milliseconds, "times",
            reason=f"{one.milliseconds:.3f} ms ({one.engine}) and {many.milliseconds:.3f} "
            f"({many.engine}); {one.vertices / 1e6:.2f}M vertices, {one.arcs / 1e6:.2f}M arcs.")
        for many in best[1:]
    ]  # fmt: skip


def _best(found: Sequence[Timed], machines: Sequence[gs.Machine]) -> list[Timed]:
    """By machine, as far as any engine ran there."""
    on = [[t for t in found if t.machine == m.spec] for m in machines]
    return [min(there, key=lambda t: t.milliseconds) for there in on if there]


def scaling_on_machines(
    figure: str, name: str, algorithms: Sequence[str], description: str | None,
    words: Sequence[str] | None,
) -> list[Row]:  # fmt: skip
    """A figure's `on_machines`: the first machine is what others are compared with."""
    given = parser(description, algorithms).parse_args(words)
    machines = [gs.Machine(spec) for spec in given.machine]
    every: list[Timed] = []
    rows: list[Row] = []
    times: dict[str, dict[str, dict[int, float]]] = {a: {} for a in given.algorithms}
    for whole, kind in graphs(given):
        for algorithm in given.algorithms:
            found = [t for m in machines for t in timed(whole, kind, m, algorithm)]
            best = _best(found, machines)
            every += found
            rows += _rows(figure, best) if best else []
            times[algorithm][whole.name] = {t.ranks: t.milliseconds for t in best}
        if given.json:  # after each graph: a run that is cut short keeps what it has
            save(given.json, measured(rows), machines, runs=[asdict(one) for one in every])
    ranks = sorted({m.size for m in machines})
    for algorithm, by_graph in times.items():
        lines(
            given.folder, f"{name}_{algorithm}_measured", ranks,
            {graph: [of.get(r) for r in ranks] for graph, of in by_graph.items() if of},
            ("ranks", "ms"), f"{figure}: {algorithm} (measured)",
        )  # fmt: skip
    write_runs(given.folder, name, every)
    return compared(given.folder, name, measured(rows))

"""What `gossamer simulate` predicts and prints: collectives by size, cg and bfs as whole programs,
what these take here, and where one system overtakes the other."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar

from gossamer import _gossamer
from gossamer.algorithm.bfs import BfsSearch, draw_sources
from gossamer.algorithm.cg import CgSolver
from gossamer.cli import options
from gossamer.cli.groups import Working
from gossamer.cli.input.graphs import GraphSource, load_matrix
from gossamer.cli.output.plots import plot_lines
from gossamer.cli.output.progress import progress
from gossamer.cli.output.report import (
    Report,
    describe_graph,
    format_bytes,
    graph_json,
    plan_json,
    plan_totals,
    print_plan,
)
from gossamer.errors import UsageError
from gossamer.graph import Graph
from gossamer.machine import Machine
from gossamer.simulation import (
    BfsPrediction,
    CgPrediction,
    Collective,
    CollectivePrediction,
    System,
    bfs,
    cg,
)

Run = TypeVar("Run")
Prediction = TypeVar("Prediction")


@dataclass(frozen=True)
class Case:
    """What cg and bfs are given alike."""

    report: Report
    #: ``cg`` or ``bfs``.
    operation: str
    data: str
    systems: list[System]
    ranks: list[int]
    working: Working
    #: Of a matrix: make positive definite values for its pattern.
    values: bool = False
    plot: Path | None = None

    @property
    def names(self) -> list[str]:
        return [system.title for system in self.systems]

    @property
    def origin(self) -> GraphSource:
        return GraphSource(self.data, threads=self.working.threads, memory=self.working.limit)

    def matrix(self) -> Graph:
        return load_matrix(self.origin, self.values)

    def machines(self) -> Iterator[Machine]:
        """Of every system and number of ranks."""
        return (s.machine(p) for s, p in itertools.product(self.systems, self.ranks))

    def predict(
        self, runs: Sequence[Run], of: Callable[[System, Run], Prediction]
    ) -> dict[str, list[Prediction]]:
        """What `of` says of each run, by system."""
        found: dict[str, list[Prediction]] = {name: [] for name in self.names}
        with progress(f"predicting {self.operation}", unit="count") as bar:
            for i, (system, run) in enumerate(itertools.product(self.systems, runs)):
                if bar is not None:
                    bar(i, len(self.systems) * len(runs))
                found[system.title].append(of(system, run))
        return found

    def plot_by_ranks(self, lines: dict[str, list[float]], title: str, what: str) -> None:
        """Draws `what` over the ranks, where a plot was asked for."""
        if self.plot is not None:
            plot_lines(self.plot, self.ranks, lines, title, ("ranks", what))
            self.report.line(f"wrote {self.plot}")


def _largest(plans: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """One runs after the other, and each gives back what it took."""
    return max(plans, key=lambda plan: sum(plan_totals(plan["entries"]).values()))


def _bfs_plan(case: Case) -> dict[str, Any]:
    origin = case.origin
    loading = origin.plan()
    shape = origin.shape(loading)
    bytes_there = loading["limits"]["host"]["bytes"]
    variants: list[dict[str, Any]] = [{"engine": "published"}, {"direction": "top-down"}]
    running = _largest(
        plan_json(
            BfsSearch.plan(shape, machine, memory=case.working.limit, **variant),
            machine,
            bytes_there,
        )
        for machine, variant in itertools.product(case.machines(), variants)
    )
    limits = running["limits"] | loading["limits"]
    return loading | {"entries": loading["entries"] + running["entries"], "limits": limits}


def _cg_plan(case: Case) -> dict[str, Any]:
    """As `gossamer cg --plan`, it looks at its matrix."""
    matrix, limit = case.matrix(), case.working.limit
    how: dict[str, Any] = {"exchange": "allgather", "engine": "published", "memory": limit}
    bytes_there = limit or _gossamer.host_memory()[0]
    running = _largest(
        plan_json(CgSolver.plan(matrix, machine, **how), machine, bytes_there)
        for machine in case.machines()
    )
    counts = {"vertices": matrix.vertices, "arcs": matrix.arcs}
    return counts | {f"{name}_are": "exact" for name in counts} | running


def plan_program(case: Case) -> None:
    """Prints it: modelled ranks' memory is this host's."""
    plan = _cg_plan(case) if case.operation == "cg" else _bfs_plan(case)
    print_plan(case.report, plan, f"simulate {case.operation}", case.data)


#: Systems whose times differ by a smaller share are said to take the same time.
_ALIKE = 5e-4


def _winner(times: dict[str, float]) -> str | None:
    """The faster of two systems, None where they take the same time."""
    name = min(times, key=lambda name: times[name])
    return name if max(times.values()) > (1 + _ALIKE) * times[name] else None


def faster(times: dict[str, float]) -> str:
    """Which of two systems is faster by how much."""
    winner = _winner(times)
    if winner is None:
        return f"{' and '.join(times)} take the same time"
    gain = 100 * (max(times.values()) / times[winner] - 1)
    return f"{winner} is faster by {gain:.{0 if gain >= 1 else 1}f} %"


def crossovers(
    times: dict[int, dict[str, float]], because: Callable[[int, str, str], str]
) -> list[dict[str, Any]]:
    """Between which sizes, or numbers of ranks, the other system becomes the faster one, and why.

    times: seconds by size and system. because: in what the first of two systems loses at a size.
    """
    # Where both take the same time nobody is ahead, and nobody overtakes.
    winners = ((at, _winner(both)) for at, both in times.items())
    decided = [(at, name) for at, name in winners if name is not None]
    return [
        {"between": [a, b], "from": first, "to": second, "because": because(b, first, second)}
        for (a, first), (b, second) in itertools.pairwise(decided)
        if first != second
    ]


def rank_crossovers(
    times: dict[int, dict[str, float]], parts: dict[int, dict[str, dict[str, float]]]
) -> list[dict[str, Any]]:
    """:func:`crossovers` by ranks; `parts`: the seconds by operation. One rank talks to nobody: no
    winner there."""

    def lost(ranks: int, first: str, second: str) -> str:
        ours, theirs = parts[ranks][first], parts[ranks][second]
        return max(ours, key=lambda name: ours[name] - theirs.get(name, 0.0))

    return crossovers({p: both for p, both in times.items() if p > 1}, lost)


def overtakes(crossing: dict[str, Any], what: str = "") -> str:
    """A crossover as a sentence; `what`: of which variant."""
    low, high = crossing["between"]
    return (
        f"between {low} and {high} ranks{what} {crossing['to']} overtakes {crossing['from']}, "
        f"which loses most in {crossing['because']}"
    )


def _grown(before: CgPrediction, after: CgPrediction) -> str:
    """The operation whose time grows most from one to the other."""
    return max(after.parts, key=lambda name: after.parts[name] - before.parts.get(name, 0.0))


def _hurts(found: dict[int, CgPrediction]) -> tuple[int, str] | None:
    """The first number of ranks that takes longer than the one before it, and why."""
    for (_, before), (ranks, after) in itertools.pairwise(found.items()):
        if after.seconds > before.seconds:
            return ranks, _grown(before, after)
    return None


def predict_cg(case: Case, iterations: int) -> dict[str, Any]:
    """Time by number of ranks, by operation as in paper E's Fig. 15. Returns JSON."""
    report, names, ranks = case.report, case.names, case.ranks
    matrix = case.matrix()
    found = case.predict(ranks, lambda system, p: cg(matrix, system, p, iterations))
    all_found = {name: dict(zip(ranks, found[name], strict=True)) for name in names}
    describe_graph(report, matrix)
    operations = ["spmv", "dot", "axpy", "allgather", "allreduce"]
    summary = []
    for name in names:
        by_ranks = all_found[name]
        report.table(
            f"cg on {name}, {iterations} iterations, ms (predicted)",
            ["ranks", "all", *operations],
            [
                (
                    p,
                    f"{1e3 * one.seconds:.3f}",
                    *(f"{1e3 * one.parts.get(o, 0.0):.3f}" for o in operations),
                )
                for p, one in by_ranks.items()
            ],
            (),
        )
        worse = _hurts(by_ranks)
        if worse is not None:
            report.line(
                f"{name}: adding ranks hurts from {worse[0]} on, where {worse[1]} grows most"
            )
        elif len(ranks) > 1:
            report.line(f"{name}: more ranks are faster as far as asked for")
        summary.append(
            {
                "system": name,
                "hurts_from": None if worse is None else worse[0],
                "because": None if worse is None else worse[1],
            }
        )
    crossings: list[dict[str, Any]] = []
    if len(names) == 2:
        times = {p: {name: all_found[name][p].seconds for name in names} for p in ranks}
        crossings = rank_crossovers(
            times, {p: {name: all_found[name][p].parts for name in names} for p in ranks}
        )
        for p in (p for p in ranks if p > 1):
            report.line(f"{p} ranks: {faster(times[p])}")
        for crossing in crossings:
            report.line(overtakes(crossing))
    case.plot_by_ranks(
        {n: [1e3 * all_found[n][p].seconds for p in ranks] for n in names},
        f"cg on {matrix.name}, {iterations} iterations (predicted)", "predicted ms",
    )  # fmt: skip
    return {
        "algorithm": "simulate",
        "operation": "cg",
        "graph": graph_json(matrix),
        "iterations": iterations,
        "rows": [
            {"ranks": p, "systems": {name: asdict(all_found[name][p]) for name in names}}
            for p in ranks
        ],
        "systems": summary,
        "crossovers": crossings,
    }


def _bfs_rows(found: list[BfsPrediction]) -> list[tuple[object, ...]]:
    rows: list[tuple[object, ...]] = []
    for one in found:
        for kind, sent in one.messages.items():
            formula = sent.get("formula_bytes")
            rows.append(
                (
                    one.ranks,
                    one.variant,
                    kind,
                    int(sent["rounds"]),
                    int(sent["messages"]),
                    format_bytes(int(sent["bytes"])),
                    "" if formula is None else format_bytes(int(formula)),
                    f"{1e6 * sent['seconds']:.1f}",
                )
            )
    return rows


def _compare_bfs(
    report: Report, names: list[str], found: dict[str, list[BfsPrediction]]
) -> list[dict[str, Any]]:
    """Which of two systems is faster by ranks and variant, in what, and where that changes."""
    times: dict[str, dict[int, dict[str, float]]] = {}
    parts: dict[str, dict[int, dict[str, dict[str, float]]]] = {}
    for both in zip(*(found[name] for name in names), strict=True):
        ranks, variant = both[0].ranks, both[0].variant
        took = {name: one.seconds for name, one in zip(names, both, strict=True)}
        kinds = {
            name: {"kernels": one.parts.get("expand", 0.0)}
            | {kind: sent["seconds"] for kind, sent in one.messages.items()}
            for name, one in zip(names, both, strict=True)
        }
        times.setdefault(variant, {})[ranks] = took
        parts.setdefault(variant, {})[ranks] = kinds
        slower, winner = sorted(names, key=lambda name: -took[name])
        lost = {kind: kinds[slower][kind] - kinds[winner][kind] for kind in kinds[slower]}
        line = f"{ranks} rank{'s' * (ranks > 1)}, {variant}: {faster(took)}"
        if max(lost.values()) > 0:
            line += f", most of it in {max(lost, key=lambda kind: lost[kind])}"
        report.line(line)
    crossings = []
    for variant, of in times.items():
        for crossing in rank_crossovers(of, parts[variant]):
            report.line(overtakes(crossing, f", {variant}:"))
            crossings.append({"variant": variant} | crossing)
    return crossings


def predict_bfs(case: Case, source: str | None) -> dict[str, Any]:
    """Paper B's search with its messages, beside it one with compact frontiers. Returns JSON."""
    report, names, ranks = case.report, case.names, case.ranks
    graph = case.origin.load()
    if source is None:
        drawn = draw_sources(graph, 1)
        if not drawn:
            raise UsageError(f"{graph.name}: no vertex has an edge; give --source")
        start = drawn[0]
    else:
        start = options.vertex(graph, source, "--source")
    # One rank sends nothing that could be compact.
    runs = [(p, v) for p in ranks for v in ("published", "compact") if p > 1 or v == "published"]
    found = case.predict(runs, lambda system, run: bfs(graph, system, run[0], start, run[1]))
    describe_graph(report, graph)
    for name in names:
        report.table(
            f"bfs on {name} from vertex {graph.name_of(start)} (predicted)",
            ["ranks", "variant", "levels", "µs", "GTEPS", "kernels", "flag", "out", "tree"],
            [
                (
                    one.ranks,
                    one.variant,
                    one.levels,
                    f"{1e6 * one.seconds:.1f}",
                    f"{1e-9 * one.teps:.3f}",
                    f"{1e6 * one.parts.get('expand', 0.0):.1f}",
                    *(f"{1e6 * sent['seconds']:.1f}" for sent in one.messages.values()),
                )
                for one in found[name]
            ],
            (1,),
        )
    report.table(
        f"messages on {names[0]}, all ranks",
        ["ranks", "variant", "kind", "times", "messages", "bytes", "one by formula", "µs"],
        _bfs_rows(found[names[0]]),
        (1, 2),
    )
    crossings = _compare_bfs(report, names, found) if len(names) == 2 else []
    lines = {
        f"{name}, {variant}": [1e-9 * one.teps for one in found[name] if one.variant == variant]
        for name in names
        for variant in ("published", "compact")
    }
    # One rank has no compact variant: a curve that lacks it is left out.
    whole = {k: v for k, v in lines.items() if len(v) == len(ranks)}
    case.plot_by_ranks(whole, f"bfs on {graph.name} (predicted)", "predicted GTEPS")
    return {
        "algorithm": "simulate",
        "operation": "bfs",
        "graph": graph_json(graph),
        "source": graph.name_of(start),
        "systems": [{"system": n, "runs": [asdict(one) for one in found[n]]} for n in names],
        "crossovers": crossings,
    }


def predict_collective(
    report: Report, operation: str, systems: list[System], ranks: int, sizes: list[int],
    algorithm: str, root: int, buffers: str, mapping: str, changes: list[str], plot: Path | None,
) -> dict[str, Any]:  # fmt: skip
    """Prints one row a size; with two systems also where one overtakes the other. Returns JSON."""
    names = [system.title for system in systems]
    cases = [Collective(operation, s, ranks, buffers, root, algorithm, mapping) for s in systems]
    rows: list[dict[str, Any]] = []
    table = []
    with progress(f"predicting {operation}", unit="count") as bar:
        for n in sizes:
            found = {name: case.predict(n) for name, case in zip(names, cases, strict=True)}
            fastest = min(found, key=lambda name: found[name].seconds)
            rows.append(
                {
                    "bytes": n,
                    "fastest": fastest,
                    "systems": {name: asdict(one) for name, one in found.items()},
                }
            )
            cells = [format_bytes(n)]
            for one in found.values():
                cells += [f"{1e6 * one.seconds:.2f}", one.what, one.largest]
            table.append(cells)
            if bar is not None:
                bar(len(rows), len(sizes))
    columns = ["bytes"]
    for name in names:
        columns += [f"{name} µs", "by", "mostly"]
    title = f"{operation} on {ranks} ranks, {buffers} memory (predicted)"
    report.table(title, columns, table, ())
    times = {r["bytes"]: {n: r["systems"][n]["seconds"] for n in names} for r in rows}
    largest = {r["bytes"]: {n: r["systems"][n]["largest"] for n in names} for r in rows}
    crossings = []
    if len(names) == 2:
        crossings = crossovers(times, lambda n, first, second: str(largest[n][first]))
    for crossing in crossings:
        low, high = (format_bytes(n) for n in crossing["between"])
        report.line(
            f"between {low} and {high} {crossing['to']} overtakes {crossing['from']}, "
            f"whose time is mostly {crossing['because']} by then"
        )
    if len(names) == 2 and not crossings:
        differ = [row for row in rows if _winner(times[row["bytes"]]) is not None]
        if not differ:
            report.line(f"{names[0]} and {names[1]} take the same time at every size")
        else:
            where = "at every size" if len(differ) == len(rows) else "where they differ"
            report.line(f"{differ[0]['fastest']} is faster {where}")
    met = _conflicts(report, cases, sizes[-1], [found[name] for name in names])
    if plot is not None:
        lines = {name: [1e6 * both[name] for both in times.values()] for name in names}
        plot_lines(plot, sizes, lines, title, ("bytes", "predicted µs"))
        report.line(f"wrote {plot}")
    return {
        "algorithm": "simulate",
        "operation": operation,
        "ranks": ranks,
        "buffers": buffers,
        "mapping": mapping,
        "changes": changes,
        "rows": rows,
        "crossovers": crossings,
        "conflicts": met,
    }


def _conflicts(
    report: Report, cases: list[Collective], size: int, predicted: list[CollectivePrediction]
) -> dict[str, Any]:
    """Says what a mapping of the nodes is for: which rounds' flows no longer meet."""
    met: dict[str, Any] = {}
    for case, found in zip(cases, predicted, strict=True):
        if not found.mapping:
            continue
        before, after = case.conflicts(size, found)
        name = case.system.title
        met[name] = {"mapping": found.mapping, "in_order": before, "mapped": after}
        report.line(
            f"{name}: ranks on nodes {_numbers(found.mapping)}; conflicts by step at "
            f"{format_bytes(size)}: {_numbers(after)}, in order {_numbers(before)}"
        )
    return met


def _numbers(values: list[int]) -> str:
    return " ".join(map(str, values))

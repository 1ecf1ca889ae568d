"""`gossamer simulate cg` and `gossamer simulate bfs`: whole programs in virtual time."""

from __future__ import annotations

import itertools
from dataclasses import asdict
from pathlib import Path
from typing import Any

from gossamer.algorithm.bfs import draw_sources
from gossamer.cli.input.graphs import GraphSource
from gossamer.cli.input.matrices import load_matrix
from gossamer.cli.output.plots import plot_lines
from gossamer.cli.output.progress import progress
from gossamer.cli.output.report import Report, describe_graph, format_bytes, graph_json
from gossamer.errors import UsageError
from gossamer.graph import Graph
from gossamer.simulation import BfsPrediction, CgPrediction, System, bfs, cg

from .compare import crossovers, faster, overtakes


def _grown(before: CgPrediction, after: CgPrediction) -> str:
    """The operation whose time grows most from one to the other."""
    return max(after.parts, key=lambda name: after.parts[name] - before.parts.get(name, 0.0))


def _hurts(found: dict[int, CgPrediction]) -> tuple[int, str] | None:
    """The first number of ranks that takes longer than the one before it, and why."""
    for (_, before), (ranks, after) in itertools.pairwise(found.items()):
        if after.seconds > before.seconds:
            return ranks, _grown(before, after)
    return None


def predict_cg(
    report: Report, data: str, systems: list[System], ranks: list[int], iterations: int,
    values: bool, threads: int, limit: int | None, plot: Path | None,
) -> dict[str, Any]:  # fmt: skip
    """Time by number of ranks, by operation as in paper E's Fig. 15. Returns JSON."""
    matrix = load_matrix(GraphSource(data, threads=threads, memory=limit), values)
    names = [system.title for system in systems]
    all_found: dict[str, dict[int, CgPrediction]] = {name: {} for name in names}
    with progress("predicting cg", unit="count") as bar:
        for i, (system, p) in enumerate(itertools.product(systems, ranks)):
            if bar is not None:
                bar(i, len(systems) * len(ranks))
            all_found[system.title][p] = cg(matrix, system, p, iterations)
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
        crossings = crossovers(
            times, {p: {name: all_found[name][p].parts for name in names} for p in ranks}
        )
        for p in (p for p in ranks if p > 1):
            report.line(f"{p} ranks: {faster(times[p])}")
        for crossing in crossings:
            report.line(overtakes(crossing))
    if plot is not None:
        lines = {n: [1e3 * all_found[n][p].seconds for p in ranks] for n in names}
        title = f"cg on {matrix.name}, {iterations} iterations (predicted)"
        plot_lines(plot, ranks, lines, title, ("ranks", "predicted ms"))
        report.line(f"wrote {plot}")
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


def _load_graph(data: str, threads: int, limit: int | None) -> Graph:
    return GraphSource(data, threads=threads, memory=limit).load()


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
    for variant, by_ranks in times.items():
        for crossing in crossovers(by_ranks, parts[variant]):
            report.line(overtakes(crossing, f", {variant}:"))
            crossings.append({"variant": variant} | crossing)
    return crossings


def predict_bfs(
    report: Report, data: str, systems: list[System], ranks: list[int], source: int | None,
    threads: int, limit: int | None, plot: Path | None,
) -> dict[str, Any]:  # fmt: skip
    """Paper B's search with its messages, beside it one with compact frontiers. Returns JSON."""
    graph = _load_graph(data, threads, limit)
    if source is None:
        drawn = draw_sources(graph, 1)
        if not drawn:
            raise UsageError(f"{graph.name}: no vertex has an edge; give --source")
        start = drawn[0]
    else:
        start = graph.index_of(source)
    names = [system.title for system in systems]
    found: dict[str, list[BfsPrediction]] = {name: [] for name in names}
    # One rank sends nothing that could be compact.
    runs = [(p, v) for p in ranks for v in ("published", "compact") if p > 1 or v == "published"]
    with progress("predicting bfs", unit="count") as bar:
        for i, (system, (p, variant)) in enumerate(itertools.product(systems, runs)):
            if bar is not None:
                bar(i, len(systems) * len(runs))
            found[system.title].append(bfs(graph, system, p, start, variant))
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
    if plot is not None:
        lines = {
            f"{name}, {variant}": [1e-9 * one.teps for one in found[name] if one.variant == variant]
            for name in names
            for variant in ("published", "compact")
        }
        # One rank has no compact variant: a curve that lacks it is left out.
        plot_lines(
            plot,
            ranks,
            {k: v for k, v in lines.items() if len(v) == len(ranks)},
            f"bfs on {graph.name} (predicted)",
            ("ranks", "predicted GTEPS"),
        )
        report.line(f"wrote {plot}")
    return {
        "algorithm": "simulate",
        "operation": "bfs",
        "graph": graph_json(graph),
        "source": graph.name_of(start),
        "systems": [{"system": n, "runs": [asdict(one) for one in found[n]]} for n in names],
        "crossovers": crossings,
    }

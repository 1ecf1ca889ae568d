"""`gossamer simulate cg` and `gossamer simulate bfs`: whole programs in virtual time."""

from __future__ import annotations

import itertools
from dataclasses import asdict
from typing import Any

from gossamer.algorithm.bfs import draw_sources
from gossamer.cli.output.report import Report, describe_graph, format_bytes, graph_json
from gossamer.errors import UsageError
from gossamer.simulation import BfsPrediction, CgPrediction, bfs, cg

from .case import Case
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
        crossings = crossovers(
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
    for variant, by_ranks in times.items():
        for crossing in crossovers(by_ranks, parts[variant]):
            report.line(overtakes(crossing, f", {variant}:"))
            crossings.append({"variant": variant} | crossing)
    return crossings


def predict_bfs(case: Case, source: int | None) -> dict[str, Any]:
    """Paper B's search with its messages, beside it one with compact frontiers. Returns JSON."""
    report, names, ranks = case.report, case.names, case.ranks
    graph = case.origin.load()
    if source is None:
        drawn = draw_sources(graph, 1)
        if not drawn:
            raise UsageError(f"{graph.name}: no vertex has an edge; give --source")
        start = drawn[0]
    else:
        start = graph.index_of(source)
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

"""What `gossamer bfs` says about its runs, in JSON and in words."""

from __future__ import annotations

import statistics
from typing import Any

from gossamer.algorithm.bfs import BfsResult
from gossamer.cli.output.report import Report, describe_graph
from gossamer.cli.output.worklists import print_work, work_json
from gossamer.graph import Graph
from gossamer.machine.placed_graph import PlacedGraph

from .breakdown import FirstRun, overlap_json, print_breakdown, print_overlap

#: What TEPS counts, by graph.symmetric.
_TEPS = {
    True: "TEPS: undirected edges of the component reached (stored arcs of reached vertices / 2, "
    "as Graph500 counts) per second of {clock} time, from the source to finished parents {place}; "
    "reading, placement, gathering and verification are not timed.",
    False: "TEPS: arcs out of reached vertices per second of {clock} time, from the source to "
    "finished parents {place}; reading, placement, gathering and verification are not "
    "timed.",
}

#: Where parents are then, by whether they have gone to the host.
_PLACES = {False: "on their owners", True: "in the host's memory"}

_SHOWN_LEVELS = 40
_SHOWN_RUNS = 16


def run_json(graph: Graph, result: BfsResult, verified: bool | None) -> dict[str, Any]:
    """One entry of "runs"."""
    levels = result.per_level
    return {
        "source": graph.name_of(result.source),
        "engine": result.engine,
        "engine_reason": result.engine_reason,
        "milliseconds": result.milliseconds,
        "phases": result.phases,
        "levels": result.levels,
        "reached": result.reached,
        "edges": result.edges,
        "teps": result.teps,
        "verified": verified,
        "frontiers": [level.frontier for level in levels],
        "messages": {
            sent.kind: {
                "rounds": sent.rounds,
                "messages": sent.messages,
                "bytes": sent.bytes,
                "milliseconds": sent.milliseconds,
            }
            for sent in result.messages
        },
        "overlap": overlap_json(result),
        "work": work_json(result.work),
        # One letter a level: t = top-down, b = bottom-up.
        "directions": "".join(level.direction[0] for level in levels),
    }


def summary(runs: list[dict[str, Any]], placed: PlacedGraph) -> dict[str, Any]:
    """The "summary" object: over all runs."""
    times = [run["milliseconds"] for run in runs]
    rates = [run["teps"] for run in runs]
    checks = [run["verified"] for run in runs]
    return {
        "runs": len(runs),
        "median_milliseconds": statistics.median(times),
        "min_milliseconds": min(times),
        "max_milliseconds": max(times),
        "harmonic_mean_teps": statistics.harmonic_mean(rates),
        "min_teps": min(rates),
        "max_teps": max(rates),
        "verified": None if None in checks else all(checks),
        "uploads": placed.uploads,
        "placement_seconds": placed.seconds,
    }


def _rate(teps: float) -> str:
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if teps >= size:
            return f"{teps / size:.2f} {unit}TEPS"
    return f"{teps:.0f} TEPS"


def _checked(verified: bool | None) -> str:
    return {None: "not asked", True: "yes", False: "FAILED"}[verified]


def _print_levels(report: Report, result: FirstRun) -> None:
    rows: list[tuple[object, ...]] = [
        (depth, level.direction, f"{level.frontier:,}", f"{level.milliseconds:.3f}")
        for depth, level in enumerate(result.per_level)
    ]
    if len(rows) > _SHOWN_LEVELS:
        half = _SHOWN_LEVELS // 2
        rows = [*rows[:half], ("…", "", "", ""), *rows[-half:]]
    # Levels of a worklist overlap: they are counted from the depths, and have no times.
    columns = ["depth", "direction", "frontier", "ms"][: 3 if result.work is not None else 4]
    report.table("levels", columns, [row[: len(columns)] for row in rows], (1,))
    report.table(
        "phases", ["phase", "ms"], [(name, f"{ms:.3f}") for name, ms in result.phases.items()]
    )


def print_placed(report: Report, placed: PlacedGraph) -> None:
    """What was searched, and where."""
    where = placed.machine
    describe_graph(report, placed.graph)
    report.line(
        f"machine {where.spec}: {where.size} rank(s), fabric {where.fabric}; "
        f"placed in {placed.seconds:.2f} s, {placed.uploads} upload(s)"
    )
    if where.beyond:
        report.line(where.beyond)


def print_search(
    report: Report,
    placed: PlacedGraph,
    first: FirstRun,
    described: dict[str, Any],
    notes: list[str],
    breakdown: bool,
) -> None:
    """Everything that is said of the searches `described`; `notes` are lines about all of them."""
    print_placed(report, placed)
    report.line(f"engine {first.engine}: {first.engine_reason}")
    for note in notes:
        report.line(note)
    print_runs(report, placed.graph, first, described["runs"], described["summary"])
    if breakdown:
        print_breakdown(report, first)
        if first.overlap:
            print_overlap(report, first)
        if first.work is not None:
            print_work(report, first.work)
    place = _PLACES[described["options"]["results"] != "stay"]
    clock = "virtual" if placed.machine.virtual else "wall"
    report.line(_TEPS[placed.symmetric].format(place=place, clock=clock))


def print_runs(
    report: Report,
    graph: Graph,
    first: FirstRun,
    runs: list[dict[str, Any]],
    totals: dict[str, Any],
) -> None:
    """Levels and phases of the first run, a row for each run, and the summary."""
    if len(runs) > 1:
        report.line(f"the first run, from vertex {graph.name_of(first.source)}:")
    _print_levels(report, first)
    columns = ["source", "levels", "reached", "edges", "ms", "rate", "verified"]
    rows = [
        (
            run["source"],
            run["levels"],
            f"{run['reached']:,}",
            f"{run['edges']:,}",
            f"{run['milliseconds']:.3f}",
            _rate(run["teps"]),
            _checked(run["verified"]),
        )
        for run in runs[:_SHOWN_RUNS]
    ]
    report.table("runs", columns, rows, ())
    if len(runs) > _SHOWN_RUNS:
        report.line(f"… and {len(runs) - _SHOWN_RUNS} more (all of them with --json)")
    if len(runs) > 1:
        report.line(
            f"{len(runs)} runs: median {totals['median_milliseconds']:.3f} ms, harmonic mean "
            f"{_rate(totals['harmonic_mean_teps'])}, verified: {_checked(totals['verified'])}"
        )

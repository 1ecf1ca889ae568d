"""What `gossamer bfs` says about its runs, in JSON and in words."""

from __future__ import annotations

import statistics
from dataclasses import asdict
from typing import Any

from gossamer.algorithm.bfs import BfsRanks, BfsResult
from gossamer.algorithm.engines import options_behind
from gossamer.cli import graph_command
from gossamer.cli.output.report import Report, describe_graph
from gossamer.cli.output.worklists import print_work
from gossamer.cli.runs import Runs, checked, print_runs
from gossamer.graph import Graph
from gossamer.machine import Machine
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


def run_json(graph: Graph, result: BfsResult) -> dict[str, Any]:
    """One entry of "runs"."""
    levels = result.per_level
    messages = {sent.kind: asdict(sent) for sent in result.messages}
    for sent in messages.values():
        del sent["kind"]
    return graph_command.run_json(result) | {
        "source": graph.name_of(result.source),
        "levels": result.levels,
        "reached": result.reached,
        "edges": result.edges,
        "teps": result.teps,
        "frontiers": [level.frontier for level in levels],
        "messages": messages,
        "overlap": overlap_json(result),
        # One letter a level: t = top-down, b = bottom-up.
        "directions": "".join(level.direction[0] for level in levels),
    }


def summary(runs: Runs[BfsResult], placed: PlacedGraph) -> dict[str, Any]:
    """The "summary" object: over all runs."""
    rates = runs.all_of("teps")
    return runs.summary() | {
        "harmonic_mean_teps": statistics.harmonic_mean(rates),
        "min_teps": min(rates),
        "max_teps": max(rates),
        "uploads": placed.uploads,
        "placement_seconds": placed.seconds,
    }


def ranks_json(ranks: BfsRanks, where: Machine) -> dict[str, Any]:
    """The "ranks" object: how many of those asked about take part, and why so many."""
    return {
        "used": ranks.machine.size,
        "of": where.size,
        "reason": ranks.reason,
        "provided": ranks.provided,
    }


def ranks_line(ranks: BfsRanks, where: Machine) -> str:
    """The same in words."""
    unless = f", provided that {ranks.provided}" if ranks.provided else ""
    if ranks.reason:
        fewer = ranks.machine.size < where.size
        return f"used {ranks.reason}{unless}" + (" (--use all: all of them)" if fewer else "")
    return f"used all {where.size} rank(s){unless}"


def _rate(teps: float) -> str:
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if teps >= size:
            return f"{teps / size:.2f} {unit}TEPS"
    return f"{teps:.0f} TEPS"


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


def print_search(
    report: Report,
    placed: PlacedGraph,
    first: FirstRun,
    described: dict[str, Any],
    notes: list[str],
    breakdown: bool,
) -> None:
    """Everything that is said of the searches `described`; `notes` are lines about all of them."""
    where = placed.machine
    describe_graph(report, placed.graph)
    report.line(
        f"machine {where.spec}: {where.size} rank(s), fabric {where.fabric}; "
        f"placed in {placed.seconds:.2f} s, {placed.uploads} upload(s)"
    )
    if where.beyond:
        report.line(where.beyond)
    report.line(f"engine {first.engine}: {first.engine_reason}")
    for note in notes:
        report.line(note)
    _print_runs(report, placed.graph, first, described["runs"], described["summary"])
    if breakdown:
        print_breakdown(report, first)
        if first.overlap:
            print_overlap(report, first)
        if first.work is not None:
            print_work(report, first.work)
    behind = options_behind(described["options"]["engine"])
    place = _PLACES[behind.get("results", "stay") != "stay"]
    clock = "virtual" if where.virtual else "wall"
    report.line(_TEPS[placed.symmetric].format(place=place, clock=clock))


def _print_runs(
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
    print_runs(
        report,
        ["source", "levels", "reached", "edges", "ms", "rate", "verified"],
        (
            (
                run["source"],
                run["levels"],
                f"{run['reached']:,}",
                f"{run['edges']:,}",
                f"{run['milliseconds']:.3f}",
                _rate(run["teps"]),
                checked(run["verified"]),
            )
            for run in runs
        ),
    )
    if len(runs) > 1:
        report.line(
            f"{len(runs)} runs: median {totals['median_milliseconds']:.3f} ms, harmonic mean "
            f"{_rate(totals['harmonic_mean_teps'])}, verified: {checked(totals['verified'])}"
        )

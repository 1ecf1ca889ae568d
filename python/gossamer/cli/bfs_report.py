"""What `gossamer bfs` says about its runs, in JSON and in words."""

from __future__ import annotations

import statistics
from dataclasses import asdict, dataclass
from typing import Any

from ..bfs import BfsLevel, BfsMessages, BfsOverlap, BfsResult
from ..graph import Graph
from ..machine import PlacedGraph
from ..worklist import WorklistCounters
from .output import Report, describe_graph, format_bytes

__all__ = [
    "TEPS",
    "FirstRun",
    "overlap_json",
    "print_breakdown",
    "print_overlap",
    "print_placed",
    "print_runs",
    "print_work",
    "run_json",
    "summary",
]

#: What TEPS counts, by graph.symmetric.
TEPS = {
    True: "TEPS: undirected edges of the component reached (stored arcs of reached vertices / 2, "
    "as Graph500 counts) per second of wall time, from the source to finished parents on their "
    "owners; reading, placement, gathering and verification are not timed.",
    False: "TEPS: arcs out of reached vertices per second of wall time, from the source to "
    "finished parents on their owners; reading, placement, gathering and verification are not "
    "timed.",
}

_SHOWN_LEVELS = 40
_SHOWN_RUNS = 16


@dataclass(frozen=True)
class FirstRun:
    """What is printed of the first run: all of its result but the arrays."""

    source: int
    reached: int
    milliseconds: float
    per_level: list[BfsLevel]
    phases: dict[str, float]
    messages: list[BfsMessages]
    overlap: list[BfsOverlap]
    hidden: float | None
    link_limit: float | None
    work: WorklistCounters | None

    @classmethod
    def of(cls, result: BfsResult) -> FirstRun:
        return cls(
            result.source,
            result.reached,
            result.milliseconds,
            result.per_level,
            result.phases,
            result.messages,
            result.overlap,
            result.hidden,
            result.link_limit,
            result.work,
        )


def run_json(graph: Graph, result: BfsResult, verified: bool | None) -> dict[str, Any]:
    """One entry of "runs"."""
    levels = result.per_level
    return {
        "source": graph.name_of(result.source),
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
        "work": None if result.work is None else asdict(result.work),
        # One letter a level: t = top-down, b = bottom-up.
        "directions": "".join(level.direction[0] for level in levels),
    }


def overlap_json(result: BfsResult) -> dict[str, Any] | None:
    """What computing hid of the exchange; null for engines that do not overlap."""
    if not result.overlap:
        return None
    return {
        "hidden": result.hidden,
        "link_limit": result.link_limit,
        "levels": [asdict(level) for level in result.overlap],
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
    report.table("levels", ["depth", "direction", "frontier", "ms"], rows, (1,))
    report.table(
        "phases", ["phase", "ms"], [(name, f"{ms:.3f}") for name, ms in result.phases.items()]
    )


def print_breakdown(report: Report, result: FirstRun) -> None:
    """What ranks sent each other, by paper B's kinds."""
    meanings = {
        "flag": "agreement on direction and end",
        "out": "frontiers",
        "tree": "the result's way to one place",
    }
    report.table(
        "messages of the first run, all ranks",
        ["kind", "what", "times", "messages", "bytes", "ms"],
        [
            (
                sent.kind,
                meanings[sent.kind],
                sent.rounds,
                f"{sent.messages:,}",
                format_bytes(sent.bytes),
                f"{sent.milliseconds:.3f}",
            )
            for sent in result.messages
        ],
        (0, 1),
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


def print_overlap(report: Report, result: FirstRun) -> None:
    """Per level: how much of the exchange was hidden, and how near it came to the links' limit."""
    limit = result.link_limit

    def rate(value: float | None) -> str:
        if value is None:
            return "?"
        share = "" if limit is None else f" ({value / limit:.0%})"
        return f"{value * 1e-9:.2f} GB/s{share}"

    def number(value: float | None) -> str:
        return "?" if value is None else f"{value:.3f}"

    report.table(
        "exchange of the first run, all ranks",
        ["depth", "bytes a stage", "copies, ms", "waited, ms", "hidden", "throughput"],
        [
            (
                depth,
                format_bytes(max(level.bytes_per_stage)),
                number(level.copy_milliseconds),
                f"{level.idle_milliseconds:.3f}",
                "?" if level.hidden is None else f"{level.hidden:.0%}",
                rate(level.throughput),
            )
            for depth, level in enumerate(result.overlap)
        ],
    )
    hidden = "unknown" if result.hidden is None else f"{result.hidden:.0%}"
    links = "unknown" if limit is None else f"{limit * 1e-9:.2f} GB/s"
    report.line(f"communication hidden behind computing: {hidden}; all links together: {links}")


def print_work(report: Report, work: WorklistCounters) -> None:
    """What a worklist did, all ranks together."""
    report.table(
        "worklist of the first run, all ranks",
        list(asdict(work)),
        [tuple(f"{count:,}" for count in asdict(work).values())],
        (),
    )


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

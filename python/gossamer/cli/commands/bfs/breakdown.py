"""What ranks sent each other in the first run, and how much of it computing hid."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any

from gossamer.algorithm.bfs import BfsLevel, BfsMessages, BfsOverlap, BfsResult
from gossamer.algorithm.worklist import WorklistCounters
from gossamer.cli.output.report import Report, format_bytes


@dataclass(frozen=True)
class FirstRun:
    """What is printed of the first run: all of its result but the arrays."""

    source: int
    engine: str
    engine_reason: str
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
        return cls(**{of.name: getattr(result, of.name) for of in fields(cls)})


def overlap_json(result: BfsResult) -> dict[str, Any] | None:
    """What computing hid of the exchange; null for engines that do not overlap."""
    if not result.overlap:
        return None
    return {
        "hidden": result.hidden,
        "link_limit": result.link_limit,
        "levels": [asdict(level) for level in result.overlap],
    }


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
                "–" if sent.milliseconds is None else f"{sent.milliseconds:.3f}",
            )
            for sent in result.messages
        ],
        (0, 1),
    )


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

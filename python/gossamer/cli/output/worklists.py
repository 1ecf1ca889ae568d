"""What commands say of a worklist, all ranks together."""

from __future__ import annotations

from dataclasses import asdict

from gossamer.algorithm.worklist import WorklistCounters

from .report import Report


def work_json(work: WorklistCounters | None) -> dict[str, int] | None:
    """What a worklist counted; null for engines without one."""
    return None if work is None else asdict(work)


def print_work(report: Report, work: WorklistCounters) -> None:
    """The same of the first run, a line a count."""
    report.table(
        "worklist of the first run, all ranks",
        ["what", "count"],
        [(name, f"{count:,}") for name, count in asdict(work).items()],
    )

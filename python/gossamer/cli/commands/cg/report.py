"""What `gossamer cg` says about its runs, in JSON and in words."""

from __future__ import annotations

from typing import Any

from gossamer.algorithm.cg import CgResult
from gossamer.cli.output.report import Report
from gossamer.cli.runs import checked


def run_json(result: CgResult) -> dict[str, Any]:
    """One entry of "runs"."""
    return {
        "milliseconds": result.milliseconds,
        "phases": result.phases,
        "iterations": result.iterations,
        "microseconds_per_iteration": 1e3 * result.milliseconds / max(1, result.iterations),
        "converged": result.converged,
        "residual": result.residual,
        "relative_residual": result.residual / result.right_side_norm
        if result.right_side_norm > 0
        else 0.0,
    }


def print_result(report: Report, result: CgResult, runs: list[dict[str, Any]]) -> None:
    report.line(f"engine {result.engine}, exchange {result.exchange}: {result.exchange_reason}")
    per = max(1, result.iterations)
    total = result.milliseconds or 1.0
    report.table(
        "rank 0, first run",
        ["operation", "ms", "µs an iteration", "%"],
        [
            (name, f"{ms:.3f}", f"{1e3 * ms / per:.2f}", f"{100 * ms / total:.1f}")
            for name, ms in result.phases.items()
        ],
    )
    report.table(
        "runs",
        [
            "iterations",
            "converged",
            "residual",
            "over b's norm",
            "ms",
            "µs an iteration",
            "verified",
        ],
        [
            (
                run["iterations"],
                "yes" if run["converged"] else "no",
                f"{run['residual']:.3e}",
                f"{run['relative_residual']:.3e}",
                f"{run['milliseconds']:.3f}",
                f"{run['microseconds_per_iteration']:.2f}",
                checked(run["verified"]),
            )
            for run in runs
        ],
        (),
    )

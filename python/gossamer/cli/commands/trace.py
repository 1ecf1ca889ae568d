"""`gossamer trace summary FILE`: what a trace adds up to."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from gossamer.cli import options
from gossamer.cli.output.report import Report, format_bytes
from gossamer.errors import UsageError
from gossamer.trace import LevelSums, LinkSums, RunSums, TraceFile, read_trace, sum_runs

app = typer.Typer(no_args_is_help=False, add_completion=False)

#: Rows of a table; all of them are in the JSON.
_SHOWN = 20


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.1f} %"


def _rate(bytes_per_second: float | None) -> str:
    return "unknown" if bytes_per_second is None else f"{bytes_per_second / 1e9:.2f}"


def _run_json(run: RunSums) -> dict[str, Any]:
    out = asdict(run) | {"hidden": run.hidden}
    for rank, sums in zip(out["ranks"], run.ranks, strict=True):
        rank |= {"busy": sums.busy, "total": sums.total}
    for link, of in zip(out["links"], run.links, strict=True):
        link |= {"use": of.use, "use_while_busy": of.use_while_busy}
    for level, at in zip(out["levels"], run.levels, strict=True):
        level |= {"hidden": at.hidden}
    return out


def _cut(rows: list[tuple[object, ...]]) -> list[tuple[object, ...]]:
    if len(rows) <= _SHOWN:
        return rows
    half = _SHOWN // 2
    return [*rows[:half], ("…", *[""] * (len(rows[0]) - 1)), *rows[-half:]]


def _level_row(of: LevelSums) -> tuple[object, ...]:
    return (
        "none" if of.level is None else of.level,
        of.name,
        f"{of.frontier:,}" if of.frontier else "",
        f"{of.milliseconds:.3f}",
        format_bytes(of.bytes),
        f"{of.copying:.3f}",
        _percent(of.hidden),
    )


def _link_row(of: LinkSums) -> tuple[object, ...]:
    return (
        f"{of.source} → {of.target}",
        f"{of.copies:,}",
        format_bytes(of.bytes),
        f"{of.busy:.3f}",
        _rate(of.rate),
        _rate(of.bandwidth),
        _percent(of.use_while_busy),
        _percent(of.use),
    )


def _print_run(report: Report, run: RunSums) -> None:
    covered = run.traced / run.milliseconds if run.milliseconds > 0 else 0.0
    report.line(
        f"run {run.run}, {run.algorithm}: {run.milliseconds:.3f} ms measured, "
        f"{run.traced:.3f} ms in the trace ({100 * covered:.1f} %), rank {run.slowest} the slowest"
    )
    report.table(
        "ranks (ms)",
        ["rank", "compute", "exchange", "copy", "wait", "idle", "sum"],
        _cut(
            [
                (
                    r.rank,
                    *(f"{x:.3f}" for x in (r.compute, r.exchange, r.copy, r.wait, r.idle, r.total)),
                )
                for r in run.ranks
            ]
        ),
        (),
    )
    if run.links:
        report.line(
            f"hidden communication: {_percent(run.hidden)} ({run.copying:.3f} ms of copies, no "
            f"computing in {run.idle_for_copies:.3f} ms of them)"
        )
        report.table(
            "links",
            ["from → to", "copies", "bytes", "busy ms", "GB/s", "of GB/s", "use, busy", "use, run"],
            _cut([_link_row(link) for link in run.links]),
        )
    else:
        report.line("hidden communication: nothing was sent")
    if run.levels:
        report.table(
            "levels",
            ["level", "what", "frontier", "ms", "bytes", "copies ms", "hidden"],
            _cut([_level_row(level) for level in run.levels]),
            (1,),
        )
    report.table(
        "critical path",
        ["where", "what", "ms", "share"],
        [
            (
                "link" if part.rank < 0 else f"rank {part.rank}",
                part.name,
                f"{part.milliseconds:.3f}",
                _percent(part.milliseconds / run.traced if run.traced > 0 else None),
            )
            for part in run.path[:_SHOWN]
        ],
        (0, 1),
    )


def _describe(report: Report, trace: TraceFile) -> None:
    report.line(
        f"machine {trace.machine}: {len(trace.compute_threads)} rank(s), fabric {trace.fabric}, "
        f"{trace.clock} time; {len(trace.events):,} events, {len(trace.runs)} run(s)"
    )
    if trace.dropped:
        report.line(f"{trace.dropped:,} events had no room: sums are too small")


@app.callback()
def _trace() -> None:
    """Read traces that --trace has written."""


@app.command()
def summary(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A trace.")],
    run: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="One run of it; default: all.")
    ] = None,
    json: options.Json = None,
) -> None:
    """Time by rank, hidden communication, use of links, the critical path."""
    report = Report(json)
    options.check_input_path(file)
    trace = read_trace(file)
    runs = [r for r in sum_runs(trace) if run is None or r.run == run]
    if not runs:
        raise UsageError(f"--run {run}: {file} holds the runs {[r['run'] for r in trace.runs]}")
    _describe(report, trace)
    for sums in runs:
        _print_run(report, sums)
    report.json(
        {
            "machine": trace.machine,
            "fabric": trace.fabric,
            "clock": trace.clock,
            "dropped": trace.dropped,
            "runs": [_run_json(sums) for sums in runs],
        }
    )

"""`gossamer simulate OP`: how long a collective takes by size, and why."""

from __future__ import annotations

import itertools
import math
from dataclasses import asdict
from pathlib import Path
from typing import Any

from gossamer.cli.output.plots import plot_lines
from gossamer.cli.output.progress import progress
from gossamer.cli.output.report import Report, format_bytes
from gossamer.simulation import Collective, CollectivePrediction, System

from .program import ALIKE


def _crossovers(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Sizes between which the other system becomes the faster one, and why the first is slower."""
    found = []
    # Where both take the same time nobody is ahead, and nobody overtakes.
    for before, after in itertools.pairwise(row for row in rows if not _alike(row)):
        winner, loser = before["fastest"], after["fastest"]
        if winner != loser:
            found.append(
                {
                    "between": [before["bytes"], after["bytes"]],
                    "from": winner,
                    "to": loser,
                    "because": after["systems"][winner]["largest"],
                }
            )
    return found


def _alike(row: dict[str, Any]) -> bool:
    """Whether the systems take the same time."""
    times = [one["seconds"] for one in row["systems"].values()]
    return math.isclose(min(times), max(times), rel_tol=ALIKE)


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
    crossings = _crossovers(rows) if len(names) == 2 else []
    for crossing in crossings:
        low, high = (format_bytes(n) for n in crossing["between"])
        report.line(
            f"between {low} and {high} {crossing['to']} overtakes {crossing['from']}, "
            f"whose time is mostly {crossing['because']} by then"
        )
    if len(names) == 2 and not crossings:
        differ = [row for row in rows if not _alike(row)]
        if not differ:
            report.line(f"{names[0]} and {names[1]} take the same time at every size")
        else:
            where = "at every size" if len(differ) == len(rows) else "where they differ"
            report.line(f"{differ[0]['fastest']} is faster {where}")
    met = _conflicts(report, cases, sizes[-1], [found[name] for name in names])
    if plot is not None:
        lines = {name: [1e6 * r["systems"][name]["seconds"] for r in rows] for name in names}
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

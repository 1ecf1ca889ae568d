"""The table of tasks: bench/results/DATE-tasks.json as rows."""

from __future__ import annotations

from typing import Any


def number(value: float, unit: str) -> str:
    """Three digits, or all before the point."""
    return f"{value:.3g} {unit}" if value < 1000 else f"{value:.0f} {unit}"


def ratio(row: dict[str, Any]) -> str:
    """To the first that stands beside it."""
    if not row["ratio"] or not row["beside"]:
        return ""
    found = row["value"] / next(iter(row["beside"].values()))
    return f"{100 * found:.0f} %" if row["ratio"] == "%" else f"{found:.2g} ×"


def task_lines(results: dict[str, Any]) -> list[str]:
    """What was measured on, then one row a value: rivals of the same run, ratio, goal."""
    runs, graph_runs = results["rounds"]
    lines = [
        f"Tasks on {results['cores']} cores of an {results['processor']} ({results['date']}, "
        f"`{results['command']}`), the best of {runs} runs each (graphs: {graph_runs}, of their "
        "medians), and of what stands beside it in turns:",
        "",
        "| | tasks | beside it | ratio | goal |",
        "|---|---:|---|---:|---:|",
    ]
    for row in results["results"]:
        beside = ", ".join(
            f"{name} {number(value, row['unit'])}" for name, value in row["beside"].items()
        )
        lines.append(
            f"| {row['what']} | {number(row['value'], row['unit'])} | {beside} | {ratio(row)} | "
            f"{row['goal']} |"
        )
    return lines

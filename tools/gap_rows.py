"""Rows of the GAP benchmark: what `gossamer gap --json` wrote, a table a graph and machine."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from gpu_rows import short

_SHOWN = ("mean", "median", "minimum")


def _machine(result: dict[str, Any]) -> str:
    """With what it is of; results of CPUs say that themselves."""
    machine = result["machine"]
    gpus = {one["name"] for one in machine["devices"] if one["kind"] == "cuda"}
    return f"`{machine['spec']}` of " + (result.get("hardware") or ", ".join(sorted(gpus)))


def _lines(result: dict[str, Any]) -> list[str]:
    graph, options = result["graph"], result["options"]
    checked = "each trial verified" if options["verify"] else "trials not verified"
    return [
        f"The GAP benchmark's kernels on {graph['name']} ({graph['vertices']:,} vertices, "
        f"{graph['edges']:,} edges), {_machine(result)}, {checked} ({result['date'][:10]}):",
        "",
        "| kernel | engine | trials | mean | median | least | edges/s |",
        "|---|---|---:|---:|---:|---:|---:|",
        *(
            f"| {k['kernel']} | `{k['engine']}` | {len(k['trials'])} | "
            + " | ".join(f"{short(1e3 * k['seconds'][of])} ms" for of in _SHOWN)
            + f" | {k['edges_per_second']:.3g} |"
            for k in result["kernels"]
        ),
        "",
    ]  # fmt: skip


def gap_lines(folder: Path) -> list[str]:
    """The latest run of each graph on each machine."""
    latest: dict[tuple[str, str], dict[str, Any]] = {}
    for path in sorted(folder.glob("*-gap-*.json")):
        result = json.loads(path.read_text())
        latest[result["graph"]["name"], result["machine"]["spec"]] = result
    return [line for result in latest.values() for line in _lines(result)]

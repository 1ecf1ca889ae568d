"""Rows of the GAP benchmark: what `gossamer gap --json` wrote, a table a graph and machine, and a
table beside the suite's own programs."""

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


def rival_lines(folder: Path) -> list[str]:
    """The latest run of bench/problem/gap_rivals.py, or nothing."""
    results = sorted(folder.glob("*-gapbs-rivals*.json"))
    if not results:
        return []
    result = json.loads(results[-1].read_text())
    kernels = list(result["graphs"][0]["kernels"])
    return [
        f"The same kernels beside the GAP Benchmark Suite's own programs, `{result['machine']}` of "
        f"an {result['processor']} ({results[-1].name[:10]}, `bench/problem/gap_rivals.py`). "
        "Milliseconds of a trial: ours / theirs, and in brackets how many times as long theirs "
        "takes. `sssp` of theirs has the width of buckets that suits it best. Of directed graphs "
        "`components` of theirs looks at reversed arcs, too; reversing is not timed:",
        "",
        "| graph | " + " | ".join(kernels) + " |",
        "|---|" + "---:|" * len(kernels),
        *(
            f"| {one['graph'].removeprefix('data:')} | "
            + " | ".join(_beside(one["kernels"][kernel]) for kernel in kernels)
            + " |"
            for one in result["graphs"]
        ),
        "",
    ]


def _beside(kernel: dict[str, float]) -> str:
    ours, theirs = kernel["ms"], kernel["their_ms"]
    return f"{short(ours)} / {short(theirs)} ({theirs / ours:.2f})"

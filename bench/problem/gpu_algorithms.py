"""Algorithms on 1, 2 and 4 GPUs of this host: one JSON file for the README's table.

python bench/problem/gpu_algorithms.py BUILD OUT.json [--gpus 1 2 4] [--roads NY.gr]
       [--only NAME …]

Runs BUILD/bench/bench_*, which time on the device and verify in the same process; a line is
printed for each. `items` are what a worklist worked on, in vertices of the graph; "first in, first
out" is the same engine without priorities. Exit 1 after a run that failed.
"""

from __future__ import annotations

import argparse
import datetime
import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass
class Case:
    """One row of the table."""

    name: str
    bench: str
    graphs: tuple[str, ...]
    options: tuple[str, ...] = ()
    #: Of more GPUs it would use these alone.
    most: int = 8


def cases(roads: str | None) -> list[Case]:
    networks = ("road:5000", *([roads] if roads else []))
    asynchronous = ("--engine", "async")
    # Made and verified on the GPUs; every search is of the largest component.
    searches = ("--largest-component", "--sources", "64", "--verify", "64")
    in_parts = ("--parts", *searches)
    return [
        Case("bfs", "bfs", ("kron:22", "kron:24", "kron:26", "uniform:24", "road:5000"), in_parts),
        *(Case("bfs", "bfs", (graph,), searches) for graph in networks[1:]),
        Case("sssp", "sssp", ("kron:22", *networks), ("--engine", "sync"), most=1),
        Case("sssp, async", "sssp", ("kron:22", *networks), asynchronous),
        Case("sssp, host threads", "sssp", ("kron:22", *networks), ("--engine", "host")),
        Case(
            "sssp, host threads, ring", "sssp", ("kron:22", *networks),
            ("--engine", "host:route=ring"),
        ),
        Case(
            "sssp, async, first in, first out", "sssp", networks,
            ("--engine", "async:priority=none", "--sources", "4"), most=1,
        ),
        Case("bfs, async", "bfs", ("kron:22", *networks), (*asynchronous, "--sources", "16")),
        Case("components", "components", ("kron:22", "road:5000"), ("--engine", "sync")),
        Case("components, async", "components", ("kron:22", "road:5000"), asynchronous),
        Case("pagerank, an iteration", "pagerank", ("kron:22", "kron:24", "road:5000"),
             ("--iterations", "50")),
        Case("pagerank, async", "pagerank", ("kron:22", "road:5000"), asynchronous),
    ]  # fmt: skip


def measure(build: Path, case: Case, graph: str, gpus: int, limit: float) -> dict[str, Any] | None:
    """One run, or None after saying what was wrong."""
    machine = "cuda:0" if gpus == 1 else f"cuda:0-{gpus - 1}"
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        program = build / "bench" / f"bench_{case.bench}"
        command = [str(program), graph, "--machine", machine, *case.options, "--json", str(report)]
        try:
            subprocess.run(command, check=True, capture_output=True, text=True, timeout=limit)
        except (subprocess.SubprocessError, OSError) as error:
            said = getattr(error, "stderr", None) or str(error)
            print(f"{case.name} {graph} on {machine}: {str(said).strip()[-300:]}", flush=True)
            return None
        found: dict[str, Any] = json.loads(report.read_text())
    row = {
        "algorithm": case.name,
        "graph": Path(graph).name,
        "machine": machine,
        "ranks": gpus,
        **{key: found[key] for key in ("median_ms", "min_ms", "max_ms", "verified")},
    }
    if "harmonic_mean_teps" in found:
        row |= {key: found[key] for key in ("mean_ms", "place_ms", "harmonic_mean_teps")}
    if found.get("items"):
        row["items_a_vertex"] = found["items"] / found["vertices"]
    return row


def measure_filter(build: Path, limit: float) -> dict[str, Any] | None:
    """Arrays in the GPUs' memory, and in the host's, on one GPU, two, …; None after saying what was
    wrong."""
    options = ["--gib", "4", "--pinned", "1"]
    command = [str(build / "bench" / "bench_filter_gpu"), *options]
    try:
        said = subprocess.run(command, check=True, capture_output=True, text=True, timeout=limit)
    except (subprocess.SubprocessError, OSError) as error:
        print(f"filter: {getattr(error, 'stderr', None) or error}", flush=True)
        return None
    found: dict[str, Any] = json.loads(said.stdout)
    print(f"filter: {found['runs']}, from pinned memory {found['pinned']}", flush=True)
    return {"command": " ".join(["bench_filter_gpu", *options]), **found}


def line(row: dict[str, Any]) -> str:
    text = f"{row['algorithm']:33} {row['graph']:18} {row['machine']:9} {row['median_ms']:9.3f} ms"
    text += f" ({row['min_ms']:.3f} to {row['max_ms']:.3f}), verified {row['verified']}"
    if "mean_ms" in row:
        text += f", mean {row['mean_ms']:.3f}, {row['harmonic_mean_teps'] / 1e9:.1f} GTEPS"
    return text + (f", {row['items_a_vertex']:.2f} n items" if "items_a_vertex" in row else "")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--gpus", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--roads")
    parser.add_argument("--only", nargs="+", help="rows with these names alone")
    parser.add_argument("--limit", type=float, default=120, help="seconds of a run")
    given = parser.parse_args()
    here = subprocess.run(["nvidia-smi", "-L"], check=True, capture_output=True, text=True).stdout
    there = len(here.splitlines())
    found: dict[str, Any] = {
        "date": datetime.date.today().isoformat(),
        "hardware": f"{there} x {here.splitlines()[0].split(':')[1].split('(')[0].strip()}",
        "command": "python bench/problem/gpu_algorithms.py BUILD OUT.json",
        "method": "milliseconds by the device's clock, median of runs or sources; weights "
        "1 to 255; 'verified': runs checked in the same process",
        "results": [],
    }
    failed = False
    for case in cases(given.roads):
        if given.only is not None and case.name not in given.only:
            continue
        for graph in case.graphs:
            for gpus in given.gpus:
                if gpus > min(there, case.most):
                    continue
                row = measure(given.build, case, graph, gpus, given.limit)
                failed = failed or row is None
                if row is not None:
                    found["results"].append(row)
                    print(line(row), flush=True)
        given.out.write_text(json.dumps(found, indent=1) + "\n")  # a run may be cut short
    if given.only is not None and "filter" not in given.only:
        sys.exit(1 if failed else 0)
    filtered = measure_filter(given.build, given.limit)
    given.out.write_text(json.dumps({**found, "filter": filtered}, indent=1) + "\n")
    sys.exit(1 if failed or filtered is None else 0)


if __name__ == "__main__":
    main()

"""Steps over fields beside built-in engines, and what a step costs, on one GPU or on CPU ranks.

    python bench/problem/vertex_steps.py [--machine cuda:0] [--cores kron:20] [--pagerank kron:22]
                                         [--runs 5] [--out FILE.json]

Core numbers by steps, compared with a run on CPU ranks; an iteration of PageRank by steps and of
`pagerank`, engine sync, whose ranks are compared; microseconds of a step that is recorded, of one
whose number is read back; seconds of compiling a step for the first time, and of finding it again.
Medians of milliseconds that runs report, of those that the caller waits for where it says wall.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gossamer as gs
import numpy as np
from gossamer.program.nvrtc import gpu_image

Steps = Callable[[gs.VertexSteps], Any]


def core_numbers(s: gs.VertexSteps) -> None:
    s.fields(core=0, here=True)
    s.numbers(k=0)
    s.map(left="degree")
    with s.repeat(until="remain == 0"):
        s.map(leaves="here and left <= k")
        s.send("1", "sum", into="gone", where="leaves")
        s.map(left="left - gone", core="k if leaves else core", here="here and not leaves")
        s.reduce("here", "count", into="remain")
        s.reduce("left", "min", into="fewest", where="here")
        s.set(k="max(k, fewest)")


def pagerank(s: gs.VertexSteps) -> gs.Repeated:
    s.fields(rank=1 / s.graph.vertices)
    new = "0.15 / vertices + 0.85 * (got + lost / vertices)"
    with s.repeat(until="moved < 1e-9", at_most=100) as loop:
        s.reduce("rank", "sum", into="lost", where="degree == 0")
        s.send("rank / max(degree, 1)", "sum", into="got")
        s.reduce(f"abs({new} - rank)", "sum", into="moved")
        s.map(rank=new)
    return loop


def timed(s: gs.VertexSteps, steps: Steps, runs: int) -> tuple[float, float]:
    """Milliseconds reported, and by the wall; one run goes before."""
    reported, wall = [], []
    for i in range(runs + 1):
        begin = time.perf_counter()
        steps(s)
        s.run()
        if i > 0:
            wall.append((time.perf_counter() - begin) * 1e3)
            reported.append(s.milliseconds)
    return statistics.median(reported), statistics.median(wall)


def measure_cores(spec: str, machine: gs.Machine, runs: int) -> dict[str, Any]:
    graph = gs.generate(spec)
    s = gs.vertex_steps(graph, machine)
    reported, wall = timed(s, core_numbers, runs)
    there = gs.vertex_steps(graph, f"cpu:1x{len(os.sched_getaffinity(0))}")
    core_numbers(there)
    assert np.array_equal(s["core"], there["core"]), "core numbers differ from those of CPU ranks"
    return {
        "what": "core numbers", "graph": spec, "ms": reported, "wall ms": wall,
        "largest": int(s["core"].max()), "stages": s.stages // (runs + 1),
    }  # fmt: skip


def measure_pagerank(spec: str, machine: gs.Machine, runs: int) -> dict[str, Any]:
    graph = gs.generate(spec)
    s = gs.vertex_steps(graph, machine)
    reported, _ = timed(s, pagerank, runs)
    rounds = pagerank(s).rounds if s["rank"].size else 0
    found = [
        gs.pagerank(graph, machine=machine, engine="sync", tolerance=1e-9) for _ in range(runs + 1)
    ]
    built_in = statistics.median(r.milliseconds / r.iterations for r in found[1:])
    worst = float(np.abs(s["rank"] - found[-1].ranks).max() / found[-1].ranks.max())
    assert worst < 1e-6, f"ranks differ from pagerank's by {worst} of the largest"
    each = reported / rounds
    return {
        "what": "PageRank, an iteration", "graph": spec, "ms": each, "built in ms": built_in,
        "ratio": each / built_in, "iterations": rounds, "differ by": worst,
    }  # fmt: skip


def measure_latency(machine: gs.Machine) -> dict[str, Any]:
    s = gs.vertex_steps(gs.generate("kron:10"), machine)
    s.fields(a=0)
    times = 200

    def microseconds(call: Callable[[], Any], then: Callable[[], Any]) -> float:
        each = []
        for i in range(times + 20):
            begin = time.perf_counter()
            call()
            if i >= 20:
                each.append((time.perf_counter() - begin) * 1e6)
            then()
        return statistics.median(each)

    def read_back() -> None:
        s.reduce("a", "sum", into="all")
        s["all"]

    return {
        "what": "a step",
        "recorded us": microseconds(lambda: s.map(a="a + 1"), s.run),
        "number read back us": microseconds(read_back, lambda: None),
    }


def measure_compiling(machine: gs.Machine) -> dict[str, Any]:
    """With an empty cache, then by an object that knows nothing yet."""
    graph = gs.generate("kron:10")
    if machine.devices[0].kind != "cpu":
        gpu_image("__global__ void nothing() {}", 90)  # the library itself is loaded
    before = os.environ.get("GOSSAMER_CACHE")
    seconds: dict[str, list[float]] = {"first": [], "again": []}
    with tempfile.TemporaryDirectory() as folder:
        os.environ["GOSSAMER_CACHE"] = folder
        for when in seconds:
            for combine, where in (("sum", None), ("sum", "vertex < 9"), ("min", "vertex < 9")):
                s = gs.vertex_steps(graph, machine)
                s.fields(a=1.0)
                s.send("a", combine, into="b", where=where)
                begin = time.perf_counter()
                s.run()
                seconds[when].append(time.perf_counter() - begin)
    if before is None:
        del os.environ["GOSSAMER_CACHE"]
    else:
        os.environ["GOSSAMER_CACHE"] = before
    return {
        "what": "compiling a step, and a run",
        "first ms": max(seconds["first"]) * 1e3,
        "from the cache ms": max(seconds["again"]) * 1e3,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--machine", default="cuda:0")
    parser.add_argument("--cores", default="kron:20")
    parser.add_argument("--pagerank", nargs="+", default=["kron:20", "kron:22"])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--out", type=Path)
    asked = parser.parse_args()
    machine = gs.Machine(asked.machine)
    rows = [measure_latency(machine), measure_compiling(machine)]
    rows.append(measure_cores(asked.cores, machine, asked.runs))
    rows += [measure_pagerank(spec, machine, asked.runs) for spec in asked.pagerank]
    for row in rows:
        print(json.dumps(row), flush=True)
    if asked.out:
        found = {
            "bench": "vertex_steps",
            "date": datetime.date.today().isoformat(),
            "machine": [d.name for d in machine.devices],
            "command": f"python bench/problem/vertex_steps.py --machine {asked.machine} "
            f"--cores {asked.cores} --pagerank {' '.join(asked.pagerank)} --runs {asked.runs}",
            "rows": rows,
        }
        asked.out.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()

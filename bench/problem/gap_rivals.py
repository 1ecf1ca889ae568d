"""The six kernels beside the GAP Benchmark Suite's own programs: the same graphs, in turns.

    python bench/problem/gap_rivals.py --programs FOLDER [GRAPH ...] [--kernels NAME,…] [--rounds 3]
        [--machine cpu:1x2] [--delta W] [--out FILE]

FOLDER has `bfs`, `sssp`, `pr`, `cc`, `bc` and `tc`, as the suite's `make` leaves them. GRAPH is a
generator, a file or a data set, taken without loops and parallel arcs. Their programs read it from
.sg and .wsg files that are written for this, and have as many threads as the machine. Trials of bfs
and sssp begin at the same four vertices; those of betweenness begin where each likes to. `--delta`
is theirs; without it the best of some widths is taken. A row has milliseconds of a trial, the least
of the rounds' means, by the benchmark's rules: without reversing arcs.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from argparse import Namespace
from pathlib import Path
from statistics import mean
from typing import Any

import gossamer as gs
import numpy as np
import numpy.typing as npt
from gossamer.gap import Gap
from rivals import options_of, write_report

GRAPHS = ("kron:18", "uniform:18", "road:1000", "data:road-NY", "data:cnr-2000", "data:slashdot")
PROGRAMS = {"bfs": "bfs", "sssp": "sssp", "pagerank": "pr", "components": "cc",
            "betweenness": "bc", "triangles": "tc"}  # fmt: skip
WIDTHS = (2, 8, 32, 128, 512, 2048, 8192, 32768)
TRIALS, OF_TRIANGLES, SOURCES = 16, 3, 4


def half(file: Any, offsets: npt.NDArray[Any], columns: npt.NDArray[Any], weights: Any) -> None:
    np.asarray(offsets).astype("<i8").tofile(file)
    arcs = np.asarray(columns).astype("<i4")
    (arcs if weights is None else np.stack([arcs, weights.astype("<i4")], 1)).tofile(file)


def write_serialised(graph: gs.Graph, path: Path, weighted: bool = False) -> None:
    """As the suite's converter does: directed graphs with their arcs reversed behind them."""
    weights = np.asarray(graph.weights) if weighted else None
    offsets, columns = np.asarray(graph.indptr), np.asarray(graph.indices)
    with path.open("wb") as file:
        file.write(bytes([not graph.symmetric]))
        np.array([graph.arcs, graph.vertices], "<i8").tofile(file)
        half(file, offsets, columns, weights)
        if graph.symmetric:
            return
        tails = np.repeat(np.arange(graph.vertices), np.diff(offsets))
        order = np.lexsort((tails, columns))
        begins = np.concatenate([[0], np.cumsum(np.bincount(columns, minlength=graph.vertices))])
        half(file, begins, tails[order], None if weights is None else weights[order])


class Theirs:
    """Their programs on one graph."""

    def __init__(self, programs: Path, files: dict[str, Path], threads: int) -> None:
        self.programs, self.files = programs, files
        self.environment = dict(os.environ, OMP_NUM_THREADS=str(threads))

    def trials(self, kernel: str, *options: str) -> float:
        """The mean of some, without the first."""
        file = self.files.get(kernel, self.files["graph"])
        trials = OF_TRIANGLES if kernel == "triangles" else TRIALS
        ran = subprocess.run(
            [self.programs / PROGRAMS[kernel], "-f", file, "-n", str(trials + 1), *options],
            env=self.environment, capture_output=True, text=True, check=True,
        )  # fmt: skip
        seconds = [float(time) for time in re.findall(r"Trial Time: *([\d.]+)", ran.stdout)]
        assert len(seconds) == trials + 1, ran.stdout
        return 1e3 * mean(seconds[1:])

    def milliseconds(self, kernel: str, sources: list[int], delta: int) -> float:
        fixed = {"sssp": ["-d", str(delta)], "pagerank": ["-i1000", "-t1e-4"],
                 "betweenness": ["-i4"]}.get(kernel, [])  # fmt: skip
        if kernel not in ("bfs", "sssp"):
            return self.trials(kernel, *fixed)
        return mean(self.trials(kernel, *fixed, "-r", str(source)) for source in sources)


def ours(gap: Gap, kernel: str) -> float:
    """The same, after as many that do not count."""
    gap.run_kernel(kernel)
    return 1e3 * mean(trial.seconds for trial in gap.run_kernel(kernel).trials)


def compare(name: str, options: Namespace) -> dict[str, Any]:
    made = ":" in name and not name.startswith("data:")
    read = gs.generate(name, weights=True) if made else gs.read(name)
    graph = read.rebuild(deduplicate=True, remove_self_loops=True)
    machine = gs.Machine(options.machine)
    gap = Gap(graph, machine, trials=TRIALS, verify=False)
    sources = gap.sources = gap.sources[:SOURCES]
    for kernel in PROGRAMS:
        gap.run_kernel(kernel)  # what is laid out once
    with tempfile.TemporaryDirectory() as folder:
        files = {"graph": Path(folder) / "graph.sg", "sssp": Path(folder) / "graph.wsg",
                 "triangles": Path(folder) / "undirected.sg"}  # fmt: skip
        write_serialised(graph, files["graph"])
        write_serialised(gap.weighted, files["sssp"], weighted=True)
        write_serialised(gap.undirected, files["triangles"])
        theirs = Theirs(options.programs, files, sum(d.threads for d in machine.devices))
        delta = options.delta or min(
            WIDTHS, key=lambda width: theirs.milliseconds("sssp", sources, width)
        )
        rows = {}
        for kernel in options.kernels.split(","):
            rounds = [
                (ours(gap, kernel), theirs.milliseconds(kernel, sources, delta))
                for _ in range(options.rounds)
            ]
            here, there = (min(times) for times in zip(*rounds, strict=True))
            rows[kernel] = {"ms": round(here, 3), "their_ms": round(there, 3),
                            "ratio": round(there / here, 2)}  # fmt: skip
    return {"vertices": graph.vertices, "arcs": graph.arcs, "delta": delta, "kernels": rows,
            "load": os.getloadavg()[0]}  # fmt: skip


if __name__ == "__main__":
    parser = options_of(__doc__, GRAPHS, (), rounds=3)
    parser.set_defaults(machine="cpu:1x2")
    parser.add_argument("--programs", type=Path, required=True)
    parser.add_argument("--kernels", default=",".join(PROGRAMS))
    parser.add_argument("--delta", type=int, default=0)
    write_report(parser, compare)

"""Random graphs, algorithms, engines, machines and options against SciPy, for as long as asked.

    python tools/soak.py [--minutes 2] [--seed S] [--case N] [--machine SPEC …]

Case N of a seed is always the same graph and call. Cases run in a process of their own, a hundred
at a time: one that crashes it, hangs, gives a wrong answer or raises what no docstring names ends
the soak with exit code 1 and the command that repeats it. A refusal (UsageError, NotCompiled,
CapacityError) is an answer. Some runs are interrupted after a random time, and then made again.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import itertools
import multiprocessing
import os
import queue
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import gossamer as gs
import numpy as np
import numpy.typing as npt
from scipy.sparse import csgraph, csr_array

#: Runs that last longer hang: each takes milliseconds.
DEADLINE = 120.0
BATCH = 100
MACHINES = (
    "cpu:1x1", "cpu:1x2", "cpu:2x1", "cpu:3x1", "cpu:2x2", "cpu:5x1",
    "sim:h200,ranks=3", "sim:peach2,ranks=4",
)  # fmt: skip
REFUSALS = (gs.UsageError, gs.NotCompiled, gs.CapacityError)
Array = npt.NDArray[Any]
Random = np.random.Generator


# --- graphs ---------------------------------------------------------------------------------------


def _family(rng: Random) -> str:
    """A generator's spec, some hundred to some ten thousand vertices."""
    n, hubs = int(rng.integers(2, 3000)), int(rng.integers(1, 20))
    return str(
        rng.choice([
            f"kron:{rng.integers(1, 12)}:{rng.integers(1, 24)}:{rng.integers(1, 99)}",
            f"uniform:{rng.integers(1, 12)}:{rng.integers(1, 12)}:{rng.integers(1, 99)}",
            f"grid:{rng.integers(1, 60)}x{rng.integers(1, 60)}",
            f"road:{rng.integers(2, 70)}:0.{rng.integers(3, 10)}", f"star:{n}", f"path:{n}",
            f"tree:{rng.integers(1, 9)}", f"cliques:{rng.integers(1, 9)}x{rng.integers(1, 40)}",
            f"lollipop:{rng.integers(2, 40)}x{rng.integers(1, 300)}",
            f"bipartite:{hubs}x{rng.integers(20, 2000)}:{rng.integers(1, hubs + 1)}",
            f"small-world:{n + 20}:{2 * rng.integers(1, 6)}:{rng.integers(0, 1000)}",
            f"mesh:{rng.integers(1, 12)}x{rng.integers(1, 12)}x{rng.integers(1, 12)}",
            f"preferential:{n + 20}:{rng.integers(1, 9)}", f"geometric:{n}:{rng.integers(1, 12)}",
            f"web:{n + 20}:{rng.integers(1, 12)}",
        ])
    )  # fmt: skip


def _weights(rng: Random, count: int) -> Array | None:
    kind = rng.integers(0, 5)
    if kind == 0:
        return None
    if kind == 1:
        return np.zeros(count, dtype=np.int32)
    if kind == 2:
        return rng.random(count, dtype=np.float64) * 10.0 ** rng.integers(-3, 6)
    if kind == 3:
        return rng.random(count).astype(np.float32)
    return rng.integers(0, int(rng.choice([2, 256, 1 << 20])), count).astype(np.int32)


def _edges(rng: Random) -> gs.Graph:
    """A list of edges as it comes: directed or not, with loops, duplicates and lone vertices."""
    n = int(rng.integers(1, 2000))
    m = int(rng.integers(0, 8 * n + 1))
    width: type[np.integer[Any]] = np.int32 if rng.integers(0, 2) else np.int64
    u = (n * rng.random(m) ** rng.integers(1, 4)).astype(width)  # some have most
    v = rng.integers(0, n, m).astype(width)
    return gs.from_edges(
        u, v, _weights(rng, m), n, symmetrize=bool(rng.integers(0, 2)),
        deduplicate=bool(rng.integers(0, 2)), name="edges",
    )  # fmt: skip


def graph_of(rng: Random) -> gs.Graph:
    if rng.random() < 0.5:
        return _edges(rng)
    return gs.generate(_family(rng), weights=bool(rng.integers(0, 2)))


def matrix_of(graph: gs.Graph, weights: Array | None = None) -> csr_array:
    """Of each pair the least weight, or one: SciPy adds duplicates. Zeros that are stored are arcs
    to it."""
    u = np.repeat(np.arange(graph.vertices), np.diff(graph.indptr))
    w = np.ones(graph.arcs) if weights is None else np.asarray(weights, dtype=np.float64)
    v = np.asarray(graph.indices, dtype=np.int64)
    order = np.lexsort((w, v, u))
    u, v, w = u[order], v[order], w[order]
    first = np.ones(len(u), dtype=bool)
    first[1:] = (u[1:] != u[:-1]) | (v[1:] != v[:-1])
    shape = (graph.vertices, graph.vertices)
    return csr_array((w[first], (u[first], v[first])), shape=shape)


# --- algorithms, beside SciPy ---------------------------------------------------------------------


@dataclass
class Call:
    """What is run, and what must hold of its result."""

    text: str
    run: Callable[[], Any]
    check: Callable[[Any], None]


def _same(found: Array, wanted: Array, what: str, tolerance: float = 0.0) -> None:
    found, wanted = np.asarray(found, dtype=np.float64), np.asarray(wanted, dtype=np.float64)
    if found.shape != wanted.shape:
        raise AssertionError(f"{what}: shape {found.shape}, not {wanted.shape}")
    with np.errstate(invalid="ignore"):
        near = np.abs(found - wanted) <= tolerance * np.abs(wanted)
    wrong = np.flatnonzero(~((found == wanted) | near))
    if len(wrong):
        at = wrong[0]
        raise AssertionError(f"{what}: {found[at]} at {at}, not {wanted[at]} ({len(wrong)} differ)")


def _bfs(graph: gs.Graph, machine: str, rng: Random, engine: str) -> Call:
    source = int(rng.integers(0, graph.vertices))
    partition = str(rng.choice(["auto", "ranges", "edges", "hash"]))
    deterministic = bool(rng.integers(0, 2))

    def check(result: Any) -> None:
        far = csgraph.dijkstra(matrix_of(graph), indices=source, unweighted=True)
        _same(result.depths, np.where(np.isinf(far), -1, far), "depths")
        result.verify()

    return Call(
        f"bfs from {source}, {engine}, {partition}, deterministic={deterministic}",
        lambda: gs.bfs(graph, source, machine, engine=engine, partition=partition, use="all",
                       deterministic=deterministic),
        check,
    )  # fmt: skip


def _sssp(graph: gs.Graph, machine: str, rng: Random, engine: str) -> Call:
    source = int(rng.integers(0, graph.vertices))
    delta = [None, 0.5, 16.0, 1e6][int(rng.integers(0, 4))]

    def check(result: Any) -> None:
        w = np.asarray(graph.weights)
        far = csgraph.dijkstra(matrix_of(graph, w), indices=source)
        _same(result.distances, far, "distances", 0 if w.dtype.kind == "i" else 1e-4)
        gs.verify_sssp(graph, source, result.distances)

    return Call(
        f"sssp from {source}, {engine}, delta={delta}",
        lambda: gs.sssp(graph, source, machine, engine=engine, delta=delta, use="all"), check,
    )  # fmt: skip


def _components(graph: gs.Graph, machine: str, rng: Random, engine: str) -> Call:
    def check(result: Any) -> None:
        _, parts = csgraph.connected_components(matrix_of(graph), directed=True, connection="weak")
        smallest = np.full(int(parts.max(initial=-1)) + 1, graph.vertices)
        np.minimum.at(smallest, parts, np.arange(graph.vertices))
        _same(result.labels, smallest[parts], "labels")

    return Call(
        f"components, {engine}",
        lambda: gs.components(graph, machine, engine=engine, use="all"), check,
    )  # fmt: skip


def _pagerank(graph: gs.Graph, machine: str, rng: Random, engine: str) -> Call:
    damping = float(rng.choice([0.5, 0.85, 0.95]))
    exact = "residual" not in engine

    def check(result: Any) -> None:
        if exact and result.converged:
            gs.verify_pagerank(graph, result.ranks, damping=damping)
        total = float(np.asarray(result.ranks, dtype=np.float64).sum())
        if exact and abs(total - 1) > 1e-2:
            raise AssertionError(f"ranks add up to {total}")

    return Call(
        f"pagerank, {engine}, damping={damping}",
        lambda: gs.pagerank(graph, machine, engine=engine, damping=damping, use="all"), check,
    )  # fmt: skip


ALGORITHMS = {"bfs": _bfs, "sssp": _sssp, "components": _components, "pagerank": _pagerank}


def _engine(algorithm: str, rng: Random) -> str:
    """An engine that CPU ranks may have, with some of its options."""
    engines = [e for e in gs.engines(algorithm) if any("cpu" in on for on in e.runs_on)]
    chosen = engines[int(rng.integers(0, len(engines)))]
    asked = [
        f"{option.name}={rng.choice(option.choices)}"
        for option in chosen.options
        if option.choices and rng.random() < 0.5
    ]
    if rng.random() < 0.2:
        return "auto"
    return chosen.name + (":" + ",".join(asked) if asked else "")


# --- cases ----------------------------------------------------------------------------------------


def call_of(seed: int, case: int, machines: Sequence[str]) -> tuple[str, Call, Random]:
    """Always the same for the same numbers."""
    rng = np.random.default_rng([seed, case])
    graph = graph_of(rng)
    algorithm = str(rng.choice(list(ALGORITHMS)))
    machine = str(rng.choice(machines))
    call = ALGORITHMS[algorithm](graph, machine, rng, _engine(algorithm, rng))
    size = f"{graph.vertices} vertices, {graph.arcs} arcs"
    return f"{graph.name} ({size}) on {machine}: {call.text}", call, rng


def _interrupted(call: Call, seconds: float) -> None:
    """Ctrl-C after a while, as a terminal sends it; the run may be over before."""
    timer = threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT))
    try:
        timer.start()
        call.run()
        timer.join()
    except (KeyboardInterrupt, *REFUSALS):
        timer.join()


def run_case(seed: int, case: int, machines: Sequence[str]) -> str:
    """`right` or `refused`; AssertionError or what a call should not raise."""
    _, call, rng = call_of(seed, case, machines)
    try:
        if rng.random() < 0.1:
            # It may come after the call, before the timer was waited for.
            with contextlib.suppress(KeyboardInterrupt):
                _interrupted(call, float(rng.random()) * 0.02)
        call.check(call.run())
    except REFUSALS:
        return "refused"
    return "right"


def _batch(seed: int, first: int, machines: Sequence[str], note: Any) -> None:
    warnings.simplefilter("ignore", gs.ConvergenceWarning)
    for case in range(first, first + BATCH):
        note.put((case, "begun"))
        try:
            note.put((case, run_case(seed, case, machines)))
        except BaseException as error:
            note.put((case, f"{type(error).__name__}: {error}"))
            return


def _failed(seed: int, case: int, machines: Sequence[str], how: str) -> NoReturn:
    what, _, _ = call_of(seed, case, machines)
    print(f"FAILED: {what}\n  {how}")
    print(f"  python tools/soak.py --seed {seed} --case {case} --machine {' '.join(machines)}")
    sys.exit(1)


def soak(seed: int, minutes: float, machines: Sequence[str]) -> None:
    """Until the time is over; the counts are printed."""
    context = multiprocessing.get_context("spawn")
    counts: collections.Counter[str] = collections.Counter()
    end = time.monotonic() + 60 * minutes
    for first in itertools.count(0, BATCH):
        note = context.Queue()
        child = context.Process(target=_batch, args=(seed, first, machines, note))
        child.start()
        case, last = first, first + BATCH - 1
        while time.monotonic() < end:
            try:
                case, how = note.get(timeout=DEADLINE)
            except queue.Empty:
                how = f"still ran after {DEADLINE:.0f} s" if child.is_alive() else "it crashed"
                child.kill()
                _failed(seed, case, machines, how)
            if how not in ("begun", "right", "refused"):
                child.join()
                _failed(seed, case, machines, how)
            counts[how] += 1
            if case == last and how != "begun":
                break
        else:
            child.kill()
            break
        child.join()
    del counts["begun"]
    print(f"seed {seed}: {sum(counts.values())} cases, {dict(counts)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--minutes", type=float, default=2)
    parser.add_argument("--seed", type=int, default=time.time_ns() % 1_000_000_007)
    parser.add_argument("--case", type=int)
    parser.add_argument("--machine", nargs="+", default=list(MACHINES))
    given = parser.parse_args()
    if given.case is None:
        print(f"seed {given.seed}", flush=True)
        soak(given.seed, given.minutes, given.machine)
        return
    print(call_of(given.seed, given.case, given.machine)[0], flush=True)
    print(run_case(given.seed, given.case, given.machine))


if __name__ == "__main__":
    main()

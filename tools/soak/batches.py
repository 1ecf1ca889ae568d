"""Cases by number, run in processes of their own, and watched.

A case that crashes its process, hangs, gives a wrong answer or raises what no docstring names ends
the soak with exit code 1 and the command that repeats it.
"""

from __future__ import annotations

import collections
import itertools
import multiprocessing
import os
import queue
import random
import signal
import sys
import threading
import time
import warnings
from collections.abc import Sequence
from typing import Any, NoReturn

import gossamer as gs
import numpy as np

from soak import processes
from soak.calls import ALGORITHMS, Call
from soak.faults import FAULTS, REFUSALS, faults_on
from soak.graphs import Random, graph_of

#: Runs that last longer hang: each takes milliseconds.
DEADLINE = 120.0
BATCH = 100
MACHINES = (
    "cpu:1x1", "cpu:1x2", "cpu:2x1", "cpu:3x1", "cpu:2x2", "cpu:5x1",
    "sim:h200,ranks=3", "sim:peach2,ranks=4",
)  # fmt: skip


def call_of(seed: int, case: int, machines: Sequence[str]) -> tuple[str, Call, Random]:
    """Always the same for the same numbers, and what is drawn next is, too."""
    rng = np.random.default_rng([seed, case])
    graph = graph_of(rng)
    algorithm = str(rng.choice(list(ALGORITHMS)))
    machine = str(rng.choice(machines))
    call = ALGORITHMS[algorithm](graph, machine, rng)
    size = f"{graph.vertices} vertices, {graph.arcs} arcs"
    return f"{graph.name} ({size}) on {machine}: {call}", call, rng


def run_case(seed: int, case: int, machines: Sequence[str]) -> str:
    """`right` or `refused`; AssertionError or what a call should not raise."""
    _, call, rng = call_of(seed, case, machines)
    if rng.random() < 0.3:
        FAULTS[str(rng.choice(faults_on(machines)))](call, rng)
    try:
        call.check(call())
    except REFUSALS:
        return "refused"
    return "right"


def _batch(seed: int, first: int, machines: Sequence[str], note: Any) -> None:
    warnings.simplefilter("ignore", gs.ConvergenceWarning)
    warnings.simplefilter("ignore", gs.CrowdedWarning)
    for case in range(first, first + BATCH):
        note.put((case, "begun"))
        try:
            note.put((case, run_case(seed, case, machines)))
        except BaseException as error:
            note.put((case, f"{type(error).__name__}: {error}"))
            return


class _Stops:
    """Stops a process now and then, for as long as a busy machine would."""

    def __init__(self, process: int) -> None:
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._stop_and_go, args=(process,))
        self._thread.start()

    def _stop_and_go(self, process: int) -> None:
        while not self._over.wait(random.uniform(0, 2)):
            try:
                os.kill(process, signal.SIGSTOP)
                self._over.wait(random.uniform(0, 0.2))
                os.kill(process, signal.SIGCONT)
            except ProcessLookupError:
                return

    def end(self) -> None:
        """Leaves the process running."""
        self._over.set()
        self._thread.join()


def _failed(seed: int, case: int, machines: Sequence[str], how: str) -> NoReturn:
    what, _, _ = call_of(seed, case, machines)
    print(f"FAILED: {what}\n  {how}")
    print(f"  python tools/soak --seed {seed} --case {case} --machine {' '.join(machines)}")
    sys.exit(1)


def _of_processes(seed: int, first: int, counts: collections.Counter[str]) -> None:
    """A job of several processes; every third one loses one of them."""
    lose = random.random() < 1 / 3
    how = processes.job(seed, first, lose)
    if how is not None:
        print(f"FAILED: cases from {first} in processes: {how}")
        print(f"  python tools/soak --seed {seed} --case {first} --processes")
        sys.exit(1)
    counts["lost" if lose else "right"] += 1 if lose else processes.CASES


def soak(seed: int, minutes: float, machines: Sequence[str]) -> None:
    """Until the time is over; the counts are printed."""
    context = multiprocessing.get_context("spawn")
    counts: collections.Counter[str] = collections.Counter()
    end = time.monotonic() + 60 * minutes
    jobs = machines == MACHINES and processes.there_are()
    for first in itertools.count(0, BATCH):
        if jobs and first // BATCH % 4 == 3:
            _of_processes(seed, first, counts)
        note = context.Queue()
        child = context.Process(target=_batch, args=(seed, first, machines, note))
        child.start()
        assert child.pid is not None
        stops = _Stops(child.pid)
        try:
            failure = _watch(child, note, first, counts, end)
        finally:
            stops.end()
        if failure is not None or time.monotonic() >= end:
            child.kill()
        child.join()
        if failure is not None:
            _failed(seed, failure[0], machines, failure[1])
        if time.monotonic() >= end:
            break
    del counts["begun"]
    print(f"seed {seed}: {sum(counts.values())} cases, {dict(counts)}")


def _watch(
    child: Any, note: Any, first: int, counts: collections.Counter[str], end: float
) -> tuple[int, str] | None:
    """Until the batch or the time is over; the case that failed, and how."""
    case, how = first, "begun"
    heard = time.monotonic()
    while time.monotonic() < end and (case, how == "begun") != (first + BATCH - 1, False):
        alive = child.is_alive()  # before the queue is looked at: its last words count
        try:
            case, how = note.get(timeout=1)
        except queue.Empty:
            if not alive:
                return case, f"it crashed with exit code {child.exitcode}"
            if time.monotonic() - heard > DEADLINE:
                return case, f"it still ran after {DEADLINE:.0f} s"
            continue
        heard = time.monotonic()
        if how not in ("begun", "right", "refused"):
            return case, how
        counts[how] += 1
    if time.monotonic() >= end:  # it may be at work
        return None
    child.join(DEADLINE)
    if child.exitcode != 0:
        how = "did not end" if child.exitcode is None else f"had exit code {child.exitcode}"
        return case, f"its process was done, and {how}"
    return None

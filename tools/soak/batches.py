"""Cases by number, run in processes of their own, and watched.

A case that crashes its process, hangs, gives a wrong answer, raises what no docstring names or
leaves something behind ends the soak with exit code 1 and the command that repeats it.
"""

from __future__ import annotations

import collections
import itertools
import multiprocessing
import queue
import random
import sys
import time
import warnings
from collections.abc import Sequence
from typing import Any, NoReturn

import gossamer as gs
import numpy as np

from soak import leaks, processes
from soak.calls import ALGORITHMS, Call
from soak.faults import FAULTS, REFUSALS, Stops, faults_on
from soak.graphs import Random, graph_of

#: Runs that last longer hang: each takes milliseconds.
DEADLINE = 120.0
BATCH = 100
_ANSWERS = ("right", "refused")
#: How it is said of cases none of which alone leaves something behind.
_TOGETHER = "together"
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
    """Of _ANSWERS; AssertionError or what a call should not raise."""
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
    before = leaks.at_first(machines)
    last = first + BATCH - 1
    for case in range(first, first + BATCH):
        note.put((case, "begun"))
        who, how = case, _how(seed, case, machines)
        if case == last and how in _ANSWERS and (grown := leaks.in_use().beyond(before)):
            who, how = _who_leaves(seed, first, machines, grown)
        note.put((who, how))
        if how not in _ANSWERS:
            return


def _how(seed: int, case: int, machines: Sequence[str]) -> str:
    """Of _ANSWERS, or what went wrong."""
    try:
        return run_case(seed, case, machines)
    except BaseException as error:
        return f"{type(error).__name__}: {error}"


def _who_leaves(seed: int, first: int, machines: Sequence[str], grown: str) -> tuple[int, str]:
    """The first case that leaves something behind when it is run once more, and what."""
    for case in range(first, first + BATCH):
        before = leaks.in_use()
        if (how := _how(seed, case, machines)) not in _ANSWERS:
            return case, how
        if left := leaks.in_use().beyond(before):
            return case, f"it leaves {left}"
    return first, f"{_TOGETHER} {BATCH} cases leave {grown}"


def _failed(seed: int, case: int, machines: Sequence[str], how: str) -> NoReturn:
    what, _, _ = call_of(seed, case, machines)
    print(f"FAILED: {what}\n  {how}")
    more = f" --cases {BATCH}" if how.startswith(_TOGETHER) else ""
    print(f"  python tools/soak --seed {seed} --case {case}{more} --machine {' '.join(machines)}")
    sys.exit(1)


def _of_processes(seed: int, first: int, counts: collections.Counter[str]) -> None:
    """A job of several processes; of some one is lost, of others one is slow."""
    fate = random.choice(processes.FATES)
    how = processes.job(seed, first, fate)
    if how is not None:
        print(f"FAILED: cases from {first} in processes: {how}")
        print(f"  python tools/soak --seed {seed} --case {first} --processes {fate}")
        sys.exit(1)
    if fate == "lost":
        counts[fate] += 1
    else:
        counts["right" if fate == "none" else "right, of slow jobs"] += processes.CASES


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
        stops = Stops(child.pid, 0.2)  # as a busy machine would
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
        if how not in ("begun", *_ANSWERS):
            return case, how
        counts[how] += 1
    if time.monotonic() >= end:  # it may be at work
        return None
    child.join(DEADLINE)
    if child.exitcode != 0:
        how = "did not end" if child.exitcode is None else f"had exit code {child.exitcode}"
        return case, f"its process was done, and {how}"
    return None

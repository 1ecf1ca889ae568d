"""The soak: cases repeat, wrong answers are seen, and a failure says how to repeat it."""

from __future__ import annotations

import collections
import multiprocessing
import resource
import sys
import time
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gossamer as gs
import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent.parent))

from soak import batches, calls, faults, graphs, processes

MACHINES = ("cpu:1x1", "cpu:2x1")


def answers(algorithm: str) -> Iterator[tuple[calls.Call, Any]]:
    """Calls of some cases of one algorithm that were no refusals, and their results."""
    for case in range(40):
        rng = np.random.default_rng([7, case])
        graph = graphs.graph_of(rng)
        call = calls.ALGORITHMS[algorithm](graph, MACHINES[case % 2], rng)
        try:
            yield call, call()
        except faults.REFUSALS:
            continue


def altered(values: Any) -> Any:
    """The same but for the value in the middle, which is clearly another one."""
    values = np.array(values)
    middle = values[len(values) // 2]
    if values.dtype.kind == "f" and np.isfinite(middle):
        values[len(values) // 2] += 1
    else:
        values[len(values) // 2] = 0 if middle else 1
    return values


#: Of each algorithm, a result as its check sees it, with one wrong value.
WRONG: dict[str, Any] = {
    "bfs": lambda r: types.SimpleNamespace(depths=altered(r.depths), parents=r.parents),
    "sssp": lambda r: types.SimpleNamespace(distances=altered(r.distances), parents=None),
    "components": lambda r: types.SimpleNamespace(labels=altered(r.labels)),
    "pagerank": lambda r: types.SimpleNamespace(ranks=altered(r.ranks), converged=True),
    "cg": lambda r: (altered(r[0]), 0),
    "triangles": lambda r: types.SimpleNamespace(counts=altered(r.counts)),
    "core_numbers": lambda r: types.SimpleNamespace(numbers=altered(r.numbers)),
    "spanning_forest": lambda r: types.SimpleNamespace(arcs=altered(r.arcs), weight=r.weight),
    "strong_components": lambda r: types.SimpleNamespace(labels=altered(r.labels), count=r.count),
    "betweenness": lambda r: types.SimpleNamespace(scores=altered(r.scores), sources=r.sources),
    "distances": lambda r: types.SimpleNamespace(
        depths=np.array([altered(row) for row in r.depths]),
        sums=r.sums,
        eccentricities=r.eccentricities,
    ),
    "communities": lambda r: types.SimpleNamespace(
        labels=r.labels, count=r.count, modularity=r.modularity + 1e-6
    ),
    "random_walks": lambda r: types.SimpleNamespace(
        walks=np.array([altered(row) for row in r.walks]), count=r.count, steps=r.steps
    ),
    "hits": lambda r: types.SimpleNamespace(
        hubs=r.hubs, authorities=altered(r.authorities), converged=r.converged, change=r.change
    ),
    "katz": lambda r: types.SimpleNamespace(values=altered(r.values)),
    "eigenvector": lambda r: types.SimpleNamespace(values=altered(r.values), change=r.change),
    "greedy": lambda r: (r[0], altered(r[1])),
    "program": lambda r: types.SimpleNamespace(values=altered(r.values)),
    "steps": altered,
    "filter": lambda r: types.SimpleNamespace(values=altered(r.values)),
    "placed": lambda r: [altered(r[0]), *r[1:]],
}


def test_a_case_is_always_the_same() -> None:
    texts = [batches.call_of(3, case, MACHINES)[0] for case in range(20)]
    assert texts == [batches.call_of(3, case, MACHINES)[0] for case in range(20)]
    assert len(set(texts)) > 15
    assert texts != [batches.call_of(4, case, MACHINES)[0] for case in range(20)]


@pytest.mark.filterwarnings("ignore::gossamer.ConvergenceWarning")
@pytest.mark.parametrize("algorithm", calls.ALGORITHMS)
def test_one_wrong_value_is_seen(algorithm: str) -> None:
    seen = 0
    for call, result in answers(algorithm):
        if "residual" in str(call) or not getattr(result, "converged", True):
            continue
        call.check(result)
        if (algorithm == "cg" and result[1]) or (algorithm == "filter" and not len(result.values)):
            continue
        with pytest.raises((AssertionError, gs.VerificationError)):
            call.check(WRONG[algorithm](result))
        seen += 1
    assert seen > 5


@pytest.mark.parametrize("fault", faults.FAULTS)
def test_a_fault_strikes(fault: str) -> None:
    given: list[dict[str, Any]] = []
    room = []

    def run(**options: Any) -> None:
        given.append(options)
        room.append(resource.getrlimit(resource.RLIMIT_AS)[0])
        time.sleep(0.05)

    began = time.monotonic()
    call = calls.Call("nothing", run, lambda result: None)
    faults.FAULTS[fault](call, np.random.default_rng(1))
    took = time.monotonic() - began
    if fault == "interrupt":
        assert took < 0.05
    elif fault == "starved":
        assert room[0] != resource.getrlimit(resource.RLIMIT_AS)[0]
    else:
        assert list(given[0]) == [{"deadline": "timeout", "limit": "memory"}[fault]]


def test_a_failure_says_how_to_repeat_it(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        batches._failed(7, 5, MACHINES, "AssertionError: depths")
    assert ended.value.code == 1
    said = capsys.readouterr().out
    assert said.startswith("FAILED: ") and "AssertionError: depths" in said
    assert "python tools/soak --seed 7 --case 5 --machine cpu:1x1 cpu:2x1" in said


DONE = f"note.put(({batches.BATCH - 1}, 'right'))"


@pytest.mark.parametrize(
    ("script", "how"),
    [
        ("import os; os.kill(os.getpid(), 9)", "it crashed with exit code -9"),
        ("note.put((1, 'begun')); note.put((1, 'ValueError: x'))", "ValueError: x"),
        ("import time; time.sleep(60)", "it still ran after 3 s"),
        (f"{DONE}; raise SystemExit(3)", "its process was done, and had exit code 3"),
        (f"{DONE}; import time; time.sleep(60)", "its process was done, and did not end"),
    ],
)
def test_what_goes_wrong_is_seen(script: str, how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "DEADLINE", 3)
    context = multiprocessing.get_context("fork")
    note = context.Queue()
    child = context.Process(target=exec, args=(script, {"note": note}))
    child.start()
    failure = batches._watch(child, note, 0, collections.Counter(), time.monotonic() + 30)
    child.kill()
    child.join()
    assert failure is not None
    assert failure[1] == how


@pytest.mark.parametrize("lose", [False, True])
def test_a_job_of_processes(lose: bool) -> None:
    if not processes.there_are():
        pytest.skip("needs a build with MPI, and Open MPI's launcher")
    assert processes.job(5, 0, lose) is None


def test_some_seconds_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    batches.soak(11, 0.1, MACHINES)
    assert "'right': " in capsys.readouterr().out


def test_gpus_are_left_their_address_space() -> None:
    assert "starved" in faults.faults_on(["cpu:1x1", "sim:h200,ranks=3"])
    assert "starved" not in faults.faults_on(["cpu:1x2+cuda:0"])

"""The soak: cases repeat, wrong answers are seen, and a failure says how to repeat it."""

from __future__ import annotations

import collections
import multiprocessing
import os
import queue
import re
import resource
import subprocess
import sys
import threading
import time
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gossamer as gs
import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent.parent))

from soak import batches, calls, faults, graphs, leaks, processes

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


@pytest.mark.parametrize("fault", [fault for fault in faults.FAULTS if fault != "full"])
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


# --- full disks -----------------------------------------------------------------------------------


def only(
    kind: str, write: Callable[..., None], monkeypatch: pytest.MonkeyPatch, devices: bool = False
) -> None:
    """Nothing else is written, and in this way."""
    _, is_whole, suffixes, _ = faults.OUTPUTS[kind]
    monkeypatch.setattr(faults, "OUTPUTS", {kind: (write, is_whole, suffixes, devices)})


def fill(times: int = 30) -> None:
    call = calls.Call("nothing", lambda **_: None, lambda result: None)
    for n in range(times):
        faults.FAULTS["full"](call, np.random.default_rng([3, n]))


@pytest.mark.parametrize("kind", faults.OUTPUTS)
def test_a_full_disk_is_met(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    write, _, _, devices = faults.OUTPUTS[kind]
    said: list[str] = []

    def noted(graph: gs.Graph, path: Path) -> None:
        try:
            write(graph, path)
        except gs.Error as error:
            said.append(str(error))
            raise
        said.append("")

    only(kind, noted, monkeypatch, devices)
    fill()
    assert any("File too large" in text for text in said) and "" in said
    assert devices == any("No space left" in text for text in said)
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] == resource.RLIM_INFINITY


def _in_parts(graph: gs.Graph, path: Path) -> None:
    """Tells the truth, and has overwritten what was there."""
    path.write_bytes(b"")
    raise gs.Error(f"{path}: cannot be written: File too large")


def _leaving(graph: gs.Graph, path: Path) -> None:
    (path.parent / ".gossamer-1-2.partial").touch()
    raise gs.Error(f"{path}: cannot be written: File too large")


def _silent(graph: gs.Graph, path: Path) -> None:
    with open(path, "wb", buffering=0) as file:
        np.savez(file, ends=graph.indices[:-1])


def _of_many_lines(graph: gs.Graph, path: Path) -> None:
    raise gs.Error(f"{path}: cannot be written\nFile too large")


@pytest.mark.parametrize(
    ("write", "seen"),
    [
        (_in_parts, "part of a file, after .*File too large"),
        (_leaving, "has {'.gossamer-1-2.partial'}"),
        (_silent, "part of a file, after success|File too large"),
        (_of_many_lines, "a full disk: Error: "),
    ],
)
def test_what_a_full_disk_leaves_is_seen(
    write: Callable[..., None], seen: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    only("result", write, monkeypatch)
    with pytest.raises((AssertionError, OSError), match=seen):
        fill()


def test_a_device_that_takes_all_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    only("trace", lambda graph, path: None, monkeypatch, devices=True)
    with pytest.raises(AssertionError, match="trace: /dev/full took it"):
        fill()


# --- what is left behind --------------------------------------------------------------------------

KEPT: list[Any] = []


def _a_graph(case: int) -> None:
    KEPT.append(gs.generate(f"path:{1000 + case}"))


def _a_result(case: int) -> None:
    KEPT.append(gs.bfs(gs.generate("star:1000"), 0, "cpu:2x1").depths)


def _a_file(case: int) -> None:
    KEPT.append(open(os.devnull))  # noqa: SIM115


def _a_pipe(case: int) -> None:
    KEPT.extend(os.fdopen(one) for one in os.pipe())


def _threads(case: int) -> None:
    over = threading.Event()
    for _ in range(leaks.IDLE + 1):
        threading.Thread(target=over.wait, daemon=True).start()
    KEPT.append(types.SimpleNamespace(close=over.set))


def _once(case: int) -> None:
    """A file, in the first run alone."""
    if not KEPT:
        _a_file(case)


def _nothing(case: int) -> None:
    graph = gs.generate("star:1000")
    gs.bfs(graph, 0, "cpu:3x1")
    gs.bfs(gs.Machine("cpu:2x1").place(graph), 0)


@pytest.mark.parametrize(
    ("plant", "case", "said"),
    [
        (_a_graph, 6, "it leaves .* bytes of host memory"),
        (_a_result, 6, "it leaves .* bytes of host memory"),
        (_a_file, 6, "it leaves 1 of /dev/null"),
        (_a_pipe, 6, "it leaves 2 of pipe"),
        (_threads, 6, "it leaves .* threads"),
        (_once, 5, "together 4 cases leave 1 of /dev/null"),
        (_nothing, 8, "right"),
    ],
)
def test_a_leak_is_seen(
    plant: Callable[[int], None], case: int, said: str,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    def run(seed: int, number: int, machines: Any) -> str:
        if number == 6 or plant is _nothing:
            plant(number)
        return "right"

    monkeypatch.setattr(batches, "BATCH", 4)
    monkeypatch.setattr(batches, "run_case", run)
    note: queue.SimpleQueue[tuple[int, str]] = queue.SimpleQueue()
    batches._batch(7, 5, MACHINES, note)
    last = (0, "")
    while not note.empty():
        last = note.get()
    for one in KEPT:
        getattr(one, "close", lambda: None)()
    KEPT.clear()
    assert last[0] == case
    assert re.fullmatch(said, last[1])
    if plant is not _nothing:
        with pytest.raises(SystemExit):
            batches._failed(7, case, MACHINES, last[1])
        together = " --cases 4" if plant is _once else ""
        assert f"--seed 7 --case {case}{together} --machine" in capsys.readouterr().out


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


@pytest.mark.parametrize("fate", processes.FATES)
def test_a_job_of_processes(fate: str) -> None:
    if not processes.there_are():
        pytest.skip("needs a build with MPI, and Open MPI's launcher")
    assert processes.job(5, 0, fate) is None


def test_who_is_slow_was_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("random.uniform", lambda least, most: most / 4)
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as child:
        stops = faults.Stops(child.pid, 1.0)
        states: set[str] = set()
        end = time.monotonic() + 30
        while time.monotonic() < end and not (stops.count and {"T", "R"} <= states):
            states.add(Path(f"/proc/{child.pid}/stat").read_text().rpartition(")")[2].split()[0])
        stops.end()
        after = Path(f"/proc/{child.pid}/stat").read_text().rpartition(")")[2].split()[0]
        child.kill()
    assert {"T", "R"} <= states
    assert after != "T"


def test_some_seconds_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    batches.soak(11, 0.25, MACHINES)
    assert "'right': " in capsys.readouterr().out


def test_gpus_are_left_their_address_space() -> None:
    assert "starved" in faults.faults_on(["cpu:1x1", "sim:h200,ranks=3"])
    assert "starved" not in faults.faults_on(["cpu:1x2+cuda:0"])

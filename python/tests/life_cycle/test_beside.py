"""Machines beside and inside each other, and interpreters beside each other."""

from __future__ import annotations

import gc
import itertools
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

import gossamer as gs
import numpy as np
import pytest

SPECS = ("cpu:1x1", "cpu:2x1", "cpu:1x2", "sim:peach2,ranks=2")
PAIRS = list(itertools.combinations_with_replacement(SPECS, 2))


@pytest.fixture(scope="module")
def graph() -> gs.Graph:
    return gs.kronecker(8)


def search(graph: gs.Graph, spec: str) -> Callable[[], bytes]:
    """Depths, by a machine of its own."""
    prepared = gs.BfsSearch(gs.Machine(spec).place(graph))
    return lambda: prepared.run(1).depths.tobytes()


@pytest.mark.parametrize("pair", PAIRS, ids="+".join)
def test_two_machines_in_one_thread(graph: gs.Graph, pair: tuple[str, str]) -> None:
    first, second = (search(graph, spec) for spec in pair)
    expected = gs.bfs(graph, 1, "cpu:1x1").depths.tobytes()
    assert [f() for f in (first, second) * 4] == [expected] * 8


@pytest.mark.parametrize("pair", PAIRS, ids="+".join)
def test_two_machines_in_two_threads(graph: gs.Graph, pair: tuple[str, str]) -> None:
    expected = gs.bfs(graph, 1, "cpu:1x1").depths.tobytes()
    answers: list[bytes] = []
    both = threading.Barrier(2)

    def work(one: Callable[[], bytes]) -> None:
        both.wait(60)
        answers.extend(one() for _ in range(10))

    threads = [threading.Thread(target=work, args=(search(graph, spec),)) for spec in pair]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert answers == [expected] * 20


@pytest.mark.parametrize("pair", PAIRS, ids="+".join)
def test_a_machine_goes_while_another_runs(graph: gs.Graph, pair: tuple[str, str]) -> None:
    running = search(graph, pair[0])
    expected = running()
    ends = threading.Event()
    wrong: list[bytes] = []

    def work() -> None:
        while not ends.is_set():
            if (answer := running()) != expected:
                wrong.append(answer)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        for _ in range(10):
            assert search(graph, pair[1])() == expected
            gc.collect()
    finally:
        ends.set()
        thread.join(120)
    assert not wrong


def test_a_machine_that_python_drops_serves_its_run() -> None:
    """What is prepared holds it, and so does a run that goes on."""
    searches = [search(gs.kronecker(8), "cpu:2x1")]
    answers: list[bytes] = []
    ready = threading.Event()

    def work() -> None:
        one = searches[0]
        ready.set()
        answers.extend(one() for _ in range(50))

    thread = threading.Thread(target=work)
    thread.start()
    ready.wait(60)
    searches.clear()
    gc.collect()
    thread.join(120)
    assert len(set(answers)) == 1 and len(answers) == 50


#: Of two ranks, which a link needs.
OUTER = ("cpu:2x1", "sim:peach2,ranks=2")


def inside(outer: str, work: Callable[[gs.Machine], Any]) -> list[Any]:
    """What `work` says on the ranks of a program."""
    wiring = gs.dataflow.Wiring(outer)
    link = wiring.connect(wiring.rank(0), wiring.rank(1))
    said: list[Any] = []

    def program(flow: Any) -> None:
        said.append(work(wiring.machine))
        if flow.rank == 0:
            flow[link].shutdown()

    wiring.run(program)
    return said


@pytest.mark.parametrize("inner", SPECS)
@pytest.mark.parametrize("outer", OUTER)
def test_a_run_of_another_machine_inside_a_run(graph: gs.Graph, outer: str, inner: str) -> None:
    expected = gs.bfs(graph, 1, "cpu:1x1").depths
    said = inside(outer, lambda _: gs.bfs(graph, 1, gs.Machine(inner)).depths)
    assert len(said) == 2
    for depths in said:
        np.testing.assert_array_equal(depths, expected)


@pytest.mark.parametrize("outer", OUTER)
def test_a_run_inside_a_run_of_its_machine_is_refused(graph: gs.Graph, outer: str) -> None:
    with pytest.raises(gs.UsageError) as refused:
        inside(outer, lambda machine: gs.bfs(graph, 1, machine).depths)
    assert str(refused.value) == (
        f"machine '{outer}': run() from inside a run of the same machine, which would wait for "
        "itself"
    )
    assert inside(outer, lambda machine: machine.size) == [2, 2]  # it is as good as before


SUBINTERPRETER = """
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
import sys

def refused():
    one = interpreters.create()
    program = '''
try:
    import gossamer
except ImportError as error:
    print(error)
'''
    if hasattr(interpreters, "exec"):
        interpreters.exec(one, program)
    else:
        interpreters.run_string(one, program)
    interpreters.destroy(one)

def works():
    import gossamer as gs
    graph = gs.kronecker(6)
    assert gs.bfs(graph, 1, "cpu:2x1").reached == gs.bfs(graph, 1, "cpu:1").reached
    try:
        gs.generate("nonsense")
    except gs.UsageError as error:
        assert "nonsense" in str(error)

for step in sys.argv[1]:
    refused() if step == "s" else works()
    sys.stdout.flush()
"""


@pytest.mark.parametrize("order", ["s", "sm", "ms", "msm", "smsm", "mssm"])
def test_a_subinterpreter_is_refused_and_breaks_nothing(
    environment: dict[str, str], order: str
) -> None:
    """s: an import in a subinterpreter, m: work in the main one."""
    done = subprocess.run(
        [sys.executable, "-c", SUBINTERPRETER, order], env=environment, capture_output=True,
        text=True, timeout=120, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    line = (
        "gossamer serves one interpreter of a process, the main one, and not its "
        "subinterpreters: use threads, or another process"
    )
    assert done.stdout.splitlines() == [line] * order.count("s")

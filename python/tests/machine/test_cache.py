"""What calls keep for later ones, and when it goes."""

from __future__ import annotations

import gc
import subprocess
import sys
import threading

import gossamer as gs
import numpy as np
import pytest


@pytest.fixture(autouse=True)
def nothing_kept():
    gs.cache().clear()
    yield
    gs.cache().clear()


@pytest.fixture
def graph():
    return gs.kronecker(12, weights=True)


def kinds():
    return sorted(entry.kind for entry in gs.cache().entries)


def calls_on(graph, machine):
    source = gs.draw_sources(graph, 1)[0]
    return {
        "bfs": lambda: gs.bfs(graph, source, machine).depths,
        "sssp": lambda: gs.sssp(graph, source, machine).distances,
        "components": lambda: gs.components(graph, machine).labels,
        "pagerank": lambda: gs.pagerank(graph, machine).ranks,
    }


@pytest.mark.parametrize("machine", ["cpu:1", "cpu:3"])
def test_second_calls_find_what_first_ones_left(graph, machine):
    where = gs.Machine(machine)
    for kind, call in calls_on(graph, where).items():
        first = call()
        assert kind in kinds()
        size = len(gs.cache())
        assert np.array_equal(call(), first)
        assert len(gs.cache()) == size
        (entry,) = [e for e in gs.cache().entries if e.kind == kind]
        assert entry.uses == 1 and entry.machine == machine and entry.graph == graph.name
    # On several ranks bfs has ranges of as many vertices, others of as many arcs.
    placements = ["placement"] * (1 if machine == "cpu:1" else 2)
    assert kinds() == ["bfs", "components", "pagerank", *placements, "sssp"]


def test_a_placement_is_found_by_searches(graph):
    machine = gs.Machine("cpu:2")
    placed = machine.place(graph, partition="hash")
    again = machine.place(graph, partition="hash")
    other = machine.place(graph)
    assert [e.kind for e in gs.cache().entries] == ["placement"] * 2
    assert placed.uploads == again.uploads == other.uploads == 1
    del placed, again, other


def test_options_tell_entries_apart(graph):
    machine = gs.Machine("cpu:1")
    slow = gs.pagerank(graph, machine, damping=0.5).ranks
    fast = gs.pagerank(graph, machine, damping=0.85).ranks
    assert not np.array_equal(slow, fast)
    assert kinds() == ["pagerank", "pagerank"]
    assert np.array_equal(gs.pagerank(graph, machine, damping=0.5).ranks, slow)


def test_it_goes_with_the_graph(graph):
    machine = gs.Machine("cpu:1")
    graph_of_this_test = gs.kronecker(10)
    result = gs.bfs(graph_of_this_test, 0, machine)
    gs.components(graph, machine)
    del graph_of_this_test
    gc.collect()
    assert "bfs" in kinds()  # a search tree has its graph
    del result
    gc.collect()
    assert kinds() == ["components", "placement"]


def test_it_goes_with_the_machine(graph):
    machine = gs.Machine("cpu:1")
    gs.components(graph, machine)
    gs.bfs(graph, 0, machine)
    assert kinds() == ["bfs", "components", "placement"]
    del machine
    gc.collect()
    assert len(gs.cache()) == 0


def test_forget(graph):
    machine = gs.Machine("cpu:1")
    other = gs.kronecker(8)
    gs.components(graph, machine)
    gs.components(other, machine)
    graph.forget()
    assert {e.graph for e in gs.cache().entries} == {other.name}
    graph.forget()
    gs.cache().clear()
    assert len(gs.cache()) == 0
    assert repr(gs.cache()) == "Cache: nothing is kept"


def test_what_is_in_use_stays_usable(graph):
    machine = gs.Machine("cpu:1")
    search = gs.SsspSearch(graph, machine)
    (entry,) = gs.cache().entries
    assert entry.in_use
    first = search.run(1).distances
    graph.forget()
    assert len(gs.cache()) == 0
    assert np.array_equal(search.run(1).distances, first)


def test_one_user_at_a_time(graph):
    machine = gs.Machine("cpu:1")
    one, two = gs.SsspSearch(graph, machine), gs.SsspSearch(graph, machine)
    assert kinds() == ["sssp", "sssp"]
    assert np.array_equal(one.run(3).distances, two.run(3).distances)
    del one, two
    gc.collect()
    gs.sssp(graph, 3, machine)
    assert kinds() == ["sssp", "sssp"]


def test_two_threads(graph):
    machine = gs.Machine("cpu:1")
    expected = {kind: call() for kind, call in calls_on(graph, machine).items()}
    failures = []

    def work():
        for kind, call in calls_on(graph, machine).items():
            for _ in range(5):
                if not np.array_equal(call(), expected[kind]):
                    failures.append(kind)
            graph.forget()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not failures


def test_a_failed_run_leaves_nothing(graph):
    machine = gs.Machine("cpu:1")
    with pytest.raises(gs.Timeout):
        gs.pagerank(gs.kronecker(16), machine, tolerance=0, max_iterations=10**9, timeout=0.2)
    assert "pagerank" not in kinds()
    with pytest.raises(gs.UsageError):
        gs.sssp(graph, 1 << 30, machine)
    assert kinds() == ["sssp"]


def test_a_budget(monkeypatch, graph):
    machine = gs.Machine("cpu:1")
    monkeypatch.setenv("GOSSAMER_KEEP", "0")
    gs.components(graph, machine)
    gs.sssp(graph, 0, machine)
    assert len(gs.cache()) == 0
    monkeypatch.setenv("GOSSAMER_KEEP", "100G")
    gs.sssp(graph, 0, machine)
    (entry,) = gs.cache().entries
    taken = entry.bytes["host"]
    # Room for one of them: the older makes way.
    monkeypatch.setenv("GOSSAMER_KEEP", str(taken + taken // 2))
    gs.sssp(graph, 0, machine, delta=8)
    (younger,) = gs.cache().entries
    assert younger.uses == 0 and gs.cache().bytes["host"] <= taken + taken // 2
    monkeypatch.setenv("GOSSAMER_KEEP", "1K")
    gs.sssp(graph, 0, machine, delta=16)
    assert len(gs.cache()) == 1  # too large for it, and in nobody's way
    monkeypatch.setenv("GOSSAMER_KEEP", "much")
    with pytest.raises(gs.UsageError, match="GOSSAMER_KEEP: not a number of bytes: 'much'"):
        gs.sssp(graph, 0, machine, delta=32)


def test_a_plan_that_needs_the_room(graph):
    machine = gs.Machine("cpu:1")
    gs.sssp(graph, 0, machine)
    plan = gs.SsspSearch.plan(graph, machine)
    kept = gs.cache().bytes["host"]
    assert plan.kept == {"host": kept}
    needed = gs.SsspSearch.plan(graph, machine).total
    gs.sssp(graph, 0, machine, memory=needed + kept + 1)
    assert kinds() == ["sssp", "sssp"]
    gs.cache().clear()
    gs.sssp(graph, 0, machine)
    gs.sssp(graph, 0, machine, memory=needed + 1)
    assert [e.uses for e in gs.cache().entries] == [0]
    with pytest.raises(gs.CapacityError):
        gs.sssp(graph, 0, machine, memory=needed // 2)
    assert len(gs.cache()) == 1  # what is refused drops nothing


def test_arrays_of_the_caller_go_with_the_graph():
    """What is kept holds the caller's arrays, and lets go of them with the graph."""
    gs.cache().clear()
    indptr = np.array([0, 1, 2], dtype=np.int64)
    indices = np.array([1, 0], dtype=np.int32)
    before = sys.getrefcount(indices)
    graph = gs.from_csr(indptr, indices, symmetric=True)
    gs.components(graph, "cpu:1")
    assert sys.getrefcount(indices) > before
    del graph
    gc.collect()
    assert sys.getrefcount(indices) == before


def test_at_exit():
    """Objects that end with the interpreter, in any order."""
    code = (
        "import gossamer as gs\n"
        "g = gs.kronecker(10, weights=True)\n"
        "m = gs.Machine('cpu:2')\n"
        "s = gs.SsspSearch(g, m)\n"
        "gs.bfs(g, 0, m); gs.pagerank(g, m); gs.components(g)\n"
        "print(len(gs.cache()))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "7\n", "")

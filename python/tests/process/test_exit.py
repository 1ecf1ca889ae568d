"""The interpreter's exit while calls go on: it ends with its own code, soon, and says nothing."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

#: What daemon threads do for ever, as `call`, after what it needs.
CALLS = {
    "bfs": """
        search = gs.BfsSearch(gs.Machine("cpu:2x1").place(gs.road(800, 0.9)), direction="bottom-up")
        call = lambda: search.run(0)""",
    "many short searches": """
        graph = gs.road(20, 0.9)
        call = lambda: gs.bfs(graph, 0, "cpu:1")""",
    "sssp": """
        graph = gs.road(400, 0.9)
        call = lambda: gs.sssp(graph, 0, "cpu:2x1")""",
    "pagerank": """
        graph = gs.kronecker(15)
        call = lambda: gs.pagerank(graph, "cpu:2x1", tolerance=1e-300, max_iterations=100000)""",
    "betweenness": """
        graph = gs.kronecker(13)
        call = lambda: gs.betweenness(graph, "cpu:2x1")""",
    "steps": """
        graph = gs.kronecker(13)
        call = lambda: gs.hits(graph, "cpu:2x1", tolerance=1e-300, max_iterations=10**6)""",
    "vertex program": """
        graph = gs.road(400, 0.9)
        program = gs.vertex_program("min", "value + 1", "int32")
        call = lambda: program.run(graph, 0, "cpu:2x1")""",
    "generate": """
        call = lambda: gs.kronecker(22)""",
    "progress": """
        call = lambda: gs.kronecker(22, progress=lambda done, total: None)""",
    "read": """
        gs.road(300, 0.9).write("graph.mtx")
        call = lambda: gs.read("graph.mtx")""",
    "arrays": """
        import numpy as np
        ids = np.random.default_rng(1).integers(0, 1 << 18, (2, 1 << 21), dtype=np.int32)
        call = lambda: gs.from_edges(*ids, symmetrize=True)""",
}

LOOP = """
import sys, threading, time
import gossamer as gs
{}
def loop():
    while True:
        call()
for _ in range(2):
    threading.Thread(target=loop, daemon=True).start()
time.sleep(0.2)
sys.exit(5)
"""


def run(
    program: str, environment: dict[str, str], folder: Path
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=environment,
        cwd=folder, timeout=120, check=False,
    )  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_daemon_threads_end_with_the_interpreter(
    name: str, environment: dict[str, str], tmp_path: Path
) -> None:
    lines = [line.removeprefix(" " * 8) for line in CALLS[name].splitlines()]
    for _ in range(2):
        done = run(LOOP.format("\n".join(lines)), environment, tmp_path)
        assert (done.returncode, done.stdout, done.stderr) == (5, "", "")


def test_their_calls_end_as_threads_do(environment: dict[str, str], tmp_path: Path) -> None:
    """What was registered before this package comes after its end of calls."""
    program = """
import atexit, threading, time
def later():
    thread.join(20)
    print("joined" if not thread.is_alive() else "hangs", gs.kronecker(4).vertices)
atexit.register(later)
import gossamer as gs
def work():
    try:
        while True: gs.kronecker(22)
    finally:
        try: gs.kronecker(4)
        except SystemExit: print("ended")
thread = threading.Thread(target=work, daemon=True)
thread.start()
time.sleep(0.2)
"""
    done = run(program, environment, tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "ended\njoined 16\n", "")


def test_a_progress_function_that_does_not_return(
    environment: dict[str, str], tmp_path: Path
) -> None:
    """It returns when Python has ended its threads, while objects are taken down."""
    program = """
import builtins, threading, time
import gossamer as gs
waits = threading.Event()
ends = time.monotonic() + 6.5
def progress(done, total):
    waits.set()
    time.sleep(max(0, ends - time.monotonic()))
threading.Thread(target=lambda: gs.kronecker(22, progress=progress), daemon=True).start()
waits.wait()
class last:
    def __del__(self, sleep=time.sleep, now=time.monotonic, until=ends + 0.5):
        sleep(max(0, until - now()))
builtins.last = last()
"""
    begun = time.monotonic()
    done = run(program, environment, tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert time.monotonic() - begun < 30


def test_children_do_not_wait_for_their_parents_threads(
    environment: dict[str, str], tmp_path: Path
) -> None:
    program = """
import os, sys, threading, time, warnings
import gossamer as gs
warnings.simplefilter("ignore")
threading.Thread(target=lambda: gs.kronecker(22), daemon=True).start()
time.sleep(0.2)
child = os.fork()
if child == 0:
    sys.exit(7)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    done = run(program, environment, tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (7, "", "")


def test_work_left_behind_outlives_its_machine(environment: dict[str, str], tmp_path: Path) -> None:
    program = """
import os, signal, sys, threading
import gossamer as gs
search = gs.BfsSearch(gs.Machine("cpu:2x1").place(gs.road(800, 0.9)), direction="bottom-up")
threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    while True: search.run(0)
except KeyboardInterrupt:
    del search
sys.exit(5)
"""
    done = run(program, environment, tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (5, "", "")

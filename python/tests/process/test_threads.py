"""Long work holds no GIL, and Ctrl-C ends it within a second."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import gossamer as gs
import numpy as np
import pytest
from gossamer import _gossamer

# Enough work for several seconds, whatever the machine: the run is always interrupted.
BIG = """
import numpy as np
ids = np.random.default_rng(1).integers(0, 1 << 20, (2, 1 << 23), dtype=np.int32)
graph = gs.from_edges(*ids)
"""
PROGRAMS = {
    "statistics": f"""{BIG}
print("ready", flush=True)
while True: graph.statistics(triangles=True)
""",
    "build": f"""{BIG}
print("ready", flush=True)
while True: graph.rebuild(symmetrize=True, deduplicate=True)
""",
    "edges": f"""{BIG}
print("ready", flush=True)
while True: gs.from_edges(*ids, symmetrize=True)
""",
    "write": f"""{BIG}
print("ready", flush=True)
while True: graph.write("out.mtx")
""",
    "place": f"""{BIG}
machine = gs.Machine("cpu:2x1")
print("ready", flush=True)
while True: machine.place(graph, partition="hash", renumber="degree")
""",
    "metis": f"""{BIG}
print("ready", flush=True)
while True: graph.partition("metis", 64)
""",
    "bfs": """
graph = gs.road(1500, 0.9)
search = gs.BfsSearch(gs.Machine("cpu:2x1").place(graph), direction="bottom-up")
print("ready", flush=True)
while True: search.run(0)
""",
    **{
        name: f"""
graph = gs.kronecker({scale})
print("ready", flush=True)
while True: {call}
"""
        for name, scale, call in (
            ("triangles", 19, "gs.triangles(graph, 'cpu:2x1')"),
            ("betweenness", 15, "gs.betweenness(graph, 'cpu:2x1')"),
            ("closeness", 17, "gs.closeness(graph, machine='cpu:2x1')"),
            ("communities", 17, "gs.communities(graph, 'cpu:1x2')"),
            ("random walks", 14, "gs.random_walks(graph, walks=2000, machine='cpu:2x1')"),
            ("steps", 14, "gs.hits(graph, 'cpu:2x1', tolerance=1e-300, max_iterations=10**6)"),
        )
    },
    "generate": """
print("ready", flush=True)
while True: gs.kronecker(22)
""",
    "verify": """
result = gs.bfs(gs.kronecker(16), 0)
print("ready", flush=True)
while True: result.verify(threads=1)
""",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_ctrl_c_returns_within_a_second(
    name: str, environment: dict[str, str], tmp_path: Path
) -> None:
    if name == "metis" and not gs._gossamer.build_info()["features"]["metis"]:
        pytest.skip("built without METIS")
    program = f"import gossamer as gs, os\ntry:\n{_indent(PROGRAMS[name])}\n" + (
        "except KeyboardInterrupt:\n print('interrupted', flush=True)\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        cwd=tmp_path,
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n", process.communicate()[1]
        time.sleep(0.4)
        start = time.monotonic()
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "interrupted\n", process.communicate()[1]
        # 1 s for the work, and what two busy cores add.
        assert time.monotonic() - start < 2
        # Nothing was left running: the interpreter waits for abandoned work, and it ends at once.
        assert process.wait(10) == 0
        assert time.monotonic() - start < 4
        assert [p.name for p in tmp_path.iterdir() if p.name != "out.mtx"] == []
    finally:
        process.kill()
        process.communicate()


def _indent(text: str) -> str:
    return "\n".join(" " + line for line in text.strip().splitlines())


def test_a_search_runs_again_after_ctrl_c() -> None:
    graph = gs.road(300, 0.9)
    search = gs.BfsSearch(gs.Machine("cpu:2x1").place(graph), direction="bottom-up")
    timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        while True:
            search.run(0)
    result = search.run(0)
    result.verify()
    assert search.placed.uploads == 1


def test_time_limit_of_a_verification() -> None:
    # Unsorted, so that each of n tree edges is looked for among n / 2 arcs on average: minutes.
    n = 600_000
    leaves = np.random.default_rng(1).permutation(np.arange(1, n, dtype=np.int32))
    offsets = np.full(n + 1, n - 1)
    offsets[0] = 0
    star = gs.from_csr(offsets, leaves, sorted=False, symmetric=False)
    parents = np.zeros(n, np.int64)
    depths = np.ones(n, np.int32)
    depths[0] = 0
    start = time.monotonic()
    with pytest.raises(gs.Timeout, match=r"the verification did not end within 0\.05 s"):
        gs.verify_bfs(star, 0, parents, depths, threads=1, timeout=0.05)
    _gossamer.join_abandoned()  # whatever went on would be waited for
    assert time.monotonic() - start < 20
    with pytest.raises(gs.UsageError, match="not a positive number"):
        gs.verify_bfs(star, 0, parents, depths, timeout=0.0)


def test_time_limit() -> None:
    graph = gs.road(1500, 0.95)
    placed = gs.Machine("cpu:1x1").place(graph)
    search = gs.BfsSearch(placed, direction="bottom-up", timeout=0.06)
    with pytest.raises(gs.Timeout, match=r"did not end within 0\.06 s") as caught:
        search.run(0)
    assert isinstance(caught.value, TimeoutError)
    assert caught.value.exit_code == 4


def test_no_gil_is_held() -> None:
    counted = 0
    done = threading.Event()

    def work() -> None:
        gs.kronecker(17, threads=1)
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    longest, last = 0.0, time.perf_counter()
    while not done.is_set():
        counted += 1
        now = time.perf_counter()
        longest, last = max(longest, now - last), now
    thread.join()
    assert counted > 1000
    # A call that held the GIL would stop this loop for as long as it takes.
    assert longest < 0.5


def test_threads_search_at_the_same_time() -> None:
    graph = gs.kronecker(12)
    sources = gs.draw_sources(graph, 4)
    expected = {s: gs.bfs(graph, s, "cpu:1x1").depths for s in sources}
    placed = gs.Machine("cpu:2x1").place(graph)  # runs of one machine take turns
    shared = gs.BfsSearch(placed)
    failures: list[object] = []

    def run(source: int) -> None:
        try:
            for _ in range(10):
                for result in (shared.run(source), gs.bfs(graph, source, gs.Machine("cpu:1x1"))):
                    assert result.source == source
                    assert np.array_equal(result.depths, expected[source])
        except BaseException as error:  # noqa: BLE001  # the test tells
            failures.append(error)

    threads = [threading.Thread(target=run, args=(s,)) for s in sources]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert failures == []


def test_progress_is_called_and_may_stop_the_work() -> None:
    seen: list[tuple[int, int]] = []
    gs.kronecker(18, progress=lambda done, total: seen.append((done, total)))
    assert seen and all(0 <= done <= total for done, total in seen)

    def refuse(done: int, total: int) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        gs.kronecker(18, progress=refuse)


NO_ROOM = """
import resource
import gossamer as gs
pages = int(open("/proc/self/statm").read().split()[0])
most = resource.getrlimit(resource.RLIMIT_AS)[1]
resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + (4 << 20), most))
try:
    gs.generate("kron:4")
except gs.Error as error:
    print(error)
resource.setrlimit(resource.RLIMIT_AS, (most, most))
print(gs.generate("kron:4").vertices)
"""


def test_a_thread_that_cannot_be_started_is_one_line(environment: dict[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", NO_ROOM],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout.splitlines() == [
        "the system refuses what this needs: Resource temporarily unavailable",
        "16",
    ], done.stderr


FIRST_THROWS = """
import os, resource
import numpy as np
import gossamer as gs

def ends_with(more):
    child = os.fork()  # its first run starts its first threads
    if child != 0:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    pages = int(open("/proc/self/statm").read().split()[0])
    most = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + more, most))
    try:
        gs.filter(np.arange(11402), ">=678", "cpu:3x1")
    except (gs.Error, MemoryError):
        os._exit(4)
    os._exit(0)

# Room for the stacks of three threads, and for some of what they need besides.
print(*sorted({ends_with(more) for more in [*range(25_000_000, 29_000_000, 50_000), 1 << 30]}))
"""


def test_new_threads_can_throw_where_memory_is_short(environment: dict[str, str]) -> None:
    """The C library ends a process whose thread finds no memory for its first throw."""
    done = subprocess.run(
        [sys.executable, "-c", FIRST_THROWS],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout.split() == ["0", "4"], done.stderr

"""The process that something happens to: what it does meanwhile, and what it makes of it.

    subject.py STATE EVENT

Run by test_matrix.py in an empty folder. It says `ready` when it is at work, and at its end what
the event is to lead to. Signals come from the test.
"""

from __future__ import annotations

import _thread
import atexit
import ctypes
import multiprocessing
import os
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

Call = Callable[[], Any]


# States: what calls are made, over and over. Each call's answer is the same.


def idle(gs: Any) -> Call:
    gs.bfs(gs.kronecker(8), 1, "cpu:2x1")
    return lambda: time.sleep(0.01)


def generating(gs: Any) -> Call:
    return lambda: gs.kronecker(15).arcs


def reading(gs: Any) -> Call:
    gs.road(150, 0.9).write("graph.mtx")
    return lambda: gs.read("graph.mtx").arcs


def writing(gs: Any) -> Call:
    graph = gs.kronecker(12)

    def write() -> int:
        path = Path(f"written.{os.getpid()}.{_thread.get_ident()}.mtx")
        graph.write(path)
        size = path.stat().st_size
        path.unlink()
        return size

    return write


def planning(gs: Any) -> Call:
    graph = gs.kronecker(12)
    if not gs._gossamer.build_info()["features"]["metis"]:
        return lambda: gs.Machine("cpu:2x1").place(graph, partition="hash").machine.size
    return lambda: graph.partition("metis", 8).shape


def running(gs: Any) -> Call:
    graph, machine = gs.kronecker(12), gs.Machine("cpu:2x1")
    return lambda: gs.pagerank(graph, machine, tolerance=0.0, max_iterations=50).iterations


def modelled(gs: Any) -> Call:
    graph, machine = gs.kronecker(8), gs.Machine("sim:peach2,ranks=2")
    return lambda: gs.bfs(graph, 1, machine).reached


def own_program(gs: Any) -> Call:
    graph = gs.kronecker(11)
    search = gs.vertex_program("max", "value", "int32").prepare(graph, "cpu:2x1")
    return lambda: int(search.run(1).values.max())


def own_steps(gs: Any) -> Call:
    graph = gs.kronecker(10)

    def largest_neighbourhood() -> float:
        with gs.vertex_steps(graph, "cpu:2x1") as s:
            s.fields(near=0)
            s.numbers(most=0)
            s.send("1", "sum", into="near")
            s.reduce("near", "max", into="most")
            return float(s["most"])

    return largest_neighbourhood


def dataflow(gs: Any) -> Call:
    import numpy as np

    def program_of(wiring: Any, link: Any, seen: list[int]) -> Callable[[Any], None]:
        def program(flow: Any) -> None:
            if flow.rank == 0:
                for _ in range(20):
                    flow[link].send(np.arange(100))
                flow[link].shutdown()
            else:
                for segment in flow[link]:
                    seen.append(int(segment.array("int64").sum()))

        return program

    def run() -> int:
        seen: list[int] = []
        wiring = gs.dataflow.Wiring("cpu:2x1")
        link = wiring.connect(wiring.rank(0), wiring.rank(1))
        wiring.run(program_of(wiring, link, seen))
        return sum(seen)

    return run


STATES = {
    f.__name__: f
    for f in (
        idle, generating, reading, writing, planning, running, modelled, own_program, own_steps,
        dataflow,
    )
}  # fmt: skip


def package() -> Any:
    import gossamer

    return gossamer


def made(state: str) -> tuple[Call, Any]:
    """A state's call, and its answer."""
    call = STATES[state](package())
    return call, call()


def others_at_work(call: Call, expected: Any, *, daemon: bool = True) -> Callable[[], None]:
    """Another thread makes the call over and over; what comes back ends that."""
    ends = threading.Event()
    begun = threading.Semaphore(0)
    wrong: list[Any] = []

    def work() -> None:
        while not ends.is_set():
            if (answer := call()) != expected:
                wrong.append(answer)
            begun.release()

    thread = threading.Thread(target=work, daemon=daemon)
    thread.start()
    for _ in range(2):
        begun.acquire()

    def end() -> None:
        ends.set()
        thread.join()
        assert not wrong, (wrong, expected)

    return end


def child_of(body: Callable[[], int], leave: Callable[[int], NoReturn]) -> int:
    """The exit code of a forked child that runs the body."""
    child = os.fork()
    if child == 0:
        code = 99
        try:
            code = body()
        finally:
            leave(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


# Events that the process brings about itself. What is returned is its exit code.


def fork_before_import(state: str) -> int:
    def answers() -> int:
        call, expected = made(state)
        return 7 if call() == expected else 8

    assert child_of(answers, os._exit) == 7
    assert child_of(answers, sys.exit) == 7  # type: ignore[arg-type]
    return answers()


def fork_after_a_run(state: str) -> int:
    call, expected = made(state)
    assert child_of(lambda: 7 if call() == expected else 8, os._exit) == 7
    return 7 if call() == expected else 8


def _fork_beside(state: str, leave: Any) -> int:
    call, expected = made(state)
    end = others_at_work(call, expected)
    for _ in range(4):
        assert child_of(lambda: 7 if call() == expected else 8, leave) == 7
    end()
    return 7


def fork_while_another_thread_works(state: str) -> int:
    return _fork_beside(state, os._exit)


def fork_while_another_thread_works_and_exit(state: str) -> int:
    return _fork_beside(state, sys.exit)


def answer_of(state: str) -> Any:
    return made(state)[0]()


def _pool(state: str, method: str) -> int:
    call, expected = made(state)
    end = others_at_work(call, expected)
    with multiprocessing.get_context(method).Pool(2) as pool:
        answers = pool.map_async(answer_of, [state] * 2).get(timeout=120)
    assert answers == [expected] * 2, answers
    end()
    return 7


def pool_by_fork(state: str) -> int:
    return _pool(state, "fork")


def pool_by_spawn(state: str) -> int:
    return _pool(state, "spawn")


def pool_by_forkserver(state: str) -> int:
    return _pool(state, "forkserver")


def hard_exit(state: str) -> int:
    others_at_work(*made(state))
    os._exit(7)


def daemon_thread_at_exit(state: str) -> int:
    others_at_work(*made(state))
    return 7


def thread_at_exit(state: str) -> int:
    """The interpreter waits for it before it ends."""
    call, expected = made(state)
    end = others_at_work(call, expected, daemon=False)
    threading.Timer(0.1, end).start()
    return 7


def exit_in_a_signal_handler(state: str) -> int:
    call, expected = made(state)
    signal.signal(signal.SIGALRM, lambda *_: sys.exit(7))
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    while True:
        assert call() == expected


def call_at_exit(state: str) -> int:
    """Registered before the package is imported, and after."""

    def again() -> None:
        assert call() == expected
        print("again", flush=True)

    atexit.register(again)
    call, expected = made(state)
    atexit.register(again)
    return 7


class Kept:
    """In a cycle, and asked once more when it goes."""

    def __init__(self, call: Call, expected: Any) -> None:
        self.call, self.expected, self.itself = call, expected, self
        self.refusal = package().Cancelled

    def __del__(self) -> None:
        try:
            assert self.call() == self.expected
        except (self.refusal, RuntimeError, ImportError, NameError) as refused:
            # Python imports nothing any more, runs nothing on other threads, and has lost names.
            expected = ("interpreter ends", "shutting down", "is not defined")
            assert any(words in str(refused) for words in expected), refused


def kept_until_exit(state: str) -> int:
    gs = package()
    call, expected = made(state)
    graph, machine = gs.kronecker(8), gs.Machine("cpu:2x1")
    search = gs.BfsSearch(machine.place(graph))
    everything = [call, graph, machine, search, search.run(1), gs.components(graph, machine)]
    everything.append(everything)
    globals()["kept"] = everything
    globals()["asked"] = Kept(call, expected)
    sys.modules["kept_for_ever"] = everything  # type: ignore[assignment]
    return 7


def storm_of_signals(state: str) -> int:
    call, expected = made(state)
    seen = [0]

    def count(*_: Any) -> None:
        seen[0] += 1

    signal.signal(signal.SIGALRM, count)
    signal.setitimer(signal.ITIMER_REAL, 0.002, 0.002)
    ends = time.monotonic() + 0.5
    while time.monotonic() < ends:
        assert call() == expected
    signal.setitimer(signal.ITIMER_REAL, 0)
    return 7 if seen[0] > 10 else 8


def signals_to_every_thread(state: str) -> int:
    """Those of the library, too: waits of theirs come back early."""
    call, expected = made(state)
    signal.signal(signal.SIGUSR1, lambda *_: None)
    end = others_at_work(call, expected)
    libc = ctypes.CDLL(None)
    tgkill = 234 if os.uname().machine == "x86_64" else 131
    for _ in range(200):
        for thread in os.listdir("/proc/self/task"):
            libc.syscall(tgkill, os.getpid(), int(thread), int(signal.SIGUSR1))
        time.sleep(0.001)
    end()
    return 7


EVENTS = {
    f.__name__: f
    for f in (
        fork_before_import, fork_after_a_run, fork_while_another_thread_works,
        fork_while_another_thread_works_and_exit, pool_by_fork, pool_by_spawn, pool_by_forkserver,
        hard_exit, daemon_thread_at_exit, thread_at_exit, exit_in_a_signal_handler, call_at_exit,
        kept_until_exit, storm_of_signals, signals_to_every_thread,
    )
}  # fmt: skip


def await_signals(state: str, calls: int) -> int:
    """Makes calls, until a signal or so many of them end it."""
    call, expected = made(state)
    print("ready", flush=True)
    for _ in range(calls):
        assert call() == expected
        if calls < 1000:
            print("answered", flush=True)
    return 7


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # newer versions of Python warn of every fork
    _, state, event = sys.argv
    if event.isdigit():
        sys.exit(await_signals(state, int(event)))
    sys.exit(EVENTS[event](state))

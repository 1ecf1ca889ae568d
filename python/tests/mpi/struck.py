"""A process of a job that loses one of its ranks: run by test_lost.py under MPI's launcher.

    struck.py FOLDER DEADLINE PHASE STRIKE VICTIM JOB…

Every process does the job over and over: a command line, or `own` and the name of a program below.
The victim is struck in the phase. All others are to notice.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import io
import os
import random
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

FOLDER, DEADLINE, PHASE, STRIKE, VICTIM, *JOB = sys.argv[1:]
RANK = os.environ.get("OMPI_COMM_WORLD_RANK", os.environ.get("PMI_RANK"))
ended_runs = 0


def strike() -> None:
    """On whatever thread; in the main one what is raised ends the program as it should."""
    Path(FOLDER, f"victim.{os.getpid()}").touch()
    if STRIKE == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    elif STRIKE == "stopped":
        os.kill(os.getpid(), signal.SIGSTOP)
    elif STRIKE == "exited" and threading.current_thread() is threading.main_thread():
        sys.exit(3)
    elif STRIKE == "exited":
        os._exit(3)
    else:
        os.kill(os.getpid(), signal.SIGUSR2)


def fail(number: int, frame: FrameType | None) -> NoReturn:
    raise RuntimeError("struck")


def reached(phase: str) -> None:
    """What comes now; a strike inside a run comes after some of it."""
    if RANK != VICTIM or phase != PHASE:
        return
    if phase in ("inside", "gathering"):
        threading.Timer(random.uniform(0.1, 0.3), strike).start()
    else:
        strike()


def opened() -> None:
    """The job has begun, for which processes of a busy host need long."""
    os.environ["GOSSAMER_TIMEOUT"] = DEADLINE
    reached("reading")


def run_begins() -> None:
    if ended_runs == 0:
        reached("inside")
        reached("gathering")
    if ended_runs == 1:
        reached("between")


def run_ended() -> None:
    global ended_runs  # noqa: PLW0603 - what the library calls has no other place for it
    ended_runs += 1


def nothing() -> None:
    pass


def around(where: str, before: Callable[[], None], after: Callable[[], None]) -> None:
    """Has them done around each call of a function, given as module:name or module:class.name."""
    module, _, name = where.partition(":")
    owner = importlib.import_module(module)
    *outer, name = name.split(".")
    for part in outer:
        owner = getattr(owner, part)
    real = getattr(owner, name)

    @functools.wraps(real, updated=())
    def call(*given: Any, **options: Any) -> Any:
        before()
        result = real(*given, **options)
        after()
        return result

    setattr(owner, name, call)


def command() -> int:
    from gossamer import cli

    planned = {
        "bfs": "gossamer.cli.commands.bfs:BfsSearch.__init__",
        "cg": "gossamer.cli.commands.cg:CgSolver.__init__",
        "collective": "gossamer._gossamer:measure_collective",
        "graph500": "gossamer.graph500:OnHost.construct",
    }.get(JOB[0], "gossamer.cli.runs:Runs.make_all")
    run = {
        "collective": "gossamer._gossamer:measure_collective",
        "graph500": "gossamer.graph500:Graph500.search",
    }.get(JOB[0], "gossamer.cli.runs:Runs.make")
    around(planned, lambda: reached("planning"), nothing)
    around(run, run_begins, run_ended)
    code = 0
    with contextlib.redirect_stdout(io.StringIO()):
        while code == 0:
            code = cli.run([*JOB, "--machine", "mpi:1"])
    return code


def own() -> int:
    import gossamer as gs

    try:
        programs[JOB[1]](gs)
    except gs.Error as error:
        print(f"gossamer: {error}", file=sys.stderr)
        return error.exit_code
    return 0


def runs_of(run: Callable[[], object]) -> NoReturn:
    while True:
        run_begins()
        run()
        run_ended()


def vertex_program(gs: Any) -> None:
    machine = gs.Machine("mpi:1")
    graph = gs.generate("grid:1000x100")
    reached("planning")
    search = gs.vertex_program("min", "value + 1", "int32").prepare(graph, machine)
    runs_of(lambda: search.run(0))


def dataflow(gs: Any) -> None:
    import numpy as np

    wiring = gs.dataflow.Wiring("mpi:1")
    ranks = range(wiring.machine.size)
    to = [wiring.connect(wiring.rank(r), wiring.rank((r + 1) % len(ranks))) for r in ranks]
    reached("planning")

    def program(flow: Any) -> None:
        out, into = flow[to[flow.rank]], to[flow.rank - 1]
        for _ in range(500):
            out.send(np.arange(100))
            with flow[into].receive():
                pass
        out.shutdown()

    runs_of(lambda: wiring.run(program))


programs = {"vertex_program": vertex_program, "dataflow": dataflow}

if __name__ == "__main__":
    signal.signal(signal.SIGUSR2, fail)
    reached("opening")
    around("gossamer.machine.machine:Machine.__init__", nothing, opened)
    sys.exit(own() if JOB[0] == "own" else command())

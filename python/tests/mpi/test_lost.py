"""Processes of an MPI job that are killed, stopped, leave or fail: who is left names the rank, and
all leave with one exit code in time."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import gossamer as gs
import pytest

PROCESSES = 3
#: Seconds of a deadline; GOSSAMER_TIMEOUT is a share of 60.
DEADLINE = 1.2
STRUCK = Path(__file__).with_name("struck.py")

STRIKES = ("killed", "exited", "stopped", "raised")
PHASES = ("opening", "reading", "planning", "inside", "between", "gathering")

LINE, STAR = "grid:3000x10 --source 0", "star:1000000 --source 0"
MANY = "--repeat 100000"
#: Command lines whose runs last as long as what comes before a strike inside one, or are many; and
#: those that gather for most of a run.
JOBS = {
    "bfs-sync": (f"bfs {LINE} {MANY}", f"bfs {STAR} {MANY}"),
    "bfs-async": (f"bfs grid:1000x100 --source 0 {MANY}", f"bfs {STAR} {MANY}"),
    "bfs-tasks": (f"bfs grid:1000x100 --source 0 {MANY}", f"bfs {STAR} {MANY}"),
    "bfs-published": (f"bfs {LINE} {MANY}", f"bfs {STAR} {MANY}"),
    "bfs-vector_queue": (f"bfs {LINE} {MANY}", f"bfs {STAR} {MANY}"),
    "sssp-sync": (f"sssp road:300 --source 0 {MANY}", f"sssp {STAR} --weights {MANY}"),
    "sssp-async": (f"sssp road:300 --source 0 {MANY}", f"sssp {STAR} --weights {MANY}"),
    "sssp-tasks": (f"sssp road:150 --source 0 {MANY}", f"sssp {STAR} --weights {MANY}"),
    "components-sync": (f"components grid:1000x100 {MANY}", f"components star:1000000 {MANY}"),
    "components-async": (f"components grid:1000x100 {MANY}", f"components star:1000000 {MANY}"),
    "components-tasks": (f"components grid:1000x100 {MANY}", f"components star:1000000 {MANY}"),
    "components-routed": (f"components kron:17 {MANY}", f"components star:1000000 {MANY}"),
    "pagerank-sync": (
        f"pagerank kron:14 --tolerance 0 --max-iterations 1000 {MANY}",
        f"pagerank star:1000000 --max-iterations 1 {MANY}",
    ),
    "pagerank-async": (
        f"pagerank kron:14 --tolerance 1e-12 {MANY}",
        f"pagerank star:1000000 --tolerance 0.9 {MANY}",
    ),
    "cg-fused": (
        f"cg poisson:40x40x40 --iterations 200 {MANY}",
        f"cg poisson:1000000 --iterations 1 {MANY}",
    ),
    "cg-published": (
        f"cg poisson:40x40x40 --iterations 200 {MANY}",
        f"cg poisson:1000000 --iterations 1 {MANY}",
    ),
    "filter": (f"filter random:4000000 <0.5 {MANY}", f"filter random:4000000 <2 {MANY}"),
    "graph500": ("graph500 --scale 15", None),
    "collective": ("collective allreduce --bytes 4M", None),
    "vertex_program": ("own vertex_program", None),
    "dataflow": ("own dataflow", None),
}


class Cell(NamedTuple):
    job: str
    phase: str
    strike: str
    victim: int


def every() -> Iterator[Cell]:
    """Ranks take turns: each meets each phase, strike and job."""
    for i, (job, (_, gathering)) in enumerate(JOBS.items()):
        for j, phase in enumerate(PHASES):
            for k, strike in enumerate(STRIKES):
                if phase != "gathering" or gathering is not None:
                    yield Cell(job, phase, strike, (i + j + k) % PROCESSES)


def some() -> Iterator[Cell]:
    """A cell of each job, and with them each phase, strike and rank."""
    cells = list(every())
    for i, job in enumerate(JOBS):
        own = [cell for cell in cells if cell.job == job]
        yield own[(i * (len(STRIKES) + 1) + i // 4) % len(own)]


SOME = set(some())
CASES = [
    pytest.param(cell, id="-".join(map(str, cell)), marks=[] if cell in SOME else pytest.mark.whole)
    for cell in every()
]


def test_every_engine_of_processes_has_its_jobs() -> None:
    engines = {f"{e.algorithm}-{e.name}" for e in gs.engines() if "cpu" in e.runs_on}
    of_one_process = (
        "betweenness", "communities", "core_numbers", "distances", "random_walks",
        "spanning_forest", "strong_components", "triangles",
    )  # fmt: skip
    engines -= {f"{name}-sync" for name in of_one_process}
    assert engines == {job for job in JOBS if "-" in job}
    for place, values in ((1, PHASES), (2, STRIKES), (3, range(PROCESSES))):
        assert {cell[place] for cell in SOME} == set(values)


def command_of(cell: Cell) -> list[str]:
    inside, gathering = JOBS[cell.job]
    arguments = ((gathering if cell.phase == "gathering" else inside) or "").split()
    return [*arguments, "--engine", cell.job.split("-")[1]] if "-" in cell.job else arguments


class Ends(NamedTuple):
    """By rank: exit codes, and what was written to stderr."""

    codes: dict[int, int]
    words: dict[int, str]
    #: From the strike until the last one that is left had ended.
    seconds: float


#: Runs a command, and asks for the exit code of one that was killed only when all others have left.
KEEPER = """
import os, subprocess, sys, time
over, *command = sys.argv[1:]
process = subprocess.Popen(command)
ended = os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
while ended.si_code != os.CLD_EXITED and not os.path.exists(over):
    time.sleep(0.05)
sys.exit(process.wait() % 256)
"""


def ends(launch: Any, folder: Path, cell: Cell, before: Sequence[str] = ()) -> Ends:
    """`before`: words of the command before Python's."""
    # To start in, which a busy host needs long for. What comes then has the shorter one.
    launch.deadline = DEADLINE / 20 if cell.phase == "opening" else 0.5
    struck = [str(folder), str(DEADLINE / 60), cell.phase, cell.strike, str(cell.victim)]
    python = [sys.executable, str(STRUCK), *struck, *command_of(cell)]
    # MPICH tells of a death by SIGUSR1, which ends who does not ignore it.
    shell = (
        'trap "" USR1; r=${OMPI_COMM_WORLD_RANK:-$PMI_RANK}; '
        '"$@" 2>"$0/words.$r"; echo $? >"$0/new.$r"; mv "$0/new.$r" "$0/code.$r"'
    )
    job = ["-n", str(PROCESSES), "sh", "-c", shell, str(folder), *before, *python]
    with subprocess.Popen(
        [*launch.command(recovery=True), *job],
        env=launch.variables(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        try:
            seconds = survivors_leave(folder, cell)
        finally:
            (folder / "over").touch()
            # Who is stopped would be waited for.
            for path in folder.glob("victim.*"):
                if cell.strike == "stopped":
                    os.kill(int(path.suffix[1:]), signal.SIGKILL)
            try:
                running.communicate(timeout=60)
            except subprocess.TimeoutExpired:
                running.kill()
                raise
    codes = {int(path.suffix[1:]): int(path.read_text()) for path in folder.glob("code.*")}
    words = {int(path.suffix[1:]): path.read_text() for path in folder.glob("words.*")}
    return Ends(codes, words, seconds)


def survivors_leave(folder: Path, cell: Cell) -> float:
    """Seconds from the strike until all others have left."""
    struck = None
    others = [folder / f"code.{rank}" for rank in range(PROCESSES) if rank != cell.victim]
    end = time.monotonic() + 120
    while time.monotonic() < end:
        if struck is None and any(folder.glob("victim.*")):
            struck = time.monotonic()
        if all(path.exists() for path in others):
            said = [path.read_text() for path in folder.glob("words.*")]
            assert struck is not None, (cell, said)
            return time.monotonic() - struck
        time.sleep(0.02)
    pytest.fail(f"{cell}: who is left hangs")


@pytest.mark.parametrize("cell", CASES)
def test_survivors_name_the_lost_rank(launch: Any, tmp_path: Path, cell: Cell) -> None:
    done = ends(launch, tmp_path, cell)
    own = {"killed": 137, "exited": 3, "stopped": 137, "raised": 1}[cell.strike]
    assert done.codes.pop(cell.victim) == own, done
    names = (f"rank {cell.victim}, whose process ", f"rank {cell.victim}: its process ")
    code = 4
    if cell.phase == "opening":
        names = (
            "MPI did not start within 3.6 s: a process of the job has not come",
            "not every MPI process joined within the deadline",  # where MPI_Init does not wait
        )
    elif cell.strike == "raised" and any("cancelled" in words for words in done.words.values()):
        # It ends the run that goes on, as Ctrl-C would.
        assert cell.phase in ("inside", "gathering"), done
        names, code = (f"the run was cancelled by rank {cell.victim}",), 1
    assert set(done.codes.values()) == {code} and len(done.codes) == PROCESSES - 1, done
    for rank in done.codes:
        # Open MPI tells of memory of a lost process that it could not read.
        words = re.sub(r"^\[\S+:\d+\] Read -1, .*\n", "", done.words[rank], flags=re.MULTILINE)
        assert words.startswith("gossamer: ") and words.count("\n") == 1, done
        assert any(name in words for name in names), done
    assert done.seconds < 4 * DEADLINE + 10, done


@pytest.mark.parametrize(
    "cell", [Cell("filter", "inside", "killed", 2), Cell("bfs-async", "reading", "stopped", 0)]
)
def test_so_they_do_without_shared_memory(
    launch: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cell: Cell
) -> None:
    monkeypatch.setenv("GOSSAMER_MPI_SHARED", "off")
    test_survivors_name_the_lost_rank(launch, tmp_path, cell)


def test_one_whose_parent_does_not_notice_has_ended(launch: Any, tmp_path: Path) -> None:
    keeper = [sys.executable, "-c", KEEPER, str(tmp_path / "over")]
    done = ends(launch, tmp_path, Cell("bfs-sync", "between", "killed", 1), keeper)
    for rank in (0, 2):
        assert done.codes[rank] == 4, done
        assert "rank 1, whose process has ended" in done.words[rank], done


@pytest.mark.parametrize(
    ("strike", "codes"),
    # The launcher has the code of who left first, or of one of those that left at the same time.
    [("killed", {137}), ("exited", {3}), ("stopped", {4}), ("raised", {1, 4})],
)
def test_without_recovery_the_launcher_ends_with_one_code(
    launch: Any, tmp_path: Path, strike: str, codes: set[int]
) -> None:
    launch.deadline = 0.5
    struck = [str(tmp_path), str(DEADLINE / 60), "inside", strike, "1"]
    job = [sys.executable, str(STRUCK), *struck, *command_of(Cell("bfs-sync", "", "", 1))]
    done = subprocess.run(
        [*launch.command(), "-n", str(PROCESSES), *job],
        env=launch.variables(),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode in codes, done
    if strike == "raised":
        assert "RuntimeError: struck" in done.stderr, done


STOPPED = """
import os, sys
import gossamer as gs
machine, graph = gs.Machine("mpi:1"), gs.generate("grid:3000x10")
search = gs.BfsSearch(machine.place(graph))
depths = search.run(0).depths
os.environ["GOSSAMER_TIMEOUT"] = sys.argv[2]
open(f"{sys.argv[1]}/begun.{os.getpid()}", "w").close()
for _ in range(4):
    assert (search.run(0).depths == depths).all()
"""


@pytest.mark.parametrize("shared", ["on", "off"])
def test_a_job_that_was_stopped_as_a_whole_goes_on(
    launch: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shared: str
) -> None:
    """For longer than its deadline: nobody has waited meanwhile."""
    monkeypatch.setenv("GOSSAMER_MPI_SHARED", shared)
    launch.deadline = 0.5
    job = [sys.executable, "-c", STOPPED, str(tmp_path), str(2 * DEADLINE / 60)]
    with subprocess.Popen(
        [*launch.command(), "-n", "3", *job], env=launch.variables(), stderr=subprocess.PIPE
    ) as running:
        end = time.monotonic() + 120
        while len(begun := list(tmp_path.glob("begun.*"))) < 3:
            assert running.poll() is None and time.monotonic() < end
            time.sleep(0.02)
        every = [int(path.suffix[1:]) for path in begun]
        for process in every:
            os.kill(process, signal.SIGSTOP)
        time.sleep(3 * DEADLINE)
        for process in every:
            os.kill(process, signal.SIGCONT)
        _, said = running.communicate(timeout=120)
    assert running.returncode == 0, said


def test_a_job_whose_process_never_comes_does_not_start(launch: Any) -> None:
    launch.deadline = DEADLINE / 60
    open_it = ["-n", "1", sys.executable, "-c", "import gossamer as gs; gs.Machine('mpi')"]
    begin = time.monotonic()
    done = subprocess.run(
        [*launch.command(), *open_it, ":", "-n", "1", "sleep", "60"],
        env=launch.variables(),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 4, done.stderr
    assert (
        "gossamer: MPI did not start within 1.2 s: a process of the job has not come" in done.stderr
    )
    assert time.monotonic() - begin < 20

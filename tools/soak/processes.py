"""Cases whose ranks are processes of an MPI job. In some one of them is killed, stopped or slow.

All processes run the same cases, and each checks every third of them. Of a lost one the others say
which it was, within the deadline. For a slow one they wait.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path
from typing import NoReturn

import gossamer as gs

from soak.faults import REFUSALS, Stops

PROCESSES = 3
CASES = 40
SPEC = "mpi:1"
#: Seconds of a deadline; GOSSAMER_TIMEOUT is a share of 60.
DEADLINE = 6.0
#: What happens to a process of a job: nothing, its end, or stops that the deadline has room for.
FATES = ("none", "lost", "slow")


def there_are() -> bool:
    """Whether this machine and this build have MPI, of the kind whose jobs may lose a process."""
    launcher = shutil.which("mpirun")
    if launcher is None:
        return False
    version = subprocess.run([launcher, "--version"], capture_output=True, text=True, check=False)
    try:
        gs.Machine(SPEC)
    except gs.NotCompiled:
        return False
    return "Open MPI" in version.stdout


def rank(seed: int, first: int, folder: Path) -> NoReturn:
    """What each process of a job does: its cases, and a file that says how they went."""
    from soak.batches import call_of

    warnings.simplefilter("ignore")
    me = int(os.environ["OMPI_COMM_WORLD_RANK"])
    gs.Machine(SPEC)  # a process that is lost before it has joined keeps the others from joining
    (folder / f"pid.{me}").write_text(str(os.getpid()))
    said, case = "right", first
    try:
        for case in range(first, first + CASES):
            _, call, _ = call_of(seed, case, (SPEC,))
            try:
                result = call()
            except REFUSALS:
                continue
            if case % PROCESSES == me:
                call.check(result)
    except gs.RankError as error:
        said = f"lost {error}"
    except BaseException as error:
        said = f"case {case}: {type(error).__name__}: {error}"
    (folder / f"new.{me}").write_text(said)
    os.rename(folder / f"new.{me}", folder / f"left.{me}")
    # MPI_Finalize would wait for who is lost.
    os._exit(0 if said == "right" else 4)


def _joined(folder: Path, job: subprocess.Popen[bytes], rank: int) -> int | None:
    """The rank's process, once it has joined the others; None: the job is over."""
    path = folder / f"pid.{rank}"
    while not path.exists() or not path.read_text():
        if job.poll() is not None:
            return None
        time.sleep(0.02)
    return int(path.read_text())


def _strike(folder: Path, job: subprocess.Popen[bytes]) -> int:
    """Kills or stops a process at some instant; its rank."""
    victim, number = random.randrange(PROCESSES), random.choice([signal.SIGKILL, signal.SIGSTOP])
    process = _joined(folder, job, victim)
    time.sleep(random.uniform(0, 3))
    if process is None or (folder / f"left.{victim}").exists():
        return -1
    os.kill(process, number)
    return victim


def job(seed: int, first: int, fate: str) -> str | None:
    """Runs CASES cases from `first`, and something of FATES happens; what went wrong."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        command = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none"]
        command += ["--enable-recovery", "-n", str(PROCESSES), sys.executable, "-m", "soak"]
        command += ["--seed", str(seed), "--case", str(first), "--rank-in", name]
        variables = os.environ | {"GOSSAMER_TIMEOUT": str(DEADLINE / 60)}
        variables["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
        with subprocess.Popen(command, env=variables, stderr=subprocess.DEVNULL) as running:
            victim = _strike(folder, running) if fate == "lost" else -1
            slow = _joined(folder, running, random.randrange(PROCESSES)) if fate == "slow" else None
            # The others wait for what it does next: a deadline has room for several stops.
            stops = None if slow is None else Stops(slow, DEADLINE / 4)
            others = [r for r in range(PROCESSES) if r != victim]
            end = time.monotonic() + (4 * DEADLINE if victim >= 0 else 120)
            while time.monotonic() < end:
                ended = running.poll() is not None  # before the files: none is written after that
                if ended or all((folder / f"left.{r}").exists() for r in others):
                    break
                time.sleep(0.05)
            if stops is not None:
                stops.end()
            for path in folder.glob("pid.*"):
                if not (folder / path.name.replace("pid", "left")).exists():
                    _kill(int(path.read_text()))
        left = {r: folder / f"left.{r}" for r in others}
        missing = "it hung, or was not started"
        said = {r: path.read_text() if path.exists() else missing for r, path in left.items()}
    # Who went wrong comes before those who lost it.
    for r, words in sorted(said.items(), key=lambda of: of[1].startswith("lost ")):
        if victim < 0 and words != "right":
            return f"rank {r} of {PROCESSES}: {words}"
        if victim >= 0 and words != "right" and not words.startswith("lost "):
            return f"rank {r}, after rank {victim} was lost: {words}"
        if words.startswith("lost ") and f"rank {victim}" not in words:
            return f"rank {r} names another than rank {victim}, which was lost: {words}"
    return None


def _kill(process: int) -> None:
    try:
        os.kill(process, signal.SIGKILL)
    except ProcessLookupError:
        return

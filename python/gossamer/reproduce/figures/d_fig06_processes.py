"""Paper D, Fig. 6 between processes: references to other ranks' memory, over threads of one process
and, where there is a launcher, MPI processes that share memory or send messages.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from gossamer import _gossamer
from gossamer.bench import global_chase

from ..d_chases import chases, millions
from ..here import Here, Machines
from ..plots import lines
from ..report import NOT_IN_PAPER, Row, compared, measured

RANKS = 2
#: One process of the job: its argument is tasks, references of each, and repeats.
PROCESS = """
import json, sys, gossamer as gs
tasks, each, repeat = json.loads(sys.argv[1])
machine = gs.Machine("mpi:1")
rates = [gs.bench.global_chase(n, machine=machine, references=n * each, repeat=repeat).rate
         for n in tasks]
if machine.here(0):
    print(json.dumps(rates))
"""


def in_one_process(here: Here) -> list[float]:
    """Rates by number of tasks: ranks that are threads."""
    return [
        global_chase(
            n, machine=here.machine(), references=n * chases.remote_steps, repeat=chases.repeat
        ).rate
        for n in chases.remote
    ]  # fmt: skip


def launcher() -> list[str] | None:
    """mpirun with what Open MPI needs; None without one, or without MPI in this build."""
    mpirun = shutil.which("mpirun")
    if mpirun is None or not _gossamer.build_info()["features"]["mpi"]:
        return None
    version = subprocess.run([mpirun, "--version"], capture_output=True, text=True, check=False)
    if "Open MPI" in version.stdout or "OpenRTE" in version.stdout:
        return [mpirun, "--allow-run-as-root", "--oversubscribe", "--bind-to", "none"]
    return [mpirun]


def between_processes(mpirun: list[str], shared: str) -> list[float]:
    """The same over MPI; `shared`: whether processes may use each other's memory directly."""
    asked = json.dumps([list(chases.remote), chases.remote_steps, chases.repeat])
    done = subprocess.run(
        [*mpirun, "-n", str(RANKS), sys.executable, "-c", PROCESS, asked],
        env=os.environ | {"GOSSAMER_MPI_SHARED": shared},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    rates: list[float] = json.loads(done.stdout.strip().splitlines()[-1])
    return rates


def run(folder: Path, machines: Machines = ()) -> list[Row]:
    rates = {here.spec: in_one_process(here) for here in machines}
    if not machines:
        rates["threads"] = in_one_process(Here(f"cpu:{RANKS}x1"))
    mpirun = None if machines else launcher()
    if mpirun:
        rates["MPI, shared memory"] = between_processes(mpirun, "on")
        rates["MPI, messages"] = between_processes(mpirun, "off")
    curves = {name: [millions(r) for r in found] for name, found in rates.items()}
    lines(
        folder, "d_fig06_processes", list(chases.remote), curves,
        ("references under way", "million references a second, each rank"),
        "Fig. 6 between processes: references to the other rank",
    )  # fmt: skip
    rows = []
    for name, found in curves.items():
        alone = 1e3 * chases.remote[0] / found[0]
        rows += [
            Row("D Fig. 6", f"{name}: {chases.remote[0]} under way takes", NOT_IN_PAPER, alone,
                "ns"),
            Row("D Fig. 6", f"{name}: most", NOT_IN_PAPER, max(found), "M/s"),
        ]  # fmt: skip
    return compared(folder, "d_fig06_processes", measured(rows))

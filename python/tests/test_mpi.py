"""Ranks as MPI processes: the package and the command under a launcher."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import gossamer as gs
import pytest
from gossamer import _gossamer

LAUNCHER = shutil.which("mpirun")
pytestmark = pytest.mark.skipif(
    LAUNCHER is None or not _gossamer.build_info()["features"]["mpi"],
    reason="needs a build with MPI, and mpirun",
)

COMMAND = "from gossamer.cli import main; main()"

AGREE = """
import gossamer as gs
m = gs.Machine("auto")
g = gs.generate("kron:10")
r = gs.bfs(g, 1, machine=m)
alone = gs.bfs(g, 1, machine=gs.Machine("cpu:1x1"))
assert (r.depths == alone.depths).all()
assert sum(m.here(i) for i in range(m.size)) == 1
r.verify()
if m.here():
    print(m.spec, m.size, m.fabric, r.reached == alone.reached)
"""


def launch(processes: int, *arguments: str, recovery: bool = False) -> subprocess.CompletedProcess:
    version = subprocess.run([str(LAUNCHER), "--version"], capture_output=True, text=True).stdout
    options: list[str] = []
    if "Open MPI" in version or "OpenRTE" in version:
        options = ["--allow-run-as-root", "--oversubscribe", "--bind-to", "none"]
        options += ["--enable-recovery"] if recovery else []
    elif recovery:
        pytest.skip("survivors would have to ignore MPICH's SIGUSR1")
    package = str(Path(gs.__file__).parent.parent)
    paths = [package, *filter(None, [os.environ.get("PYTHONPATH")])]
    return subprocess.run(
        [str(LAUNCHER), *options, "-n", str(processes), sys.executable, *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(paths), "GOSSAMER_TIMEOUT": "0.1"},
    )


def test_without_a_launcher_it_is_one_rank() -> None:
    machine = gs.Machine("mpi:1")
    assert (machine.size, machine.fabric) == (1, "mpi")
    assert machine.here()


@pytest.mark.parametrize("processes", [1, 3])
def test_every_process_has_the_result(processes: int) -> None:
    done = launch(processes, "-c", AGREE)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["auto", str(processes), "mpi", "True"]


def test_rank_0_prints_alone() -> None:
    done = launch(2, "-c", COMMAND, "bfs", "kron:8", "--sources", "2", "--verify", "--json", "-")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["machine"]["fabric"] == "mpi"
    assert [run["verified"] for run in report["runs"]] == [True, True]


def test_survivors_report_a_lost_process(tmp_path: Path) -> None:
    # The last process kills itself in its third search; the others' exit codes go into files.
    script = tmp_path / "lost.py"
    script.write_text(
        f"""
import os, signal
from gossamer import cli
from gossamer.cli import bfs
class Search(bfs.BfsSearch):
    runs = 0
    def run(self, source):
        Search.runs += 1
        if Search.runs == 3 and self.placed.machine.here(2):
            os.kill(os.getpid(), signal.SIGKILL)
        return super().run(source)
bfs.BfsSearch = Search
code = cli.run(["bfs", "kron:8", "--repeat", "9", "--json", "{tmp_path}/report.json"])
open(f"{tmp_path}/left.{{os.getpid()}}", "w").write(str(code))
raise SystemExit(code)
""",
        encoding="utf-8",
    )
    done = launch(3, str(script), recovery=True)
    left = [path.read_text() for path in tmp_path.glob("left.*")]
    assert left == ["4", "4"], done.stderr
    report = json.loads((tmp_path / "report.json").read_text())
    assert len(report["runs"]) == 2
    assert report["failure"]["peer"] == 2

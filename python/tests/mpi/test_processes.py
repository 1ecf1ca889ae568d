"""Ranks as MPI processes: the package and the command under a launcher."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gossamer as gs
import numpy as np
import pytest
from gossamer import _gossamer

pytestmark = pytest.mark.skipif(
    not _gossamer.build_info()["features"]["mpi"], reason="needs a build with MPI"
)

Launch = Callable[..., subprocess.CompletedProcess[str]]

COMMAND = "from gossamer.cli import main; main()"

AGREE = """
import gossamer as gs
m = gs.Machine("auto")
g = gs.generate("kron:10")
r = gs.bfs(g, 1, machine=m)
alone = gs.bfs(g, 1, machine=gs.Machine("cpu:1x1"))
assert (r.depths == alone.depths).all()
tasks = gs.bfs(g, 1, machine=m, engine="tasks")
assert (tasks.depths == alone.depths).all()
assert sum(m.here(i) for i in range(m.size)) == 1
r.verify()
if m.here():
    print(m.spec, m.size, m.fabric, r.reached == alone.reached)
"""


def test_without_a_launcher_it_is_one_rank() -> None:
    machine = gs.Machine("mpi:1")
    assert (machine.size, machine.fabric) == (1, "mpi")
    assert machine.here()


@pytest.mark.parametrize("processes", [1, 3])
def test_every_process_has_the_result(launch: Launch, processes: int) -> None:
    done = launch(processes, "-c", AGREE)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["auto", str(processes), "mpi", "True"]


def test_rank_0_prints_alone(launch: Launch) -> None:
    done = launch(2, "-c", COMMAND, "bfs", "kron:8", "--sources", "2", "--verify", "--json", "-")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["machine"]["fabric"] == "mpi"
    assert [run["verified"] for run in report["runs"]] == [True, True]


def test_one_process_writes_what_has_no_machine(launch: Launch, tmp_path: Path) -> None:
    made, other = tmp_path / "g.npz", tmp_path / "g.mtx"
    lines = (["generate", "kron:8", "-o", made], ["convert", made, other], ["stats", made])
    for arguments in lines:
        done = launch(2, "-c", COMMAND, *map(str, arguments))
        assert done.returncode == 0, done.stderr
        alone = subprocess.run(
            [sys.executable, "-c", COMMAND, *map(str, arguments)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.stdout.count("\n") == alone.stdout.count("\n")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["g.mtx", "g.npz"]


@pytest.mark.parametrize("algorithm", ["bfs", "components", "sssp"])
def test_tasks_of_processes(launch: Launch, algorithm: str) -> None:
    given = [algorithm, "road:40", "--engine", "tasks", "--machine", "mpi", "--verify"]
    done = launch(3, "-c", COMMAND, *given, "--json", "-")
    assert done.returncode == 0, done.stderr
    (run,) = json.loads(done.stdout)["runs"]
    assert run["verified"] is True


def test_edges_routed_to_processes(launch: Launch) -> None:
    given = ["components", "road:40", "--machine", "mpi", "--verify"]
    given += ["--engine", "routed:packet=1K"]
    done = launch(3, "-c", COMMAND, *given, "--json", "-")
    assert done.returncode == 0, done.stderr
    (run,) = json.loads(done.stdout)["runs"]
    assert run["verified"] is True and len(run["edges_of_ranks"]) == 3


@pytest.mark.parametrize(
    "algorithm",
    [
        "betweenness",
        "communities",
        "core_numbers",
        "distances",
        "random_walks",
        "spanning_forest",
        "strong_components",
        "triangles",
    ],
)
def test_those_of_one_process_refuse_several(launch: Launch, algorithm: str) -> None:
    done = launch(2, "-c", COMMAND, algorithm.replace("_", "-"), "kron:6", "--machine", "mpi")
    assert done.returncode != 0
    what = "on ranks that are processes not compiled in: it runs on ranks of one process"
    assert f"{algorithm} {what}" in done.stderr


BOUND = """
import json, os, sys
rank = int(os.environ.get("OMPI_COMM_WORLD_RANK", os.environ.get("PMI_RANK", "0")))
mine = sorted(os.sched_getaffinity(0))
os.sched_setaffinity(0, {mine[rank % 2]})
from gossamer.cli import run
raise SystemExit(run(["info", "--machine", "mpi", "--json", "-"]))
"""


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="needs two cores")
def test_info_counts_the_cores_of_all_processes_of_a_host(launch: Launch) -> None:
    # Three processes on two cores: each may use one.
    done = launch(3, "-c", BOUND)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)  # of one process
    assert report["devices"]["cpu"]["cores"] == 1
    assert report["machine"]["hosts"] == [{"ranks": [0, 1, 2], "cores": 2}]


@pytest.mark.parametrize("way", [[], ["--parts"]])
def test_graph500_of_processes(launch: Launch, way: list[str]) -> None:
    done = launch(2, "-c", COMMAND, "graph500", "--scale", "11", *way, "--json", "-")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["machine"]["fabric"] == "mpi"
    assert {run["verified"] for run in report["runs"]} == {True}
    alone = gs.graph500(11, machine="cpu:1x1")
    assert [(run["root"], run["nedge"], run["edges"]) for run in report["runs"]] == [
        (search.root, search.nedge, search.edges) for search in alone.searches
    ]


SOLVE = """
import gossamer as gs
import numpy as np
m = gs.Machine("auto")
A = gs.matrix("poisson:13x11")
b = np.sin(1 + np.arange(143.0))
for exchange in ("halo", "allgather"):
    x, info = gs.cg(A, b, machine=m, rtol=1e-10, exchange=exchange)
    alone, _ = gs.cg(A, b, machine=gs.Machine("cpu:1x1"), rtol=1e-10)
    assert info == 0
    assert np.abs(x - alone).max() < 1e-8
    gs.verify_cg(A, b, x, rtol=1e-10, iterations=100)
if m.here():
    print(m.size, m.fabric)
"""


@pytest.mark.parametrize("processes", [1, 4])
def test_every_process_has_the_solution(launch: Launch, processes: int) -> None:
    done = launch(processes, "-c", SOLVE)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [str(processes), "mpi"]


def test_rank_0_prints_and_writes_cg(launch: Launch, tmp_path: Path) -> None:
    solution = tmp_path / "x.npy"
    arguments = ["cg", "poisson:20x20", "--machine", "mpi", "--tolerance", "1e-9", "--verify"]
    done = launch(3, "-c", COMMAND, *arguments, "--output", str(solution), "--json", "-")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["machine"]["fabric"] == "mpi"
    assert report["exchange"]["used"] == "halo"
    assert [run["verified"] for run in report["runs"]] == [True]
    A = gs.matrix("poisson:20x20")
    gs.verify_cg(A, np.ones(400), np.load(solution), rtol=1e-9, iterations=100)
    assert [path.name for path in tmp_path.iterdir()] == ["x.npy"]


def test_every_process_of_cg_leaves_alike(launch: Launch, tmp_path: Path) -> None:
    # One job, one command line after the other; each process notes its exit codes and last words.
    indefinite = "%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 1\n2 1 2\n2 2 1\n"
    oblong = "%%MatrixMarket matrix coordinate real general\n2 3 2\n1 1 1\n2 2 1\n"
    (tmp_path / "indefinite.mtx").write_text(indefinite)
    (tmp_path / "oblong.mtx").write_text(oblong)
    (tmp_path / "b.txt").write_text("1 -1")
    (tmp_path / "nan.txt").write_text("1 nan")
    endless = ["poisson:60x60x60", "--iterations", "1000000", "--timeout", "0.7"]
    lines = [
        ["indefinite.mtx", "--rhs", "b.txt"],
        ["oblong.mtx"],
        ["indefinite.mtx", "--rhs", "nan.txt"],
        ["poisson:30x30", "--max-iterations", "3", "--tolerance", "1e-12"],
        ["poisson:30x30", "--verify"],
        endless,
        ["poisson:30x30", "--verify"],
    ]
    script = tmp_path / "alike.py"
    script.write_text(
        f"""
import contextlib, io, json, os
from gossamer import cli
os.chdir("{tmp_path}")
said = []
for arguments in {lines!r}:
    words = io.StringIO()
    with contextlib.redirect_stderr(words):
        code = cli.run(["cg", *arguments])
    said.append([code, words.getvalue()])
open(f"left.{{os.getpid()}}", "w").write(json.dumps(said))
""",
        encoding="utf-8",
    )
    done = launch(3, str(script))
    assert done.returncode == 0, done.stderr
    left = [json.loads(path.read_text()) for path in tmp_path.glob("left.*")]
    assert len(left) == 3
    for said in left:
        assert [code for code, _ in said] == [2, 2, 2, 1, 0, 4, 0]
        assert "not positive definite" in said[0][1]
        assert "needs a square matrix" in said[1][1]
        assert "nan.txt: number 2 is nan" in said[2][1]
        assert said[5][1] == "gossamer: cg did not end within 0.7 s\n"
    assert done.stdout.count("did not converge in 3 iterations") == 1


def test_collectives_are_timed_and_tuned(launch: Launch, tmp_path: Path) -> None:
    arguments = ["collective", "allreduce", "--machine", "mpi", "--bytes", "1K", "--json", "-"]
    done = launch(4, "-c", COMMAND, *arguments)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert len(report["machine"]["devices"]) == 4
    assert report["chosen"] in [m["algorithm"] for m in report["measured"]]
    rules = tmp_path / "rules"
    arguments = ["tune", "--machine", "mpi", "--ops", "allreduce,barrier", "--max-bytes", "64"]
    done = launch(3, "-c", COMMAND, *arguments, "--output", str(rules))
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("written to") == 1
    assert rules.read_text().startswith("# Rules for collectives on mpi")
    assert [path.name for path in tmp_path.iterdir()] == ["rules"]


@pytest.mark.parametrize("limit", [[], ["--timeout", "2"]])
@pytest.mark.parametrize(
    ("command", "module", "name", "method", "owner"),
    [
        (["bfs", "kron:8"], "bfs", "BfsSearch", "run", "self.placed.machine"),
        (["cg", "poisson:8x8"], "cg", "CgSolver", "solve", "self.machine"),
    ],
)
def test_survivors_report_a_lost_process(
    launch: Launch, tmp_path: Path, command: list[str], module: str, name: str, method: str,
    owner: str, limit: list[str],
) -> None:  # fmt: skip
    # The last process kills itself in its third run; the others' exit codes go into files. A limit
    # of each run is as long as a wait for a silent rank, and may be up first.
    script = tmp_path / "lost.py"
    script.write_text(
        f"""
import os, signal
from gossamer import cli
import gossamer.cli.commands.{module} as module
class Lost(module.{name}):
    runs = 0
    def {method}(self, what):
        Lost.runs += 1
        if Lost.runs == 3 and {owner}.here(2):
            os.kill(os.getpid(), signal.SIGKILL)
        return super().{method}(what)
module.{name} = Lost
code = cli.run([*{[*command, *limit]!r}, "--repeat", "9", "--json", "{tmp_path}/report.json"])
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
    assert "rank 2" in report["failure"]["text"]


@pytest.mark.parametrize("shared", ["on", "off"])
def test_a_trace_holds_every_process(
    launch: Launch, tmp_path: Path, monkeypatch: Any, shared: str
) -> None:
    monkeypatch.setenv("GOSSAMER_MPI_SHARED", shared)
    path = tmp_path / "t.json"
    arguments = ["bfs", "kron:12", "--machine", "mpi", "--sources", "2", "--trace", str(path)]
    done = launch(3, "-c", COMMAND, *arguments, "--json", "-")
    assert done.returncode == 0, done.stderr
    measured = [run["milliseconds"] for run in json.loads(done.stdout)["runs"]]
    trace = gs.read_trace(path)
    assert {e.rank for e in trace.events} == {0, 1, 2} and trace.dropped == 0
    assert {e.name for e in trace.events if e.rank == 2} >= {"agree", "put"}
    # Who comes last waits for nobody, and that may be one rank every time.
    assert "wait_word" in {e.name for e in trace.events}
    runs = gs.sum_runs(trace)
    assert [run.milliseconds for run in runs] == measured
    for run in runs:
        assert len(run.links) == 6 and 0 <= (run.hidden or 0) <= 1
        for rank in run.ranks:
            assert rank.total == pytest.approx(run.milliseconds, rel=0.05)

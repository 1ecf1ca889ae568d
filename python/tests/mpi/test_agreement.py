"""Ranks of an MPI job that were given different things say so, and none of them answers."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Launch = Callable[..., subprocess.CompletedProcess[str]]

# Each process runs the pairs of command lines in turn, the last one the second of each, and notes
# its exit codes and last words.
SCRIPT = """
import contextlib, io, json, os, sys
from gossamer import Machine, cli
os.chdir(sys.argv[1])
where = Machine("mpi")
last = where.here(where.size - 1)
said = []
for pair in json.load(open("pairs.json")):
    words = io.StringIO()
    with contextlib.redirect_stderr(words), contextlib.redirect_stdout(io.StringIO()):
        code = cli.run([*pair[last], "--machine", "mpi"])
    said.append([code, words.getvalue()])
open(f"left.{os.getpid()}", "w").write(json.dumps(said))
"""

AGREED = ["bfs", "kron:10", "--source", "7", "--verify"]

# Two command lines, and what every rank says of the difference.
PAIRS: list[tuple[list[str], list[str], str]] = [
    (AGREED, ["bfs", "kron:10:16:2", "--source", "7"], "bfs: {} from rank 0 in graph (1024 "),
    (AGREED, ["bfs", "kron:10", "--source", "8"], "bfs: {} from rank 0 in source (8 against 7)"),
    (
        ["bfs", "kron:10", "--source", "7", "--deterministic"],
        ["bfs", "kron:10", "--source", "7", "--engine", "async"],
        "bfs: {} from rank 0 in engine (async against sync) and deterministic (false against true)",
    ),
    (AGREED, ["components", "kron:10"], "{} from rank 0 in program (components against bfs)"),
    (
        ["bfs", "kron:10", "--source", "7", "--partition", "hash"],
        AGREED,
        "bfs: {} from rank 0 in partition (digest ",
    ),
    (
        ["sssp", "road:30", "--source", "1"],
        ["sssp", "road:30:0.62:2", "--source", "1"],
        "sssp: {} from rank 0 in graph (900 vertices, ",
    ),
    (
        ["components", "road:30", "--partition", "edges"],
        ["components", "road:30", "--partition", "parts.txt"],
        "components: {} from rank 0 in partition (digest ",
    ),
    (
        ["pagerank", "kron:10", "--damping", "0.8"],
        ["pagerank", "kron:10"],
        "pagerank: {} from rank 0 in damping (0.85 against 0.8)",
    ),
    (
        ["cg", "poisson:9x9"],
        ["cg", "poisson:9x9", "--rhs", "b.txt"],
        "cg: {} from rank 0 in right-",
    ),
    (
        ["filter", "count:1000", "<9"],
        ["filter", "count:1000", "<8"],
        "filter: {} from rank 0 in predicate (",
    ),
    (
        ["graph500", "--scale", "11", "--parts"],
        ["graph500", "--scale", "12", "--parts"],
        "generating in parts: {} from rank 0 in graph (4096 vertices, 65536 edges to make, ",
    ),
    (
        ["collective", "allreduce", "--bytes", "1K"],
        ["collective", "broadcast", "--bytes", "1K"],
        "collective: {} from rank 0 in operation (broadcast against allreduce)",
    ),
    (AGREED, AGREED, ""),  # the machine is as good as before
]


@pytest.mark.parametrize(("processes", "shared"), [(2, "on"), (3, "off")])
def test_what_ranks_do_not_agree_on_is_named_by_all(
    launch: Launch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, processes: int, shared: str
) -> None:
    monkeypatch.setenv("GOSSAMER_MPI_SHARED", shared)
    (tmp_path / "parts.txt").write_text("0\n1\n" * 450)
    (tmp_path / "b.txt").write_text("2\n" * 81)
    (tmp_path / "pairs.json").write_text(json.dumps([pair[:2] for pair in PAIRS]))
    script = tmp_path / "pairs.py"
    script.write_text(SCRIPT)
    done = launch(processes, str(script), str(tmp_path))
    assert done.returncode == 0, done.stderr
    left = [json.loads(path.read_text()) for path in tmp_path.glob("left.*")]
    assert len(left) == processes
    for said in left:
        for (code, words), (first, second, expected) in zip(said, PAIRS, strict=True):
            if not expected:
                assert (code, words) == (0, "")
                continue
            where = f"gossamer: {expected}".format(f"rank {processes - 1} differs")
            assert words.startswith(where), (first, second, words)
            assert words.count("\n") == 1 and code == 2
    for words in zip(*([said for _, said in one] for one in left), strict=True):
        assert len(set(words)) == 1  # the same in each process


# As above, by calls of the package: the last rank makes the second of each pair.
CALLS = """
import json, os, sys
import gossamer as gs
import numpy as np
machine = gs.Machine("mpi:1")
last = machine.here(machine.size - 1)
graph = gs.kronecker(6, weights=True)
heavier = gs.from_csr(graph.indptr, graph.indices, graph.weights + 1)
fewer = gs.from_csr(np.minimum(graph.indptr, graph.arcs - 1), graph.indices[:-1])
matrix, ones = gs.matrix("poisson:9x9"), np.ones(81)

def program(expression="value + 1", dtype="int32", sources=0):
    return gs.vertex_program("min", expression, dtype).run(graph, sources, machine)

def wired(links=1, packet=64):
    wiring = gs.dataflow.Wiring(machine)
    sources = [wiring.endpoint(0, f"from {i}") for i in range(links)]
    targets = [wiring.endpoint(1, f"to {i}") for i in range(links)]
    made = [wiring.connect(*ends, packet=packet) for ends in zip(sources, targets)]
    def close(flow):
        for link in made if flow.rank == 0 else ():
            flow[link].shutdown()
        for link in made if flow.rank == 1 else ():
            assert flow[link].receive() is None
    wiring.run(close)

def bfs(**how):
    return gs.bfs(how.pop("of", graph), how.pop("source", 1), machine, **how)

def sssp(**how):
    return gs.sssp(how.pop("of", graph), 1, machine, **how)

def cg(*given, **how):
    return gs.cg(matrix, ones, *given, machine=machine, **how)

PAIRS = {
    "an arc": (bfs, lambda: bfs(of=fewer)),
    "weights": (sssp, lambda: sssp(of=heavier)),
    "source": (bfs, lambda: bfs(source=2)),
    "engine": (sssp, lambda: sssp(engine="async")),
    "option of an engine": (lambda: bfs(engine="async"),
                            lambda: bfs(engine="async:priority=none")),
    "delta": (lambda: sssp(delta=10), lambda: sssp(delta=20)),
    "tolerance": (cg, lambda: cg(rtol=0.1)),
    "first guess": (cg, lambda: cg(ones)),
    "personalization": (lambda: gs.pagerank(graph, machine),
                        lambda: gs.pagerank(graph, machine, personalization=graph.indptr[1:])),
    "partition": (bfs, lambda: gs.BfsSearch(machine.place(graph, partition="hash")).run(1)),
    "expression": (program, lambda: program("value + 2")),
    "type": (program, lambda: program(dtype="int64")),
    "start of a program": (program, lambda: program(sources=1)),
    "links": (wired, lambda: wired(links=2)),
    "packets": (wired, lambda: wired(packet=128)),
    "order of calls": (lambda: (bfs(), gs.components(graph, machine)),
                       lambda: (gs.components(graph, machine), bfs())),
    "trace": (bfs, lambda: bfs(trace=gs.Trace())),
    "nothing": (bfs, bfs),
    "number of calls": (bfs, lambda: None),
}
said = {}
for name, pair in PAIRS.items():
    if name == "number of calls":  # one waits for its deadline
        os.environ["GOSSAMER_TIMEOUT"] = "0.05"
    try:
        pair[last]()
        said[name] = [0, ""]
    except gs.Error as error:
        said[name] = [error.exit_code, str(error)]
open(f"{sys.argv[1]}/left.{os.getpid()}", "w").write(json.dumps(said))
"""

#: What differs, as all say it.
NAMED = {
    "an arc": "bfs: {} in graph (64 vertices, ",
    "weights": "sssp: {} in graph (64 vertices, ",
    "source": "bfs: {} in source (2 against 1)",
    "engine": "sssp: {} in engine (async against sync)",
    "option of an engine": "bfs: {} in priority (none against soft)",
    "delta": "sssp: {} in delta (20 against 10)",
    "tolerance": "cg: {} in rtol (0.1 against ",
    "first guess": "cg: {} in first guess (81 values, digest ",
    "personalization": "pagerank: {} in personalization (64 values, digest ",
    "partition": "bfs: {} in partition (digest ",
    "expression": "vertex program: {} in expression (",
    "type": "vertex program: {} in type (",
    "start of a program": "vertex program: {} in initial values (",
    "links": "{} in wiring (",
    "packets": "{} in wiring (",
    "order of calls": "{} in program (components against bfs)",
    "trace": "bfs: {} in trace (on against off)",
}


def test_every_kind_of_difference_is_named_by_all(launch: Launch, tmp_path: Path) -> None:
    script = tmp_path / "calls.py"
    script.write_text(CALLS)
    done = launch(3, str(script), str(tmp_path))
    left = [json.loads(path.read_text()) for path in tmp_path.glob("left.*")]
    assert len(left) == 3, done.stderr
    for name, words in NAMED.items():
        said = {tuple(one[name]) for one in left}
        assert len(said) == 1, (name, said)
        code, line = said.pop()
        assert code == 2 and "\n" not in line, (name, line)
        assert line.startswith(words.format("rank 2 differs from rank 0")), (name, line)
    assert all(one["nothing"] == [0, ""] for one in left)  # it is as good as before
    # Who calls once more waits for who does not, and names it.
    missed = sorted(tuple(one["number of calls"]) for one in left)
    assert missed[0] == (0, "")
    for code, line in missed[1:]:
        assert code == 4 and "waited for rank 2, " in line and "\n" not in line

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

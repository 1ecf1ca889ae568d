"""What commands take at their peaks is no more than their plans say, and on ordinary graphs little
less: formats by shapes by commands by engines; and within control groups that allow little more.

The whole matrix with GOSSAMER_PLANS=all, some of it without. Each command runs in a child that has
run it on a tiny graph before, so that what is loaded and kept for any graph is not counted.
"""

from __future__ import annotations

import gzip
import json
import lzma
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gossamer as gs
import numpy as np
import pytest
from peak_files import SHAPES, WRITERS

#: Blocks of text and what is parsed of them, on two threads: plans leave them out, and readers give
#: them a sixteenth of the memory at most. Stacks, and what allocators keep.
ALLOWANCE = 10 << 20
ALL = os.environ.get("GOSSAMER_PLANS") == "all"
MACHINE = ("--machine", "cpu:2x1", "--threads", "2")

#: Algorithms of one engine, with options that keep them short.
NEWER = [
    ["triangles"], ["core-numbers"], ["spanning-forest", "--symmetrize"], ["strong-components"],
    ["betweenness", "--samples", "2"], ["betweenness", "--edges", "--samples", "2"],
    ["closeness", "--samples", "2"], ["eccentricity", "--samples", "2"], ["diameter"],
    ["distances", "--sources", "20"], ["communities", "--symmetrize"],
    ["communities", "--method", "leiden", "--symmetrize"], ["random-walks", "--length", "4"],
    ["hits", "--tolerance", "1"], ["katz", "--alpha", "1e-6"], ["eigenvector", "--tolerance", "1"],
    ["independent-set", "--symmetrize"], ["coloring", "--symmetrize"],
]  # fmt: skip

#: Runs command lines that come as lines of JSON, each in a child, and says what each took.
_RUNNER = """
import contextlib, io, json, os, sys
import gossamer
from gossamer.cli import run

def resident(name):
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith(name))

def quiet(arguments):
    said = io.StringIO()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(said):
        return run(arguments), said.getvalue()

def planned(arguments, plan):
    code, said = quiet([*arguments, "--plan", "--json", plan])
    return {"code": code, "said": said}

def peak(arguments, warm, group):
    code, said = quiet(warm)
    if code:
        return {"code": code, "said": "warming: " + said}
    if group:
        with open(group + "/cgroup.procs", "w") as file:
            file.write(str(os.getpid()))
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")
    before = resident("VmRSS:")
    code, said = quiet(arguments)
    return {"code": code, "said": said, "peak": resident("VmHWM:") - before}

for line in sys.stdin:
    what, *rest = json.loads(line)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        found = {"planned": planned, "peak": peak}[what](*rest)
        os.write(writing, json.dumps(found)[:4000].encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as file:
        said = file.read()
    _, status = os.waitpid(child, 0)
    print(said or json.dumps({"code": -os.WTERMSIG(status), "said": "killed"}), flush=True)
"""


class Runner:
    """The process that commands are run by."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.process = subprocess.Popen(
            [sys.executable, "-c", _RUNNER], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            text=True,
        )  # fmt: skip
        self.tiny: dict[str, Path] = {}

    def ask(self, *what: Any) -> dict[str, Any]:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(json.dumps(what) + "\n")
        self.process.stdin.flush()
        answer: dict[str, Any] = json.loads(self.process.stdout.readline())
        return answer

    def planned(self, arguments: list[str]) -> dict[str, Any]:
        """With `bytes` of the host."""
        plan = self.folder / "plan.json"
        said = self.ask("planned", arguments, str(plan))
        if said["code"] == 0:
            there = json.loads(plan.read_text())["plan"]
            said["bytes"] = there["totals"]["host"]
            said["entries"] = [(e["purpose"], e["bytes"]) for e in there["entries"]]
        return said

    def _write_tiny(self, kind: str) -> Path:
        suffix, write, _ = WRITERS.get(kind, (".npz", None, ()))
        path = self.folder / f"tiny-{kind}{suffix}"
        if write is None:
            gs.generate("poisson:3x3" if kind == "spd" else "grid:3x3", weights=True).write(path)
        else:
            ends = np.arange(9)
            write(path, (ends, ends[::-1], ends + 0.5, 9))
        return path

    def peak(self, arguments: list[str], graph: Path, group: str = "") -> dict[str, Any]:
        """Of the command, which has run on a tiny graph of the same kind before."""
        kind = "spd" if arguments[0] == "cg" else "weighted"
        if graph.suffix == ".parquet":
            kind = "Parquet"  # which pyarrow reads
        if kind not in self.tiny:
            self.tiny[kind] = self._write_tiny(kind)
        warm = [str(self.tiny[kind]) if a == str(graph) else a for a in arguments]
        return self.ask("peak", arguments, warm, group)


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runner]:
    try:
        with open("/proc/self/clear_refs", "w") as file:
            file.write("5")
    except OSError:
        pytest.skip("the largest resident size cannot be counted anew here")
    made = Runner(tmp_path_factory.mktemp("plans"))
    yield made
    made.process.terminate()
    made.process.wait()


def commands(weighted: bool = True) -> list[list[str]]:
    """Of a graph, in place of which `GRAPH` stands; every engine of CPUs."""
    loosely = {"pagerank": ["--tolerance", "1e-3"]}  # takes as much, for a shorter time
    found = [
        [algorithm, "GRAPH", *MACHINE, "--engine", engine.name, *loosely.get(algorithm, [])]
        for algorithm in ("bfs", "components", "pagerank", *(["sssp"] if weighted else []))
        for engine in gs.engines(algorithm)
        if "cpu" in engine.runs_on
    ]
    found += [[algorithm, "GRAPH", *MACHINE, *options] for algorithm, *options in NEWER]
    found += [["bfs", "GRAPH", *MACHINE, "--partition", "hash"],
              ["components", "GRAPH", *MACHINE, "--partition", "hash"],
              ["stats", "GRAPH", "--threads", "2"],
              ["convert", "GRAPH", "OUT", "--threads", "2", "--symmetrize"]]  # fmt: skip
    return found


def of(command: list[str], graph: Path, folder: Path) -> list[str]:
    words = {"GRAPH": str(graph), "OUT": str(folder / "out.gsr")}
    return [words.get(word, word) for word in command]


BINARY = {".gsr", ".npz", ".packed", ".sg", ".wsg"}


def _mapped(graph: Path) -> int:
    """Pages of a mapped file are the system's: it drops them when memory is short."""
    binary = graph.suffix in BINARY or graph.name.startswith("galois")
    return graph.stat().st_size if binary else 0


def _packed(plain: bytes, suffix: str) -> bytes:
    if suffix == ".gz":
        return gzip.compress(plain)
    if suffix == ".xz":
        return lzma.compress(plain)
    return bytes(pytest.importorskip("pyarrow").Codec("zstd").compress(plain, asbytes=True))


def _write(folder: Path, name: str, shape: str, packed: str) -> Path:
    suffix, write, _ = WRITERS[name]
    path = folder / f"{name.replace(' ', '-').lower()}-{shape}{suffix}"
    if not path.exists():
        write(path, SHAPES[shape]())
    if not packed:
        return path
    compressed = path.with_name(path.name + packed)
    if not compressed.exists():
        compressed.write_bytes(_packed(path.read_bytes(), packed))
    return compressed


#: Shapes beyond those that every reader is tried with; formats that cannot hold one refuse it.
MORE = ("many-parallel", "loops", "copies", "none")
WEIGHTED = {"weighted list", "CSV", "Matrix Market", "DIMACS", "METIS", "Galois", "GAPBS", "CSR",
            "Gossamer", "Parquet"}  # fmt: skip
PACKED = (".gz", ".xz", ".zst")
WHOLE = (".npz", ".gsr", ".parquet")  # as they are
CASES = [
    (name, shape, packed)
    for name, (suffix, _, shapes) in WRITERS.items()
    for shape in (*shapes, *MORE)
    for packed in ("", *(PACKED if shape == "copies" and suffix not in WHOLE else []))
]


TAKEN = list(enumerate(CASES))[:: 1 if ALL else 2]


@pytest.mark.parametrize(
    ("number", "case"), TAKEN, ids=[", ".join(filter(None, case)) for _, case in TAKEN]
)
def test_commands_take_what_their_plans_say(
    runner: Runner, number: int, case: tuple[str, str, str]
) -> None:
    name, shape, packed = case
    graph = _write(runner.folder, name, shape, packed)
    every = commands(name in WEIGHTED)
    ran = 0
    for command in every if ALL else [every[number % len(every)]]:
        arguments = of(command, graph, runner.folder)
        planned = runner.planned(arguments)
        found = runner.peak(arguments, graph)
        if (found["code"] == 2 and found["code"] == planned["code"]) or _holds_not(found["said"]):
            continue
        assert (planned["code"], found["code"]) == (0, 0), (command, planned, found)
        most = planned["bytes"] + _mapped(graph) + ALLOWANCE
        assert found["peak"] <= most, (command, found["peak"], planned)
        ran += 1
    if not ran:
        pytest.skip(f"{name} cannot hold this, or there is nothing to search")


def _holds_not(said: str) -> bool:
    """The file is refused, or there is nowhere to begin."""
    return any(
        words in said for words in ("no vertex has an edge", "self-loop", "no edges", "negative")
    )


#: Ordinary graphs: one made here, and real ones where they are.
ORDINARY = {
    "kron:18": False, "USA-road-d.NY.gr.xz": True, "cnr-2000.graph-txt.xz": False,
    "soc-Slashdot0902.txt.xz": False,
}  # fmt: skip


@pytest.mark.parametrize("name", ORDINARY)
def test_plans_of_ordinary_graphs_are_not_loose(
    runner: Runner, name: str, request: pytest.FixtureRequest
) -> None:
    made = ":" in name
    graph = Path(name) if made else request.getfixturevalue("data") / name
    every = commands(ORDINARY[name])
    number = list(ORDINARY).index(name)
    for command in every if ALL else [every[(5 * number) % len(every)]]:
        arguments = of(command, graph, runner.folder)
        planned, found = runner.planned(arguments), runner.peak(arguments, graph)
        assert (planned["code"], found["code"]) == (0, 0), (command, planned, found)
        assert found["peak"] <= planned["bytes"] + ALLOWANCE, (command, found["peak"], planned)
        loose = 1.3 * found["peak"] + (64 << 20)
        assert planned["bytes"] <= loose, (command, found["peak"], planned)


class Groups:
    """A control group for memory within another, which has the limit."""

    def __init__(self, top: Path, limit_file: str, failures: str) -> None:
        self.outer = top / f"gossamer-test-{os.getpid()}"
        self.inner = self.outer / "inner"
        self._limit_file, self._failures = limit_file, failures
        self.outer.mkdir()
        if limit_file == "memory.max":
            (self.outer / "cgroup.subtree_control").write_text("+memory")
        self.inner.mkdir()

    def limit(self, size: int) -> None:
        (self.outer / self._limit_file).write_text(str(size))

    def killed(self) -> int:
        """How often the group's processes were killed for memory."""
        for line in (self.inner / self._failures).read_text().splitlines():
            if line.startswith("oom_kill "):
                return int(line.split()[1])
        return 0

    def close(self) -> None:
        self.inner.rmdir()
        self.outer.rmdir()


@pytest.fixture
def groups() -> Iterator[Groups]:
    made, why = None, "no control group for memory can be made here"
    for top, limit, failures in (
        (Path("/sys/fs/cgroup/memory"), "memory.limit_in_bytes", "memory.oom_control"),
        (Path("/sys/fs/cgroup"), "memory.max", "memory.events"),
    ):
        controllers = top / "cgroup.controllers"
        if not (top / limit).exists() and not (
            controllers.exists() and "memory" in controllers.read_text()
        ):
            continue
        try:
            made = Groups(top, limit, failures)
            break
        except OSError as error:
            why += f": {error.strerror}"
    if made is None:
        pytest.skip(why)
    yield made
    made.close()


GROUPED = [["components", "GRAPH", *MACHINE], ["bfs", "GRAPH", *MACHINE], ["stats", "GRAPH"],
           ["sssp", "GRAPH", *MACHINE, "--engine", "async"], ["pagerank", "GRAPH", *MACHINE],
           ["convert", "GRAPH", "OUT", "--symmetrize"]]  # fmt: skip
_IN_GROUPS = ("weighted list", "Matrix Market", "METIS", "DIMACS", "Galois", "CSR")


@pytest.mark.parametrize("number", range(len(GROUPED)))
def test_within_control_groups_plans_hold(runner: Runner, groups: Groups, number: int) -> None:
    """With the planned memory and a little more a command ends; with half of what it takes, it
    is refused in one line, and nothing is killed."""
    graph = _write(runner.folder, _IN_GROUPS[number], "random", "")
    arguments = of(GROUPED[number], graph, runner.folder)
    planned = runner.planned(arguments)["bytes"]
    groups.limit(planned + 2 * ALLOWANCE)
    found = runner.peak(arguments, graph, str(groups.inner))
    assert found["code"] == 0, (found, planned)
    groups.limit(min(planned, found["peak"]) // 2)
    found = runner.peak(arguments, graph, str(groups.inner))
    assert found["code"] == 2 and found["said"].count("\n") == 1, (found, planned)
    assert "memory" in found["said"] or "limit" in found["said"], found
    assert groups.killed() == 0

"""Outputs: whole or not at all, files alone are replaced, and one line says what went wrong."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import gossamer as gs
import numpy as np
import pytest

#: A command for each writer; its output's name comes last.
WRITERS = [
    ("stats", "kron:12", "--json"),
    ("bfs", "kron:12", "--machine", "cpu:1x1", "--trace"),
    ("bfs", "kron:12", "--machine", "cpu:1x1", "--output"),
    ("sssp", "kron:12", "--weights", "--machine", "cpu:1x1", "--output"),
    ("components", "kron:12", "--machine", "cpu:1x1", "--output"),
    ("pagerank", "kron:12", "--machine", "cpu:1x1", "--output"),
    ("triangles", "kron:12", "--machine", "cpu:1x1", "--output"),
    ("core-numbers", "kron:12", "--machine", "cpu:1x1", "--output"),
    ("spanning-forest", "kron:12", "--machine", "cpu:1x1", "--output"),
    ("strong-components", "kron:12", "--machine", "cpu:1x1", "--output"),
    ("betweenness", "kron:12", "--samples", "9", "--machine", "cpu:1x1", "--output"),
    ("closeness", "kron:10", "--machine", "cpu:1x1", "--output"),
    ("harmonic", "kron:10", "--machine", "cpu:1x1", "--output"),
    ("eccentricity", "kron:12", "--machine", "cpu:1x1", "--output"),
    ("diameter", "kron:12", "--machine", "cpu:1x1", "--output"),
    ("distances", "kron:12", "--machine", "cpu:1x1", "--output"),
    ("communities", "kron:12", "--machine", "cpu:1x1", "--output"),
    ("random-walks", "kron:10", "--machine", "cpu:1x1", "--output"),
    ("cg", "poisson:99x99", "--machine", "cpu:1x1", "--output"),
    ("filter", "count:9999", ">3", "--machine", "cpu:1x1", "--output"),
    ("tune", "--machine", "cpu:2x1", "--ops", "broadcast,allreduce", "--max-bytes", "8",
     "--output"),
]  # fmt: skip
#: Those that compile what they run, where files of some bytes may be written.
COMPILING = [
    ("hits", "kron:12", "--machine", "cpu:1x1", "--output"),
    ("katz", "kron:12", "--alpha", "1e-4", "--machine", "cpu:1x1", "--output"),
    ("eigenvector", "kron:12", "--machine", "cpu:1x1", "--output"),
    ("independent-set", "kron:12", "--machine", "cpu:1x1", "--output"),
    ("coloring", "kron:12", "--machine", "cpu:1x1", "--output"),
]
SUFFIX = {"cg": ".npy", "filter": ".npy", "bfs": ".npz", "sssp": ".npz", "components": ".npz",
          "pagerank": ".npz", "triangles": ".npz", "core-numbers": ".npz",
          "spanning-forest": ".npz", "strong-components": ".npz", "betweenness": ".npz",
          "closeness": ".npz", "harmonic": ".npz", "eccentricity": ".npz", "diameter": ".npz",
          "distances": ".npz", "communities": ".npz", "random-walks": ".npz"}  # fmt: skip
FILES_ONLY = [("generate", "kron:12", "-o"), ("convert", "kron:12")]


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """As on a full disk; Python ignores the signal that comes with it."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize(
    "command",
    [
        *((*c, "x" + SUFFIX.get(c[0], "")) for c in WRITERS),
        *((*c, f"x{suffix}") for c in FILES_ONLY for suffix in (".gsr", ".npz", ".mtx", ".gr")),
        ("bfs", "grid:4x4", "--machine", "cpu:1x1", "--plot", "x.png"),
        ("dataflow", "filter", "--machine", "cpu:2x1", "--output", "x.dot"),
    ],
)
def test_what_cannot_be_written_whole_is_not_there(
    cli: Any, tmp_path: Path, command: tuple[str, ...]
) -> None:
    if "--plot" in command:
        pytest.importorskip("matplotlib")
    with files_of_at_most(64):
        done = cli(*command)
    assert done.stderr == f"gossamer: {command[-1]}: cannot be written: File too large\n"
    assert done.returncode == 1
    assert list(tmp_path.iterdir()) == []


#: Runs a command that the kernel ends when a file grows beyond so many bytes.
KILLED = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]),) * 2)
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
sys.argv[:] = ["gossamer", *sys.argv[2:]]
from gossamer.cli import main
sys.exit(main())
"""


@pytest.mark.parametrize("before", ["", "old"])
@pytest.mark.parametrize(
    "command",
    [
        *((*c, "x" + SUFFIX.get(c[0], "")) for c in WRITERS),
        ("bfs", "kron:12", "--machine", "cpu:1x1", "--output", "x.csv"),
        ("generate", "kron:12", "-o", "x.gsr"),
    ],
)
def test_a_process_killed_in_the_middle_leaves_the_old_file_or_none(
    environment: dict[str, str], tmp_path: Path, command: tuple[str, ...], before: str
) -> None:
    target = tmp_path / command[-1]
    if before:
        target.write_text(before)
    done = subprocess.run(
        [sys.executable, "-c", KILLED, "300", *command],
        cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == -signal.SIGXFSZ, done.stderr
    assert [file.name for file in tmp_path.iterdir()] == [target.name] * bool(before)
    assert not before or target.read_text() == before


@pytest.mark.parametrize("command", [*WRITERS, *COMPILING])
def test_devices_take_what_is_written(cli: Any, command: tuple[str, ...]) -> None:
    done = cli(*command, "/dev/null")
    assert (done.returncode, done.stderr) == (0, "")
    done = cli(*command, "/dev/full")
    assert done.stderr == "gossamer: /dev/full: cannot be written: No space left on device\n"
    assert done.returncode == 1


@pytest.mark.parametrize("command", FILES_ONLY)
def test_devices_take_no_graphs(cli: Any, command: tuple[str, ...]) -> None:
    text = cli.fails(2, *command, "/dev/null")
    assert text == "/dev/null: graphs are written to files, which are replaced"


def test_no_device_is_replaced(tmp_path: Path) -> None:
    """Nor is a link to one, which root may replace as well."""
    null = tmp_path / "null"
    null.symlink_to("/dev/null")
    with pytest.raises(gs.UsageError, match=r"null: graphs are written to files, which are repla"):
        gs.grid(2, 2).write(null, "gsr")
    trace = gs.Trace()
    gs.bfs(gs.grid(2, 2), 0, "cpu:1x1", trace=trace)
    trace.write(null)
    assert null.is_symlink() and null.is_char_device()


def test_an_output_keeps_its_link_and_its_permissions(cli: Any, tmp_path: Path) -> None:
    file, link = tmp_path / "x.npz", tmp_path / "link.npz"
    file.touch()
    file.chmod(0o600)
    link.symlink_to("x.npz")
    assert cli("bfs", "grid:4x4", "--machine", "cpu:1x1", "--output", link).returncode == 0
    assert link.is_symlink() and file.stat().st_mode & 0o777 == 0o600
    assert np.load(file)["depths"].shape == (1, 16)
    gs.grid(3, 3).write(link, "gsr")
    assert link.is_symlink() and file.stat().st_mode & 0o777 == 0o600
    assert gs.read(file).vertices == 9
    assert sorted(tmp_path.iterdir()) == [link, file]


def test_archives_say_their_lengths_up_front(cli: Any, tmp_path: Path) -> None:
    """As files do that can be gone back in: not every reader looks at the end first."""
    given = ["pagerank", "kron:18", "--machine", "cpu:1x1", "--max-iterations", "1", "--output"]
    assert cli(*given, "x.npz").returncode in (0, 1)
    with zipfile.ZipFile(tmp_path / "x.npz") as archive:
        assert archive.testzip() is None
        assert [entry.flag_bits & 8 for entry in archive.infolist()] == [0, 0]
    assert np.load(tmp_path / "x.npz")["ranks"].size == 1 << 18


def test_hard_links_are_one_file(cli: Any, tmp_path: Path) -> None:
    for name in ("a", "graph.gsr"):
        (tmp_path / name).touch()
    gs.grid(4, 4).write(tmp_path / "graph.gsr")
    before = (tmp_path / "graph.gsr").read_bytes()
    for name, other in (("a", "b"), ("graph.gsr", "c.gsr")):
        (tmp_path / other).hardlink_to(tmp_path / name)
    text = cli.fails(2, "bfs", "grid:4x4", "--json", "a", "--trace", "b")
    assert text == "--json a: two outputs cannot be one file"
    for command in (("stats", "graph.gsr", "--json"), ("convert", "graph.gsr")):
        text = cli.fails(2, *command, "c.gsr")
        assert text == "graph.gsr: is read, and cannot be an output as well"
    assert (tmp_path / "c.gsr").read_bytes() == before


def test_a_folder_that_may_not_be_written_is_named(
    environment: dict[str, str], tmp_path: Path
) -> None:
    program = (
        "import os; from gossamer.cli import run\n"
        "run(['bfs', 'grid:4x4', '--plan'])\n"  # imports what nobody may read
        "if os.geteuid() == 0: os.seteuid(65534)\n"
        "for option in (['--json', 'x.json'], ['--output', 'x.npz'], ['--json', 'mine']):\n"
        "    assert run(['bfs', 'grid:4x4', *option]) == 2"
    )
    (tmp_path / "mine").touch(0o444)
    tmp_path.chmod(0o555)
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env=environment, capture_output=True,
        text=True, check=False,
    )  # fmt: skip
    tmp_path.chmod(0o755)
    assert done.stderr.splitlines() == [
        "gossamer: --json x.json: no permission to write there",
        "gossamer: x.npz: no permission to write there",
        "gossamer: --json mine: no permission to write there",
    ]


def test_a_path_need_not_be_text(cli: Any, tmp_path: Path) -> None:
    name = os.fsdecode(b"\xff.json")
    assert cli("stats", "grid:4x4", "--json", name).returncode == 0
    assert (tmp_path / name).is_file()
    assert cli.fails(2, "stats", "grid:4x4", "--json", f"no/{name}") == (
        r"--json no/\xff.json: there is no folder no"
    )


@pytest.mark.parametrize(
    "command", [("bfs", "kron:10", "--plan"), ("simulate", "--systems"), ("trace", "--help")]
)
def test_terminals_need_no_more_than_ascii(
    environment: dict[str, str], command: tuple[str, ...]
) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "gossamer", *command], capture_output=True, check=False,
        env=environment | {"PYTHONIOENCODING": "ascii"},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    assert command[-1] != "--plan" or rb"\u2264: an upper bound" in done.stdout


TOWNS = 'from,to,weight\n"Ann, B",bob,2\nbob,cleo,3\ndan,eve,1\n'


def test_results_are_written_as_tables(cli: Any, tmp_path: Path) -> None:
    (tmp_path / "e.csv").write_text(TOWNS)
    read = ("e.csv", "--symmetrize", "--machine", "cpu:1")

    def written(*given: str) -> list[str]:
        file = tmp_path / given[-1]
        assert cli(*given[:-1], *read, "--output", file).returncode == 0
        return file.read_text().splitlines()

    rows = written("bfs", "--source", "bob", "b.csv")
    assert rows[0] == "vertex,parent,depth"
    assert rows[1:] == ['"Ann, B",bob,1', "bob,bob,0", "cleo,bob,1", "dan,,", "eve,,"]
    rows = written("sssp", "--parents", "--sources", "2", "--seed", "1", "s.tsv")
    assert rows[0].split("\t") == ["vertex", "source", "distance", "parent"] and len(rows) == 11
    assert {row.split("\t")[1] for row in rows[1:6]} == {rows[1].split("\t")[1]}
    rows = written("components", "c.csv")
    assert rows == ["vertex,label", '"Ann, B","Ann, B"', 'bob,"Ann, B"', 'cleo,"Ann, B"',
                    "dan,dan", "eve,dan"]  # fmt: skip
    rows = written("triangles", "t.csv")
    assert rows[:2] == ["vertex,triangles,clustering", '"Ann, B",0,0.0']
    rows = written("core-numbers", "k.csv")
    assert rows[:2] == ["vertex,core_number", '"Ann, B",1']
    rows = written("spanning-forest", "f.csv")
    assert rows[:2] == ["arc,from,to,weight", '0,"Ann, B",bob,2']
    rows = written("betweenness", "b.csv")
    assert rows[:2] == ["vertex,betweenness", '"Ann, B",0.0']
    rows = written("hits", "h.csv")
    assert rows[0] == "vertex,authority,hub" and rows[2].startswith("bob,")
    rows = written("coloring", "q.csv")
    assert rows[0] == "vertex,color" and len(rows) == 6
    rows = written("independent-set", "i.csv")
    assert rows[0] == "vertex,chosen" and {row[-2:] for row in rows[1:]} == {",0", ",1"}
    ranks = [float(row.rsplit(",", 1)[1]) for row in written("pagerank", "p.csv")[1:]]
    assert sum(ranks) == pytest.approx(1)


def test_results_are_written_as_parquet(cli: Any, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    (tmp_path / "e.csv").write_text(TOWNS)
    given = ("sssp", "e.csv", "--source", "bob", "--output", "s.parquet")
    assert cli(*given).returncode == 0
    found = parquet.read_table(tmp_path / "s.parquet").to_pydict()
    assert found == {"vertex": ["Ann, B", "bob", "cleo", "dan", "eve"],
                     "distance": [None, 0, 3, None, None]}  # fmt: skip


def test_other_suffixes_are_refused(cli: Any, tmp_path: Path) -> None:
    said = cli.fails(2, "components", "kron:5", "--output", "x.xlsx")
    assert said == "--output x.xlsx: the suffix must be .npz, .csv, .tsv or .parquet"
    assert not (tmp_path / "x.xlsx").exists()

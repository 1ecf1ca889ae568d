"""Mapped files that others change before, between and during what reads them; writers beside
readers."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gossamer as gs
import numpy as np
import pytest

READER = Path(__file__).with_name("reader.py")
WORKS = (
    "bfs", "search", "sssp", "components", "pagerank", "program", "steps", "statistics", "rebuild",
    "place", "write",
)  # fmt: skip


def replace(path: Path) -> None:
    other = path.with_name("other.gsr")
    gs.uniform(6).write(other)
    other.rename(path)


def delete(path: Path) -> None:
    path.unlink()


def cut(path: Path) -> None:
    os.truncate(path, 4096)


def grow(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"x" * 5000)


def rewrite(path: Path) -> None:
    """In place, by ids that there are: what reads them finds another graph."""
    arcs = gs.read(path).indices.copy()
    at = path.read_bytes().index(arcs.tobytes())
    with path.open("r+b") as file:
        file.seek(at)
        file.write(np.ascontiguousarray(arcs[::-1]).tobytes())


#: Each change, and whether a reader goes on with what it has.
CHANGES: dict[Callable[[Path], None], bool] = {
    replace: True, delete: True, cut: False, grow: False, rewrite: False
}  # fmt: skip


class Reader:
    """The process, with the graph it works on."""

    def __init__(self, environment: dict[str, str], folder: Path, graph: Path, work: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, str(READER), graph.name, work],
            cwd=folder,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def ask(self, word: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{word}\n")
        self.process.stdin.flush()

    def answer(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline()

    def end(self) -> tuple[int, str]:
        self.process.kill()
        errors = self.process.communicate(timeout=60)[1]
        return self.process.returncode, errors


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("graph") / "whole.gsr"
    gs.kronecker(13, weights=True).write(path)
    return path


@pytest.fixture
def reader(environment: dict[str, str], whole: Path, tmp_path: Path) -> Any:
    readers = []

    def start(work: str) -> Reader:
        shutil.copy(whole, tmp_path / "g.gsr")
        readers.append(Reader(environment | {"GOSSAMER_CACHE": str(whole.parent)}, tmp_path,
                              tmp_path / "g.gsr", work))  # fmt: skip
        return readers[-1]

    yield start
    for one in readers:
        one.end()


CELLS = [
    pytest.param(
        change, when, work, id=f"{change.__name__}-{when}-{work}",
        marks=[] if (i + 2 * j + k) % 4 == 0 or (change, work) == (rewrite, "statistics")
        else pytest.mark.whole,
    )
    for i, change in enumerate(CHANGES)
    for j, when in enumerate(("between", "during"))
    for k, work in enumerate(WORKS)
]  # fmt: skip


@pytest.mark.parametrize(("change", "when", "work"), CELLS)
def test_a_file_that_changes(
    reader: Any, tmp_path: Path, change: Callable[[Path], None], when: str, work: str
) -> None:
    path = tmp_path / "g.gsr"
    one = reader(work)
    assert one.answer() == "ready\n", one.end()
    one.ask("always" if when == "during" else "once")
    assert [one.answer() for _ in range(2 if when == "during" else 1)][-1] == "same\n", one.end()
    change(path)
    if CHANGES[change]:
        for _ in range(3):
            if when == "between":
                one.ask("once")
            assert one.answer() == "same\n", one.end()
        return
    if when == "between":
        one.ask("once")
    # What ended before the change was right. What comes after it is refused.
    while (said := one.answer()) == "same\n" and when == "during":
        pass
    if change is cut and when == "during" and said == "":  # docs/cli.md: a run that reads then
        assert one.process.wait(60) == -signal.SIGBUS
        return
    assert said.startswith("refused: g.gsr: was changed while it was in use"), (said, one.end())
    if when == "between":
        one.ask("once")
    # A file that grows has a new time before it has a new size, and grows page by page.
    assert one.answer().startswith("refused: g.gsr: was changed while it was in use")


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_file_that_changes_before_the_first_use(
    whole: Path, tmp_path: Path, change: Callable[[Path], None]
) -> None:
    graph = gs.read(shutil.copy(whole, tmp_path / "g.gsr"))
    change(tmp_path / "g.gsr")
    if CHANGES[change]:
        assert gs.bfs(graph, 1).reached == gs.bfs(gs.read(whole), 1).reached
        return
    with pytest.raises(gs.InputError, match=r"g\.gsr: was changed while it was in use"):
        gs.bfs(graph, 1)


WRITER = """
import gossamer as gs
graphs = gs.kronecker(9), gs.kronecker(10)
for k in range(60):
    graphs[k % 2].write("g.gsr")
"""


def test_a_reader_beside_a_writer_sees_one_graph_or_the_other(
    environment: dict[str, str], tmp_path: Path
) -> None:
    both = {g.arcs: gs.components(g).count for g in (gs.kronecker(9), gs.kronecker(10))}
    gs.kronecker(9).write(tmp_path / "g.gsr")
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER], env=environment, cwd=tmp_path)
        for _ in range(2)
    ]
    try:
        while any(writer.poll() is None for writer in writers):
            graph = gs.read(tmp_path / "g.gsr")
            assert gs.components(graph).count == both[graph.arcs]
    finally:
        for writer in writers:
            writer.kill()
            writer.wait(60)
    assert [writer.returncode for writer in writers] == [0, 0]
    assert [path.name for path in tmp_path.iterdir()] == ["g.gsr"]


COMPILER = """
import sys
import gossamer as gs
sys.stdin.readline()
graph = gs.road(30, 0.9)
print(int(gs.vertex_program("min", "value + 1 + 0 * weight", "int64").run(graph, 0, "cpu:2x1")
          .values.max()))
"""


def test_processes_compile_into_one_cache_at_once(
    environment: dict[str, str], tmp_path: Path
) -> None:
    started = [
        subprocess.Popen(
            [sys.executable, "-c", COMPILER], env=environment | {"GOSSAMER_CACHE": str(tmp_path)},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        for _ in range(3)
    ]  # fmt: skip
    done = [process.communicate("go\n", timeout=120) for process in started]
    assert [process.returncode for process in started] == [0, 0, 0], done
    assert len({out for out, _ in done}) == 1 and not any(errors for _, errors in done), done

"""`gossamer dataflow FILE.py`: graphs that Python files describe, and what such files do wrong."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).parents[3] / "examples"

PAIR = """
import gossamer as gs
from helper_of_pair import PACKET

def wiring(machine):
    w = gs.dataflow.Wiring(machine)
    w.connect(w.rank(0), w.endpoint(machine.size - 1, "sink"), packet=PACKET, buffers=3)
    return w

ready = wiring(gs.Machine("cpu:2x1"))
number = 3

def broken(machine):
    return machine.wheels

def half(machine):
    w = gs.dataflow.Wiring(machine)
    w.connect(w.rank(0), w.router(1, 1, "ring", "hub"))
    return w

if __name__ == "__main__":
    raise SystemExit("ran")
"""


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[Path]:
    (tmp_path / "helper_of_pair.py").write_text("PACKET = '64K'\n")
    path = tmp_path / "pair.py"
    path.write_text(PAIR)
    yield path
    for name in ("pair", "helper_of_pair"):
        sys.modules.pop(name, None)


def test_a_function_of_a_file(cli: Any, pair: Path) -> None:
    done = cli("dataflow", pair, "--machine", "cpu:3x1")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "rank 0: 'rank 0'",
        "rank 2: 'sink'",
        "link 'rank 0' -> 'sink'  3 x 64.0 KiB",
    ]
    assert cli("dataflow", f"{pair}:wiring", "--machine", "cpu:3x1").stdout == done.stdout


def test_an_object_of_a_file_has_its_own_machine(cli: Any, pair: Path) -> None:
    found = cli.json("dataflow", f"{pair}:ready", "--machine", "cpu:1x1")
    assert found["machine"]["spec"] == "cpu:2x1"
    assert found["nodes"] == [
        {"name": "rank 0", "rank": 0, "policy": None},
        {"name": "sink", "rank": 1, "policy": None},
    ]
    assert found["links"] == [{"from": 0, "to": 1, "packet": 65536, "buffers": 3}]


def test_as_graphviz_has_it(cli: Any, pair: Path) -> None:
    dot = cli("dataflow", pair, "--machine", "cpu:2x1", "--dot").stdout
    assert dot.startswith("digraph dataflow {") and '[label="3 x 64.0 KiB"]' in dot
    done = cli("dataflow", pair, "--machine", "cpu:2x1", "--output", "graph.dot")
    assert done.stdout == "wrote graph.dot\n"
    assert (cli.folder / "graph.dot").read_text() == dot


@pytest.mark.parametrize("name", ["predicate_filter", "reduction"])
def test_the_examples(cli: Any, name: str) -> None:
    done = cli("dataflow", EXAMPLES / f"{name}.py", "--machine", "cpu:3x1")
    assert done.returncode == 0, done.stderr
    assert "router '" in done.stdout and "link 'rank 1' -> " in done.stdout
    sys.modules.pop(name, None)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (":none", "nothing there is named 'none'"),
        (":number", "'number' is no gossamer.dataflow.Wiring, and no function that makes one"),
        (":broken", "AttributeError: 'Machine' object has no attribute 'wheels'"),
        (":half", "dataflow: router 'hub' has links from 0 of its 1 outputs"),
    ],
)
def test_mistakes_in_files(cli: Any, pair: Path, name: str, message: str) -> None:
    assert message in cli.fails(2, "dataflow", f"{pair}{name}", "--machine", "cpu:2x1")


def test_files_that_are_none(cli: Any, tmp_path: Path) -> None:
    assert "none.py" in cli.fails(2, "dataflow", "none.py", "--machine", "cpu:1x1")
    (tmp_path / "wrong.py").write_text("x = = 3\n")
    said = cli.fails(2, "dataflow", tmp_path / "wrong.py", "--machine", "cpu:1x1")
    assert said.startswith(f"{tmp_path / 'wrong.py'}: SyntaxError: invalid syntax")


def test_the_built_in_program_as_text(cli: Any) -> None:
    lines = cli("dataflow", "filter", "--machine", "cpu:2x1", "--packet", "64K").stdout.splitlines()
    assert lines[0].startswith("rank 0: ")
    assert any(line.startswith("router ") and "any device" in line for line in lines)
    assert any(line.endswith("8 x 64.0 KiB") for line in lines)

"""Names of files, and texts in them, that are no UTF-8."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gossamer as gs
import numpy as np
import pytest
from gossamer.cli.input.numbers import read_distances, read_numbers

DATA = Path(__file__).parents[3] / "tests" / "data"

READERS: list[Callable[[Path], object]] = [
    lambda path: read_numbers(path, "ranks"),
    lambda path: read_distances(path),
    lambda path: gs.read_partition(path, 2),
]


def _named(folder: Path, name: bytes) -> Path:
    try:
        path = folder / os.fsdecode(name)
        path.touch()
    except (OSError, UnicodeError):
        pytest.skip("this file system takes only names that are text")
    return path


def test_names_of_files_are_bytes(small: gs.Graph, tmp_path: Path) -> None:
    path = _named(tmp_path, b"n\xff.gsr")
    small.write(path)
    again = gs.read(path)
    assert again.vertices == small.vertices and again.name == r"n\xff.gsr"
    part = _named(tmp_path, b"p\xff")
    part.write_text("0\n1\n")
    assert gs.read_partition(part, 2).tolist() == [0, 1]
    part.write_text("0\nx\n")
    for read in READERS:
        with pytest.raises(gs.InputError) as caught:
            read(part)
        assert str(caught.value).encode().startswith(os.fsencode(tmp_path) + rb"/p\xff:2: expected")
    trace = _named(tmp_path, b"t\xff.json")
    recorded = gs.Trace()
    gs.filter(np.arange(3), "<1", "cpu:1x1", trace=recorded)
    recorded.write(trace)
    assert trace.read_text().startswith("{")


def test_commands_print_any_name(
    small_file: Path, tmp_path: Path, environment: dict[str, str]
) -> None:
    """In a process of its own: what stdout cannot encode would end it."""
    named = _named(tmp_path, b"n\xff.gr")
    small_file.rename(named)
    for arguments in (
        [b"convert", os.fsencode(named), b"o\xfe.gsr"],
        [b"stats", b"o\xfe.gsr"],
        [b"bfs", b"o\xfe.gsr", b"--machine", b"cpu:1x1", b"--output", b"d\xfe.npz"],
    ):
        done = subprocess.run(
            [os.fsencode(sys.executable), b"-m", b"gossamer", *arguments],
            capture_output=True, cwd=tmp_path, env=environment, timeout=120, check=False,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (0, b"")
        assert b"xfe" in done.stdout or b"dcfe" in done.stdout


@pytest.mark.parametrize("name", ["a\0b", "a\ud800b"])
def test_names_that_no_file_has(name: str) -> None:
    with pytest.raises(gs.UsageError, match=r"^read: path: no file can have the name 'a"):
        gs.read(name)


def test_texts_in_files_are_bytes(small_file: Path, cli: Any, tmp_path: Path) -> None:
    gr = tmp_path / "v1.gr"
    gr.write_bytes((DATA / "tiny-v1.gr").read_bytes())
    (tmp_path / "v1.gr.metadata").write_bytes(b"note = \xff\nedge_data = int32\n")
    assert r"metadata: note = \xff" in gs.read(gr).steps
    (tmp_path / "v1.gr.metadata").write_bytes(b"edge_data = \xff\n")
    with pytest.raises(gs.InputError, match=r"cannot be '[?]', as the metadata file says$"):
        gs.read(gr)
    (tmp_path / "rules").write_bytes(b"broadcast:0-inf:@\xff\n")
    said = cli.fails(2, "info", GOSSAMER_COLLECTIVES="rules")
    assert said.startswith("rules:1:") and said.endswith("found '?'")

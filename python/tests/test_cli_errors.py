"""Bad usage and bad input: one line, an exit code, nothing left behind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gossamer as gs
import pytest


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("bfs", "absent.gr"), "absent.gr: no such file, and no generator"),
        (("stats", "absent.gr"), "absent.gr: no such file"),
        (("convert", "absent.gr", "x.npz"), "absent.gr: no such file"),
        (("bfs", "kron:x"), "kron:x"),
        (("bfs", "grid:4"), "grid:4"),
        (("stats", "poisson:4x"), "generator 'poisson:4x': NY '' is not a whole number"),
        (("generate", "band:5:26", "-o", "x.npz"), "NON_ZEROS must be 5 to 25, not 26"),
        (("generate", "mesh:4", "-o", "x.npz"), "'mesh:4' is no generator"),
        (("generate", "kron:4"), "Give -o FILE"),
        (("generate", "kron:4", "-o", "no/such/x.npz"), "there is no folder no/such"),
        (("generate", "kron:4", "-o", "."), "is a folder"),
        (("generate", "kron:4", "-o", "x.npz", "--to", "bogus"), "bogus"),
        (("generate", "kron:4", "-o", "x.unknown"), "x.unknown"),
        (("bfs", "grid:4x4", "--source", "16"), "grid:4x4: no vertex 16 (ids are 0 to 15)"),
        (("bfs", "grid:4x4", "--source", "-1"), "no vertex -1"),
        (("bfs", "grid:1x1"), "no vertex has an edge to draw a source from"),
        (("bfs", "grid:4x4", "--source", "1", "--sources", "2"), "not both"),
        (("bfs", "grid:4x4", "--machine", "abacus"), "abacus"),
        (("bfs", "grid:4x4", "--machine", "cpu:0"), "cpu:0"),
        (("bfs", "grid:4x4", "--direction", "up"), "'up' is none of auto, top-down, bottom-up"),
        (("bfs", "grid:4x4", "--engine", "warp"), "warp"),
        (("bfs", "grid:4x4", "--partition", "magic"), "no such file, and none of auto, ranges"),
        (("bfs", "grid:4x4", "--renumber", "magic"), "magic"),
        (("bfs", "grid:4x4", "--timeout", "0"), "--timeout: not a positive number"),
        (("bfs", "grid:4x4", "--timeout", "soon"), "--timeout"),
        (("bfs", "grid:4x4", "--memory", "lots"), "not a number of bytes: 'lots'"),
        (("bfs", "grid:4x4", "--repeat", "0"), "--repeat"),
        (("bfs", "grid:4x4", "--output", "no/such.npz"), "there is no folder no"),
        (("stats", "grid:4x4", "--partition", "metis"), "expected PARTS:NAME"),
        (("stats", "grid:4x4", "--partition", "2:magic"), "magic"),
        (("bfs",), "GRAPH"),
        (("bfs", "grid:4x4", "--bogus"), "--bogus"),
        (("frobnicate",), "frobnicate"),
    ],
)
def test_bad_usage_is_one_line_and_exit_code_2(
    cli: Any, tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    assert message in cli.fails(2, *arguments)
    assert list(tmp_path.iterdir()) == []


def test_no_cuda_device(cli: Any) -> None:
    if gs._gossamer.hardware()["gpus"]:
        pytest.skip("there is a GPU")
    for spec in ("cuda", "cuda:7", "cpu:1+cuda:0"):
        text = cli.fails(2, "bfs", "grid:4x4", "--machine", spec)
        if gs._gossamer.build_info()["features"]["cuda"]:
            assert "this host has no CUDA device (" in text
        else:
            assert "CUDA devices not compiled in: configure with -DGOSSAMER_CUDA=ON" in text


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("empty.mtx", b"", "empty.mtx"),
        ("bad.gr", b"p sp 2 1\na 1 5 1\n", "bad.gr:2: "),
        ("short.gr", b"p sp 2 2\na 1 2 1\n", "short.gr"),
        ("cut.gr.gz", b"\x1f\x8b\x08\x00\x00", "cut.gr.gz"),
        ("junk.bin", bytes(range(256)), "junk.bin"),
    ],
)
def test_bad_files_are_named(
    cli: Any, tmp_path: Path, name: str, content: bytes, message: str
) -> None:
    (tmp_path / name).write_bytes(content)
    assert message in cli.fails(2, "convert", name, "out.npz")
    assert [p.name for p in tmp_path.iterdir()] == [name]

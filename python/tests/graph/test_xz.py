"""Files in .xz by Python's own lzma, as in builds of the library without liblzma."""

from __future__ import annotations

import struct
import subprocess
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path

import gossamer as gs
import numpy as np
import pytest
from gossamer import _gossamer
from gossamer.graph.xz import by_python, decoder

lzma = pytest.importorskip("lzma")

COMPILED = _gossamer.build_info()["features"]["xz"]


@pytest.fixture(autouse=True)
def by_lzma() -> Iterator[None]:
    _gossamer.use_xz_decoder(decoder)
    yield
    _gossamer.use_xz_decoder(None if COMPILED else decoder)


def test_formats_and_streams(tmp_path: Path) -> None:
    graph = gs.road(120, 0.9)
    for suffix in ("mtx", "gsr", "gr"):
        graph.write(tmp_path / f"plain.{suffix}")
        plain = (tmp_path / f"plain.{suffix}").read_bytes()
        half = len(plain) // 2
        streams = lzma.compress(plain[:half]) + bytes(8) + lzma.compress(plain[half:]) + bytes(4)
        for name, data in (("one", lzma.compress(plain)), ("two", streams)):
            path = tmp_path / f"{name}.{suffix}.xz"
            path.write_bytes(data)
            back = gs.read(path)
            np.testing.assert_array_equal(back.indptr, graph.indptr)
            np.testing.assert_array_equal(back.indices, graph.indices)
            assert back.name == path.name


def test_progress_counts_the_file_as_it_lies(tmp_path: Path) -> None:
    path = tmp_path / "long.txt.xz"
    ids = np.random.default_rng(1).integers(0, 100_000, (400_000, 2))
    np.savetxt(tmp_path / "long.txt", ids, "%d")
    path.write_bytes(lzma.compress((tmp_path / "long.txt").read_bytes(), preset=0))
    seen: list[tuple[int, int]] = []
    assert gs.read(path, progress=lambda *now: seen.append(now)).arcs == 400_000
    size = path.stat().st_size
    assert all(0 <= done <= size and total in (0, size) for done, total in seen)


def greedy(data: bytes) -> bytes:
    """The same with a block header that asks for a dictionary of 1 GiB."""
    size = (data[12] + 1) * 4
    header = bytearray(data[12 : 12 + size - 4])
    assert header[2:4] == b"\x21\x01"
    header[4] = 38
    return data[:12] + header + struct.pack("<I", zlib.crc32(header)) + data[12 + size :]


TEXT = b"%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n2 3\n"
WHOLE = lzma.compress(TEXT)
BAD = {
    "cut in a stream": (WHOLE[:-1], "is cut short"),
    "cut in a header": (WHOLE[:8], "is cut short"),
    "cut in a second stream": (WHOLE + WHOLE[:20], "is cut short"),
    "damaged": (WHOLE[:40] + bytes([WHOLE[40] ^ 0x55]) + WHOLE[41:], "is damaged"),
    "with rubbish behind": (WHOLE + b"rubbish, and more", "is damaged"),
    "greedy": (greedy(WHOLE), "asks for a dictionary over 256 MiB"),
}


@pytest.mark.parametrize("name", BAD)
def test_errors_name_the_file_and_the_place(name: str, tmp_path: Path) -> None:
    data, reason = BAD[name]
    path = tmp_path / "bad.mtx.xz"
    path.write_bytes(data)
    with pytest.raises(gs.InputError) as caught:
        gs.read(path)
    assert str(caught.value) == f"{path}: byte {len(data)}: xz data {reason}"


def test_threads_that_decode_end_with_the_interpreter(
    environment: dict[str, str], tmp_path: Path
) -> None:
    program = """
import lzma, sys, threading, time
import gossamer as gs
from gossamer import _gossamer
from gossamer.graph import xz
_gossamer.use_xz_decoder(xz.decoder)
gs.road(300, 0.9).write("graph.mtx")
open("graph.mtx.xz", "wb").write(lzma.compress(open("graph.mtx", "rb").read(), preset=0))
def loop():
    while True: gs.read("graph.mtx.xz")
for _ in range(2): threading.Thread(target=loop, daemon=True).start()
time.sleep(0.3)
sys.exit(5)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=environment,
        cwd=tmp_path, timeout=120, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr) == (5, "", "")


def test_what_neither_has_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert by_python() is not COMPILED
    monkeypatch.setitem(sys.modules, "_lzma", None)
    assert not by_python()
    if COMPILED:
        return
    _gossamer.use_xz_decoder(None)
    (tmp_path / "good.mtx.xz").write_bytes(WHOLE)
    with pytest.raises(gs.NotCompiled, match=r"good\.mtx\.xz: reading \.xz not .*GOSSAMER_LZMA=ON"):
        gs.read(tmp_path / "good.mtx.xz")

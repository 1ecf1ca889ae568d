"""Files of numbers beside a graph, damaged ones among them."""

from __future__ import annotations

import gzip
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gossamer as gs
import numpy as np
import pytest
import scipy.io
import scipy.sparse as sp
from gossamer.cli.input.numbers import (
    read_distances,
    read_numbers,
    read_vector,
    read_vertex_numbers,
)

VALUES = np.array([0.5, 12, 3e5, 34])
DATA = Path(__file__).parents[3] / "tests" / "data"


def _samples(folder: Path) -> list[Path]:
    """VALUES in every format."""
    np.save(folder / "a.npy", VALUES)
    np.save(folder / "whole.npy", VALUES.astype(np.int32))
    np.savez(folder / "a.npz", ranks=VALUES, depths=VALUES.astype(int))
    np.savez_compressed(folder / "packed.npz", ranks=VALUES)
    scipy.io.mmwrite(folder / "a.mtx", VALUES.reshape(4, 1))
    scipy.io.mmwrite(folder / "listed.mtx", sp.coo_array(VALUES.reshape(4, 1)))
    (folder / "a.txt").write_text("0.5 12\n3e5 34\n")
    (folder / "a.txt.gz").write_bytes(gzip.compress(b"0.5 12\n3e5 34\n"))
    return sorted(path for path in folder.iterdir() if path.is_file())


def test_every_format_gives_the_same_numbers(tmp_path: Path) -> None:
    np.save(tmp_path / "swapped.npy", VALUES.astype(">f8"))
    for path in _samples(tmp_path):
        if path.name != "whole.npy":
            assert np.array_equal(read_vector(path, "ranks"), VALUES), path
    assert read_numbers(tmp_path / "whole.npy", "ranks").dtype == np.int32
    assert read_numbers(tmp_path / "a.npz", "depths").dtype == np.int64


def _mutated(content: bytes, draw: random.Random) -> bytes:
    """A few bytes changed, added or taken away, or the end cut off."""
    bytes_ = bytearray(content)
    for _ in range(draw.randint(1, 3)):
        at = draw.randrange(len(bytes_) or 1)
        kind = draw.randrange(5)
        if kind == 0:
            del bytes_[at:]
        elif kind == 1:
            del bytes_[at : at + draw.randint(1, 8)]
        elif kind == 2:
            bytes_[at:at] = draw.choice([b"\0", b"\xff", b"9", b"-", b" ", b"\n", b"\xc3("])
        else:
            bytes_[at : at + 1] = bytes([draw.randrange(256)])
    return bytes(bytes_)


READERS: list[Callable[[Path], object]] = [
    lambda path: read_vector(path, "ranks"),
    lambda path: read_distances(path, "depths"),
    lambda path: read_vertex_numbers(path, "ranks"),
    lambda path: gs.read_partition(path, 4),
    gs.read,
]


def test_damaged_files_are_refused_in_one_line_or_read(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    whole = [path.read_bytes() for path in _samples(tmp_path / "in")]
    whole += [(DATA / f"tiny{end}").read_bytes() for end in (".mtx", ".txt", ".gr", "-plain.npz")]
    draw = random.Random(3)
    path = tmp_path / "damaged"
    refused = 0
    for content in whole:
        for _ in range(50):
            path.write_bytes(_mutated(content, draw))
            for read in READERS:
                try:
                    read(path)
                except (gs.InputError, gs.UsageError, gs.CapacityError) as error:
                    refused += 1
                    assert "\n" not in str(error) and str(error).encode()
    assert refused > 1000


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"%%MatrixMarket matrix array real general\n2 1\n1\0\n2\n",
         "bad:3: expected a number, found '1?'"),
        (b"%%MatrixMarket matrix array real general\n0 0\n",
         "bad: 0 numbers, the matrix has 4 rows"),
        (b"1 2 3 12345678901234567", "bad:1: number '12345678901234567' is too large to be exact"),
        (b"%%MatrixMarket matrix array r\xffal general\n",
         "bad:1: entries of type 'r?al' are not read (real, integer are)"),
        (b"1 2 \xff\xfe 4", "bad:1: expected a number, found '??'"),
    ],
)  # fmt: skip
def test_damaged_right_hand_sides_end_no_process(
    cli: Any, tmp_path: Path, content: bytes, said: str
) -> None:
    (tmp_path / "bad").write_bytes(content)
    given = ("cg", "poisson:4", "--machine", "cpu:1x1", "--rhs", "bad")
    assert cli.fails(2, *given) == said


def test_elements_of_no_bytes_are_refused(cli: Any, tmp_path: Path) -> None:
    header = b"{'descr': '|V0', 'fortran_order': False, 'shape': (4,), }".ljust(117) + b"\n"
    (tmp_path / "v0.npy").write_bytes(
        b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header
    )
    assert cli.fails(2, "filter", "v0.npy", "<1", "--machine", "cpu:1x1") == (
        "v0.npy: byte 128: real numbers are needed, not type '|V0'"
    )


def test_integers_that_doubles_do_not_hold_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "large.npy"
    for kind in (np.int64, np.uint64):
        np.save(path, np.array([1, 2**53, 2**53 + 1], kind))
        for read in (read_vector, read_distances):
            with pytest.raises(gs.InputError) as caught:
                read(path, "ranks")
            assert str(caught.value) == (
                f"{path}: number 3, 9007199254740993, is too large to be exact"
            )
        assert read_vertex_numbers(path, "labels")[2] == 2**53 + 1  # as they are
    np.save(path, np.array([-(2**53)]))
    assert read_vector(path, "ranks")[0] == -(2**53)

"""The kernel that GPUs run for vertex programs, on the host: its text behind an emulation of warps,
compiled by the system's compiler; several ranks, each with its own memory."""

from __future__ import annotations

import ctypes
import subprocess
from itertools import pairwise
from pathlib import Path

import gossamer as gs
import numpy as np
import pytest
from gossamer.program_compiler import find_compiler

HERE = Path(__file__).parent
Pointer = ctypes.c_void_p


class View(ctypes.Structure):
    """gs_view of the text, round_view of the library."""

    _fields_ = [
        *((name, Pointer) for name in ("offsets", "columns", "weights", "keys", "next")),
        *((name, Pointer) for name in ("starts", "frontier", "counts")),
        ("rows", ctypes.c_longlong),
        ("rank", ctypes.c_int),
        ("ranks", ctypes.c_int),
    ]


def compiled(program: gs.VertexProgram, folder: Path) -> ctypes.CDLL:
    parts = ["warp_emulator.hpp", "warp_emulator_ranks.hpp"]
    before, after = ((HERE / part).read_text() for part in parts)
    source, library = folder / "kernel.cpp", folder / "kernel.so"
    source.write_text(before + program.source("cuda") + after)
    flags = ["-std=c++20", "-O1", "-shared", "-fPIC", "-pthread", "-ffp-contract=off"]
    command = [*(find_compiler() or ()), *flags, str(source), "-o", str(library)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return ctypes.CDLL(str(library))


def keys_of(values: np.ndarray, larger: bool) -> np.ndarray:
    """As the library's to_key(), for what is a number."""
    word = np.dtype(f"uint{8 * values.itemsize}")
    keys, top = values.view(word).copy(), word.type(1 << (8 * values.itemsize - 1))
    if values.dtype.kind == "f":
        keys = np.where(keys & top, ~keys, keys | top)
    elif values.dtype.kind == "i":
        keys ^= top
    return ~keys if larger else keys


def addresses(arrays: list[np.ndarray]) -> np.ndarray:
    return np.array([a.ctypes.data for a in arrays], np.uint64)


def run(
    library: ctypes.CDLL, graph: gs.Graph, program: gs.VertexProgram, source: int, ranks: int
) -> tuple[np.ndarray, int, int]:
    """Keys, arcs looked at and rounds."""
    first = np.linspace(0, graph.vertices, ranks + 1).astype(np.int64)
    before = np.full(graph.vertices, program.initial, program.dtype)
    before[source] = program.start
    ends = list(pairwise(first))
    keys = [keys_of(before[a:b], program.update == "max") for a, b in ends]
    marks = [[np.zeros((b - a + 31) // 32 + 1, np.uint32) for a, b in ends] for _ in range(2)]
    owner = int(np.searchsorted(first, source, "right")) - 1
    marks[0][owner][(source - first[owner]) // 32] |= 1 << (source - first[owner]) % 32
    offsets = [graph.indptr[a : b + 1] - graph.indptr[a] for a, b in ends]
    arcs = [slice(graph.indptr[a], graph.indptr[b]) for a, b in ends]
    columns = [graph.indices[of].astype(np.int32) for of in arcs]
    weights = [graph.weights[of].astype(program.dtype) for of in arcs]
    counts = [np.zeros(3, np.uint64) for _ in ends]
    tables = addresses(keys), [addresses(m) for m in marks]
    rounds = 0
    while rounds == 0 or any(c[0] for c in counts):
        now, then = rounds % 2, 1 - rounds % 2
        views = (View * ranks)()
        for r, (a, b) in enumerate(ends):
            counts[r][0] = 0
            lying = (offsets[r], columns[r], weights[r], tables[0], tables[1][then], first)
            pointers = [x.ctypes.data for x in (*lying, marks[now][r], counts[r])]
            views[r] = View(*pointers, b - a, r, ranks)
        library.run_ranks(views, ranks)
        rounds += 1
    assert not any(m.any() for both in marks for m in both)
    return np.concatenate(keys), int(sum(c[2] for c in counts)), rounds


@pytest.mark.skipif(find_compiler() is None, reason="no C++ compiler")
@pytest.mark.parametrize(
    ("update", "text", "dtype"),
    [
        ("min", "value + weight + degree % 3", "uint32"),
        ("max", "min(value, weight)", "float64"),
        ("max", "min(value, weight) // 2", "int64"),
        ("min", "value + weight * 0.3", "float32"),
    ],
)
def test_rounds_find_what_worklists_find(
    update: str, text: str, dtype: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOSSAMER_CACHE", str(tmp_path / "cache"))
    program = gs.vertex_program(update, text, dtype, start=0 if update == "min" else 200)
    library = compiled(program, tmp_path)
    star = gs.from_edges(np.zeros(2500, int), np.arange(2500) % 90, np.arange(2500) % 200 + 1)
    # Rows of hundreds of arcs, of few, of a hundred, of thousands.
    graphs = [gs.generate(spec, weights=True) for spec in ("kron:7", "road:12", "uniform:5:60")]
    for graph in (*graphs, star):
        source = int(gs.draw_sources(graph, 1)[0])
        result = program.run(graph, source, "cpu:1")
        wanted = keys_of(result.values, update == "max")
        for ranks in (1, 3):
            found, arcs, rounds = run(library, graph, program, source, ranks)
            np.testing.assert_array_equal(found, wanted)
            assert arcs > 0 and 1 < rounds < graph.vertices

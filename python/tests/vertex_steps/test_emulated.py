"""Steps as GPUs run them, without a GPU: the text for NVRTC is compiled for the CPU, where blocks
are processes and their threads fibers (tests/emulated_gpu). Results are those of CPU ranks."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import gossamer as gs
import numpy as np
import pytest
from gossamer import _gossamer
from gossamer.algorithm.coloring import coloring_of
from gossamer.algorithm.eigenvector import eigenvector_of
from gossamer.algorithm.hits import hits_of
from gossamer.algorithm.independent_set import independent_set_of
from gossamer.algorithm.katz import katz_of
from gossamer.vertex_steps.lowering import Program, lower

ROOT = Path(__file__).parents[3]
EMULATOR = ROOT / "tests/emulated_gpu"
COMPILER = shutil.which("g++")

pytestmark = pytest.mark.skipif(COMPILER is None, reason="no g++")


class Written:
    """What run_steps.cpp reads."""

    def __init__(self) -> None:
        self.data = bytearray()

    def numbers(self, *values: int) -> None:
        self.data += np.array(values, np.int64).tobytes()

    def block(self, array: np.ndarray) -> None:
        self.numbers(array.nbytes)
        self.data += np.ascontiguousarray(array).tobytes()


def compiled(program: Program, folder: Path) -> Path:
    """The program's own part of its text, behind the headers that it begins with."""
    text, head = program.text(gpu=True), _gossamer.steps_text(True)
    begin = text.index(head)
    own = text[begin + len(head) : text.index('extern "C" __global__')]
    source = ROOT / "src/algorithm"
    stages = (source / "vertex_steps/cuda/stages.cuh").read_text()
    block_bytes = "extern __shared__ __align__(16) unsigned char block_bytes[];"
    assert block_bytes in stages
    (folder / "stages.cuh").write_text(
        stages.replace(block_bytes, "alignas(16) static unsigned char block_bytes[1024];")
    )
    includes = ["algorithm/vertex_program/arithmetic.hpp", "algorithm/vertex_steps/cuda/view.hpp"]
    lines = "".join(f'#include "{name}"\n' for name in ["device.hpp", *includes, "stages.cuh"])
    (folder / "program.hpp").write_text(text[:begin] + lines + own)
    run = folder / "run"
    places = [folder, EMULATOR, ROOT / "src", ROOT / "include"]
    subprocess.run(
        [str(COMPILER), "-std=c++20", "-O1", "-w", *(f"-I{p}" for p in places),
         str(EMULATOR / "run_steps.cpp"), "-o", str(run)],
        check=True,
    )  # fmt: skip
    return run


def reversed_rows(graph: gs.Graph) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """Offsets, columns and weights of arcs by target."""
    n, w = graph.vertices, graph.weights
    source = np.repeat(np.arange(n), np.diff(graph.indptr))
    order = np.lexsort((source, graph.indices))
    offsets = np.concatenate([[0], np.cumsum(np.bincount(graph.indices, minlength=n))])
    return offsets, source[order], None if w is None else w[order]


def hub_positions(offsets: np.ndarray, bounds: list[int]) -> np.ndarray:
    """Inside each rank's range, by falling length."""
    position = np.empty(len(offsets) - 1, np.int32)
    for first, last in pairwise(bounds):
        order = np.argsort(-np.diff(offsets[first : last + 1]), kind="stable")
        position[first + order] = np.arange(first, last)
    return position


def write_rows(to: Written, rows: Any, first: int, last: int, position: np.ndarray | None) -> None:
    offsets, columns, weights = rows
    begin, end = offsets[first], offsets[last]
    own = (offsets[first : last + 1] - begin).astype(np.int64)
    columns = columns[begin:end].astype(np.int32)
    weights = np.zeros(0, np.int32) if weights is None else weights[begin:end]
    to.block(own)
    to.block(columns)
    to.block(weights)
    if position is None:
        for _ in range(3):
            to.numbers(0)
        return
    row = np.repeat(np.arange(last - first), np.diff(own))
    order = np.lexsort((position[columns], row))
    to.block(position[first:last])
    to.block(position[columns][order])
    to.block(weights[order] if weights.size else weights)


def emulate(
    record: Callable[[gs.VertexSteps], None], graph: gs.Graph, folder: Path, ranks: int,
    hubs: bool, turn: int = 10**9, rtol: float = 1e-9,
) -> int:  # fmt: skip
    """Runs what `record` records on both, and compares all fields and numbers. Turns taken."""
    s = gs.vertex_steps(graph, "cpu:1x1")
    record(s)
    facts, n = s._facts, graph.vertices
    fields = {p.index: s._facts.fields[name] for name, p in facts.fields.items()}
    before = {}
    for index, place in fields.items():
        values = np.empty(n, place.dtype)
        s._handle.read(index, values.view(np.uint8))
        before[index] = values
    facts.ranks, facts.skewed = ranks, hubs
    program = lower(s._open[0], facts, True)
    run = compiled(program, folder)
    facts.ranks, facts.skewed = 1, False
    copies = {p.index: p for p in s._copies.values()}
    arrays = 1 + max([*fields, *copies])
    bounds = [n * r // ranks for r in range(ranks + 1)]
    out = graph.indptr, graph.indices, graph.weights
    into = out if not graph.directed else reversed_rows(graph)
    to = Written()
    to.numbers(ranks, arrays, *bounds)
    to.block(s._words)
    sizes = []
    for first, last in pairwise(bounds):
        # What gathers along rows read most is what the others' rows lead from.
        for rows, senders in ((out, into), (into, out)):
            position = hub_positions(senders[0], bounds) if hubs else None
            write_rows(to, rows, first, last, position)
        for index in range(arrays):
            shared = index in copies
            place = copies[index] if shared else fields[index]
            values = np.zeros(n, place.dtype) if shared else before[index][first:last]
            to.numbers(place.dtype.itemsize, int(shared))
            to.block(values)
            sizes.append((index, place.dtype, len(values)))
    (folder / "in").write_bytes(to.data)
    subprocess.run(
        [run, folder / "in", folder / "out", "2", str(turn)], check=True, timeout=300
    )  # fmt: skip
    data = (folder / "out").read_bytes()
    turns = int(np.frombuffer(data[:8], np.int64)[0])
    words = np.frombuffer(data[8 : 8 + s._words.nbytes], np.int64)
    at = 8 + s._words.nbytes
    found: dict[int, list[np.ndarray]] = {}
    for index, dtype, length in sizes:
        found.setdefault(index, []).append(np.frombuffer(data, dtype, length, at))
        at += length * dtype.itemsize
    s.run()
    for name, place in facts.fields.items():
        np.testing.assert_allclose(
            np.concatenate(found[place.index]), s[name], rtol=rtol, err_msg=name
        )
    for name, place in facts.numbers.items():
        kind = np.float64 if place.dtype.kind == "f" else np.int64
        mine, theirs = (a[place.index : place.index + 1].view(kind) for a in (words, s._words))
        np.testing.assert_allclose(mine, theirs, rtol=rtol, err_msg=name)
    return turns


def directed_graph() -> gs.Graph:
    """With rows of every class, split ones among them, in both directions."""
    random = np.random.default_rng(5)
    u = random.integers(0, 700, 14000)
    v = random.integers(0, 700, 14000) ** 2 // 700
    v[:1500], u[1500:6500], v[6500:12000] = 7, 3, 11
    w = random.integers(1, 256, 14000).astype(np.int32)
    return gs.from_edges(u, v, w, 700, name="directed")


def every_send(s: gs.VertexSteps) -> None:
    """Each combination, gathered and pushed, of several types, along all ways in turn."""
    s.fields(a=np.arange(s.graph.vertices) % 17 - 8, f=1.5, small=np.float32(2.5))
    s.fields(bits=np.arange(s.graph.vertices, dtype=np.uint32), odd=False)
    s.map(odd="vertex % 2 == 1", f="f + vertex")
    sent = [
        ("a", "sum"), ("f * 0.5 + a", "sum"), ("a", "min"), ("small", "max"), ("bits", "or"),
        ("odd", "count"), ("a > 5", "any"),
    ]  # fmt: skip
    for i, (value, combine) in enumerate(sent):
        for j, where in enumerate((None, "odd")):
            along = ("out", "in", "both")[(i + j) % 3]
            s.send(value, combine, into=f"got{i}{j}", along=along, where=where)
            along = ("in", "both", "out")[(i + j) % 3]
            s.send(value, combine, into=f"got{i}{j}", along=along, where=where, accumulate=True)
    s.reduce("got00", "sum", into="total", where="odd")


def weighted_loop(s: gs.VertexSteps) -> None:
    """Shortest paths, then sums of weights with what the sender knows of itself."""
    s.fields(d=np.inf, on=False)
    s.map(where="vertex == 0", d="0.0", on="True")
    with s.repeat(until="not more", at_most=60):
        s.send("d + weight", "min", into="got", where="on")
        s.map(on="got < d", d="min(d, got)")
        s.reduce("on", "any", into="more")
    s.send("weight * (1 + degree % 2) + vertex", "sum", into="w")
    s.send("weight * d", "max", into="far", along="in")


def rank_loop(s: gs.VertexSteps) -> None:
    """Gathers in a loop, with numbers in between."""
    s.fields(rank=1 / s.graph.vertices)
    with s.repeat(until="moved < 1e-4", at_most=30):
        s.reduce("rank", "sum", into="lost", where="degree == 0")
        s.send("rank / max(degree, 1)", "sum", into="got")
        s.set(base="0.15 / vertices + 0.85 * lost / vertices")
        s.reduce("abs(base + 0.85 * got - rank)", "sum", into="moved")
        s.map(rank="base + 0.85 * got")


RANKS = pytest.mark.parametrize(("ranks", "hubs"), [(1, False), (1, True), (3, True)])


@RANKS
def test_every_send(ranks: int, hubs: bool, tmp_path: Path) -> None:
    emulate(every_send, directed_graph(), tmp_path, ranks, hubs)


@RANKS
def test_weights(ranks: int, hubs: bool, tmp_path: Path) -> None:
    emulate(weighted_loop, directed_graph(), tmp_path, ranks, hubs)


@RANKS
def test_loops_go_on_in_further_turns(ranks: int, hubs: bool, tmp_path: Path) -> None:
    graph = gs.kronecker(9)
    assert emulate(rank_loop, graph, tmp_path, ranks, hubs, turn=20) > 2


class Unread:
    """Steps that are recorded until a value is asked for."""

    def __init__(self, steps: gs.VertexSteps) -> None:
        self._steps = steps

    def __getattr__(self, name: str) -> Any:
        return getattr(self._steps, name)

    def __getitem__(self, name: str) -> Any:
        raise LookupError(name)


BUILT_IN: dict[str, Callable[[Any], object]] = {
    "hits": lambda s: hits_of(s, np.ones(s.graph.vertices), 0.0, 2, s.graph.weighted),
    "katz": lambda s: katz_of(s, 1e-5, np.ones(s.graph.vertices), None, 1e-6, 9, True, True),
    "eigenvector": lambda s: eigenvector_of(s, np.ones(s.graph.vertices), 1e-3, 5, True),
    "independent_set": lambda s: independent_set_of(s, 7),
    "coloring": lambda s: coloring_of(s, 7),
}


@pytest.mark.parametrize("name", BUILT_IN)
def test_algorithms_by_steps(name: str, tmp_path: Path) -> None:
    greedy = name in ("independent_set", "coloring")

    def record(s: gs.VertexSteps) -> None:
        with pytest.raises(LookupError):
            BUILT_IN[name](Unread(s))

    graph = gs.generate("lollipop:80x20") if greedy else directed_graph()
    # Differences of sums that are nearly alike have fewer digits.
    emulate(record, graph, tmp_path, 3, not greedy, rtol=1e-6)

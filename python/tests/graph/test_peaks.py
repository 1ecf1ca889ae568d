"""What reading takes at its peak is no more than its plan says: formats by shapes that are hard on
memory. Each file is read in a process of its own, forked before anything else was done there."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sparse = pytest.importorskip("scipy.sparse")

ARCS = 500_000
#: Blocks of text and what is parsed of them, on two threads; stacks, and what allocators keep.
ALLOWANCE = 8 << 20

Arrays = tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any], int]


def _random() -> Arrays:
    draw = np.random.default_rng(1)
    n = 50_000
    return draw.integers(0, n, ARCS), draw.integers(0, n, ARCS), draw.random(ARCS), n


def _one_row() -> Arrays:
    """All arcs leave one vertex, in no order."""
    draw = np.random.default_rng(2)
    return np.zeros(ARCS, np.int64), draw.permutation(ARCS), draw.random(ARCS), ARCS


def _few_arcs() -> Arrays:
    """Many more vertices than arcs."""
    n = 4 * ARCS
    return np.array([0]), np.array([n - 1]), np.array([0.5]), n


def _parallel() -> Arrays:
    """Parallel arcs between two vertices, whose weights are in no order."""
    draw = np.random.default_rng(3)
    ends = np.arange(ARCS) % 2
    return np.sort(ends), 1 - np.sort(ends), draw.random(ARCS), 2


def _far_ids() -> Arrays:
    draw = np.random.default_rng(4)
    u, v = (draw.integers(0, 50_000, ARCS) * 1_000_003 for _ in range(2))
    return u, v, draw.random(ARCS), int(max(u.max(), v.max())) + 1


SHAPES = {
    "random": _random,
    "one-row": _one_row,
    "few-arcs": _few_arcs,
    "parallel": _parallel,
    "far-ids": _far_ids,
}


def _lines(*columns: Any) -> str:
    return "".join(" ".join(map(str, line)) + "\n" for line in zip(*columns, strict=True))


def _list(path: Path, a: Arrays) -> None:
    path.write_text(_lines(a[0].tolist(), a[1].tolist()))


def _weighted_list(path: Path, a: Arrays) -> None:
    path.write_text(_lines(a[0].tolist(), a[1].tolist(), np.round(a[2], 3).tolist()))


def _csv(path: Path, a: Arrays) -> None:
    rows = _lines(a[0].tolist(), a[1].tolist(), np.round(a[2], 3).tolist())
    path.write_text("source,target,weight\n" + rows.replace(" ", ","))


def _named_csv(path: Path, a: Arrays) -> None:
    words = [[f"vertex of this graph {x}" for x in ends.tolist()] for ends in a[:2]]
    path.write_text("source,target\n" + "".join(map("{},{}\n".format, *words)))


def _matrix_market(path: Path, a: Arrays) -> None:
    entries = _lines((a[0] + 1).tolist(), (a[1] + 1).tolist(), np.round(a[2], 3).tolist())
    head = f"%%MatrixMarket matrix coordinate real general\n{a[3]} {a[3]} {len(a[0])}\n"
    path.write_text(head + entries)


def _symmetric_market(path: Path, a: Arrays) -> None:
    high, low = np.maximum(a[0], a[1]) + 1, np.minimum(a[0], a[1]) + 1
    head = f"%%MatrixMarket matrix coordinate pattern symmetric\n{a[3]} {a[3]} {len(high)}\n"
    path.write_text(head + _lines(high.tolist(), low.tolist()))


def _dimacs(path: Path, a: Arrays) -> None:
    arcs = _lines(["a"] * len(a[0]), (a[0] + 1).tolist(), (a[1] + 1).tolist(), [3] * len(a[0]))
    path.write_text(f"p sp {a[3]} {len(a[0])}\n" + arcs)


def _rows(a: Arrays) -> tuple[Any, Any, Any]:
    order = np.argsort(a[0], kind="stable")
    ends = np.zeros(a[3] + 1, np.int64)
    np.add.at(ends, a[0] + 1, 1)
    return np.cumsum(ends), a[1][order].astype(np.int64), a[2][order]


def _row_lines(offsets: Any, words: list[str]) -> str:
    ends = offsets.tolist()
    return "".join(" ".join(words[ends[v] : ends[v + 1]]) + "\n" for v in range(len(ends) - 1))


def _webgraph(path: Path, a: Arrays) -> None:
    offsets, columns, _ = _rows(a)
    path.write_text(f"{a[3]}\n" + _row_lines(offsets, list(map(str, columns.tolist()))))


def _metis(path: Path, a: Arrays) -> None:
    u, v = np.concatenate([a[0], a[1]]), np.concatenate([a[1], a[0]])
    offsets, columns, _ = _rows((u, v, u, a[3]))
    words = [f"{c + 1} 7" for c in columns.tolist()]
    path.write_text(f"{a[3]} {len(a[0])} 1\n" + _row_lines(offsets, words))


def _galois(path: Path, a: Arrays) -> None:
    offsets, columns, weights = _rows(a)
    head = np.array([2, 8, a[3], len(columns)], np.uint64)
    whole = (weights * 2**40).astype(np.int64)
    path.write_bytes(head.tobytes() + offsets[1:].tobytes() + columns.tobytes() + whole.tobytes())


def _gapbs(path: Path, a: Arrays) -> None:
    offsets, columns, weights = _rows(a)
    pairs = np.stack([columns, (weights * 100)], axis=1).astype(np.int32)
    head = b"\1" + np.array([len(columns), a[3]], np.int64).tobytes()
    path.write_bytes(head + 2 * (offsets.tobytes() + pairs.tobytes()))


def _graph500(path: Path, a: Arrays) -> None:
    zero = np.zeros(len(a[0]), np.uint32)
    path.write_bytes(np.stack([a[0], a[1], zero], axis=1).astype(np.uint32).tobytes())


def _npz(compressed: bool, **arrays: Callable[[Arrays], Any]) -> Callable[[Path, Arrays], None]:
    def write(path: Path, a: Arrays) -> None:
        with path.open("wb") as file:
            (np.savez_compressed if compressed else np.savez)(
                file, shape=np.array([a[3], a[3]]), **{k: f(a) for k, f in arrays.items()}
            )

    return write


def _csr(format: str) -> dict[str, Callable[[Arrays], Any]]:
    return {
        "format": lambda a: np.array(format.encode()),
        "indptr": lambda a: _rows(a)[0],
        "indices": lambda a: _rows(a)[1],
        "data": lambda a: _rows(a)[2],
    }


_COO: dict[str, Callable[[Arrays], Any]] = {
    "format": lambda a: np.array(b"coo"),
    "row": lambda a: a[0],
    "col": lambda a: a[1],
    "data": lambda a: a[2],
}

_WHOLE = {
    **_csr("csr"),
    "data": lambda a: np.concatenate([np.arange(len(a[0]) - 1), [2**40]]),
}

WRITERS: dict[str, tuple[str, Callable[[Path, Arrays], None], tuple[str, ...]]] = {
    "list": (".el", _list, ("random", "one-row", "far-ids")),
    "weighted list": (".el", _weighted_list, ("random", "one-row", "far-ids")),
    "CSV": (".csv", _csv, ("random", "one-row", "far-ids")),
    "CSV with names": (".csv", _named_csv, ("random",)),
    "Matrix Market": (".mtx", _matrix_market, ("random", "one-row", "few-arcs", "parallel")),
    "symmetric Matrix Market": (".mtx", _symmetric_market, ("random", "one-row", "few-arcs")),
    "DIMACS": (".gr", _dimacs, ("random", "few-arcs")),
    "WebGraph": (".graph-txt", _webgraph, ("random", "one-row", "few-arcs")),
    "METIS": (".graph", _metis, ("random", "one-row", "few-arcs")),
    "Galois": (".gr", _galois, ("random", "one-row", "few-arcs", "parallel")),
    "GAPBS": (".wsg", _gapbs, ("random", "one-row", "few-arcs", "parallel")),
    "Graph500": (".packed", _graph500, ("random", "few-arcs")),
    "CSR": (".npz", _npz(False, **_csr("csr")), ("random", "one-row", "few-arcs")),
    "deflated CSR": (
        ".npz", _npz(True, **_csr("csr")), ("random", "one-row", "few-arcs", "parallel"),
    ),
    "deflated whole numbers": (".npz", _npz(True, **_WHOLE), ("random",)),
    "deflated CSC": (".npz", _npz(True, **_csr("csc")), ("random", "one-row", "few-arcs")),
    "deflated COO": (".npz", _npz(True, **_COO), ("random", "one-row", "few-arcs")),
}  # fmt: skip

BINARY = [name for name in WRITERS if WRITERS[name][0] == ".npz"]
BINARY += ["Galois", "GAPBS", "Graph500"]

CASES = [
    (f"{name}, {shape}{', gzip' if packed else ''}", suffix + (".gz" if packed else ""), write,
     shape)
    for name, (suffix, write, shapes) in WRITERS.items()
    for shape in shapes
    for packed in (False, *([True] if name in ("Galois", "list") and shape != "far-ids" else []))
]  # fmt: skip

#: Reads the files whose names come as lines of JSON, each in a child.
_READER = """
import json, os, sys
import gossamer
from gossamer import _gossamer

def resident(name):
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith(name))

def read(path, symmetrize):
    plan = _gossamer.plan_read(path, "auto", symmetrize, False, False, 2, 0, ("", "", ""))
    before = resident("VmRSS:")
    graph = gossamer.read(path, symmetrize=symmetrize, threads=2)
    peak = resident("VmHWM:") - before
    return {"planned": sum(b for _, b in plan["items"]), "peak": peak, "items": plan["items"]}

for line in sys.stdin:
    path, symmetrize = json.loads(line)
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        try:
            print(json.dumps(read(path, symmetrize)), flush=True)
        except Exception as error:
            print(json.dumps({"error": str(error)}), flush=True)
        os._exit(0)
    os.waitpid(child, 0)
"""


@pytest.fixture(scope="module")
def peaks(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, bool], dict[str, Any]]:
    if not Path("/proc/self/status").exists():
        pytest.skip("no /proc")
    folder = tmp_path_factory.mktemp("peaks")
    asked: list[tuple[str, bool, Path]] = []
    for i, (name, suffix, write, shape) in enumerate(CASES):
        path = folder / f"{i}{suffix}"
        write(path, SHAPES[shape]())
        if suffix.endswith(".gz"):
            path.write_bytes(gzip.compress(path.read_bytes(), 1))
        asked += [(name, symmetrize, path) for symmetrize in (False, True)]
    lines = "".join(json.dumps([str(path), symmetrize]) + "\n" for _, symmetrize, path in asked)
    ran = subprocess.run(
        [sys.executable, "-c", _READER], input=lines, capture_output=True, text=True, check=True
    )
    answers = [json.loads(line) for line in ran.stdout.splitlines()]
    found = {}
    for (name, symmetrize, path), answer in zip(asked, answers, strict=True):
        # Pages of a mapped file are the system's: it drops them when memory is short.
        mapped = name.split(",")[0] in BINARY and path.suffix != ".gz"
        answer["mapped"] = path.stat().st_size if mapped else 0
        found[name, symmetrize] = answer
    return found


@pytest.mark.parametrize("symmetrize", [False, True])
@pytest.mark.parametrize("name", [case[0] for case in CASES])
def test_reading_takes_what_its_plan_says(
    peaks: dict[tuple[str, bool], dict[str, Any]], name: str, symmetrize: bool
) -> None:
    found = peaks[name, symmetrize]
    assert "error" not in found, found
    assert found["peak"] <= found["planned"] + found["mapped"] + ALLOWANCE, found


#: Builds a graph of the arrays in a file, after it has asked what that takes.
_BUILDER = """
import json, os, re, sys
import numpy as np
import gossamer

def resident(name):
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith(name))

a = dict(np.load(sys.argv[1]))
build = lambda: gossamer.from_edges(
    a["u"], a["v"], a["w"] if sys.argv[2] == "weighted" else None, int(a["n"]),
    symmetrize=sys.argv[3] == "symmetrize", threads=2,
)
os.environ["GOSSAMER_MEMORY"] = "1K"
try:
    build()
except gossamer.CapacityError as error:
    size, unit = re.search(r"takes up to ([\\d.]+) (.)iB", str(error)).groups()
    planned = float(size) * {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}[unit]
del os.environ["GOSSAMER_MEMORY"]
before = resident("VmRSS:")
graph = build()
print(json.dumps({"planned": planned, "peak": resident("VmHWM:") - before}))
"""


@pytest.mark.parametrize("steps", ["plain", "symmetrize"])
@pytest.mark.parametrize("weights", ["none", "weighted"])
@pytest.mark.parametrize("shape", ["random", "one-row", "few-arcs"])
def test_from_edges_takes_what_its_refusal_says(
    tmp_path: Path, shape: str, weights: str, steps: str
) -> None:
    u, v, w, n = SHAPES[shape]()
    path = tmp_path / "edges.npz"
    np.savez(path, u=u, v=v, w=w, n=n)
    ran = subprocess.run(
        [sys.executable, "-c", _BUILDER, str(path), weights, steps],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    found = json.loads(ran.stdout)
    assert found["peak"] <= found["planned"] + ALLOWANCE / 2, found

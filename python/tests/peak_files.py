"""Files that are hard on memory: every format that is read, by shapes of graphs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import gossamer as gs
import numpy as np
import pytest

ARCS = 500_000

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


def _many_parallel() -> Arrays:
    """Half a thousand vertices, each pair joined often."""
    draw = np.random.default_rng(5)
    return draw.integers(0, 500, ARCS), draw.integers(0, 500, ARCS), draw.random(ARCS), 500


def _loops() -> Arrays:
    """Self-loops alone."""
    draw = np.random.default_rng(6)
    u = draw.integers(0, 50_000, ARCS)
    return u, u.copy(), draw.random(ARCS), 50_000


def _copies() -> Arrays:
    """One arc, written down again and again: what compresses a thousand times."""
    return np.full(ARCS, 3), np.full(ARCS, 17), np.full(ARCS, 0.5), 100


def _none() -> Arrays:
    """No arc at all."""
    nothing = np.zeros(0, np.int64)
    return nothing, nothing, np.zeros(0), 300_000


SHAPES = {
    "random": _random,
    "one-row": _one_row,
    "few-arcs": _few_arcs,
    "parallel": _parallel,
    "far-ids": _far_ids,
    "many-parallel": _many_parallel,
    "loops": _loops,
    "copies": _copies,
    "none": _none,
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


def _long_fields(path: Path, a: Arrays) -> None:
    """Few rows, of half a megabyte each, nearly all of which nobody reads."""
    rows = zip(a[0][:60].tolist(), a[1][:60].tolist(), strict=True)
    path.write_text("source,target,note\n" + "".join(f"{u},{v},{'x' * 500_000}\n" for u, v in rows))


def _named_csv(path: Path, a: Arrays) -> None:
    words = [[f"vertex of this graph {x}" for x in ends.tolist()] for ends in a[:2]]
    path.write_text("source,target\n" + "".join(map("{},{}\n".format, *words)))


def _named_parquet(path: Path, a: Arrays) -> None:
    words = [[f"vertex of this graph {x}" for x in ends.tolist()] for ends in a[:2]]
    _write_parquet(path, source=words[0], target=words[1])


def _matrix_market(path: Path, a: Arrays) -> None:
    entries = _lines((a[0] + 1).tolist(), (a[1] + 1).tolist(), np.round(a[2], 3).tolist())
    head = f"%%MatrixMarket matrix coordinate real general\n{a[3]} {a[3]} {len(a[0])}\n"
    path.write_text(head + entries)


def _long_comments(path: Path, a: Arrays) -> None:
    """Thirty megabytes of comments, in lines of one each, and few entries."""
    entries = _lines((a[0][:99] + 1).tolist(), (a[1][:99] + 1).tolist(), a[2][:99].tolist())
    comments = f"%{'x' * 1_000_000}\n" * 30
    head = f"%%MatrixMarket matrix coordinate real general\n{comments}{a[3]} {a[3]} "
    path.write_text(f"{head}{len(a[0][:99])}\n{entries}")


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


def _plain_gapbs(path: Path, a: Arrays) -> None:
    offsets, columns, _ = _rows(a)
    head = b"\1" + np.array([len(columns), a[3]], np.int64).tobytes()
    path.write_bytes(head + 2 * (offsets.tobytes() + columns.astype(np.int32).tobytes()))


def _own(path: Path, a: Arrays) -> None:
    gs.from_edges(*a).write(path)


def _write_parquet(path: Path, **columns: Any) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pytest.importorskip("pyarrow").table(columns), path)


def _parquet(path: Path, a: Arrays) -> None:
    _write_parquet(path, source=a[0], target=a[1], weight=a[2])


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
    "CSV with long fields": (".csv", _long_fields, ("random",)),
    "CSV with names": (".csv", _named_csv, ("random",)),
    "Matrix Market": (".mtx", _matrix_market, ("random", "one-row", "few-arcs", "parallel")),
    "Matrix Market with long comments": (".mtx", _long_comments, ("random",)),
    "symmetric Matrix Market": (".mtx", _symmetric_market, ("random", "one-row", "few-arcs")),
    "DIMACS": (".gr", _dimacs, ("random", "few-arcs")),
    "WebGraph": (".graph-txt", _webgraph, ("random", "one-row", "few-arcs")),
    "METIS": (".graph", _metis, ("random", "one-row", "few-arcs")),
    "Galois": (".gr", _galois, ("random", "one-row", "few-arcs", "parallel")),
    "GAPBS": (".wsg", _gapbs, ("random", "one-row", "few-arcs", "parallel")),
    "GAPBS without weights": (".sg", _plain_gapbs, ("random", "one-row", "few-arcs", "parallel")),
    "Gossamer": (".gsr", _own, ("random", "one-row", "few-arcs", "parallel")),
    "Parquet": (".parquet", _parquet, ("random", "one-row", "far-ids")),
    "Parquet with names": (".parquet", _named_parquet, ("random",)),
    "Graph500": (".packed", _graph500, ("random", "few-arcs")),
    "CSR": (".npz", _npz(False, **_csr("csr")), ("random", "one-row", "few-arcs")),
    "deflated CSR": (
        ".npz", _npz(True, **_csr("csr")), ("random", "one-row", "few-arcs", "parallel"),
    ),
    "deflated whole numbers": (".npz", _npz(True, **_WHOLE), ("random",)),
    "deflated CSC": (".npz", _npz(True, **_csr("csc")), ("random", "one-row", "few-arcs")),
    "deflated COO": (".npz", _npz(True, **_COO), ("random", "one-row", "few-arcs")),
}  # fmt: skip

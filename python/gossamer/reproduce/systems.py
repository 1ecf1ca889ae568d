"""The systems, matrices and sizes that figures share."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import gossamer as gs
from gossamer.errors import InputError
from gossamer.simulation import Collective, System

from .collective_runs import microseconds
from .extent import extent
from .here import Machines
from .plots import lines
from .report import Row, faster_up_to, kilobytes

TCA = System("peach2", label="TCA/PEACH2")
MPI = System("hapacs-ib", label="MPI/IB")
PEACH3 = System("peach3", label="PEACH3")
PEACH3_MPI = System("peach3-ib", label="MPI/IB FDR")

#: Rows and stored entries (paper E, Table 7).
MATRICES = {
    "nasa2910": (2910, 174296),
    "s1rmq4m1": (5489, 281111),
    "smt": (25710, 3753184),
    "nd3k": (9000, 3279690),
    "nd6k": (18000, 6897316),
    "nd12k": (36000, 14220946),
    "nd24k": (72000, 28715634),
}


#: Suffixes that a matrix's file may have beside its own.
COMPRESSED = ("", ".gz", ".xz", ".zst")


def matrices() -> tuple[str, ...]:
    """Those that are asked for."""
    return extent.matrices or tuple(MATRICES)


def matrix_file(name: str) -> Path | None:
    """Where GOSSAMER_DATA has it: smt.mtx, the collection's own smt/smt.mtx, or smt-pattern.mtx,
    compressed or not. None: nowhere, and a band stands in."""
    folder = os.environ.get("GOSSAMER_DATA")
    if not folder:
        return None
    stems = (f"{name}.mtx", f"{name}/{name}.mtx", f"{name}-pattern.mtx")
    files = (Path(folder) / f"{stem}{end}" for stem in stems for end in COMPRESSED)
    return next((file for file in files if file.is_file()), None)


def called(name: str) -> str:
    """As rows and plots have it: what is not the paper's matrix says so."""
    return name if matrix_file(name) else f"{name} (stand-in, a band)"


@cache
def matrix(name: str) -> gs.Graph:
    """The real matrix or pattern, else a band with its rows and entries.

    The model charges bytes: rows that differ in length within a rank take the same time.
    InputError: the file has other rows than paper E's Table 7.
    """
    rows, entries = MATRICES[name]
    file = matrix_file(name)
    if file is None:
        return gs.matrix(f"band:{rows}:{entries}")
    found = gs.read(file)
    if found.vertices != rows:
        raise InputError(f"{file}: {found.vertices} rows, but {name} has {rows} (paper E, Table 7)")
    return gs.with_values(found) if "-pattern." in file.name else found


def sweep(
    operation: str, ranks: int, sizes: Sequence[int] | None = None, buffers: str = "device",
    tca: str = "own",
) -> tuple[list[float], list[float]]:  # fmt: skip
    """Seconds by size: TCA and MPI, each with its own software's algorithms."""
    ours = Collective(operation, TCA, ranks, buffers, algorithm=tca)
    theirs = Collective(operation, MPI, ranks, buffers)
    at = extent.sizes if sizes is None else sizes
    return [ours.predict(n).seconds for n in at], [theirs.predict(n).seconds for n in at]


def compare(
    folder: Path, figure: str, name: str, operation: str, ranks: int, published: int, reason: str,
    points: dict[float, float] | None = None, machines: Machines = (), algorithm: str = "",
) -> tuple[list[Row], list[float], list[float]]:  # fmt: skip
    """Both systems by size: the plot, and where TCA stops being faster. `points`: of TCA's curve,
    in microseconds. On machines that are there by one `algorithm`, whatever their ranks."""
    tca, mpi = sweep(operation, ranks)
    lines(
        folder,
        name,
        extent.sizes,
        {TCA.title: [1e6 * s for s in tca], MPI.title: [1e6 * s for s in mpi]},
        ("bytes", "us"),
        f"{figure}: {operation}, {ranks} nodes (predicted)",
        published={TCA.title: points or {}},
        measured={h.title: microseconds(h, operation, algorithm, extent.sizes) for h in machines},
    )
    last = faster_up_to(extent.sizes, tca, mpi)
    row = Row(
        figure,
        f"{operation}, {ranks} nodes: TCA faster up to",
        kilobytes(published),
        "all sizes" if last is None else kilobytes(last),
        "KB",
        reason="" if last == published else reason,
    )
    return [row], tca, mpi

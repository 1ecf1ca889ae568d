"""Files of --output: a result's arrays as .npz, or a row a vertex as .csv, .tsv or .parquet."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gossamer.arguments import imported
from gossamer.cli.options import check_array_path

#: Suffixes, the usual one first.
SUFFIXES = (".npz", ".csv", ".tsv", ".parquet")


class _Said(NamedTuple):
    """How a table has an array."""

    column: str
    #: What stands for no value; None: there always is one.
    none: Any = None
    #: Values are vertices, which are given by name.
    vertices: bool = False


_SAID = {
    "depths": _Said("depth", -1),
    "distances": _Said("distance"),
    "parents": _Said("parent", -1, vertices=True),
    "labels": _Said("label", vertices=True),
    "ranks": _Said("rank"),
    "triangles": _Said("triangles"),
    "clustering": _Said("clustering"),
    "core_numbers": _Said("core_number"),
    "scores": _Said("betweenness"),
    "closeness": _Said("closeness"),
    "harmonic": _Said("harmonic"),
    "eccentricity": _Said("eccentricity"),
    "diameter": _Said("diameter"),
    "end": _Said("end", vertices=True),
    "authorities": _Said("authority"),
    "hubs": _Said("hub"),
    "katz": _Said("katz"),
    "eigenvector": _Said("eigenvector"),
    "chosen": _Said("chosen"),
    "colors": _Said("color"),
    "tails": _Said("from", vertices=True),
    "heads": _Said("to", vertices=True),
    "weights": _Said("weight"),
    "arcs": _Said("arc"),
}
#: Rows that are turned into text at a time.
_CHUNK = 1 << 16


def check_results_path(path: Path) -> None:
    """Refuses an --output that cannot be written, or whose name says another format."""
    check_array_path(path, *SUFFIXES)
    if path.suffix == ".parquet":
        imported("pyarrow", f"--output {path}")


def write_results(
    file: IO[bytes],
    path: Path,
    names: npt.NDArray[Any],
    arrays: dict[str, npt.NDArray[Any]],
    sources: npt.NDArray[np.int64] | None = None,
    *,
    by_vertex: bool = True,
) -> None:
    """Writes what `path` says to `file`. Arrays are [n], or of `sources` [K, n]; `names`: of the
    vertices, without objects. Not `by_vertex`: rows have no vertex's name."""
    if path.suffix not in SUFFIXES[1:]:
        of: dict[str, Any] = {} if sources is None else {"sources": sources}
        np.savez(file, **of | arrays, names=names)
        return
    columns = _columns(names, arrays, sources)
    if not by_vertex:
        del columns["vertex"]
    if path.suffix == ".parquet":
        arrow, parquet = imported("pyarrow", "--output"), imported("pyarrow.parquet", "--output")
        made = {n: arrow.array(values, mask=mask) for n, (values, mask) in columns.items()}
        parquet.write_table(arrow.table(made), file)
        return
    text = io.TextIOWrapper(file, "utf-8", newline="")
    rows = csv.writer(text, delimiter="\t" if path.suffix == ".tsv" else ",", lineterminator="\n")
    rows.writerow(columns)
    for first in range(0, len(next(iter(columns.values()))[0]), _CHUNK):
        part = slice(first, first + _CHUNK)
        listed = (_listed(v[part], m if m is None else m[part]) for v, m in columns.values())
        rows.writerows(zip(*listed, strict=True))
    text.detach()  # which writes what is left, and leaves the file open


_Column = tuple[npt.NDArray[Any], npt.NDArray[np.bool_] | None]


def _columns(
    names: npt.NDArray[Any],
    arrays: dict[str, npt.NDArray[Any]],
    sources: npt.NDArray[np.int64] | None,
) -> dict[str, _Column]:
    """Values by name, and where there is none: vertices first, of several searches the source."""
    searches = 1 if sources is None else len(sources)
    columns: dict[str, _Column] = {"vertex": (np.tile(names, searches), None)}
    if sources is not None and searches > 1:
        columns["source"] = (np.repeat(names[sources], len(names)), None)
    for name, array in arrays.items():
        said, values = _SAID[name], array.ravel()
        missing = None if said.none is None else values == said.none
        if name == "distances":
            infinite = np.iinfo(values.dtype).max if values.dtype.kind == "u" else np.inf
            missing = values == infinite
        if said.vertices:
            values = names[values if missing is None else np.where(missing, 0, values)]
        columns[said.column] = (values, missing)
    return columns


def _listed(values: npt.NDArray[Any], missing: npt.NDArray[np.bool_] | None) -> list[Any]:
    """As Python's own objects; None where there is no value."""
    listed: list[Any] = values.tolist()
    if missing is None:
        return listed
    return [None if none else value for value, none in zip(listed, missing.tolist(), strict=True)]

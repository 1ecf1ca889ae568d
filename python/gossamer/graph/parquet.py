"""Graphs from Parquet files of edges, a row group at a time, through pyarrow where it is there."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from gossamer import _gossamer
from gossamer.arguments import imported
from gossamer.errors import InputError, UsageError

from .names import Labels, objects

#: Names of the columns of sources, targets and weights; empty: as they are found.
Columns = tuple[str, str, str]

#: As :func:`gossamer.graph.input.formats` lists it.
FORMAT = ("parquet", "Parquet table of edges", ".parquet .pq", True, False)


def is_parquet(path: str, format: str) -> bool:
    """Whether the file is read here: it is said to be, or its first bytes say so."""
    if format != "auto":
        return format == FORMAT[0]
    try:
        if not os.path.isfile(path):  # a pipe might never begin
            return False
        with open(path, "rb") as file:
            return file.read(4) == b"PAR1"
    except OSError:
        return False  # said by the library


class ParquetFile:
    """A file whose columns are known; InputError for one that is no table of edges, UsageError for
    `columns` that it lacks."""

    def __init__(self, path: str, columns: Columns) -> None:
        self.path = path
        self._arrow = imported("pyarrow", "reading Parquet")
        parquet = imported("pyarrow.parquet", "reading Parquet")
        self._file = self._known(lambda: parquet.ParquetFile(path))
        schema = self._file.schema_arrow
        try:
            source, target, weight = _gossamer.edge_columns(schema.names, columns)
        except (InputError, UsageError) as error:
            raise type(error)(f"{path}: {error}") from None
        self.rows: int = self._file.metadata.num_rows
        if self.rows == 0:
            raise InputError(f"{path}: the graph has no edges and so no vertices")
        types = self._arrow.types
        ends = [schema.field(i) for i in (source, target)]
        self.names = not all(types.is_integer(end.type) for end in ends)
        for end in ends if self.names else ():
            text = end.type.value_type if types.is_dictionary(end.type) else end.type
            if not (types.is_string(text) or types.is_large_string(text)):
                raise InputError(
                    f"{path}: column '{end.name}' has the type {end.type}: ends of edges are "
                    "integers, or texts in both columns"
                )
        self.columns = [end.name for end in ends]
        self.weight_bytes = 0
        if weight >= 0:
            value = schema.field(weight)
            if not (types.is_integer(value.type) or types.is_floating(value.type)):
                raise InputError(
                    f"{path}: column '{value.name}' has the type {value.type}: weights are numbers"
                )
            self.columns.append(value.name)
            self.weight_bytes = 4 if types.is_integer(value.type) else 8

    def _known(self, call: Callable[[], Any]) -> Any:
        """What pyarrow gives; its complaints in one line."""
        try:
            return call()
        except (self._arrow.ArrowException, OSError) as error:
            raise InputError(f"{self.path}: {str(error).splitlines()[0]}") from None

    def table(self, *how: Any) -> _gossamer.EdgeTable:
        """What collects the edges, planned with their number."""
        return _gossamer.EdgeTable(self.path, self.rows, self.weight_bytes, *how)

    def read(
        self, edges: _gossamer.EdgeTable, progress: Callable[[int, int], None] | None
    ) -> tuple[_gossamer.Graph, Labels | None]:
        places: dict[str, int] = {}
        row, size = 0, os.path.getsize(self.path)
        groups = self._file.num_row_groups
        for group in range(groups):
            part = self._known(partial(self._file.read_row_group, group, columns=self.columns))
            taken = [self._column(part.column(name), name, row) for name in self.columns]
            source, target = (
                self._numbered(one, places) if self.names else self._numbers(one, name, np.int64)
                for one, name in zip(taken[:2], self.columns, strict=False)
            )
            weights = None
            if self.weight_bytes:
                weights = self._numbers(taken[2], self.columns[2], np.float64)
            edges.append(source, target, weights)
            row += part.num_rows
            if progress is not None:
                progress(size * (group + 1) // groups, size)
        labels = Labels(objects(places)) if self.names else None
        made = edges.finish(len(places))
        return made.described(FORMAT[0], made.weight_source, made.steps), labels

    def _column(self, column: Any, name: str, row: int) -> Any:
        """A column of a row group in one piece; InputError for a value that is missing."""
        whole = column.combine_chunks()
        if self._arrow.types.is_dictionary(whole.type):
            whole = whole.dictionary_decode()
        if whole.null_count:
            missing = int(np.argmax(whole.is_null().to_numpy(zero_copy_only=False)))
            raise InputError(f"{self.path}: row {row + missing}: no value in column '{name}'")
        return whole

    def _numbers(self, column: Any, name: str, kind: type) -> npt.NDArray[Any]:
        """Integers that 63 bits hold, or weights, which doubles hold exactly."""
        values = column.to_numpy(zero_copy_only=False)
        most = np.iinfo(np.int64).max if kind is np.int64 else 1 << 53
        if values.dtype.kind in "iu" and values.size:
            for value in (int(values.min()), int(values.max())):
                if abs(value) > most:
                    raise InputError(f"{self.path}: column '{name}': {value} is too large")
        return np.ascontiguousarray(values, kind)

    def _numbered(self, column: Any, places: dict[str, int]) -> npt.NDArray[np.int64]:
        """Texts as their numbers in `places`, which new ones join."""
        column = column.dictionary_encode()
        new = [places.setdefault(name, len(places)) for name in column.dictionary.to_pylist()]
        indices = column.indices.to_numpy(zero_copy_only=False)
        numbers: npt.NDArray[np.int64] = np.array(new, np.int64)[indices]
        return numbers


def read_parquet(
    path: str, how: tuple[Any, ...], progress: Callable[[int, int], None] | None, columns: Columns
) -> tuple[_gossamer.Graph, Labels | None]:
    """The graph of a file and its names; `how` goes to the library's EdgeTable."""
    file = ParquetFile(path, columns)
    return file.read(file.table(*how), progress)


def plan_parquet(path: str, how: tuple[Any, ...], columns: Columns) -> dict[str, Any]:
    """What :func:`read_parquet` takes at its peak, as the library's plan_read has it."""
    return ParquetFile(path, columns).table(*how).plan

"""Graphs from Parquet files of edges, batch by batch, through pyarrow where it is there."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
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

#: Rows that are decoded at a time, and what pyarrow and NumPy take for them.
_BATCH, _BATCH_BYTES = 1 << 16, 24 << 20
#: What is read of a column at a time: without it pyarrow reads a row group's whole.
_BUFFER = 1 << 16

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
        self._file = self._known(lambda: parquet.ParquetFile(path, buffer_size=_BUFFER))
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
        """What collects the edges, planned with their number and what decoding takes."""
        groups = [self._file.metadata.row_group(i) for i in range(self._file.num_row_groups)]
        decoding = _BATCH_BYTES + max(map(self._page_bytes, groups))
        if self.names:
            decoding += self._name_bytes(sum(map(self._unpacked_bytes, groups)))
        # The sizes are the file's own words, of up to 63 bits each.
        decoding = min(max(decoding, 0), 1 << 60)
        return _gossamer.EdgeTable(self.path, self.rows, self.weight_bytes, decoding, *how)

    def _ours(self, group: Any) -> list[Any]:
        every = map(group.column, range(group.num_columns))
        return [column for column in every if column.path_in_schema in self.columns]

    def _unpacked_bytes(self, group: Any) -> int:
        return sum(column.total_uncompressed_size for column in self._ours(group))

    def _page_bytes(self, group: Any) -> int:
        """Of a row group's pages, each column's as one: all are there unpacked, one packed."""
        packed: int = max(column.total_compressed_size for column in self._ours(group))
        return self._unpacked_bytes(group) + packed

    def _name_bytes(self, text: int) -> int:
        """Of a dictionary of names and their list, if all names differ. The file has four bytes
        for each beside its letters; one letter is too few for many names."""
        return text + 180 * min(2 * self.rows, text // 6)

    def read(
        self, edges: _gossamer.EdgeTable, progress: Callable[[int, int], None] | None
    ) -> tuple[_gossamer.Graph, Labels | None]:
        places: dict[str, int] = {}
        row, size = 0, os.path.getsize(self.path)
        for batch in self._batches():
            taken = [self._column(batch.column(name), name, row) for name in self.columns]
            source, target = (
                self._numbered(one, places) if self.names else self._numbers(one, name, np.int64)
                for one, name in zip(taken[:2], self.columns, strict=False)
            )
            weights = None
            if self.weight_bytes:
                weights = self._numbers(taken[2], self.columns[2], np.float64)
            edges.append(source, target, weights)
            row += batch.num_rows
            if progress is not None:
                progress(size * row // self.rows, size)
        labels = Labels(objects(places)) if self.names else None
        made = edges.finish(len(places))
        return made.described(FORMAT[0], made.weight_source, made.steps), labels

    def _batches(self) -> Iterator[Any]:
        batches = self._known(
            partial(self._file.iter_batches, _BATCH, columns=self.columns, use_threads=False)
        )
        while (batch := self._known(partial(next, batches, None))) is not None:
            yield batch

    def _column(self, column: Any, name: str, row: int) -> Any:
        """A column of a batch; InputError for a value that is missing."""
        if self._arrow.types.is_dictionary(column.type):
            column = column.dictionary_decode()
        if column.null_count:
            missing = int(np.argmax(column.is_null().to_numpy(zero_copy_only=False)))
            raise InputError(f"{self.path}: row {row + missing}: no value in column '{name}'")
        return column

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

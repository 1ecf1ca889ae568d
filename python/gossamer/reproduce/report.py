"""What every figure says: published values beside predicted ones, as text and CSV.

A published value is a number of the paper's text or tables. Curves that a paper only draws are not
read off: they have no published value and say `drawn only`.
"""

from __future__ import annotations

import argparse
import csv
import io
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from gossamer import _gossamer

__all__ = [
    "COLUMNS",
    "DRAWN_ONLY",
    "NOT_COMPARED",
    "NOT_IN_PAPER",
    "Row",
    "arguments",
    "compared",
    "faster_up_to",
    "kilobytes",
    "measured",
    "show",
    "write_csv",
    "write_whole",
]

DEFAULT = Path("build") / "paper"
DRAWN_ONLY = "drawn only"
#: Of rows that answer what the papers ask and do not measure.
NOT_IN_PAPER = "not in the paper"
#: Of numbers of the text that nothing here can stand beside; the reason says why.
NOT_COMPARED = "not compared"

#: Of the table of a figure's published values.
COLUMNS = ["figure", "what", "published", "predicted", "unit", "deviation (%)", "calibration",
           "reason"]  # fmt: skip


@dataclass(frozen=True)
class Row:
    """One thing that the paper says, and what the model says of it."""

    figure: str
    what: str
    #: None: the paper only draws it.
    published: float | str | None
    ours: float | str | None
    unit: str = ""
    #: Used to set the model's numbers: agreement proves nothing.
    calibration: bool = False
    reason: str = ""
    #: On this host; else it is predicted for a modelled one.
    measured: bool = False

    @property
    def deviation(self) -> float | None:
        """Per cent."""
        if isinstance(self.published, float | int) and isinstance(self.ours, float | int):
            return 100 * (self.ours / self.published - 1)
        return None

    @property
    def how(self) -> str:
        """Where our value comes from."""
        return "measured" if self.measured else "predicted"

    @property
    def agreement(self) -> str:
        """The deviation, or whether words agree; empty where there is nothing to compare with."""
        if self.deviation is not None:
            return f"{self.deviation:+.0f} %"
        if self.published in (None, NOT_IN_PAPER) or self.ours == NOT_COMPARED:
            return ""
        return "agrees" if self.published == self.ours else "differs"

    def record(self) -> dict[str, Any]:
        """As JSON; what no paper says has no published value, what is not compared none of ours."""
        deviation = self.deviation
        return asdict(self) | {
            "published": None if self.published == NOT_IN_PAPER else self.published,
            "ours": None if self.ours == NOT_COMPARED else self.ours,
            "deviation_percent": None if deviation is None else round(deviation, 1),
        }

    def cells(self) -> list[Any]:
        """By COLUMNS."""
        deviation = self.deviation
        return [
            self.figure,
            self.what,
            DRAWN_ONLY if self.published is None else self.published,
            "none" if self.ours is None else self.ours,
            self.unit,
            self.agreement if deviation is None else round(deviation, 1),
            "yes" if self.calibration else "",
            self.reason,
        ]

    def text(self) -> str:
        """One line."""
        published = DRAWN_ONLY if self.published is None else _text(self.published)
        marks = " (calibration)" if self.calibration else ""
        unit = "" if isinstance(self.ours, str) else self.unit
        return (
            f"{self.figure:12s} {self.what:62s} published {published:>16s}  {self.how:9s} "
            f"{_text(self.ours):>16s} {unit:5s} {self.agreement}{marks}"
        )


def _text(value: float | str | None) -> str:
    if value is None:
        return "none"
    return value if isinstance(value, str) else f"{value:.4g}"


def kilobytes(size: int | None) -> float | None:
    """For rows: sizes deviate in per cent like everything else (a factor of two is +100 or -50)."""
    return None if size is None else size / 1024


def write_csv(
    folder: Path, name: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]
) -> None:
    """folder/name.csv."""
    folder.mkdir(parents=True, exist_ok=True)
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(columns)
    writer.writerows(rows)
    write_whole(folder / f"{name}.csv", text.getvalue())


def write_whole(path: Path, text: str) -> None:
    """A file that appears whole or not at all."""
    file = _gossamer.open_output(os.fspath(path))
    try:
        file.write(text.encode())
        file.commit()
    finally:
        file.discard()


def compared(folder: Path, name: str, rows: list[Row]) -> list[Row]:
    """folder/NAME_compared.csv: what the text says of a figure beside what is predicted, or
    measured, or both: a column each."""
    at = COLUMNS.index("predicted")
    hows = list(dict.fromkeys(row.how for row in rows))
    lines = []
    for row in rows:
        cells = row.cells()
        lines.append([*cells[:at], *(cells[at] if row.how == how else "" for how in hows),
                      *cells[at + 1 :]])  # fmt: skip
    write_csv(folder, f"{name}_compared", [*COLUMNS[:at], *hows, *COLUMNS[at + 1 :]], lines)
    return rows


def measured(rows: Sequence[Row]) -> list[Row]:
    """The same, said to be measured on this host."""
    return [replace(row, measured=True) for row in rows]


def faster_up_to(
    sizes: Sequence[int], first: Sequence[float], second: Sequence[float]
) -> int | None:
    """The last size before `second` is faster for the first time; None when it never is."""
    for i, (a, b) in enumerate(zip(first, second, strict=True)):
        if a > b:
            return sizes[i - 1] if i > 0 else 0
    return None


def show(rows: Sequence[Row]) -> None:
    """Prints rows, each deviation's reason below it."""
    for row in rows:
        print(row.text(), flush=True)
        if row.reason:
            print(f"{'':12s} {row.reason}")


def arguments(description: str | None) -> argparse.ArgumentParser:
    """[FOLDER] [--quick]."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("folder", nargs="?", type=Path, default=DEFAULT)
    parser.add_argument("--quick", action="store_true", help="a few points, to see that it works")
    return parser

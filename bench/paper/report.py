"""What every bench of bench/paper writes: a CSV, a plot, published values beside predicted ones.

A published value is a number of the paper's text or tables. Curves that a paper only draws are not
read off: their rows have no published value and say `drawn only`.
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

__all__ = ["Row", "bars", "faster_up_to", "kilobytes", "lines", "main", "write_csv"]

DEFAULT = Path("build") / "paper"


@dataclass(frozen=True)
class Row:
    """One thing that the paper says, and what the model says of it."""

    figure: str
    what: str
    published: float | str | None
    ours: float | str | None
    unit: str = ""
    #: Used to set the model's numbers: agreement proves nothing.
    calibration: bool = False
    reason: str = ""

    @property
    def deviation(self) -> float | None:
        """Per cent."""
        if isinstance(self.published, float | int) and isinstance(self.ours, float | int):
            return 100 * (self.ours / self.published - 1)
        return None

    def record(self) -> dict[str, Any]:
        """As JSON."""
        deviation = self.deviation
        return asdict(self) | {
            "deviation_percent": None if deviation is None else round(deviation, 1)
        }

    def text(self) -> str:
        """One line."""
        deviation = self.deviation
        agrees = "" if deviation is None else f"{deviation:+.0f} %"
        if deviation is None and self.published is not None:
            agrees = "agrees" if self.published == self.ours else "differs"
        published = "drawn only" if self.published is None else _text(self.published)
        marks = " (calibration)" if self.calibration else ""
        return (
            f"{self.figure:18s} {self.what:52s} published {published:>12s}  ours "
            f"{_text(self.ours):>12s} {self.unit:5s} {agrees}{marks}"
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
    with (folder / f"{name}.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(rows)


def lines(
    folder: Path, name: str, x: Sequence[float], curves: Mapping[str, Sequence[float | None]],
    labels: tuple[str, str], title: str, logarithmic: bool = True,
) -> None:  # fmt: skip
    """folder/name.csv, and folder/name.png where matplotlib is there."""
    write_csv(
        folder,
        name,
        [labels[0], *curves],
        [[at, *(c[i] for c in curves.values())] for i, at in enumerate(x)],
    )
    try:
        import matplotlib
    except ImportError:
        return
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 4.5), layout="constrained")
    for label, y in curves.items():
        points = [(a, b) for a, b in zip(x, y, strict=True) if b is not None]
        axes.plot(*zip(*points, strict=True), marker="o", markersize=3, label=label)
    axes.set_xscale("log", base=2)
    if logarithmic:
        axes.set_yscale("log")
    axes.set_xlabel(labels[0])
    axes.set_ylabel(labels[1])
    axes.set_title(title)
    axes.grid(True, which="both", alpha=0.3)
    axes.legend()
    figure.savefig(folder / f"{name}.png", dpi=120)
    plt.close(figure)


def bars(
    folder: Path, name: str, rows: Sequence[str], parts: Mapping[str, Sequence[float]],
    label: str, title: str,
) -> None:  # fmt: skip
    """Stacked bars: one a row, one colour a part."""
    write_csv(
        folder,
        name,
        ["", *parts],
        [[row, *(p[i] for p in parts.values())] for i, row in enumerate(rows)],
    )
    try:
        import matplotlib
    except ImportError:
        return
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(max(5, 0.5 * len(rows)), 4.5), layout="constrained")
    bottom = [0.0] * len(rows)
    for part, heights in parts.items():
        axes.bar(rows, heights, bottom=bottom, label=part)
        bottom = [a + b for a, b in zip(bottom, heights, strict=True)]
    axes.set_ylabel(label)
    axes.set_title(title)
    axes.tick_params(axis="x", rotation=60)
    axes.legend()
    figure.savefig(folder / f"{name}.png", dpi=120)
    plt.close(figure)


def faster_up_to(
    sizes: Sequence[int], first: Sequence[float], second: Sequence[float], tie: float = 0.05
) -> int | None:
    """The last size before `second` is faster for the first time, by more than a tie; None when it
    never is."""
    for i, (a, b) in enumerate(zip(first, second, strict=True)):
        if a > (1 + tie) * b:
            return sizes[i - 1] if i > 0 else 0
    return None


def main(run: Callable[[Path], list[Row]]) -> None:
    """The command line of one bench: [FOLDER], default build/paper."""
    parser = argparse.ArgumentParser(description="Predicted on modelled systems; nothing measured.")
    parser.add_argument("folder", nargs="?", type=Path, default=DEFAULT)
    for row in run(parser.parse_args().folder):
        print(row.text())
        if row.reason:
            print(f"{'':18s} {row.reason}")

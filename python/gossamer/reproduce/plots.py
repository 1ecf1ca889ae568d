"""Plots of figures, each with a CSV of its points: curves and bars.

Beside each curve's column stands what the paper's text or tables give of it, and the deviation; a
curve without a number there is marked in the column's name.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from .report import DRAWN_ONLY, NOT_IN_PAPER, write_csv

__all__ = ["bars", "lines"]

#: Of one curve, by place on the x axis.
Points = Mapping[float, float]


def _columns(
    x: Sequence[float], label: str, values: Sequence[float | None], points: Points, ours_only: bool
) -> dict[str, Sequence[Any]]:
    if not points:
        mark = NOT_IN_PAPER if ours_only else DRAWN_ONLY
        return {label: values, f"{label}, published ({mark})": [""] * len(x)}
    published = [points.get(at) for at in x]
    deviations = [
        "" if there is None or here is None else round(100 * (here / there - 1), 1)
        for here, there in zip(values, published, strict=True)
    ]
    return {
        label: values,
        f"{label}, published": ["" if there is None else there for there in published],
        f"{label}, deviation (%)": deviations,
    }


def lines(
    folder: Path, name: str, x: Sequence[float], curves: Mapping[str, Sequence[float | None]],
    labels: tuple[str, str], title: str, logarithmic: bool = True,
    published: Mapping[str, Points] | None = None, ours_only: Collection[str] = (),
    measured: Mapping[str, Points] | None = None,
) -> None:  # fmt: skip
    """folder/name.csv and folder/name.png; `ours_only`: curves that no paper has. `measured`: such
    curves of machines that are there, which may have other places on the x axis."""
    if measured:
        before, ours_only = x, {*ours_only, *measured}
        x = sorted({*before, *(place for points in measured.values() for place in points)})
        curves = {
            **{label: _spread(before, values, x) for label, values in curves.items()},
            **{label: [points.get(place) for place in x] for label, points in measured.items()},
        }
    given = published or {}
    table: dict[str, Sequence[Any]] = {labels[0]: x}
    for label, values in curves.items():
        table |= _columns(x, label, values, given.get(label, {}), label in ours_only)
    write_csv(folder, name, list(table), list(zip(*table.values(), strict=True)))

    plt = _pyplot()
    # Margins that suit all of them: having them computed takes longer than drawing.
    figure, axes = plt.subplots(figsize=(7, 4.5))
    figure.subplots_adjust(left=0.11, right=0.98, bottom=0.12, top=0.93)
    for label, y in curves.items():
        at = [(a, b) for a, b in zip(x, y, strict=True) if b is not None]
        marker, size = ("s", 6) if label in (measured or ()) else ("o", 3)
        (line,) = axes.plot(*zip(*at, strict=True), marker=marker, markersize=size, label=label)
        if given.get(label):
            axes.plot(
                *zip(*given[label].items(), strict=True), linestyle="none", marker="x",
                markersize=9, color=line.get_color(), label=f"{label}, published",
            )  # fmt: skip
    axes.set_xscale("log", base=2)
    if logarithmic:
        axes.set_yscale("log")
    axes.set_xlabel(labels[0])
    axes.set_ylabel(labels[1])
    axes.grid(True, alpha=0.4)
    _save(plt, figure, axes, folder / f"{name}.png", _titled(title, measured))


def _spread(
    at: Sequence[float], values: Sequence[float | None], x: Sequence[float]
) -> list[float | None]:
    """The same values on an axis with more places."""
    known = dict(zip(at, values, strict=True))
    return [known.get(place) for place in x]


def _titled(title: str, measured: Collection[str] | None) -> str:
    """What is measured is told apart by its name in the legend."""
    return f"{title}, and measured" if measured else title


def bars(
    folder: Path, name: str, rows: Sequence[str], parts: Mapping[str, Sequence[float]],
    label: str, title: str, stacked: bool = True, mark: str = DRAWN_ONLY,
    measured: Mapping[str, Mapping[str, float]] | None = None,
) -> None:  # fmt: skip
    """One bar a row with one colour a part, or, not stacked, a bar for each part. `mark`: what the
    paper has instead of numbers. `measured`: rows of machines that are there, their parts by
    name."""
    marks = [mark] * len(rows)
    if measured:
        rows, marks = [*rows, *measured], marks + [NOT_IN_PAPER] * len(measured)
        parts = {p: [*of, *(row.get(p, 0.0) for row in measured.values())]
                 for p, of in parts.items()}  # fmt: skip
    table = [[row, *(p[i] for p in parts.values()), marks[i]] for i, row in enumerate(rows)]
    write_csv(folder, name, ["", *(f"{p} ({label})" for p in parts), "published"], table)

    plt = _pyplot()
    figure, axes = plt.subplots(figsize=(max(5, 0.5 * len(rows)), 4.5), layout="constrained")
    bottom = [0.0] * len(rows)
    width = 0.8 if stacked else 0.8 / len(parts)
    for k, (part, heights) in enumerate(parts.items()):
        shift = 0.0 if stacked else (k - (len(parts) - 1) / 2) * width
        axes.bar([i + shift for i in range(len(rows))], heights, width, bottom=bottom, label=part)
        if stacked:
            bottom = [a + b for a, b in zip(bottom, heights, strict=True)]
    axes.set_xticks(range(len(rows)), rows, rotation=60, ha="right")
    axes.set_ylabel(label)
    _save(plt, figure, axes, folder / f"{name}.png", _titled(title, measured))


def _pyplot() -> Any:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    return plt


def _save(plt: Any, figure: Any, axes: Any, file: Path, title: str) -> None:
    axes.set_title(title, fontsize="medium")
    axes.legend(fontsize="small")
    figure.savefig(file, dpi=120)
    plt.close(figure)

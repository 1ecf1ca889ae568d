"""Plots of predictions and of searches; needs the extra `plot`."""

from __future__ import annotations

import importlib.util
import io
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from gossamer.algorithm.bfs import BfsLevel
from gossamer.cli import options
from gossamer.errors import UsageError

from .report import write_whole

_COLOURS = {"top-down": "tab:blue", "bottom-up": "tab:orange"}
#: Above that many levels bars are thinner than a pixel.
_MOST_BARS = 200


def quiet_fonts() -> None:
    """Before matplotlib is imported: the program by which it finds fonts warns on stderr of a
    locale that there is not. This names one that there is."""
    os.environ.setdefault("FC_LANG", "en")


def check_plot(path: Path) -> None:
    """Refuses what could not be plotted, before anything is simulated or searched for it."""
    options.check_output_path(path)
    if importlib.util.find_spec("matplotlib") is None:
        raise UsageError("--plot needs matplotlib: pip install 'gossamer[plot]'")
    quiet_fonts()
    from matplotlib.figure import Figure

    known = set(Figure().canvas.get_supported_filetypes()) - {"pgf"}  # needs a TeX installation
    if path.suffix.removeprefix(".").lower() not in known:
        raise UsageError(f"--plot {path}: not one of {', '.join('.' + k for k in sorted(known))}")


@contextmanager
def _figure(path: Path, rows: int = 1) -> Iterator[tuple[Any, Any]]:
    """A figure and its axes, one below the other; written to `path` at the end."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(rows, 1, figsize=(7, 2 + 2.5 * rows), sharex=True,
                                layout="constrained")  # fmt: skip
    try:
        yield figure, axes
        drawn = io.BytesIO()
        figure.savefig(drawn, format=path.suffix[1:] or "png")
        with write_whole(path) as file:
            file.write(drawn.getvalue())
    finally:
        plt.close(figure)


def plot_lines(
    path: Path, x: Sequence[float], lines: Mapping[str, Sequence[float]], title: str,
    labels: tuple[str, str],
) -> None:  # fmt: skip
    """Both axes logarithmic; one line a name."""
    with _figure(path) as (_, axes):
        for name, y in lines.items():
            axes.loglog(x, y, marker="o", markersize=3, label=name)
        axes.set_xlabel(labels[0])
        axes.set_ylabel(labels[1])
        axes.set_title(title)
        axes.grid(True, which="both", alpha=0.3)
        axes.legend()


def _steps(axes: Any, values: Sequence[float], levels: Sequence[BfsLevel]) -> None:
    """One bar or, where they are too many, one point a level, coloured by direction."""
    for direction, colour in _COLOURS.items():
        chosen = [i for i, level in enumerate(levels) if level.direction == direction]
        if not chosen:
            continue
        heights = [values[i] for i in chosen]
        if len(levels) <= _MOST_BARS:
            axes.bar(chosen, heights, color=colour, label=direction)
        else:
            axes.plot(chosen, heights, ".", color=colour, markersize=2, label=direction)
    axes.grid(True, axis="y", alpha=0.3)


def plot_distances(path: Path, distances: npt.NDArray[Any], title: str) -> None:
    """How many vertices lie at which distance; those that are not reached are left out."""
    with _figure(path) as (_, axes):
        axes.hist(distances[np.isfinite(distances)], bins=100)
        axes.set_xlabel("distance")
        axes.set_ylabel("vertices")
        axes.set_title(title)
        axes.grid(True, axis="y", alpha=0.3)


def plot_sizes(path: Path, labels: npt.NDArray[Any], title: str) -> None:
    """How many components there are of each size."""
    sizes = np.unique(labels, return_counts=True)[1]
    size, count = np.unique(sizes, return_counts=True)
    with _figure(path) as (_, axes):
        axes.loglog(size, count, "o", markersize=4)
        axes.set_xlabel("vertices of a component")
        axes.set_ylabel("components")
        axes.set_title(title)
        axes.grid(True, which="both", alpha=0.3)


def plot_clustering(path: Path, clustering: npt.NDArray[Any], title: str) -> None:
    """How many vertices there are of each clustering coefficient."""
    with _figure(path) as (_, axes):
        axes.hist(clustering, bins=100)
        axes.set_yscale("log")
        axes.set_xlabel("clustering coefficient")
        axes.set_ylabel("vertices")
        axes.set_title(title)
        axes.grid(True, axis="y", alpha=0.3)


def plot_core_numbers(path: Path, numbers: npt.NDArray[Any], title: str) -> None:
    """How many vertices there are of each core number or more."""
    cores, counts = np.unique(numbers, return_counts=True)
    with _figure(path) as (_, axes):
        axes.step(cores, np.cumsum(counts[::-1])[::-1], where="post")
        axes.set_yscale("log")
        axes.set_xlabel("k")
        axes.set_ylabel("vertices of the k-core")
        axes.set_title(title)
        axes.grid(True, alpha=0.3)


def plot_numbers(path: Path, numbers: npt.NDArray[Any], what: str, title: str) -> None:
    """How many vertices there are of each number."""
    with _figure(path) as (_, axes):
        axes.hist(numbers.ravel(), bins=100)
        axes.set_yscale("log")
        axes.set_xlabel(what)
        axes.set_ylabel("vertices")
        axes.set_title(title)
        axes.grid(True, axis="y", alpha=0.3)


def plot_weights(path: Path, weights: npt.NDArray[Any], title: str) -> None:
    """How many edges there are of each weight."""
    with _figure(path) as (_, axes):
        axes.hist(weights, bins=100)
        axes.set_yscale("log")
        axes.set_xlabel("weight")
        axes.set_ylabel("edges of the forest")
        axes.set_title(title)
        axes.grid(True, axis="y", alpha=0.3)


def plot_ranks(path: Path, ranks: npt.NDArray[Any], title: str, name: str = "rank") -> None:
    """Ranks, or other scores, from the highest to the lowest."""
    ordered = np.sort(ranks)[::-1]
    # As many points as a picture shows.
    places = np.unique(np.geomspace(1, max(1, len(ordered)), 2_000).astype(np.int64))
    with _figure(path) as (_, axes):
        if len(ordered):
            axes.loglog(places, ordered[places - 1])
        axes.set_xlabel("place")
        axes.set_ylabel(name)
        axes.set_title(title)
        axes.grid(True, which="both", alpha=0.3)


def plot_levels(path: Path, levels: Sequence[BfsLevel], title: str) -> None:
    """Frontier size and time of every level, coloured by the direction that was chosen."""
    with _figure(path, 2) as (figure, (sizes, times)):
        figure.suptitle(title)
        _steps(sizes, [level.frontier for level in levels], levels)
        sizes.set_yscale("log")
        sizes.set_ylabel("frontier (vertices)")
        sizes.legend()
        _steps(times, [level.milliseconds for level in levels], levels)
        times.set_ylabel("time (ms)")
        times.set_xlabel("level")

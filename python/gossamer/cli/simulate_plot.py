"""Plots of predictions; needs the extra `plot`."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping, Sequence
from pathlib import Path

from ..errors import UsageError
from . import options
from .output import write_whole

__all__ = ["check_plot", "plot_lines"]


def check_plot(path: Path) -> None:
    """Refuses what could not be plotted, before anything is simulated for it."""
    options.check_output_path(path)
    if importlib.util.find_spec("matplotlib") is None:
        raise UsageError("--plot needs matplotlib: pip install 'gossamer[plot]'")
    from matplotlib.figure import Figure

    known = Figure().canvas.get_supported_filetypes()
    if path.suffix.removeprefix(".").lower() not in known:
        raise UsageError(f"--plot {path}: not one of {', '.join('.' + k for k in sorted(known))}")


def plot_lines(
    path: Path, x: Sequence[float], lines: Mapping[str, Sequence[float]], title: str,
    labels: tuple[str, str],
) -> None:  # fmt: skip
    """Both axes logarithmic; one line a name."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 4.5), layout="constrained")
    for name, y in lines.items():
        axes.loglog(x, y, marker="o", markersize=3, label=name)
    axes.set_xlabel(labels[0])
    axes.set_ylabel(labels[1])
    axes.set_title(title)
    axes.grid(True, which="both", alpha=0.3)
    axes.legend()
    with write_whole(path) as temporary:
        figure.savefig(temporary, format=path.suffix[1:] or "png")
    plt.close(figure)

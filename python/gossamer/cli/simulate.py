"""`gossamer simulate`: how long a collective takes on a modelled system, by size, and why."""

from __future__ import annotations

import importlib.util
import itertools
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from .. import _gossamer
from ..errors import UsageError
from ..graph import memory_bytes
from . import options
from .output import Report, format_bytes, write_whole

__all__ = ["simulate"]

#: Bytes of an element: reductions are of 8-byte values.
_ELEMENT = 8


@dataclass(frozen=True)
class _Case:
    """What stays the same over all sizes of one system."""

    operation: str
    algorithm: str | None
    ranks: int
    root: int
    system: str
    buffers: str
    searched: bool
    changes: tuple[str, ...]

    def candidates(self) -> list[str]:
        if self.algorithm is not None:
            return [self.algorithm]
        known = [a for a in _gossamer.collective_algorithms() if a["operation"] == self.operation]
        # One that is not there: let the library say which operations there are.
        return [str(a["name"]) for a in known] or [""]

    def schedule(self, algorithm: str, size: int, mapping: list[int]) -> _gossamer.Schedule:
        return _gossamer.Schedule(
            self.operation, algorithm, self.ranks, max(1, size // _ELEMENT), _ELEMENT, self.root,
            False, True, 0, mapping,
        )  # fmt: skip

    def predict(self, size: int) -> dict[str, Any]:
        """The fastest candidate at this size."""
        best: dict[str, Any] | None = None
        for algorithm in self.candidates():
            mapping: list[int] = []
            if self.searched:
                mapping = _gossamer.search_mapping(self.schedule(algorithm, size, []), self.system)
            found = _gossamer.replay(
                self.schedule(algorithm, size, mapping),
                self.system,
                list(self.changes),
                self.buffers,
            )
            if best is None or found["seconds"] < best["seconds"]:
                best = found | {"algorithm": algorithm, "mapping": mapping}
        assert best is not None  # there is at least one candidate
        return best


def _sizes(text: str) -> list[int]:
    """``64``, ``8,1K,1M`` or ``8..16M`` (doubling)."""
    first, dots, last = text.partition("..")
    if not dots:
        return [memory_bytes(part) for part in text.split(",")]
    low, high = memory_bytes(first), memory_bytes(last)
    if low < 1 or high < low:
        raise UsageError(f"--bytes: '{text}' is not a range such as 8..16M")
    sizes = [low]
    while sizes[-1] * 2 <= high:
        sizes.append(sizes[-1] * 2)
    return sizes


def _crossovers(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Sizes between which the other system becomes the faster one, and why the first is slower."""
    found = []
    for before, after in itertools.pairwise(rows):
        winner, loser = before["fastest"], after["fastest"]
        if winner != loser:
            found.append(
                {
                    "between": [before["bytes"], after["bytes"]],
                    "from": winner,
                    "to": loser,
                    "because": after["systems"][winner]["largest"],
                }
            )
    return found


def _check_plot(path: Path) -> None:
    """Refuses what could not be plotted, before anything is simulated for it."""
    options.check_output_path(path)
    if importlib.util.find_spec("matplotlib") is None:
        raise UsageError("--plot needs matplotlib: pip install 'gossamer[plot]'")


def _plot(path: Path, rows: list[dict[str, Any]], systems: list[str], title: str) -> None:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 4.5), layout="constrained")
    for name in systems:
        axes.loglog(
            [row["bytes"] for row in rows],
            [1e6 * row["systems"][name]["seconds"] for row in rows],
            marker="o",
            markersize=3,
            label=name,
        )
    axes.set_xlabel("bytes")
    axes.set_ylabel("predicted µs")
    axes.set_title(title)
    axes.grid(True, which="both", alpha=0.3)
    axes.legend()
    with write_whole(path) as temporary:
        figure.savefig(temporary, format=path.suffix[1:] or "png")
    plt.close(figure)


def simulate(
    operation: Annotated[
        str | None, typer.Argument(metavar="OP", help="allgather, broadcast, …")
    ] = None,
    system: Annotated[
        str, typer.Option(metavar="NAME|FILE", help="A modelled system; list them with --systems.")
    ] = "peach2",
    against: Annotated[
        str | None, typer.Option(metavar="NAME|FILE", help="A second system, side by side.")
    ] = None,
    ranks: Annotated[int, typer.Option(min=1, help="Number of ranks.")] = 16,
    size: Annotated[
        str,
        typer.Option(
            "--bytes", metavar="A..B", help="Message or, where each rank has one, block size."
        ),
    ] = "8..16M",
    algorithm: Annotated[
        str | None, typer.Option(metavar="NAME", help="Default: the fastest at each size.")
    ] = None,
    root: Annotated[int, typer.Option(help="Root of rooted operations.")] = 0,
    buffers: Annotated[str, typer.Option(help="Where data is: device or host.")] = "device",
    mapping: Annotated[
        str, typer.Option(help="identity, or searched (fewer transfers meet).")
    ] = "identity",
    change: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=VALUE", help="Change the system: network.latency=2e-7."),
    ] = None,
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Plot as .png, .svg …")] = None,
    systems: Annotated[bool, typer.Option("--systems", help="List the systems.")] = False,
    json: options.Json = None,
) -> None:
    """Predict a collective on a modelled system: schedules replayed, nothing measured."""
    report = Report(json)
    if systems:
        known = [(name, _gossamer.system_title(name)) for name in _gossamer.system_names()]
        report.table("systems", ["name", "what it models"], known, (0, 1))
        report.json({"systems": [{"name": name, "title": title} for name, title in known]})
        return
    if operation is None:
        raise UsageError("which operation? (allgather, broadcast, …; or --systems)")
    if mapping not in ("identity", "searched"):
        raise UsageError(f"--mapping: '{mapping}' is neither identity nor searched")
    if plot is not None:
        _check_plot(plot)
    if against == system:
        raise UsageError(f"--against: '{system}' is the same system")
    names = [system] if against is None else [system, against]
    cases = {
        name: _Case(
            operation, algorithm, ranks, root, name, buffers, mapping == "searched",
            tuple(change or ()) if name == system else (),
        )
        for name in names
    }  # fmt: skip
    rows: list[dict[str, Any]] = []
    for n in _sizes(size):
        found = {name: case.predict(n) for name, case in cases.items()}
        fastest = min(found, key=lambda name: float(found[name]["seconds"]))
        rows.append({"bytes": n, "fastest": fastest, "systems": found})
    columns = ["bytes"]
    for name in names:
        columns += [f"{name} µs", "by", "mostly"]
    table = []
    for row in rows:
        cells = [format_bytes(row["bytes"])]
        for name in names:
            one = row["systems"][name]
            cells += [f"{1e6 * one['seconds']:.2f}", one["algorithm"], one["largest"]]
        table.append(cells)
    title = f"{operation} on {ranks} ranks, {buffers} memory (predicted)"
    report.table(title, columns, table, ())
    crossings = _crossovers(rows) if len(names) == 2 else []
    for crossing in crossings:
        low, high = (format_bytes(n) for n in crossing["between"])
        report.line(
            f"between {low} and {high} {crossing['to']} overtakes {crossing['from']}, "
            f"whose time is mostly {crossing['because']} by then"
        )
    if len(names) == 2 and not crossings:
        report.line(f"{rows[0]['fastest']} is faster at every size")
    if plot is not None:
        _plot(plot, rows, names, title)
        report.line(f"wrote {plot}")
    report.json(
        {
            "algorithm": "simulate",
            "operation": operation,
            "ranks": ranks,
            "buffers": buffers,
            "mapping": mapping,
            "changes": change or [],
            "rows": rows,
            "crossovers": crossings,
        }
    )

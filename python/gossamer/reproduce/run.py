"""Makes what is asked for: tables and plots into a folder, rows, and one page of all of them."""

from __future__ import annotations

import base64
import importlib
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib import resources
from pathlib import Path

from gossamer import __version__

from .catalogue import PAPERS, Entry
from .d_chases import chases
from .extent import extent
from .here import Here
from .report import COLUMNS, Row

__all__ = ["page", "reproduce"]


def reproduce(
    entries: Iterable[Entry], folder: Path, quick: bool = False, memory_node: int | None = None,
    machines: Mapping[Entry, Sequence[str]] | None = None, scale: int | None = None,
) -> dict[Entry, list[Row]]:  # fmt: skip
    """Rows of each; plots, their points and `…_compared.csv` are in `folder`.

    quick: a few points, which show that it works and nothing else. memory_node: of this host, where
    paper D's lists are to lie. scale: of papers A's and B's graphs. All three stay so for later
    calls. machines: by entry the specs of those that it is measured on, which `Entry.on` fits.
    """
    if memory_node is not None:
        chases.put_on(memory_node)
    if quick:
        extent.shorten()
        chases.shorten()
    if scale is not None:
        extent.at_scale(scale)
    found: dict[Entry, list[Row]] = {}
    for entry in entries:
        module = importlib.import_module(f".figures.{entry.module}", __package__)
        there = (machines or {}).get(entry, ())
        if there and hasattr(module, "on_machines"):
            words = ["--machine", *there, *["--quick"] * quick, "--", str(folder)]
            found[entry] = module.on_machines(words)
        elif there:
            found[entry] = module.run(folder, [Here(spec) for spec in there])
        else:
            found[entry] = module.run(folder)
    return found


def _table(rows: Sequence[Row]) -> str:
    head = "".join(f"<th>{escape(column)}</th>" for column in ("how", *COLUMNS[1:]))
    head = head.replace("<th>predicted</th>", "<th>ours</th>")
    lines = []
    for row in rows:
        cells = [row.how, *row.cells()[1:]]
        lines.append("<tr>" + "".join(f"<td>{escape(_text(c))}</td>" for c in cells) + "</tr>")
    return f'<div class="wide"><table><tr>{head}</tr>{"".join(lines)}</table></div>'


def _text(cell: object) -> str:
    return f"{cell:.4g}" if isinstance(cell, float) else str(cell)


def _pictures(entry: Entry, folder: Path) -> str:
    """Those that begin with the figure's name: c_fig02."""
    stem = "_".join(entry.module.split("_")[:2])
    files = sorted(folder.glob(f"{stem}*.png"))
    return "".join(
        f'<img alt="{escape(file.stem)}" '
        f'src="data:image/png;base64,{base64.b64encode(file.read_bytes()).decode()}">'
        for file in files
    )


def page(
    found: dict[Entry, list[Row]], folder: Path, quick: bool = False, hardware: str = ""
) -> str:
    """One page without network: published values, ours, deviations and their reasons, and plots.
    hardware: of what was measured on machines that were named."""
    template = resources.files(__package__).joinpath("page.html").read_text(encoding="utf-8")
    parts, paper = [], ""
    if quick:
        parts.append("<p><strong>A few points only: these numbers mean nothing.</strong></p>")
    if hardware:
        parts.append(f"<p>Measured on {escape(hardware)}.</p>")
    for entry, rows in found.items():
        if entry.paper != paper:
            paper = entry.paper
            parts.append(f"<h2>{paper}. {escape(PAPERS[paper])}</h2>")
        parts.append(f"<h3>{escape(entry.name)}: {escape(entry.about)}</h3>")
        parts.append(_table(rows) + _pictures(entry, folder))
    return template.replace("{{parts}}", "\n".join(parts)).replace("{{version}}", __version__)

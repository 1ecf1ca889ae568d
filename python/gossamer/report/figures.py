"""The page's pictures, by Bokeh.

Bokeh sets text between dollars or behind a backslash as a formula, and fetches what it needs for
that from the network: what comes from a file goes through :func:`plain`. It escapes what it shows
beside the pointer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from .inputs import Level
from .timeline import EXPOSED, HIDDEN, Band, Timeline

_COLOURS = ("#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#bbbbbb", "#994455",
            "#997700", "#004488")  # fmt: skip
_DIRECTIONS = {"top-down": "#4477aa", "bottom-up": "#ee8866"}
#: In this order in the legend.
_KINDS = {"compute": "#4477aa", "exchange": "#ccbb44", "copy": "#aa3377", "wait": "#dddddd"}
_COPIES = {HIDDEN: "#228833", EXPOSED: "#cc3311"}
#: Above that many levels bars are thinner than a pixel.
_MOST_BARS = 300
_LONGEST_LABEL = 40
#: Pixels left of a timeline: room for its longest label, "rank 63".
_BESIDE_AXIS = 70


def plain(text: str) -> str:
    """Text from a file as a label."""
    short = text if len(text) <= _LONGEST_LABEL else text[: _LONGEST_LABEL - 1] + "…"
    return re.sub(r"[$\\]", "_", short)


def _figure(height: int, **options: Any) -> Any:
    from bokeh.plotting import figure

    options.setdefault("tools", "pan,box_zoom,reset,save")
    made = figure(height=height, sizing_mode="stretch_width", **options)
    made.toolbar.logo = None
    made.toolbar.autohide = True
    return made


def _legend_above(made: Any) -> Any:
    """Beside bars it would hide some."""
    if made.legend:
        legend = made.legend[0]
        made.add_layout(legend, "above")
        legend.orientation = "horizontal"
        legend.click_policy = "hide"
        legend.border_line_color = None
        legend.padding = 2
    return made


def _rows(count: int, labels: Sequence[str], **options: Any) -> Any:
    """A figure with named rows, the first one on top."""
    from bokeh.models import FixedTicker

    made = _figure(90 + 34 * count, y_range=(count, 0), **options)
    made.yaxis.ticker = FixedTicker(ticks=[i + 0.5 for i in range(count)])
    made.yaxis.major_label_overrides = {i + 0.5: label for i, label in enumerate(labels)}
    made.ygrid.visible = False
    made.x_range.start = 0
    return made


def degrees(bins: Sequence[int]) -> Any:
    """Vertices by degree, both in powers of two."""
    labels = [str(k) if k < 2 else f"{1 << (k - 1):,}–{(1 << k) - 1:,}" for k in range(len(bins))]
    shown = [(label, n) for label, n in zip(labels, bins, strict=True) if n > 0]
    made = _figure(
        320, x_range=labels, y_axis_type="log", x_axis_label="degree", y_axis_label="vertices",
        tooltips=[("degree", "@x"), ("vertices", "@top{0,0}")],
    )  # fmt: skip
    made.vbar(x=[x for x, _ in shown], top=[n for _, n in shown], bottom=0.5, width=0.9,
              color=_COLOURS[0])  # fmt: skip
    made.xaxis.major_label_orientation = 0.9
    made.xgrid.visible = False
    return made


def levels(of: Sequence[Level], values: Sequence[float], what: str, shown: str, log: bool) -> Any:
    """One bar or, where they are too many, one point a level, coloured by direction."""
    made = _figure(
        300, x_axis_label="level", y_axis_label=what, y_axis_type="log" if log else "linear",
        tooltips=[("level", "@x"), (what, f"@y{{{shown}}}")],
    )  # fmt: skip
    for direction, colour in _DIRECTIONS.items():
        chosen = [i for i, level in enumerate(of) if level.direction == direction]
        if not chosen:
            continue
        source = {"x": chosen, "y": [values[i] for i in chosen]}
        if len(of) <= _MOST_BARS:
            made.vbar(x="x", top="y", bottom=0.5 if log else 0, width=0.85, color=colour,
                      legend_label=direction, source=source)  # fmt: skip
        else:
            made.scatter(x="x", y="y", size=3, color=colour, legend_label=direction, source=source)
    if not log:
        made.y_range.start = 0
    return _legend_above(made)


def _bands(made: Any, rows: Sequence[Sequence[Band]], colours: Mapping[str, str], low: float,
           high: float) -> None:  # fmt: skip
    for kind, colour in colours.items():
        chosen = [(rank, b) for rank, bands in enumerate(rows) for b in bands if b.kind == kind]
        if not chosen:
            continue
        source = {
            "left": [b.begin for _, b in chosen],
            "right": [b.end for _, b in chosen],
            "top": [rank + low for rank, _ in chosen],
            "bottom": [rank + high for rank, _ in chosen],
            "name": [b.name or kind for _, b in chosen],
            "ms": [b.end - b.begin for _, b in chosen],
        }
        made.quad(left="left", right="right", top="top", bottom="bottom", color=colour,
                  line_width=0.5, legend_label=kind, source=source)  # fmt: skip


def ranks(of: Timeline, longest: float = 0.0) -> Any:
    """By rank its compute stream and, below it, its copies. The axis ends where that of a run of
    `longest` milliseconds does, and is as wide, whatever ranks are called."""
    count = len(of.streams)
    made = _rows(
        count, [f"rank {rank}" for rank in range(count)], x_axis_label="ms",
        tools="xpan,xwheel_zoom,xbox_zoom,reset,save", active_drag="xbox_zoom",
        tooltips=[("what", "@name"), ("begins", "@left{0.0000} ms"), ("lasts", "@ms{0.0000} ms")],
    )  # fmt: skip
    _bands(made, of.streams, _KINDS, 0.12, 0.62)
    _bands(made, of.copies, _COPIES, 0.68, 0.88)
    made.x_range.end = max(of.milliseconds, longest) or 1.0
    made.min_border_left = made.min_border_right = _BESIDE_AXIS
    return _legend_above(made)


def memory(labels: Sequence[str], planned: Sequence[int], used: Sequence[int]) -> Any:
    """Bytes planned and used, a row a memory."""
    made = _rows(
        len(labels), [plain(label) for label in labels], x_axis_label="MiB",
        tooltips=[("MiB", "@right{0,0.000}")],
    )  # fmt: skip
    for what, sizes, low, colour in (
        ("planned", planned, 0.14, "#bbbbbb"), ("used", used, 0.5, _COLOURS[0]),
    ):  # fmt: skip
        source = {
            "right": [size / 2**20 for size in sizes],
            "top": [i + low for i in range(len(sizes))],
            "bottom": [i + low + 0.36 for i in range(len(sizes))],
        }
        made.quad(left=0, right="right", top="top", bottom="bottom", color=colour,
                  legend_label=what, source=source)  # fmt: skip
    return _legend_above(made)


def times(labels: Sequence[str], milliseconds: Sequence[Sequence[float]]) -> Any:
    """A bar to the median of each row's runs, a line from the fastest to the slowest."""
    from statistics import median

    made = _rows(
        len(labels), [plain(label) for label in labels], x_axis_label="ms",
        tooltips=[("median", "@middle{0,0.000} ms"), ("fastest", "@low{0,0.000} ms"),
                  ("slowest", "@high{0,0.000} ms")],
    )  # fmt: skip
    source = {
        "y": [i + 0.5 for i in range(len(labels))],
        "middle": [median(runs) for runs in milliseconds],
        "low": [min(runs) for runs in milliseconds],
        "high": [max(runs) for runs in milliseconds],
    }
    made.hbar(y="y", right="middle", height=0.6, color=_COLOURS[0], source=source)
    made.segment(x0="low", x1="high", y0="y", y1="y", color="#222222", line_width=2, source=source)
    return made


def phases(labels: Sequence[str], spent: Sequence[Mapping[str, float]]) -> Any:
    """Milliseconds of each phase, one beside the other, a row each."""
    made = _rows(
        len(labels), [plain(label) for label in labels], x_axis_label="ms",
        tooltips=[("phase", "@name"), ("ms", "@ms{0,0.000}")],
    )  # fmt: skip
    at = [0.0] * len(labels)
    for number, name in enumerate(dict.fromkeys(name for of in spent for name in of)):
        times = [of.get(name, 0.0) for of in spent]
        ends = [begin + ms for begin, ms in zip(at, times, strict=True)]
        source = {
            "y": [i + 0.5 for i in range(len(labels))],
            "left": at,
            "right": ends,
            "ms": times,
            "name": [name] * len(labels),
        }
        made.hbar(y="y", left="left", right="right", height=0.6, source=source,
                  color=_COLOURS[number % len(_COLOURS)], legend_label=plain(name))  # fmt: skip
        at = ends
    return _legend_above(made)

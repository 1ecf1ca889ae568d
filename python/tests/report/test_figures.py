"""Labels of pictures: short, and no formulas, for which Bokeh would go to the network."""

from __future__ import annotations

import json

import pytest
from gossamer.report import figures
from gossamer.report.timeline import Band, Timeline

pytest.importorskip("bokeh")


def test_labels_from_files_are_no_formulas() -> None:
    from bokeh.embed import json_item

    hostile = ["$$x^2$$", r"\(y\)", r"\[z\]"]
    for drawn in (
        figures.phases(hostile, [dict.fromkeys(hostile, 1.0)] * 3),
        figures.times(hostile, [[1.0, 2.0]] * 3),
        figures.memory(hostile, [1, 2, 3], [1, 2, 3]),
    ):
        shown = [item.label["value"] for legend in drawn.legend for item in legend.items]
        shown += drawn.yaxis[0].major_label_overrides.values()
        assert shown and not set("".join(shown)) & set("$\\")
        json.dumps(json_item(drawn))


def test_long_labels_are_cut() -> None:
    assert figures.plain("a" * 40) == "a" * 40
    assert figures.plain("a" * 41) == "a" * 39 + "…"


def test_timelines_have_one_scale() -> None:
    bands = [Band(0, 1, "compute", "expand")]
    short = figures.ranks(Timeline(2.0, [bands], [[]], False), 5.0)
    long = figures.ranks(Timeline(5.0, [bands] * 12, [[]] * 12, False), 5.0)
    assert (short.x_range.start, short.x_range.end) == (0, 5.0)
    assert (long.x_range.start, long.x_range.end) == (0, 5.0)
    # Labels of ranks are of other widths.
    assert short.min_border_left == long.min_border_left >= 60
    assert figures.ranks(Timeline(0.0, [[]], [[]], False)).x_range.end == 1.0

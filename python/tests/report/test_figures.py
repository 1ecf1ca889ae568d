"""Labels of pictures: short, and no formulas, for which Bokeh would go to the network."""

from __future__ import annotations

import json

import pytest
from gossamer.report import figures

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

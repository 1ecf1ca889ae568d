"""Bands of a timeline: how many there are, and that they say what the trace's sums say."""

from __future__ import annotations

import gossamer as gs
import pytest
from gossamer.report.timeline import EXPOSED, HIDDEN, Band, thin, timeline


def test_few_bands_stay_as_they_are() -> None:
    bands = [Band(0, 1, "compute", "expand"), Band(2, 3, "wait")]
    assert thin(bands, 4.0, 2) == bands


def test_of_many_the_longest_kind_of_each_column_is_left() -> None:
    """Eight columns of 1 ms: six of computing, one of waiting, one of neither."""
    bands = [Band(i / 10, i / 10 + 0.09, "compute") for i in range(60)]
    bands += [Band(6, 6.4, "compute"), Band(6.4, 6.95, "wait"), Band(7.7, 8, "wait")]
    assert thin(bands, 8.0, 8) == [Band(0, 6, "compute"), Band(6, 7, "wait")]


@pytest.mark.parametrize("machine", ["cpu:1x1", "cpu:3x1", "sim:peach2,ranks=4"])
def test_bands_add_up_to_the_sums(machine: str) -> None:
    trace = gs.Trace()
    gs.bfs(gs.kronecker(12), 0, machine, trace=trace)
    (run,) = trace.summary()
    drawn = timeline(trace.parsed(), run.run)
    assert drawn.milliseconds == run.traced and not drawn.thinned
    assert len(drawn.streams) == len(drawn.copies) == len(run.ranks)
    for sums, bands in zip(run.ranks, drawn.streams, strict=True):
        for kind in ("compute", "exchange", "copy", "wait"):
            spent = sum(band.end - band.begin for band in bands if band.kind == kind)
            assert spent == pytest.approx(getattr(sums, kind))
    idle = sum(b.end - b.begin for bands in drawn.copies for b in bands if b.kind == EXPOSED)
    assert idle == pytest.approx(run.idle_for_copies)
    assert {b.kind for bands in drawn.copies for b in bands} <= {HIDDEN, EXPOSED}

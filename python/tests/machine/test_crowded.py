"""Machines of more threads than cores."""

from __future__ import annotations

import os
import warnings

import gossamer as gs
import pytest

CORES = len(os.sched_getaffinity(0))


def test_many_more_threads_than_cores_warn() -> None:
    many = 4 * CORES + 1
    with pytest.warns(gs.CrowdedWarning, match=f"threads share {CORES} cores") as caught:
        gs.Machine(f"cpu:{many}x1")
        gs.components(gs.grid(2, 2), f"cpu:{many + 1}x1")
    assert [warning.filename for warning in caught] == [__file__] * 2


def test_some_more_do_not() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        gs.Machine(f"cpu:{4 * CORES}x1")
        gs.Machine("sim:peach2,ranks=16")

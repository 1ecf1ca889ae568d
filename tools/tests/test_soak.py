"""The soak: cases repeat, wrong answers are seen, and a failure says how to repeat it."""

from __future__ import annotations

import sys
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent.parent))

import soak

MACHINES = ("cpu:1x1", "cpu:2x1")


def results(algorithm: str) -> Any:
    """Calls of some cases of one algorithm that were no refusals, and their results."""
    for case in range(200):
        text, call, _ = soak.call_of(7, case, MACHINES)
        if f": {algorithm}" not in text:
            continue
        try:
            yield text, call, call.run()
        except soak.REFUSALS:
            continue


def test_a_case_is_always_the_same() -> None:
    texts = [soak.call_of(3, case, MACHINES)[0] for case in range(20)]
    assert texts == [soak.call_of(3, case, MACHINES)[0] for case in range(20)]
    assert len(set(texts)) > 15
    assert texts != [soak.call_of(4, case, MACHINES)[0] for case in range(20)]


@pytest.mark.parametrize(
    ("algorithm", "array"),
    [("bfs", "depths"), ("sssp", "distances"), ("components", "labels"), ("pagerank", "ranks")],
)
def test_one_wrong_value_is_seen(algorithm: str, array: str) -> None:
    seen = 0
    for text, call, result in results(algorithm):
        if "residual" in text or not getattr(result, "converged", True):
            continue
        call.check(result)
        values = np.array(getattr(result, array))
        middle = values[len(values) // 2]
        values[len(values) // 2] = 3 * middle + 1 if np.isfinite(middle) else 0
        wrong = types.SimpleNamespace(
            **{array: values}, converged=True, verify=lambda: None,
        )  # fmt: skip
        with pytest.raises((AssertionError, soak.gs.VerificationError)):
            call.check(wrong)
        seen += 1
    assert seen > 5


def test_a_failure_says_how_to_repeat_it(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        soak._failed(7, 5, MACHINES, "AssertionError: depths")
    assert ended.value.code == 1
    said = capsys.readouterr().out
    assert said.startswith("FAILED: ") and "AssertionError: depths" in said
    assert "python tools/soak.py --seed 7 --case 5 --machine cpu:1x1 cpu:2x1" in said


def test_some_seconds_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    soak.soak(11, 0.1, MACHINES)
    assert "'right': " in capsys.readouterr().out

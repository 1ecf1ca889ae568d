"""gs.filter: NumPy's results on every kind of machine, errors, and balance in virtual time."""

from __future__ import annotations

from typing import Any

import gossamer as gs
import numpy as np
import pytest

MACHINES = ["cpu:1x1", "cpu:3x1", "sim:m60,ranks=4"]
PREDICATES = {
    "<0.25": lambda a: a < 0.25,
    ">=0.5": lambda a: a >= 0.5,
    "0.1..0.2": lambda a: (a >= 0.1) & (a <= 0.2),
}


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("split", ["first-available", "even"])
def test_keeps_what_numpy_keeps(machine: str, split: str) -> None:
    array = np.random.default_rng(3).random(50001)
    for predicate, numpys in PREDICATES.items():
        result = gs.filter(array, predicate, machine, split=split, packet=4096)
        assert np.array_equal(result.values, array[numpys(array)])
        assert result.matched == result.values.size
        assert sum(share.elements for share in result.shares) == array.size
        assert result.packet == 4096
        gs.verify_filter(array, predicate, result.values)


@pytest.mark.parametrize("dtype", ["int32", "int64", "float32", "float64"])
def test_types(dtype: str) -> None:
    array = np.arange(10000).astype(dtype)
    result = gs.filter(array, "!=77", "cpu:2x1")
    assert result.values.dtype == array.dtype
    assert np.array_equal(result.values, array[array != 77])


def test_nan_is_kept_by_unequal_alone() -> None:
    array = np.array([np.nan, 1.0, 2.0])
    assert gs.filter(array, "<9", "cpu:1x1").values.tolist() == [1.0, 2.0]
    kept = gs.filter(array, "!=1", "cpu:1x1").values
    assert np.isnan(kept[0])
    gs.verify_filter(array, "!=1", kept)


def test_results_may_stay_on_the_ranks() -> None:
    array = np.arange(100000, dtype=np.int32)
    result = gs.filter(array, "<50000", "cpu:3x1", gather=False)
    assert result.values.size == 0
    assert [part.size for part in result.parts] == [s.matched for s in result.shares]
    assert np.array_equal(np.sort(np.concatenate(result.parts)), np.arange(50000))


def test_a_non_contiguous_array_and_an_empty_one() -> None:
    array = np.arange(1000)[::3]
    assert np.array_equal(gs.filter(array, ">500", "cpu:2x1").values, array[array > 500])
    assert gs.filter(np.zeros(0), ">0", "cpu:2x1").matched == 0


@pytest.mark.parametrize(
    ("array", "predicate", "options", "message"),
    [
        (np.zeros(3), "x", {}, "filter: 'x' is no predicate; there are <V, <=V, >V, >=V, ==V"),
        (np.zeros(3, np.int32), "<1e3", {}, "filter: '<1e3' is no predicate"),
        (
            np.zeros(3, np.int32),
            "<3.5",
            {},
            "'<3.5' is no predicate of int32, whose numbers must be",
        ),
        (np.zeros(3), 3, {}, "filter: predicate: expected text, got 3"),
        (np.zeros(3), "<1", {"packet": 0}, "packet: not a positive number of bytes: 0"),
        (np.zeros(3), "<1", {"packet": "x"}, "packet: not a number of bytes: 'x'"),
        (np.zeros((3, 3)), "<1", {}, "filter: the array has 2 dimensions, one is needed"),
        (np.zeros(3, np.int8), "<1", {}, "filter: the array holds int8; there are int32, int64"),
        (np.zeros(3), "<1", {"split": "odd"}, "split: 'odd' is none of first-available, even"),
        (np.zeros(3), "<1", {"slowdown": [1]}, "filter: slowdown needs a factor for each of the 2"),
        (np.zeros(3), "<1", {"slowdown": [1, 0]}, "filter: a slowdown must be 1 or more"),
        (np.zeros(3), "<1", {"buffers": 65}, "filter: buffers must be 1 to 64"),
    ],
)
def test_mistakes(array: object, predicate: Any, options: dict[str, object], message: str) -> None:
    with pytest.raises(gs.UsageError) as raised:
        gs.filter(array, predicate, "cpu:2x1", **options)  # type: ignore[arg-type]
    assert message in str(raised.value)


def test_the_plan_is_refused_before_anything_is_taken() -> None:
    plan = gs.plan_filter(1 << 20, "float64", "cpu:2x1")
    assert {e.purpose for e in plan.entries} == {
        "receive buffers", "results to send", "headers and counters", "results as they come",
        "results in order",
    }  # fmt: skip
    with pytest.raises(gs.CapacityError, match="results in order"):
        gs.filter(np.zeros(1 << 20), "<1", "cpu:2x1", memory=1 << 20)


def test_the_verifier_finds_what_is_wrong() -> None:
    array = np.array([5, 1, 7])
    with pytest.raises(gs.VerificationError, match="kept element 1 is 1, the input has 7 at 2"):
        gs.verify_filter(array, ">1", np.array([5, 1]))


def test_unequal_ranks_in_virtual_time() -> None:
    array = np.random.default_rng(1).random(1 << 22, dtype=np.float32)
    machine = "sim:k40c-m4000,ranks=2"
    dynamic = gs.filter(array, "<0.5", machine, slowdown=[50, 200])
    even = gs.filter(array, "<0.5", machine, slowdown=[50, 200], split="even")
    assert dynamic.milliseconds < 1.15 * dynamic.ideal_milliseconds
    assert even.milliseconds > 1.4 * dynamic.milliseconds


def test_the_graph_of_endpoints() -> None:
    text = gs.filter_graph(1000, "int32", "cpu:2x1", packet="64K", buffers=3)
    assert text.startswith("digraph dataflow {")
    assert '[label="3 x 64.0 KiB"]' in text
    assert "funnel" not in gs.filter_graph(1000, "int32", "cpu:2x1", gather=False)

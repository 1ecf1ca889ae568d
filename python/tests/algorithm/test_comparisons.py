"""Results that --verify-with compares with somebody else's: right ones pass, and whatever is
altered in one element is caught. GOSSAMER_TRIALS is how many wrong ones each comparison gets."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, NamedTuple

import gossamer as gs
import numpy as np
import pytest

TRIALS = int(os.environ.get("GOSSAMER_TRIALS", "2000"))
GRAPH = gs.generate("uniform:6:5", weights=True)
#: Weights of the same arcs: those of distances in float32 and float64.
REAL = {
    kind: gs.from_csr(GRAPH.indptr, GRAPH.indices, np.asarray(GRAPH.weights) * kind(0.37))
    for kind in (np.float32, np.float64)
}


def _off(tolerance: float, of: Callable[[Any, Any], Any]) -> Callable[[Any, Any], bool]:
    """Whether one of the numbers is off by more than a part of `of` both; like is like."""

    def judge(ours: Any, theirs: Any) -> bool:
        for a, b in zip(ours.tolist(), theirs.tolist(), strict=True):
            if a == b or (a != a and b != b):
                continue
            if not (np.isfinite(a) and np.isfinite(b) and abs(a - b) <= tolerance * of(a, b)):
                return True
        return False

    return judge


def _of_theirs(a: float, b: float) -> float:
    return abs(b)


def _of_the_larger(a: float, b: float) -> float:
    return max(abs(a), abs(b))


def _apart(ours: Any, theirs: Any) -> bool:
    """Whether names of one side stand for several of the other's."""
    pairs = set(zip(ours.tolist(), theirs.tolist(), strict=True))
    return any(len({p[i] for p in pairs}) < len(pairs) for i in (0, 1))


def _far(ours: Any, theirs: Any) -> bool:
    """Of ranks: 1e-6 / (1 - 0.85) in the 1-norm."""
    return not sum(abs(a - b) for a, b in zip(ours, theirs, strict=True)) <= 1e-6 / (1 - 0.85)


class Comparison(NamedTuple):
    """What is compared, by which function, and a judge of whether the two differ."""

    graph: gs.Graph
    ours: Any
    compare: Callable[..., Any]
    differ: Callable[[Any, Any], bool]


def _exact(ours: Any, theirs: Any) -> bool:
    return bool((ours != theirs).any())


def _other_depths(ours: Any, theirs: Any) -> bool:
    """-1 stands for not reached, as infinity does."""
    return _exact(ours, np.where(theirs == -1, np.inf, theirs))


def _comparisons() -> dict[str, Comparison]:
    bfs = gs.bfs(GRAPH, 0, "cpu:1x1")
    depths = np.where(bfs.depths < 0, np.inf, bfs.depths)
    closeness = gs.closeness(GRAPH, machine="cpu:1x1").values
    worths = gs.triangles(GRAPH, "cpu:1x1", weighted=True).counts
    made = {
        "depths": Comparison(
            GRAPH, depths, lambda graph, ours, theirs: bfs.compare_depths(theirs), _other_depths
        ),
        "distances": Comparison(
            GRAPH, gs.sssp(GRAPH, 0, "cpu:1x1").distances, gs.compare_distances, _exact
        ),
        "labels": Comparison(
            GRAPH, np.arange(GRAPH.vertices) // 7 % 5, gs.compare_labels, _apart
        ),
        "core numbers": Comparison(
            GRAPH, gs.core_numbers(GRAPH, "cpu:1x1").numbers, gs.compare_core_numbers, _exact
        ),
        "ranks": Comparison(
            GRAPH, gs.pagerank(GRAPH, "cpu:1x1", precision=64).ranks, gs.compare_ranks, _far
        ),
        "numbers": Comparison(GRAPH, closeness, gs.compare_numbers, _off(1e-9, _of_theirs)),
        "triangles": Comparison(
            GRAPH, gs.triangles(GRAPH, "cpu:1x1").counts, gs.compare_triangles,
            _off(1e-9, _of_theirs),
        ),
        "worths": Comparison(GRAPH, worths, gs.compare_triangles, _off(1e-9, _of_theirs)),
        "betweenness": Comparison(
            GRAPH, gs.betweenness(GRAPH, "cpu:1x1").scores, gs.compare_betweenness,
            _off(1e-6, _of_the_larger),
        ),
        "betweenness of arcs": Comparison(
            GRAPH, gs.betweenness(GRAPH, "cpu:1x1", edges=True).scores, gs.compare_betweenness,
            _off(1e-6, _of_the_larger),
        ),
        "forest": Comparison(
            GRAPH, gs.spanning_forest(GRAPH, "cpu:1x1").arcs, gs.compare_spanning_forests,
            lambda ours, theirs: sorted(ours.tolist()) != sorted(theirs.tolist()),
        ),
    }  # fmt: skip
    for kind, graph in REAL.items():
        made[f"distances of {kind.__name__}"] = Comparison(
            graph, gs.sssp(graph, 0, "cpu:1x1").distances.astype(float), gs.compare_distances,
            _off(1e-5, _of_theirs),
        )  # fmt: skip
    return made


COMPARISONS = _comparisons()


def another_value(draw: Any, values: Any, at: int) -> None:
    values[at] = values[draw.integers(values.size)]


def two_exchanged(draw: Any, values: Any, at: int) -> None:
    other = draw.integers(values.size)
    values[[at, other]] = values[[other, at]]


def one_more_or_less(draw: Any, values: Any, at: int) -> None:
    values[at] += draw.choice([-1, 1])


def zero(draw: Any, values: Any, at: int) -> None:
    values[at] = 0


def no_number(draw: Any, values: Any, at: int) -> None:
    values[at] = draw.choice([np.inf, -np.inf, np.nan])


def the_other_sign(draw: Any, values: Any, at: int) -> None:
    values[at] = -values[at]


def a_part_off(draw: Any, values: Any, at: int) -> None:
    """From far below what is allowed to far above it."""
    values[at] *= 1 + draw.choice([-1, 1]) * 10 ** draw.uniform(-12, -2)


#: Of arcs, in any order.
WHOLE = [another_value, one_more_or_less, zero]
ALTERATIONS = [*WHOLE, two_exchanged, no_number, the_other_sign, a_part_off]


@pytest.mark.parametrize("name", COMPARISONS)
def test_one_altered_element_is_caught(name: str) -> None:
    graph, ours, compare, differ = COMPARISONS[name]
    draw = np.random.default_rng(1)
    kinds = WHOLE if name == "forest" else ALTERATIONS
    right = ours if name == "forest" else ours.astype(np.float64)
    compare(graph, ours, right)
    caught, passed, of_kind = 0, 0, dict.fromkeys(kinds, 0)
    missed: list[str] = []
    for _ in range(100 * TRIALS):
        if caught >= TRIALS or missed:
            break
        theirs = right.copy()
        alter = kinds[draw.integers(len(kinds))]
        alter(draw, theirs, int(draw.integers(theirs.size)))
        wrong = differ(ours, theirs)
        try:
            compare(graph, ours, theirs)
        except gs.VerificationError:
            caught += wrong
            of_kind[alter] += wrong
            missed += [] if wrong else [f"{alter.__name__} is refused"]
        else:
            passed += not wrong
            missed += [f"{alter.__name__} passes"] if wrong else []
    print(f"compare {name}: caught {caught} wrong results, passed {passed} right ones")
    assert not missed and caught >= TRIALS and all(of_kind.values()), (missed, of_kind)


def test_forests_with_an_edge_twice_are_none() -> None:
    forest = COMPARISONS["forest"].ours
    for ours, theirs in ((forest, [*forest, forest[3]]), ([*forest, forest[3]], forest)):
        with pytest.raises(gs.VerificationError, match=rf"arc {forest[3]} comes twice"):
            gs.compare_spanning_forests(GRAPH, ours, theirs)

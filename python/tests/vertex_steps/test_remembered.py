"""What is remembered of steps: nothing is read or lowered twice, and nothing is mixed up."""

from __future__ import annotations

import threading
from typing import Any

import gossamer as gs
import numpy as np
import pytest
from gossamer.vertex_steps import lowering
from gossamer.vertex_steps import steps as module
from gossamer.vertex_steps.model import StepModel
from gossamer.vertex_steps.remembered import Remembered, layout


def test_it_has_what_was_asked_for_last() -> None:
    memory = Remembered(2)
    assert memory.get("a") is None
    assert memory.add("a", 1) == 1 and memory.add("a", 2) == 1
    memory.add("b", 2)
    assert memory.get("a") == 1
    memory.add("c", 3)
    assert [memory.get(key) for key in "abc"] == [1, None, 3]


def test_threads_get_the_same() -> None:
    memory, found = Remembered(100), list[list[object]]()

    def add() -> None:
        found.append([memory.add(key, object()) for key in range(50)])

    threads = [threading.Thread(target=add) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(of == found[0] for of in found)


def test_layouts_have_numbers_of_their_own() -> None:
    first = layout("test", 0)
    assert layout("test", 0) == first
    others = {layout("test", i) for i in range(1, 6000)}
    assert len(others) == 5999 and first not in others
    assert layout("test", 0) not in {first, *others}  # forgotten, and made anew


def said(s: Any, shift: str = "1") -> None:
    """With a copy that several ranks read, a loop, and numbers."""
    s.map(y=f"x + {shift}")
    with s.repeat(at_most=3):
        s.send("y * 2", "sum", into="got")
        s.map(y="got % 7 + x")
    s.reduce("y", "sum", into="total")
    s.set(more="total + vertices")


def same(s: gs.VertexSteps, model: StepModel) -> None:
    for name in ("y", "got", "total", "more"):
        np.testing.assert_array_equal(s[name], model[name])


def test_steps_are_lowered_once(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []

    def lower(operations: Any, *facts: Any) -> Any:
        calls.append(len(operations))
        return real(operations, *facts)

    real = lowering.lower
    monkeypatch.setattr(module, "lower", lower)
    for at, spec in enumerate(("grid:4x5", "grid:7x3", "road:6")):
        graph = gs.generate(spec)
        s, model = gs.vertex_steps(graph, "cpu:1x1"), StepModel(graph)
        for steps in (s, model):
            steps.fields(x=np.arange(graph.vertices) % (at + 2))
            said(steps, "1000003")
        same(s, model)
    # A road has weights: another layout.
    assert len(calls) == 2


def test_other_types_ranks_and_directions_are_not_mixed_up() -> None:
    directed = gs.from_edges([0, 1, 2, 3, 0], [1, 2, 3, 0, 2])
    for _ in range(2):
        for graph in (gs.generate("grid:4x5"), directed):
            for machine in ("cpu:1x1", "cpu:3x1"):
                for dtype in ("int32", "int64", "uint32"):
                    s, model = gs.vertex_steps(graph, machine), StepModel(graph)
                    for steps in (s, model):
                        steps.fields(x=np.arange(graph.vertices, dtype=dtype))
                        said(steps)
                    same(s, model)


def test_what_is_wrong_is_wrong_again() -> None:
    for _ in range(2):
        s = gs.vertex_steps(gs.generate("grid:3x3"), "cpu:1x1")
        s.fields(x=1)
        with pytest.raises(gs.UsageError, match="unknown name 'z'"):
            s.map(x="z")
        with pytest.raises(gs.UsageError, match="there is no field 'y' to accumulate in"):
            s.send("x", "sum", into="y", accumulate=True)
        s.send("x", "sum", into="y")
        s.send("x", "sum", into="y", accumulate=True)
        assert s["y"].tolist() == [4, 6, 4, 6, 8, 6, 4, 6, 4]

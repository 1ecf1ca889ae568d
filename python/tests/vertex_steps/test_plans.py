"""What steps take, before they take it."""

from __future__ import annotations

import gc
from weakref import ref

import gossamer as gs
import numpy as np
import pytest

DIRECTED = gs.from_edges([0, 1, 2, 3, 0], [1, 2, 3, 0, 2], [1, 2, 3, 4, 5])


def test_what_is_planned_is_enough_and_no_less() -> None:
    graph = gs.generate("grid:40x50")
    plan = gs.VertexSteps.plan(graph, "cpu:1x1", fields=12)
    assert [e.bytes for e in plan.entries if e.purpose == "fields"] == [12 * 2000]

    def run(memory: int) -> None:
        s = gs.vertex_steps(graph, "cpu:1x1", memory=memory)
        s.fields(x=1.5, y=np.int32(1))
        s.run()

    run(plan.total)
    with pytest.raises(gs.CapacityError, match=r"fields 23\.4 KiB"):
        run(plan.total - 1)


@pytest.mark.parametrize("machine", ["cpu:1x1", "cpu:3x1"])
@pytest.mark.parametrize("weighted", [False, True])
def test_a_plan_from_the_shape_bounds_that_of_the_graph(machine: str, weighted: bool) -> None:
    graph = gs.generate("kron:12", weights=weighted)
    shapes = [gs.GraphShape(graph.vertices, graph.arcs, known) for known in (True, False)]
    how = {"fields": 20, "messages": 8}
    mine = gs.VertexSteps.plan(graph, machine, **how)
    same, more = (
        gs.VertexSteps.plan(shape, machine, **how, weight_bytes=4 * weighted) for shape in shapes
    )
    assert {e.purpose for e in mine.entries} == {e.purpose for e in same.entries}
    assert mine.total == pytest.approx(same.total, 0.01)
    reversed_are = {e.certainty for e in more.entries if "revers" in e.purpose}
    assert more.total > same.total and reversed_are <= {"at most"}
    assert ("arcs reversed" in {e.purpose for e in more.entries}) == weighted


def test_arguments_are_checked() -> None:
    with pytest.raises(gs.UsageError, match=r"VertexSteps\.plan: bytes are zero or more"):
        gs.VertexSteps.plan(DIRECTED, "cpu:1x1", fields=-1)
    with pytest.raises(gs.UsageError, match=r"VertexSteps\.plan: fields"):
        gs.VertexSteps.plan(DIRECTED, "cpu:1x1", fields="8")  # type: ignore[arg-type]
    with pytest.raises(gs.NotCompiled, match="vertex steps do not run on modelled machines"):
        gs.VertexSteps.plan(DIRECTED, "sim:peach2,ranks=2", fields=8)


def test_they_go_with_their_last_user() -> None:
    """No plan has arrays of steps that wait for a collection."""
    gc.collect()
    gc.disable()
    try:
        s = gs.vertex_steps(DIRECTED, "cpu:1x1")
        s.fields(x=1.0)
        with s.repeat(at_most=2) as loop:
            s.send("x + 1", "sum", into="got")
            s.map(x="got")
        assert s["x"].sum() > 0 and loop.rounds == 2
        left = ref(s)
        del s, loop
        assert left() is None
    finally:
        gc.enable()

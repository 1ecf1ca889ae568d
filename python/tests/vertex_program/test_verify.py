"""Results of own programs, checked by rounds in NumPy: right ones pass, altered ones are caught."""

from __future__ import annotations

import dataclasses
from typing import Any

import gossamer as gs
import numpy as np
import pytest

PROGRAMS = [
    ("min", "value + weight", "int32"), ("min", "value + weight", "float32"),
    ("min", "value + sqrt(weight) / 3 + abs(-weight) * 0.1 + floor(weight / 7)", "float64"),
    ("max", "min(value, weight)", "int64"), ("max", "min(value - 1, weight // 2) if degree > 1 "
     "else value // 3", "int32"), ("min", "value + weight % 7 + (2 <= degree < 5)", "uint32"),
    ("max", "min(value, weight) or value", "uint64"), ("min", "max(value, weight, 9, 3)", "int32"),
    ("or", "value", "uint32"), ("or", "value * 2 % 4096", "int64"),
    ("min", "value + 1 if weight > 9 and degree != 3 else inf", "float64"),
]  # fmt: skip


def graph(seed: int) -> gs.Graph:
    """Self-loops, parallel arcs, pieces and vertices without arcs."""
    draw = np.random.default_rng(seed)
    n = int(draw.integers(1, 80))
    u, v = draw.integers(0, max(1, 3 * n // 4), (2, int(draw.integers(0, 4 * n))))
    return gs.from_edges(u, v, draw.integers(1, 50, u.size), n, symmetrize=seed % 2 == 0)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: f"{p[0]} {p[1]} {p[2]}")
def test_altered_values_are_caught(program: tuple[str, str, str]) -> None:
    update, text, dtype = program
    made = gs.vertex_program(update, text, dtype, start=5 if update == "or" else None)
    draw = np.random.default_rng(1)
    for seed in range(12):
        search = made.prepare(graph(seed), "cpu:2x1")
        source = int(draw.integers(search.graph.vertices))
        result = search.run(source)
        search.verify(result, source)
        for _ in range(12):
            values = result.values.copy()
            v, u = draw.integers(values.size, size=2)
            kind = draw.integers(4)
            if kind == 0:
                values[v] = values[u]
            elif kind == 1:
                values[v] = made.initial
            elif np.issubdtype(values.dtype, np.floating):
                values[v] = np.nextafter(values[v], np.inf if kind == 2 else -np.inf)
            else:
                values[v] = values[v] ^ 1
            if np.array_equal(values, result.values, equal_nan=True):
                continue
            wrong = dataclasses.replace(result, values=values)
            with pytest.raises(gs.VerificationError, match=r"^vertex program on .*: vertex \d+"):
                search.verify(wrong, source)


def test_values_and_sources_that_began_count() -> None:
    labels = gs.vertex_program("min", "value", "int32").prepare(graph(4), "cpu:1")
    n = labels.graph.vertices
    result = labels.run(values=np.arange(n))
    labels.verify(result, values=np.arange(n))
    with pytest.raises(gs.VerificationError):
        labels.verify(result, values=np.arange(n) + 1)


def test_what_cannot_be_verified_says_so() -> None:
    ranks = gs.vertex_program("sum", "value * 0.5 / degree", threshold=1e-9)
    search = ranks.prepare(graph(4), "cpu:1")
    with pytest.raises(gs.UsageError, match="sums depend on the order of work, and are not chec"):
        search.verify(search.run(0), 0)


STEPS: list[Any] = [
    lambda s: (
        s.fields(label=np.arange(9)),
        s.send("label", "min", into="least"),
        s.map(label="min(label, least)"),
    ),
    lambda s: (s.fields(x=0.1), s.send("x / 3", "sum", into="got"), s.reduce("got", "sum", "all")),
]


@pytest.mark.parametrize("calls", STEPS)
def test_steps_are_compared_with_the_model(calls: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    nine = gs.from_edges([0, 1, 2, 4, 4, 8], [1, 2, 0, 5, 4, 7], symmetrize=True, n=9)
    gs.verify_steps(nine, calls, "cpu:2x1", tolerance=1e-12)
    there = gs.VertexSteps.__getitem__

    def other(steps: Any, name: str) -> Any:
        found = there(steps, name)
        if name in ("least", "got"):
            found = found.copy()
            found[4] = np.nextafter(found[4], 9) if found.dtype.kind == "f" else found[4] + 1
        return found

    monkeypatch.setattr(gs.VertexSteps, "__getitem__", other)
    with pytest.raises(gs.VerificationError, match=r": (least|got) of vertex 4 is "):
        gs.verify_steps(nine, calls, "cpu:1")
    with pytest.raises(gs.UsageError, match=r"^verify_steps: calls: expected a function of the"):
        gs.verify_steps(nine, None)  # type: ignore[arg-type]


def test_infinity_is_within_no_part_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    pair = gs.from_edges([0, 1], [1, 0])
    there = gs.VertexSteps.__getitem__
    monkeypatch.setattr(gs.VertexSteps, "__getitem__", lambda s, name: there(s, name) + np.inf)
    with pytest.raises(gs.VerificationError, match=r"x of vertex 0 is inf, not 0\.5"):
        gs.verify_steps(pair, lambda s: s.fields(x=0.5), "cpu:1", tolerance=0.1)

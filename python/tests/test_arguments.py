"""Arguments of the wrong kind: integers that are none, arrays that cannot be taken or handed on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gossamer as gs
import numpy as np
import pytest
from gossamer import _gossamer

GRAPH = gs.grid(3, 3)
MATRIX = gs.matrix("poisson:9")
PLACED = gs.Machine("cpu:1x1").place(GRAPH)
RESULT = gs.bfs(PLACED, 0)

#: Every call that takes an integer which would be cut, guessed or be part of a text; and its name.
CALLS: list[tuple[str, Callable[[Any], object]]] = [
    ("bfs: source", lambda x: gs.bfs(GRAPH, x)),
    ("bfs: source", lambda x: gs.bfs(PLACED, x)),
    ("bfs: source", lambda x: gs.BfsSearch(PLACED).run(x)),
    ("verify_bfs: source", lambda x: gs.verify_bfs(GRAPH, x, RESULT.parents, RESULT.depths)),
    ("draw_sources: count", lambda x: gs.draw_sources(GRAPH, x)),
    ("draw_sources: seed", lambda x: gs.draw_sources(GRAPH, 1, x)),
    ("name_of", GRAPH.name_of),
    ("index_of", GRAPH.index_of),
    ("from_edges: n", lambda x: gs.from_edges([0], [0], n=x)),
    ("partition: parts", lambda x: GRAPH.partition("hash", x)),
    ("partition_quality: parts", lambda x: GRAPH.partition_quality([0] * 9, x)),
    ("read_partition: vertices", lambda x: gs.read_partition("absent", x)),
    ("read_partition: parts", lambda x: gs.read_partition("absent", 9, x)),
    ("generate: device", lambda x: gs.generate("grid:2x2", device=x)),
    ("scale", gs.kronecker),
    ("edge_factor", lambda x: gs.kronecker(4, x)),
    ("degree", lambda x: gs.uniform(4, x)),
    ("seed", lambda x: gs.uniform(4, seed=x)),
    ("height", lambda x: gs.grid(4, x)),
    ("side", gs.road),
    ("cg: maxiter", lambda x: gs.CgSolver(MATRIX, maxiter=x)),
    ("cg: iterations", lambda x: gs.CgSolver(MATRIX, iterations=x)),
    ("sssp: source", lambda x: gs.sssp(GRAPH, x)),
    ("verify_sssp: source", lambda x: gs.verify_sssp(GRAPH, x, RESULT.depths)),
    ("pagerank: max_iterations", lambda x: gs.PagerankSolver(GRAPH, max_iterations=x)),
    ("pagerank: precision", lambda x: gs.PagerankSolver(GRAPH, precision=x)),
    ("with_values: seed", lambda x: gs.with_values(MATRIX, x)),
]


@pytest.mark.parametrize(("name", "call"), CALLS, ids=[name for name, _ in CALLS])
@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (1.7, "1.7"),
        (True, "True"),
        ("1", "'1'"),
        (np.True_, type(np.True_).__name__),
        ([1], "list"),
    ],
)
def test_an_integer_is_asked_for(
    name: str, call: Callable[[Any], object], value: object, shown: str
) -> None:
    with pytest.raises(gs.UsageError) as refused:
        call(value)
    assert str(refused.value) == f"{name}: expected an integer, got {shown}"


@pytest.mark.parametrize(("name", "call"), CALLS, ids=[name for name, _ in CALLS])
def test_integers_beyond_any_width_are_refused_in_one_line(
    name: str, call: Callable[[Any], object]
) -> None:
    with pytest.raises(gs.UsageError) as refused:
        call(1 << 70)
    assert name.split(":")[0] in str(refused.value) and "\n" not in str(refused.value)


def test_integers_of_numpy_are_integers() -> None:
    for kind in (np.int8, np.uint64):
        assert gs.bfs(GRAPH, kind(4)).source == 4
        assert gs.kronecker(kind(4)).name == "kron:4:16:1"
    assert gs.draw_sources(GRAPH, 1, (1 << 64) - 1)
    with pytest.raises(gs.UsageError, match=r"draw_sources: the seed is not in 0 … 2\^64 - 1"):
        gs.draw_sources(GRAPH, 1, 1 << 64)
    for memory in (1.5, True):
        with pytest.raises(gs.UsageError, match=f"memory: expected an integer, got {memory}"):
            gs.kronecker(4, memory=memory)
    with pytest.raises(gs.UsageError, match="gather: device: expected an integer, got True"):
        RESULT.gather(True)


# --- arrays ---------------------------------------------------------------------------------------


def test_an_array_on_the_cpu_takes_no_stream_and_no_cuda_interface() -> None:
    depths = RESULT.parts[0].depths
    with pytest.raises(gs.UsageError, match=r"^__dlpack__: arrays on the CPU take no stream$"):
        depths.__dlpack__(stream=1)
    assert not hasattr(depths, "__cuda_array_interface__")


def test_an_array_on_a_gpu_wants_a_stream_that_is_one() -> None:
    there = gs.Array(None, 0, 1, 4, 0)  # as on cuda:0; nothing looks at the memory
    with pytest.raises(gs.UsageError, match=r"^__dlpack__: stream 0 is ambiguous; 1 is the legacy"):
        there.__dlpack__(stream=0)
    with pytest.raises(TypeError, match="this array is on a GPU"):
        np.asarray(there)


@pytest.mark.parametrize(
    "face",
    [
        {"typestr": "<i4", "shape": (2, 2), "strides": None, "data": (0, False)},
        {"typestr": "<i4", "shape": (4,), "strides": (8,), "data": (0, False)},
    ],
)
def test_cuda_arrays_are_one_dimensional_and_contiguous(face: dict[str, Any]) -> None:
    class There:
        __cuda_array_interface__ = face

    with pytest.raises(
        gs.UsageError, match=r"^from_edges: u: expected a contiguous one-dimensional array$"
    ):
        gs.from_edges(There(), [0])


def test_dlpack_arrays_hold_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    class There:
        def __dlpack__(self, **options: object) -> object:
            raise AssertionError

        def __dlpack_device__(self) -> tuple[int, int]:
            return 2, 0

    # What a copy from a GPU gives: bytes, DLPack's code of their type (5: complex), bits.
    copied = (np.zeros(16, np.uint8), 5, 64)
    monkeypatch.setattr(_gossamer, "dlpack_to_host", lambda array: copied)
    with pytest.raises(gs.UsageError, match=r"^from_edges: u: not an array of numbers$"):
        gs.from_edges(There(), [0])

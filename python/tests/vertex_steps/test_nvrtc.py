"""What NVRTC takes: programs of steps as GPUs get them, compiled without one."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import gossamer as gs
import numpy as np
import pytest
from gossamer.program import nvrtc
from gossamer.vertex_steps.lowering import lower

pytestmark = pytest.mark.skipif(nvrtc.find_nvrtc() is None, reason="no libnvrtc")
FOLDER = Path(__file__).parents[3] / "examples" / "steps"
NAMES = sorted(path.stem for path in FOLDER.glob("*.py"))
DTYPES = ["bool", "int32", "int64", "uint32", "uint64", "float32", "float64"]


@pytest.fixture(params=[1, 3], ids=["one GPU", "three GPUs"])
def images(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> list[bytes]:
    """Images of what CPUs run meanwhile."""
    monkeypatch.setenv("GOSSAMER_CACHE", str(tmp_path / "cache"))
    made: list[bytes] = []
    compiled = gs.VertexSteps._compile

    def also_for_gpus(self: Any, operations: Any) -> int:
        facts = replace(self._facts, ranks=request.param)
        text = lower(operations, facts, True).text(True)
        made.append(nvrtc.gpu_image(text, 90))
        return compiled(self, operations)

    monkeypatch.setattr(gs.VertexSteps, "_compile", also_for_gpus)
    return made


@pytest.mark.parametrize("name", NAMES)
def test_examples(name: str, images: list[bytes]) -> None:
    spec = importlib.util.spec_from_file_location(f"steps_{name}", FOLDER / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    function: Callable[..., Any] = getattr(module, name)
    graph = gs.generate("road:6", weights=True)
    function(graph, [0, 1], "cpu:1x1") if name == "betweenness" else function(graph, "cpu:1x1")
    assert images and all(image.startswith(b"\x7fELF") for image in images)


# A compilation of all types takes half a minute: without --whole each with one number of GPUs.
SOME = [(1, "min"), (1, "count"), (1, "any"), (3, "max"), (3, "sum"), (3, "or")]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("images", "combine"),
    [
        pytest.param(gpus, combine, marks=[] if (gpus, combine) in SOME else pytest.mark.whole)
        for gpus in (1, 3)
        for combine in ("min", "max", "sum", "or", "count", "any")
    ],
    indirect=["images"],
)
def test_every_type(combine: str, images: list[bytes]) -> None:
    graph = gs.from_edges([0, 1], [1, 1], np.array([1.5, 2.5], np.float32))
    s = gs.vertex_steps(graph, "cpu:1x1")
    for dtype in DTYPES:
        s.fields(**{dtype: np.zeros(2, dtype)})
        if combine != "or" or np.dtype(dtype).kind in "iu":
            s.send(dtype, combine, into=f"{dtype}_all", along="both")
            s.send(dtype, combine, into=f"{dtype}_some", along="both", where=dtype)
            if combine != "or":
                s.send(f"{dtype} * weight + vertex", combine, into=f"{dtype}_weighted")
        if combine != "or" and dtype != "uint64":
            s.reduce(dtype, combine, into=f"{dtype}_whole", where="degree > 0")
        s.map(**{f"{dtype}_at": f"min({dtype}, 1) if {dtype} < 2 <= vertex else -{dtype} % 3"})
    s.run()
    assert images


def test_copies_of_hubs(images: list[bytes]) -> None:
    """One message a vertex, the same along all arcs: blocks keep those of the first vertices."""
    s = gs.vertex_steps(gs.kronecker(6), "cpu:1x1")
    s.fields(rank=1.0)
    s.send("rank / max(degree, 1)", "sum", into="got")
    s.run()
    assert images


def test_conversions(images: list[bytes]) -> None:
    s = gs.vertex_steps(gs.kronecker(4), "cpu:1x1")
    s.fields(x=0.5, y=np.float32(1), z=np.uint64(7))
    for dtype in DTYPES:
        for name in "xyz":
            s.map(**{f"{dtype}_{name}": f"{dtype}({name})"})
    s.map(bits="(z << 3 | z >> vertex) ^ ~z")
    s.run()
    assert images

"""What importing does, and that the types of the compiled module are stated completely."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from pathlib import Path

import gossamer as gs
import pytest
from gossamer import _gossamer


def test_import_is_quick(run_python: Callable[[str], str]) -> None:
    program = """
import numpy, sys, time  # what NumPy takes is not ours, nor are other processes' turns
sys.dont_write_bytecode = False  # nor what is compiled once
start = time.process_time()
import gossamer
print(time.process_time() - start)
"""
    assert min(float(run_python(program)) for _ in range(3)) < 0.3


def test_import_loads_no_heavy_package(run_python: Callable[[str], str]) -> None:
    program = """
import sys, gossamer
heavy = ("scipy", "matplotlib", "rich", "typer", "torch", "cupy")
print([name for name in heavy if name in sys.modules])
"""
    assert run_python(program).strip() == "[]"


def test_import_starts_no_cuda_and_no_thread(run_python: Callable[[str], str]) -> None:
    program = """
import os, gossamer
maps = open("/proc/self/maps").read()
devices = [os.readlink(f"/proc/self/fd/{f}") for f in os.listdir("/proc/self/fd")
           if os.path.islink(f"/proc/self/fd/{f}")]
print("libcuda.so" in maps, any("nvidia" in d for d in devices))
"""
    assert run_python(program).split() == ["False", "False"]


def test_stub_states_every_type() -> None:
    """It is made of the bindings' signatures, which say what is in dicts, lists, tuples, arrays."""
    tree = ast.parse(Path(gs.__file__).with_name("_gossamer.pyi").read_text())
    functions = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)]
    assert {"algorithms", "read", "run", "solve"} <= {f.name for f in functions}
    for function in functions:
        arguments = [a for a in function.args.args if a.arg != "self"]
        for type_of in (function.returns, *(a.annotation for a in arguments)):
            assert type_of is not None, function.name
            text = ast.unparse(type_of)
            assert text not in ("object", "dict", "list", "tuple", "NDArray"), (function.name, text)
        assert all(not re.fullmatch(r"arg\d*", a.arg) for a in arguments), function.name


def test_what_networkx_calls_otherwise_is_named() -> None:
    for theirs, ours in {
        "connected_components": "components",
        "louvain_communities": "communities",
        "betweenness_centrality": "betweenness",
        "core_number": "core_numbers",
        "greedy_color": "coloring",
        "bfs_edges": "bfs",
        "single_source_dijkstra": "sssp",
        "radius": "eccentricity",
    }.items():
        said = (
            f"^module 'gossamer' has no attribute '{theirs}'; NetworkX's is gossamer.{ours} here$"
        )
        with pytest.raises(AttributeError, match=said):
            getattr(gs, theirs)
    for other in ("center_of_all", "_components", "components_"):
        with pytest.raises(AttributeError, match=f"^module 'gossamer' has no attribute '{other}'$"):
            getattr(gs, other)
        assert not hasattr(gs, other)


def test_submodules_are_imported_by_name(run_python: Callable[[str], str]) -> None:
    program = """
from gossamer import cli, simulation
import gossamer.html
print(cli.__name__, simulation.__name__, gossamer.html.__name__)
"""
    assert run_python(program).split() == ["gossamer.cli", "gossamer.simulation", "gossamer.html"]


def test_version_is_the_builds() -> None:
    assert gs.__version__ == _gossamer.build_info()["version"]

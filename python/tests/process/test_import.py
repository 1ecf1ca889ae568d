"""What importing does, and that the types of the compiled module are stated completely."""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path

import gossamer as gs
from gossamer import _gossamer


def test_import_is_quick(run_python: Callable[[str], str]) -> None:
    program = """
import numpy, time  # what NumPy takes is not ours, and other processes' turns are not either
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


def test_stub_names_are_the_modules() -> None:
    stub = Path(gs.__file__).with_name("_gossamer.pyi")
    tree = ast.parse(stub.read_text())
    functions = {n.name for n in tree.body if isinstance(n, ast.FunctionDef)}
    classes = {n.name: n for n in tree.body if isinstance(n, ast.ClassDef)}
    present = {n for n in dir(_gossamer) if not n.startswith("_")}
    assert functions | set(classes) == present
    for name, node in classes.items():
        stated = {n.name for n in node.body if isinstance(n, ast.FunctionDef)} - {"__init__"}
        assert stated == {n for n in dir(getattr(_gossamer, name)) if not n.startswith("_")}


def test_all_names_exist() -> None:
    assert [name for name in gs.__all__ if not hasattr(gs, name)] == []


def test_version_is_the_builds() -> None:
    assert gs.__version__ == _gossamer.build_info()["version"]

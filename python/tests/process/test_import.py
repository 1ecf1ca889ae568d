"""What importing does, and that the types of the compiled module are stated completely."""

from __future__ import annotations

import ast
import re
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


def test_version_is_the_builds() -> None:
    assert gs.__version__ == _gossamer.build_info()["version"]

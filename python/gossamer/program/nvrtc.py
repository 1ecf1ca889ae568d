"""Vertex programs for GPUs: compiled by NVRTC, CUDA's compiler as a library, once.

The library is looked for when a program first needs it: by the loader's own search, in CUDA's
folders, and among Python's packages (``nvidia-cuda-nvrtc``). Compiling takes no GPU. It is done by
a process of its own (nvrtc_child.py): while NVRTC compiles, SIGINT and SIGTERM end its process.
"""

from __future__ import annotations

import ctypes
import glob
import os
import sys
import tempfile
from functools import lru_cache
from pathlib import Path

from gossamer.errors import Error, NotCompiled

from . import nvrtc_child
from .cache import cached
from .compiler import run_compiler

#: Products and sums stay apart, quotients, roots and small numbers as the CPU has them.
_FLAGS = ("--std=c++20", "--fmad=false", "--ftz=false", "--prec-div=true", "--prec-sqrt=true")
_RELEASES = (13, 12)


def _candidates() -> list[str]:
    names = [f"libnvrtc.so.{release}" for release in _RELEASES]
    roots = [os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), "/usr/local/cuda"]
    folders = [f"{root}/{lib}" for root in roots if root for lib in ("lib64", "lib")]
    for place in sys.path:
        folders += glob.glob(f"{place}/nvidia/cu*/lib") if place else []
    return names + [f"{folder}/{name}" for folder in folders for name in names]


@lru_cache(maxsize=1)
def _load() -> ctypes.CDLL | None:
    for candidate in _candidates():
        try:
            return ctypes.CDLL(candidate)
        except OSError:
            continue
    return None


def find_nvrtc() -> tuple[int, int] | None:
    """Its version; None when it is not on this machine."""
    library = _load()
    if library is None:
        return None
    major, minor = ctypes.c_int(), ctypes.c_int()
    library.nvrtcVersion(ctypes.byref(major), ctypes.byref(minor))
    return major.value, minor.value


def _compile(library: str, text: str, flags: tuple[str, ...]) -> bytes:
    """By a process of its own, which Ctrl-C ends with it; here where Python has no program."""
    if not sys.executable:
        return compiled_here(library, text, flags)
    try:
        with tempfile.TemporaryDirectory(prefix="gossamer-") as made:
            source, image = Path(made) / "program.cu", Path(made) / "program.cubin"
            source.write_text(text, encoding="utf-8")
            child = [sys.executable, "-I", "-S", nvrtc_child.__file__]
            code, said = run_compiler(child, library, str(source), str(image), *flags)
            if code != 0:
                lines = said.strip().splitlines() or [f"NVRTC ended with {code}"]
                raise Error(f"vertex_program: {lines[-1][:400]}")
            return image.read_bytes()
    except OSError as e:
        raise Error(f"vertex_program: no room to compile in: {e}") from None


def compiled_here(library: str, text: str, flags: tuple[str, ...]) -> bytes:
    """By this process, whose Ctrl-C NVRTC then takes for its own."""
    try:
        return nvrtc_child.compile(library, text, flags)
    except nvrtc_child.Refused as refused:
        raise Error(f"vertex_program: {refused}") from None


def gpu_image(text: str, architecture: int, what: str = "vertex_program") -> bytes:
    """A cubin of `text` for GPUs of an architecture (90 is sm_90). what: who needs it.

    NotCompiled without NVRTC; Error when it fails.
    """
    library, version = _load(), find_nvrtc()
    if library is None or version is None:
        raise NotCompiled(
            f"{what}: GPUs need NVRTC, and there is no libnvrtc.so: install CUDA's toolkit (12 or "
            "13), or the package nvidia-cuda-nvrtc; or name its folder in CUDA_HOME"
        )
    flags = (*_FLAGS, f"--gpu-architecture=sm_{architecture}")

    path = library._name

    def make() -> bytes:
        return _compile(path, text, flags)

    return cached((text, "nvrtc", str(version), *flags), ".cubin", make)

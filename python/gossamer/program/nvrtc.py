"""Vertex programs for GPUs: compiled by NVRTC, CUDA's compiler as a library, once.

The library is looked for when a program first needs it: by the loader's own search, in CUDA's
folders, and among Python's packages (``nvidia-cuda-nvrtc``). Compiling takes no GPU.
"""

from __future__ import annotations

import ctypes
import glob
import os
import sys
from functools import lru_cache

from gossamer.errors import Error, NotCompiled

from .cache import cached

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


class _Program:
    """An nvrtcProgram; every call is checked."""

    def __init__(self, library: ctypes.CDLL, text: str) -> None:
        self._library = library
        self._library.nvrtcGetErrorString.restype = ctypes.c_char_p
        self._handle = ctypes.c_void_p()
        self._call(
            "nvrtcCreateProgram", ctypes.byref(self._handle), text.encode(), b"program.cu", 0, None,
            None,
        )  # fmt: skip

    def __enter__(self) -> _Program:
        return self

    def __exit__(self, *_: object) -> None:
        self._library.nvrtcDestroyProgram(ctypes.byref(self._handle))

    def _call(self, name: str, *arguments: object) -> None:
        code = getattr(self._library, name)(*arguments)
        if code != 0:
            said = self._library.nvrtcGetErrorString(code).decode()
            raise Error(f"vertex_program: {name}: {said}")

    def _text(self, what: str) -> bytes:
        size = ctypes.c_size_t()
        self._call(f"nvrtcGet{what}Size", self._handle, ctypes.byref(size))
        data = ctypes.create_string_buffer(size.value)
        self._call(f"nvrtcGet{what}", self._handle, data)
        return data.raw

    def compile(self, flags: tuple[str, ...]) -> bytes:
        array = (ctypes.c_char_p * len(flags))(*(f.encode() for f in flags))
        try:
            self._call("nvrtcCompileProgram", self._handle, len(flags), array)
        except Error as e:
            log = self._text("ProgramLog").rstrip(b"\0").decode(errors="replace").splitlines()
            said = next((line for line in log if "error" in line), "it said nothing")
            raise Error(f"{e}: {said}") from None
        return self._text("CUBIN")


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

    def make() -> bytes:
        with _Program(library, text) as program:
            return program.compile(flags)

    return cached((text, "nvrtc", str(version), *flags), ".cubin", make)

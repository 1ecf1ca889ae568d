"""NVRTC, CUDA's compiler as a library, in a process that it may end.

    python -I -S nvrtc_child.py LIBRARY SOURCE IMAGE FLAGS…

Exit code 0: the image is written; 1: the last line says why not. Nothing of Gossamer is imported.
"""

from __future__ import annotations

import ctypes
import sys
from pathlib import Path


class Refused(Exception):
    """What NVRTC says."""


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
            raise Refused(f"{name}: {self._library.nvrtcGetErrorString(code).decode()}")

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
        except Refused as e:
            log = self._text("ProgramLog").rstrip(b"\0").decode(errors="replace").splitlines()
            said = next((line for line in log if "error" in line), "it said nothing")
            raise Refused(f"{e}: {said}") from None
        return self._text("CUBIN")


def compile(library: str, text: str, flags: tuple[str, ...]) -> bytes:
    """A cubin of `text`; Refused."""
    with _Program(ctypes.CDLL(library), text) as program:
        return program.compile(flags)


def main(library: str, source: str, image: str, *flags: str) -> None:
    """Compiles one file to another."""
    try:
        made = compile(library, Path(source).read_text(encoding="utf-8"), flags)
        Path(image).write_bytes(made)
    except (Refused, OSError) as why:
        print(why)
        sys.exit(1)


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Vertex programs for CPU ranks: compiled by the system's C++ compiler, once."""

from __future__ import annotations

import ctypes
import os
import platform
import shlex
import shutil
import subprocess
import tempfile
from functools import lru_cache
from pathlib import Path

from .errors import Error, NotCompiled
from .program_cache import cached

__all__ = ["find_compiler", "row_address"]

#: Products and sums stay apart, as on GPUs; nothing depends on the processor at hand, since caches
#: are shared by hosts.
_FLAGS = ("-std=c++17", "-O2", "-fPIC", "-shared", "-ffp-contract=off", "-fno-exceptions")
_SECONDS = 120


def find_compiler() -> list[str] | None:
    """The command: ``$CXX``, else the first of c++, g++ and clang++ in the path."""
    if asked := shlex.split(os.environ.get("CXX", "")):
        return asked if shutil.which(asked[0]) else None
    for name in ("c++", "g++", "clang++"):
        if shutil.which(name):
            return [name]
    return None


@lru_cache
def _version(path: str, *arguments: str) -> str:
    done = subprocess.run(
        [path, *arguments, "--version"], capture_output=True, text=True, timeout=_SECONDS
    )
    return done.stdout


def _compile(command: list[str], text: str) -> bytes:
    with tempfile.TemporaryDirectory(prefix="gossamer-") as made:
        source, library = Path(made) / "program.cpp", Path(made) / "program.so"
        source.write_text(text, encoding="utf-8")
        done = subprocess.run(
            [*command, *_FLAGS, str(source), "-o", str(library), "-lm"],
            capture_output=True,
            text=True,
            timeout=_SECONDS,
        )
        if done.returncode != 0:
            said = (done.stderr.strip().splitlines() or ["it said nothing"])[0]
            raise Error(
                f"vertex_program: {shlex.join(command)} ended with {done.returncode}: {said}"
            )
        return library.read_bytes()


def row_address(text: str, expression: str) -> int:
    """Address of ``gossamer_row`` in what `text` compiles to, in a library that stays loaded.

    NotCompiled without a compiler; Error when it fails.
    """
    command = find_compiler()
    if command is None:
        raise NotCompiled(
            f"vertex_program: '{expression}' needs a C++ compiler on CPU ranks, and there is none: "
            "install g++ or clang++, or name one in CXX"
        )
    found = shutil.which(command[0]) or command[0]
    key = (text, platform.machine(), found, *command[1:], _version(found, *command[1:]), *_FLAGS)
    path = cached(key, ".so", lambda: _compile(command, text))
    try:
        library = ctypes.CDLL(str(path))
    except OSError as e:
        raise Error(f"vertex_program: what was compiled cannot be loaded: {e}") from None
    return ctypes.cast(library.gossamer_row, ctypes.c_void_p).value or 0

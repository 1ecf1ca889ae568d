"""Vertex programs for CPU ranks: compiled by the system's C++ compiler, once."""

from __future__ import annotations

import ctypes
import os
import platform
import selectors
import shlex
import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import suppress
from functools import cache, lru_cache
from itertools import count
from pathlib import Path

from gossamer._gossamer import open_memory
from gossamer.errors import Error, NotCompiled, Timeout, UsageError

from .cache import cached

#: Products and sums stay apart, as on GPUs; nothing depends on the processor at hand, since caches
#: are shared by hosts.
_FLAGS = ("-std=c++17", "-O3", "-fPIC", "-shared", "-ffp-contract=off", "-fno-exceptions")
_SECONDS = 120
#: Of what a compiler says; the rest is read and dropped.
_MOST_SAID = 1 << 16

_loads = count(1)


def _named() -> list[str]:
    """``$CXX`` as words."""
    asked = os.environ.get("CXX", "")
    try:
        return shlex.split(asked)
    except ValueError as e:
        raise UsageError(f"CXX: not a command ({e}): {asked}") from None


def find_compiler() -> list[str] | None:
    """The command: ``$CXX``, else the first of c++, g++ and clang++ in the path."""
    if asked := _named():
        return asked if shutil.which(asked[0]) else None
    for name in ("c++", "g++", "clang++"):
        if shutil.which(name):
            return [name]
    return None


def _compiler(what: str) -> list[str]:
    """The command; NotCompiled without one."""
    if command := find_compiler():
        return command
    asked = _named()
    missing = f"CXX names none: there is no program '{asked[0]}'" if asked else "there is none"
    raise NotCompiled(
        f"{what} needs a C++ compiler on CPU ranks, and {missing}: install g++ or clang++, or name "
        "one in CXX"
    )


def _hear(child: subprocess.Popen[bytes]) -> tuple[bytes, int]:
    """The beginning of what it says until it ends, and its exit code; TimeoutExpired if late."""
    said, end = bytearray(), time.monotonic() + _SECONDS
    assert child.stdout is not None
    with child.stdout as pipe, selectors.DefaultSelector() as ready:
        ready.register(pipe, selectors.EVENT_READ)
        while (left := end - time.monotonic()) > 0:
            over = child.poll() is not None
            heard = bool(ready.select(0 if over else min(left, 0.05)))
            part = pipe.read(_MOST_SAID) if heard else b""
            said.extend(part[: _MOST_SAID - len(said)])
            if heard and not part:
                break
            # What it left running may hold the pipe.
            if over and (not heard or len(said) == _MOST_SAID):
                break
    return bytes(said), child.wait(max(0.0, end - time.monotonic()))


def run_compiler(command: list[str], *arguments: str) -> tuple[int, str]:
    """Runs the compiler: its exit code, and the beginning of what it said."""
    try:
        # A group of its own: a driver's children end with it.
        child = subprocess.Popen(
            [*command, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, process_group=0, bufsize=0,
        )  # fmt: skip
    except OSError as e:
        why = e.strerror or e
        raise Error(f"vertex_program: {shlex.join(command)} cannot be run: {why}") from None

    try:
        said, code = _hear(child)
    except BaseException as e:  # Ctrl-C, too
        with suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)
        child.wait()
        if not isinstance(e, subprocess.TimeoutExpired):
            raise
        raise Timeout(
            f"vertex_program: {shlex.join(command)} did not end within {_SECONDS} s"
        ) from None
    return code, said.decode(errors="replace")


@lru_cache
def _version(path: str, *arguments: str) -> str:
    return run_compiler([path, *arguments], "--version")[1]


def _compile(command: list[str], text: str) -> bytes:
    """The library that `text` compiles to."""
    name = f"vertex_program: {shlex.join(command)}"
    try:
        with tempfile.TemporaryDirectory(prefix="gossamer-") as made:
            source, library = Path(made) / "program.cpp", Path(made) / "program.so"
            source.write_text(text, encoding="utf-8")
            code, said = run_compiler(command, *_FLAGS, str(source), "-o", str(library), "-lm")
            if code != 0:
                lines = said.strip().splitlines() or ["it said nothing"]
                line = next((line for line in lines if "error" in line), lines[0])
                raise Error(f"{name} ended with {code}: {line[:400]}")
            if not library.exists():
                raise Error(f"{name} made no library: it is no C++ compiler")
            return library.read_bytes()
    except Error:
        raise
    except OSError as e:
        raise Error(f"vertex_program: no room to compile in: {e}") from None


@cache
def _address(library: bytes, symbol: str) -> int:
    """Where `symbol` lies in `library`, which stays loaded.

    It is loaded from memory of this process, so that nobody changes it before it is.
    """
    try:
        file = open_memory("gossamer-program")
        with open(file.number, "wb", closefd=False) as copy:
            copy.write(library)
        # The loader takes a path that it had before for the same library, and numbers of
        # descriptors come back: ones and zeros, as "." and "", say which load this is.
        which = "/".join("." if bit == "1" else "" for bit in f"{next(_loads):b}")
        loaded = ctypes.CDLL(f"/proc/self/fd/{which}/{file.number}")
        return ctypes.cast(getattr(loaded, symbol), ctypes.c_void_p).value or 0
    except (OSError, AttributeError) as e:
        raise Error(f"vertex_program: what was compiled cannot be loaded: {e}") from None


def symbol_address(text: str, symbol: str, what: str) -> int:
    """Address of `symbol` in what `text` compiles to, in a library that stays loaded.

    what: who needs it, for messages.

    NotCompiled without a compiler; Error when it fails, Timeout when it does not end.
    """
    command = _compiler(what)

    def make() -> bytes:
        library = _compile(command, text)
        _address(library, symbol)  # what cannot be loaded is not kept
        return library

    found = shutil.which(command[0]) or command[0]
    key = (text, platform.machine(), found, *command[1:], _version(found, *command[1:]), *_FLAGS)
    return _address(cached(key, ".so", make), symbol)

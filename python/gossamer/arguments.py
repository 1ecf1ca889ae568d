"""Checks of what callers give, before the bindings see it: one line names the argument, and says
what it may be."""

from __future__ import annotations

import importlib
import math
import numbers
import operator
import os
from typing import Any, TypeVar

from . import _gossamer
from .errors import UsageError

T = TypeVar("T")

#: As of machine specs: of many more, OpenMP's runtime would end the process for want of memory.
MOST_THREADS = 4096


def shown(x: Any) -> str:
    """What was given: the beginning of a plain value, which is one line, else its type."""
    if isinstance(x, (bool, int, float, str)):
        return f"{x!r:.60}"
    kind = type(x)
    return f"numpy.{kind.__name__}" if kind.__module__ == "numpy" else kind.__name__


def imported(module: str, what: str) -> Any:
    """A package that Gossamer does without; UsageError, which says how to get it, without it."""
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
        raise UsageError(
            f"{what} needs {module}, which is not installed: pip install {module}"
        ) from None


def instance(x: Any, kind: type[T], what: str, may_be: str = "") -> T:
    """`x`, which has to be a `kind`; `may_be`: in words."""
    if isinstance(x, kind):
        return x
    said = f"{what}: expected {may_be or f'a {kind.__name__}'}, got {shown(x)}"
    if type(x).__module__.startswith("networkx.") and kind.__name__ == "Graph":
        said += " of NetworkX (gs.from_networkx makes one of it)"
    raise UsageError(said)


def number(x: Any, what: str) -> float:
    """`x` as a finite number; text or a bool would be a mistake unnoticed."""
    if isinstance(x, bool) or not isinstance(x, numbers.Real):
        raise UsageError(f"{what}: expected a number, got {shown(x)}")
    try:
        value = float(x)
    except OverflowError:
        value = math.inf
    if not math.isfinite(value):
        raise UsageError(f"{what}: expected a finite number, got {value}")
    return value


def integer(x: Any, what: str, limit: int = 1 << 63) -> int:
    """`x` as an integer below `limit` in size; a float or a bool would be a mistake unnoticed."""
    try:
        if isinstance(x, bool):
            raise TypeError
        value = operator.index(x)
    except TypeError:
        raise UsageError(f"{what}: expected an integer, got {shown(x)}") from None
    if not -limit <= value < limit:
        raise UsageError(f"{what}: {value} is above {limit.bit_length() - 1} bits")
    return value


def seed_number(x: Any, what: str, bits: int = 64) -> int:
    """`x` as the seed of a counter-based generator, without a sign."""
    seed = integer(x, f"{what}: seed", 1 << 1024)
    if not 0 <= seed < 1 << bits:
        raise UsageError(f"{what}: the seed is not in 0 … 2^{bits} - 1")
    return seed


def seconds(x: Any, what: str) -> float | None:
    """`x` as a length of time; None: no limit of its own."""
    if x is None:
        return None
    value = number(x, f"{what}: timeout")
    if value <= 0:
        raise UsageError(f"{what}: timeout: not a positive number of seconds: {x}")
    return value


def texts(what: str, **named: Any) -> None:
    """UsageError for the first of `named` that is no text."""
    for name, x in named.items():
        instance(x, str, f"{what}: {name}", "text")


def callback(x: T, what: str) -> T:
    """`x`, which has to be None or something to call."""
    if x is not None and not callable(x):
        raise UsageError(f"{what}: expected a function, got {shown(x)}")
    return x


def flags(what: str, **named: Any) -> None:
    """UsageError for the first of `named` that is neither True nor False."""
    for name, x in named.items():
        instance(x, bool, f"{what}: {name}", "True or False")


def thread_count(x: Any, what: str) -> int:
    """`x` as a number of threads; 0: all cores."""
    count = integer(x, f"{what}: threads", 1 << 63)
    if not 0 <= count <= MOST_THREADS:
        raise UsageError(f"{what}: threads: not in 0 … {MOST_THREADS}: {count}")
    return count


def memory_bytes(memory: int | str | None, what: str = "memory") -> int:
    """A limit as bytes: 0 for None (the environment's or the machine's limit). `what`: its name."""
    if memory is None:
        return 0
    try:
        value = _gossamer.parse_bytes(memory) if isinstance(memory, str) else None
    except UsageError as error:
        raise UsageError(f"{what}: {error}") from None
    value = integer(memory, what) if value is None else value
    if value <= 0:
        raise UsageError(f"{what}: not a positive number of bytes: {memory}")
    return value


def memory_of_devices(memory: int | str | None, what: str = "memory") -> int:
    """As :func:`memory_bytes`; below 0 of ``"device=3G"``, which limits GPUs, not the host."""
    if isinstance(memory, str) and memory.startswith("device="):
        return -memory_bytes(memory.removeprefix("device="), what)
    return memory_bytes(memory, what)


def device_ordinal(device: str | int) -> int:
    """Of ``cuda:K`` or K; -1 for ``cpu``."""
    if not isinstance(device, str):
        return integer(device, "gather: device", 1 << 31)
    if device == "cpu":
        return -1
    kind, _, number = device.partition(":")
    if kind == "cuda" and (number == "" or number.isdecimal()):
        return integer(int(number[:20] or 0), "gather: device", 1 << 31)
    raise UsageError(f"no such device: '{device}' (cpu, cuda:K)")


def path_text(x: Any, what: str) -> str:
    """`x` as a path."""
    try:
        path = os.fspath(x)
    except TypeError:
        path = x
    name = instance(path, str, what, "a path, as text or a Path")
    try:
        possible = b"\0" not in os.fsencode(name)
    except UnicodeEncodeError:
        possible = False
    if not possible:
        raise UsageError(f"{what}: no file can have the name {name!a}")
    return name

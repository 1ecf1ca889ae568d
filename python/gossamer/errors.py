"""Exceptions: every failure that a caller can cause or meet has a type, and says what and where.

Each type is also the built-in exception that a caller would expect (``ValueError``,
``MemoryError``, ``TimeoutError``). The command line turns them into exit codes.
"""

from __future__ import annotations

__all__ = [
    "Cancelled",
    "CapacityError",
    "ConvergenceWarning",
    "CrowdedWarning",
    "Error",
    "ExpressionError",
    "ForeignError",
    "InputError",
    "NotCompiled",
    "RankError",
    "Timeout",
    "UsageError",
    "VerificationError",
]


class Error(Exception):
    """Root of all exceptions raised by Gossamer; the text is one line unless it shows a line of
    the user's."""

    #: Exit code of the command line.
    exit_code: int = 1


class UsageError(Error, ValueError):
    """Wrong use of an interface: an argument out of range, a malformed spec."""

    exit_code = 2


#: Characters of a line that ExpressionError shows.
_SHOWN = 240


class ExpressionError(UsageError):
    """An expression that cannot be compiled: the text is the reason, the user's line, and a line
    with carets below the place. Of a long line, what is around the place."""

    def __init__(
        self,
        reason: str,
        source: str,
        line: int,
        start: int,
        width: int,
        what: str = "vertex_program: propagate",
    ) -> None:
        lines = source.splitlines() or [""]
        whole = lines[min(line, len(lines)) - 1]
        first = max(0, start - _SHOWN // 2) if len(whole) > _SHOWN else 0
        shown = "".join(c if c.isprintable() else " " for c in whole[first : first + _SHOWN])
        carets = " " * (start - first) + "^" * max(1, min(width, len(shown) - (start - first)))
        super().__init__(f"{what}: {reason}\n  {shown}\n  {carets}")
        #: Why, in one line.
        self.reason: str = reason
        #: The whole expression.
        self.source: str = source
        #: Where it is wrong: line, counted from 1, and column, counted from 0.
        self.line: int = line
        self.column: int = start
        #: Of the place, in characters.
        self.width: int = width


class InputError(Error, ValueError):
    """Bad input data; text starts with ``FILE:LINE:`` or ``FILE: byte N:``."""

    exit_code = 2
    #: Indices of the ends of the arc that is wrong, where it is one arc; else None.
    arc: tuple[int, int] | None = None
    #: The text before and behind these ends.
    _around_arc: tuple[str, str] = ("", "")


class NotCompiled(UsageError):
    """Something that this build lacks; the text names the option that brings it."""


class CapacityError(Error, MemoryError):
    """The memory plan does not fit the limit; the text holds the plan."""

    exit_code = 2


class ConvergenceWarning(RuntimeWarning):
    """A run gave up before its tolerance was met; its result is the last iterate."""


class NamesWarning(UserWarning):
    """A file of a graph was written without the names of its vertices, which are no integers."""


class CrowdedWarning(RuntimeWarning):
    """A machine has many more threads than there are cores."""


class VerificationError(Error):
    """A result failed its verifier."""

    exit_code = 3


class Cancelled(Error):
    """A run was asked to stop by somebody else than Ctrl-C (which raises KeyboardInterrupt)."""


class RankError(Error):
    """A rank failed, and with it the run."""

    #: The rank where the failure began, -1 when it is not one rank's.
    rank: int = -1
    #: The rank it was waiting for, -1 when none.
    peer: int = -1


class Timeout(RankError, TimeoutError):
    """A wait or a run took longer than allowed."""

    exit_code = 4


def check_time(what: str, seconds: float, timeout: float | None) -> None:
    """Timeout for work that ended too late: while it runs, limits are looked at every 50 ms only,
    and not at all in work that takes less."""
    if timeout is not None and seconds > timeout:
        raise Timeout(f"{what} did not end within {timeout:g} s")


class ForeignError(Error):
    """CUDA or another foreign interface reported a failure."""

    #: The foreign error code.
    code: int = 0
    #: True when the device cannot be used any more in this process.
    device_lost: bool = False

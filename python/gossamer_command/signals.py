"""What the `gossamer` command does with signals that ask for an end."""

from __future__ import annotations

import os
import signal
import sys

# Nothing more is imported: until the command handles signals, an interrupt is Python's.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType
    from typing import NoReturn

__all__ = [
    "hold", "ignore", "leave", "on_signals", "quit_silently", "replace", "stop", "stopped_by",
]  # fmt: skip

_WORDS = {signal.SIGINT: "interrupted", signal.SIGTERM: "terminated", signal.SIGHUP: "hung up"}
#: The signal that :func:`stop` has seen, if it has.
_first = signal.SIGINT


def stopped_by() -> int:
    """The signal that asked for the stop: SIGINT unless it is known to be another."""
    return _first


def leave(number: int, frame: FrameType | None = None) -> NoReturn:
    """Ends the process with one line and the exit code that shells expect, 128 + the signal."""
    if sys.__stderr__ is not None:  # else its descriptor may be a file's by now
        try:  # noqa: SIM105  (contextlib would have to be imported)
            os.write(2, f"gossamer: {_WORDS[signal.Signals(number)]}\n".encode())
        except OSError:
            pass  # the terminal may be what has gone
    os._exit(128 + number)


def stop(number: int, frame: FrameType | None = None) -> NoReturn:
    """Ends what is under way as Ctrl-C does. Another Ctrl-C leaves at once; what else comes, such
    as SIGHUP behind SIGTERM, says nothing new."""
    global _first  # noqa: PLW0603  # a handler of signals has no other place
    _first = signal.Signals(number)
    for other in _WORDS:
        if signal.getsignal(other) is stop:
            signal.signal(other, leave if other == signal.SIGINT else signal.SIG_IGN)
    raise KeyboardInterrupt


def hold(number: int, frame: FrameType | None = None) -> None:
    """Nothing: the command says why it fails, and that is its end."""


def quit_silently(number: int, frame: FrameType | None = None) -> NoReturn:
    """Ends the process, which has said why it fails."""
    os._exit(128 + number)


def replace(old: Callable[..., None], new: Callable[..., None]) -> None:
    """Has signals that do `old` do `new`."""
    for number in _WORDS:
        if signal.getsignal(number) is old:
            signal.signal(number, new)


def ignore() -> None:
    """The process has done what it was to do, and what is left is the interpreter's end. That one
    gives signals back to the system, which would end the process by them."""
    for number in _WORDS:
        if signal.getsignal(number) in (leave, hold, quit_silently):
            signal.signal(number, signal.SIG_IGN)


def on_signals(act: Callable[[int, FrameType | None], NoReturn]) -> None:
    """Has each signal that asks for an end do `act`. One that is ignored stays so, as under nohup,
    and one that somebody else handles stays theirs."""
    for number in _WORDS:
        if signal.getsignal(number) in (signal.default_int_handler, signal.SIG_DFL, leave, stop):
            signal.signal(number, act)

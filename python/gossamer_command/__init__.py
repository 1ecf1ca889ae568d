"""The `gossamer` command before the package is there.

It stands outside of the package `gossamer`, whose import takes a good part of a second: an
interrupt during that time, too, ends the command with one line. The library itself, and so a
program that imports it, handles no signal.
"""

from __future__ import annotations

from .signals import ignore, leave, on_signals

__all__ = ["main"]


def main() -> None:
    """Entry point of the `gossamer` script."""
    on_signals(leave)
    import atexit

    atexit.register(ignore)  # the first one, which is the last that is called
    from gossamer.cli import main as command

    command()

"""Progress bars: only when stderr is a terminal, and only after a second."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from ..graph import Progress

__all__ = ["progress"]

#: Work shorter than this shows nothing.
PATIENCE = 1.0


@contextmanager
def progress(description: str, unit: str = "share") -> Iterator[Progress | None]:
    """Gives a function progress(done, total), or None when nobody would see it."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        MofNCompleteColumn,
        TaskProgressColumn,
        TextColumn,
        TimeElapsedColumn,
    )
    from rich.progress import Progress as Bars

    detail = {"bytes": DownloadColumn, "count": MofNCompleteColumn}.get(unit, TaskProgressColumn)
    bars = Bars(
        TextColumn("{task.description}"),
        BarColumn(),
        detail(),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    task = bars.add_task(description, total=None)
    start = time.monotonic()
    shown = False

    def report(done: int, total: int) -> None:
        nonlocal shown
        if not shown:
            if time.monotonic() - start < PATIENCE:
                return
            bars.start()
            shown = True
        bars.update(task, completed=done, total=total or None)

    try:
        yield report
    finally:
        if shown:
            bars.stop()

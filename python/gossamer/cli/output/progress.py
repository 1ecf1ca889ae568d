"""Progress bars: only when stderr is a terminal, and only once a step has lasted a second."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from gossamer import _gossamer

#: Work shorter than this many seconds shows nothing.
PATIENCE = 1.0


class Bar:
    """One step's bar: it pulses until the step reports how far it is."""

    def __init__(self, description: str, unit: str) -> None:
        self._description = description
        self.unit = unit
        self._done: tuple[int, int] = (0, 0)
        self._bars: Any = None
        self._task: Any = None
        # Not every step calls back, so the bar appears by a clock of its own; work in the library
        # holds no GIL. Rich is imported only then: most steps are short.
        self._lock = threading.Lock()
        self._clock = threading.Timer(PATIENCE, self._show)
        self._clock.daemon = True
        with suppress(RuntimeError):  # a host that gives no thread for it gets no bar
            self._clock.start()

    def __call__(self, done: int, total: int) -> None:
        """How far the step is; `total` is 0 while it is not known."""
        with self._lock:
            self._done = (done, total)
            self._update()

    def describe(self, description: str) -> None:
        """Names what is being done from now on."""
        with self._lock:
            self._description = description
            self._update()

    def close(self) -> None:
        """Takes the bar away, or sees to it that none appears."""
        self._clock.cancel()
        if self._clock.ident is not None:
            self._clock.join()
        if self._bars is not None:
            self._bars.stop()

    def _update(self) -> None:
        if self._bars is not None:
            done, total = self._done
            self._bars.update(self._task, description=self._description, completed=done)
            self._bars.tasks[0].total = total or None  # of update() None is "as it was"

    def _show(self) -> None:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            DownloadColumn,
            MofNCompleteColumn,
            Progress,
            TaskProgressColumn,
            TextColumn,
            TimeElapsedColumn,
        )

        details = {"bytes": DownloadColumn, "count": MofNCompleteColumn}
        detail = details.get(self.unit, TaskProgressColumn)()
        bars = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            detail,
            TimeElapsedColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        with self._lock:
            self._bars = bars
            self._task = bars.add_task(self._description, total=None)
            self._update()
            bars.start()


@contextmanager
def progress(description: str, unit: str = "share") -> Iterator[Bar | None]:
    """Shows a bar while the block runs; gives it to report to, or None when nobody would see it."""
    if not sys.stderr.isatty():
        yield None
        return
    bar = Bar(description, unit)
    try:
        yield bar
    finally:
        bar.close()


def watched(work: Callable[..., Any], bar: Bar | None) -> Callable[..., Any]:
    """`work`, whose runs tell the bar how far they are."""

    def watching(*given: Any) -> Any:
        _gossamer.watch_runs(bar)
        try:
            return work(*given)
        finally:
            _gossamer.watch_runs(None)

    return work if bar is None else watching

"""The timed runs of a command: each made, checked on request, described and counted."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import IO, Any, Generic, TypeVar

from gossamer.errors import VerificationError
from gossamer.machine import Machine

from .output.progress import Bar, progress, watched
from .output.report import Report, reporting_lost, write_whole

Result = TypeVar("Result")

_SHOWN_RUNS = 16


def checked(verified: bool | None) -> str:
    """A cell of the column "verified"."""
    return {None: "not asked", True: "yes", False: "FAILED"}[verified]


class Runs(Generic[Result]):
    """What the runs of algorithm `name` gave.

    `check` raises VerificationError; None when no run is to be checked. `to_json` describes a run
    by its result. `keep` says what is kept of the first result, for words about it: a result itself
    may hold arrays on every device, which no plan has twice.
    """

    def __init__(
        self,
        name: str,
        doing: str,
        check: Callable[[Result], object] | None,
        to_json: Callable[[Result], dict[str, Any]],
        keep: Callable[[Result], Any] = lambda first: first,
    ) -> None:
        #: What was kept, once there is a run.
        self.first: Any = None
        self.failure: VerificationError | None = None
        #: One entry a run that has ended, in order.
        self.described: list[dict[str, Any]] = []
        self._name = name
        self._doing = doing
        self._check = check
        self._to_json = to_json
        self._keep = keep

    def make_all(
        self,
        report: Report,
        where: Machine,
        described: dict[str, Any],
        run: Callable[..., Result],
        inputs: list[tuple[Any, ...]],
        repeat: int,
        after: Callable[[int, Result], object] = lambda number, result: None,
    ) -> None:
        """``run(*values)`` for each of `inputs`, `repeat` times. `described` is what is reported
        when a rank is lost; `after` gets the number of each input and each of its results."""
        every = len(inputs) * repeat
        # Of a single run the bar shows the share that is done, where the engine tells of it.
        unit = "count" if every > 1 else "share"
        with (
            progress(f"{self._name}, {self._doing}", unit=unit) as bar,
            reporting_lost(report, where, described),
        ):
            for number, values in enumerate(inputs):
                for _ in range(repeat):
                    result = self.make(bar, watched(run, bar if every == 1 else None), *values)
                    after(number, result)
                    del result  # before the next one takes as much
                    if bar is not None and every > 1:
                        bar(len(self.described), every)

    def make(self, bar: Bar | None, run: Callable[..., Result], *arguments: Any) -> Result:
        """One more run, `run(*arguments)`. The first check that fails is kept as `failure`."""
        self._say(bar, self._doing)
        result = run(*arguments)
        verified = self._verified(bar, result)
        self.described.append(self._to_json(result) | {"verified": verified})
        if self.first is None:
            self.first = self._keep(result)
        return result

    def _verified(self, bar: Bar | None, result: Result) -> bool | None:
        if self._check is None:
            return None
        if bar is not None and bar.unit == "share":
            bar(0, 0)
        self._say(bar, "verifying")
        try:
            self._check(result)
        except VerificationError as error:
            self.failure = self.failure or error
            return False
        return True

    def _say(self, bar: Bar | None, what: str) -> None:
        if bar is not None:
            bar.describe(f"{self._name}, {what}")

    def all_of(self, what: str) -> list[Any]:
        """One value of every run's description."""
        return [run[what] for run in self.described]

    def median(self, what: str = "milliseconds") -> float:
        return float(statistics.median(self.all_of(what)))

    @property
    def verified(self) -> bool | None:
        """Whether every run passed its check; None where none was asked for."""
        checks = self.all_of("verified")
        return None if None in checks else all(checks)

    def summary(self) -> dict[str, Any]:
        """The "summary" object of most commands: over all runs."""
        times = self.all_of("milliseconds")
        return {
            "runs": len(times),
            "median_milliseconds": self.median(),
            "min_milliseconds": min(times),
            "max_milliseconds": max(times),
            "verified": self.verified,
        }

    def save(
        self,
        report: Report,
        where: Machine,
        output: Path | None,
        write: Callable[[IO[bytes]], object] | None,
    ) -> None:
        """The end of a command: a check that failed is raised, else --output is written."""
        if self.failure is not None:
            raise self.failure
        if output is None or write is None:
            return
        if where.here():
            with progress(f"writing {output.name}"), write_whole(output) as file:
                write(file)
        report.line(f"wrote {output}")


def print_runs(report: Report, columns: list[str], rows: Iterable[tuple[object, ...]]) -> None:
    """A row a run, the first of them."""
    every = list(rows)
    report.table("runs", columns, every[:_SHOWN_RUNS], ())
    if len(every) > _SHOWN_RUNS:
        report.line(f"… and {len(every) - _SHOWN_RUNS} more (all of them with --json)")

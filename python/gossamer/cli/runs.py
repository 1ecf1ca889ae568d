"""The timed runs of a command: each made, checked on request, described and counted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from gossamer.errors import VerificationError

from .output.progress import Bar

Result = TypeVar("Result")
Kept = TypeVar("Kept")


class Runs(Generic[Result, Kept]):
    """What `every` runs of algorithm `name` gave.

    `keep` says what is kept of the first result, for words about it: a result itself may hold
    arrays on every device, which no plan has twice. `check` raises VerificationError; None when no
    run is to be checked. `to_json` describes a run by its result and what the check said: passed,
    failed, or None.
    """

    def __init__(
        self,
        name: str,
        doing: str,
        every: int,
        keep: Callable[[Result], Kept],
        check: Callable[[Result], object] | None,
        to_json: Callable[[Result, bool | None], dict[str, Any]],
    ) -> None:
        self.first: Kept | None = None
        self.failure: VerificationError | None = None
        #: One entry a run that has ended, in order.
        self.described: list[dict[str, Any]] = []
        self._name = name
        self._doing = doing
        self._every = every
        self._keep = keep
        self._check = check
        self._to_json = to_json

    @property
    def unit(self) -> str:
        """Of the progress bar: a single run has nothing to count, so its bar pulses."""
        return "count" if self._every > 1 else "share"

    def make(self, bar: Bar | None, run: Callable[..., Result], *arguments: Any) -> Result:
        """One more run, `run(*arguments)`. The first check that fails is kept as `failure`."""
        self._say(bar, self._doing)
        result = run(*arguments)
        verified = self._verified(bar, result)
        self.described.append(self._to_json(result, verified))
        if self.first is None:
            self.first = self._keep(result)
        if bar is not None and self._every > 1:
            bar(len(self.described), self._every)
        return result

    def _verified(self, bar: Bar | None, result: Result) -> bool | None:
        if self._check is None:
            return None
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

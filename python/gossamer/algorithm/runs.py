"""What algorithms do around the library's calls: limits of time, what runs say, checks."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from gossamer.arguments import seconds
from gossamer.errors import VerificationError, check_time
from gossamer.machine import Machine

from .worklist import WorklistCounters


def finished(
    what: str, raw: dict[str, Any], machine: Machine, timeout: float | None
) -> dict[str, Any]:
    """What the library says of a run, as results have it: phases in milliseconds, what a worklist
    counted by name. Timeout for a run that took too long."""
    if not machine.virtual:
        # The slowest rank's time, so that all processes of a run agree.
        check_time(what, raw["milliseconds"] / 1e3, timeout)
    raw["phases"] = {name: 1e3 * spent for name, spent in raw["phases"].items()}
    if "work" in raw:
        raw["work"] = WorklistCounters.of(raw["work"])
    return raw


def run_verifier(
    of: str, function: str, timeout: float | None, check: Callable[[float | None], Any]
) -> Any:
    """What `check` says within `timeout` seconds: whether a result is right, numbers, and why not.

    VerificationError, which begins with `of`, for one that is wrong; Timeout. `function`: who was
    given the limit.
    """
    limit = seconds(timeout, function)
    start = time.monotonic()
    ok, *numbers, reason = check(limit)
    check_time("the verification", time.monotonic() - start, timeout)
    if not ok:
        raise VerificationError(f"{of}: {reason}")
    return numbers

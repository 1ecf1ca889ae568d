"""What algorithms do around the library's calls: options of worklists, limits of time, checks."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from gossamer.arguments import memory_bytes, seconds, texts
from gossamer.errors import VerificationError, check_time
from gossamer.graph.shape import part_ids
from gossamer.machine import Machine

from .worklist import WorklistCounters


def worklist_options(
    what: str,
    engine: str,
    balance: str,
    priority: str,
    partition: Any,
    route: str,
    packet: int | str | None,
    use: str,
) -> tuple[str, str, str, Any, str, int]:
    """Checks what engines with a worklist take; all but engine and use, as the bindings have it."""
    texts(what, engine=engine, balance=balance, priority=priority, route=route, use=use)
    return balance, priority, *part_ids(partition), route, memory_bytes(packet, "packet")


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

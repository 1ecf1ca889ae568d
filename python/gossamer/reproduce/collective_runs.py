"""Collectives timed on machines that are there, by the papers' algorithms: what paper E's figures
and the ping-pongs of papers A, B and E have beside what is predicted.

A time is that of one of many in a row, the slowest rank's; buffers lie in the ranks' own memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import gossamer as gs
from gossamer import _gossamer

from .extent import extent
from .here import Here
from .report import Row

#: For ping-pong: ranks of a pair write to each other at once, and each waits for the other's.
EXCHANGE = ("allgather", "direct")
BOTH_WAYS = (
    "Both ranks write to each other at once and wait for each other's, by allgather, with a copy "
    "of each one's own part: no ping-pong."
)


def seconds(
    here: Here, operation: str, algorithm: str, sizes: Sequence[int]
) -> dict[float, float]:  # fmt: skip
    """By bytes of the message or block. VerificationError for a wrong result of the smallest or
    the largest."""
    for size in {sizes[0], sizes[-1]}:
        _verify(here, operation, algorithm, size)
    return {size: _seconds(here, operation, algorithm, size) for size in sizes}


@cache
def _verify(here: Here, operation: str, algorithm: str, size: int) -> None:
    wrong = _gossamer.verify_collective(here.machine()._handle, operation, algorithm, size)
    if wrong:
        raise gs.VerificationError(f"{here.spec}: {wrong}")


@cache
def _seconds(here: Here, operation: str, algorithm: str, size: int) -> float:
    handle = here.machine()._handle
    return min(
        float(_gossamer.measure_collective(handle, operation, algorithm, size)["seconds"])
        for _ in range(extent.repeat)
    )


def microseconds(
    here: Here, operation: str, algorithm: str, sizes: Sequence[int]
) -> dict[float, float]:  # fmt: skip
    found = seconds(here, operation, algorithm, sizes)
    return {size: 1e6 * one for size, one in found.items()}


def rates(
    here: Here, operation: str, algorithm: str, sizes: Sequence[int], messages: int = 1
) -> dict[float, float]:  # fmt: skip
    """GB/s, of so many messages of each size."""
    found = seconds(here, operation, algorithm, sizes)
    return {size: 1e-9 * messages * size / one for size, one in found.items()}


def collective_rows(
    here: Here, figure: str, operation: str, algorithm: str, sizes: Sequence[int],
    messages: int = 1, reason: str = "",
) -> list[Row]:  # fmt: skip
    """The time of the smallest, and the largest rate of so many messages."""
    least, rate = sizes[0], max(rates(here, operation, algorithm, sizes, messages).values())
    what = f"{operation} ({algorithm})"
    return [
        here.row(figure, f"{what}, {least} B",
                 microseconds(here, operation, algorithm, sizes)[least], "us", reason),
        here.row(figure, f"{what}, largest rate", rate, "GB/s", reason),
    ]  # fmt: skip

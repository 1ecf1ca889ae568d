"""What happens to some runs: interrupts, deadlines, too little memory. The next run must be right.

The process as a whole is stopped and continued now and then by who watches it (`batches`).
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import gossamer as gs

from soak.calls import Call
from soak.graphs import Random

#: Answers to what cannot be had: none of them is wrong.
REFUSALS = (gs.UsageError, gs.NotCompiled, gs.CapacityError)

#: A sanitizer that lacks address space for itself ends the process.
_SANITIZED = any(
    name in Path("/proc/self/maps").read_text() for name in ("libasan", "libtsan", "libclang_rt")
)


def _interrupted(call: Call, rng: Random) -> None:
    """Ctrl-C after a while, as a terminal sends it; the run may be over before."""
    timer = threading.Timer(float(rng.random()) * 0.02, os.kill, (os.getpid(), signal.SIGINT))
    # It may come after the call, before the timer was waited for.
    with contextlib.suppress(KeyboardInterrupt):
        try:
            timer.start()
            call()
            timer.join()
        except (KeyboardInterrupt, *REFUSALS):
            timer.join()
        # Python notes a signal and raises a little later.
        settled = time.monotonic() + 0.002
        while time.monotonic() < settled:
            pass


def _late(call: Call, rng: Random) -> None:
    """A deadline that few runs keep."""
    with contextlib.suppress(gs.Timeout, *REFUSALS):
        call(timeout=float(10.0 ** rng.uniform(-6, -1)))


def _short(call: Call, rng: Random) -> None:
    """A limit of memory that few plans keep."""
    with contextlib.suppress(*REFUSALS):
        call(memory=int(10.0 ** rng.uniform(2, 7)))


@contextlib.contextmanager
def _address_space(more: int) -> Iterator[None]:
    """The system grants so many bytes more than now, to this process."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + more, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def _starved(call: Call, rng: Random) -> None:
    """Memory that is planned but not given."""
    more = int(10.0 ** rng.uniform(3, 8))
    # METIS's thread-local data are laid out when it is called: without room the C library aborts.
    partition = call.options.get("partition")
    if _SANITIZED or (isinstance(partition, str) and partition == "metis"):
        return
    with contextlib.suppress(MemoryError, gs.Error), _address_space(more):
        call()


FAULTS: dict[str, Callable[[Call, Random], None]] = {
    "interrupt": _interrupted, "deadline": _late, "limit": _short, "starved": _starved,
}  # fmt: skip


def faults_on(machines: Sequence[str]) -> list[str]:
    """Those that may happen there. Without address space CUDA's driver ends the process, or finds
    no GPUs from then on."""
    gpus = any("cuda" in machine for machine in machines)
    return [name for name in FAULTS if not (gpus and name == "starved")]

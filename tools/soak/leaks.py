"""What calls leave behind: memory that the library counts, open files, threads.

Whatever is kept for later calls is dropped before it is counted.
"""

from __future__ import annotations

import collections
import contextlib
import gc
import os
from collections.abc import Sequence
from dataclasses import dataclass

import gossamer as gs
from gossamer import _gossamer
from gossamer.machine import machine

#: Threads that wait for the next call (four at most), one that has not left yet, and the teams that
#: OpenMP's runtimes keep for these. A thread a call is many more after a batch, on most hosts.
IDLE = 5 * max(4, os.cpu_count() or 1)
#: The host's account (-1), and those of as many GPUs as have one.
_ACCOUNTS = range(-1, 64)


@dataclass(frozen=True)
class InUse:
    """What a process has at some time."""

    #: Bytes of each account, as `_gossamer.memory_in_use` has them.
    memory: dict[int, int]
    #: What its descriptors are of, and how many of each.
    files: collections.Counter[str]
    threads: int

    def beyond(self, before: InUse) -> str:
        """What there is more of; "": nothing."""
        found = [
            f"{now - before.memory[account]:,} bytes of "
            + ("host memory" if account < 0 else f"GPU {account}'s memory")
            for account, now in self.memory.items()
            if now > before.memory[account]
        ]
        found += [f"{count} of {file}" for file, count in (self.files - before.files).items()]
        if self.threads > before.threads + IDLE:
            found.append(f"{self.threads - before.threads} threads")
        return ", ".join(found)


def _files() -> collections.Counter[str]:
    found: collections.Counter[str] = collections.Counter()
    for one in os.listdir("/proc/self/fd"):
        with contextlib.suppress(FileNotFoundError):  # the listing's own
            # Of pipes and sockets the kind: their numbers differ from run to run.
            found[os.readlink(f"/proc/self/fd/{one}").partition(":[")[0]] += 1
    return found


def in_use() -> InUse:
    """Of this process, after all that is kept was dropped."""
    machine._shared_machine.cache_clear()
    gc.collect()  # machines, graphs and results in circles
    gs.cache().clear()
    _gossamer.join_abandoned()
    return InUse(
        {account: _gossamer.memory_in_use(account)[0] for account in _ACCOUNTS},
        _files(),
        len(os.listdir("/proc/self/task")),
    )


def at_first(machines: Sequence[str]) -> InUse:
    """The same before any case. Drivers open files and start threads once, with the first run."""
    graph = gs.generate("grid:3x3")
    for spec in machines:
        with contextlib.suppress(gs.Error):
            gs.bfs(graph, 0, machine=spec)
    return in_use()

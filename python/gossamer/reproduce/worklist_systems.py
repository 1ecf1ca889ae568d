"""The M60s of paper C as they are modelled, in the ways that a worklist can run on them.

The model's numbers are the data sheet's, a H200's or assumptions, but for the launch; nothing was
set by paper C's figures.
"""

from __future__ import annotations

import tempfile
import tomllib
from functools import cache
from pathlib import Path

from gossamer.simulation import System

NAME = "m60"
#: How many GPUs hang at one socket.
QUAD = 4

#: A thread of the host starts the copies: the engine is busy for as long, the kernel is not.
BY_HOST = ("transfer.peer-copy.start=1e-9", "transfer.peer-copy.setup=8e-6")
#: The kernel stores into its peer's memory itself. A start of nothing is refused.
BY_STORES = ("transfer.peer-copy.start=1e-9",)

#: Paper C's worker before fusion: a launch a batch, and copies that it starts.
LAUNCHES = "a launch a batch"
#: … fused, with messages that the host starts.
COPIES = "one kernel, copies"
#: … fused, with stores: this project's worklist on GPUs.
STORES = "one kernel, stores"
#: The same where all GPUs hang at one root: what the link between the sockets costs.
ONE_ROOT = "one kernel, stores, one root"
WAYS = (LAUNCHES, COPIES, STORES, ONE_ROOT)


@cache
def _kernel() -> dict[str, float]:
    found: dict[str, float] = tomllib.loads(System(NAME).description)["kernel"]
    return found


def _one_kernel() -> tuple[str, ...]:
    """One kernel does everything: nothing is launched while it runs, but a pass has a latency."""
    return (f"kernel.launch={_kernel()['pass']}",)


def _shrunk(size: float) -> tuple[str, ...]:
    """The cache and the threads, as much smaller as a graph is than the one it stands for: else
    all of it would lie in the cache, and threads would work on much of it at once."""
    return tuple(
        f"kernel.{key}={max(1, int(size * _kernel()[key]))}" for key in ("cache", "threads")
    )


SOCKET_LINK = {
    "latency = [150e-9, 250e-9, 600e-9]": "latency = [150e-9, 250e-9, 1e-12]",
    "bandwidth = [12.5e9, 12.5e9, 9.6e9]": "bandwidth = [12.5e9, 12.5e9, 1e15]",
}


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    """Goes when the program ends."""
    return tempfile.TemporaryDirectory(prefix="gossamer-")


@cache
def one_root() -> Path:
    """The same machine with a link between its sockets that costs nothing, as a file."""
    text = System(NAME).description
    for old, new in SOCKET_LINK.items():
        if old not in text:
            raise RuntimeError(f"system {NAME}: no line '{old}'")
        text = text.replace(old, new)
    file = Path(_folder().name) / f"{NAME}-one-root.toml"
    file.write_text(text, encoding="utf-8")
    return file


@cache
def system(way: str, size: float) -> System:
    """The model, for one of WAYS; `size`: of a graph, in that of the graph it stands for."""
    changes = {
        LAUNCHES: (),
        COPIES: _one_kernel() + BY_HOST,
        STORES: _one_kernel() + BY_STORES,
        ONE_ROOT: _one_kernel() + BY_STORES,
    }[way]
    changes += _shrunk(min(1.0, size))
    return System(str(one_root()) if way == ONE_ROOT else NAME, changes, f"M60, {way}")

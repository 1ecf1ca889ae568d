"""The M60s of paper C as they are modelled, in the ways that a worklist can run on them.

The model's numbers are assumptions but for the launch; nothing was set by paper C's figures.
"""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

from gossamer.simulation import System

NAME = "m60"
#: How many GPUs hang at one socket.
QUAD = 4

#: One kernel does everything: nothing is launched while it runs.
ONE_KERNEL = ("kernel.launch=0",)
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


def system(way: str) -> System:
    """The model, for one of WAYS."""
    changes = {
        LAUNCHES: (),
        COPIES: ONE_KERNEL + BY_HOST,
        STORES: ONE_KERNEL + BY_STORES,
        ONE_ROOT: ONE_KERNEL + BY_STORES,
    }[way]
    return System(str(one_root()) if way == ONE_ROOT else NAME, changes, f"M60, {way}")

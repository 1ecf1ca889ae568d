"""The machine that calls run on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import gossamer as gs
import networkx as nx


def machine() -> str | None:
    """As NetworkX is configured; None lets each call choose."""
    spec: str = nx.config.backends.gossamer.machine
    return None if spec == "auto" else spec


@contextmanager
def compiled() -> Iterator[None]:
    """Around steps: NetworkX runs the call where there is no compiler, or no such machine."""
    try:
        yield
    except gs.NotCompiled as error:
        raise NotImplementedError(str(error)) from None

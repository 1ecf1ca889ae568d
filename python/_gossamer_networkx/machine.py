"""The machine that calls run on."""

from __future__ import annotations

import networkx as nx


def machine() -> str | None:
    """As NetworkX is configured; None lets each call choose."""
    spec: str = nx.config.backends.gossamer.machine
    return None if spec == "auto" else spec

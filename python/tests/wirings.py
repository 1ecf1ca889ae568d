"""Wirings that several tests run."""

from __future__ import annotations

from typing import Any

from gossamer.dataflow import LinkId, Wiring


def joined(
    machine: str, policy: Any, *, to_all: bool = False, packet: int = 256, buffers: int = 2
) -> tuple[Wiring, list[LinkId], list[LinkId]]:
    """Every rank's endpoint an input and an output of one router: links into it, and out of it."""
    w = Wiring(machine)
    p = w.machine.size
    router = w.router(p, p, policy, "router", to_all=to_all)
    up = [w.connect(w.rank(r), router) for r in range(p)]
    down = [w.connect(router, w.rank(r), packet=packet, buffers=buffers) for r in range(p)]
    return w, up, down


def pair(machine: str = "cpu:2x1", **options: Any) -> tuple[Wiring, LinkId]:
    """A link from rank 0 to the last rank, between endpoints of their own."""
    w = Wiring(machine)
    source, target = w.endpoint(0, "source"), w.endpoint(w.machine.size - 1, "target")
    return w, w.connect(source, target, **options)

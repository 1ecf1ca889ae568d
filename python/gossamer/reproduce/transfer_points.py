"""The points of paper C's Fig. 2: predicted on the modelled M60s, or as bench_transfers wrote them.

A point is the time of all bytes from one GPU to another, or to all others, by one way.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from gossamer import _gossamer
from gossamer.simulation import System, ping_pong

from . import worklist_systems as systems

#: As in the paper; and packets of it.
BYTES = 100_000_000
PACKETS = (100_000, 200_000, 500_000, 1_000_000, 2_000_000, 5_000_000, 10_000_000, 20_000_000,
           50_000_000, 100_000_000)  # fmt: skip
#: A plan has no more pieces than that.
MOST_PIECES = 64

BY_HOST = "packets, each awaited by the host"
PUSH, PUSH_PULL = "push", "push/pull"
FLAT, WHOLE_RING = "to each in turn, whole", "ring, whole"
RING, RING_STORES = "ring, packets", "ring, packets, stores"
NEAR, FAR = "same board", "other quad"


@dataclass(frozen=True)
class Point:
    """One transfer of `bytes`, or one broadcast, in packets of so many bytes."""

    #: a, b, c or d.
    figure: str
    curve: str
    packet: int
    seconds: float
    bytes: int = BYTES

    @property
    def rate(self) -> float:
        """GB/s that one receiver sees."""
        return 1e-9 * self.bytes / self.seconds


def _in_packets(system: System, packet: int) -> float:
    return BYTES / packet * ping_pong(system, packet)


def _host_row(origin: str, target: str) -> dict[str, float]:
    """The model's copy between a GPU and its host's memory."""
    rows = tomllib.loads(System(systems.NAME).description)["transfer"]
    row: dict[str, float] = next(r for r in rows if (r["from"], r["to"]) == (origin, target))
    return row


def _push_pull(packet: int, start: float) -> float:
    """Down into host memory, up from there, with two buffers: while a packet is pulled, the next
    one is pushed. `start`: of each."""
    down, up = _host_row("device", "host"), _host_row("host", "device")
    one = max(start + row["latency"] + packet / row["bandwidth"] for row in (down, up))
    return (BYTES / packet + 1) * one


def _pairs() -> Iterator[Point]:
    """Fig. 2 b and c."""
    host = System(systems.NAME)
    stores = System(systems.NAME, systems.BY_STORES)
    far = ("network.size=[1,1,2]", "nodes=2")
    for packet in PACKETS:
        yield Point("b", BY_HOST, packet, _in_packets(host, packet))
        yield Point("c", f"{NEAR}, {PUSH}, by the host", packet, _in_packets(host, packet))
        yield Point("c", f"{NEAR}, {PUSH}, stores", packet, _in_packets(stores, packet))
        yield Point(
            "c",
            f"{FAR}, {PUSH}, stores",
            packet,
            _in_packets(System(systems.NAME, far + systems.BY_STORES), packet),
        )
        start = _host_row("device", "host")["start"]
        yield Point("c", f"{FAR}, {PUSH_PULL}, by the host", packet, _push_pull(packet, start))
        yield Point("c", f"{FAR}, {PUSH_PULL}, stores", packet, _push_pull(packet, 0))  # fmt: skip


def _broadcast(algorithm: str, pieces: int, changes: tuple[str, ...] = ()) -> float:
    schedule = _gossamer.Schedule(
        "broadcast", algorithm, 8, BYTES, 1, 0, True, True, pieces, [], False, True
    )
    found = _gossamer.replay(schedule, systems.NAME, list(changes), "device")
    return float(found["seconds"])


def _one_to_all() -> Iterator[Point]:
    """Fig. 2 d: one GPU to the seven others."""
    for packet in PACKETS:
        pieces = BYTES // packet
        yield Point("d", FLAT, packet, _broadcast("flat", 0))
        yield Point("d", WHOLE_RING, packet, _broadcast("ring", 1))
        if pieces <= MOST_PIECES:
            yield Point("d", RING, packet, _broadcast("ring", pieces))
            yield Point("d", RING_STORES, packet,
                        _broadcast("ring", pieces, systems.BY_STORES))  # fmt: skip


def _accesses() -> Iterator[Point]:
    """Fig. 2 a: 4 bytes by a thread, next to each other or anywhere in the peer's memory."""
    in_order = _in_packets(System(systems.NAME, systems.BY_STORES), BYTES)
    remote = tomllib.loads(System(systems.NAME).description)["kernel"]["remote"]
    yield Point("a", f"{NEAR}, stores, coalesced", BYTES, in_order)
    yield Point("a", f"{NEAR}, stores, random", BYTES, in_order * remote / 4)


def predicted() -> list[Point]:
    return [*_accesses(), *_pairs(), *_one_to_all()]


def read(file: Path) -> list[Point]:
    """What bench_transfers measured; ValueError where a transfer was not verified."""
    results = json.loads(file.read_text(encoding="utf-8"))["results"]
    if not all(row["verified"] for row in results):
        raise ValueError(f"{file}: not all transfers were verified")
    names = ("figure", "curve", "packet", "seconds", "bytes")
    return [Point(*(row[name] for name in names)) for row in results]

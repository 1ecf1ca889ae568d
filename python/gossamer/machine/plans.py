"""Memory plans: everything that will be allocated, before it is, and its refusal."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from gossamer import _gossamer
from gossamer.arguments import instance, integer
from gossamer.errors import CapacityError
from gossamer.html import table

if TYPE_CHECKING:
    from .machine import Machine


@dataclass(frozen=True)
class PlanEntry:
    """Bytes that a rank takes for one purpose, in ``host``, ``pinned`` or ``device`` memory."""

    #: −1: the process takes them, for no rank alone.
    rank: int
    memory: str
    purpose: str
    bytes: int
    #: ``exact``, ``at most`` or ``about``: less than exact for a graph that is not there yet.
    certainty: str = "exact"


@dataclass(frozen=True)
class MemoryPlan:
    """Everything that will be allocated, before it is."""

    entries: tuple[PlanEntry, ...]
    #: Bytes that each rank may take.
    limits: tuple[int, ...]
    #: Bytes that earlier calls left in these memories (:func:`cache`): dropped for the room.
    kept: dict[str, int] = field(default_factory=dict)

    @property
    def total(self) -> int:
        """Bytes in all."""
        return sum(e.bytes for e in self.entries)

    def of(self, rank: int) -> int:
        """Bytes of one rank."""
        asked = integer(rank, "MemoryPlan: rank")
        return sum(e.bytes for e in self.entries if e.rank == asked)

    def __str__(self) -> str:
        """A line for each purpose, the largest first."""
        show = _gossamer.format_bytes
        lines = [f"{show(self.total)} in all"]
        for e in sorted(self.entries, key=lambda e: -e.bytes):
            whose = "all ranks" if e.rank < 0 else f"rank {e.rank}"
            lines.append(f"{show(e.bytes):>10}  {whose}, {e.memory}: {e.purpose} ({e.certainty})")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        show = _gossamer.format_bytes
        rows: list[tuple[object, ...]] = [
            ("all" if e.rank < 0 else e.rank, e.memory, e.purpose, show(e.bytes), e.certainty)
            for e in self.entries
        ]
        head = ("rank", "memory", "purpose", "size", "certainty")
        return table(f"Memory plan, {show(self.total)}", rows, head)

    def on_host(self, machine: Machine) -> list[PlanEntry]:
        """Entries that take memory of this process's host."""
        handle = getattr(machine, "_handle", machine)  # the class itself imports this file
        instance(handle, _gossamer.Machine, "MemoryPlan: machine")
        return [
            e
            for e in self.entries
            if e.rank < 0
            or (
                machine.here(e.rank)
                and (e.memory != "device" or machine.devices[e.rank].kind == "cpu")
            )
        ]

    def require_fit(self, what: str, machine: Machine, host_limit: int, source: str) -> None:
        """CapacityError, with all numbers, when the host's entries together exceed `host_limit`,
        which comes from `source`, or a GPU's what its ranks may take."""
        for text in (what, source):
            instance(text, str, "MemoryPlan: what and source", "text")
        integer(host_limit, "MemoryPlan: host_limit")
        _require(f"{what} does not fit the host", self.on_host(machine), host_limit, source)
        devices = machine.devices
        for ordinal in sorted({d.ordinal for d in devices if d.kind == "cuda"}):
            ranks = [r for r, d in enumerate(devices) if d.ordinal == ordinal and machine.here(r)]
            if not ranks:
                continue
            entries = [e for e in self.entries if e.rank in ranks and e.memory == "device"]
            limit = self.limits[ranks[0]] * devices[ranks[0]].share
            _require(f"{what} does not fit cuda:{ordinal}", entries, limit, "device")


def _require(complaint: str, entries: list[PlanEntry], limit: int, source: str) -> None:
    total = sum(e.bytes for e in entries)
    if total <= limit:
        return
    show = _gossamer.format_bytes
    purposes: dict[str, int] = {}
    for e in entries:
        purposes[e.purpose] = purposes.get(e.purpose, 0) + e.bytes
    parts = " + ".join(f"{purpose} {show(size)}" for purpose, size in purposes.items())
    raise CapacityError(
        f"{complaint}: {parts} = {show(total)}; the limit is {show(limit)} ({source})"
    )


def memory_plan(raw: dict[str, Any]) -> MemoryPlan:
    """A plan as the bindings give it."""
    return MemoryPlan(
        tuple(PlanEntry(*e) for e in raw["entries"]), tuple(raw["limits"]), raw["kept"]
    )

"""A collective on a modelled system: its schedule replayed without payload, for any size."""

from __future__ import annotations

from dataclasses import dataclass, field

from gossamer import _gossamer
from gossamer.arguments import instance, integer, texts
from gossamer.errors import UsageError

from .systems import System

#: Bytes of an element: reductions are of 8-byte values.
ELEMENT = 8
#: Collectives with a root.
ROOTED = ("broadcast", "gather", "reduce", "scatter")
_REDUCING = ("reduce", "allreduce", "reduce_scatter")


def no_values(operation: str, size: int, element: int = ELEMENT) -> str:
    """What to say of a size that is no whole number of elements."""
    return f"{operation}: {size} bytes are no {element}-byte values"


@dataclass(frozen=True)
class CollectivePrediction:
    """One size of one collective."""

    seconds: float
    algorithm: str
    #: Inputs and results are copied through host memory.
    via_host: bool
    mapping: list[int]
    #: Seconds of the slowest rank by what they went to; they add up to `seconds`.
    parts: dict[str, float]
    #: Name of the largest part.
    largest: str

    @property
    def what(self) -> str:
        """The algorithm, as tables show it."""
        return self.algorithm + ("+host" if self.via_host else "")


@dataclass
class Collective:
    """One operation on one system, for any size; from a common start, outputs free."""

    operation: str
    system: System
    ranks: int
    buffers: str = "device"
    #: Of operations that have one (ROOTED); UsageError for others.
    root: int = 0
    #: A name, ``"own"`` (what the system's software does; the fastest where it says nothing) or
    #: ``"fastest"``.
    algorithm: str = "own"
    #: ``"own"``, ``"identity"``, ``"searched"``, or the rank of each position in the schedule (a
    #: permutation of all ranks).
    mapping: str | list[int] = "own"
    _searched: dict[tuple[str, bool, bool], list[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        texts(
            "Collective", operation=self.operation, buffers=self.buffers, algorithm=self.algorithm
        )
        instance(self.system, System, "Collective: system")
        known = list(dict.fromkeys(str(a["operation"]) for a in _gossamer.collective_algorithms()))
        if self.operation not in known:
            raise UsageError(f"no collective '{self.operation}' (there are: {', '.join(known)})")
        if integer(self.ranks, "Collective: ranks", 1 << 31) < 1:
            raise UsageError(f"{self.operation}: ranks: 1 or more, not {self.ranks}")
        if self.buffers not in ("device", "host"):
            raise UsageError(
                f"{self.operation}: buffers: '{self.buffers}' is neither device nor host"
            )
        if isinstance(self.mapping, str) and self.mapping not in ("own", "identity", "searched"):
            raise UsageError(
                f"{self.operation}: mapping: '{self.mapping}' is none of own, identity and "
                "searched, and no list of ranks"
            )
        integer(self.root, "Collective: root", 1 << 31)
        if self.root != 0 and self.operation not in ROOTED:
            raise UsageError(f"{self.operation}: a root is for {', '.join(ROOTED)}")

    def _schedule(
        self, algorithm: str, size: int, mapping: list[int], via_host: bool
    ) -> _gossamer.Schedule:
        element = 1 if size % ELEMENT else ELEMENT
        return _gossamer.Schedule(
            self.operation, algorithm, self.ranks, size // element, element, self.root,
            False, True, 0, mapping, via_host, True,
        )  # fmt: skip

    def _mapping(self, algorithm: str, size: int, via_host: bool, own: bool) -> list[int]:
        if not isinstance(self.mapping, str):
            return self.mapping
        if self.mapping == "identity" or (self.mapping == "own" and not own):
            return []
        # Hops decide for the smallest messages, conflicts for all others.
        small = size <= 64
        key = (algorithm, via_host, small)
        if key not in self._searched:
            searched = size if small else 4096 * self.ranks * ELEMENT
            plain = self._schedule(algorithm, searched, [], via_host)
            self._searched[key] = _gossamer.search_mapping(
                plain, self.system.name, list(self.system.changes)
            )
        return self._searched[key]

    def _candidates(self, size: int) -> list[tuple[str, bool, bool]]:
        """Algorithm, via host memory, mapping of its own."""
        via_host, own = _gossamer.system_software(self.system.name, list(self.system.changes))
        via_host = via_host and self.buffers == "device"
        if self.algorithm not in ("own", "fastest"):
            return [(self.algorithm, via_host, own)]
        if self.algorithm == "own":
            row = _gossamer.system_collective(
                self.system.name, list(self.system.changes), self.operation, size, self.ranks,
                self.buffers,
            )  # fmt: skip
            if row is not None:
                return [(row[0], row[1] and self.buffers == "device", row[2])]
        known = [a for a in _gossamer.collective_algorithms() if a["operation"] == self.operation]
        # One that is not there: let the library say which operations there are.
        return [(str(a["name"]), via_host, own) for a in known] or [("", False, False)]

    def conflicts(self, size: int, found: CollectivePrediction) -> tuple[list[int], list[int]]:
        """By round, for ranks in order and as `found` maps them: flows that share a link."""

        def of(mapping: list[int]) -> list[int]:
            schedule = self._schedule(found.algorithm, size, mapping, found.via_host)
            return _gossamer.conflicts(schedule, self.system.name, list(self.system.changes))

        return of([]), of(found.mapping)

    def predict(self, size: int) -> CollectivePrediction:
        """`size`: bytes of the message or, where each rank has one, of a block.

        UsageError when a reduction's are no whole number of values, or ranks too many.
        """
        if integer(size, "Collective: size") < 0:
            raise UsageError(f"Collective: size: 0 bytes or more, not {size}")
        if self.operation in _REDUCING and size % ELEMENT:
            raise UsageError(no_values(self.operation, size))
        best: CollectivePrediction | None = None
        for algorithm, via_host, own in self._candidates(size):
            mapping = self._mapping(algorithm, size, via_host, own)
            found = _gossamer.replay(
                self._schedule(algorithm, size, mapping, via_host),
                self.system.name,
                list(self.system.changes),
                self.buffers,
            )
            if best is None or found["seconds"] < best.seconds:
                best = CollectivePrediction(
                    found["seconds"], algorithm, via_host, mapping, found["parts"], found["largest"]
                )
        assert best is not None  # there is at least one candidate
        return best


def _without_software(schedule: _gossamer.Schedule, system: System, buffers: str) -> float:
    found = _gossamer.replay(schedule, system.name, list(system.changes), buffers)
    return float(found["seconds"] - found["parts"]["software"])


def ping_pong(system: System, size: int, buffers: str = "device") -> float:
    """Seconds one way between ranks 0 and 1, without the software of collectives."""
    instance(system, System, "ping_pong: system")
    texts("ping_pong", buffers=buffers)
    if integer(size, "ping_pong: size") < 0:
        raise UsageError(f"ping_pong: size: 0 bytes or more, not {size}")
    put = _gossamer.Schedule("broadcast", "flat", 2, size, 1, 0, True, True, 0, [], False, True)
    return _without_software(put, system, buffers)


def device_copy(system: System, size: int) -> float:
    """Seconds of a copy within one device."""
    copy = _gossamer.Schedule("scatter", "direct", 1, size, 1, 0, False, True, 0, [], False, True)
    return _without_software(copy, system, "device")

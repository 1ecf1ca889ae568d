"""Predictions on modelled systems: a collective's replay, and whole programs in virtual time.

Nothing is measured here. A collective is a schedule replayed without payload; conjugate gradient
and breadth-first search are the programs themselves, run on ``sim`` machines, whose clocks are
virtual.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from gossamer import _gossamer
from gossamer.algorithm.bfs import BfsSearch
from gossamer.algorithm.cg import CgSolver
from gossamer.arguments import instance, integer, texts
from gossamer.errors import UsageError
from gossamer.graph import Graph
from gossamer.machine import Machine

#: Questions that paper E leaves open, as changes of a system that talks by PIO and chained DMA.
WHAT_IF: dict[str, tuple[str, tuple[str, ...]]] = {
    "hub-reduction": (
        "scalars are reduced in the hub chips: only the first store leaves a CPU and only the last "
        "result reaches one (745 ns); in between 25 clocks of 250 MHz a step",
        ("transfer.pio.latency=1e-7", "software.step=0", "software.call=7.45e-7"),
    ),
    "staged-puts": (
        "GPU buffers go through host memory: cudaMemcpy down and up, CPU-to-CPU puts between",
        ("software.via=host",),
    ),
    "own-mapping": (
        "every collective has a node mapping of its own",
        ("software.mapping=searched",),
    ),
}


@dataclass(frozen=True)
class System:
    """A modelled system with changes to its numbers."""

    name: str
    changes: tuple[str, ...] = ()
    #: What to call it; default its name.
    label: str = ""

    def __post_init__(self) -> None:
        texts("System", name=self.name, label=self.label)
        instance(self.changes, tuple, "System: changes", "a tuple of texts")
        for change in self.changes:
            texts("System", change=change)
        _gossamer.system_nodes(self.name, list(self.changes))  # refuses what there is not

    @property
    def title(self) -> str:
        """The label, or else the name."""
        return self.label or self.name

    @property
    def nodes(self) -> int:
        """Nodes of the hardware described; 0 = any number."""
        return _gossamer.system_nodes(self.name, list(self.changes))

    @property
    def description(self) -> str:
        """The TOML that describes it, without the changes.

        UsageError where it is a file of the user's and cannot be read.
        """
        if not self.name.endswith(".toml"):
            return _gossamer.system_text(self.name)
        try:
            return Path(self.name).read_text(encoding="utf-8")
        except OSError as error:
            raise UsageError(f"System: {self.name}: {error.strerror}") from None

    def beyond(self, ranks: int) -> str:
        """What to say of predictions with more ranks than nodes; empty for others.

        UsageError when they are more than the description may be extended to.
        """
        count = integer(ranks, "System: ranks", 1 << 31)
        return _gossamer.system_beyond(self.name, list(self.changes), count)

    def machine(self, ranks: int) -> Machine:
        """Ranks that are nodes of it; UsageError when it cannot have so many (see beyond())."""
        count = integer(ranks, "System: ranks", 1 << 31)
        return Machine(",".join([f"sim:{self.name}", f"ranks={count}", *self.changes]))

    def what_if(self, question: str) -> System:
        """The same with one of WHAT_IF's answers built in."""
        texts("System", what_if=question)
        if question not in WHAT_IF:
            raise UsageError(f"System: what_if: '{question}' is none of {', '.join(WHAT_IF)}")
        return System(self.name, self.changes + WHAT_IF[question][1], f"{self.title} + {question}")


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
    instance(system, System, "device_copy: system")
    if integer(size, "device_copy: size") < 0:
        raise UsageError(f"device_copy: size: 0 bytes or more, not {size}")
    copy = _gossamer.Schedule("scatter", "direct", 1, size, 1, 0, False, True, 0, [], False, True)
    return _without_software(copy, system, "device")


@dataclass(frozen=True)
class CgPrediction:
    """Conjugate gradient on some ranks of a system."""

    ranks: int
    #: Of `iterations` iterations.
    seconds: float
    iterations: int
    #: Seconds of rank 0 by operation (paper E, Fig. 15); they add up to about `seconds`.
    parts: dict[str, float]

    @property
    def largest(self) -> str:
        """The operation that takes most."""
        return max(self.parts, key=lambda name: self.parts[name])


def cg(matrix: Graph, system: System, ranks: int, iterations: int = 1000) -> CgPrediction:
    """Runs paper E's iteration (one product, three dot products, three vector updates, one
    allgather, three scalar allreduces) in virtual time. Iterations are alike, so few are run."""

    instance(matrix, Graph, "cg: matrix")
    instance(system, System, "cg: system")
    if integer(iterations, "cg: iterations") < 1:
        raise UsageError(f"cg: iterations: 1 or more, not {iterations}")

    def run(length: int) -> tuple[float, dict[str, float]]:
        solver = CgSolver(
            matrix, system.machine(ranks), iterations=length, exchange="allgather",
            engine="published",
        )  # fmt: skip
        result = solver.solve(np.ones(matrix.vertices))
        return 1e-3 * result.milliseconds, {k: 1e-3 * v for k, v in result.phases.items()}

    first, few = 1, min(5, max(2, iterations))
    (short, short_parts), (long, long_parts) = run(first), run(few)
    steps = few - first

    def extended(a: float, b: float) -> float:
        """From the first iteration on all cost the same."""
        return a + (b - a) / steps * (iterations - first)

    return CgPrediction(
        ranks,
        extended(short, long),
        iterations,
        {name: extended(short_parts[name], long_parts[name]) for name in long_parts},
    )


@dataclass(frozen=True)
class BfsPrediction:
    """Breadth-first search on some ranks of a system."""

    ranks: int
    #: ``"published"`` (paper B's messages of fixed size) or ``"compact"`` (frontiers as lists).
    variant: str
    seconds: float
    teps: float
    levels: int
    #: Seconds by phase: expand, exchange, agree, tree.
    parts: dict[str, float]
    #: By kind (flag, out, tree): rounds, messages, bytes, seconds, and, for the published variant,
    #: bytes and count of one message by paper B's formulas.
    messages: dict[str, dict[str, float]]


#: Messages of fixed size (paper B), or frontiers as lists.
_VARIANTS = ("published", "compact")


def _formulas(vertices: int, ranks: int) -> dict[str, int]:
    """Paper B's bytes of one message: 4, 4 N / p and 8 N / p."""
    return {"flag": 4, "out": 4 * vertices // ranks, "tree": 8 * vertices // ranks}


def bfs(graph: Graph, system: System, ranks: int, source: int, variant: str) -> BfsPrediction:
    """Runs a search from the vertex with index `source` in virtual time."""
    texts("bfs", variant=variant)
    if variant not in _VARIANTS:
        raise UsageError(f"bfs: variant {variant!r} is none of {', '.join(_VARIANTS)}")
    instance(system, System, "bfs: system")
    placed = system.machine(ranks).place(graph)
    if variant == "published":
        search = BfsSearch(placed, engine="published")
    else:
        search = BfsSearch(placed, direction="top-down")
    result = search.run(source)
    formulas = _formulas(graph.vertices, ranks)
    messages: dict[str, dict[str, float]] = {}
    for kind in result.messages:
        assert kind.milliseconds is not None  # both variants tell sending from work
        messages[kind.kind] = {
            "rounds": kind.rounds,
            "messages": kind.messages,
            "bytes": kind.bytes,
            "seconds": 1e-3 * kind.milliseconds,
        }
        if variant == "published":
            messages[kind.kind]["formula_bytes"] = formulas[kind.kind]
    return BfsPrediction(
        ranks,
        variant,
        1e-3 * result.milliseconds,
        result.teps,
        result.levels,
        {name: 1e-3 * ms for name, ms in result.phases.items()},
        messages,
    )

"""What searches and solvers share: made ready for a graph on a machine, run any number of times,
results that stay where a run left them, checks."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import numpy as np
import numpy.typing as npt

from gossamer import _gossamer
from gossamer.arguments import device_ordinal, instance, integer, seconds, shown
from gossamer.arrays import Array, id_array, number_array, uploaded
from gossamer.errors import UsageError, VerificationError, check_time
from gossamer.graph import Graph
from gossamer.graph.names import VertexNames
from gossamer.graph.shape import GraphShape, planning_handle
from gossamer.machine import Machine, chosen_machine, laid_out, machine_of
from gossamer.machine.placed_graph import PlacedGraph
from gossamer.machine.plans import MemoryPlan, memory_plan
from gossamer.trace import Trace, recorder

from .by_name import ByName
from .options import named_options

Made = TypeVar("Made", bound="Prepared")
Result = TypeVar("Result")


@dataclass(frozen=True)
class WorklistCounters:
    """Work of all ranks together, counted by a distributed worklist."""

    #: Items worked on: vertices whose neighbours were offered a value.
    items: int
    #: … of them, for which that had been done before, with a worse value.
    repeated: int
    #: Items received that were no better than what was there.
    useless: int
    #: Arcs to other ranks along which nothing was sent, because the local copy of the value there
    #: was as good.
    filtered: int
    #: Items that crossed ranks.
    sent: int
    #: … and the bytes of their contents.
    bytes: int
    #: … and the puts that took them.
    parcels: int
    #: Items put off because their priority was beyond the threshold.
    deferred: int
    #: Times that the threshold moved.
    windows: int
    #: Rounds of termination detection.
    rounds: int
    #: Arcs looked at.
    arcs: int
    #: Items whose rows others relaxed, at least in part (balance ``steal``).
    stolen: int = 0
    #: Bytes of what was stolen.
    given_bytes: int = 0
    #: Of the arcs, those of the rank that looked at most; 0 on GPUs.
    most_arcs: int = 0

    @staticmethod
    def of(counted: tuple[int, ...] | None) -> WorklistCounters | None:
        """What the library counted; None of engines without a worklist."""
        return None if counted is None else WorklistCounters(*counted)


class Prepared:
    """A graph laid over a machine, and what one algorithm made ready there."""

    #: The algorithm's name, and the bindings' functions.
    _algorithm: ClassVar[str]
    _make: ClassVar[Callable[..., Any]]
    _plan: ClassVar[Callable[..., dict[str, Any]]]

    graph: Graph
    machine: Machine

    def _prepare(
        self, graph: Graph | PlacedGraph, machine: Machine | str | None,
        options: Mapping[str, Any], there: Callable[[Graph], bool] = lambda graph: True,
        **beside: Any,
    ) -> Any:  # fmt: skip
        """The bindings' object. `there`: of a graph on the machine's only GPU, whether the usual
        engine works on it as it is. `beside`: what the bindings take beside options."""
        of = self._algorithm
        self.graph, self.machine, partition = laid_out(
            of, graph, machine, options.get("partition", "auto")
        )
        self._moved = ""
        if not isinstance(graph, PlacedGraph):
            self.machine, self._moved = self._chosen(graph, self.machine, options)
        self._timeout: float | None = options.get("timeout")
        how = {"part_of": None} | named_options(of, {**options, "partition": partition})
        as_it_is = how.get("engine", "auto") in ("auto", "sync") and there(self.graph)
        with self.graph._naming_arcs():
            return type(self)._make(
                self.machine._handle, self.graph._on(self.machine, as_it_is),
                timeout=seconds(self._timeout, of), trace=recorder(options.get("trace")),
                **beside, **how,
            )  # fmt: skip

    @classmethod
    def _chosen(
        cls, graph: Graph, machine: Machine | str | None, options: Mapping[str, Any]
    ) -> tuple[Machine, str]:
        """See :func:`chosen_machine`."""
        return chosen_machine(cls._algorithm, graph, machine, options)

    @classmethod
    def _once(
        cls: type[Made], graph: Any, machine: Machine | str | None, options: Mapping[str, Any],
        run: Callable[[Made], Result],
    ) -> Result:  # fmt: skip
        """What `run` makes of an object of this class, which no one else uses. Where the trace is
        named by a path, it is written there."""
        kind: Any = cls
        path = options.get("trace")
        if not isinstance(path, (str, Path)):
            return run(kind(graph, machine, **options))
        recording = Trace()
        prepared = kind(graph, machine, **{**options, "trace": recording})
        result = run(prepared)
        if prepared.machine.here():
            recording.write(path)
        return result

    def _finished(self, raw: dict[str, Any]) -> dict[str, Any]:
        raw["ranks_reason"] = self._moved or raw["ranks_reason"]
        return finished(self._algorithm, raw, self.machine, self._timeout)

    def _named(self, raw: dict[str, Any]) -> dict[str, Any]:
        """As :meth:`_finished`, of a :class:`ValuesResult`."""
        return self._finished(raw) | {"_names": self.graph._vertex_names}

    @classmethod
    def _planned(
        cls,
        graph: Graph | GraphShape,
        machine: Machine | str | None,
        options: Mapping[str, Any],
        **beside: Any,
    ) -> MemoryPlan:
        how = {"part_of": None} | named_options(cls._algorithm, options)
        if isinstance(graph, Graph):
            machine, _ = cls._chosen(graph, machine, options)
        machine = machine_of(machine)
        handle = planning_handle(graph, machine, options.get("partition", "auto"))
        return memory_plan(cls._plan(machine._handle, handle, **beside, **how))


@dataclass(frozen=True, kw_only=True, repr=False)
class ValuesResult(ByName):
    """What results of shortest paths, components and PageRank share."""

    #: Names of the arrays; the first one's values are left where they were made.
    _arrays: ClassVar[tuple[str, ...]]

    engine: str
    #: Why it.
    engine_reason: str
    #: Ranks that worked.
    ranks_used: int
    #: Why not all of the machine's, or why CPUs for ``auto``; empty when all did.
    ranks_reason: str
    #: What the worklist of engines ``async`` and ``host`` did; None with other engines.
    work: WorklistCounters | None
    _values: _gossamer.ResultValues | None = None
    #: Without the graph, which a result of numbers does not keep.
    _names: VertexNames | None = None

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "_arrays" in vars(cls) and "_values_in" not in vars(cls):
            cls._values_in = cls._arrays

    def _vertex_names(self) -> VertexNames:
        assert self._names is not None
        return self._names

    def _here(self) -> npt.NDArray[Any]:
        assert self._values is not None
        return self._values.numpy()

    def __getstate__(self) -> dict[str, Any]:
        """Values wherever a run left them travel as the array on the host."""
        getattr(self, self._arrays[0])
        return {**vars(self), "_values": None}

    def gather(self, what: str, device: str | int = "cpu") -> Any:
        """One of the result's arrays, by its name, on one device.

        ``"cpu"`` gives the NumPy array. ``"cuda:K"`` or K gives an :class:`Array` on that GPU:
        without a copy where the run left the values there, otherwise by way of the host.
        """
        instance(what, str, "gather: what", "text")
        if what not in self._arrays:
            raise UsageError(f"gather: '{what}' is none of {', '.join(self._arrays)}")
        ordinal = device_ordinal(device)
        left = self._values
        if what == self._arrays[0] and left is not None and 0 <= ordinal == left.ordinal:
            return Array(*left.view())
        host = getattr(self, what)
        if ordinal < 0:
            return host
        if host is None:
            raise UsageError(f"gather: this result has no {what}")
        return uploaded(host, ordinal)


def finished(
    what: str, raw: dict[str, Any], machine: Machine, timeout: float | None
) -> dict[str, Any]:
    """What the library says of a run, as results have it: phases in milliseconds, what a worklist
    counted by name. Timeout for a run that took too long."""
    if not machine.virtual:
        # The slowest rank's time, so that all processes of a run agree.
        check_time(what, raw["milliseconds"] / 1e3, timeout)
    raw["phases"] = {name: 1e3 * spent for name, spent in raw["phases"].items()}
    if "work" in raw:
        raw["work"] = WorklistCounters.of(raw["work"])
    return raw


def run_verifier(
    of: str, function: str, timeout: float | None, check: Callable[[float | None], Any]
) -> Any:
    """What `check` says within `timeout` seconds: whether a result is right, numbers, and why not.

    VerificationError, which begins with `of`, for one that is wrong; Timeout. `function`: who was
    given the limit.
    """
    limit = seconds(timeout, function)
    start = time.monotonic()
    ok, *numbers, reason = check(limit)
    check_time("the verification", time.monotonic() - start, timeout)
    if not ok:
        raise VerificationError(f"{of}: {reason}")
    return numbers


def vertex_of(graph: Any, x: Any, what: str) -> int:
    """`x` as the index of a vertex: by name, too, where the graph's names are not integers."""
    if isinstance(graph, PlacedGraph) and graph.whole:
        graph = graph.graph
    return graph._vertex(x, what) if isinstance(graph, Graph) else integer(x, what)


def vertices_of(graph: Any, given: Any, what: str) -> npt.NDArray[np.int64]:
    """Indices of several vertices: an array of integers as it is, others one by one."""
    if isinstance(given, np.ndarray):
        as_it_is = given.ndim == 1 and given.dtype.kind in "iu"
    else:
        as_it_is = hasattr(given, "__dlpack__")
    if as_it_is:
        return np.ascontiguousarray(id_array(given, what), np.int64)
    try:
        several = None if isinstance(given, str) else list(given)
    except (NotImplementedError, TypeError):  # numbers, arrays of no dimension, matrices of blocks
        several = None
    except ValueError as error:  # SciPy's arrays that contradict themselves
        raise UsageError(f"{what}: {error}") from None
    if several is None:
        raise UsageError(f"{what}: expected several vertices, got {shown(given)}")
    return np.array([vertex_of(graph, one, what) for one in several], np.int64)


def vertex_numbers(graph: Graph, values: Any, name: str, of: str) -> npt.NDArray[Any]:
    """One number a vertex; `name` is what they are called, `of` whose result they are."""
    array = number_array(values, name)
    if len(array) != graph.vertices:
        raise VerificationError(
            f"{of}: there are {len(array)} numbers to compare, the graph has {graph.vertices} "
            "vertices"
        )
    return array

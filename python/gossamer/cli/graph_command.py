"""What bfs, sssp, components and pagerank share as commands: graph, plan, runs, report."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import IO, Annotated, Any, TypeVar

import numpy as np
import typer

from gossamer.algorithm.bfs import draw_sources
from gossamer.algorithm.options import table
from gossamer.algorithm.prepared import Prepared, ValuesResult
from gossamer.arguments import memory_of_devices
from gossamer.cli import options
from gossamer.errors import UsageError
from gossamer.graph import Graph
from gossamer.graph.shape import GraphShape
from gossamer.graph.statistics import PartitionQuality
from gossamer.machine import Machine
from gossamer.machine.plans import MemoryPlan

from .groups import Reading, Running, Working
from .input.graphs import GraphSource
from .input.numbers import check_length
from .input.partitions import (
    METHODS,
    check_partition,
    measuring,
    partition_argument,
    quality_json,
    quality_line,
)
from .output.files import TraceOutput, plain_names
from .output.plots import check_plot
from .output.progress import progress
from .output.report import (
    MemoryUse,
    Report,
    describe_graph,
    describe_machine,
    graph_json,
    machine_json,
    plan_json,
    print_plan,
    print_work,
    work_json,
)
from .output.results import check_results_path, write_results
from .runs import Runs

Result = TypeVar("Result")


def without_arrays(result: Any) -> Any:
    """A result for words about it: its arrays, one a run, would be more than any plan has."""
    arrays: dict[str, Any] = {
        of.name: np.empty(0, value.dtype)
        for of in fields(result)
        if isinstance(value := getattr(result, of.name), np.ndarray)
    }
    if isinstance(result, ValuesResult):
        arrays["_values"] = None
    return replace(result, **arrays)


def run_json(result: Any) -> dict[str, Any]:
    """What each entry of "runs" says, whatever the algorithm."""
    return {
        "milliseconds": result.milliseconds,
        "phases": result.phases,
        "engine": result.engine,
        "engine_reason": result.engine_reason,
        "work": work_json(result.work),
    }


@dataclass(frozen=True)
class Sources:
    """A vertex that is named, or any number that are drawn."""

    source: Annotated[
        str | None, typer.Option(metavar="V", help="Source vertex, by the file's own id or name.")
    ] = None
    sources: Annotated[
        int | None,
        typer.Option(
            min=1, max=(1 << 63) - 1, metavar="K", help="Draw K sources of degree 1 or more."
        ),
    ] = None
    seed: Annotated[int, typer.Option(min=0, metavar="S", help="Seed of the draw.")] = 1

    def check(self, context: typer.Context, command: str, verify_with: object, what: str) -> None:
        """UsageError for options that would do nothing beside --source, and for a --verify-with
        without it: `what` a file has of each vertex is from one source."""
        given = options.given(context)
        if "source" in given and "sources" in given:
            raise UsageError("give --source or --sources, not both")
        if "source" in given and "seed" in given:
            raise UsageError(f"{command}: --seed is for sources that are drawn, --source names one")
        if verify_with is not None and self.source is None:
            raise UsageError(f"--verify-with: give the --source that its {what} are from")

    @property
    def json(self) -> dict[str, Any]:
        """As "options" have them; ids are numbers there."""
        of = self.source
        return asdict(self) | {"source": of if of is None else options.number_or_text(of)}

    def choose(self, graph: Graph) -> list[int]:
        """Their indices."""
        if self.source is not None:
            return [options.vertex(graph, self.source, "--source")]
        found = draw_sources(graph, self.sources or 1, self.seed)
        if not found:
            raise UsageError(
                f"{graph.name}: no vertex has an edge to draw a source from; give --source"
            )
        return found


@dataclass
class GraphCommand:
    """One command line of such a command: what it works on, where, and how it reports."""

    name: str
    report: Report
    where: Machine
    #: --memory of the host, and as given.
    limit: int | None
    memory: str | None
    origin: GraphSource
    running: Running
    working: Working
    tracing: TraceOutput
    #: The same as the library takes it; see :meth:`divide`.
    parts: Any = "auto"
    #: What works, where that was decided before: `where`, or fewer of its ranks.
    on: Machine = field(init=False)
    _quality: PartitionQuality | None = None
    #: The first source's result, where it is drawn.
    drawn: Any = None
    #: The last result, where it is written, and the vertices' names.
    _last: Any = None
    _names: Any = None

    def __post_init__(self) -> None:
        self.on = self.where

    @property
    def partition(self) -> str:
        """As asked for: a method's name, or a file."""
        return self.running.partition

    @classmethod
    def open(
        cls,
        name: str,
        graph: str,
        reading: Reading,
        running: Running,
        working: Working,
        *,
        weights: bool = False,
        largest_component: bool = False,
        searches_alone: bool = False,
        on_host: bool = False,
    ) -> GraphCommand:
        """Checks what every such command takes. `searches_alone`: of several GPUs the first may be
        all that works. `on_host`: what works takes the graph from the host."""
        options.check_timeout(running.timeout)
        check_partition(running.partition)
        if running.output is not None:
            check_results_path(running.output)
        if running.plot is not None:
            check_plot(running.plot)
        tracing = TraceOutput(running.trace)
        report = Report(working.json)
        # A limit of GPUs alone is none of the host.
        of_gpus = working.memory is not None and memory_of_devices(working.memory, "--memory") < 0
        limit = None if of_gpus else working.limit
        where = report.open_machine(running.machine)
        origin = GraphSource(
            graph, reading, threads=working.threads, memory=limit, weights=weights,
            largest_component=largest_component,
        )  # fmt: skip
        # A generator makes its graph where it will be used, unless little of it may be there, or
        # it is so small that CPUs may be asked to use it.
        first = where.devices[0]
        alone = where.size == 1 or searches_alone
        stays = where.spec != "auto" or not origin.is_small
        if alone and stays and not of_gpus and not on_host and first.kind == "cuda":
            origin = replace(origin, device=first.ordinal)
        return cls(name, report, where, limit, working.memory, origin, running, working, tracing)

    def plan(
        self,
        plan: Callable[[GraphShape, int, Any], MemoryPlan],
        output_bytes: int = 0,
        beside: Callable[[GraphShape], tuple[list[dict[str, Any]], dict[str, Any]]] | None = None,
        kept_for: str = "--output",
    ) -> None:
        """Prints what loading and one run take; `plan` gets the graph's shape, the bytes of a
        weight (0: there is none) and a partition. `output_bytes`: what is kept of each vertex, for
        --output or `kept_for`. `beside` may set `on`, and gives further entries and keys."""
        loading = self.origin.plan()
        shape = self.origin.shape(loading)
        more, keys = ([], {}) if beside is None else beside(shape)
        # Of a file its length is all that matters, and the graph has that.
        table = self.partition if self.partition in METHODS else np.empty(0, np.int32)
        running = plan_json(
            plan(shape, loading["weight_bytes"], table),
            self.on,
            loading["limits"]["host"]["bytes"],
        )
        entries = loading["entries"] + running["entries"] + self.tracing.plan(self.on)
        if self._divides:
            entries.append(measuring(loading))
        if kept := output_bytes * loading["vertices"]:
            sure = loading["vertices_are"]
            entries.append(
                {"device": "host", "purpose": kept_for, "bytes": kept, "certainty": sure}
            )
        limits = running["limits"] | loading["limits"]
        print_plan(
            self.report, loading | {"entries": entries + more, "limits": limits} | keys, self.name,
            self.origin.text,
        )  # fmt: skip

    @property
    def _divides(self) -> bool:
        return self.partition != "auto" and self.on.size > 1

    def load(self, *numbers: tuple[Path | None, Any]) -> Graph:
        """The graph. InputError for files whose `numbers` are not one a vertex."""
        loaded = self.origin.load()
        for path, values in numbers:
            if path is not None and values is not None:
                check_length(path, values, loaded)
        return loaded

    def divide(self, loaded: Graph) -> None:
        """Finds or reads `parts`."""
        with progress("partitioning"):
            self.parts, kept = partition_argument(
                self.partition, loaded, self.on.size, self.origin.path, self.limit
            )
        if kept:
            self.report.line(kept)

    def _measure(self, loaded: Graph) -> None:
        """What the partition costs: a pass over all arcs, after the runs."""
        if not self._divides or self.report.mute or loaded.vertices == 0:
            return
        ranks, parts = self.on.size, self.parts
        with progress("measuring the partition"):
            if isinstance(parts, str):
                parts = loaded.partition(parts, ranks, memory=self.limit)
            self._quality = loaded.partition_quality(parts, ranks, memory=self.limit)

    def plan_of(
        self, kind: type[Prepared], how: dict[str, Any], output_bytes: int = 0,
        kept_for: str = "--output",
    ) -> None:  # fmt: skip
        """:meth:`plan` of a search or solver with these options."""

        def planned(shape: GraphShape, weight_bytes: int, table: Any) -> MemoryPlan:
            beside = {"weight_bytes": weight_bytes or 4} if kind._algorithm == "sssp" else {}
            given = how | {"partition": table, "memory": self.memory}
            return kind._planned(shape, self.where, given, **beside)

        self.plan(planned, output_bytes, kept_for=kept_for)

    def prepared(
        self, kind: type[Prepared], how: dict[str, Any], *numbers: tuple[Path | None, Any]
    ) -> tuple[Graph, dict[str, Any], MemoryPlan]:
        """The graph, all that `kind` is made with beside it, and what a run takes."""
        loaded = self.load(*numbers)
        self.divide(loaded)
        given = how | {"memory": self.memory, "trace": self.tracing.recording}
        if "partition" in table(kind._algorithm):
            given["partition"] = self.parts
        self.on, _ = kind._chosen(loaded, self.where, given)
        with progress("planning"):
            needs = kind._planned(loaded, self.on, given)
        return loaded, given | {"timeout": self.running.timeout}, needs

    def save(
        self, runs: Runs[Any], arrays: Callable[[Any], dict[str, Any]], *, by_vertex: bool = True
    ) -> None:
        """The end of a command: :meth:`Runs.save` of the last result's arrays, and the trace."""
        path = self.running.output

        def write(file: IO[bytes]) -> None:
            assert path is not None
            names = plain_names(self._names)
            write_results(file, path, names, arrays(self._last), by_vertex=by_vertex)

        runs.save(self.report, self.where, path, write)
        self.tracing.write(self.report, self.on)

    def draw(self, draw: Callable[[Path], None]) -> None:
        """Has --plot's file written, where that was asked for."""
        path = self.running.plot
        if path is None:
            return
        if self.on.here():
            draw(path)
        self.report.line(f"wrote {path}")

    def runs(
        self,
        check: Callable[[Result], object],
        to_json: Callable[[Result], dict[str, Any]],
        keep: Callable[[Result], Any] = without_arrays,
    ) -> Runs[Result]:
        """The runs to come, checked where that was asked for; what is kept of the first has no
        arrays."""
        checked = self.running.verify or self.running.verify_with is not None
        return Runs(self.name, "running", check if checked else None, to_json, keep)

    def make_all(
        self,
        loaded: Graph,
        needs: MemoryPlan,
        runs: Runs[Result],
        chosen: dict[str, Any],
        prepare: Callable[[], Callable[..., Result]],
        inputs: list[tuple[Any, ...]],
        keep: Callable[[int, Result], object] | None = None,
        ranks: dict[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Prepares, runs each input as often as asked for, and returns all but the summary of the
        JSON.

        `keep` gets the number of each input and the last of its results. `ranks` are said, where
        they were chosen before; else those of the results."""
        taken, repeat = MemoryUse(self.on), self.running.repeat
        with progress(f"preparing {loaded.name}"):
            run = prepare()
        described = {
            "algorithm": self.name,
            "graph": graph_json(loaded),
            "machine": machine_json(self.on),
            "options": chosen | self.running.json | {"memory": self.limit or self.memory},
            "ranks": ranks or {},
            "runs": runs.described,
            "partition": None,
        }

        def after(number: int, result: Any) -> None:
            if ranks is None:
                described["ranks"] = {
                    "used": result.ranks_used,
                    "of": self.where.size,
                    "reason": result.ranks_reason,
                }
            if number == 0 and self.running.plot is not None:
                self.drawn = result
            if len(runs.described) % repeat == 0:
                if keep is not None:
                    keep(number, result)
                elif self.running.output is not None:
                    self._last, self._names = result, loaded.names

        runs.make_all(self.report, self.on, described, run, inputs, repeat, after)
        described["memory"] = taken.json(needs)
        self._measure(loaded)
        if self._quality is not None:
            described["partition"] = quality_json(self._quality, self.partition)
        return described

    @property
    def quality(self) -> str | None:
        """What the partition costs, in words, where that was measured."""
        return None if self._quality is None else quality_line(self._quality, self.partition)

    def print_head(self, loaded: Graph, first: Any) -> None:
        """Graph, machine, engine, and the phases of the first run."""
        report, where = self.report, self.where
        describe_graph(report, loaded)
        describe_machine(report, self.on)
        report.line(f"engine {first.engine}: {first.engine_reason}")
        if first.ranks_reason:
            report.line(f"used {first.ranks_reason} (--use all: all of them)")
        if self.quality is not None:
            report.line(self.quality)
        elif self.partition != "auto" and where.size == 1:
            report.line(f"partition {self.partition}: one rank owns everything, with or without")
        report.table(
            "phases of the first run",
            ["phase", "ms"],
            [(name, f"{ms:.3f}") for name, ms in first.phases.items()],
        )
        if first.work is not None:
            print_work(report, first.work)

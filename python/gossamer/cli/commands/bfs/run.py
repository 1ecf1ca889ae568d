"""The work of `gossamer bfs`: what was asked for, its plan, and the searches."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from gossamer.algorithm.bfs import BfsRanks, BfsResult, BfsSearch, ranks_for_bfs, use_of_ranks
from gossamer.cli.graph_command import GraphCommand
from gossamer.cli.input.distances import read_distances
from gossamer.cli.input.numbers import check_length
from gossamer.cli.input.partitions import METHODS
from gossamer.cli.input.sources import choose_sources
from gossamer.cli.output.plots import plot_levels
from gossamer.cli.output.progress import progress
from gossamer.cli.output.traces import TraceOutput
from gossamer.graph import Graph
from gossamer.graph.shape import GraphShape
from gossamer.machine.placed_graph import PlacedGraph
from gossamer.machine.plans import MemoryPlan

from .breakdown import FirstRun
from .output import OUTPUT_BYTES, SearchOutput
from .ranks import ranks_json, ranks_line
from .report import print_search, run_json, summary


@dataclass(frozen=True)
class How:
    """How to search: what :class:`BfsSearch` and its plan take alike."""

    direction: str
    engine: str
    transport: str
    results: str
    duplicates: str
    balance: str
    priority: str
    route: str
    packet: str | None
    deterministic: bool


@dataclass(frozen=True)
class Asked:
    """Everything else that the command line says of searches."""

    source: int | None
    sources: int | None
    seed: int
    repeat: int
    verify: bool
    verify_with: Path | None
    use: str
    timeout: float | None
    renumber: str
    threads: int
    breakdown: bool
    output: Path | None
    plot: Path | None

    def json(self, how: How) -> dict[str, Any]:
        """The "options" object, but for what all commands have."""
        of_output = ("threads", "breakdown", "output", "plot")
        said = {k: v for k, v in asdict(self).items() if k not in of_output}
        if self.verify_with is not None:
            said["verify_with"] = str(self.verify_with)
        return said | asdict(how)


@dataclass
class SearchRun:
    """One call of the command."""

    command: GraphCommand
    how: How
    asked: Asked
    tracing: TraceOutput

    def _choose_ranks(self, graph: Graph | GraphShape) -> BfsRanks:
        """How many of those asked about work: `command.on` from now on."""
        asked, command = self.asked, self.command
        ranks = ranks_for_bfs(
            command.where, graph, use_of_ranks(asked.use, command.partition, self.how.engine),
            renumber=asked.renumber, memory=command.limit, engine=self.how.engine,
            deterministic=self.how.deterministic,
        )  # fmt: skip
        command.on = ranks.machine
        return ranks

    def _plan(self, what: Graph | GraphShape, parts: Any) -> MemoryPlan:
        return BfsSearch.plan(
            self.command.on, what, partition=parts, renumber=self.asked.renumber,
            memory=self.command.limit, **asdict(self.how),
        )  # fmt: skip

    def print_plan(self) -> None:
        """Bytes of what would run, and on how many ranks."""
        command = self.command
        each = 0 if self.asked.output is None else (self.asked.sources or 1) * OUTPUT_BYTES
        # A partition from a file takes what any table of parts takes.
        table = command.partition if command.partition in METHODS else "hash"
        chosen: list[BfsRanks] = []

        def beside(shape: GraphShape) -> tuple[list[dict[str, Any]], dict[str, Any]]:
            chosen.append(self._choose_ranks(shape))
            ranks = {"ranks": ranks_json(chosen[0], command.where)}
            return self.tracing.plan(command.on), ranks

        command.plan(
            lambda shape, _, __: self._plan(shape, table), lambda vertices: vertices * each, beside
        )
        command.report.line(ranks_line(chosen[0], command.where))

    def run(self) -> None:
        """Loads, places, searches from every source, reports."""
        asked, command = self.asked, self.command
        expected = None
        if asked.verify_with is not None:
            expected = read_distances(asked.verify_with, "depths")
        graph = command.origin.load()
        if asked.verify_with is not None and expected is not None:
            check_length(asked.verify_with, expected, graph)
        ranks = self._choose_ranks(graph)
        command.divide(graph)
        with progress("planning"):
            needs = self._plan(graph, command.parts)
            sources = choose_sources(graph, asked.source, asked.sources, asked.seed)
        keep = None
        if asked.output is not None:
            keep = SearchOutput(asked.output, graph, sources, command.limit)
            keep.prepare()

        def check(result: BfsResult) -> None:
            if expected is not None:
                result.compare_depths(expected)
            if asked.verify:
                result.verify(threads=asked.threads, timeout=asked.timeout)

        runs = command.runs(
            len(sources) * asked.repeat,
            check if asked.verify or expected is not None else None,
            lambda result, verified: run_json(graph, result, verified),
            FirstRun.of,
        )
        placed: list[PlacedGraph] = []

        def prepare() -> Any:
            placed.append(
                command.on.place(
                    graph, partition=command.parts, renumber=asked.renumber, memory=command.limit
                )
            )
            return BfsSearch(
                placed[0], timeout=asked.timeout, trace=self.tracing.recording, **asdict(self.how)
            ).run

        described = command.make_all(
            graph, needs, runs, asked.json(self.how), prepare,
            [(vertex,) for vertex in sources], None if keep is None else keep.keep, asked.repeat,
            ranks_json(ranks, command.where),
        )  # fmt: skip
        self._report(placed[0], ranks, runs.first, len(sources), described)
        if runs.failure is not None:
            raise runs.failure
        if keep is not None:
            if command.on.here():
                with progress(f"writing {keep.path.name}"):
                    keep.write()
            command.report.line(f"wrote {keep.path}")

    def _report(
        self,
        placed: PlacedGraph,
        ranks: BfsRanks,
        first: Any,
        sources: int,
        described: dict[str, Any],
    ) -> None:
        asked, report, on = self.asked, self.command.report, self.command.on
        assert first is not None  # at least one source, at least one run
        described["summary"] = {"sources": sources} | summary(described["runs"], placed)
        notes = []
        if asked.sources is not None and sources < asked.sources:
            notes.append(
                f"only {sources:,} vertices have an edge: so many sources, not {asked.sources:,}"
            )
        if self.command.quality is not None:
            notes.append(self.command.quality)
        if ranks.reason:
            notes.append(ranks_line(ranks, self.command.where))
        print_search(report, placed, first, described, notes, asked.breakdown)
        report.json(described)
        self.tracing.write(report, on)
        if asked.plot is not None:
            if on.here():
                title = (
                    f"{placed.name} on {on.spec}: {first.reached:,} vertices, "
                    f"{first.milliseconds:.3f} ms"
                )
                plot_levels(asked.plot, first.per_level, title)
            report.line(f"wrote {asked.plot}")

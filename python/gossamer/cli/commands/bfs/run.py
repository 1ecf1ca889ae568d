"""The work of `gossamer bfs`: what was asked for, its plan, and the searches."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from gossamer.algorithm.bfs import BfsRanks, BfsResult, BfsSearch, ranks_for_bfs, use_of_ranks
from gossamer.cli import options
from gossamer.cli.graph_command import GraphCommand
from gossamer.cli.input.numbers import read_distances
from gossamer.cli.input.partitions import METHODS
from gossamer.cli.input.sources import Sources
from gossamer.cli.output.plots import plot_levels
from gossamer.cli.output.progress import progress
from gossamer.cli.output.searches import SearchOutput
from gossamer.cli.output.traces import TraceOutput
from gossamer.graph import Graph
from gossamer.graph.shape import GraphShape
from gossamer.machine.placed_graph import PlacedGraph
from gossamer.machine.plans import MemoryPlan

from .breakdown import FirstRun
from .report import print_search, ranks_json, ranks_line, run_json, summary

#: Arrays of an output, and their types.
_KINDS: dict[str, np.dtype[Any]] = {"parents": np.dtype(np.int64), "depths": np.dtype(np.int32)}


@dataclass(frozen=True)
class How:
    """How to search: what :class:`BfsSearch` and its plan take alike."""

    direction: Annotated[str, typer.Option(help="auto, top-down or bottom-up.")] = "auto"
    engine: options.EngineOfBfs = "auto"
    deterministic: Annotated[
        bool, typer.Option("--deterministic", help="Smallest possible parents (a second pass).")
    ] = False


@dataclass(frozen=True)
class Asked:
    """What runs there are, and what is done with their results."""

    repeat: Annotated[int, typer.Option(min=1, metavar="N", help="Runs of each source.")] = 1
    verify: options.Verify = False
    verify_with: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Compare with depths in .npz, .npy or text."),
    ] = None
    use: options.Use = "auto"
    renumber: Annotated[str, typer.Option(help="none or degree (inside each rank).")] = "none"
    timeout: options.Timeout = None
    breakdown: Annotated[
        bool, typer.Option("--breakdown", help="Messages by kind, and what copies hide.")
    ] = False
    output: Annotated[
        Path | None,
        typer.Option("--output", metavar="FILE.npz", help="Parents and depths of each source."),
    ] = None
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Levels of the first run as .png, .svg …")
    ] = None

    def json(self) -> dict[str, Any]:
        """What the "options" object says of it."""
        of_output = ("breakdown", "output", "plot")
        return {name: value for name, value in asdict(self).items() if name not in of_output}


@dataclass
class SearchRun:
    """One call of the command."""

    command: GraphCommand
    begin: Sources
    how: How
    asked: Asked
    threads: int
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
        each = sum(kind.itemsize for kind in _KINDS.values())
        # A partition from a file takes what any table of parts takes.
        table = command.partition if command.partition in METHODS else "hash"
        chosen: list[BfsRanks] = []

        def beside(shape: GraphShape) -> tuple[list[dict[str, Any]], dict[str, Any]]:
            chosen.append(self._choose_ranks(shape))
            ranks = {"ranks": ranks_json(chosen[0], command.where)}
            return self.tracing.plan(command.on), ranks

        command.plan(
            lambda shape, _, __: self._plan(shape, table),
            0 if self.asked.output is None else (self.begin.sources or 1) * each,
            beside,
        )
        command.report.line(ranks_line(chosen[0], command.where))

    def run(self) -> None:
        """Loads, places, searches from every source, reports."""
        asked, command = self.asked, self.command
        expected = None
        if asked.verify_with is not None:
            expected = read_distances(asked.verify_with, "depths")
        graph = command.load((asked.verify_with, expected))
        ranks = self._choose_ranks(graph)
        command.divide(graph)
        with progress("planning"):
            needs = self._plan(graph, command.parts)
            sources = self.begin.choose(graph)
        saved = None
        if asked.output is not None:
            saved = SearchOutput(graph, sources, _KINDS, "parents and depths", command.limit)

        def check(result: BfsResult) -> None:
            if expected is not None:
                result.compare_depths(expected)
            if asked.verify:
                result.verify(threads=self.threads, timeout=asked.timeout)

        runs = command.runs(
            check if asked.verify or expected is not None else None,
            lambda result: run_json(graph, result),
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
            graph, needs, runs, asdict(self.begin) | asked.json() | asdict(self.how), prepare,
            [(vertex,) for vertex in sources], asked.repeat, None if saved is None else saved.keep,
            ranks_json(ranks, command.where),
        )  # fmt: skip
        described["summary"] = {"sources": len(sources)} | summary(runs, placed[0])
        self._report(placed[0], ranks, runs.first, len(sources), described)
        runs.save(command.report, command.on, asked.output, None if saved is None else saved.write)

    def _report(
        self,
        placed: PlacedGraph,
        ranks: BfsRanks,
        first: FirstRun,
        sources: int,
        described: dict[str, Any],
    ) -> None:
        asked, report, on = self.asked, self.command.report, self.command.on
        notes = []
        if self.begin.sources is not None and sources < self.begin.sources:
            notes.append(
                f"only {sources:,} vertices have an edge: so many sources, not "
                f"{self.begin.sources:,}"
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

"""The work of `gossamer bfs`: what was asked for, its plan, and the searches."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ..bfs import BfsRanks, BfsResult, BfsSearch, ranks_for_bfs, use_of_ranks
from ..graph import Graph
from ..graph_shape import GraphShape
from ..machine import Machine
from ..placed_graph import PlacedGraph
from ..plans import MemoryPlan
from .bfs_breakdown import FirstRun
from .bfs_output import SearchOutput
from .bfs_plan import full_plan, ranks_json, ranks_line
from .bfs_report import print_search, run_json, summary
from .graphs import GraphSource
from .memory import MemoryUse
from .number_files import check_length
from .output import Report, graph_json, machine_json, print_plan, reporting_lost
from .partitions import partition_argument, quality_json, quality_line
from .plots import plot_levels
from .progress import progress
from .runs import Runs
from .sources import choose_sources
from .sssp_files import read_distances
from .traces import TraceOutput

__all__ = ["Asked", "How", "SearchRun"]


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
    deterministic: bool


@dataclass(frozen=True)
class Asked:
    """Everything else that the command line says."""

    source: int | None
    sources: int | None
    seed: int
    repeat: int
    verify: bool
    verify_with: Path | None
    use: str
    timeout: float | None
    partition: str
    renumber: str
    memory: int | None
    threads: int
    breakdown: bool
    output: Path | None
    plot: Path | None

    def json(self, how: How) -> dict[str, Any]:
        """The "options" object."""
        of_output = ("threads", "breakdown", "output", "plot")
        said = {k: v for k, v in asdict(self).items() if k not in of_output}
        if self.verify_with is not None:
            said["verify_with"] = str(self.verify_with)
        return said | asdict(how)


@dataclass
class SearchRun:
    """One call of the command."""

    origin: GraphSource
    #: What was asked for; searches may use fewer of its ranks.
    where: Machine
    how: How
    asked: Asked
    report: Report
    tracing: TraceOutput

    def _ranks(self, graph: Graph | GraphShape) -> BfsRanks:
        asked = self.asked
        return ranks_for_bfs(
            self.where, graph, use_of_ranks(asked.use, asked.partition, self.how.engine),
            renumber=asked.renumber, memory=asked.memory, engine=self.how.engine,
            deterministic=self.how.deterministic,
        )  # fmt: skip

    def _plan(self, on: Machine, what: Graph | GraphShape, parts: Any) -> MemoryPlan:
        asked = self.asked
        return BfsSearch.plan(
            on, what, partition=parts, renumber=asked.renumber, memory=asked.memory,
            **asdict(self.how),
        )  # fmt: skip

    def print_plan(self) -> None:
        """Bytes of what would run, and on how many ranks."""
        asked = self.asked
        loading = self.origin.plan()
        shape = self.origin.shape(loading)
        ranks = self._ranks(shape)
        kept = 0 if asked.output is None else asked.sources or 1
        full = full_plan(
            loading, ranks.machine, lambda table: self._plan(ranks.machine, shape, table),
            asked.partition, kept,
        )  # fmt: skip
        full["entries"] += self.tracing.plan(ranks.machine)
        full["ranks"] = ranks_json(ranks, self.where)
        print_plan(self.report, full, "bfs", self.origin.text)
        self.report.line(ranks_line(ranks, self.where))

    def run(self) -> None:
        """Loads, places, searches from every source, reports."""
        asked = self.asked
        expected = None
        if asked.verify_with is not None:
            expected = read_distances(asked.verify_with, "depths")
        graph = self.origin.load()
        if asked.verify_with is not None and expected is not None:
            check_length(asked.verify_with, expected, graph)
        ranks = self._ranks(graph)
        on = ranks.machine
        with progress("planning"):
            parts, kept = partition_argument(
                asked.partition, graph, on.size, self.origin.path, asked.memory
            )
            plan = self._plan(on, graph, parts)
            sources = choose_sources(graph, asked.source, asked.sources, asked.seed)
        if kept:
            self.report.line(kept)
        keep = None
        if asked.output is not None:
            keep = SearchOutput(asked.output, graph, sources, asked.memory)
            keep.prepare()
        taken = MemoryUse(on)
        with progress(f"placing {graph.name}"):
            placed = on.place(graph, partition=parts, renumber=asked.renumber, memory=asked.memory)
            search = BfsSearch(
                placed, timeout=asked.timeout, trace=self.tracing.recording, **asdict(self.how)
            )
        described: dict[str, Any] = {
            "algorithm": "bfs",
            "graph": graph_json(graph),
            "machine": machine_json(on),
            "ranks": ranks_json(ranks, self.where),
            "options": asked.json(self.how),
        }
        runs = self._search_all(graph, on, search, sources, keep, expected, described)
        described["partition"] = None
        described["summary"] = {"sources": len(sources)}
        described["memory"] = taken.json(plan)
        self._report(placed, ranks, runs, described)
        if runs.failure is not None:
            raise runs.failure
        if keep is not None:
            self._write(keep, on)

    def _search_all(
        self, graph: Graph, on: Machine, search: BfsSearch, sources: list[int],
        keep: SearchOutput | None, expected: npt.NDArray[np.float64] | None,
        described: dict[str, Any],
    ) -> Runs[BfsResult, FirstRun]:  # fmt: skip
        asked = self.asked

        def check(result: BfsResult) -> None:
            if expected is not None:
                result.compare_depths(expected)
            if asked.verify:
                result.verify(threads=asked.threads, timeout=asked.timeout)

        runs: Runs[BfsResult, FirstRun] = Runs(
            "bfs",
            "searching",
            len(sources) * asked.repeat,
            FirstRun.of,
            check if asked.verify or expected is not None else None,
            lambda result, verified: run_json(graph, result, verified),
        )
        described["runs"] = runs.described
        with (
            progress("bfs, searching", unit=runs.unit) as bar,
            reporting_lost(self.report, on, described),
        ):
            for i, vertex in enumerate(sources):
                for again in range(asked.repeat):
                    result = runs.make(bar, search.run, vertex)
                    if keep is not None and again + 1 == asked.repeat:
                        keep.keep(i, result)
                    del result  # its arrays serve the next run
        return runs

    def _report(
        self,
        placed: PlacedGraph,
        ranks: BfsRanks,
        runs: Runs[BfsResult, FirstRun],
        described: dict[str, Any],
    ) -> None:
        asked, report, on = self.asked, self.report, ranks.machine
        first = runs.first
        assert first is not None  # at least one source, at least one run
        described["summary"] |= summary(runs.described, placed)
        notes = []
        found = described["summary"]["sources"]
        if asked.sources is not None and found < asked.sources:
            notes.append(
                f"only {found:,} vertices have an edge: so many sources, not {asked.sources:,}"
            )
        if on.size > 1 and asked.partition != "auto" and not report.mute:  # a pass over all arcs
            with progress("measuring the partition"):
                quality = placed.partition_quality()
            notes.append(quality_line(quality, asked.partition))
            described["partition"] = quality_json(quality, asked.partition)
        if ranks.reason:
            notes.append(ranks_line(ranks, self.where))
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

    def _write(self, keep: SearchOutput, on: Machine) -> None:
        if on.here():
            with progress(f"writing {keep.path.name}"):
                keep.write()
        self.report.line(f"wrote {keep.path}")

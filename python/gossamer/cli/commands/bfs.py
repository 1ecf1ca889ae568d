"""`gossamer bfs GRAPH`: breadth-first search from one vertex or many, verified on request."""

from __future__ import annotations

import statistics
from dataclasses import asdict, dataclass
from types import SimpleNamespace
from typing import Annotated, Any

import numpy as np
import typer

from gossamer.algorithm.bfs import (
    BfsRanks,
    BfsResult,
    BfsSearch,
    ranks_for_bfs,
    reads_columns,
    use_of_ranks,
)
from gossamer.algorithm.options import options_behind
from gossamer.cli import graph_command, options
from gossamer.cli.graph_command import GraphCommand, Sources
from gossamer.cli.groups import OfTable, Reading, Running, Working
from gossamer.cli.input.numbers import read_distances
from gossamer.cli.input.partitions import METHODS
from gossamer.cli.output.files import SearchOutput
from gossamer.cli.output.plots import plot_levels
from gossamer.cli.output.progress import progress
from gossamer.cli.output.report import (
    Report,
    describe_graph,
    describe_machine,
    format_bytes,
    print_work,
)
from gossamer.cli.runs import Runs, checked, print_runs
from gossamer.graph import Graph
from gossamer.graph.shape import GraphShape
from gossamer.machine import Machine
from gossamer.machine.placed_graph import PlacedGraph
from gossamer.machine.plans import MemoryPlan

#: Arrays of an output, and their types.
_KINDS: dict[str, np.dtype[Any]] = {"parents": np.dtype(np.int64), "depths": np.dtype(np.int32)}


#: What TEPS counts, by graph.symmetric.
_EDGES = {
    True: "undirected edges of the component reached (stored arcs of reached vertices / 2, as "
    "Graph500 counts)",
    False: "arcs out of reached vertices",
}

#: Where parents are then, by whether they have gone to the host.
_PLACES = {False: "on their owners", True: "in the host's memory"}

_SHOWN_LEVELS = 40


def _first_run(result: BfsResult) -> Any:
    """What is printed of the first run: all of its result but the arrays."""
    kept = (
        "source", "engine", "engine_reason", "reached", "milliseconds", "per_level", "phases",
        "messages", "overlap", "hidden", "link_limit", "work",
    )  # fmt: skip
    return SimpleNamespace(**{name: getattr(result, name) for name in kept})


def overlap_json(result: BfsResult) -> dict[str, Any] | None:
    """What computing hid of the exchange; null for engines that do not overlap."""
    if not result.overlap:
        return None
    return {
        "hidden": result.hidden,
        "link_limit": result.link_limit,
        "levels": [asdict(level) for level in result.overlap],
    }


def print_breakdown(report: Report, result: Any) -> None:
    """What ranks sent each other, by paper B's kinds."""
    meanings = {
        "flag": "agreement on direction and end",
        "out": "frontiers",
        "tree": "the result's way to one place",
    }
    report.table(
        "messages of the first run, all ranks",
        ["kind", "what", "times", "messages", "bytes", "ms"],
        [
            (
                sent.kind,
                meanings[sent.kind],
                sent.rounds,
                f"{sent.messages:,}",
                format_bytes(sent.bytes),
                "–" if sent.milliseconds is None else f"{sent.milliseconds:.3f}",
            )
            for sent in result.messages
        ],
        (0, 1),
    )


def print_overlap(report: Report, result: Any) -> None:
    """Per level: how much of the exchange was hidden, and how near it came to the links' limit."""
    limit = result.link_limit

    def rate(value: float | None) -> str:
        if value is None:
            return "?"
        share = "" if limit is None else f" ({value / limit:.0%})"
        return f"{value * 1e-9:.2f} GB/s{share}"

    def number(value: float | None) -> str:
        return "?" if value is None else f"{value:.3f}"

    report.table(
        "exchange of the first run, all ranks",
        ["depth", "bytes a stage", "copies, ms", "waited, ms", "hidden", "throughput"],
        [
            (
                depth,
                format_bytes(max(level.bytes_per_stage)),
                number(level.copy_milliseconds),
                f"{level.idle_milliseconds:.3f}",
                "?" if level.hidden is None else f"{level.hidden:.0%}",
                rate(level.throughput),
            )
            for depth, level in enumerate(result.overlap)
        ],
    )
    hidden = "unknown" if result.hidden is None else f"{result.hidden:.0%}"
    links = "unknown" if limit is None else f"{limit * 1e-9:.2f} GB/s"
    report.line(f"communication hidden behind computing: {hidden}; all links together: {links}")


def run_json(graph: Graph, result: BfsResult) -> dict[str, Any]:
    """One entry of "runs"."""
    levels = result.per_level
    messages = {sent.kind: asdict(sent) for sent in result.messages}
    for sent in messages.values():
        del sent["kind"]
    return graph_command.run_json(result) | {
        "source": graph.name_of(result.source),
        "levels": result.levels,
        "reached": result.reached,
        "edges": result.edges,
        "teps": result.teps,
        "frontiers": [level.frontier for level in levels],
        # null: levels of a worklist overlap.
        "level_milliseconds": [level.milliseconds for level in levels]
        if result.work is None
        else None,
        "messages": messages,
        "overlap": overlap_json(result),
        # One letter a level: t = top-down, b = bottom-up.
        "directions": "".join(level.direction[0] for level in levels),
    }


def summary(runs: Runs[BfsResult], placed: PlacedGraph) -> dict[str, Any]:
    """The "summary" object: over all runs."""
    rates = runs.all_of("teps")
    return runs.summary() | {
        "harmonic_mean_teps": statistics.harmonic_mean(rates),
        "min_teps": min(rates),
        "max_teps": max(rates),
        "uploads": placed.uploads,
        "placement_seconds": placed.seconds,
    }


def ranks_json(ranks: BfsRanks, where: Machine) -> dict[str, Any]:
    """The "ranks" object: how many of those asked about take part, and why so many."""
    return {
        "used": ranks.machine.size,
        "of": where.size,
        "reason": ranks.reason,
        "provided": ranks.provided,
    }


def ranks_line(ranks: BfsRanks, where: Machine) -> str:
    """The same in words."""
    unless = f", provided that {ranks.provided}" if ranks.provided else ""
    if ranks.reason:
        fewer = ranks.machine is not where
        return f"used {ranks.reason}{unless}" + (" (--use all: all of them)" if fewer else "")
    return f"used all {where.size} rank(s){unless}"


def _rate(teps: float) -> str:
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if teps >= size:
            return f"{teps / size:.2f} {unit}TEPS"
    return f"{teps:.0f} TEPS"


def _print_levels(report: Report, result: Any) -> None:
    rows: list[tuple[object, ...]] = [
        (depth, level.direction, f"{level.frontier:,}", f"{level.milliseconds:.3f}")
        for depth, level in enumerate(result.per_level)
    ]
    if len(rows) > _SHOWN_LEVELS:
        half = _SHOWN_LEVELS // 2
        rows = [*rows[:half], ("…", "", "", ""), *rows[-half:]]
    # Levels of a worklist overlap: they are counted from the depths, and have no times.
    columns = ["depth", "direction", "frontier", "ms"][: 3 if result.work is not None else 4]
    report.table("levels", columns, [row[: len(columns)] for row in rows], (1,))
    report.table(
        "phases", ["phase", "ms"], [(name, f"{ms:.3f}") for name, ms in result.phases.items()]
    )


def print_search(
    report: Report,
    placed: PlacedGraph,
    first: Any,
    described: dict[str, Any],
    notes: list[str],
    breakdown: bool,
) -> None:
    """Everything that is said of the searches `described`; `notes` are lines about all of them."""
    where = placed.machine
    describe_graph(report, placed.graph)
    describe_machine(report, where)
    report.line(f"placed in {placed.seconds:.2f} s, {placed.uploads} upload(s)")
    report.line(f"engine {first.engine}: {first.engine_reason}")
    for note in notes:
        report.line(note)
    _print_runs(report, placed.graph, first, described["runs"], described["summary"])
    if breakdown:
        print_breakdown(report, first)
        if first.overlap:
            print_overlap(report, first)
        if first.work is not None:
            print_work(report, first.work)
    behind = options_behind(described["options"]["engine"])
    place = _PLACES[behind.get("results", "stay") != "stay"]
    clock = "virtual" if where.virtual else "wall"
    report.line(
        f"TEPS: {_EDGES[placed.symmetric]} per second of {clock} time, from the source to finished "
        f"parents {place}; reading, placement, gathering and verification are not timed."
    )


def _print_runs(
    report: Report,
    graph: Graph,
    first: Any,
    runs: list[dict[str, Any]],
    totals: dict[str, Any],
) -> None:
    """Levels and phases of the first run, a row for each run, and the summary."""
    if len(runs) > 1:
        report.line(f"the first run, from vertex {graph.name_of(first.source)}:")
    _print_levels(report, first)
    print_runs(
        report,
        ["source", "levels", "reached", "edges", "ms", "rate", "verified"],
        (
            (run["source"], run["levels"], f"{run['reached']:,}", f"{run['edges']:,}",
             f"{run['milliseconds']:.3f}", _rate(run["teps"]), checked(run["verified"]))
            for run in runs
        ),
    )  # fmt: skip
    if len(runs) > 1:
        report.line(
            f"{len(runs)} runs: median {totals['median_milliseconds']:.3f} ms, harmonic mean "
            f"{_rate(totals['harmonic_mean_teps'])}, verified: {checked(totals['verified'])}"
        )


@dataclass(frozen=True)
class Asked:
    """What searches take beside their options, and what is shown of them."""

    use: Annotated[
        str, typer.Option(help="Of several GPUs: auto (one where more would only wait) or all.")
    ] = "auto"
    renumber: Annotated[str, typer.Option(help="none or degree (inside each rank).")] = "none"
    spill: Annotated[
        str,
        typer.Option(
            help="Where rows lie that GPUs have no room for: host (its memory), none (they are "
            "refused), auto (host, unless --memory is given)."
        ),
    ] = "auto"
    breakdown: Annotated[
        bool, typer.Option("--breakdown", help="Messages by kind, and what copies hide.")
    ] = False


@dataclass
class SearchRun:
    """One call of the command."""

    command: GraphCommand
    begin: Sources
    how: dict[str, Any]
    asked: Asked

    def _choose_ranks(self, graph: Graph | GraphShape) -> BfsRanks:
        """How many of those asked about work: `command.on` from now on."""
        asked, command = self.asked, self.command
        ranks = ranks_for_bfs(
            graph, command.where, use_of_ranks(asked.use, command.partition, self.how["engine"]),
            renumber=asked.renumber, memory=command.memory, spill=asked.spill, **self.how,
        )  # fmt: skip
        command.on = ranks.machine
        return ranks

    def _plan(self, what: Graph | GraphShape, parts: Any) -> MemoryPlan:
        return BfsSearch.plan(
            what, self.command.on, partition=parts, renumber=self.asked.renumber,
            by_columns=reads_columns(self.how["engine"]), memory=self.command.memory,
            spill=self.asked.spill, **self.how,
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
            return [], ranks

        command.plan(
            lambda shape, _, __: self._plan(shape, table),
            0 if self.command.running.output is None else (self.begin.sources or 1) * each,
            beside,
        )
        command.report.line(ranks_line(chosen[0], command.where))

    def run(self) -> None:
        """Loads, places, searches from every source, reports."""
        asked, command, running = self.asked, self.command, self.command.running
        expected = None
        if running.verify_with is not None:
            expected = read_distances(running.verify_with, "depths")
        graph = command.load((running.verify_with, expected))
        ranks = self._choose_ranks(graph)
        command.divide(graph)
        with progress("planning"):
            needs = self._plan(graph, command.parts)
            sources = self.begin.choose(graph)
        saved = None
        if running.output is not None:
            saved = SearchOutput(
                running.output, graph, sources, _KINDS, "parents and depths", command.limit
            )

        def check(result: BfsResult) -> None:
            if expected is not None:
                result.compare_depths(expected)
            if running.verify:
                result.verify(
                    threads=command.working.threads, timeout=running.timeout,
                    smallest_parents=self.how["deterministic"],
                )  # fmt: skip

        runs = command.runs(check, lambda result: run_json(graph, result), _first_run)
        placed: list[PlacedGraph] = []

        def prepare() -> Any:
            at = command.on.place(
                graph, partition=command.parts, renumber=asked.renumber,
                by_columns=reads_columns(self.how["engine"]), memory=command.memory,
                spill=asked.spill,
            )  # fmt: skip
            placed.append(at)
            return BfsSearch(
                placed[0], timeout=running.timeout, trace=command.tracing.recording, **self.how
            ).run

        described = command.make_all(
            graph, needs, runs,
            self.begin.json
            | {"use": asked.use, "renumber": asked.renumber, "spill": asked.spill}
            | self.how,
            prepare, [(vertex,) for vertex in sources], None if saved is None else saved.keep,
            ranks_json(ranks, command.where),
        )  # fmt: skip
        described["summary"] = {"sources": len(sources)} | summary(runs, placed[0])
        self._report(placed[0], ranks, runs.first, len(sources), described)
        runs.save(
            command.report, command.on, running.output, None if saved is None else saved.write
        )

    def _report(
        self,
        placed: PlacedGraph,
        ranks: BfsRanks,
        first: Any,
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
        self.command.tracing.write(report, on)
        title = (
            f"{placed.name} on {on.spec}: {first.reached:,} vertices, {first.milliseconds:.3f} ms"
        )
        self.command.draw(lambda path: plot_levels(path, first.per_level, title))


def bfs(
    context: typer.Context,
    graph: options.GraphArgument,
    *,
    begin: Sources,
    how: Annotated[dict[str, Any], OfTable("bfs", alpha=None, beta=None)],
    asked: Asked,
    running: Running,
    reading: Reading,
    largest_component: options.LargestComponent = False,
    working: Working,
) -> None:
    """Search a graph breadth-first."""
    begin.check(context, "bfs", running.verify_with, "depths")
    command = GraphCommand.open(
        "bfs", graph, reading, running, working,
        largest_component=largest_component, searches_alone=True,
    )  # fmt: skip
    run = SearchRun(command, begin, how, asked)
    if working.plan:
        run.print_plan()
    else:
        run.run()

"""`gossamer bfs GRAPH`: breadth-first search from one vertex or many, verified on request."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ..bfs import BfsResult, BfsSearch, ranks_for_bfs
from ..errors import UsageError
from ..graph import Graph
from ..machine import GraphShape
from ..plans import MemoryPlan
from . import options
from .bfs_output import SearchOutput
from .bfs_plan import full_plan
from .bfs_report import (
    TEPS,
    FirstRun,
    print_breakdown,
    print_overlap,
    print_placed,
    print_runs,
    print_work,
    run_json,
    summary,
)
from .graphs import GraphSource
from .memory import MemoryUse
from .output import Report, graph_json, machine_json, print_plan, reporting_lost
from .partitions import check_partition, partition_argument, quality_json, quality_line
from .plots import check_plot, plot_levels
from .progress import open_machine, progress
from .runs import Runs
from .sources import choose_sources
from .traces import TraceOption, TraceOutput

__all__ = ["bfs"]


def bfs(
    graph: options.GraphArgument,
    source: Annotated[
        int | None,
        typer.Option(metavar="V", help="Source vertex, by the file's own id."),
    ] = None,
    sources: Annotated[
        int | None, typer.Option(min=1, metavar="K", help="Draw K sources of degree 1 or more.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, metavar="S", help="Seed of the draw.")] = 1,
    machine: Annotated[
        str,
        typer.Option(
            metavar="SPEC",
            help="auto, cpu[:P[xT]], cuda[:0-3|:0,2|:0*3], mpi[:T|:cuda], sums with +.",
        ),
    ] = "auto",
    direction: Annotated[str, typer.Option(help="auto, top-down or bottom-up.")] = "auto",
    repeat: Annotated[int, typer.Option(min=1, metavar="N", help="Runs of each source.")] = 1,
    verify: Annotated[bool, typer.Option("--verify", help="Check every run (not timed).")] = False,
    engine: Annotated[str, typer.Option(help="auto, sync, async, vector-queue, …")] = "auto",
    transport: Annotated[
        str, typer.Option(help="Of engine vector-queue: auto, copy or direct.")
    ] = "auto",
    use: Annotated[
        str, typer.Option(help="GPUs of several: auto (one where more would only wait), all.")
    ] = "auto",
    breakdown: Annotated[
        bool, typer.Option("--breakdown", help="Messages by kind, and what copies hide.")
    ] = False,
    deterministic: Annotated[
        bool, typer.Option("--deterministic", help="Smallest possible parents (a second pass).")
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option("--output", metavar="FILE.npz", help="Parents and depths of each source."),
    ] = None,
    trace: TraceOption = None,
    plot: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Levels of the first run as .png, .svg …"),
    ] = None,
    timeout: Annotated[
        float | None,
        typer.Option(metavar="S", help="Seconds one run, or its check, may last."),
    ] = None,
    partition: Annotated[
        str,
        typer.Option(metavar="NAME|FILE", help="auto, ranges, edges, hash, metis, or a file."),
    ] = "auto",
    renumber: Annotated[str, typer.Option(help="none or degree (inside each rank).")] = "none",
    source_format: options.From = "auto",
    symmetrize: options.Symmetrize = False,
    deduplicate: options.Deduplicate = False,
    remove_self_loops: options.RemoveSelfLoops = False,
    largest_component: options.LargestComponent = False,
    threads: options.Threads = 0,
    memory: options.Memory = None,
    plan: options.Plan = False,
    json: options.Json = None,
) -> None:
    """Search a graph breadth-first."""
    if source is not None and sources is not None:
        raise UsageError("give --source or --sources, not both")
    if timeout is not None and not timeout > 0:
        raise UsageError("--timeout: not a positive number of seconds")
    check_partition(partition)
    if output is not None:
        options.check_output_path(output)
    if plot is not None:
        check_plot(plot)
    tracing = TraceOutput(trace)
    report = Report(json)
    limit = options.memory_limit(memory)
    where = open_machine(machine)
    report.mute = not where.here()
    gpus = [d.ordinal for d in where.devices if d.kind == "cuda"]
    origin = GraphSource(
        graph,
        format=source_format,
        symmetrize=symmetrize,
        deduplicate=deduplicate,
        remove_self_loops=remove_self_loops,
        largest_component=largest_component,
        threads=threads,
        memory=limit,
        device=gpus[0] if gpus else None,
    )

    def plan_search(what: Graph | GraphShape, parts: Any) -> MemoryPlan:
        return BfsSearch.plan(
            where,
            what,
            partition=parts,
            renumber=renumber,
            memory=limit,
            direction=direction,
            engine=engine,
            transport=transport,
            deterministic=deterministic,
        )

    if plan:
        kept = 0 if output is None else sources or 1
        full = full_plan(origin, where, plan_search, partition, kept)
        full["entries"] += tracing.plan(where)
        print_plan(report, full, "bfs", graph)
        return
    loaded = origin.load()
    # A partition is one for all ranks, and other engines are asked for by name.
    free = partition == "auto" and engine in ("auto", "single_kernel")
    where, fewer = ranks_for_bfs(where, loaded, use if free or use != "auto" else "all")
    with progress("planning"):
        parts = partition_argument(partition, loaded, where.size)
        search_plan = plan_search(loaded, parts)
        chosen = choose_sources(loaded, source, sources, seed)
    keep = None if output is None else SearchOutput(output, loaded, chosen, limit)
    if keep is not None:
        keep.prepare()

    taken = MemoryUse(where)
    with progress(f"placing {loaded.name}"):
        placed = where.place(loaded, partition=parts, renumber=renumber, memory=limit)
        search = BfsSearch(
            placed,
            direction=direction,
            engine=engine,
            transport=transport,
            deterministic=deterministic,
            timeout=timeout,
            trace=tracing.recording,
        )

    def check(result: BfsResult) -> None:
        result.verify(threads=threads, timeout=timeout)

    runs: Runs[BfsResult, FirstRun] = Runs(
        "bfs",
        "searching",
        len(chosen) * repeat,
        FirstRun.of,
        check if verify else None,
        lambda result, verified: run_json(loaded, result, verified),
    )
    described = {
        "algorithm": "bfs",
        "graph": graph_json(loaded),
        "machine": machine_json(where),
        "options": {
            "source": source,
            "sources": sources,
            "seed": seed,
            "direction": direction,
            "repeat": repeat,
            "verify": verify,
            "engine": engine,
            "transport": transport,
            "use": use,
            "deterministic": deterministic,
            "timeout": timeout,
            "partition": partition,
            "renumber": renumber,
            "memory": limit,
        },
        "runs": runs.described,
    }
    with (
        progress("bfs, searching", unit=runs.unit) as bar,
        reporting_lost(report, where, described),
    ):
        for i, vertex in enumerate(chosen):
            for again in range(repeat):
                result = runs.make(bar, search.run, vertex)
                if keep is not None and again + 1 == repeat:
                    keep.keep(i, result)
                del result  # its arrays serve the next run
    memory_used = taken.json(search_plan)
    assert runs.first is not None  # at least one source, at least one run
    totals = {"sources": len(chosen), **summary(runs.described, placed)}
    quality = None
    if where.size > 1 and partition != "auto" and not report.mute:  # a pass over all arcs
        with progress("measuring the partition"):
            quality = placed.partition_quality()
    print_placed(report, placed)
    if sources is not None and len(chosen) < sources:
        report.line(f"only {len(chosen):,} vertices have an edge: so many sources, not {sources:,}")
    if quality is not None:
        report.line(quality_line(quality, partition))
    print_runs(report, loaded, runs.first, runs.described, totals)
    if fewer:
        report.line(f"used {fewer} (--use all: all of them)")
    if breakdown:
        print_breakdown(report, runs.first)
        if runs.first.overlap:
            print_overlap(report, runs.first)
        if runs.first.work is not None:
            print_work(report, runs.first.work)
    report.line(TEPS[loaded.symmetric])
    report.json(
        described
        | {
            "partition": None if quality is None else quality_json(quality, partition),
            "summary": totals,
            "memory": memory_used,
        }
    )
    tracing.write(report, where)
    if plot is not None:
        if where.here():
            first = runs.first
            plot_levels(plot, first.per_level, f"{loaded.name} on {where.spec}: {first.reached:,} "
                        f"vertices, {first.milliseconds:.3f} ms")  # fmt: skip
        report.line(f"wrote {plot}")
    if runs.failure is not None:
        raise runs.failure
    if keep is not None:
        if where.here():
            with progress(f"writing {keep.path.name}"):
                keep.write()
        report.line(f"wrote {keep.path}")

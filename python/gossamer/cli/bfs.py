"""`gossamer bfs GRAPH`: breadth-first search from one vertex or many, verified on request."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ..bfs import BfsResult, BfsSearch, draw_sources
from ..errors import RankError, UsageError, VerificationError
from ..graph import Graph
from ..machine import GraphShape, MemoryPlan
from . import options
from .bfs_output import OUTPUT_BYTES, SearchOutput
from .bfs_report import TEPS, print_breakdown, print_runs, run_json, summary
from .graphs import GraphSource
from .output import (
    Report,
    describe_graph,
    graph_json,
    machine_json,
    memory_json,
    plan_json,
    print_plan,
    report_lost,
)
from .partitions import (
    METHODS,
    check_partition,
    partition_argument,
    quality_json,
    quality_line,
)
from .progress import open_machine, progress

__all__ = ["bfs"]

#: Bytes a vertex, at most, that measuring a partition takes for a while.
_MEASURE_BYTES = 25


def _choose_sources(graph: Graph, source: int | None, count: int | None, seed: int) -> list[int]:
    if source is not None:
        return [graph.index_of(source)]
    found = draw_sources(graph, 1 if count is None else count, seed)
    if not found:
        raise UsageError(
            f"{graph.name}: no vertex has an edge to draw a source from; give --source"
        )
    return found


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
            metavar="SPEC", help="auto, cpu[:P[xT]], cuda[:0-3|:0,2|:0*3], mpi[:T], sums with +."
        ),
    ] = "auto",
    direction: Annotated[str, typer.Option(help="auto, top-down or bottom-up.")] = "auto",
    repeat: Annotated[int, typer.Option(min=1, metavar="N", help="Runs of each source.")] = 1,
    verify: Annotated[bool, typer.Option("--verify", help="Check every run (not timed).")] = False,
    engine: Annotated[str, typer.Option(help="auto, sync, published, …")] = "auto",
    breakdown: Annotated[
        bool, typer.Option("--breakdown", help="Messages by kind: flag, out, tree.")
    ] = False,
    deterministic: Annotated[
        bool, typer.Option("--deterministic", help="Smallest possible parents (a second pass).")
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option("--output", metavar="FILE.npz", help="Parents and depths of each source."),
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
            deterministic=deterministic,
        )

    if plan:
        loading = origin.plan()
        # A partition from a file takes what any table of parts takes.
        table = partition if partition in METHODS else "hash"
        running = plan_json(
            plan_search(origin.shape(loading), table), where, loading["limits"]["host"]["bytes"]
        )
        full = loading | {
            "entries": loading["entries"] + running["entries"],
            "limits": running["limits"] | loading["limits"],
        }
        if where.size > 1:
            full["entries"].append(
                {
                    "device": "host",
                    "purpose": "measuring the partition",
                    "bytes": loading["vertices"] * _MEASURE_BYTES,
                    "certainty": "about" if loading["vertices_are"] == "about" else "at most",
                }
            )
        if output is not None:
            full["entries"].append(
                {
                    "device": "host",
                    "purpose": f"--output: {sources or 1} parents and depths",
                    "bytes": (sources or 1) * loading["vertices"] * OUTPUT_BYTES,
                    "certainty": loading["vertices_are"],
                }
            )
        print_plan(report, full, "bfs", graph)
        return
    loaded = origin.load()
    with progress("planning"):
        parts = partition_argument(partition, loaded, where.size)
        search_plan = plan_search(loaded, parts)
        chosen = _choose_sources(loaded, source, sources, seed)
    keep = None if output is None else SearchOutput(output, loaded, chosen, limit)
    if keep is not None:
        keep.prepare()

    with progress(f"placing {loaded.name}"):
        placed = where.place(loaded, partition=parts, renumber=renumber, memory=limit)
        search = BfsSearch(
            placed, direction=direction, engine=engine, deterministic=deterministic, timeout=timeout
        )
    first: BfsResult | None = None
    runs: list[dict[str, Any]] = []
    failure: VerificationError | None = None
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
            "deterministic": deterministic,
            "timeout": timeout,
            "partition": partition,
            "renumber": renumber,
            "memory": limit,
        },
        "runs": runs,
    }
    every = len(chosen) * repeat
    # A single run has nothing to count: its bar pulses.
    with progress("bfs, searching", unit="count" if every > 1 else "share") as bar:
        for i, vertex in enumerate(chosen):
            for _ in range(repeat):
                verified = None
                try:
                    if bar is not None:
                        bar.describe("bfs, searching")
                    result = search.run(vertex)
                    if verify:
                        if bar is not None:
                            bar.describe("bfs, verifying")
                        result.verify(threads=threads, timeout=timeout)
                        verified = True
                except VerificationError as error:
                    failure, verified = failure or error, False
                except RankError as error:
                    report_lost(report, where, described, error)
                    raise
                runs.append(run_json(loaded, result, verified))
                first = first or result
                if bar is not None and every > 1:
                    bar(len(runs), every)
            if keep is not None:
                keep.keep(i, result)
    assert first is not None  # at least one source, at least one run
    totals = {"sources": len(chosen), **summary(runs, placed)}
    quality = None
    if where.size > 1 and partition != "auto" and not report.mute:  # a pass over all arcs
        with progress("measuring the partition"):
            quality = placed.partition_quality()
    describe_graph(report, loaded)
    report.line(
        f"machine {where.spec}: {where.size} rank(s), fabric {where.fabric}; "
        f"placed in {placed.seconds:.2f} s, {placed.uploads} upload(s)"
    )
    if where.beyond:
        report.line(where.beyond)
    if sources is not None and len(chosen) < sources:
        report.line(f"only {len(chosen):,} vertices have an edge: so many sources, not {sources:,}")
    if quality is not None:
        report.line(quality_line(quality, partition))
    print_runs(report, loaded, first, runs, totals)
    if breakdown:
        print_breakdown(report, first)
    report.line(TEPS[loaded.symmetric])
    report.json(
        described
        | {
            "partition": None if quality is None else quality_json(quality, partition),
            "summary": totals,
            "memory": memory_json(search_plan),
        }
    )
    if failure is not None:
        raise failure
    if keep is not None:
        if where.here():
            with progress(f"writing {keep.path.name}"):
                keep.write()
        report.line(f"wrote {keep.path}")

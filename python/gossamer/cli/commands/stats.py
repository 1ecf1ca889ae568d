"""`gossamer stats GRAPH`: what a graph looks like, and what a partition of it would cost."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from gossamer.cli import options
from gossamer.cli.groups import Reading, Working
from gossamer.cli.input.graphs import GraphSource
from gossamer.cli.input.partitions import (
    METHODS,
    check_partition,
    partition_argument,
    quality_json,
    quality_line,
)
from gossamer.cli.output.progress import progress
from gossamer.cli.output.report import Report, describe_graph, graph_json, print_plan
from gossamer.errors import UsageError, VerificationError
from gossamer.graph import Graph
from gossamer.graph.statistics import PartitionQuality, Statistics, statistics
from gossamer.graph.verify import verify_partition_quality, verify_statistics

_SHOWN_PARTS = 16


def _parse_partition(text: str) -> tuple[int, str]:
    """`P:NAME` or `P:FILE`."""
    parts, colon, name = text.partition(":")
    if not colon or not parts.isdecimal() or int(parts) < 1 or not name:
        raise UsageError(f"--partition {text}: expected PARTS:NAME or PARTS:FILE, as in 4:metis")
    check_partition(name)
    return int(parts), name


def _partition(
    graph: Graph, parts: int, name: str, source: Path | None, memory: int | None
) -> tuple[Any, PartitionQuality, str]:
    with progress(f"partitioning {graph.name}"):
        part_of, kept = partition_argument(name, graph, parts, source, memory)
        if isinstance(part_of, str):
            part_of = graph.partition("ranges" if name == "auto" else name, parts, memory=memory)
    with progress("measuring the partition"):
        return part_of, graph.partition_quality(part_of, parts, memory=memory), kept


def _verified(
    graph: Graph, found: Statistics, part_of: Any, quality: PartitionQuality | None
) -> VerificationError | None:
    """What is wrong; None if nothing is."""
    try:
        with progress("verifying"):
            verify_statistics(graph, found)
            if quality is not None:
                verify_partition_quality(graph, part_of, quality)
    except VerificationError as error:
        return error
    return None


def _print_statistics(report: Report, s: Statistics) -> None:
    rows: list[tuple[str, object]] = [
        ("vertices", f"{s.vertices:,}"),
        ("stored arcs", f"{s.arcs:,}"),
        ("undirected simple edges", f"{s.simple_edges:,}"),
        ("self-loops", f"{s.self_loops:,}"),
        ("parallel arcs", f"{s.parallel_arcs:,}"),
        ("symmetric", "yes" if s.symmetric else "no"),
        ("isolated vertices", f"{s.isolated_vertices:,}"),
        ("vertices with self-loops only", f"{s.loop_vertices:,}"),
        ("weak components", f"{s.components:,}"),
        ("largest weak component", f"{s.largest_component:,}"),
    ]
    if s.strong_components is not None:
        rows += [
            ("strong components", f"{s.strong_components:,}"),
            ("largest strong component", f"{s.largest_strong_component:,}"),
        ]
    if s.triangles is not None:
        rows.append(("triangles", f"{s.triangles:,}"))
    rows += [
        ("degree: minimum", f"{s.minimum_degree:,}"),
        ("degree: mean", f"{s.mean_degree:.3f}"),
        *(
            ("degree: median" if percent == 50 else f"degree: {percent:g} %", f"{degree:,}")
            for percent, degree in s.percentiles
            if 0 < percent < 100
        ),
        ("degree: maximum", f"{s.maximum_degree:,}"),
    ]
    if s.weights.kind != "none":
        rows += [
            ("weights", s.weights.kind),
            ("weights: minimum", f"{s.weights.minimum:g}"),
            ("weights: maximum", f"{s.weights.maximum:g}"),
            ("weights: zeros", f"{s.weights.zeros:,}"),
            ("weights: negative", f"{s.weights.negatives:,}"),
            ("weights: NaN", f"{s.weights.nans:,}"),
        ]
    rows.append(("weights come from", s.weights.source))
    report.table("", ["count", "value"], rows)
    report.table("vertices by degree", ["degree", "vertices"], _bins(s.degree_histogram), ())


def _bins(histogram: list[int]) -> list[tuple[str, str]]:
    rows = []
    for k, count in enumerate(histogram):
        low, high = (0, 0) if k == 0 else (1 << (k - 1), (1 << k) - 1)
        rows.append((f"{low:,}" if low == high else f"{low:,} - {high:,}", f"{count:,}"))
    return rows


def _print_quality(report: Report, q: PartitionQuality, name: str) -> None:
    report.line(quality_line(q, name))
    rows = list(zip(range(q.parts), q.vertices_of, q.arcs_of, q.halo_of, strict=True))
    report.table("", ["part", "vertices", "arcs", "halo"], rows[:_SHOWN_PARTS], ())
    if len(rows) > _SHOWN_PARTS:
        report.line(f"… and {len(rows) - _SHOWN_PARTS} more parts (all of them with --json)")


def _json(s: Statistics) -> dict[str, Any]:
    value = asdict(s)
    value["percentiles"] = [{"percent": p, "degree": d} for p, d in s.percentiles]
    for key in ("minimum", "maximum"):  # JSON has no infinity
        if not np.isfinite(value["weights"][key]):
            value["weights"][key] = str(value["weights"][key])
    return value


def _plan(source: GraphSource, strong: bool, triangles: bool, method: str | None) -> dict[str, Any]:
    """The plan of reading with what is done afterwards."""
    plan = source.plan()
    source.add_work(plan, "counting", strong=strong, triangles=triangles)
    if method is not None:
        # A partition from a file takes what any table of parts takes.
        source.add_work(plan, f"partitioning by {method if method in METHODS else 'hash'}")
        source.add_work(plan, "measuring the partition")
    return plan


def stats(
    graph: options.GraphArgument,
    partition: Annotated[
        str | None,
        typer.Option(
            "--partition",
            metavar="P:NAME|FILE",
            help="Also cut, balance and halo of P parts by ranges, edges, hash, metis, or a file.",
        ),
    ] = None,
    strong: Annotated[
        bool, typer.Option("--strong/--no-strong", help="Strongly connected components.")
    ] = True,
    triangles: Annotated[
        bool,
        typer.Option(
            "--triangles", help="Count triangles: O(m^1.5) time, an id an edge more memory."
        ),
    ] = False,
    verify: Annotated[
        bool,
        typer.Option("--verify", help="Count anew, but strong components and triangles."),
    ] = False,
    *,
    reading: Reading,
    largest_component: options.LargestComponent = False,
    working: Working,
) -> None:
    """Count vertices, edges, degrees, components and weights of a graph."""
    report = Report(working.json)
    wanted = None if partition is None else _parse_partition(partition)
    limit = working.limit
    source = GraphSource(graph, reading, largest_component, threads=working.threads, memory=limit)
    if working.plan or source.limited:
        method = None if wanted is None else wanted[1]
        full = _plan(source, strong, triangles, method)
        if working.plan:
            print_plan(report, full, "stats", graph)
            return
        source.check(full)
    loaded = source.load()
    with progress(f"counting {loaded.name}") as advance:
        found = statistics(
            loaded,
            strong=strong,
            triangles=triangles,
            threads=working.threads,
            memory=limit,
            progress=advance,
        )
    part_of, quality, kept = None, None, ""
    if wanted is not None:
        part_of, quality, kept = _partition(loaded, *wanted, source.path, limit)
    failure = _verified(loaded, found, part_of, quality) if verify else None
    describe_graph(report, loaded)
    _print_statistics(report, found)
    if quality is not None and wanted is not None:
        _print_quality(report, quality, wanted[1])
        if kept:
            report.line(kept)
    report.json(
        {
            "graph": graph_json(loaded),
            "statistics": _json(found),
            "partition": None
            if quality is None or wanted is None
            else quality_json(quality, wanted[1]),
            "verified": failure is None if verify else None,
        }
    )
    if failure is not None:
        raise failure
    if verify:
        report.line("verified: counted anew, the same")

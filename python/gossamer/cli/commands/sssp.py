"""`gossamer sssp GRAPH`: shortest paths from one vertex or many, verified on request."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from gossamer.algorithm.sssp import SsspResult, SsspSearch, compare_distances, verify_sssp
from gossamer.cli import options
from gossamer.cli.graph_command import GraphCommand, checked
from gossamer.cli.input.distances import DistanceOutput, read_distances
from gossamer.cli.input.numbers import check_length
from gossamer.cli.input.sources import check_sources, choose_sources
from gossamer.cli.output.progress import progress
from gossamer.cli.output.worklists import work_json
from gossamer.errors import UsageError


def _delta(text: str) -> float | None:
    if text == "auto":
        return None
    try:
        width = float(text)
    except ValueError:
        raise UsageError(f"--delta {text}: neither auto nor a number") from None
    if width <= 0:
        raise UsageError(f"--delta {text}: not a positive number")
    return width


def sssp(
    context: typer.Context,
    graph: options.GraphArgument,
    source: Annotated[
        int | None,
        typer.Option(metavar="V", help="Source vertex, by the file's own id."),
    ] = None,
    sources: Annotated[
        int | None, typer.Option(min=1, metavar="K", help="Draw K sources of degree 1 or more.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, metavar="S", help="Seed of the draw.")] = 1,
    target: Annotated[
        list[int] | None,
        typer.Option(metavar="V", help="Say the distance of this vertex; any number of them."),
    ] = None,
    machine: options.MachineOrGpus = "auto",
    delta: Annotated[str, typer.Option(metavar="auto|X", help="Width of a bucket.")] = "auto",
    parents: Annotated[bool, typer.Option("--parents", help="Find a tree as well.")] = False,
    engine: options.EngineOrHost = "auto",
    balance: options.Balance = "none",
    priority: options.Priority = "soft",
    partition: options.Partition = "auto",
    route: options.Route = "direct",
    packet: options.Packet = None,
    use: options.Use = "auto",
    deterministic: options.Deterministic = False,
    weights: options.Weights = False,
    repeat: options.Repeat = 1,
    verify: options.Verify = False,
    verify_with: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Compare with distances in .npz, .npy or text."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", metavar="FILE.npz", help="Distances (and parents)."),
    ] = None,
    timeout: options.Timeout = None,
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
    """Find shortest paths along non-negative weights."""
    check_sources(context, "sssp")
    if verify_with is not None and source is None:
        raise UsageError("--verify-with: give the --source that its distances are from")
    options.check_packet(packet)
    width = _delta(delta)
    command = GraphCommand.open(
        "sssp", graph, machine, json=json, memory=memory, timeout=timeout, output=output,
        threads=threads, partition=partition, weights=weights, format=source_format,
        symmetrize=symmetrize, deduplicate=deduplicate, remove_self_loops=remove_self_loops,
        largest_component=largest_component,
    )  # fmt: skip
    where, limit, report = command.where, command.limit, command.report
    if plan:
        each = 0 if output is None else (sources or 1) * (16 if parents else 8)
        command.plan(
            lambda shape, size, table: SsspSearch.plan(
                shape,
                where,
                engine=engine,
                parents=parents,
                balance=balance,
                priority=priority,
                partition=table,
                route=route,
                packet=packet,
                use=use,
                memory=limit,
                weight_bytes=size,
            ),
            lambda vertices: vertices * each,
        )
        return
    expected = None if verify_with is None else read_distances(verify_with)
    loaded = command.origin.load()
    if verify_with is not None and expected is not None:
        check_length(verify_with, expected, loaded)
    command.divide(loaded)
    with progress("planning"):
        needs = SsspSearch.plan(
            loaded, where, engine=engine, parents=parents, balance=balance, priority=priority,
            partition=command.parts, route=route, packet=packet, use=use, memory=limit,
        )  # fmt: skip
        chosen = choose_sources(loaded, source, sources, seed)
        targets = [(name, loaded.index_of(name)) for name in target or []]
    keep = None
    if output is not None:
        keep = DistanceOutput(output, loaded, chosen, parents, limit)
        keep.prepare()

    def check(result: SsspResult) -> None:
        if expected is not None:
            compare_distances(loaded, result.distances, expected)
        if verify:
            verify_sssp(
                loaded, result.source, result.distances, result.parents,
                threads=threads, timeout=timeout,
            )  # fmt: skip

    def to_json(result: SsspResult, verified: bool | None) -> dict[str, Any]:
        there = result.is_reached
        values = result.distances[there]
        return {
            "source": loaded.name_of(result.source),
            "milliseconds": result.milliseconds,
            "phases": result.phases,
            "engine": result.engine,
            "engine_reason": result.engine_reason,
            "work": work_json(result.work),
            "delta": result.delta,
            "delta_reason": result.delta_reason,
            "rounds": result.rounds,
            "relaxations": result.relaxations,
            "reached": result.reached,
            "largest_distance": values.max().item(),
            "sum_of_distances": values.sum(dtype="u8" if values.dtype.kind == "u" else "f8").item(),
            # null: not reached.
            "distances": {
                str(name): result.distances[i].item() if there[i] else None for name, i in targets
            },
            "verified": verified,
        }

    runs = command.runs(
        len(chosen) * repeat, check if verify or expected is not None else None, to_json
    )
    described = command.make_all(
        loaded,
        needs,
        runs,
        {
            "source": source,
            "sources": sources,
            "seed": seed,
            "delta": delta,
            "parents": parents,
            "engine": engine,
            "balance": balance,
            "priority": priority,
            "route": route,
            "packet": packet,
            "use": use,
            "deterministic": deterministic,
            "verify": verify,
            "verify_with": None if verify_with is None else str(verify_with),
            "timeout": timeout,
        },
        lambda: SsspSearch(
            loaded, where, engine=engine, delta=width, parents=parents,
            deterministic=deterministic, balance=balance, priority=priority,
            partition=command.parts, route=route, packet=packet, use=use,
            memory=limit, timeout=timeout,
        ).run,
        [(vertex,) for vertex in chosen],
        None if keep is None else keep.keep,
        repeat,
    )  # fmt: skip
    assert runs.first is not None  # at least one source, at least one run
    command.print_head(loaded, runs.first)
    if priority == "soft":
        report.line(f"delta {runs.first.delta:g}: {runs.first.delta_reason}")
    else:
        report.line("priority none: first in, first out")
    command.print_runs(
        ["source", "reached", "farthest", "rounds", "arcs looked at", "ms", "verified"],
        [
            (
                run["source"],
                f"{run['reached']:,}",
                f"{run['largest_distance']:,}",
                f"{run['rounds']:,}",
                f"{run['relaxations']:,}",
                f"{run['milliseconds']:.3f}",
                checked(run["verified"]),
            )
            for run in runs.described
        ],
    )
    for run in {run["source"]: run for run in runs.described}.values():
        begin = f"from {run['source']} to" if len(chosen) > 1 else "to"
        for name, value in run["distances"].items():
            report.line(f"{begin} {name}: {'not reached' if value is None else f'{value:,}'}")
    summary = {"sources": len(chosen)} | command.summary(runs.described)
    report.json(described | {"summary": summary})
    if runs.failure is not None:
        raise runs.failure
    if keep is not None:
        if where.here():
            with progress(f"writing {keep.path.name}"):
                keep.write()
        report.line(f"wrote {keep.path}")

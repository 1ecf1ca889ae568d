"""`gossamer gap GRAPH`: the GAP benchmark's six kernels, every trial verified."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from gossamer.bench import KERNELS, Gap, GapKernel, chosen_kernels, plan_kernel
from gossamer.cli import options
from gossamer.cli.groups import Reading, Working
from gossamer.cli.input.graphs import GraphSource
from gossamer.cli.output.progress import progress
from gossamer.cli.output.report import (
    Report,
    describe_graph,
    describe_machine,
    graph_json,
    machine_json,
    plan_json,
    print_plan,
    reporting_lost,
)
from gossamer.cli.runs import checked
from gossamer.machine import Machine


def _json(kernel: GapKernel) -> dict[str, Any]:
    """One entry of "kernels"."""
    return {
        "kernel": kernel.name,
        "machine": kernel.machine,
        "engine": kernel.engine,
        "prepare_seconds": kernel.prepare_seconds,
        "trials": [vars(trial) | {"sources": list(trial.sources)} for trial in kernel.trials],
        "seconds": vars(kernel.time),
        "edges_per_second": kernel.edges_per_second,
        "verified": kernel.verified,
    }


def _plan(report: Report, source: GraphSource, where: Machine, kernels: tuple[str, ...]) -> None:
    """Of reading, and of the kernel that takes most."""
    loading = source.plan()
    shape = source.shape(loading)
    most = max((plan_kernel(kernel, shape, where) for kernel in kernels), key=lambda p: p.total)
    running = plan_json(most, where, loading["limits"]["host"]["bytes"])
    entries = loading["entries"] + running["entries"]
    if "sssp" in kernels and not source.weights:
        entries.append(
            {"device": "host", "purpose": "weights for sssp", "bytes": 28 * loading["arcs"],
             "certainty": "at most"}
        )  # fmt: skip
    limits = running["limits"] | loading["limits"]
    print_plan(report, loading | {"entries": entries, "limits": limits}, "gap", source.text)


def gap(
    graph: options.GraphArgument,
    machine: options.Machine = "auto",
    kernels: Annotated[
        str, typer.Option(metavar="NAMES", help=f"Some of {', '.join(KERNELS)}, with commas.")
    ] = ",".join(KERNELS),
    trials: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="At most so many of each, for a first look."),
    ] = None,
    seed: Annotated[
        int, typer.Option(min=0, metavar="S", help="Seed of sources, and of weights.")
    ] = 1,
    verify: Annotated[
        bool, typer.Option("--verify/--no-verify", help="Check every trial (not timed).")
    ] = True,
    timeout: options.Timeout = None,
    *,
    reading: Reading,
    largest_component: options.LargestComponent = False,
    working: Working,
) -> None:
    """Run the GAP benchmark: six kernels, each trial verified."""
    options.check_timeout(timeout)
    wanted = chosen_kernels([name for name in kernels.split(",") if name])
    report = Report(working.json)
    where = report.open_machine(machine)
    source = GraphSource(
        graph, reading, largest_component, threads=working.threads, memory=working.limit
    )
    if source.generated:
        source = GraphSource(
            graph, reading, largest_component, weights=True, threads=working.threads,
            memory=working.limit,
        )  # fmt: skip
    if working.plan:
        return _plan(report, source, where, wanted)
    loaded = source.load()
    described: dict[str, Any] = {
        "algorithm": "gap",
        "graph": graph_json(loaded),
        "machine": machine_json(where),
        "options": {
            "kernels": list(wanted), "trials": trials, "seed": seed, "verify": verify,
            "timeout": timeout,
        },
        "kernels": [],
    }  # fmt: skip
    with (
        progress(f"gap, {loaded.name}", unit="count") as bar,
        reporting_lost(report, where, described, by="kernel"),
    ):

        def told(kernel: str, done: int, of: int) -> None:
            if bar is not None:
                bar.describe(f"gap, {kernel}")
                bar(done, of)

        run = Gap(
            loaded, where, kernels=wanted, trials=trials, seed=seed, verify=verify,
            threads=working.threads, timeout=timeout, progress=told,
        )  # fmt: skip
        for kernel in wanted:
            done = run.run_kernel(kernel)
            described["kernels"].append(_json(done))
            if done.failure is not None:
                break
    result = run.result
    describe_graph(report, loaded)
    describe_machine(report, where)
    for done in result.kernels:
        if done.machine != where.spec:
            report.line(f"{done.name} ran on {done.machine}: these ranks have no engine for it")
    report.table(
        "kernels",
        ["kernel", "engine", "trials", "mean ms", "median ms", "min ms", "max ms", "edges/s",
         "verified"],
        [
            (done.name, done.engine, len(done.trials),
             *(f"{1e3 * value:.3f}" for value in (done.time.mean, done.time.median,
                                                  done.time.minimum, done.time.maximum)),
             f"{done.edges_per_second:.3g}", checked(done.verified))
            for done in result.kernels
        ],
    )  # fmt: skip
    if where.virtual:
        report.line("times are those of the modelled system")
    report.json(described)
    if result.failure is not None:
        raise result.failure

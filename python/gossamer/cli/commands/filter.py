"""`gossamer filter ARRAY PREDICATE`: what a predicate keeps, over every rank of a machine."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
import typer

from gossamer import _gossamer
from gossamer.algorithm.filter import FilterResult, plan_filter, verify_filter
from gossamer.algorithm.filter import filter as run_filter
from gossamer.arguments import number
from gossamer.cli import options
from gossamer.cli.groups import Segments
from gossamer.cli.input.numbers import read_numbers
from gossamer.cli.output.files import TraceOutput
from gossamer.cli.output.report import (
    MemoryUse,
    Report,
    describe_machine,
    format_bytes,
    machine_json,
    plan_json,
    plan_totals,
    print_entries,
    print_totals,
)
from gossamer.cli.runs import Runs, checked
from gossamer.errors import CapacityError, UsageError
from gossamer.machine import Machine
from gossamer.machine.plans import MemoryPlan

Array = npt.NDArray[Any]

#: Numbers drawn between two looks for Ctrl-C.
_PIECE = 1 << 22


def _number(text: str, spec: str, most: int) -> int:
    try:
        value = int(text)
    except ValueError:
        value = -1
    if not 0 <= value <= most:
        raise UsageError(f"{spec}: '{text}' is no number from 0 to {most}")
    return value


@dataclass(frozen=True)
class ArraySource:
    """``random:N[:SEED]`` (float32, evenly from 0 to 1), ``count:N`` (int32, 0 to N-1), or a file
    of numbers; a .npy file is mapped and not read at once. Nothing is made before :meth:`load`."""

    elements: int
    dtype: np.dtype[Any]
    seed: int | None = None
    read: Array | None = None

    @classmethod
    def parse(cls, text: str) -> ArraySource:
        """UsageError for a spec with other numbers, InputError for other files."""
        kind, _, rest = text.partition(":")
        if kind == "count":
            return cls(_number(rest, text, 2**31), np.dtype(np.int32))
        if kind == "random":
            size, _, seed = rest.partition(":")
            drawn = _number(seed or "1", text, 2**63 - 1)
            return cls(_number(size, text, 2**40), np.dtype(np.float32), drawn)
        read = read_numbers(Path(text), "array")
        return cls(read.size, read.dtype, read=read)

    @property
    def made_bytes(self) -> int:
        """What :meth:`load` takes."""
        return 0 if self.read is not None else self.elements * self.dtype.itemsize

    def load(self) -> Array:
        """The array."""
        if self.read is not None:
            return self.read
        made = np.empty(self.elements, self.dtype)
        generator = None if self.seed is None else np.random.default_rng(self.seed)
        for begin in range(0, self.elements, _PIECE):
            part = made[begin : begin + _PIECE]
            if generator is None:
                part[:] = np.arange(begin, begin + part.size, dtype=self.dtype)
            else:
                generator.random(dtype=np.float32, out=part)
        return made


def filter(
    array_argument: Annotated[
        str, typer.Argument(metavar="ARRAY", help="A file of numbers, random:N[:SEED] or count:N.")
    ],
    predicate: Annotated[
        str,
        typer.Argument(
            metavar="PREDICATE", help="'<V', '<=V', '>V', '>=V', '==V', '!=V' or 'A..B'."
        ),
    ],
    machine: options.Machine = "auto",
    *,
    segments: Segments,
    slowdown: Annotated[
        str | None,
        typer.Option(metavar="F,F,…", help="A factor for each rank's time, for experiments."),
    ] = None,
    repeat: options.Repeat = 1,
    verify: options.Verify = False,
    output: Annotated[
        Path | None, typer.Option("--output", metavar="FILE.npy", help="What was kept.")
    ] = None,
    trace: options.Trace = None,
    timeout: options.Timeout = None,
    memory: options.Memory = None,
    plan: options.Plan = False,
    json: options.Json = None,
) -> None:
    """Filter an array that may be larger than a device's memory."""
    options.check_timeout(timeout)
    if not segments.gather and (verify or output is not None):
        raise UsageError("--keep: results stay on the ranks; --verify and --output need them here")
    if output is not None:
        options.check_array_path(output, ".npy")
    options.check_packet(segments.packet)
    factors = _factors(slowdown)
    tracing = TraceOutput(trace)
    report = Report(json)
    limit = options.memory_limit(memory)
    where = report.open_machine(machine)
    source = ArraySource.parse(array_argument)
    how: dict[str, Any] = asdict(segments)
    needs = plan_filter(source.elements, source.dtype, where, memory=limit, **how)
    planned = _plan(needs, source, where, limit)
    if plan:
        planned["entries"] += tracing.plan(where)
        _print_plan(report, planned, array_argument)
        return
    _check_made(source, planned, array_argument)
    array = source.load()
    taken = MemoryUse(where)

    def check(result: FilterResult) -> None:
        if where.here():
            verify_filter(array, predicate, result.values)

    runs: Runs[FilterResult] = Runs("filter", "filtering", check if verify else None, _run_json)
    described = {
        "algorithm": "filter",
        "array": {"name": array_argument, "elements": array.size, "type": array.dtype.name},
        "machine": machine_json(where),
        "options": {
            "predicate": predicate,
            **how,
            "slowdown": factors,
            "repeat": repeat,
            "verify": verify,
            "timeout": timeout,
            "memory": limit,
        },
        "runs": runs.described,
    }

    def run() -> FilterResult:
        return run_filter(
            array, predicate, where,
            slowdown=factors, memory=limit, timeout=timeout, trace=tracing.recording, **how,
        )  # fmt: skip

    runs.make_all(report, where, described, run, [()], repeat)
    first = runs.first
    _print(report, array, where, first, runs.described)
    summary = {
        "runs": repeat,
        "median_milliseconds": runs.median(),
        "matched": first.matched,
        "verified": runs.verified,
    }
    report.json(
        described | {"packet": first.packet, "summary": summary, "memory": taken.json(needs)}
    )
    tracing.write(report, where)
    runs.save(report, where, output, lambda file: np.save(file, first.values))


def _factors(text: str | None) -> list[float]:
    try:
        return (
            [] if text is None else [number(float(part), "--slowdown") for part in text.split(",")]
        )
    except UsageError:
        raise
    except ValueError:
        raise UsageError(f"--slowdown: '{text}' is no list of numbers") from None


def _run_json(result: FilterResult) -> dict[str, Any]:
    return {
        "milliseconds": result.milliseconds,
        "ideal_milliseconds": result.ideal_milliseconds,
        "matched": result.matched,
        "shares": [vars(share) for share in result.shares],
    }


def _device_names(where: Machine) -> list[str]:
    """Of each rank: ranks of one machine may be of different kinds."""
    return [d.name if d.kind == "cpu" else f"{d.name} (cuda:{d.ordinal})" for d in where.devices]


def _print(
    report: Report, array: Array, where: Machine, first: FilterResult, runs: list[dict[str, Any]]
) -> None:
    describe_machine(report, where)
    report.line(
        f"{array.size:,} elements ({array.dtype}), {first.matched:,} kept; segments of "
        f"{format_bytes(first.packet)}"
    )
    report.table(
        "first run",
        ["rank", "device", "segments", "elements", "kept", "busy ms", "ended ms"],
        [
            (rank, device, s.segments, f"{s.elements:,}", f"{s.matched:,}", f"{1e3 * s.busy:.3f}",
             f"{1e3 * s.ended:.3f}")
            for rank, (device, s) in enumerate(
                zip(_device_names(where), first.shares, strict=True)
            )
        ],
        (0, 1),
    )  # fmt: skip
    report.table(
        "runs",
        ["ms", "ideal ms", "verified"],
        [
            (f"{r['milliseconds']:.3f}", f"{r['ideal_milliseconds']:.3f}", checked(r["verified"]))
            for r in runs
        ],
        (),
    )


def _plan(
    needs: MemoryPlan, source: ArraySource, where: Machine, limit: int | None
) -> dict[str, Any]:
    """With the array where it is made: that of a file is there."""
    planned = plan_json(needs, where, limit or _gossamer.host_memory()[0])
    if source.made_bytes:
        made = {"device": "host", "purpose": "the array", "bytes": source.made_bytes}
        planned["entries"].insert(0, made | {"certainty": "exact"})
    return planned


def _check_made(source: ArraySource, planned: dict[str, Any], name: str) -> None:
    """Refuses an array that has no room beside what the run takes, before it is made."""
    total, limit = plan_totals(planned["entries"])["host"], planned["limits"]["host"]["bytes"]
    if source.made_bytes and total > limit:
        raise CapacityError(
            f"filter {name}: the array takes {format_bytes(source.made_bytes)}, with what the run "
            f"takes {format_bytes(total)} of the host's memory; the limit is {format_bytes(limit)}"
        )


def _print_plan(report: Report, planned: dict[str, Any], name: str) -> None:
    print_entries(report, planned["entries"], f"filter {name}")
    totals = print_totals(report, planned)
    report.json({"plan": {"command": "filter", "array": name, **planned, "totals": totals}})

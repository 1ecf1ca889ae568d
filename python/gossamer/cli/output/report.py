"""What commands print: Rich tables for people, JSON for programs, whole files or none."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, cast

from gossamer import __version__, _gossamer
from gossamer.algorithm.prepared import WorklistCounters
from gossamer.cli.options import check_output_path
from gossamer.errors import RankError
from gossamer.graph import Graph
from gossamer.machine import Machine
from gossamer.machine.plans import MemoryPlan

from .progress import progress


def device_names(machine: Machine) -> list[str]:
    """The device of each rank, for plans: ranks on one GPU share its name, CPU ranks the host's."""
    return ["host" if d.kind == "cpu" else f"cuda:{d.ordinal}" for d in machine.devices]


class MemoryUse:
    """Peaks of the devices that ranks of this process run on, the host's among them, from the
    moment this is made: before anything is placed. What is there by then, as the graph, is not
    counted.

    Where ranks are MPI processes, both sides are those of this process.
    """

    def __init__(self, machine: Machine) -> None:
        self._names = device_names(machine)
        self._here = [machine.here(rank) for rank in range(machine.size)]
        self._accounts = {"host": -1}
        for device, name, here in zip(machine.devices, self._names, self._here, strict=True):
            if here and name != "host":
                self._accounts[name] = device.ordinal
        _gossamer.begin_peaks()
        self._before = {name: self._of(name)[0] for name in self._accounts}

    def _of(self, name: str) -> tuple[int, int]:
        return _gossamer.memory_in_use(self._accounts[name])

    def json(self, plan: MemoryPlan) -> dict[str, Any]:
        """The "memory" object of every run's JSON output: `plan` is that of the run."""
        planned = dict.fromkeys(self._accounts, 0)
        for entry in plan.entries:
            name = self._names[entry.rank] if entry.memory == "device" else "host"
            planned[name] += entry.bytes
        devices = {
            name: {
                "peak_bytes": self._of(name)[1] - self._before[name],
                "planned_bytes": planned[name],
            }
            for name in self._accounts
        }
        return {
            "peak_bytes": sum(d["peak_bytes"] for d in devices.values()),
            "planned_bytes": plan.total,
            "resident_bytes": _gossamer.peak_bytes(),
            "devices": devices,
        }


format_bytes = _gossamer.format_bytes

#: Signs before the numbers of a plan.
_SURE = {"exact": "", "at most": "≤", "about": "~"}


class Report:
    """Text for people on stdout, unless `--json -` claims stdout; JSON where it was asked for."""

    def __init__(self, json_target: str | None) -> None:
        if json_target is not None and json_target != "-":
            check_output_path(Path(json_target), "--json ")
        self._json = json_target
        self._console: Any = None
        #: Nothing is written: another process of the job does.
        self.mute = False

    @property
    def silent(self) -> bool:
        """True when stdout is JSON's, or another process's."""
        return self.mute or self._json == "-"

    def open_machine(self, spec: str) -> Machine:
        """The machine of a spec: waking many GPUs takes seconds. Of its processes one reports."""
        with progress(f"opening machine {spec}"):
            machine = Machine(spec)
        if os.environ.get("GOSSAMER_COLLECTIVES"):
            # Refuses what is none, even if nothing asks.
            _gossamer.collective_rules(machine._handle)
        self.mute = not machine.here()
        return machine

    def line(self, text: str = "") -> None:
        """One line of plain text."""
        if not self.silent:
            print(text)

    def table(
        self,
        title: str,
        columns: Sequence[str],
        rows: Iterable[Sequence[object]],
        left: Sequence[int] = (0,),
    ) -> None:
        """A table; columns are aligned right but for those numbered in `left`."""
        if self.silent:
            return
        from rich import box
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text

        if self._console is None:
            # Piped output keeps its full width: nothing is cut or wrapped.
            width = None if sys.stdout.isatty() else 200
            self._console = Console(width=width, highlight=False, soft_wrap=not sys.stdout.isatty())
        table = Table(
            title=title or None, title_justify="left", box=box.SIMPLE_HEAD, show_edge=False
        )
        for i, name in enumerate(columns):
            table.add_column(name, justify="left" if i in left else "right", overflow="fold")
        for row in rows:
            table.add_row(*(Text(str(cell)) for cell in row))
        self._console.print(table)
        self._console.print()

    def json(self, value: dict[str, Any]) -> None:
        """Writes `value` with version and date, if JSON was asked for; paths are text."""
        if self._json is None or self.mute:
            return
        date = datetime.now(UTC).isoformat(timespec="seconds")
        whole = value | {"version": __version__, "date": date}
        text = json.dumps(whole, indent=2, allow_nan=False, default=os.fspath) + "\n"
        if self._json == "-":
            sys.stdout.write(text)
        else:
            with write_whole(Path(self._json)) as file:
                file.write(text.encode())


@contextmanager
def reporting_lost(
    report: Report, where: Machine, described: dict[str, Any], *, by: str = "run"
) -> Iterator[None]:
    """When a rank fails in there, reports what was done before: each `by` by itself. Where ranks
    are processes, rank 0 or, if that is the lost one, rank 1 writes it."""
    try:
        yield
    except RankError as error:
        writer = 1 if error.peer == 0 and where.size > 1 else 0
        report.mute = not where.here(writer)
        if done := described[f"{by}s"]:
            report.line(f"{len(done)} {by}(s) ended before this one failed")
        failure = {"text": str(error), "rank": error.rank, "peer": error.peer}
        summary = {"summary": None} if by == "run" else {}
        report.json(described | summary | {"failure": failure})
        raise


class _Output(io.RawIOBase):
    """An output of the library as a file object. Files go back to what they wrote, as zip archives
    do; pipes and devices do not."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.file = _gossamer.open_output(os.fspath(path))
        self._seekable = not self.file.stream
        self._at = self._end = 0
        self._failure: BaseException | None = None

    def writable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return self._seekable

    def tell(self) -> int:
        if not self._seekable:
            raise io.UnsupportedOperation("a stream has no position")
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._at = (
            offset + {io.SEEK_SET: 0, io.SEEK_CUR: self.tell(), io.SEEK_END: self._end}[whence]
        )
        return self._at

    def write(self, data: Any) -> int:
        # Archives go on to write their ends: what was wrong first is what is said.
        if self._failure is not None:
            raise self._failure
        given = bytes(data)
        before = given[: self._end - self._at]
        try:
            if before:
                self.file.patch(self._at, before)
            self.file.write(given[len(before) :])
        except BaseException as failure:
            self._failure = failure
            raise
        self._at += len(given)
        self._end = max(self._end, self._at)
        return len(given)


@contextmanager
def write_whole(path: Path) -> Iterator[IO[bytes]]:
    """The output at `path`, to write to: a file appears whole when the block ends, or not at all;
    a pipe or a device is written to as it is. Errors are of the library, and name the path."""
    output = _Output(path)
    try:
        yield cast("IO[bytes]", output)
        output.file.commit()
    finally:
        output.file.discard()


def work_json(work: WorklistCounters | None) -> dict[str, int] | None:
    """What a worklist counted; null for engines without one."""
    return None if work is None else asdict(work)


def print_work(report: Report, work: WorklistCounters) -> None:
    """The same of the first run, a line a count."""
    report.table(
        "worklist of the first run, all ranks",
        ["what", "count"],
        [(name, f"{count:,}") for name, count in asdict(work).items()],
    )


def describe_machine(report: Report, where: Machine) -> None:
    """What ran it: one line, and one of what is beyond the machine that a model describes."""
    clock = "; virtual time" if where.virtual else ""
    report.line(f"machine {where.spec}: {where.size} rank(s), fabric {where.fabric}{clock}")
    if where.beyond:
        report.line(where.beyond)


def graph_json(graph: Graph) -> dict[str, Any]:
    """The "graph" object of every JSON output."""
    return {
        "name": graph.name,
        "vertices": graph.vertices,
        "edges": graph.edges,
        "directed": graph.directed,
        "weights": graph.weight_source,
        "arcs": graph.arcs,
        "steps": graph.steps,
        "format": graph.format,
    }


def machine_json(machine: Machine) -> dict[str, Any]:
    """The "machine" object of every run's JSON output."""
    return {
        "spec": machine.spec,
        "devices": [vars(d) for d in machine.devices],
        "fabric": machine.fabric,
    }


def plan_json(plan: MemoryPlan, machine: Machine, limit: int) -> dict[str, Any]:
    """Entries and limits of a plan over a machine, for `print_plan`."""
    names = device_names(machine)
    entries = [
        {
            "device": names[e.rank] if e.memory == "device" else "host",
            # What is no rank's own is the process's.
            **({} if e.rank < 0 else {"rank": e.rank}),
            "purpose": e.purpose if e.rank < 0 else f"rank {e.rank}: {e.purpose}",
            "bytes": e.bytes,
            "certainty": e.certainty,
        }
        for e in plan.entries
    ]
    limits: dict[str, dict[str, Any]] = {"host": {"bytes": limit, "source": "host"}}
    for rank, name in enumerate(names):
        if name != "host" and rank < len(plan.limits):
            share = machine.devices[rank].share
            limits[name] = {"bytes": plan.limits[rank] * share, "source": "device"}
    return {"entries": entries, "limits": limits}


def plan_totals(entries: list[dict[str, Any]]) -> dict[str, int]:
    """Bytes of a plan by device: the graph, and the larger of what loading takes beside it and of
    what comes after that."""
    stages: dict[str, dict[str, int]] = {}
    for entry in entries:
        of = stages.setdefault(entry["device"], {"graph": 0, "loading": 0, "run": 0})
        of[entry.get("stage", "run")] += entry["bytes"]
    return {device: of["graph"] + max(of["loading"], of["run"]) for device, of in stages.items()}


def describe_graph(report: Report, graph: Graph) -> None:
    """One line on the graph, one for every step taken."""
    kind = "directed" if graph.directed else "undirected"
    report.line(
        f"{graph.name}: {graph.vertices:,} vertices, {graph.edges:,} {kind} edges"
        f" ({graph.arcs:,} stored arcs), weights: {graph.weight_source}"
        + ("" if graph.format is None else f", format: {graph.format}")
    )
    for step in graph.steps:
        report.line(f"  {step}")


def print_entries(report: Report, entries: list[dict[str, Any]], what: str) -> None:
    """A plan's table."""
    rows = [
        (e["device"], e["purpose"], _SURE[e["certainty"]], format_bytes(e["bytes"]))
        for e in entries
    ]
    report.table(f"memory plan: {what}", ["device", "purpose", "", "bytes"], rows, (0, 1))


def print_totals(report: Report, plan: dict[str, Any]) -> dict[str, int]:
    """Bytes of each device beside its limit, and what the table's signs mean; the totals."""
    totals = plan_totals(plan["entries"])
    limits: dict[str, dict[str, Any]] = plan["limits"]
    for device, total in totals.items():
        limit = limits.get(device)
        of = f" of {format_bytes(limit['bytes'])} ({limit['source']})" if limit else ""
        report.line(f"{device}: {format_bytes(total)}{of}")
    report.line("≤: an upper bound, ~: an estimate, no sign: exact")
    return totals


def print_plan(report: Report, plan: dict[str, Any], command: str, graph: str) -> None:
    """Bytes per device, as table and JSON."""
    print_entries(report, plan["entries"], f"{command} {graph}")
    counts = (
        f"{_SURE[plan[f'{what}_are']]} {plan[what]:,} {what}" for what in ("vertices", "arcs")
    )
    report.line(f"{graph}: {', '.join(text.strip() for text in counts)}")
    totals = print_totals(report, plan)
    report.json({"plan": {"command": command, "graph": graph, **plan, "totals": totals}})

"""What commands wrote with --json and --trace, read back and looked at: files may be anybody's."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gossamer.arguments import path_text
from gossamer.documents import Document
from gossamer.trace import RunSums, TraceFile, sum_runs, trace_of

#: Letters of "directions".
_DIRECTIONS = {"t": "top-down", "b": "bottom-up"}
#: Names of memories: `host`, and a GPU's.
_MEMORY = re.compile(r"host|cuda:\d{1,6}", re.ASCII)


@dataclass(frozen=True)
class Made:
    """When a file was written, empty where it does not say, and by which version."""

    date: str
    version: str


@dataclass(frozen=True)
class Level:
    """One level of a search."""

    frontier: int
    direction: str
    #: None where levels overlap, or in files of versions that did not say.
    milliseconds: float | None


@dataclass(frozen=True)
class Run:
    """One run of an algorithm."""

    milliseconds: float
    #: None where no check was asked for.
    verified: bool | None
    engine: str
    #: Traversed edges per second; None for what traverses none.
    teps: float | None
    phases: dict[str, float]
    levels: list[Level]


@dataclass(frozen=True)
class Device:
    """What a rank runs on."""

    kind: str
    name: str
    threads: int
    units: int
    memory: int


@dataclass(frozen=True)
class RunFile:
    """The runs of one command."""

    name: str
    made: Made
    algorithm: str
    #: Name of the graph, matrix or array; vertices and arcs, or elements.
    subject: str
    sizes: dict[str, int]
    machine: str
    fabric: str
    devices: list[Device]
    options: dict[str, Any]
    runs: list[Run]
    #: By memory: bytes planned and at most taken.
    memory: dict[str, tuple[int, int]]
    #: Why it ended early, if it did.
    failure: str


@dataclass(frozen=True)
class StatsFile:
    """What `stats` counted."""

    name: str
    made: Made
    subject: str
    counts: dict[str, int | float]
    #: Vertices of degree 0, 1, 2 to 3, 4 to 7, and so on.
    degrees: list[int]


@dataclass(frozen=True)
class InfoFile:
    """What `info` found."""

    name: str
    made: Made
    #: Device, name, memory, cores or multiprocessors.
    devices: list[tuple[str, str, int, int]]
    versions: dict[str, str]
    warnings: list[str]


@dataclass(frozen=True)
class PlanFile:
    """A plan of --plan."""

    name: str
    made: Made
    command: str
    subject: str
    #: Memory, purpose, how sure, bytes.
    entries: list[tuple[str, str, str, int]]
    #: Bytes at a time, by memory: what loading gives back is counted once.
    totals: dict[str, int]


@dataclass(frozen=True)
class TracedFile:
    """A trace, and what each of its runs adds up to."""

    name: str
    trace: TraceFile
    runs: list[RunSums]


Input = RunFile | StatsFile | InfoFile | PlanFile | TracedFile


def read_input(path: str | Path) -> Input:
    """What a file holds. InputError, with its name, where that is nothing for a page."""
    name = path_text(path, "read_input: path")
    reader = _Reader(name)
    root = reader.read("a result")
    if isinstance(root, dict):
        if "traceEvents" in root:
            trace = trace_of(root, name)
            return TracedFile(name, trace, sum_runs(trace))
        if "algorithm" in root and "runs" in root:
            return reader.runs(root)
        for key, read in (
            ("statistics", reader.statistics), ("features", reader.info), ("plan", reader.plan),
        ):  # fmt: skip
            if key in root:
                return read(root)
    reader.fail(
        "no result of gossamer for a report, which takes --json of algorithms, graph500, cg, "
        "filter, stats and info, --plan, and --trace"
    )


class _Reader(Document):
    def made(self, of: dict[str, Any]) -> Made:
        return Made(str(of.get("date", "")), self.field(of, "version", str, "result"))

    def whole(self, of: Any, key: str, where: str) -> int:
        value = int(self.field(of, key, int, where))
        # -1: nobody knows.
        if not -1 <= value < 1 << 63:
            self.fail(f"{where}: '{key}' is no count")
        return value

    def objects(self, of: Any, key: str, where: str) -> list[Any]:
        return list(self.field(of, key, list, where))

    def numbers(self, of: Any, where: str) -> dict[str, float]:
        """Every member is one."""
        return {key: self.number(of, key, where) for key in of}

    def subject(self, of: dict[str, Any]) -> tuple[str, dict[str, int]]:
        kind, sizes = ("array", ("elements",)) if "array" in of else ("graph", ("vertices", "arcs"))
        what = self.field(of, kind, dict, "result")
        counts = {key: self.whole(what, key, kind) for key in sizes}
        return self.field(what, "name", str, kind), counts

    def runs(self, of: dict[str, Any]) -> RunFile:
        machine = self.field(of, "machine", dict, "result")
        failure = of.get("failure")
        # Of cg it stands beside the runs.
        engine = self.field(of, "engine", str, "result") if "engine" in of else ""
        return RunFile(
            self.name,
            self.made(of),
            self.field(of, "algorithm", str, "result"),
            *self.subject(of),
            self.field(machine, "spec", str, "machine"),
            self.field(machine, "fabric", str, "machine"),
            [self.device(d) for d in self.objects(machine, "devices", "machine")],
            self.field(of, "options", dict, "result"),
            [
                self.run(run, f"run {i}", engine)
                for i, run in enumerate(self.objects(of, "runs", "result"))
            ],
            # What failed has none.
            self.memory(of["memory"]) if "memory" in of else {},
            "" if failure is None else self.field(failure, "text", str, "failure"),
        )

    def device(self, of: Any) -> Device:
        return Device(
            self.field(of, "kind", str, "device"),
            self.field(of, "name", str, "device"),
            *(self.whole(of, key, "device") for key in ("threads", "units", "memory")),
        )

    def run(self, of: Any, where: str, engine: str) -> Run:
        # graph500's are in seconds, as in its own output.
        seconds = isinstance(of, dict) and "seconds" in of
        time = 1e3 * self.number(of, "seconds", where) if seconds else None
        checked = of.get("verified") if isinstance(of, dict) else None
        return Run(
            self.number(of, "milliseconds", where) if time is None else time,
            None if checked is None else self.field(of, "verified", bool, where),
            self.field(of, "engine", str, where) if "engine" in of else engine,
            self.number(of, "teps", where) if "teps" in of else None,
            self.numbers(self.field(of, "phases", dict, where), where) if "phases" in of else {},
            self.levels(of, where) if "frontiers" in of else [],
        )

    def levels(self, of: dict[str, Any], where: str) -> list[Level]:
        sizes = self.objects(of, "frontiers", where)
        directions = self.field(of, "directions", str, where)
        times = of.get("level_milliseconds") or [None] * len(sizes)
        if not isinstance(times, list) or not len(sizes) == len(directions) == len(times):
            self.fail(f"{where}: 'frontiers', 'directions' and times are not one a level")
        return [
            Level(
                self.whole({"frontiers": size}, "frontiers", where),
                _DIRECTIONS.get(letter) or self.fail(f"{where}: '{letter}' is no direction"),
                None
                if time is None
                else self.number({"level_milliseconds": time}, "level_milliseconds", where),
            )
            for size, letter, time in zip(sizes, directions, times, strict=True)
        ]

    def memory(self, of: Any) -> dict[str, tuple[int, int]]:
        devices = self.field(of, "devices", dict, "memory")
        return {
            self.place(name): (
                self.whole(taken, "planned_bytes", "memory"),
                self.whole(taken, "peak_bytes", "memory"),
            )
            for name, taken in devices.items()
        }

    def place(self, name: str) -> str:
        if not _MEMORY.fullmatch(name):
            self.fail(f"memory: '{name}' is neither the host nor a GPU")
        return name

    def statistics(self, of: dict[str, Any]) -> StatsFile:
        found = self.field(of, "statistics", dict, "result")
        graph = self.field(of, "graph", dict, "result")
        bins = self.objects(found, "degree_histogram", "statistics")
        if len(bins) > 64:
            self.fail("statistics: 'degree_histogram' has degrees beyond 2^63")
        counts: dict[str, int | float] = {
            key: self.whole(found, key, "statistics")
            for key in (
                "vertices", "arcs", "simple_edges", "self_loops", "parallel_arcs",
                "isolated_vertices", "components", "largest_component", "minimum_degree",
                "maximum_degree",
            )
        }  # fmt: skip
        counts["mean_degree"] = self.number(found, "mean_degree", "statistics")
        return StatsFile(
            self.name,
            self.made(of),
            self.field(graph, "name", str, "graph"),
            counts,
            [self.whole({"degree_histogram": n}, "degree_histogram", "statistics") for n in bins],
        )

    def info(self, of: dict[str, Any]) -> InfoFile:
        devices = self.field(of, "devices", dict, "result")
        cpu = self.field(devices, "cpu", dict, "devices")
        versions = self.field(of, "versions", dict, "result")
        return InfoFile(
            self.name,
            self.made(of),
            [
                ("cpu", self.field(cpu, "name", str, "cpu"), self.whole(cpu, "memory", "cpu"),
                 self.whole(cpu, "cores", "cpu")),
                *(
                    (f"cuda:{self.whole(gpu, 'ordinal', 'gpu')}",
                     self.field(gpu, "name", str, "gpu"), self.whole(gpu, "memory", "gpu"),
                     self.whole(gpu, "units", "gpu"))
                    for gpu in self.objects(devices, "gpus", "devices")
                ),
            ],
            {key: self.field(versions, key, str, "versions") for key in versions},
            [str(text) for text in self.objects(of, "warnings", "result")],
        )  # fmt: skip

    def plan(self, of: dict[str, Any]) -> PlanFile:
        plan = self.field(of, "plan", dict, "result")
        subject = "array" if "array" in plan else "graph"
        return PlanFile(
            self.name,
            self.made(of),
            self.field(plan, "command", str, "plan"),
            self.field(plan, subject, str, "plan"),
            [
                (
                    self.place(self.field(e, "device", str, "plan")),
                    self.field(e, "purpose", str, "plan"),
                    self.field(e, "certainty", str, "plan"),
                    self.whole(e, "bytes", "plan"),
                )
                for e in self.objects(plan, "entries", "plan")
            ],
            {
                self.place(device): self.whole(plan["totals"], device, "totals")
                for device in self.field(plan, "totals", dict, "plan")
            },
        )

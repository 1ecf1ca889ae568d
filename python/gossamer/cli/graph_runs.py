"""What sssp, components and pagerank share as commands: graph, plan, runs, report."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from ..graph import Graph
from ..graph_shape import GraphShape
from ..machine import Machine
from ..plans import MemoryPlan
from . import options
from .graphs import GraphSource
from .memory import MemoryUse
from .output import (
    Report,
    describe_graph,
    graph_json,
    machine_json,
    plan_json,
    print_plan,
    reporting_lost,
)
from .progress import open_machine, progress
from .runs import Runs
from .worklists import print_work

__all__ = ["GraphCommand", "checked"]

Result = TypeVar("Result")

_SHOWN_RUNS = 16


def checked(verified: bool | None) -> str:
    """A cell of the column "verified"."""
    return {None: "not asked", True: "yes", False: "FAILED"}[verified]


@dataclass
class GraphCommand:
    """One command line of such a command: what it works on, where, and how it reports."""

    name: str
    report: Report
    where: Machine
    limit: int | None
    origin: GraphSource
    #: How to have all ranks work, for where not all do.
    _way_to_use_all: str = ""

    @classmethod
    def open(
        cls,
        name: str,
        graph: str,
        machine: str,
        *,
        json: str | None,
        memory: str | None,
        timeout: float | None,
        output: Path | None,
        threads: int,
        weights: bool = False,
        **steps: Any,
    ) -> GraphCommand:
        """Checks what every such command takes; `steps` are those of :class:`GraphSource`."""
        options.check_timeout(timeout)
        if output is not None:
            options.check_output_path(output)
        report = Report(json)
        limit = options.memory_limit(memory)
        where = open_machine(machine)
        report.mute = not where.here()
        origin = GraphSource(graph, weights=weights, threads=threads, memory=limit, **steps)
        return cls(name, report, where, limit, origin)

    def plan(
        self, plan: Callable[[GraphShape, int], MemoryPlan], output_bytes: Callable[[int], int]
    ) -> None:
        """Prints what loading and one run take; `plan` gets the graph's shape and the bytes of a
        weight, `output_bytes` the number of vertices."""
        loading = self.origin.plan()
        running = plan_json(
            plan(self.origin.shape(loading), loading["weight_bytes"] or 4),
            self.where,
            loading["limits"]["host"]["bytes"],
        )
        entries = loading["entries"] + running["entries"]
        kept = output_bytes(loading["vertices"])
        if kept:
            sure = loading["vertices_are"]
            entries.append(
                {"device": "host", "purpose": "--output", "bytes": kept, "certainty": sure}
            )
        limits = running["limits"] | loading["limits"]
        print_plan(
            self.report, loading | {"entries": entries, "limits": limits}, self.name,
            self.origin.text,
        )  # fmt: skip

    def runs(
        self,
        every: int,
        check: Callable[[Result], object] | None,
        to_json: Callable[[Result, bool | None], dict[str, Any]],
    ) -> Runs[Result, Result]:
        """The runs to come, of which the first result is kept."""
        return Runs(self.name, "running", every, lambda first: first, check, to_json)

    def make_all(
        self,
        loaded: Graph,
        needs: MemoryPlan,
        runs: Runs[Result, Result],
        chosen: dict[str, Any],
        prepare: Callable[[], Callable[..., Result]],
        inputs: list[Any],
        keep: Callable[[int, Result], None] | None = None,
        repeat: int = 1,
    ) -> dict[str, Any]:
        """Prepares, runs each input `repeat` times, and returns all but the summary of the JSON."""
        self._way_to_use_all = " (--use all: all of them)" if "use" in chosen else ""
        taken = MemoryUse(self.where)
        with progress(f"preparing {loaded.name}"):
            run = prepare()
        described = {
            "algorithm": self.name,
            "graph": graph_json(loaded),
            "machine": machine_json(self.where),
            "options": chosen | {"repeat": repeat, "memory": self.limit},
            "ranks": {},
            "runs": runs.described,
        }
        with (
            progress(f"{self.name}, running", unit=runs.unit) as bar,
            reporting_lost(self.report, self.where, described),
        ):
            for i, value in enumerate(inputs):
                for again in range(repeat):
                    result = runs.make(bar, run, *value)
                    described["ranks"] = self._ranks_json(result)
                    if keep is not None and again + 1 == repeat:
                        keep(i, result)
        return described | {"memory": taken.json(needs)}

    def _ranks_json(self, result: Any) -> dict[str, Any]:
        return {
            "used": result.ranks_used,
            "of": self.where.size,
            "reason": result.ranks_reason,
        }

    def summary(self, runs: list[dict[str, Any]]) -> dict[str, Any]:
        """The "summary" object: over all runs."""
        times = [run["milliseconds"] for run in runs]
        checks = [run["verified"] for run in runs]
        return {
            "runs": len(runs),
            "median_milliseconds": statistics.median(times),
            "min_milliseconds": min(times),
            "max_milliseconds": max(times),
            "verified": None if None in checks else all(checks),
        }

    def print_head(self, loaded: Graph, first: Any) -> None:
        """Graph, machine, engine, and the phases of the first run."""
        report, where = self.report, self.where
        describe_graph(report, loaded)
        report.line(f"machine {where.spec}: {where.size} rank(s), fabric {where.fabric}")
        if where.beyond:
            report.line(where.beyond)
        report.line(f"engine {first.engine}: {first.engine_reason}")
        if first.ranks_reason:
            report.line(f"used {first.ranks_reason}{self._way_to_use_all}")
        report.table(
            "phases of the first run",
            ["phase", "ms"],
            [(name, f"{ms:.3f}") for name, ms in first.phases.items()],
        )
        if first.work is not None:
            print_work(report, first.work)

    def print_runs(self, columns: list[str], rows: list[tuple[object, ...]]) -> None:
        """A row a run."""
        self.report.table("runs", columns, rows[:_SHOWN_RUNS], ())
        if len(rows) > _SHOWN_RUNS:
            self.report.line(f"… and {len(rows) - _SHOWN_RUNS} more (all of them with --json)")

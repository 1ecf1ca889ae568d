"""A program to simulate: on which data, systems and numbers of ranks, and where answers go."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from gossamer.cli.groups import Working
from gossamer.cli.input.graphs import GraphSource
from gossamer.cli.input.matrices import load_matrix
from gossamer.cli.output.plots import plot_lines
from gossamer.cli.output.progress import progress
from gossamer.cli.output.report import Report
from gossamer.graph import Graph
from gossamer.machine import Machine
from gossamer.simulation import System

Run = TypeVar("Run")
Prediction = TypeVar("Prediction")


@dataclass(frozen=True)
class Case:
    """What cg and bfs are given alike."""

    report: Report
    #: ``cg`` or ``bfs``.
    operation: str
    data: str
    systems: list[System]
    ranks: list[int]
    working: Working
    #: Of a matrix: make positive definite values for its pattern.
    values: bool = False
    plot: Path | None = None

    @property
    def names(self) -> list[str]:
        return [system.title for system in self.systems]

    @property
    def origin(self) -> GraphSource:
        return GraphSource(self.data, threads=self.working.threads, memory=self.working.limit)

    def matrix(self) -> Graph:
        return load_matrix(self.origin, self.values)

    def machines(self) -> Iterator[Machine]:
        """Of every system and number of ranks."""
        return (s.machine(p) for s, p in itertools.product(self.systems, self.ranks))

    def predict(
        self, runs: Sequence[Run], of: Callable[[System, Run], Prediction]
    ) -> dict[str, list[Prediction]]:
        """What `of` says of each run, by system."""
        found: dict[str, list[Prediction]] = {name: [] for name in self.names}
        with progress(f"predicting {self.operation}", unit="count") as bar:
            for i, (system, run) in enumerate(itertools.product(self.systems, runs)):
                if bar is not None:
                    bar(i, len(self.systems) * len(runs))
                found[system.title].append(of(system, run))
        return found

    def plot_by_ranks(self, lines: dict[str, list[float]], title: str, what: str) -> None:
        """Draws `what` over the ranks, where a plot was asked for."""
        if self.plot is not None:
            plot_lines(self.plot, self.ranks, lines, title, ("ranks", what))
            self.report.line(f"wrote {self.plot}")

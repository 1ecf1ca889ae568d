"""What a run of Graph500 measured, and the lines that the benchmark prints."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gossamer.errors import UsageError, VerificationError

from .spread import RateSpread, Spread

#: Names in the benchmark's output of what :class:`Spread` and :class:`RateSpread` hold.
_NAMES = {
    "minimum": "min",
    "first_quartile": "firstquartile",
    "median": "median",
    "third_quartile": "thirdquartile",
    "maximum": "max",
    "mean": "mean",
    "stddev": "stddev",
    "harmonic_mean": "harmonic_mean",
    "harmonic_stddev": "harmonic_stddev",
}


@dataclass(frozen=True)
class Graph500Search:
    """One search (kernel 2) and its validation."""

    #: Vertex that it started from.
    root: int
    #: From the root to finished parents on their owners.
    seconds: float
    #: Entries of the generated edge list inside the component searched, repeated ones and
    #: self-loops included: Graph500's m.
    nedge: int
    #: Distinct undirected edges of that component without self-loops: what the graph stores.
    edges: int
    #: Fetching the tree to the host, and checking it.
    validation_seconds: float
    #: What is wrong with the tree; None for a valid one.
    failure: VerificationError | None = None

    @property
    def teps(self) -> float:
        """Traversed edges per second: nedge over seconds."""
        return self.nedge / self.seconds


@dataclass(frozen=True)
class Graph500Result:
    """A run of the benchmark. Times are seconds."""

    scale: int
    edge_factor: int
    seed: int
    #: The machine's spec, and how many ranks it has.
    machine: str
    ranks: int
    #: Making the edge list, which the benchmark does not count.
    generation_seconds: float
    #: Kernel 1 by step: ``build`` (list to rows) and ``place`` (rows to the ranks' memory), or
    #: ``generate`` of a graph made in parts; then ``prepare`` (the search's own memory).
    construction: dict[str, float]
    searches: tuple[Graph500Search, ...]

    @property
    def construction_seconds(self) -> float:
        """Kernel 1: from the edge list to a graph that is ready to be searched."""
        return sum(self.construction.values())

    @property
    def failure(self) -> VerificationError | None:
        """Of the first tree that is wrong."""
        return next((s.failure for s in self.searches if s.failure is not None), None)

    @property
    def time(self) -> Spread:
        """Seconds a search."""
        return Spread.of([s.seconds for s in self.searches])

    @property
    def nedge(self) -> Spread:
        """Entries of the edge list that a search is counted for."""
        return Spread.of([s.nedge for s in self.searches])

    @property
    def teps(self) -> RateSpread:
        """Traversed edges per second."""
        return RateSpread.of([s.nedge for s in self.searches], [s.seconds for s in self.searches])

    @property
    def validation(self) -> Spread:
        """Seconds a validation."""
        return Spread.of([s.validation_seconds for s in self.searches])

    def text(self) -> str:
        """The benchmark's output, ``key: value`` lines as its reference code prints them.

        UsageError for a run with a failed validation: such a run has no result.
        """
        if self.failure is not None:
            raise UsageError(f"graph500: no result, since a validation failed: {self.failure}")
        return "".join(f"{line}\n" for line in self._lines())

    def _lines(self) -> Iterator[str]:
        def line(key: str, value: str) -> str:
            return f"{key + ':':<32}{value}"

        yield line("SCALE", str(self.scale))
        yield line("edgefactor", str(self.edge_factor))
        yield line("NBFS", str(len(self.searches)))
        yield line("graph_generation", f"{self.generation_seconds:g}")
        yield line("num_mpi_processes", str(self.ranks))
        yield line("construction_time", f"{self.construction_seconds:g}")
        groups: list[tuple[str, Spread | RateSpread, str, str]] = [
            ("time", self.time, "bfs  ", "g"),
            ("nedge", self.nedge, "", ".11g"),
            ("TEPS", self.teps, "bfs  ", "g"),
            ("validate", self.validation, "bfs  ", "g"),
        ]
        for what, spread, kernel, form in groups:
            for field, value in vars(spread).items():
                key = f"{kernel}{_NAMES[field]}_{what}"
                # The figure that the list is ranked by is marked.
                mark = field == "harmonic_mean"
                yield f"{key + ':':<29}!  {value:{form}}" if mark else line(key, f"{value:{form}}")

"""What a trace adds up to, as values: ranks, links, levels, runs. Times are milliseconds."""

from __future__ import annotations

from dataclasses import dataclass

from .path import PathPart


@dataclass(frozen=True)
class RankSums:
    """One rank's compute stream: what it did, waited and idled is the run's time."""

    rank: int
    compute: float
    #: Work for the sake of peers: packing, starting copies, agreeing.
    exchange: float
    #: Copies that the compute stream does itself.
    copy: float
    wait: float
    idle: float
    #: Milliseconds of `compute` and `exchange` by name of the event.
    by_name: dict[str, float]

    @property
    def busy(self) -> float:
        return self.compute + self.exchange + self.copy

    @property
    def total(self) -> float:
        return self.busy + self.wait + self.idle


@dataclass(frozen=True)
class LinkSums:
    """What went from one rank to another."""

    source: int
    target: int
    copies: int
    bytes: int
    #: Milliseconds in which at least one copy was under way.
    busy: float
    #: Bytes per second while it was busy, and over the whole run.
    rate: float
    mean_rate: float
    #: Bytes per second that the link is made for; None where the machine does not know.
    bandwidth: float | None

    @property
    def use(self) -> float | None:
        """Share of the bandwidth over the whole run."""
        return None if self.bandwidth is None else self.mean_rate / self.bandwidth

    @property
    def use_while_busy(self) -> float | None:
        """Share of the bandwidth while copies were under way."""
        return None if self.bandwidth is None else self.rate / self.bandwidth


@dataclass(frozen=True)
class LevelSums:
    """One level; None stands for what lies outside of levels."""

    level: int | None
    name: str
    frontier: int
    #: Slowest rank.
    milliseconds: float
    bytes: int
    #: Sum over copies, as hidden communication counts them.
    copying: float
    #: Of that: time that compute streams idled meanwhile.
    idle_for_copies: float

    @property
    def hidden(self) -> float | None:
        return None if self.copying == 0 else 1 - self.idle_for_copies / self.copying


@dataclass(frozen=True)
class RunSums:
    """One run of an algorithm. Times are milliseconds."""

    run: int
    algorithm: str
    #: As the algorithm measured it.
    milliseconds: float
    #: The same by the trace: what the slowest rank's run lasted.
    traced: float
    slowest: int
    ranks: list[RankSums]
    links: list[LinkSums]
    levels: list[LevelSums]
    copying: float
    idle_for_copies: float
    path: list[PathPart]

    @property
    def hidden(self) -> float | None:
        """Share of the communication that was hidden; None without communication."""
        return None if self.copying == 0 else 1 - self.idle_for_copies / self.copying

"""What Fig. 10 to 12 of paper C have alike: time by number of GPUs, and the bend at the quad.

A curve bends at the quad here when, on the first number of GPUs beyond it, the link between the
sockets costs a twentieth of the time or more: against the same machine with all GPUs at one root.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from . import worklist_systems as systems
from .extent import extent
from .paper_c_reasons import SCALING, reason
from .plots import lines
from .report import NOT_IN_PAPER, Row, compared
from .worklist_graphs import KINDS, Kind, size_note
from .worklist_runs import predicted

BEYOND = systems.QUAD + 1
BEND = 1.05
TITLES = {"bfs": "BFS", "sssp": "SSSP", "pagerank": "PageRank", "components": "components"}


@dataclass(frozen=True)
class Published:
    """What the paper has of one algorithm: the number of GPUs of the best time by graph (Table 3),
    speedups over one GPU as (graph, GPUs, times), and graphs whose scaling its text says to suffer
    from the topology beyond a quad."""

    best: dict[str, int]
    speedups: tuple[tuple[str, int, float], ...] = ()
    bends: tuple[str, ...] = ()


def _times(algorithm: str, kind: Kind, way: str) -> list[float]:
    return [predicted(algorithm, kind, ranks, way) for ranks in extent.gpus]


def _draw(folder: Path, figure: str, name: str, algorithm: str) -> None:
    """One plot a way, a curve a graph."""
    for way in systems.WAYS:
        ending = re.sub(r"\W+", "_", way)
        lines(
            folder, f"{name}_{algorithm}_{ending}", extent.gpus,
            {kind.name: _times(algorithm, kind, way) for kind in KINDS}, ("GPUs", "ms"),
            f"{figure}: {TITLES[algorithm]}, M60, {way} (predicted; drawn only)",
        )  # fmt: skip


def best(algorithm: str, kind: Kind, way: str) -> int:
    """Number of GPUs of the shortest time."""
    return min(extent.gpus, key=lambda ranks: predicted(algorithm, kind, ranks, way))


def socket_cost(algorithm: str, kind: Kind, ranks: int = BEYOND) -> float:
    """Times as long as if all GPUs hung at one root."""
    with_link, without = (
        predicted(algorithm, kind, ranks, way) for way in (systems.STORES, systems.ONE_ROOT)
    )
    return with_link / without


def link_note(algorithm: str, kind: Kind) -> str:
    """What the topology costs in the model."""
    cost = socket_cost(algorithm, kind)
    why = ": accesses to random places and passes take the time" if cost < BEND else ""
    return f"On {BEYOND} GPUs the link between the sockets adds {100 * (cost - 1):.1f} %{why}."


def _why(algorithm: str, kind: Kind) -> str:
    """Of a number of GPUs, or of what they gain, that deviates."""
    notes = (
        size_note(kind, algorithm), reason(SCALING, algorithm, kind), link_note(algorithm, kind)
    )  # fmt: skip
    return " ".join(filter(None, notes))


def _graph_rows(figure: str, algorithm: str, kind: Kind, published: Published) -> list[Row]:
    title = f"{TITLES[algorithm]}, {kind.name}"
    note = size_note(kind, algorithm)
    rows = [
        Row(figure, f"{title}: best number of GPUs, {way}", published.best.get(kind.name),
            best(algorithm, kind, way), reason=_why(algorithm, kind))
        for way in systems.WAYS[:3]
    ]  # fmt: skip
    beyond, quad = (predicted(algorithm, kind, r, systems.STORES) for r in (BEYOND, systems.QUAD))
    cost = socket_cost(algorithm, kind)
    rows += [
        Row(figure, f"{title}: {BEYOND} GPUs over {systems.QUAD}, {systems.STORES}", None,
            quad / beyond, "times", reason=note),
        Row(figure, f"{title}: {BEYOND} GPUs, what the socket link adds",
            NOT_IN_PAPER, 100 * (cost - 1), "%", reason=note),
        Row(figure, f"{title}: bends at the quad", "yes" if kind.name in published.bends else None,
            "yes" if cost >= BEND else "no", reason=f"{note} {link_note(algorithm, kind)}"),
    ]  # fmt: skip
    return rows


def _speedups(figure: str, algorithm: str, published: Published) -> list[Row]:
    rows = []
    for name, ranks, times in published.speedups:
        kind = next(kind for kind in KINDS if kind.name == name)
        at = min(ranks, max(extent.gpus))
        for way in systems.WAYS[:3]:
            one, many = (predicted(algorithm, kind, r, way) for r in (1, at))
            rows.append(
                Row(figure, f"{TITLES[algorithm]}, {name}: {ranks} GPUs over 1, {way}", times,
                    one / many, "times", reason=_why(algorithm, kind))
            )  # fmt: skip
    return rows


def scaling_figure(
    folder: Path, figure: str, name: str, algorithms: Sequence[tuple[str, Published]]
) -> list[Row]:
    """The plots, and rows beside what the paper's text and Table 3 say."""
    rows: list[Row] = []
    for algorithm, published in algorithms:
        _draw(folder, figure, name, algorithm)
        for kind in KINDS:
            rows += _graph_rows(figure, algorithm, kind, published)
        rows += _speedups(figure, algorithm, published)
    return compared(folder, name, rows)

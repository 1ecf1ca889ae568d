"""Searches, components and PageRank by worklist: one run of one of them, and of the models' each.

Results are verified where they are measured. On the models they are those of the same code, which
tests verify on the same machines, and only times are taken here.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import gossamer as gs
from gossamer import VerificationError

from . import worklist_systems as systems
from .worklist_graphs import Cut, Kind, cut

ALGORITHMS = ("bfs", "sssp", "pagerank", "components")
#: On models: first in, first out, and by the rule of Groute's public source, whose EPSILON is 0.01
#: of the mean rank; that by our tolerance is beside it.
BY_RESIDUAL = "async:priority=none,residual=0.01"
#: Hook and compress, as there; that source starts its clock when the edges lie on the GPUs.
PRESTAGED, STREAMED = "routed:edges=prestaged", "routed"
ENGINES = {"bfs": "async", "sssp": "async", "pagerank": BY_RESIDUAL, "components": PRESTAGED}
#: Measured on GPUs beside `auto` and ENGINES: worklists in one kernel, or driven by host threads,
#: in either order. Not components first in, first out: each vertex of a road network gets thousands
#: of labels, and the paper has no such thing.
ON_GPUS = {
    "bfs": ("async:priority=none", "host", "host:priority=none"),
    "sssp": ("async:priority=none", "host", "host:priority=none"),
    "pagerank": ("async", "async:residual=0.01", "host:residual=0.01",
                 "host:priority=none,residual=0.01"),
    "components": ("async", "host", STREAMED),
}  # fmt: skip
#: How the paper runs each: worklists in one kernel, whose messages the host starts; components by a
#: kernel a segment.
PAPERS_WAYS = {
    "bfs": systems.COPIES, "sssp": systems.COPIES, "pagerank": systems.COPIES,
    "components": systems.LAUNCHES,
}  # fmt: skip


def by_residual(engine: str) -> bool:
    """Whether ranks are as coarse as the paper's, and not known to a tolerance."""
    return "residual=" in engine


def on_gpus(machine: gs.Machine) -> bool:
    """Whether all of its ranks are GPUs that are there."""
    return all(device.kind == "cuda" for device in machine.devices)


def measured_engines(algorithm: str, machine: gs.Machine) -> tuple[str, ...]:
    """What Table 3 and Fig. 10 to 12 time on a machine that is there: this project's choice, the
    paper's way, and what that is to be compared with."""
    more = ON_GPUS[algorithm] if on_gpus(machine) else ("async",)
    return tuple(dict.fromkeys(("auto", ENGINES[algorithm], *more)))


@dataclass(frozen=True)
class Run:
    """What is looked at of a run."""

    milliseconds: float
    #: Items that the worklist worked on; None of engines without one.
    items: int | None


def _bfs(on: Cut, machine: gs.Machine, engine: str, verify: bool) -> Run:
    result = gs.BfsSearch(machine.place(on.graph), engine=engine).run(on.source)
    if verify:
        gs.verify_bfs(on.graph, on.source, result.parents, result.depths)
    return Run(result.milliseconds, result.work.items if result.work else None)


def shortest(
    on: Cut, machine: gs.Machine, engine: str = "async", verify: bool = False,
    priority: str = "soft",
) -> Run:  # fmt: skip
    """Shortest paths; `priority` is the worklist's: ``none`` is first in, first out."""
    use = "auto" if engine == "auto" else "all"  # an engine that is named works on all it is given
    asked = engine if priority == "soft" else f"{engine}:priority={priority}"
    search = gs.SsspSearch(on.graph, machine, engine=asked, use=use)
    result = search.run(on.source)
    if verify:
        gs.verify_sssp(on.graph, on.source, result.distances)
    return Run(result.milliseconds, result.work.items if result.work else None)


def _pagerank(on: Cut, machine: gs.Machine, engine: str, verify: bool) -> Run:
    result = gs.pagerank(on.graph, machine, engine=engine, use="all")
    if not result.converged:
        raise VerificationError(f"pagerank on {on.graph.name}: not converged")
    if verify:
        # By the paper's rule ranks are known to what is left of all residuals.
        tolerance = max(result.change, 1e-6) if by_residual(engine) else 1e-6
        gs.verify_pagerank(on.graph, result.ranks, tolerance=tolerance)
    return Run(result.milliseconds, result.work.items if result.work else None)


def _components(on: Cut, machine: gs.Machine, engine: str, verify: bool) -> Run:
    result = gs.components(on.graph, machine, engine=engine, use="all")
    if verify:
        gs.verify_components(on.graph, result.labels)
    return Run(result.milliseconds, result.work.items if result.work else None)


_RUNS = {"bfs": _bfs, "sssp": shortest, "pagerank": _pagerank, "components": _components}


def run_of(algorithm: str, on: Cut, machine: gs.Machine, engine: str, verify: bool = True) -> Run:
    """One run of one of ALGORITHMS."""
    return _RUNS[algorithm](on, machine, engine, verify)


@cache
def _predicted(algorithm: str, kind: Kind, ranks: int) -> dict[str, float]:
    """By way: a graph is cut once for all of them."""
    on = cut(kind.asked(algorithm), ranks, kind.metis)
    return {
        way: run_of(
            algorithm,
            on,
            systems.system(way, kind.size(on.graph)).machine(ranks),
            ENGINES[algorithm],
            verify=False,
        ).milliseconds
        for way in systems.WAYS
    }


def predicted(algorithm: str, kind: Kind, ranks: int, way: str) -> float:
    """Milliseconds on the modelled M60s."""
    return _predicted(algorithm, kind, ranks)[way]


@cache
def tolerance_cost(kind: Kind) -> float:
    """How many times as long PageRank takes by our tolerance as by the paper's rule, on one GPU."""
    on = cut(kind.fine_spec, 1, metis=False)
    machine = systems.system(systems.COPIES, kind.size(on.graph)).machine(1)
    ours, theirs = (
        run_of("pagerank", on, machine, engine, verify=False).milliseconds
        for engine in ("async", BY_RESIDUAL)
    )
    return ours / theirs


@cache
def streamed_cost(kind: Kind, ranks: int) -> float:
    """How many times as long components take when rank 0's host makes and sends the edges."""
    on = cut(kind.asked("components"), ranks, kind.metis)
    machine = systems.system(PAPERS_WAYS["components"], kind.size(on.graph)).machine(ranks)
    streamed = run_of("components", on, machine, STREAMED, verify=False).milliseconds
    return streamed / predicted("components", kind, ranks, PAPERS_WAYS["components"])

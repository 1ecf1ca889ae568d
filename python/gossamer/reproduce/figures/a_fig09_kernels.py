"""Paper A, Fig. 9: kernel times with duplicates sorted away, as before, and scattered (drawn only).

One GPU of the gaming machine: nothing is exchanged, so that a search is its kernels. Beside the
times stands what both take: bytes of memory, and bytes that four GPUs send each other.
"""

from __future__ import annotations

import json
import math
import statistics
from functools import cache
from pathlib import Path

import gossamer as gs

from ..extent import extent
from ..here import Here, Machines, Where
from ..plots import bars
from ..report import NOT_IN_PAPER, Row, compared
from ..vector_queue_runs import EDGE_FACTOR, GAMING, graph

#: As they are traced: sorting is part of the update.
KERNELS = ("clear", "gather", "update", "convert")
WAYS = {"sort-unique": "previous (sort-unique)", "vector": "proposed (Vector)"}


def engine(duplicates: str) -> str:
    """Paper A's, which eliminates duplicates so."""
    return f"vector_queue:duplicates={duplicates}"


def _searched(
    system: Where, ranks: int, duplicates: str, trace: gs.Trace | None = None
) -> gs.BfsSearch:
    searched = graph(extent.kernel_scale, EDGE_FACTOR)
    placed = system.machine(ranks).place(searched, by_columns=True)
    return gs.BfsSearch(placed, engine=engine(duplicates), trace=trace)


@cache
def kernels(duplicates: str, system: Where = GAMING, ranks: int = 1) -> dict[str, float]:
    """Milliseconds of a search by kernel, mean of the sources and ranks; on a machine that is there
    the fastest of a few runs of each source."""
    trace = gs.Trace()
    search = _searched(system, ranks, duplicates, trace)
    sources = gs.draw_sources(graph(extent.kernel_scale, EDGE_FACTOR), extent.searches)
    before = total = dict.fromkeys(KERNELS, 0.0)
    for source in sources:
        runs = []
        for _ in range(extent.repeat if isinstance(system, Here) else 1):
            search.run(source)
            after = _sums(trace)
            runs.append({name: after[name] - before[name] for name in KERNELS})
            before = after
        fastest = min(runs, key=lambda times: math.fsum(times.values()))
        total = {name: total[name] + fastest[name] for name in KERNELS}
    return {name: of / (ranks * len(sources)) for name, of in total.items()}


def _sums(trace: gs.Trace) -> dict[str, float]:
    """Milliseconds by kernel of all runs and ranks."""
    sums = dict.fromkeys(KERNELS, 0.0)
    for event in json.loads(trace.json())["traceEvents"]:
        if event["name"] in sums:
            sums[event["name"]] += 1e-3 * event["dur"]
    return sums


def memory(duplicates: str) -> float:
    """MB that a search on one GPU takes beside the graph."""
    plan = gs.BfsSearch.plan(
        graph(extent.kernel_scale, EDGE_FACTOR), GAMING.machine(1), engine=engine(duplicates)
    )
    return 1e-6 * plan.total


def sent(duplicates: str) -> float:
    """MB that four GPUs send each other in a search, mean of the sources."""
    searched = graph(extent.kernel_scale, EDGE_FACTOR)
    search = _searched(GAMING, 4, duplicates)
    return statistics.mean(
        1e-6 * sum(kind.bytes for kind in search.run(source).messages)
        for source in gs.draw_sources(searched, extent.searches)
    )


def measured_rows(here: Here, times: dict[str, dict[str, float]]) -> list[Row]:
    """A machine that is there: the paper's and the model's ratio are one GPU's."""
    total = {way: math.fsum(of.values()) for way, of in times.items()}
    return [
        here.row("A Fig. 9", f"SCALE {extent.kernel_scale}: kernels of the previous search over "
                 "the proposed one's", total["sort-unique"] / total["vector"], "times",
                 f"{total['sort-unique']:.3g} and {total['vector']:.3g} ms; 5 times published."),
        here.row("A Fig. 9", "the largest kernel of the proposed search",
                 max(KERNELS, key=lambda name: times["vector"][name]),
                 published="gather", reason="The paper says it of its GPU."),
    ]  # fmt: skip


def byte_rows() -> list[Row]:
    """What the two take in place of time."""
    arcs = graph(extent.kernel_scale, EDGE_FACTOR).arcs
    rows = [
        Row("A Fig. 9", f"{title}: memory of a search beside the graph", NOT_IN_PAPER,
            memory(way), "MB",
            reason=f"A neighbour and its parent, twice for the sort: 32 bytes an arc, of which "
            f"there are {arcs:,}." if way == "sort-unique" else "Nothing for each arc.")
        for way, title in WAYS.items()
    ]  # fmt: skip
    return rows + [
        Row("A Fig. 9", f"{title}: sent by 4 GPUs in a search", NOT_IN_PAPER, sent(way), "MB",
            reason="Both have dropped repeated vertices before a queue is sent.")
        for way, title in WAYS.items()
    ]  # fmt: skip


def run(folder: Path, machines: Machines = ()) -> list[Row]:
    scale = extent.kernel_scale
    times = {way: kernels(way) for way in WAYS}
    found = {here: {way: kernels(way, here, here.ranks) for way in WAYS} for here in machines}
    bars(
        folder, "a_fig09_kernels", list(WAYS.values()),
        {name: [times[way][name] for way in WAYS] for name in KERNELS},
        "ms", f"A Fig. 9: kernels of a search, {GAMING.title}, 1 GPU, SCALE {scale} (predicted; "
        "drawn only)",
        measured={
            f"{here.title}, {way}": of for here, ways in found.items() for way, of in ways.items()
        },
    )  # fmt: skip
    total = {way: sum(of.values()) for way, of in times.items()}
    sorting = times["sort-unique"]["update"] / math.fsum(times["sort-unique"].values())
    rows = [
        Row("A Fig. 9", "kernels of the previous search over the proposed one's", 5,
            total["sort-unique"] / total["vector"], "times",
            reason="Bytes alone: Thrust's radix sort, 16 digits of 4 bits, of which the first "
            "that keys differ in move pairs. The text does not say which sort the predecessor has, "
            "what goes before it, in how many kernels the first of each is taken, how neighbours "
            "are gathered, and of which SCALE the figure is."),
        Row("A Fig. 9", "the largest kernel of the previous search", "sort",
            "sort" if sorting > 0.5 else "another",
            reason="\"because of eliminating sort processing\": more than half of its time."),
        Row("A Fig. 9", "the largest kernel of the proposed search", "gather",
            max(KERNELS, key=lambda name: times["vector"][name]),
            reason="The text: most of the time goes into stores to random places of Vector."),
    ]  # fmt: skip
    rows += byte_rows()
    for here, ways in found.items():
        rows += measured_rows(here, ways)
    return compared(folder, "a_fig09_kernels", rows)

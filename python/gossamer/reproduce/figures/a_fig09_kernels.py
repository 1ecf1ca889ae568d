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
from ..plots import bars
from ..report import NOT_IN_PAPER, Row, compared
from ..vector_queue_runs import EDGE_FACTOR, GAMING, graph

#: As they are traced: sorting is part of the update.
KERNELS = ("clear", "gather", "update", "convert")
WAYS = {"sort-unique": "previous (sort-unique)", "vector": "proposed (Vector)"}


def engine(duplicates: str) -> str:
    """Paper A's, which eliminates duplicates so."""
    return f"vector_queue:duplicates={duplicates}"


@cache
def kernels(duplicates: str) -> dict[str, float]:
    """Milliseconds of a search by kernel, mean of the sources."""
    searched = graph(extent.kernel_scale, EDGE_FACTOR)
    trace = gs.Trace()
    search = gs.BfsSearch(GAMING.machine(1).place(searched), engine=engine(duplicates), trace=trace)
    sources = gs.draw_sources(searched, extent.searches)
    for source in sources:
        search.run(source)
    sums = dict.fromkeys(KERNELS, 0.0)
    for event in json.loads(trace.json())["traceEvents"]:
        if event["name"] in sums:
            sums[event["name"]] += 1e-3 * event["dur"]
    return {name: total / len(sources) for name, total in sums.items()}


def memory(duplicates: str) -> float:
    """MB that a search on one GPU takes beside the graph."""
    plan = gs.BfsSearch.plan(
        graph(extent.kernel_scale, EDGE_FACTOR), GAMING.machine(1), engine=engine(duplicates)
    )
    return 1e-6 * plan.total


def sent(duplicates: str) -> float:
    """MB that four GPUs send each other in a search, mean of the sources."""
    searched = graph(extent.kernel_scale, EDGE_FACTOR)
    search = gs.BfsSearch(
        GAMING.machine(4).place(searched, by_columns=True), engine=engine(duplicates)
    )
    return statistics.mean(
        1e-6 * sum(kind.bytes for kind in search.run(source).messages)
        for source in gs.draw_sources(searched, extent.searches)
    )


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


def run(folder: Path) -> list[Row]:
    scale = extent.kernel_scale
    times = {way: kernels(way) for way in WAYS}
    bars(
        folder, "a_fig09_kernels", list(WAYS.values()),
        {name: [times[way][name] for way in WAYS] for name in KERNELS},
        "ms", f"A Fig. 9: kernels of a search, {GAMING.title}, 1 GPU, SCALE {scale} (predicted; "
        "drawn only)",
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
    return compared(folder, "a_fig09_kernels", rows + byte_rows())

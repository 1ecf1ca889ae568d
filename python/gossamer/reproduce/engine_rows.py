"""What one kernel saves on a machine that is there: engines that the host drives beside those that
run as one, and worklists in either order. Each on the first of the GPUs where it runs on one only;
verified."""

from __future__ import annotations

import gossamer as gs
from gossamer import NotCompiled, UsageError

from .report import NOT_IN_PAPER, Row
from .worklist_graphs import cut_of
from .worklist_runs import PRESTAGED, STREAMED, Run, on_gpus, run_of

REPEAT = 3
ONE_KERNEL, HOST = "worklist, one kernel", "worklist, host"
FIRST_IN = "first in, first out"
#: How a level, a bucket or a queue of work becomes the next: by the host, or within a kernel; and
#: in what order worklists are worked off.
WORKLISTS = (
    ("async", ONE_KERNEL), ("async:priority=none", f"{ONE_KERNEL}, {FIRST_IN}"),
    ("host", HOST), ("host:priority=none", f"{HOST}, {FIRST_IN}"),
)  # fmt: skip
ENGINES = {
    "bfs": (("sync", "levels, host"), ("vector_queue", "levels, host"),
            ("single_kernel", "levels, one kernel"), *WORKLISTS),
    "sssp": (("sync", "buckets"), *WORKLISTS),
    "pagerank": tuple(
        (f"{engine}{',' if ':' in engine else ':'}residual=0.01", what)
        for engine, what in WORKLISTS
    ),
    "components": ((PRESTAGED, "hooked, a kernel a segment"),
                   (STREAMED, "hooked, edges from the host"),
                   ("async", ONE_KERNEL), ("host", HOST)),
}  # fmt: skip


def _run(algorithm: str, whole: gs.Graph, machine: gs.Machine, engine: str) -> Run | None:
    """The median of a few; None of an engine that this machine does not have."""
    on = cut_of(whole, 1, False)
    try:
        made = [run_of(algorithm, on, machine, engine, verify=i == 0) for i in range(REPEAT)]
    except (NotCompiled, UsageError):
        return None
    return sorted(made, key=lambda one: one.milliseconds)[REPEAT // 2]


def engine_rows(machine: gs.Machine, whole: gs.Graph) -> list[Row]:
    """Times of the engines that there are, no figure of the paper's. Of CPU ranks those of searches
    by soft priorities alone: first in, first out takes them a hundred times as long on roads."""
    rows = []
    gpus = on_gpus(machine)
    for algorithm, engines in ENGINES.items():
        for engine, what in engines:
            if not gpus and (algorithm not in ("bfs", "sssp") or FIRST_IN in what):
                continue
            found = _run(algorithm, whole, machine, engine)
            if found is not None:
                # On CPU ranks nothing is launched: the names are those of GPUs' engines.
                rows.append(
                    Row("C 5.2", f"{algorithm}, {whole.name}, {machine.spec}: {engine} ({what})",
                        NOT_IN_PAPER, found.milliseconds, "ms", reason=_work(found, whole))
                )  # fmt: skip
    return rows


def _work(found: Run, whole: gs.Graph) -> str:
    """Work items, where they are counted."""
    return "" if found.items is None else f"{found.items / whole.vertices:.2f} items a vertex."

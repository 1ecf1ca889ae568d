"""What one kernel saves on a machine that is there: engines that the host drives beside those that
run as one. Each on the first of the GPUs where it runs on one only; all verified."""

from __future__ import annotations

from statistics import median

import gossamer as gs
from gossamer import NotCompiled, UsageError

from .report import NOT_IN_PAPER, Row
from .worklist_graphs import cut_of
from .worklist_runs import run_of

REPEAT = 3
#: How a level, a bucket or a queue of work becomes the next: by the host, or within a kernel.
ENGINES = {
    "bfs": (("sync", "levels, host"), ("vector_queue", "levels, host"),
            ("single_kernel", "levels, one kernel"), ("async", "worklist, one kernel")),
    "sssp": (("sync", "buckets"), ("async", "worklist, one kernel")),
}  # fmt: skip


def _milliseconds(
    algorithm: str, whole: gs.Graph, machine: gs.Machine, engine: str
) -> float | None:
    """None of an engine that this machine does not have."""
    on = cut_of(whole, 1, False)
    try:
        return median(run_of(algorithm, on, machine, engine).milliseconds for _ in range(REPEAT))
    except (NotCompiled, UsageError):
        return None


def engine_rows(machine: gs.Machine, whole: gs.Graph) -> list[Row]:
    """Times of the engines that there are, no figure of the paper's."""
    rows = []
    for algorithm, engines in ENGINES.items():
        for engine, what in engines:
            found = _milliseconds(algorithm, whole, machine, engine)
            if found is not None:
                # On CPU ranks nothing is launched: the names are those of GPUs' engines.
                rows.append(
                    Row("C 5.2", f"{algorithm}, {whole.name}, {machine.spec}: {engine} ({what})",
                        NOT_IN_PAPER, found, "ms")
                )  # fmt: skip
    return rows

"""Paper E, Fig. 15: where conjugate gradient's time goes, for three matrices (drawn only)."""

from pathlib import Path

from ..cg_predictions import as_published, measured, predicted
from ..extent import extent
from ..here import Here, Machines
from ..plots import bars
from ..report import Row, compared
from ..systems import MPI, TCA, called, matrices

SHOWN = ("nasa2910", "smt", "nd24k")
OPERATIONS = ("spmv", "dot", "axpy", "allgather", "allreduce")


def parts(name: str, here: Here) -> dict[str, float]:
    """Milliseconds of rank 0 on a machine that is there, by operation."""
    found = measured(name, here).phases
    return {o: as_published(found.get(o, 0.0)) for o in OPERATIONS}


def draw(folder: Path, name: str, machines: Machines) -> None:
    """One matrix: both systems by processes."""
    cases = [(system, p) for p in extent.ranks for system in (TCA, MPI)]
    bars(
        folder, f"e_fig15_cg_{name}", [f"{s.title} {p}" for s, p in cases],
        {
            o: [1e3 * predicted(name, s, p).parts.get(o, 0.0) for s, p in cases]
            for o in OPERATIONS
        },
        "ms", f"E Fig. 15: {called(name)}, 1,000 iterations (predicted; drawn only)",
        measured={here.title: parts(name, here) for here in machines},
    )  # fmt: skip


def allgathers(name: str) -> list[Row]:
    """Its share on the fewest and the most processes."""
    return [
        Row("E Fig. 15", f"{called(name)}, TCA, {p} processes: allgather", None,
            1e3 * predicted(name, TCA, p).parts["allgather"], "ms")
        for p in (2, max(extent.ranks))
    ]  # fmt: skip


def computing() -> Row:
    """The text: on nasa2910 the computing operations' times hardly change."""
    first, last = (
        sum(predicted("nasa2910", TCA, p).parts[o] for o in ("spmv", "dot", "axpy"))
        for p in (1, max(extent.ranks))
    )
    return Row(
        "E Fig. 15", f"{called('nasa2910')}: computing with more processes", "almost constant",
        "almost constant" if last >= 0.8 * first else "falls",
        reason=f"{1e3 * first:.0f} ms on 1 process, {1e3 * last:.0f} ms on {max(extent.ranks)}: "
        "seven launches of 14 us an iteration.",
    )  # fmt: skip


def large() -> Row:
    """The text: on nd24k TCA's Allgather takes longer than MPI's."""
    slower = [
        str(p) for p in extent.ranks
        if p > 1
        and predicted("nd24k", TCA, p).parts["allgather"]
        > predicted("nd24k", MPI, p).parts["allgather"]
    ]  # fmt: skip
    return Row(
        "E Fig. 15", f"{called('nd24k')}: TCA's allgather takes longer than MPI's", "yes",
        "yes" if slower else "no", reason=f"On {' and '.join(slower) or 'no'} processes.",
    )  # fmt: skip


def run(folder: Path, machines: Machines = ()) -> list[Row]:
    names = [name for name in SHOWN if name in matrices()]
    rows: list[Row] = []
    for name in names:
        draw(folder, name, machines)
        rows += allgathers(name)
        rows += [
            here.row("E Fig. 15", f"{called(name)}: {operation}", ms, "ms",
                     f"Of 1,000 iterations; {extent.iterations:,} were run. Rank 0's, with what it "
                     "waits for others.")
            for here in machines
            for operation, ms in parts(name, here).items()
        ]  # fmt: skip
    rows.append(computing())
    if "nd24k" in names:
        rows.append(large())
    return compared(folder, "e_fig15_cg_breakdown", rows)

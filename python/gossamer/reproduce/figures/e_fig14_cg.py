"""Paper E, Fig. 14: conjugate gradient, 1,000 iterations, seven matrices, 1 to 16 processes."""

from itertools import pairwise
from pathlib import Path

from ..cg_predictions import as_published, measured, milliseconds
from ..extent import extent
from ..here import Machines
from ..plots import lines
from ..report import Row, compared
from ..systems import MATRICES, MPI, TCA, called, matrices

#: What the text says: where more processes stop helping TCA (none up to 16), and who wins.
FASTEST = {"nasa2910": 1, "s1rmq4m1": 1, "smt": 4, "nd3k": 16, "nd6k": 16, "nd12k": 16, "nd24k": 16}
WINNER = {name: "MPI" if name == "nd24k" else "TCA" for name in MATRICES}
REASONS = {
    "smt": "From 4 to 8 processes the product gains 34 us an iteration, and communication loses "
    "18; it would have to lose 18 more. Conflicts in the first step, as E describes its mapping, "
    "cost 2 of them. The rest is either the matrix, which is not at hand (the band in its place "
    "gives each process as many entries; the largest of 8 parts would have to hold half as much "
    "again), or an Allgather that takes longer on 8 nodes than its steps add up to: Fig. 12 has it "
    "overtaken at half of the model's size there."
}


def winner(tca: dict[int, float], mpi: dict[int, float]) -> str:
    """TCA where it is at least as fast on every number of processes (E: "could be shortened")."""
    return "TCA" if all(tca[p] <= mpi[p] for p in tca if p > 1) else "MPI"


def trend(tca: dict[int, float]) -> str:
    """What each doubling of the processes does to the time."""
    times = [tca[p] for p in sorted(tca)]
    steps = list(pairwise(times))
    if all(after > before for before, after in steps):
        return "slower with each"
    return "faster with each" if all(after < before for before, after in steps) else "mixed"


def said(name: str, tca: dict[int, float], mpi: dict[int, float]) -> list[Row]:
    """What the text says of one matrix, in words."""
    by = ", ".join(f"{p}: {100 * (mpi[p] / tca[p] - 1):+.0f} %" for p in tca if p > 1)
    fastest = min(FASTEST[name], max(extent.ranks))
    rows = [
        Row("E Fig. 14", f"{called(name)}: winner", WINNER[name], winner(tca, mpi),
            reason=f"MPI's time over TCA's, by processes: {by}."),
        Row("E Fig. 14", f"{called(name)}: TCA fastest with processes", str(fastest),
            str(min(tca, key=lambda p: tca[p])), reason=REASONS.get(name, "")),
    ]  # fmt: skip
    if name != "smt":
        expected = "slower with each" if FASTEST[name] == 1 else "faster with each"
        rows.append(
            Row("E Fig. 14", f"{called(name)}: TCA by doubling of processes", expected, trend(tca))
        )
    return rows


def run(folder: Path, machines: Machines = ()) -> list[Row]:
    rows: list[Row] = []
    for name in matrices():
        tca, mpi = milliseconds(name, TCA), milliseconds(name, MPI)
        lines(
            folder, f"e_fig14_cg_{name}", extent.ranks,
            {TCA.title: list(tca.values()), MPI.title: list(mpi.values())},
            ("processes", "ms"), f"E Fig. 14: {called(name)} (predicted; drawn only in the paper)",
            logarithmic=False,
            measured={
                h.title: {h.ranks: as_published(measured(name, h).milliseconds)} for h in machines
            },
        )  # fmt: skip
        rows += said(name, tca, mpi)
        rows += [
            here.row("E Fig. 14", f"{called(name)}: 1,000 iterations",
                     as_published(measured(name, here).milliseconds), "ms",
                     f"{extent.iterations:,} were run, in paper E's operations.")
            for here in machines
        ]  # fmt: skip
    return compared(folder, "e_fig14_cg", rows)

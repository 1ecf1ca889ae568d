"""Paper E, Table 6: scalar Allreduce between CPUs. MPI's on 2 and 16 nodes set its call and its
step, TCA's on 2 its step."""

from pathlib import Path

from ..collective_runs import microseconds
from ..here import Machines
from ..plots import lines
from ..report import Row, compared
from ..systems import MPI, TCA, sweep

RANKS = (2, 4, 8, 16)
PUBLISHED = {TCA.title: (1.5, 2.6, 5.0, 6.4), MPI.title: (5.2, 8.1, 10.4, 14.2)}
#: Columns that the systems' software was set by.
CALIBRATION = {TCA.title: (2,), MPI.title: (2, 16)}
ALGORITHM = "dissemination"
STEP = (
    "A line through 2 and 16 nodes, 3.0 us a step; the paper's steps are 2.9, 2.3 and 3.8 us, "
    "which no number for every step gives."
)


def reason(name: str, ranks: int) -> str:
    """Of a deviation."""
    if ranks in CALIBRATION[name]:
        return ""
    if name == MPI.title:
        return STEP
    if ranks == 4:
        return "Two steps of 1.5 us and a hop: a part of the 0.5 us a step belongs to the call."
    return "Hops of 115 ns are assumed, and the mapping may differ."


def half(ours: dict[str, list[float]]) -> Row:
    """The text: TCA takes less than half of MPI's time."""
    where = [
        str(p)
        for p, tca, mpi in zip(RANKS, ours[TCA.title], ours[MPI.title], strict=True)
        if 2 * tca < mpi
    ]
    return Row(
        "E Table 6", "TCA takes less than half of MPI's time on nodes", "2, 4, 8, 16",
        ", ".join(where),
    )  # fmt: skip


def run(folder: Path, machines: Machines = ()) -> list[Row]:
    found = [sweep("allreduce", ranks, [8], "host") for ranks in RANKS]
    ours = {
        TCA.title: [1e6 * tca[0] for tca, _ in found],
        MPI.title: [1e6 * mpi[0] for _, mpi in found],
    }
    there = {h: microseconds(h, "allreduce", ALGORITHM, [8])[8] for h in machines}
    lines(
        folder, "e_table6_allreduce", RANKS, ours, ("nodes", "us"),
        "E Table 6: allreduce of 8 bytes", logarithmic=False,
        measured={h.title: {h.ranks: there[h]} for h in machines},
        published={n: dict(zip(RANKS, v, strict=True)) for n, v in PUBLISHED.items()},
    )  # fmt: skip
    rows = [
        Row("E Table 6", f"{name}, {ranks} nodes", PUBLISHED[name][i], ours[name][i], "us",
            calibration=ranks in CALIBRATION[name], reason=reason(name, ranks))
        for name in PUBLISHED
        for i, ranks in enumerate(RANKS)
    ]  # fmt: skip
    rows.append(half(ours))
    rows += [
        here.row("E Table 6", f"allreduce of 8 bytes ({ALGORITHM})", us, "us",
                 "Between the ranks' own memory: on GPUs that is theirs.")
        for here, us in there.items()
    ]  # fmt: skip
    return compared(folder, "e_table6_allreduce", rows)

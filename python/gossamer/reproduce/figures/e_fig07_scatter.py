"""Paper E, Fig. 7: Scatter on 16 nodes, sizes for each process."""

from pathlib import Path

from ..collective_runs import collective_rows
from ..extent import extent
from ..here import Machines
from ..report import Row, compared
from ..systems import compare

#: Bytes the root sends in all, for each byte of a process.
PEERS = 15
AT = 64 << 10
#: Of a rate that is measured.
ROOTS = "Of all bytes that the root sends to others."
RATE = 2.7  # GB/s, from 64 KB for each process on


def run(folder: Path, machines: Machines = ()) -> list[Row]:
    rows, tca, mpi = compare(
        folder, "E Fig. 7", "e_fig07_scatter", "scatter", 16, 32 << 10,
        "MPI overtakes at 64 KB: MVAPICH2 copies through the host up to 2 KB times the number "
        "of processes, which is 32 KB here, and directly above.",
        points={AT: 1e6 * PEERS * AT / (RATE * 1e9)}, machines=machines, algorithm="direct",
    )  # fmt: skip
    at_64 = 1e-9 * PEERS * AT / tca[extent.sizes.index(AT)]
    largest = max(1e-9 * PEERS * n / s for n, s in zip(extent.sizes, tca, strict=True))
    reading = "Reading GPU memory limits it, at ping-pong's 2.8 GB/s, without a loss on the way."
    rows += [
        Row("E Fig. 7", "TCA's rate at 64 KB for each process", RATE, at_64, "GB/s",
            reason=reading),
        Row("E Fig. 7", "TCA's largest rate", RATE, largest, "GB/s", reason=reading),
        Row("E Fig. 7", "MPI over TCA at 8 B (E: more than 4)", 4.0, mpi[0] / tca[0], "times",
            reason="MPI's time is its call and a step (3.3 us), 15 starts of 0.3 us and one "
            "message; the start is assumed, and a real MPI_Isend may keep the CPU longer."),
    ]  # fmt: skip
    for here in machines:
        rows += collective_rows(
            here, "E Fig. 7", "scatter", "direct", extent.sizes, here.ranks - 1, ROOTS
        )
    return compared(folder, "e_fig07_scatter", rows)

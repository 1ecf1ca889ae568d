"""Paper E, Fig. 7: Scatter on 16 nodes, sizes for each process."""

from pathlib import Path

from report import Row, main
from systems import SIZES, compare


def run(folder: Path) -> list[Row]:
    rows, tca, mpi = compare(
        folder, "E Fig. 7", "e_fig07_scatter", "scatter", 16, 32 << 10,
        "MPI overtakes at 64 KB: MVAPICH2 copies through the host up to 2 KB times the number "
        "of processes, which is 32 KB here, and directly above.",
    )  # fmt: skip
    at = SIZES.index(64 << 10)
    return [
        *rows,
        Row("E Fig. 7", "TCA's rate at 64 KB for each process", 2.7,
            1e-9 * 15 * (64 << 10) / tca[at], "GB/s"),
        Row("E Fig. 7", "MPI over TCA at 8 B (E: more than 4)", 4.0, mpi[0] / tca[0], "times",
            reason="MPI's time is its call (3.3 us), 15 starts of 0.3 us and one message; the "
            "start is assumed, and a real MPI_Isend may keep the CPU longer."),
    ]  # fmt: skip


if __name__ == "__main__":
    main(run)

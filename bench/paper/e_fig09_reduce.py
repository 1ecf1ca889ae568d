"""Paper E, Fig. 9: Reduce on 16 nodes, on the GPU and on the CPU."""

from pathlib import Path

from report import Row, faster_up_to, kilobytes, lines, main
from systems import MPI, SIZES, TCA, sweep


def run(folder: Path) -> list[Row]:
    gpu, mpi = sweep("reduce", 16, tca="direct")
    cpu, _ = sweep("reduce", 16, tca="direct_host")
    lines(
        folder, "e_fig09_reduce", SIZES,
        {
            f"{TCA.title}, on the GPU": [1e6 * s for s in gpu],
            f"{TCA.title}, on the CPU": [1e6 * s for s in cpu],
            MPI.title: [1e6 * s for s in mpi],
        },
        ("bytes", "us"), "E Fig. 9: reduce, 16 nodes (predicted)",
    )  # fmt: skip
    return [
        Row("E Fig. 9", "TCA on the CPU, 8 B", 6.3, 1e6 * cpu[0], "us",
            reason="What the root does for each of 15 parts is a look at its flag (50 ns)."),
        Row("E Fig. 9", "TCA on the GPU, 8 B", 42.0, 1e6 * gpu[0], "us",
            reason="Gather and one kernel (14 us) leave 25 us unexplained: two cudaMemcpy of 13 us "
            "would be as much, but E does not say what runs there."),
        Row("E Fig. 9", "MPI, 8 B", 8.2, 1e6 * mpi[0], "us",
            reason="The 3.3 us a call come from MPI_Allreduce on 2 nodes. E takes the mean of 100 "
            "calls: ranks other than the root may run ahead into the next one, the model starts "
            "each from a common moment."),
        Row("E Fig. 9", "on the CPU better up to", 8.0,
            kilobytes(faster_up_to(SIZES, cpu, gpu)), "KB"),
    ]  # fmt: skip


if __name__ == "__main__":
    main(run)

"""Paper E, Fig. 9: Reduce on 16 nodes, on the GPU and on the CPU."""

from pathlib import Path

from ..extent import extent
from ..plots import lines
from ..report import Row, compared, faster_up_to, kilobytes
from ..systems import MPI, TCA, sweep

#: Microseconds at 8 bytes (E, 4.4).
ON_CPU, ON_GPU, BY_MPI = 6.3, 42.0, 8.2


def run(folder: Path) -> list[Row]:
    gpu, mpi = sweep("reduce", 16, tca="direct")
    cpu, _ = sweep("reduce", 16, tca="direct_host")
    names = (f"{TCA.title}, on the GPU", f"{TCA.title}, on the CPU", MPI.title)
    lines(
        folder, "e_fig09_reduce", extent.sizes,
        {name: [1e6 * s for s in t] for name, t in zip(names, (gpu, cpu, mpi), strict=True)},
        ("bytes", "us"), "E Fig. 9: reduce, 16 nodes (predicted)",
        published={names[0]: {8: ON_GPU}, names[1]: {8: ON_CPU}, names[2]: {8: BY_MPI}},
    )  # fmt: skip
    rows = [
        Row("E Fig. 9", "TCA on the CPU, 8 B", ON_CPU, 1e6 * cpu[0], "us",
            reason="What the root does for each of 15 parts is a look at its flag (50 ns)."),
        Row("E Fig. 9", "TCA on the GPU, 8 B", ON_GPU, 1e6 * gpu[0], "us",
            reason="Gather and one kernel (14 us) leave 25 us unexplained: two cudaMemcpy of 13 us "
            "would be as much, but E does not say what runs there."),
        Row("E Fig. 9", "MPI, 8 B", BY_MPI, 1e6 * mpi[0], "us",
            reason="Four messages of 1.9 us one after the other are 7.6 us, and the 3.3 us of a "
            "call come on top; they are those of MPI_Allreduce on 2 nodes, the only ones that "
            "calibration may use, and MPI_Reduce seems not to have them."),
        Row("E Fig. 9", "on the CPU better up to", 8.0,
            kilobytes(faster_up_to(extent.sizes, cpu, gpu)), "KB",
            reason="At 8 KB the two differ by 1 %: adding there takes the CPU as long as the "
            "launch takes the GPU."),
    ]  # fmt: skip
    return compared(folder, "e_fig09_reduce", rows)

"""Paper E, Fig. 8: Gather on 16 nodes, sizes for each process."""

from pathlib import Path

from report import Row, lines, main
from systems import MPI, SIZES, TCA, sweep


def run(folder: Path) -> list[Row]:
    tca, mpi = sweep("gather", 16)
    lines(
        folder, "e_fig08_gather", SIZES,
        {TCA.title: [1e6 * s for s in tca], MPI.title: [1e6 * s for s in mpi]},
        ("bytes", "us"), "E Fig. 8: gather, 16 nodes (predicted; drawn only in the paper)",
    )  # fmt: skip
    best = max(1e-9 * 15 * n / s for n, s in zip(SIZES, tca, strict=True))
    return [
        Row("E Fig. 8", "TCA's largest rate", 2.8, best, "GB/s",
            reason="The model lets the root's port take all it can (3.66 GB/s): no ping-pong shows "
            "what several senders at once achieve on one GPU."),
    ]  # fmt: skip


if __name__ == "__main__":
    main(run)

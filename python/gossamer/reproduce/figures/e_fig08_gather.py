"""Paper E, Fig. 8: Gather on 16 nodes, sizes for each process."""

from pathlib import Path

from ..collective_runs import collective_rows, microseconds
from ..extent import extent
from ..here import Machines
from ..plots import lines
from ..report import Row, compared
from ..systems import MPI, TCA, sweep

PEERS = 15


def largest(times: list[float]) -> float:
    """GB/s at the root."""
    return max(1e-9 * PEERS * n / s for n, s in zip(extent.sizes, times, strict=True))


def run(folder: Path, machines: Machines = ()) -> list[Row]:
    tca, mpi = sweep("gather", 16)
    lines(
        folder, "e_fig08_gather", extent.sizes,
        {TCA.title: [1e6 * s for s in tca], MPI.title: [1e6 * s for s in mpi]},
        ("bytes", "us"), "E Fig. 8: gather, 16 nodes (predicted; drawn only in the paper)",
        measured={h.title: microseconds(h, "gather", "direct", extent.sizes) for h in machines},
    )  # fmt: skip
    scatter, _ = sweep("scatter", 16)
    port = (
        "The model lets the root's port take all it can (3.66 GB/s): no ping-pong shows what "
        "several senders at once achieve on one GPU."
    )
    rows = [
        Row("E Fig. 8", "TCA's largest rate", 2.8, largest(tca), "GB/s", reason=port),
        Row("E Fig. 8", "TCA's largest rate over Scatter's", 2.8 / 2.7,
            largest(tca) / largest(scatter), "times", reason=port),
    ]  # fmt: skip
    for here in machines:
        rows += collective_rows(
            here, "E Fig. 8", "gather", "direct", extent.sizes, here.ranks - 1,
            "Of all bytes that the root gets from others.",
        )  # fmt: skip
    return compared(folder, "e_fig08_gather", rows)

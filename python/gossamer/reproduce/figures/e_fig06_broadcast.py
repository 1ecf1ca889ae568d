"""Paper E, Fig. 6: Broadcast on 16 and 8 nodes."""

from pathlib import Path

from ..collective_runs import collective_rows
from ..extent import extent
from ..here import Machines
from ..report import Row, compared
from ..systems import compare

#: The paper's tree.
ALGORITHM = "binomial"
REASON = (
    "MPI changes from a tree to scatter and allgather above 128 KB, as in the tables of MVAPICH2's "
    "public source; the GDR edition that was measured is closed. On 16 nodes MPI takes 59 % longer "
    "at 128 KB; just above TCA takes 10 % longer, at 180 KB 20 %."
)


def run(folder: Path, machines: Machines = ()) -> list[Row]:
    rows: list[Row] = []
    for ranks in (16, 8):
        found, _, _ = compare(
            folder, "E Fig. 6", f"e_fig06_broadcast_{ranks}", "broadcast", ranks, 256 << 10, REASON,
            machines=machines, algorithm=ALGORITHM,
        )  # fmt: skip
        rows += found
    for here in machines:
        rows += collective_rows(here, "E Fig. 6", "broadcast", ALGORITHM, extent.sizes)
    return compared(folder, "e_fig06_broadcast", rows)

"""Paper E, Table 6: scalar Allreduce between CPUs."""

from pathlib import Path

from ..plots import lines
from ..report import Row, compared
from ..systems import MPI, TCA, sweep

RANKS = (2, 4, 8, 16)
PUBLISHED = {TCA.title: (1.5, 2.6, 5.0, 6.4), MPI.title: (5.2, 8.1, 10.4, 14.2)}
STEP = (
    "Every step costs one ping-pong, and the 3.3 us that 2 nodes leave are the call's; the real "
    "one grows by 3 us a step, since it reduces and matches messages as well."
)


def reason(name: str, ranks: int) -> str:
    """Of a deviation."""
    if ranks == 2:
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
        ", ".join(where), reason=f"MPI's row is low. {STEP}",
    )  # fmt: skip


def run(folder: Path) -> list[Row]:
    found = [sweep("allreduce", ranks, [8], "host") for ranks in RANKS]
    ours = {
        TCA.title: [1e6 * tca[0] for tca, _ in found],
        MPI.title: [1e6 * mpi[0] for _, mpi in found],
    }
    lines(
        folder, "e_table6_allreduce", RANKS, ours, ("nodes", "us"),
        "E Table 6: allreduce of 8 bytes", logarithmic=False,
        published={n: dict(zip(RANKS, v, strict=True)) for n, v in PUBLISHED.items()},
    )  # fmt: skip
    rows = [
        Row("E Table 6", f"{name}, {ranks} nodes", PUBLISHED[name][i], ours[name][i], "us",
            calibration=ranks == 2, reason=reason(name, ranks))
        for name in PUBLISHED
        for i, ranks in enumerate(RANKS)
    ]  # fmt: skip
    return compared(folder, "e_table6_allreduce", [*rows, half(ours)])

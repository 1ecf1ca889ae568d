"""Paper E, Table 6: scalar Allreduce between CPUs."""

from pathlib import Path

from report import Row, lines, main
from systems import MPI, TCA, sweep

RANKS = (2, 4, 8, 16)
PUBLISHED = {TCA.title: (1.5, 2.6, 5.0, 6.4), MPI.title: (5.2, 8.1, 10.4, 14.2)}


def reason(name: str, ranks: int) -> str:
    """Of a deviation."""
    if name == MPI.title and ranks > 2:
        return "Every step costs one ping-pong; the real one reduces and matches messages as well."
    if ranks == 4:
        return "Two steps of 1.5 us and a hop: a part of the 0.5 us a step belongs to the call."
    return ""


def run(folder: Path) -> list[Row]:
    found = [sweep("allreduce", ranks, [8], "host") for ranks in RANKS]
    ours = {
        TCA.title: [1e6 * tca[0] for tca, _ in found],
        MPI.title: [1e6 * mpi[0] for _, mpi in found],
    }
    lines(
        folder, "e_table6_allreduce", RANKS,
        {
            **ours,
            **{f"{name}, published": values for name, values in PUBLISHED.items()},
        },
        ("nodes", "us"), "E Table 6: allreduce of 8 bytes", logarithmic=False,
    )  # fmt: skip
    return [
        Row("E Table 6", f"{name}, {ranks} nodes", PUBLISHED[name][i], ours[name][i], "us",
            calibration=ranks == 2, reason=reason(name, ranks))
        for name in PUBLISHED
        for i, ranks in enumerate(RANKS)
    ]  # fmt: skip


if __name__ == "__main__":
    main(run)

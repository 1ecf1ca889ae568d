"""Paper E, Fig. 4: MPI's bandwidth between GPUs by the size up to which it uses GPU-direct."""

from pathlib import Path

from gossamer.simulation import System, ping_pong

from ..plots import lines
from ..report import Row, compared, kilobytes
from ..systems import MPI

SIZES = [1 << k for k in range(13, 24)]
LIMITS = [1 << k for k in range(14, 24)]


def run(folder: Path) -> list[Row]:
    times: dict[int, list[float]] = {}
    for limit in LIMITS:
        system = System(MPI.name, (f"transfer.mpi-gpudirect.up_to={limit}",))
        times[limit] = [ping_pong(system, n) for n in SIZES]
    lines(
        folder, "e_fig04_gpu_direct_limit", SIZES,
        {
            f"{limit >> 10} KB": [1e-9 * n / s for n, s in zip(SIZES, found, strict=True)]
            for limit, found in times.items()
        },
        ("bytes", "GB/s"), "Fig. 4: GPU-direct limit (predicted; drawn only in the paper)",
    )  # fmt: skip
    # The limit that is slower than another one by least, summed over sizes.
    fastest = [min(found[i] for found in times.values()) for i in range(len(SIZES))]
    best = min(LIMITS, key=lambda lim: sum(t / f for t, f in zip(times[lim], fastest, strict=True)))
    rows = [Row("E Fig. 4", "best GPU-direct limit", 512.0, kilobytes(best), "KB", True)]
    return compared(folder, "e_fig04_gpu_direct_limit", rows)

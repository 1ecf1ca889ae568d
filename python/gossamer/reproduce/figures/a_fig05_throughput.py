"""Paper A, Fig. 5: throughput between GPUs, and between GPU and host, by size (drawn only)."""

from pathlib import Path

from gossamer.simulation import ping_pong

from ..extent import extent
from ..plots import lines
from ..report import Row, compared
from ..vector_queue_runs import SYSTEMS, host_copy


def run(folder: Path) -> list[Row]:
    curves: dict[str, list[float | None]] = {}
    for s in SYSTEMS:
        curves[f"{s.title}, peer"] = [1e-9 * n / ping_pong(s, n) for n in extent.sizes]
        curves[f"{s.title}, to the host"] = [1e-9 * n / host_copy(s, n) for n in extent.sizes]
        curves[f"{s.title}, from the host"] = [
            1e-9 * n / host_copy(s, n, "host", "device") for n in extent.sizes
        ]
    lines(
        folder, "a_fig05_throughput", extent.sizes, curves, ("bytes", "GB/s"),
        "A Fig. 5: throughput by size (predicted; drawn only)",
    )  # fmt: skip
    rows = [
        Row("A Fig. 5", f"{name}, largest size", None, values[-1], "GB/s")
        for name, values in curves.items()
    ]
    return compared(folder, "a_fig05_throughput", rows)

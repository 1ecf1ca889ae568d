"""Paper A, Fig. 5: throughput between GPUs, and between GPU and host, by size (drawn only)."""

from pathlib import Path

from gossamer.simulation import ping_pong

from ..collective_runs import BOTH_WAYS, EXCHANGE, collective_rows, rates
from ..extent import extent
from ..here import Machines
from ..plots import lines
from ..report import Row, compared
from ..vector_queue_runs import SYSTEMS, host_copy


def run(folder: Path, machines: Machines = ()) -> list[Row]:
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
        measured={h.title: rates(h, *EXCHANGE, extent.sizes) for h in machines},
    )  # fmt: skip
    rows = [
        Row("A Fig. 5", f"{name}, largest size", None, values[-1], "GB/s")
        for name, values in curves.items()
    ]
    for here in machines:
        rows += collective_rows(here, "A Fig. 5", *EXCHANGE, extent.sizes, reason=BOTH_WAYS)
    return compared(folder, "a_fig05_throughput", rows)

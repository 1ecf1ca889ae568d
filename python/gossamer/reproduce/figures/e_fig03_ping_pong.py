"""Paper E, Fig. 3: ping-pong latency and bandwidth. All of it is calibration."""

from pathlib import Path

from gossamer.simulation import System, ping_pong

from ..collective_runs import BOTH_WAYS, EXCHANGE, collective_rows, microseconds, rates
from ..extent import extent
from ..here import Machines
from ..plots import lines
from ..report import Row, compared, faster_up_to, kilobytes
from ..systems import MPI, TCA

#: The same without PIO, and with nothing else: which one is taken is another question.
DMA = System(TCA.name, ("transfer.pio.up_to=1",))
PIO = System(TCA.name, ("transfer.pio.up_to=1e12",))

#: Microseconds by bytes that the text gives. Between CPUs TCA's DMA takes as long as between GPUs,
#: and MPI as long as TCA ("the same degree").
LATENCY: dict[str, dict[float, float]] = {
    "TCA PIO CPU": {8: 1.0},
    "TCA DMA CPU": {8: 1.9},
    "TCA DMA GPU": {8: 1.9},
    "MPI CPU": {8: 1.9},
    "MPI GPU": {8: 2.4, 16: 3.5},
}
#: GB/s of the longest messages.
LARGEST = {"TCA DMA GPU": 2.8, "TCA DMA CPU": 3.5, "MPI GPU": 4.4, "MPI CPU": 6.0}

Curves = dict[str, list[float]]


def curves() -> Curves:
    """Seconds by size."""
    return {
        "TCA PIO CPU": [ping_pong(PIO, n, "host") for n in extent.sizes],
        "TCA DMA CPU": [ping_pong(DMA, n, "host") for n in extent.sizes],
        "TCA DMA GPU": [ping_pong(TCA, n) for n in extent.sizes],
        "MPI CPU": [ping_pong(MPI, n, "host") for n in extent.sizes],
        "MPI GPU": [ping_pong(MPI, n) for n in extent.sizes],
    }


def draw(folder: Path, found: Curves, machines: Machines) -> None:
    """Both halves of the figure."""
    small = [n for n in extent.sizes if n <= 4096]
    lines(
        folder, "e_fig03a_latency", small,
        {name: [1e6 * s for s in times[: len(small)]] for name, times in found.items()},
        ("bytes", "us"), "Fig. 3 (a): ping-pong latency (calibration)", logarithmic=False,
        published=LATENCY,
        measured={h.title: microseconds(h, *EXCHANGE, small) for h in machines},
    )  # fmt: skip
    lines(
        folder, "e_fig03b_bandwidth", extent.sizes,
        {
            name: [1e-9 * n / s for n, s in zip(extent.sizes, times, strict=True)]
            for name, times in found.items()
        },
        ("bytes", "GB/s"), "Fig. 3 (b): ping-pong bandwidth (calibration)",
        measured={h.title: rates(h, *EXCHANGE, extent.sizes) for h in machines},
    )  # fmt: skip


def run(folder: Path, machines: Machines = ()) -> list[Row]:
    found = curves()
    draw(folder, found, machines)
    rows = []
    for name, points in LATENCY.items():
        for size, published in points.items():
            if size in extent.sizes:
                ours = 1e6 * found[name][extent.sizes.index(int(size))]
                rows.append(
                    Row("E Fig. 3", f"{name}, {size} B", published, ours, "us", True)
                )  # fmt: skip
    for name, published in LARGEST.items():
        ours = max(1e-9 * n / s for n, s in zip(extent.sizes, found[name], strict=True))
        rows.append(
            Row("E Fig. 3", f"{name}, largest", published, ours, "GB/s", True,
                reason="The rate is the asymptote; the longest message still shows its set-up.")
        )  # fmt: skip
    for what, published, unit, first, second in (
        ("PIO faster than DMA up to", 128, "B", "TCA PIO CPU", "TCA DMA CPU"),
        ("TCA faster than MPI between GPUs up to", 64, "KB", "TCA DMA GPU", "MPI GPU"),
    ):
        end = faster_up_to(extent.sizes, found[first], found[second])
        up_to = end if unit == "B" else kilobytes(end)
        rows.append(Row("E Fig. 3", what, published, up_to, unit, True))
    for here in machines:
        rows += collective_rows(here, "E Fig. 3", *EXCHANGE, extent.sizes, reason=BOTH_WAYS)
    return compared(folder, "e_fig03_ping_pong", rows)

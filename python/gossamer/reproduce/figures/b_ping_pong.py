"""Paper B: ping-pong by DMA over PEACH2 and PEACH3 (drawn only)."""

from pathlib import Path

from gossamer.simulation import System, ping_pong

from ..collective_runs import BOTH_WAYS, EXCHANGE, collective_rows, microseconds, rates
from ..extent import extent
from ..here import Machines
from ..plots import lines
from ..report import Row, compared
from ..systems import PEACH3, TCA


def run(folder: Path, machines: Machines = ()) -> list[Row]:
    sizes = extent.sizes
    curves: dict[str, list[float]] = {}
    for system in (TCA, PEACH3):
        dma = System(system.name, ("transfer.pio.up_to=1",))
        for buffers, who in (("host", "CPU"), ("device", "GPU")):
            curves[f"{system.title}, {who}"] = [ping_pong(dma, n, buffers) for n in sizes]
    lines(
        folder, "b_ping_pong_latency", sizes, {k: [1e6 * s for s in v] for k, v in curves.items()},
        ("bytes", "us"), "B: ping-pong by DMA (predicted; drawn only in the paper)",
        measured={h.title: microseconds(h, *EXCHANGE, sizes) for h in machines},
    )  # fmt: skip
    lines(
        folder, "b_ping_pong_bandwidth", sizes,
        {k: [1e-9 * n / s for n, s in zip(sizes, v, strict=True)] for k, v in curves.items()},
        ("bytes", "GB/s"), "B: ping-pong by DMA (predicted; drawn only in the paper)",
        measured={h.title: rates(h, *EXCHANGE, sizes) for h in machines},
    )  # fmt: skip

    def best(name: str) -> float:
        return max(1e-9 * n / s for n, s in zip(sizes, curves[name], strict=True))

    ratio = best(f"{PEACH3.title}, GPU") / best(f"{TCA.title}, GPU")
    rows = [
        Row("B ping-pong", "PEACH3's bandwidth over PEACH2's", 2.0, ratio, "times", True),
        Row("B ping-pong", "PEACH3, GPU to GPU, 8 B", None, 1e6 * curves["PEACH3, GPU"][0], "us",
            reason="The latency is an assumption: PEACH2's, since both hubs run at 250 MHz."),
    ]  # fmt: skip
    for here in machines:
        rows += collective_rows(here, "B ping-pong", *EXCHANGE, sizes, reason=BOTH_WAYS)
    return compared(folder, "b_ping_pong", rows)

"""Paper E, Fig. 3: ping-pong latency and bandwidth. All of it is calibration."""

from pathlib import Path

from gossamer.simulation import System, ping_pong
from report import Row, faster_up_to, kilobytes, lines, main
from systems import MPI, SIZES, TCA

#: The same without PIO: every transfer is a DMA.
DMA = System(TCA.name, ("transfer.pio.up_to=1",))


def run(folder: Path) -> list[Row]:
    small = [n for n in SIZES if n <= 4096]
    curves = {
        "TCA PIO CPU": [ping_pong(TCA, n, "host") if n <= 128 else None for n in SIZES],
        "TCA DMA CPU": [ping_pong(DMA, n, "host") for n in SIZES],
        "TCA DMA GPU": [ping_pong(TCA, n) for n in SIZES],
        "MPI CPU": [ping_pong(MPI, n, "host") for n in SIZES],
        "MPI GPU": [ping_pong(MPI, n) for n in SIZES],
    }
    lines(
        folder, "e_fig03a_latency", small,
        {k: [None if s is None else 1e6 * s for s in v[: len(small)]] for k, v in curves.items()},
        ("bytes", "us"), "Fig. 3 (a): ping-pong latency", logarithmic=False,
    )  # fmt: skip
    lines(
        folder, "e_fig03b_bandwidth", SIZES,
        {
            k: [None if s is None else 1e-9 * n / s for n, s in zip(SIZES, v, strict=True)]
            for k, v in curves.items()
        },
        ("bytes", "GB/s"), "Fig. 3 (b): ping-pong bandwidth",
    )  # fmt: skip

    def latency(name: str, size: int) -> float:
        value = curves[name][SIZES.index(size)]
        assert value is not None
        return 1e6 * value

    def best(name: str) -> float:
        return max(1e-9 * n / s for n, s in zip(SIZES, curves[name], strict=True) if s is not None)

    tca = [float(s or 0) for s in curves["TCA DMA GPU"]]
    mpi = [float(s or 0) for s in curves["MPI GPU"]]
    end = faster_up_to(SIZES, tca, mpi, tie=0)
    return [
        Row("E Fig. 3", "TCA PIO, CPU to CPU, 8 B", 1.0, latency("TCA PIO CPU", 8), "us", True),
        Row("E Fig. 3", "TCA DMA, CPU to CPU, 8 B", 1.9, latency("TCA DMA CPU", 8), "us", True),
        Row("E Fig. 3", "TCA DMA, GPU to GPU, 8 B", 1.9, latency("TCA DMA GPU", 8), "us", True),
        Row("E Fig. 3", "MPI, GPU to GPU, 8 B", 2.4, latency("MPI GPU", 8), "us", True),
        Row("E Fig. 3", "MPI, GPU to GPU, 16 B", 3.5, latency("MPI GPU", 16), "us", True),
        Row("E Fig. 3", "MPI, CPU to CPU, 8 B", 1.9, latency("MPI CPU", 8), "us", True),
        Row("E Fig. 3", "TCA, GPU to GPU, largest", 2.8, best("TCA DMA GPU"), "GB/s", True),
        Row("E Fig. 3", "TCA, CPU to CPU, largest", 3.5, best("TCA DMA CPU"), "GB/s", True),
        Row("E Fig. 3", "MPI, GPU to GPU, largest", 4.4, best("MPI GPU"), "GB/s", True),
        Row("E Fig. 3", "MPI, CPU to CPU, largest", 6.0, best("MPI CPU"), "GB/s", True),
        Row("E Fig. 3", "TCA faster up to", 64.0, kilobytes(end), "KB", True),
    ]


if __name__ == "__main__":
    main(run)

"""Paper E, Fig. 5: copies within one GPU, by TCA's DMA and by cudaMemcpy."""

from pathlib import Path

from gossamer.simulation import System, device_copy
from plots import lines
from report import Row, compared, faster_up_to, kilobytes, main
from systems import TCA

SIZES = [1 << k for k in range(3, 23)]


def run(folder: Path) -> list[Row]:
    only_tca = System(TCA.name, ("copy.tca-copy.up_to=1e12",))
    only_cuda = System(TCA.name, ("copy.tca-copy.up_to=1",))
    tca = [device_copy(only_tca, n) for n in SIZES]
    cuda = [device_copy(only_cuda, n) for n in SIZES]
    lines(
        folder, "e_fig05_device_copy", SIZES,
        {"TCA": [1e6 * s for s in tca], "cudaMemcpy": [1e6 * s for s in cuda]},
        ("bytes", "us"), "Fig. 5: copy within one GPU (calibration)",
        published={"cudaMemcpy": {8: 13.0}},
    )  # fmt: skip
    end = faster_up_to(SIZES, tca, cuda)
    rows = [
        Row("E Fig. 5", "TCA faster up to", 8.0, kilobytes(end), "KB", True),
        Row("E Fig. 5", "cudaMemcpy, registered memory, 8 B", 13.0, 1e6 * cuda[0], "us", True),
        Row("E Fig. 5", "cudaMemcpy, memory not registered", 6.0, "not modelled", "us", True,
            reason="What communicates is registered for it, and nothing else is copied."),
    ]  # fmt: skip
    return compared(folder, "e_fig05_device_copy", rows)


if __name__ == "__main__":
    main(run)

"""Paper E, Fig. 5: copies within one GPU, by TCA's DMA and by cudaMemcpy."""

from pathlib import Path

from gossamer.simulation import System, device_copy

from ..collective_runs import collective_rows, microseconds
from ..here import Machines
from ..plots import lines
from ..report import NOT_IN_PAPER, Row, compared, faster_up_to, kilobytes
from ..systems import TCA

#: What E, 3.2 gives for memory that is not registered: collectives need memory that is.
UNREGISTERED = "copy.cudaMemcpy.start=6.0e-6"
#: What the model's copy is, too: of one rank its own part is all there is.
COPY = ("scatter", "direct")
OWN_PART = "A scatter of one rank is a copy of its own part."
SIZES = [1 << k for k in range(3, 23)]


def run(folder: Path, machines: Machines = ()) -> list[Row]:
    only_tca = System(TCA.name, ("copy.tca-copy.up_to=1e12",))
    only_cuda = System(TCA.name, ("copy.tca-copy.up_to=1",))
    not_registered = System(TCA.name, (*only_cuda.changes, UNREGISTERED))
    tca = [device_copy(only_tca, n) for n in SIZES]
    cuda = [device_copy(only_cuda, n) for n in SIZES]
    other = [device_copy(not_registered, n) for n in SIZES]
    lines(
        folder, "e_fig05_device_copy", SIZES,
        {
            "TCA": [1e6 * s for s in tca],
            "cudaMemcpy": [1e6 * s for s in cuda],
            "cudaMemcpy, memory not registered": [1e6 * s for s in other],
        },
        ("bytes", "us"), "Fig. 5: copy within one GPU (calibration)",
        measured={here.title: microseconds(here, *COPY, SIZES) for here in machines},
        published={"cudaMemcpy": {8: 13.0}, "cudaMemcpy, memory not registered": {8: 6.0}},
    )  # fmt: skip
    end = faster_up_to(SIZES, tca, cuda)
    alone = faster_up_to(SIZES, tca, other)
    rows = [
        Row("E Fig. 5", "TCA faster up to", 8.0, kilobytes(end), "KB", True),
        Row("E Fig. 5", "cudaMemcpy, registered memory, 8 B", 13.0, 1e6 * cuda[0], "us", True),
        Row("E Fig. 5", "cudaMemcpy, memory not registered, 8 B", 6.0, 1e6 * other[0], "us", True),
        Row("E Fig. 5", "TCA would be faster up to, not registered", NOT_IN_PAPER,
            kilobytes(alone), "KB"),
    ]  # fmt: skip
    for here in machines:
        rows += collective_rows(here, "E Fig. 5", *COPY, SIZES, reason=OWN_PART)
    return compared(folder, "e_fig05_device_copy", rows)

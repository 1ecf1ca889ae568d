"""Paper E, Fig. 9: Reduce on 16 nodes, on the GPU and on the CPU. Nothing is set by it but the
launch of a kernel, 14 us, which its text states by itself."""

from pathlib import Path

from ..collective_runs import collective_rows, microseconds
from ..extent import extent
from ..here import Machines
from ..plots import lines
from ..report import Row, compared, faster_up_to, kilobytes
from ..systems import MPI, TCA, sweep

#: Microseconds at 8 bytes (E, 4.4).
ON_CPU, ON_GPU, BY_MPI = 6.3, 42.0, 8.2
#: Both variants, with the schedule of each.
VARIANTS = {"CPU": "direct_host", "GPU": "direct"}
REASONS = {
    "CPU": "What the root does for each of 15 parts is a look at its flag (50 ns).",
    "GPU": "Gather and one kernel (14 us) leave 25 us unexplained: two cudaMemcpy of 13 us would "
    "be as much, but E copies with TCA (2 us) up to 8 KB. With 25 us more at every size the two "
    "variants would meet above 16 KB, which contradicts E's 8 KB.",
    "MPI": "E's numbers contradict each other: four messages of 1.9 us and GDRCopy's two copies "
    "are 8.1 us without any software, but Table 6 has 3.3 us of it in a call of one step. Means of "
    "100 calls that overlap would explain it; E does not say whether they begin together.",
}


def size_rows(tca: dict[str, list[float]], mpi: list[float]) -> list[Row]:
    """By size: both variants beside MPI."""
    rows = []
    for size in (8, 8 << 10, 1 << 20):
        if size not in extent.sizes:
            continue
        at = extent.sizes.index(size)
        label = f"{size} B" if size < 1024 else f"{size >> 10} KB"
        published = {"CPU": ON_CPU, "GPU": ON_GPU, "MPI": BY_MPI} if size == 8 else {}
        ours = {name: 1e6 * times[at] for name, times in {**tca, "MPI": mpi}.items()}
        text = ", ".join(f"{name} {us:.1f}" for name, us in ours.items())
        rows += [
            Row("E Fig. 9", f"{label}: {'MPI' if name == 'MPI' else f'TCA on the {name}'}",
                published.get(name), us, "us",
                reason=f"{REASONS[name]} All three: {text} us." if published else "")
            for name, us in ours.items()
        ]  # fmt: skip
    return rows


def run(folder: Path, machines: Machines = ()) -> list[Row]:
    found = {name: sweep("reduce", 16, tca=way) for name, way in VARIANTS.items()}
    tca, mpi = {name: times for name, (times, _) in found.items()}, found["CPU"][1]
    titles = {name: f"{TCA.title}, on the {name}" for name in VARIANTS}
    lines(
        folder, "e_fig09_reduce", extent.sizes,
        {titles[name]: [1e6 * s for s in times] for name, times in tca.items()}
        | {MPI.title: [1e6 * s for s in mpi]},
        ("bytes", "us"), "E Fig. 9: reduce, 16 nodes (predicted)",
        measured={
            f"{here.title} ({way})": microseconds(here, "reduce", way, extent.sizes)
            for here in machines
            for way in VARIANTS.values()
        },
        published={titles["GPU"]: {8: ON_GPU}, titles["CPU"]: {8: ON_CPU}, MPI.title: {8: BY_MPI}},
    )  # fmt: skip
    rows = size_rows(tca, mpi)
    rows += [
        Row("E Fig. 9", f"TCA on the {name} faster than MPI up to", None,
            kilobytes(faster_up_to(extent.sizes, times, mpi)), "KB")
        for name, times in tca.items()
    ]  # fmt: skip
    rows.append(
        Row("E Fig. 9", "TCA on the CPU better than on the GPU up to", 8.0,
            kilobytes(faster_up_to(extent.sizes, tca["CPU"], tca["GPU"])), "KB",
            reason="They meet at 7.5 KB, and at 8 KB the CPU takes 2 % longer: adding there takes "
            "the CPU as long as the launch takes the GPU."),
    )  # fmt: skip
    for here in machines:
        for way in VARIANTS.values():
            rows += collective_rows(here, "E Fig. 9", "reduce", way, extent.sizes)
    return compared(folder, "e_fig09_reduce", rows)

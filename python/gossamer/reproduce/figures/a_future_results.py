"""Paper A's future work: the way of the result to the host, as published and behind the search."""

from pathlib import Path

from ..extent import extent
from ..here import Here, Machines
from ..plots import lines
from ..report import NOT_IN_PAPER, Row, compared
from ..vector_queue_runs import EXPETHER, GPUS, SYSTEMS, label_milliseconds, milliseconds

WAYS = {
    "stay": "stays on the GPUs",
    "serial": "serial (published)",
    "slices": "slices, all GPUs at once",
    "overlapped": "overlapped",
}
SERIAL = "8 bytes a vertex, one GPU after the other, over the one link that the host has."
SLICES = "8 bytes a vertex, depths among them, over a link that all GPUs share: as long as serial."
OVERLAPPED = (
    "4 bytes a vertex that is reached, and which one it is: while the next level is gathered, from "
    "all GPUs. Half of what is left is the host's: it puts labels in their places."
)
REASONS = {"serial": SERIAL, "slices": SLICES, "overlapped": OVERLAPPED}


def costs(here: Here, scale: int) -> list[Row]:
    """Of a machine that is there."""
    return [
        here.row("A future work", f"SCALE {scale}: Label costs, of the search, {title}",
                 100 * label_milliseconds(here, here.ranks, scale, results=way)
                 / milliseconds(here, here.ranks, scale), "%",
                 f"The difference of two times, which is as uncertain as they are. {REASONS[way]}")
        for way, title in WAYS.items()
        if way != "stay"
    ]  # fmt: skip


def run(folder: Path, machines: Machines = ()) -> list[Row]:
    scale = extent.search_scale
    for system in SYSTEMS:
        lines(
            folder, f"a_future_results_{system.name}", GPUS,
            {title: [milliseconds(system, p, scale, way) for p in GPUS]
             for way, title in WAYS.items()},
            ("GPUs", "ms"), f"A, future work: {system.title}, SCALE {scale}, edge factor 16",
            ours_only=tuple(WAYS[way] for way in WAYS if way != "serial"),
            measured={
                f"{here.title}, {title}": {here.ranks: milliseconds(here, here.ranks, scale, way)}
                for here in machines
                for way, title in WAYS.items()
            },
        )  # fmt: skip
    rows = [
        Row("A future work", f"{system.title}, {p} GPUs: Label costs, of the search, {title}",
            None if way == "serial" else NOT_IN_PAPER,
            100 * label_milliseconds(system, p, scale, results=way)
            / milliseconds(system, p, scale), "%",
            reason=REASONS[way])
        for system in SYSTEMS
        for p in GPUS
        for way, title in WAYS.items()
        if way != "stay"
    ]  # fmt: skip
    worst = max(
        label_milliseconds(EXPETHER, p, scale, results="overlapped")
        / milliseconds(EXPETHER, p, scale)
        for p in GPUS
    )
    rows.append(
        Row("A future work", f"{EXPETHER.title}: overlapped, a tenth of the search at most",
            NOT_IN_PAPER, "yes" if worst <= 0.1 else "no",
            reason=f"At SCALE {scale}; small searches have less to go behind.")
    )  # fmt: skip
    for here in machines:
        rows += costs(here, scale)
    return compared(folder, "a_future_results", rows)

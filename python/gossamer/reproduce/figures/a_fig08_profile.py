"""Paper A, Fig. 8: time of the search and of bringing Label to the host (drawn only)."""

from pathlib import Path

from ..extent import extent
from ..here import Machines
from ..plots import bars
from ..report import Row, compared
from ..vector_queue_runs import GPUS, SYSTEMS, label_milliseconds, milliseconds


def run(folder: Path, machines: Machines = ()) -> list[Row]:
    scale = extent.search_scale
    cases = [(s, p) for s in SYSTEMS for p in GPUS]
    search = [milliseconds(s, p, scale) for s, p in cases]
    label = [label_milliseconds(s, p, scale) for s, p in cases]
    found = {
        here: (milliseconds(here, here.ranks, scale), label_milliseconds(here, here.ranks, scale))
        for here in machines
    }
    bars(
        folder, "a_fig08_profile", [f"{s.title}, {p}" for s, p in cases],
        {"search": search, "Label to the host": label},
        "ms", f"A Fig. 8: SCALE {scale}, edge factor 16 (predicted; drawn only)",
        measured={
            here.title: {"search": there, "Label to the host": brought}
            for here, (there, brought) in found.items()
        },
    )  # fmt: skip
    rows = [
        Row("A Fig. 8", f"{s.title}, {p} GPUs: Label's share of the time", None,
            100 * label[i] / (label[i] + search[i]), "%")
        for i, (s, p) in enumerate(cases)
    ]  # fmt: skip
    constant = all(max(label[i : i + 3]) < 1.05 * min(label[i : i + 3]) for i in (0, 3))
    rows.append(
        Row("A Fig. 8", "Label's time on 1, 2 and 4 GPUs", "constant",
            "constant" if constant else "not constant",
            reason="One after the other: only the starts of copies are more.")
    )  # fmt: skip
    rows += [
        here.row("A Fig. 8", f"SCALE {scale}: Label's share of the time",
                 100 * brought / (brought + there), "%",
                 reason=f"{there:.3g} ms without it, {there + brought:.3g} ms with it.")
        for here, (there, brought) in found.items()
    ]  # fmt: skip
    return compared(folder, "a_fig08_profile", rows)

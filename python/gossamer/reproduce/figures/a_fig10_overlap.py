"""Paper A, Fig. 10 and section 6: communication hidden behind computing, aggregate throughput."""

from pathlib import Path

from gossamer.simulation import System

from ..extent import extent
from ..plots import bars, lines
from ..report import NOT_IN_PAPER, Row, compared
from ..vector_queue_runs import (
    EXPETHER,
    FOURTH,
    GAMING,
    SYSTEMS,
    hidden,
    searches,
    sent_by_each,
    throughput,
)

PUBLISHED = {EXPETHER.title: 4.77, GAMING.title: 24.04}
HIDDEN = {2: 85, 4: 80}
LINKS = {
    EXPETHER.title: "The model's links carry 1.25 GB/s of payload; the real ones also headers of "
    "PCIe and Ethernet.",
    GAMING.title: "A peer copy is assumed to reach 6.6 GB/s (Gen3 x8).",
}


def scale_note(scale: int) -> str:
    """What another scale than the paper's changes."""
    return "" if scale == 24 else f"Run at SCALE {scale}, published at 24: larger copies, if any."


def overlap_rows(scale: int) -> list[Row]:
    """The text's two percentages, which it gives without a scale or a source."""
    rows = []
    for p in HIDDEN:
        each = [100 * (result.hidden or 0) for result in searches(EXPETHER, p, scale)]
        rows.append(
            Row("A Fig. 10", f"{EXPETHER.title}, {p} GPUs: communication hidden", HIDDEN[p],
                hidden(EXPETHER, p, scale), "%",
                reason=f"{min(each):.0f} to {max(each):.0f} by source, which the text does not "
                "name, nor the SCALE: hubs in the largest frontier hide it, many vertices of few "
                f"arcs do not. {scale_note(scale)}")
        )  # fmt: skip
    return rows


def what_if_rows(scale: int) -> list[Row]:
    """The number that decides, what an access to a random place costs, changed."""

    def changed(size: int) -> System:
        return System(EXPETHER.name, (f"kernel.scatter={size}",), EXPETHER.title)

    rows = [
        Row("A Fig. 10", f"{EXPETHER.title}, {p} GPUs: hidden, if a random access cost 32 bytes",
            NOT_IN_PAPER, hidden(changed(32), p, scale), "%")
        for p in HIDDEN
    ]  # fmt: skip
    return rows + [
        Row("A Fig. 10", f"{EXPETHER.title}, {p} GPUs: hidden, if a random access cost 220 bytes",
            HIDDEN[p], hidden(changed(220), p, scale), "%",
            reason="By Table 4 a store does in a Vector of 8 MB (one GPU), which four GPUs have at "
            "SCALE 22: beyond caches it costs more than the line that is assumed.")
        for p in HIDDEN
    ]  # fmt: skip


def run(folder: Path) -> list[Row]:
    scale = extent.search_scale
    result = searches(EXPETHER, 4, scale)[0]
    at = list(range(1, len(result.overlap) + 1))
    lines(
        folder, "a_fig10_throughput", at,
        {
            s.title: [1e-9 * (level.throughput or 0) for level in searches(s, 4, scale)[0].overlap]
            for s in SYSTEMS
        },
        ("iteration", "GB/s"), f"A Fig. 10: aggregate throughput, 4 GPUs, SCALE {scale}",
        published={name: {FOURTH + 1: value} for name, value in PUBLISHED.items()},
    )  # fmt: skip
    waited = [level.idle_milliseconds / 4 for level in result.overlap]
    copied = [(level.copy_milliseconds or 0) / 4 for level in result.overlap]
    bars(
        folder, "a_fig10_overlap", [f"iteration {i}" for i in at],
        {
            "copies hidden": [max(0.0, c - w) for c, w in zip(copied, waited, strict=True)],
            "waited for": waited,
        },
        "ms", f"A Fig. 10: copies and computing, {EXPETHER.title}, 4 GPUs, SCALE {scale}",
    )  # fmt: skip
    rows = [
        Row("A Fig. 10", f"{s.title}, 4 GPUs, 4th iteration: aggregate throughput",
            PUBLISHED[s.title], throughput(s, 4, scale), "GB/s",
            reason=f"{LINKS[s.title]} {scale_note(scale)}")
        for s in SYSTEMS
    ]  # fmt: skip
    rows.append(
        Row("A Fig. 10", "a GPU sends in the 4th iteration, scaled to SCALE 24", 12.9,
            sent_by_each(EXPETHER, 4, scale) * 2 ** (24 - scale), "MB",
            reason="The frontier depends on the source, which the paper does not name. Of two "
            "searches at SCALE 24 one sends 12.5 MB there, the other 40.1 MB.")
    )  # fmt: skip
    return compared(folder, "a_fig10_overlap", [*rows, *overlap_rows(scale), *what_if_rows(scale)])

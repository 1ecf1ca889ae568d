"""Paper A, Fig. 10 and section 6: communication hidden behind computing, aggregate throughput.

One search at SCALE 24: from the source whose fourth level sends what the text says, 12.9 MB a copy.
Another reading of the text, 12.9 MB in all three copies of a GPU, is told beside it.
"""

from pathlib import Path

from gossamer.simulation import System

from ..extent import extent
from ..here import Here, Machines
from ..plots import bars, lines
from ..report import NOT_IN_PAPER, Row, compared
from ..vector_queue_runs import (
    ALL_COPIES,
    DRAWN,
    EXPETHER,
    FOURTH,
    GAMING,
    ONE_COPY,
    SENT,
    SYSTEMS,
    Found,
    copy_size,
    hidden,
    overlapped,
    searches,
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
        each = [100 * (result.hidden or 0) for result in searches(EXPETHER, p, extent.search_scale)]
        rows.append(
            Row("A Fig. 10", f"{EXPETHER.title}, {p} GPUs: communication hidden", HIDDEN[p],
                hidden([overlapped(EXPETHER, p, scale)[ONE_COPY]]), "%",
                reason="Fig. 10's search; "
                f"{hidden([overlapped(EXPETHER, p, scale)[ALL_COPIES]]):.0f} if 12.9 MB are all "
                f"copies of a GPU, {min(each):.0f} to {max(each):.0f} from {len(each)} drawn "
                f"sources at SCALE {extent.search_scale}. The text names neither source nor SCALE: "
                "hubs in the largest frontier hide it, many vertices of few arcs do not.")
        )  # fmt: skip
    return rows


def measured_rows(here: Here, found: Found, scale: int) -> list[Row]:
    """The same search on a machine that is there."""
    beside = f"Published {', '.join(f'{HIDDEN[p]} % on {p}' for p in HIDDEN)} GPUs of ExpEther."
    return [
        here.row("A Fig. 10", f"SCALE {scale}: communication hidden", hidden([found]), "%", beside),
        here.row("A Fig. 10", f"SCALE {scale}, 4th iteration: aggregate throughput",
                 throughput(found), "GB/s",
                 f"Published on 4 GPUs: {', '.join(f'{n} {v}' for n, v in PUBLISHED.items())}."),
    ]  # fmt: skip


def what_if_rows(scale: int) -> list[Row]:
    """The number that decides, what an access to a random place costs, changed. Table 4's one GPU
    would have 220 bytes: no prediction, since it is the paper's own figure."""

    def changed(size: int) -> System:
        return System(EXPETHER.name, (f"kernel.scatter={size}",), EXPETHER.title)

    return [
        Row("A Fig. 10", f"{EXPETHER.title}, {p} GPUs, SCALE {scale}: hidden, if a random access "
            f"cost {size} bytes", NOT_IN_PAPER, hidden(searches(changed(size), p, scale)), "%")
        for size in (32, 220)
        for p in HIDDEN
    ]  # fmt: skip


def run(folder: Path, machines: Machines = ()) -> list[Row]:
    scale = extent.overlap_scale
    result = overlapped(EXPETHER, 4, scale)[ONE_COPY]
    found = {here: overlapped(here, here.ranks, scale)[ONE_COPY] for here in machines}
    at = list(range(1, len(result.overlap) + 1))
    lines(
        folder, "a_fig10_throughput", at,
        {
            s.title: [
                1e-9 * (level.throughput or 0)
                for level in overlapped(s, 4, scale)[ONE_COPY].overlap
            ]
            for s in SYSTEMS
        },
        ("iteration", "GB/s"), f"A Fig. 10: aggregate throughput, 4 GPUs, SCALE {scale}",
        published={name: {FOURTH + 1: value} for name, value in PUBLISHED.items()},
        measured={
            here.title: {
                i: 1e-9 * (level.throughput or 0) for i, level in enumerate(one.overlap, start=1)
            }
            for here, one in found.items()
        },
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
            PUBLISHED[s.title], throughput(overlapped(s, 4, scale)[ONE_COPY]), "GB/s",
            reason=f"{LINKS[s.title]} {scale_note(scale)}")
        for s in SYSTEMS
    ]  # fmt: skip
    rows.append(
        Row("A Fig. 10", "a GPU's copy in the 4th iteration, scaled to SCALE 24", SENT,
            copy_size(result, 4) * 2.0 ** (24 - scale), "MB", calibration=True,
            reason=f"The paper names no source: of {DRAWN} drawn ones this comes nearest. "
            "Throughput is said to be largest there, so the frontier is taken as the largest.")
    )  # fmt: skip
    rows += overlap_rows(scale) + what_if_rows(extent.search_scale)
    for here, one in found.items():
        rows += measured_rows(here, one, scale)
    return compared(folder, "a_fig10_overlap", rows)

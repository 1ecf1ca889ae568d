"""Paper D, Fig. 3: references a second by explicit lists, 1 … n a core, on 1 … all cores."""

from pathlib import Path

from ..d_chases import chases, machines, millions
from ..plots import lines
from ..report import NOT_IN_PAPER, Row, compared, measured

HOST = "another machine: six cores of 2010 a chip, 1 GB pages"
GRANTED = "what this host grants"


def run(folder: Path) -> list[Row]:
    rates = {m: [chases.walk(n, m, "loop").rate for n in chases.in_flight] for m in machines()}
    lines(
        folder, "d_fig03_lists", list(chases.in_flight),
        {m: [millions(r) for r in of] for m, of in rates.items()},
        ("lists a core", "million references a second"), "Fig. 3: explicit lists",
    )  # fmt: skip
    one, *_, all_cores = list(rates.values()) if len(rates) > 1 else [*rates.values()] * 2
    nodes = chases.nodes_in_memory
    rows = [
        Row("D Fig. 3", "one core, most", 107.0, millions(max(one)), "M/s", reason=HOST),
        Row("D Fig. 3", "all cores of a chip, most", 277.0, millions(max(all_cores)), "M/s",
            reason=HOST),
        Row("D Fig. 3", "latency of a reference alone", NOT_IN_PAPER, 1e9 / one[0], "ns"),
        Row("D Fig. 3", "of the list on huge pages", 100.0,
            100 * nodes.huge_bytes / nodes.bytes, "%", reason=GRANTED),
        Row("D Fig. 3", "pages of the list", 1024.0, nodes.page_bytes / 2**20, "MiB",
            reason=GRANTED),
    ]  # fmt: skip
    return compared(folder, "d_fig03_lists", measured(rows))

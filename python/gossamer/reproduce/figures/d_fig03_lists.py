"""Paper D, Fig. 3: references a second by explicit lists, 1 … n a core, on 1 … all cores."""

from pathlib import Path

from ..d_chases import chases, millions, of_host
from ..here import Here, Machines
from ..plots import lines
from ..report import NOT_IN_PAPER, Row, compared, measured

HOST = "another machine: six cores of 2010 a chip, 1 GB pages"
GRANTED = "what this host grants"


def _of_host(rates: list[list[float]]) -> list[Row]:
    """One core, and all of them."""
    one, all_cores = rates[0], rates[-1]
    return [
        Row("D Fig. 3", "one core, most", 107.0, millions(max(one)), "M/s", reason=HOST),
        Row("D Fig. 3", "all cores of a chip, most", 277.0, millions(max(all_cores)), "M/s",
            reason=HOST),
        Row("D Fig. 3", "latency of a reference alone", NOT_IN_PAPER, 1e9 / one[0], "ns"),
    ]  # fmt: skip


def _named(rates: dict[Here, list[float]]) -> list[Row]:
    """Each machine that was named."""
    rows = []
    for here, of in rates.items():
        rows += [
            here.row("D Fig. 3", "most", millions(max(of)), "M/s",
                     "Published: 107 on one core, 277 on six."),
            here.row("D Fig. 3", "latency of a reference alone", 1e9 * here.ranks / of[0], "ns"),
        ]  # fmt: skip
    return rows


def run(folder: Path, machines: Machines = ()) -> list[Row]:
    rates = {
        m: [chases.walk(n, m, "loop").rate for n in chases.in_flight] for m in machines or of_host()
    }
    lines(
        folder, "d_fig03_lists", list(chases.in_flight),
        {m.spec: [millions(r) for r in of] for m, of in rates.items()},
        ("lists a core", "million references a second"), "Fig. 3: explicit lists",
    )  # fmt: skip
    nodes = chases.nodes_in_memory
    rows = [
        *(_named(rates) if machines else _of_host(list(rates.values()))),
        Row("D Fig. 3", "of the list on huge pages", 100.0,
            100 * nodes.huge_bytes / nodes.bytes, "%", reason=GRANTED),
        Row("D Fig. 3", "pages of the list", 1024.0, nodes.page_bytes / 2**20, "MiB",
            reason=GRANTED),
    ]  # fmt: skip
    return compared(folder, "d_fig03_lists", measured(rows))

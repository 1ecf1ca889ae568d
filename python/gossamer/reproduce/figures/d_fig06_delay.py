"""Paper D, Fig. 6: each reference completes 3 us after it was issued; Little's law beside it."""

from pathlib import Path

from ..d_chases import chases, millions, of_host
from ..here import Machines
from ..plots import lines
from ..report import NOT_IN_PAPER, Row, compared, measured
from .d_fig03_lists import HOST

DELAY = 3e-6


def run(folder: Path, machines: Machines = ()) -> list[Row]:
    rows = []
    curves = {}
    ours = machines or (of_host()[0], of_host()[-1])
    for machine in ours:
        name = machine.spec
        # As many references as pass in about half a second at Little's rate.
        rates = [
            chases.walk(
                n, machine, delay=DELAY, references=min(chases.references, n * 160_000)
            ).rate
            for n in chases.delayed
        ]  # fmt: skip
        bound = [machine.ranks * n / DELAY for n in chases.delayed]
        curves[name] = [millions(r) for r in rates]
        curves[f"{name}, Little"] = [millions(r) for r in bound]
        rows += [
            Row("D Fig. 6", f"{name}: {n} tasks a core, of Little's rate", NOT_IN_PAPER,
                100 * rate / most, "%")
            for n, rate, most in zip(chases.delayed, rates, bound, strict=True)
        ]  # fmt: skip
        rows.append(Row("D Fig. 6", f"{name}: most", NOT_IN_PAPER, millions(max(rates)), "M/s"))
        if machine == ours[-1] and chases.memory_node is not None:
            rows.append(
                Row("D Fig. 6", f"{name}, list on memory node {chases.memory_node}: most", 173.0,
                    millions(max(rates)), "M/s", reason=f"{HOST}, the list on the other chip")
            )  # fmt: skip
    lines(
        folder, "d_fig06_delay", list(chases.delayed), curves,
        ("tasks a core", "million references a second"), "Fig. 6: completions after 3 us",
    )  # fmt: skip
    return compared(folder, "d_fig06_delay", measured(rows))

"""Paper D, Fig. 6: each reference completes 3 us after it was issued; Little's law beside it."""

from pathlib import Path

from ..d_chases import chases, machines, millions
from ..plots import lines
from ..report import NOT_IN_PAPER, Row, compared, measured
from .d_fig03_lists import HOST

DELAY = 3e-6


def run(folder: Path) -> list[Row]:
    rows = []
    curves = {}
    for machine in (machines()[0], machines()[-1]):
        cores = int(machine[len("cpu:") :].split("x", maxsplit=1)[0])
        # As many references as pass in about half a second at Little's rate.
        rates = [
            chases.walk(
                n, machine, delay=DELAY, references=min(chases.references, n * 160_000)
            ).rate
            for n in chases.delayed
        ]  # fmt: skip
        bound = [cores * n / DELAY for n in chases.delayed]
        curves[machine] = [millions(r) for r in rates]
        curves[f"{machine}, Little"] = [millions(r) for r in bound]
        rows += [
            Row("D Fig. 6", f"{machine}: {n} tasks a core, of Little's rate", NOT_IN_PAPER,
                100 * rate / most, "%")
            for n, rate, most in zip(chases.delayed, rates, bound, strict=True)
        ]  # fmt: skip
        rows.append(Row("D Fig. 6", f"{machine}: most", NOT_IN_PAPER, millions(max(rates)), "M/s"))
        if machine == machines()[-1] and chases.memory_node is not None:
            rows.append(
                Row("D Fig. 6", f"{machine}, list on memory node {chases.memory_node}: most", 173.0,
                    millions(max(rates)), "M/s", reason=f"{HOST}, the list on the other chip")
            )  # fmt: skip
    lines(
        folder, "d_fig06_delay", list(chases.delayed), curves,
        ("tasks a core", "million references a second"), "Fig. 6: completions after 3 us",
    )  # fmt: skip
    return compared(folder, "d_fig06_delay", measured(rows))

"""Every bench of this folder: python bench/paper/all.py [FOLDER] [--host] [--quick] [--results]

Plots and tables go to FOLDER (build/paper); --results also writes all rows to
bench/results/DATE-paper-predictions.json.
Predicted on modelled systems: the host's load does not matter. With --host: paper D's instead,
which are measured on this host (DATE-paper-measured.json), and want it for themselves.
"""

from __future__ import annotations

import datetime
import importlib
import json
import os
import sys
from pathlib import Path

from d_chases import chases
from extent import extent
from report import Row, arguments, show

HERE = Path(__file__).parent


sys.path.append(str(HERE.parent / "problem"))
from processor import processor_name  # noqa: E402


def names(host: bool) -> list[str]:
    """The benches, in the papers' order."""
    patterns = ["d_fig*.py"] if host else ["[abce]_*.py", "d_network.py"]
    found = [p for pattern in patterns for p in HERE.glob(pattern)]
    return sorted((p.stem for p in found), key=lambda n: (n[0] != "e", "quest" in n, n))


def write_results(rows: list[Row], host: bool) -> None:
    """What the README's table is made of."""
    date = datetime.date.today().isoformat()
    kind = "measured" if host else "predictions"
    target = HERE.parent / "results" / f"{date}-paper-{kind}.json"
    cores = len(os.sched_getaffinity(0))
    packed = {
        "date": date,
        "hardware": f"{processor_name()}, {cores} cores" if host else "simulated",
        "command": f"./run bench paper {'--host ' if host else ''}--results",
        "results": [row.record() for row in rows],
    }
    target.write_text(json.dumps(packed, indent=1) + "\n", encoding="utf-8")
    print(f"wrote {target}")


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--results", action="store_true")
    parser.add_argument("--host", action="store_true", help="what is measured on this host")
    given = parser.parse_args()
    if given.quick and given.results:
        parser.error("--results: of all points, not of --quick's")
    if given.quick:
        extent.shorten()
        chases.shorten()
    rows: list[Row] = []
    for name in names(given.host):
        found = importlib.import_module(name).run(given.folder)
        show(found)
        rows += found
    if given.results:
        write_results(rows, given.host)


if __name__ == "__main__":
    main()

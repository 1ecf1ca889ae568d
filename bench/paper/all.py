"""Every bench of this folder: python bench/paper/all.py [FOLDER] [--quick] [--results]

Plots and tables go to FOLDER (build/paper); --results also writes all rows to
bench/results/DATE-paper-predictions.json.
Predicted on modelled systems: the host's load does not matter.
"""

from __future__ import annotations

import datetime
import importlib
import json
from pathlib import Path

from extent import extent
from report import Row, arguments, show

HERE = Path(__file__).parent


def names() -> list[str]:
    """The benches, in the papers' order."""
    return sorted(
        (p.stem for p in HERE.glob("[abe]_*.py")), key=lambda n: (n[0] != "e", "quest" in n, n)
    )


def write_results(rows: list[Row]) -> None:
    """What the README's table is made of."""
    date = datetime.date.today().isoformat()
    target = HERE.parent / "results" / f"{date}-paper-predictions.json"
    packed = {
        "date": date,
        "hardware": "simulated",
        "command": "./run bench paper --results",
        "results": [row.record() for row in rows],
    }
    target.write_text(json.dumps(packed, indent=1) + "\n", encoding="utf-8")
    print(f"wrote {target}")


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--results", action="store_true")
    given = parser.parse_args()
    if given.quick and given.results:
        parser.error("--results: of all points, not of --quick's")
    if given.quick:
        extent.shorten()
    rows: list[Row] = []
    for name in names():
        found = importlib.import_module(name).run(given.folder)
        show(found)
        rows += found
    if given.results:
        write_results(rows)


if __name__ == "__main__":
    main()

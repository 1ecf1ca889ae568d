"""Every bench of this folder: python bench/paper/all.py [FOLDER] [--results]

Plots and tables go to FOLDER (build/paper); --results also writes all rows to
bench/results/DATE-paper-predictions.json.
Predicted on modelled systems: the host's load does not matter.
"""

from __future__ import annotations

import argparse
import datetime
import importlib
import json
from pathlib import Path

from report import DEFAULT, Row

HERE = Path(__file__).parent


def names() -> list[str]:
    """The benches, in the papers' order."""
    return sorted(
        (p.stem for p in HERE.glob("[be]_*.py")), key=lambda n: (n[0] != "e", "quest" in n, n)
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=DEFAULT)
    parser.add_argument("--results", action="store_true")
    given = parser.parse_args()
    rows: list[Row] = []
    for name in names():
        found = importlib.import_module(name).run(given.folder)
        for row in found:
            print(row.text(), flush=True)
            if row.reason:
                print(f"{'':18s} {row.reason}")
        rows += found
    if not given.results:
        return
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


if __name__ == "__main__":
    main()

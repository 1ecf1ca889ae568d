"""Puts newly predicted rows of some papers in place of those that are kept in bench/results.

python tools/renew_predictions.py FILE.json …

Each FILE is what `gossamer reproduce WHAT… --json FILE` wrote, without --quick, --scale and
--machine. All rows of a figure that a file has are replaced, at the place of the old ones; other
figures stay as they are.
D Fig. 6 is made by D.memory and D.network: a file has both, or loses one.
The date becomes that of the newest run.
Afterwards `python tools/benchmark_tables.py` writes the tables.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent.parent / "bench" / "results"


def renewed(kept: list[dict[str, Any]], new: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """`kept` with the figures of `new`; figures that are new come after the last of their paper."""
    by_figure: dict[str, list[dict[str, Any]]] = {}
    for row in new:
        by_figure.setdefault(row["figure"], []).append(row)
    found: list[dict[str, Any]] = []
    for i, row in enumerate(kept):
        figure = row["figure"]
        if figure not in by_figure:
            found.append(row)
        elif not any(one["figure"] == figure for one in kept[:i]):
            found += by_figure[figure]
    there = {row["figure"] for row in kept}
    for figure in (name for name in by_figure if name not in there):
        last = [i for i, row in enumerate(found) if row["figure"].split()[0] == figure.split()[0]]
        at = last[-1] + 1 if last else len(found)
        found[at:at] = by_figure[figure]
    return found


def main() -> None:
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    target = max(RESULTS.glob("*-paper-predictions.json"))
    packed = json.loads(target.read_text())
    for name in sys.argv[1:]:
        made = json.loads(Path(name).read_text())
        for option in ("--quick", "--scale", "--machine"):
            if option in made["command"]:
                raise SystemExit(f"{name}: made with {option}, not as the papers have it")
        packed["results"] = renewed(packed["results"], made["results"])
        packed["date"] = max(packed["date"], made["date"])
    target.write_text(json.dumps(packed, indent=1) + "\n")
    print(target)


if __name__ == "__main__":
    main()

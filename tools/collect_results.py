"""Packs the JSON files of one bench run into one dated file of bench/results/.

python tools/collect_results.py NAME --hardware TEXT --command TEXT FILE.json …

Each FILE is what `gossamer … --json FILE` wrote. Of every run the source, the time, the rate, the
verdict and what copies hid are kept; frontiers and phases are left out, so that results stay small.
"""

from __future__ import annotations

import argparse
import datetime
import json
from pathlib import Path
from typing import Any

KEPT = ("source", "milliseconds", "levels", "reached", "edges", "teps", "verified")


def slim(report: dict[str, Any]) -> dict[str, Any]:
    """The report without what can be had again by running it."""
    kept = {key: value for key, value in report.items() if key != "runs"}
    kept["runs"] = [{key: run[key] for key in KEPT if key in run} for run in report["runs"]]
    for short, run in zip(kept["runs"], report["runs"], strict=True):
        if run.get("overlap"):  # of engine vector_queue
            short["overlap"] = run["overlap"]
    return kept


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name")
    parser.add_argument("--hardware", required=True)
    parser.add_argument("--command", required=True)
    parser.add_argument("files", nargs="+", type=Path)
    given = parser.parse_args()
    date = datetime.date.today().isoformat()
    packed = {
        "date": date,
        "hardware": given.hardware,
        "command": given.command,
        "results": [slim(json.loads(file.read_text())) for file in sorted(given.files)],
    }
    target = Path(__file__).parent.parent / "bench" / "results" / f"{date}-{given.name}.json"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(packed, indent=1) + "\n")
    print(target)


if __name__ == "__main__":
    main()

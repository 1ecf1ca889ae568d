"""One line about the JSON of an algorithm run: its times, its rate, its verdicts.

python bench/problem/print_run.py FILE.json
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any


def line(name: str, report: dict[str, Any]) -> str:
    """Name, median and range, rate, verdicts."""
    runs = sorted(report["runs"], key=lambda run: float(run["milliseconds"]))
    times = [float(r["milliseconds"]) for r in runs]
    parts = [
        f"{name:28}",
        f"{report['summary']['median_milliseconds']:9.3f} ms",
        f"({times[0]:.3f} to {times[-1]:.3f})",
    ]
    if "harmonic_mean_teps" in report["summary"]:
        parts.append(f"{report['summary']['harmonic_mean_teps'] / 1e9:8.2f} GTEPS")
    verified = sum(bool(r["verified"]) for r in runs)
    return "  ".join([*parts, f"verified {verified}/{len(runs)}"])


def main() -> None:
    path = Path(sys.argv[1])
    if path.exists():  # else the run has said what was wrong
        print(line(path.stem, json.loads(path.read_text())))


if __name__ == "__main__":
    main()

"""What a user's own two cores give: the fabric's latency, reading, generating, importing.

    python bench/problem/host.py BENCHES [--out bench/results]

BENCHES is the folder of the preset `bench`'s programs. Writes DATE-host.json. Meant for a machine
that does nothing else: latencies of spinning threads show whatever runs beside them.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from processor import processor_name

ROUND_TRIP = "put_signal_round_trip_ns"


def run(*command: str) -> dict[str, Any]:
    """One bench, whose last line is a JSON object."""
    out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    found: dict[str, Any] = json.loads(out.strip().splitlines()[-1])
    return found


def put_signal(*command: str, processes: int = 9) -> dict[str, Any]:
    """The process with the median round trip: it differs by which cores a host lends, and how."""
    found = sorted((run(*command) for _ in range(processes)), key=lambda r: r[ROUND_TRIP])
    trips = {
        "round_trips_ns": [r[ROUND_TRIP] for r in found],
        "bare_round_trips_ns": [r["bare_round_trip_ns"] for r in found],
    }
    return found[processes // 2] | trips


def import_seconds(repetitions: int = 7) -> float:
    """Median of new interpreters that import gossamer, less those that import nothing."""

    def median(program: str) -> float:
        times = []
        for _ in range(repetitions):
            begin = time.perf_counter()
            subprocess.run([sys.executable, "-c", program], check=True)
            times.append(time.perf_counter() - begin)
        return statistics.median(times)

    return median("import gossamer") - median("pass")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("benches", type=Path)
    parser.add_argument("--out", type=Path, default=Path("bench/results"))
    given = parser.parse_args()

    def bench(name: str) -> str:
        return str(given.benches / f"bench_{name}")

    threads = len(os.sched_getaffinity(0))
    results = {
        "put_signal": put_signal(bench("put_signal")),
        "put_signal_one_core": put_signal(
            "taskset", "-c", "0", bench("put_signal"), "cpu:2x1", "4000"
        ),
        "readers": run(bench("readers"), "--threads", str(threads)),
        "csv": run(bench("readers"), "--threads", str(threads), "--csv"),
        "generate": run(bench("generate"), str(threads), "kron:24"),
        "import_seconds": import_seconds(),
    }
    date = datetime.date.today().isoformat()
    packed = {
        "date": date,
        "processor": processor_name(),
        "cores": threads,
        "command": "./run bench host",
        "results": results,
    }
    target = given.out / f"{date}-host.json"
    target.write_text(json.dumps(packed, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()

"""Rows that a bench measures: printed when they are there, and kept in a file if there is one; and
how a prepared run is timed.
"""

from __future__ import annotations

import datetime
import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gossamer as gs
from processor import processor_name


def timed(run: Callable[[], Any], runs: int = 7) -> tuple[Any, dict[str, float]]:
    """The last result of so many runs after one; medians of their milliseconds on the device, and
    of those that the caller waited, with what comes to the host."""
    run()
    device, call = [], []
    for _ in range(runs):
        begin = time.perf_counter()
        result = run()
        call.append(1e3 * (time.perf_counter() - begin))
        device.append(result.milliseconds)
    return result, {"ms": statistics.median(device), "call_ms": statistics.median(call)}


class MeasuredRows:
    """Those of one run. The file has them after each row: a run may be cut short."""

    def __init__(self, machine: str, out: Path | None) -> None:
        self._out = out
        self._rows: list[dict[str, Any]] = []
        gpus = sorted({d.name for d in gs.Machine(machine).devices if d.kind == "cuda"})
        command = ["python", f"bench/problem/{Path(sys.argv[0]).name}"]
        command += [Path(given).name for given in sys.argv[1:]]
        self._about = {
            "date": datetime.date.today().isoformat(),
            "processor": processor_name(),
            "machine": f"{machine} ({', '.join(gpus)})" if gpus else machine,
            "command": " ".join(command),
        }

    def add(self, row: dict[str, Any]) -> None:
        self._rows.append(row)
        print(json.dumps(row), flush=True)
        if self._out is not None:
            packed = {**self._about, "rows": self._rows}
            self._out.write_text(json.dumps(packed, indent=1) + "\n", encoding="utf-8")

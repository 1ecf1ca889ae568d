"""Rows that a bench measures: printed when they are there, and kept in a file if there is one."""

from __future__ import annotations

import datetime
import json
import sys
from pathlib import Path
from typing import Any

from processor import processor_name


class MeasuredRows:
    """Those of one run. The file has them after each row: a run may be cut short."""

    def __init__(self, machine: str, out: Path | None) -> None:
        self._out = out
        self._rows: list[dict[str, Any]] = []
        script = Path(sys.argv[0]).name
        self._about = {
            "date": datetime.date.today().isoformat(),
            "processor": processor_name(),
            "machine": machine,
            "command": " ".join([f"python bench/problem/{script}", *sys.argv[1:]]),
        }

    def add(self, row: dict[str, Any]) -> None:
        self._rows.append(row)
        print(json.dumps(row), flush=True)
        if self._out is not None:
            packed = {**self._about, "rows": self._rows}
            self._out.write_text(json.dumps(packed, indent=1) + "\n", encoding="utf-8")

"""What `gossamer reproduce` predicted when it was last kept in bench/results."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]

Rows = dict[tuple[str, str], dict[str, Any]]


def kept_rows() -> Rows:
    """By figure and what."""
    newest = max((ROOT / "bench" / "results").glob("*-paper-predictions.json"))
    rows = json.loads(newest.read_text())["results"]
    return {(r["figure"], r["what"]): r for r in rows}


def note(name: str) -> str:
    """A page of docs/design."""
    return (ROOT / "docs" / "design" / name).read_text()

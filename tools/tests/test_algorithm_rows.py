"""Rows of the newer algorithms, from results as benches write them."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from algorithm_rows import h200_lines, peer_lines


def _written(folder: Path, name: str, result: dict[str, Any]) -> None:
    (folder / name).write_text(json.dumps({"processor": "P", "machine": "cpu:1x2"} | result))


def test_the_latest_result_counts_and_what_is_missing_is_said(tmp_path: Path) -> None:
    for name, ms in (("2026-01-02-triangles-rivals.json", 9.0),
                     ("2026-01-03-triangles-rivals.json", 2.0),
                     ("2026-01-03-triangles-rivals-xeon.json", 1.0)):  # fmt: skip
        times = {"call": ms, "first": 4.0, "networkit": 8.0, "networkit_other": 6.0}
        row = {"graph": "data:road-NY", "wall_ms": times, "processor_ms": times}
        other = {"graph": "grid:9x9", "wall_ms": times, "processor_ms": times}
        _written(tmp_path, name, {"graphs": [row, other]})
    lines = peer_lines(tmp_path)
    assert "| triangles | NY | 1 | 1 (1) | 4 (4) | 6 (6) | – | – | – | – | 6.0 × | 6.0 × |" in lines
    assert "No result: triangles of kron:18, cnr-2000, Slashdot." in lines
    assert not any("grid" in line or "2026-01-02" in line for line in lines)


def test_an_h200_stands_beside_its_goals(tmp_path: Path) -> None:
    rows = [
        {"what": "depths", "graph": "kron:22", "ms": 2.0, "call_ms": 150.0, "times": 11.7},
        {"what": "bfs, one source", "graph": "kron:22", "ms": 0.17},
    ]
    given = {"command": "c", "date": "2026-01-02", "rows": rows}
    _written(tmp_path, "2026-01-02-gpu-distances-h200.json", given)
    lines = h200_lines(tmp_path)
    assert "| distances from 64 | kron:22 | 2 ms (11.7 × one bfs) | 150 ms | ≤ 12 × one bfs |" in (
        lines
    )
    assert sum(line.startswith("| ") for line in lines) == 2

"""Rows of the GAP benchmark, of results that are written here."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from gap_rows import gap_lines, rival_lines


def _result(date: str, milliseconds: float, verified: bool) -> dict[str, Any]:
    seconds = dict.fromkeys(("mean", "median", "minimum"), milliseconds / 1000.0)
    return {
        "graph": {"name": "kron:9", "vertices": 512, "edges": 4096},
        "machine": {"spec": "cuda:0", "devices": [{"kind": "cuda", "name": "A GPU"}]},
        "options": {"verify": verified},
        "date": date,
        "kernels": [
            {"kernel": "bfs", "engine": "sync", "trials": [{}] * 64, "seconds": seconds,
             "edges_per_second": 2e9},
        ],
    }  # fmt: skip


def test_the_latest_run_of_a_graph_and_machine_is_shown(tmp_path: Path) -> None:
    for day, milliseconds, verified in ((1, 9.0, False), (2, 2.5, True)):
        found = _result(f"2026-01-0{day}T00:00:00", milliseconds, verified)
        (tmp_path / f"2026-01-0{day}-gap-some.json").write_text(json.dumps(found))
    head, _, *table = gap_lines(tmp_path)
    assert head.endswith("`cuda:0` of A GPU, each trial verified (2026-01-02):")
    assert table[2:] == ["| bfs | `sync` | 64 | 2.5 ms | 2.5 ms | 2.5 ms | 2e+09 |", ""]


def test_processors_are_named_by_the_result(tmp_path: Path) -> None:
    found = _result("2026-01-01T00:00:00", 1.0, True) | {"hardware": "two cores"}
    found["machine"] = {"spec": "cpu:1x2", "devices": [{"kind": "cpu"}]}
    (tmp_path / "2026-01-01-gap-cpu.json").write_text(json.dumps(found))
    assert "`cpu:1x2` of two cores" in gap_lines(tmp_path)[0]


def test_the_latest_comparison_is_shown(tmp_path: Path) -> None:
    assert rival_lines(tmp_path) == []
    for day, milliseconds in ((1, 9.0), (2, 2.0)):
        kernels = {
            "bfs": {"ms": milliseconds, "their_ms": 3.0},
            "sssp": {"ms": 10.0, "their_ms": 12.5},
        }
        found = {
            "processor": "Abacus", "machine": "cpu:1x2",
            "graphs": [{"graph": "data:slashdot", "kernels": kernels}],
        }  # fmt: skip
        (tmp_path / f"2026-01-0{day}-gapbs-rivals.json").write_text(json.dumps(found))
    head, _, *table = rival_lines(tmp_path)
    assert "`cpu:1x2` of an Abacus (2026-01-02," in head
    assert table[0] == "| graph | bfs | sssp |"
    assert table[2:] == ["| slashdot | 2 / 3 (1.50) | 10 / 12.5 (1.25) |", ""]

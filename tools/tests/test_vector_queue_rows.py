"""The README's table of paper A's engine, from results as tools/collect_results.py packs them."""

import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent))

from collect_results import slim
from vector_queue_rows import vector_queue_lines


def level(copied: float | None, waited: float, rate: float | None) -> dict[str, Any]:
    return {"copy_milliseconds": copied, "idle_milliseconds": waited, "throughput": rate}


def result(gpus: int, levels: list[dict[str, Any]] | None, **options: str) -> dict[str, Any]:
    asked = {"transport": "copy", "results": "stay", "duplicates": "vector"} | options
    overlap = None if levels is None else {"hidden": 0.5, "levels": levels}
    return slim(
        {
            "graph": {"name": "kron:24"},
            "machine": {"devices": [{}] * gpus},
            "options": asked,
            "summary": {"median_milliseconds": 8.064, "verified": True},
            "runs": [{"source": 1, "phases": {}, "overlap": overlap}],
        }
    )


def lines(*results: dict[str, Any]) -> list[str]:
    packed = {"date": "2026-01-02", "hardware": "H", "command": "c", "results": results}
    return vector_queue_lines(packed)


def test_a_row_has_time_hidden_share_and_throughput() -> None:
    found = lines(
        result(1, None),
        result(4, [level(3.0, 0.5, 2e11), level(1.0, 0.1, 1.2e12)]),
        result(4, [level(None, 0.0, None)], transport="direct"),
        result(1, None, transport="auto", results="overlapped", duplicates="sort-unique"),
    )
    assert found[0] == ("Paper A's engine on H (2026-01-02, `c`), medians; every search verified:")
    assert found[2:] == [
        "| graph | way | 1 GPU | 4 GPUs |",
        "|---|---|---:|---:|",
        "| kron:24 | copy | 8.06 ms | 8.06 ms, 85% hidden, 1200 GB/s |",
        "| kron:24 | copy, results overlapped, sort-unique | 8.06 ms | – |",
        "| kron:24 | direct | – | 8.06 ms |",
    ]


def test_what_was_not_verified_is_refused() -> None:
    wrong = result(1, None)
    wrong["summary"]["verified"] = False
    with pytest.raises(SystemExit, match="kron:24, copy: not verified"):
        lines(wrong)

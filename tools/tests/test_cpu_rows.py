"""The README's rows of algorithms beside SciPy, from results as algorithm_rivals.py writes them."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from cpu_rows import rival_rows


def test_rows_have_rival_ratio_and_goal() -> None:
    common = {"gossamer_ms": 10.04, "scipy_ms": 43.2, "ratio": 4.303}
    rows = rival_rows(
        {
            "results": [
                {"problem": "sssp", "graph": "USA-road-d.NY.gr.xz", **common},
                {"problem": "pagerank", "graph": "kron:20", **common},
            ]
        }
    )
    assert rows[2:] == [
        "| sssp | USA-road-d.NY.gr.xz | 10.0 ms | `dijkstra` 43 ms | 4.3 × | ≥ 5 × |",
        "| pagerank, an iteration | kron:20 | 10.0 ms | CSR product 43 ms | 4.3 × | ≥ 4 × |",
    ]

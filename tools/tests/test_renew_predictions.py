"""Rows of some figures take the place of those kept, and no others move."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from renew_predictions import renewed


def row(figure: str, ours: float) -> dict[str, object]:
    return {"figure": figure, "ours": ours}


def test_rows_of_a_figure_are_replaced_where_they_were() -> None:
    kept = [row("A Fig. 5", 1), row("A Fig. 6", 2), row("A Fig. 6", 3), row("C Fig. 2", 4)]
    new = [row("A Fig. 6", 5), row("A Fig. 7", 6)]
    assert renewed(kept, new) == [
        row("A Fig. 5", 1), row("A Fig. 6", 5), row("A Fig. 7", 6), row("C Fig. 2", 4),
    ]  # fmt: skip

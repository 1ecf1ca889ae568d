"""Tables that notebooks show in place of an object's one line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any


def table(title: str, rows: Iterable[Sequence[Any]], head: Sequence[str] = ()) -> str:
    """An HTML table with a caption; the first cell of a row says what the others are."""

    def line(cells: Sequence[Any], of: str = "td") -> str:
        kinds = ["th", *[of] * (len(cells) - 1)]
        return "".join(f"<{k}>{escape(_shown(c))}</{k}>" for k, c in zip(kinds, cells, strict=True))

    lines = [line(head, "th")] if head else []
    lines += map(line, rows)
    body = "".join(f"<tr>{cells}</tr>" for cells in lines)
    return f"<table><caption>{escape(title)}</caption>{body}</table>"


def _shown(cell: Any) -> str:
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, float):
        return f"{cell:.4g}"
    return f"{cell:,}" if isinstance(cell, int) else str(cell)

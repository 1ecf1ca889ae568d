"""How near paper C's predictions come, in words: the end of "Ours beside theirs"."""

from __future__ import annotations

import textwrap
from typing import Any

#: The paper lists it with one GPU and says that it does not fit one.
CONTRADICTED = ("pagerank, twitter", "PageRank, twitter")
#: How the paper runs each (`worklist_runs.PAPERS_WAYS`).
COPIES, LAUNCHES = "one kernel, copies", "a launch a batch"


def _compared(results: list[dict[str, Any]], figures: tuple[str, ...]) -> list[dict[str, Any]]:
    """With a number of the paper's; what it contradicts itself in is left out."""
    return [
        row
        for row in results
        if row["figure"] in figures
        and None not in (row["published"], row["deviation_percent"])
        and not row["what"].startswith(CONTRADICTED)
    ]


def _papers_way(row: dict[str, Any]) -> bool:
    return bool(row["what"].endswith(LAUNCHES if row["what"].startswith("components") else COPIES))


def closing_lines(results: list[dict[str, Any]]) -> list[str]:
    """Of Table 3's rates and numbers of GPUs, and of the factors that the text names."""
    rates = [row for row in _compared(results, ("C Table 3",)) if ": rate" in row["what"]]
    off = sorted(abs(row["deviation_percent"]) for row in rates)
    far = [
        " on ".join(row["what"].partition(":")[0].replace("sssp", "SSSP").split(", "))
        for row in rates
        if not 1 / 2.5 <= row["ours"] / row["published"] <= 2.5
    ]
    scaling = _compared(results, ("C Fig. 10", "C Fig. 11", "C Fig. 12"))
    counts = [row for row in scaling if "best number" in row["what"] and _papers_way(row)]
    near = [row for row in counts if abs(row["ours"] - row["published"]) <= 1]
    factors = [
        f"{row['published']:g} ({row['ours']:.3g} here)"
        for row in scaling
        if ("GPUs over 1" in row["what"] and _papers_way(row)) or "over Gunrock's" in row["what"]
    ]
    return textwrap.wrap(
        "Twitter's PageRank is left out, where the paper contradicts itself (2). Of Table 3's "
        f"other {len(rates)} rates {sum(one <= 35 for one in off)} are within 35 %, half within "
        f"{off[(len(off) - 1) // 2]:.0f} %, and {len(rates) - len(far)} within a factor of 2.5. "
        f"The farthest are {' and '.join(far)}. Of the numbers of GPUs {len(near)} of "
        f"{len(counts)} are the paper's or beside it. The text's factors are {', '.join(factors)}; "
        "49.6 is of a time that is drawn only.",
        98,
    )

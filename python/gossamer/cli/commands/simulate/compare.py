"""Two systems beside each other: which is faster, where one overtakes the other, and in what."""

from __future__ import annotations

import itertools
from typing import Any

#: Systems whose times differ by a smaller share are said to take the same time.
ALIKE = 5e-4


def _winner(times: dict[str, float]) -> str | None:
    """The faster of two systems, None where they take the same time."""
    name = min(times, key=lambda name: times[name])
    return name if max(times.values()) > (1 + ALIKE) * times[name] else None


def faster(times: dict[str, float]) -> str:
    """Which of two systems is faster by how much."""
    winner = _winner(times)
    if winner is None:
        return f"{' and '.join(times)} take the same time"
    gain = 100 * (max(times.values()) / times[winner] - 1)
    return f"{winner} is faster by {gain:.{0 if gain >= 1 else 1}f} %"


def crossovers(
    times: dict[int, dict[str, float]], parts: dict[int, dict[str, dict[str, float]]]
) -> list[dict[str, Any]]:
    """Between which numbers of ranks the other system becomes the faster one, and why.

    times: seconds by ranks and system. parts: the same by operation.
    """
    # One rank talks to nobody: no winner there, and none where both take the same time.
    winners = {p: _winner(both) for p, both in times.items() if p > 1}
    decided = [(p, name) for p, name in winners.items() if name is not None]
    found = []
    for (before, first), (after, second) in itertools.pairwise(decided):
        if first != second:
            ours, theirs = parts[after][first], parts[after][second]
            because = max(ours, key=lambda name: ours[name] - theirs.get(name, 0.0))
            found.append(
                {"between": [before, after], "from": first, "to": second, "because": because}
            )
    return found


def overtakes(crossing: dict[str, Any], what: str = "") -> str:
    """A crossover as a sentence; `what`: of which variant."""
    low, high = crossing["between"]
    return (
        f"between {low} and {high} ranks{what} {crossing['to']} overtakes {crossing['from']}, "
        f"which loses most in {crossing['because']}"
    )

"""What an iteration of conjugate gradient has to move, and how long that takes at least."""

from __future__ import annotations

#: Bytes of an entry: its value and its column.
ENTRY = 12
#: Bytes of a row, fused passes: q = A p (its offset, p read, q written), x += a p and r -= a q
#: (three doubles each), p = z + b p (three). p is taken to stay in cache between the rows of A.
ROW = 8 + 2 * 8 + 6 * 8 + 3 * 8
#: Bytes per second that long streams get of an H200's memory (4.8 TB/s by its data sheet).
RATE = 4.0e12


def bytes_an_iteration(rows: int, entries: int) -> int:
    """Of all ranks together; what they send each other and sums come on top."""
    return ENTRY * entries + ROW * rows


def microseconds(rows: int, entries: int, ranks: int = 1, rate: float = RATE) -> float:
    """The bound of `ranks` devices that share the rows evenly."""
    return 1e6 * bytes_an_iteration(rows, entries) / (ranks * rate)


def poisson(spec: str) -> tuple[int, int]:
    """Rows and entries of `poisson:NXxNYxNZ`: the diagonal, and two for each pair of neighbours."""
    sides = [int(side) for side in spec.removeprefix("poisson:").split("x")]
    rows = 1
    for side in sides:
        rows *= side
    return rows, rows + sum(2 * rows * (side - 1) // side for side in sides)

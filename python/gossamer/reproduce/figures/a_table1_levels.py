"""Paper A, Table 1: level by level, the search of Fig. 2's graph from vertex 0, on two GPUs."""

from pathlib import Path

import numpy as np

import gossamer as gs

from ..plots import lines
from ..report import Row, compared
from ..vector_queue_runs import GAMING

#: Fig. 2: R and C.
OFFSETS = (0, 3, 7, 11, 14, 19, 22, 25, 26)
COLUMNS = (1, 2, 4, 0, 2, 4, 6, 0, 1, 3, 4, 2, 4, 5, 0, 1, 2, 3, 6, 3, 6, 7, 1, 4, 5, 5)
#: By iteration: the frontier CF, and Label after it.
PUBLISHED = (
    ((0,), (0, 0, 0, -1, 0, -1, -1, -1)),
    ((1, 2, 4), (0, 0, 0, 2, 0, -1, 1, -1)),
    ((3, 6), (0, 0, 0, 2, 0, 3, 1, -1)),
    ((5,), (0, 0, 0, 2, 0, 3, 1, 5)),
    ((7,), (0, 0, 0, 2, 0, 3, 1, 5)),
)


def run(folder: Path) -> list[Row]:
    graph = gs.from_csr(
        np.array(OFFSETS), np.array(COLUMNS, np.int32), symmetric=True, name="Fig. 2"
    )
    placed = GAMING.machine(2).place(graph, by_columns=True)
    found = gs.BfsSearch(placed, engine="vector_queue", deterministic=True).run(0)
    rows, widths = [], []
    for i, (frontier, label) in enumerate(PUBLISHED):
        ours = np.flatnonzero(found.depths == i)
        labels = np.where((found.depths >= 0) & (found.depths <= i + 1), found.parents, -1)
        widths.append(float(len(ours)))
        rows += [
            Row("A Table 1", f"iteration {i + 1}: frontier", _text(frontier), _text(ours)),
            Row("A Table 1", f"iteration {i + 1}: Label", _text(label), _text(labels)),
        ]
    iterations = range(1, len(PUBLISHED) + 1)
    lines(
        folder, "a_table1_levels", iterations, {"vertices": widths}, ("iteration", "vertices"),
        "A Table 1: frontiers of a search of eight vertices",
        published={"vertices": {i: len(PUBLISHED[i - 1][0]) for i in iterations}},
    )  # fmt: skip
    return compared(folder, "a_table1_levels", rows)


def _text(vertices: object) -> str:
    return " ".join(map(str, np.asarray(vertices).tolist()))

"""Paper A, Table 1: level by level, the search of Fig. 2's graph from vertex 0, on two GPUs."""

from pathlib import Path

import numpy as np
import numpy.typing as npt

import gossamer as gs

from ..here import Here, Machines
from ..plots import lines
from ..report import Row, compared
from ..vector_queue_runs import GAMING

Labels = npt.NDArray[np.int64]

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


def _search(placed: gs.PlacedGraph) -> gs.BfsResult:
    return gs.BfsSearch(placed, engine="vector_queue", deterministic=True).run(0)


def _labels(found: gs.BfsResult, i: int) -> Labels:
    """Label after iteration `i`."""
    there = (found.depths >= 0) & (found.depths <= i + 1)
    return np.where(there, found.parents, -1)


def _measured(here: Here, graph: gs.Graph) -> Row:
    """Whether a machine that is there goes the same way."""
    found = _search(here.machine().place(graph, by_columns=True))
    same = all(
        np.array_equal(np.flatnonzero(found.depths == i), frontier)
        and np.array_equal(_labels(found, i), label)
        for i, (frontier, label) in enumerate(PUBLISHED)
    )
    return here.row("A Table 1", "all frontiers and Labels", "as published" if same else "others",
                    published="as published")  # fmt: skip


def run(folder: Path, machines: Machines = ()) -> list[Row]:
    graph = gs.from_csr(
        np.array(OFFSETS), np.array(COLUMNS, np.int32), symmetric=True, name="Fig. 2"
    )
    placed = GAMING.machine(2).place(graph, by_columns=True)
    found = _search(placed)
    rows, widths = [], []
    for i, (frontier, label) in enumerate(PUBLISHED):
        ours = np.flatnonzero(found.depths == i)
        labels = _labels(found, i)
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
    rows += [_measured(here, graph) for here in machines]
    return compared(folder, "a_table1_levels", rows)


def _text(vertices: object) -> str:
    return " ".join(map(str, np.asarray(vertices).tolist()))

"""Paper E, Fig. 14: conjugate gradient, 1,000 iterations, seven matrices, 1 to 16 processes."""

from pathlib import Path

from cg_predictions import RANKS, milliseconds
from report import Row, lines, main
from systems import MATRICES, MPI, TCA

#: What the text says: where more processes stop helping TCA (none up to 16), and who wins.
FASTEST = {"nasa2910": 1, "s1rmq4m1": 1, "smt": 4, "nd3k": 16, "nd6k": 16, "nd12k": 16, "nd24k": 16}
WINNER = {name: "MPI" if name == "nd24k" else "TCA" for name in MATRICES}
REASONS = {
    "smt": "From 4 to 8 processes the product gains 34 us an iteration and communication loses "
    "18. The matrix is not at hand: the band in its place gives each rank as many entries, and the "
    "real one may not; the slowest rank counts."
}


def winner(tca: dict[int, float], mpi: dict[int, float]) -> str:
    """TCA where it is at least as fast on every number of processes (E: "could be shortened")."""
    return "TCA" if all(tca[p] <= mpi[p] for p in RANKS if p > 1) else "MPI"


def run(folder: Path) -> list[Row]:
    rows: list[Row] = []
    for name in MATRICES:
        tca, mpi = milliseconds(name, TCA), milliseconds(name, MPI)
        lines(
            folder, f"e_fig14_cg_{name}", RANKS,
            {TCA.title: list(tca.values()), MPI.title: list(mpi.values())},
            ("processes", "ms"), f"E Fig. 14: {name} (predicted; drawn only in the paper)",
            logarithmic=False,
        )  # fmt: skip
        by = ", ".join(f"{p}: {100 * (mpi[p] / tca[p] - 1):+.0f} %" for p in RANKS if p > 1)
        rows += [
            Row("E Fig. 14", f"{name}: winner", WINNER[name], winner(tca, mpi),
                reason=f"MPI's time over TCA's, by processes: {by}."),
            Row("E Fig. 14", f"{name}: TCA fastest with processes", str(FASTEST[name]),
                str(min(RANKS, key=lambda p: tca[p])), reason=REASONS.get(name, "")),
        ]  # fmt: skip
    return rows


if __name__ == "__main__":
    main(run)

"""Paper E, Fig. 15: where conjugate gradient's time goes, for three matrices (drawn only)."""

from pathlib import Path

from cg_predictions import RANKS, predicted
from report import Row, bars, main
from systems import MPI, TCA

OPERATIONS = ("spmv", "dot", "axpy", "allgather", "allreduce")


def run(folder: Path) -> list[Row]:
    rows: list[Row] = []
    for name in ("nasa2910", "smt", "nd24k"):
        cases = [(system, p) for p in RANKS for system in (TCA, MPI)]
        bars(
            folder, f"e_fig15_cg_{name}", [f"{s.title} {p}" for s, p in cases],
            {
                o: [1e3 * predicted(name, s, p).parts.get(o, 0.0) for s, p in cases]
                for o in OPERATIONS
            },
            "ms", f"E Fig. 15: {name}, 1,000 iterations (predicted; drawn only)",
        )  # fmt: skip
        for p in (2, 16):
            one = predicted(name, TCA, p)
            rows.append(
                Row("E Fig. 15", f"{name}, TCA, {p} processes: allgather", None,
                    1e3 * one.parts["allgather"], "ms")
            )  # fmt: skip
    slower = [
        p for p in RANKS
        if p > 1
        and predicted("nd24k", TCA, p).parts["allgather"]
        > predicted("nd24k", MPI, p).parts["allgather"]
    ]  # fmt: skip
    rows.append(
        Row("E Fig. 15", "nd24k: TCA's allgather takes longer than MPI's", "yes",
            "yes" if slower else "no", reason=f"On {slower} processes.")
    )  # fmt: skip
    return rows


if __name__ == "__main__":
    main(run)

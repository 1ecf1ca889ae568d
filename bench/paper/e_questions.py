"""What paper E leaves open, as gains on Table 6 and Fig. 14: a reduction unit in the hub chip, GPU
transfers staged by CPU-to-CPU puts, a node mapping for each collective."""

from pathlib import Path

from cg_predictions import RANKS, predicted
from gossamer.simulation import WHAT_IF, Collective
from report import Row, main, write_csv
from systems import MATRICES, TCA

MATRICES_SHOWN = tuple(MATRICES)


def gain(before: float, after: float) -> float:
    """Per cent less time."""
    return 100 * (1 - after / before)


def run(folder: Path) -> list[Row]:
    rows: list[Row] = []
    table: list[list[object]] = []
    for question in WHAT_IF:
        changed = TCA.what_if(question)
        for p in (2, 4, 8, 16):
            before, after = (
                1e6 * Collective("allreduce", s, p, "host").predict(8).seconds
                for s in (TCA, changed)
            )
            table.append([question, "Table 6", p, before, after, gain(before, after)])
        best = max(table[-4:], key=lambda r: float(str(r[-1])))
        rows.append(
            Row("E questions", f"{question}: Table 6, {best[2]} nodes, less time by", None,
                float(str(best[-1])), "%")
        )  # fmt: skip
        for name in MATRICES_SHOWN:
            for p in RANKS:
                if p == 1:
                    continue
                before = 1e3 * predicted(name, TCA, p).seconds
                after = 1e3 * predicted(name, changed, p).seconds
                table.append([question, name, p, before, after, gain(before, after)])
        of_cg = [r for r in table if r[0] == question and r[1] != "Table 6"]
        best = max(of_cg, key=lambda r: float(str(r[-1])))
        worst = min(of_cg, key=lambda r: float(str(r[-1])))
        for which, found in (("most", best), ("least", worst)):
            rows.append(
                Row("E questions", f"{question}: Fig. 14, {which}: {found[1]} on {found[2]}", None,
                    float(str(found[-1])), "%")
            )  # fmt: skip
    write_csv(
        folder, "e_questions",
        ["question", "case", "processes", "before (us or ms)", "after", "gain (%)"], table,
    )  # fmt: skip
    return rows


if __name__ == "__main__":
    main(run)

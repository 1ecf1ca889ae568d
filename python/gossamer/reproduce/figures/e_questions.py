"""What paper E leaves open, as gains on Table 6 and Fig. 14: a reduction unit in the hub chip, GPU
transfers staged by CPU-to-CPU puts, a node mapping for each collective."""

from dataclasses import dataclass
from pathlib import Path

from gossamer.simulation import WHAT_IF, Collective

from ..cg_predictions import predicted
from ..extent import extent
from ..plots import bars
from ..report import NOT_IN_PAPER, Row, compared, write_csv
from ..systems import TCA, called, matrices

TABLE_6 = "Table 6"


@dataclass(frozen=True)
class Answer:
    """One case as it is and with a question's change built in."""

    question: str
    case: str
    processes: int
    before: float
    after: float
    unit: str

    @property
    def gain(self) -> float:
        """Per cent less time."""
        return 100 * (1 - self.after / self.before)


def answers(question: str) -> list[Answer]:
    """Table 6, then Fig. 14's matrices, on every number of processes."""
    changed = TCA.what_if(question)
    found: list[Answer] = []
    for p in (2, 4, 8, 16):
        before, after = (
            1e6 * Collective("allreduce", s, p, "host").predict(8).seconds for s in (TCA, changed)
        )
        found.append(Answer(question, TABLE_6, p, before, after, "us"))
    for name in matrices():
        for p in extent.ranks:
            if p > 1:
                before, after = (1e3 * predicted(name, s, p).seconds for s in (TCA, changed))
                found.append(Answer(question, name, p, before, after, "ms"))
    return found


def summary(question: str, found: list[Answer]) -> list[Row]:
    """The best of Table 6, the best and the worst of Fig. 14."""
    table = [a for a in found if a.case == TABLE_6]
    figure = [a for a in found if a.case != TABLE_6]
    best = max(table, key=lambda a: a.gain)
    rows = [(f"Table 6, {best.processes} nodes, less time by", best)]
    most, least = max(figure, key=lambda a: a.gain), min(figure, key=lambda a: a.gain)
    for which, one in (("most", most), ("least", least)):
        rows.append((f"Fig. 14, {which}: {called(one.case)} on {one.processes}", one))
    return [
        Row("E questions", f"{question}: {what}", NOT_IN_PAPER, one.gain, "%") for what, one in rows
    ]


def draw(folder: Path, found: list[Answer]) -> None:
    """Gains on the most processes."""
    cases = [TABLE_6, *matrices()]
    most = {c: max(a.processes for a in found if a.case == c) for c in cases}
    bars(
        folder, "e_questions_gains", [f"{c}, {most[c]}" for c in cases],
        {
            question: [
                next(a.gain for a in found
                     if (a.question, a.case, a.processes) == (question, c, most[c]))
                for c in cases
            ]
            for question in WHAT_IF
        },
        "% less time", "E: what its open questions would gain (predicted)", stacked=False,
        mark=NOT_IN_PAPER,
    )  # fmt: skip


def run(folder: Path) -> list[Row]:
    rows: list[Row] = []
    all_found: list[Answer] = []
    for question in WHAT_IF:
        found = answers(question)
        rows += summary(question, found)
        all_found += found
    draw(folder, all_found)
    write_csv(
        folder, "e_questions",
        ["question", "case", "processes", "before", "after", "unit", "gain (%)", "published"],
        [
            [a.question, a.case, a.processes, a.before, a.after, a.unit, a.gain, NOT_IN_PAPER]
            for a in all_found
        ],
    )  # fmt: skip
    return compared(folder, "e_questions", rows)

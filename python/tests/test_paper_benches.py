"""Every bench of bench/paper, run with few points: its tables, its plots, and what it explains."""

from __future__ import annotations

import csv
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "bench" / "paper"
PREDICTED = [*sorted(file.stem for file in FOLDER.glob("[abce]_*.py")), "d_network"]
#: On this host.
MEASURED = sorted(file.stem for file in FOLDER.glob("d_fig*.py"))
BENCHES = PREDICTED + MEASURED
COLUMNS = ["figure", "what", "published", "predicted", "unit", "deviation (%)", "calibration",
           "reason"]  # fmt: skip
#: Tables that are no plot's points.
NOT_DRAWN = {"e_questions"}
PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture(scope="module")
def written(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where one run of all benches put its files, its output among them."""
    folder = tmp_path_factory.mktemp("paper")
    output = ""
    for host in ([], ["--host"]):
        done = subprocess.run(
            [sys.executable, str(FOLDER / "all.py"), str(folder), "--quick", *host],
            env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        output += done.stdout
    (folder / "output.txt").write_text(output)
    return folder


def table(file: Path) -> list[list[str]]:
    with file.open(newline="") as opened:
        return list(csv.reader(opened))


def prefix(bench: str) -> str:
    """A bench's files begin with the figure's name: e_fig03a_latency.csv."""
    return "_".join(bench.split("_")[:2])


def is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize("bench", BENCHES)
def test_published_values_stand_beside_predicted_ones(written: Path, bench: str) -> None:
    header, *rows = table(written / f"{bench}_compared.csv")
    ours = "measured" if bench in MEASURED else "predicted"
    assert header == [ours if column == "predicted" else column for column in COLUMNS]
    assert rows
    output = (written / "output.txt").read_text()
    for row in rows:
        one = dict(zip(header, row, strict=True))
        assert one["published"] and one[ours]
        assert one["what"] in output
        assert one["reason"] in output
        if is_number(one["deviation (%)"]):
            expected = 100 * (float(one[ours]) / float(one["published"]) - 1)
            assert float(one["deviation (%)"]) == pytest.approx(expected, abs=0.06)
        elif one["published"] in ("drawn only", "not in the paper"):
            assert not one["deviation (%)"]
        else:
            same = one["published"] == one[ours]
            assert one["deviation (%)"] == ("agrees" if same else "differs")


@pytest.mark.parametrize("bench", BENCHES)
def test_what_deviates_has_a_reason(written: Path, bench: str) -> None:
    header, *rows = table(written / f"{bench}_compared.csv")
    for row in rows:
        one = dict(zip(header, row, strict=True))
        deviation = one["deviation (%)"]
        deviates = abs(float(deviation)) >= 3 if is_number(deviation) else deviation == "differs"
        assert one["reason"] or not deviates, row


@pytest.mark.parametrize("bench", BENCHES)
def test_every_curve_says_what_the_paper_has_of_it(written: Path, bench: str) -> None:
    files = [
        file
        for file in written.glob(f"{prefix(bench)}*.csv")
        if not file.stem.endswith("_compared") and file.stem not in NOT_DRAWN
    ]
    assert files
    for file in files:
        header, *rows = table(file)
        assert rows
        if header[-1] == "published":  # bars: a column for all of them
            assert {row[-1] for row in rows} <= {"drawn only", "not in the paper"}
            continue
        at = 1
        while at < len(header):
            name, published = header[at], header[at + 1]
            assert any(row[at] for row in rows)
            if published == f"{name}, published":
                assert header[at + 2] == f"{name}, deviation (%)"
                given = [row for row in rows if row[at + 1]]
                assert given
                assert all(is_number(row[at + 2]) for row in given)
                at += 3
            else:
                assert published.startswith(f"{name}, published (")
                assert published.endswith(("(drawn only)", "(not in the paper)"))
                at += 2


@pytest.mark.parametrize("bench", BENCHES)
def test_every_figure_is_drawn(written: Path, bench: str) -> None:
    plots = {file.stem for file in written.glob(f"{prefix(bench)}*.png")}
    tables = {file.stem for file in written.glob(f"{prefix(bench)}*.csv")}
    drawn = {name for name in tables if not name.endswith("_compared")} - NOT_DRAWN
    assert plots
    assert plots == drawn
    for name in plots:
        assert (written / f"{name}.png").read_bytes()[:8] == PNG


def test_quick_results_are_not_recorded(environment: dict[str, str], tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(FOLDER / "all.py"), str(tmp_path), "--quick", "--results"],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert "--results: of all points, not of --quick's" in done.stderr
    assert not list(tmp_path.iterdir())

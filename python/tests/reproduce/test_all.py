"""Every figure, made of few points: its tables, its plots, and what it explains."""

from __future__ import annotations

import csv
import importlib
import inspect
import json
import re
import subprocess
import sys
from html import escape
from pathlib import Path

import gossamer as gs
import pytest
from gossamer.reproduce import CATALOGUE, Entry, chosen, figures, scaling
from gossamer.reproduce.catalogue import on_machines
from gossamer.reproduce.report import NOT_IN_PAPER
from gossamer.reproduce.worklist_graphs import Kind
from gossamer.simulation import System

#: On this host.
MEASURED = [e.module for e in CATALOGUE if e.measured]
BENCHES = [e.module for e in CATALOGUE if e.module]
COLUMNS = ["figure", "what", "published", "predicted", "unit", "deviation (%)", "calibration",
           "reason"]  # fmt: skip
#: Tables that are no plot's points.
NOT_DRAWN = {"e_questions"}
PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture(scope="module")
def written(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where one run of all figures put its files, its output among them."""
    folder = tmp_path_factory.mktemp("papers")
    done = subprocess.run(
        [sys.executable, "-m", "gossamer", "reproduce", *"ABCDE", "--quick", "-o", str(folder)],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    (folder / "output.txt").write_text(done.stdout)
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
        elif one["published"] in ("drawn only", "not in the paper") or one[ours] == "not compared":
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
        deviates |= "not compared" in row
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


def test_one_page_has_all(written: Path) -> None:
    text = (written / "index.html").read_text(encoding="utf-8")
    assert "these numbers mean nothing" in text
    assert text.count("data:image/png;base64,") >= len(BENCHES)
    assert not re.search('(src|href)="(?!data:)', text)
    for entry in CATALOGUE:
        assert (f"<h3>{entry.name}: {escape(entry.about)}</h3>" in text) == bool(entry.module)


def test_every_module_is_in_the_catalogue() -> None:
    files = {file.stem for file in Path(figures.__file__).parent.glob("[a-e]_*.py")}
    assert files == set(BENCHES)
    assert len({entry.key for entry in CATALOGUE}) == len(CATALOGUE)


def test_figures_are_chosen_by_name() -> None:
    assert [e.module for e in chosen(["c.table3", "E.fig6"])] == [
        "c_table3_runtimes", "e_fig06_broadcast",
    ]  # fmt: skip
    assert {e.paper for e in chosen(["B", "b.teps"])} == {"B"}
    assert {e.module for e in chosen([])} == set(BENCHES) - set(MEASURED)
    assert [e.module for e in chosen([], measured=True)] == MEASURED
    for name, said in {
        "F": r"there is no 'F' \(--list has all\)",
        "C.tabel3": r"there is no 'C.tabel3'; did you mean 'C.table3'\? \(--list has all\)",
        "a.fig1": r"nothing makes A.fig1 again \(the ExpEther machine\): it has nothing to compare",
        "c.fig1": r"nothing makes C.fig1 again \(a node .*\): it is an input, system m60",
        "C.table4": r"nothing makes C.table4 again \(its graphs\): it is an input, sizes of graphs",
        "E.fig11": r"nothing makes E.fig11 again \(mappings .*\): it is in E.fig12",
    }.items():
        with pytest.raises(gs.UsageError, match=f"^reproduce: {said}$"):
            chosen([name])


def test_what_nothing_makes_says_what_it_is() -> None:
    made = {entry.key for entry in CATALOGUE if entry.module}
    for entry in CATALOGUE:
        if entry.module:
            assert entry.how.startswith(("predicted", "measured"))
        elif entry.how.startswith("in "):
            assert entry.how.removeprefix("in ") in made
        elif entry.how.startswith("input: system"):
            for name in re.split("systems? ", entry.how)[1].split(", "):
                assert System(name).description


def test_what_is_measured_is_all_of_it(environment: dict[str, str], tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "gossamer", "reproduce", "E", "--measured"],
        env=environment, cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2 and not list(tmp_path.iterdir())
    said = "gossamer: reproduce: --measured is all that is measured; give it or names\n"
    assert done.stderr == said


def test_lists_lie_on_a_memory_node(environment: dict[str, str], tmp_path: Path) -> None:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "gossamer", "reproduce", *arguments, "--json", "-"],
            env=environment, cwd=tmp_path, capture_output=True, text=True, check=False,
        )  # fmt: skip

    done = run("D.processes", "--memory-node", "0")
    said = "gossamer: reproduce: --memory-node is for D.fig3 to D.fig6, or --measured\n"
    assert (done.returncode, done.stderr) == (2, said)
    done = run("D.fig3", "--memory-node", "4000")
    assert done.returncode == 2
    assert re.search("gossamer: memory_node 4000: this host has nodes? 0", done.stderr)
    assert not list(tmp_path.iterdir())
    found = json.loads(run("D.fig3", "D.fig6", "--quick", "--memory-node", "0").stdout)
    assert found["command"] == "gossamer reproduce D.fig3 D.fig6 --quick --memory-node 0"
    assert found["hardware"].endswith(", lists on memory node 0")
    rows = {row["what"]: row for row in found["results"]}
    assert rows["pages of the list"]["published"] == 1024 and rows["pages of the list"]["ours"] > 0
    [there] = [row for what, row in rows.items() if what.endswith("list on memory node 0: most")]
    assert there["published"] == 173


def test_machines_are_measured_by_those_that_can(
    environment: dict[str, str], tmp_path: Path
) -> None:
    for entry in CATALOGUE:
        if entry.module:
            module = importlib.import_module(f"gossamer.reproduce.figures.{entry.module}")
            beside = "machines" in inspect.signature(module.run).parameters
            assert hasattr(module, "on_machines") == (entry.module in ON_MACHINES)
            assert (beside or hasattr(module, "on_machines")) == (entry.on is not None)
            assert bool(entry.alone) == (entry.on is None)

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "gossamer", "reproduce", *arguments, "--json", "-"],
            env=environment, cwd=tmp_path, capture_output=True, text=True, check=False,
        )  # fmt: skip

    for what, spec, said in (
        ("C.fig2", "cpu:2x1", "C Fig. 2 is not measured by --machine: bench_transfers measures "
         "that"),
        ("A.fig10", "cpu:1x2", "A Fig. 10 is not measured on cpu:1x2: it takes a machine of 2 "
         "ranks or more"),
        ("B.teps", "cpu:3x1", "B TEPS is not measured on cpu:3x1: it takes a machine of 2 ranks"),
        ("C.table3", "sim:h200,ranks=2",
         "--machine sim:h200,ranks=2: nothing is measured on a model"),
    ):  # fmt: skip
        done = run(what, "--machine", spec)
        assert (done.returncode, done.stderr) == (2, f"gossamer: reproduce: {said}\n")
    done = run("E.fig6", "--scale", "12")
    said = "gossamer: reproduce: --scale is for papers A and B\n"
    assert (done.returncode, done.stderr) == (2, said)
    done = run("C.table6", "--machine", "cpu:1x1", "--machine", "cpu:2x1")
    said = "C Table 6 is measured on one machine, whose ranks differ"
    assert (done.returncode, done.stderr) == (2, f"gossamer: reproduce: {said}\n")
    done = run("C.table3", "--quick", "--machine", "cpu:1x1", "--machine", "cpu:2x1")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["command"].endswith("--quick --machine cpu:1x1 --machine cpu:2x1")
    assert re.fullmatch("cpu:1x1: 1 x .+; cpu:2x1: 2 x .+", found["hardware"])
    assert found["results"] and all(row["measured"] for row in found["results"])
    page = (tmp_path / "papers" / "index.html").read_text(encoding="utf-8")
    assert "<td>measured</td>" in page and f"<p>Measured on {found['hardware']}.</p>" in page


def test_what_takes_one_machine_is_left_out_of_a_paper_on_several() -> None:
    machines = [gs.Machine("cpu:1x1"), gs.Machine("cpu:2x1")]
    found, refused = on_machines(chosen(["C"]), machines, ["C"])
    assert refused[-1] == "C Table 6 is measured on one machine, whose ranks differ"
    assert "C Table 3" in {f"{entry.paper} {entry.name}" for entry in found}
    assert "C Table 6" not in {f"{entry.paper} {entry.name}" for entry in found}
    found, _ = on_machines(chosen(["C"]), machines[1:], ["C"])
    assert "C Table 6" in {f"{entry.paper} {entry.name}" for entry in found}


#: Of papers A, B, D and E.
ELSEWHERE = ("cpu:2x1", "cpu:1x2")


@pytest.fixture(scope="module")
def named(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """As `written`, on two machines that are named."""
    folder = tmp_path_factory.mktemp("named")
    machines = [word for spec in ELSEWHERE for word in ("--machine", spec)]
    done = subprocess.run(
        [sys.executable, "-m", "gossamer", "reproduce", *"ABDE", "--quick", "--scale", "11",
         *machines, "-o", str(folder)],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    (folder / "output.txt").write_text(done.stdout)
    return folder


def taken(entry: Entry) -> list[str]:
    """The specs of those two that it takes."""
    return [spec for spec in ELSEWHERE if not entry.refused(gs.Machine(spec))]


NAMED = [entry for entry in CATALOGUE if entry.paper != "C" and taken(entry)]


@pytest.mark.parametrize("entry", NAMED, ids=lambda entry: entry.key)
def test_measured_values_stand_beside_predicted_ones(named: Path, entry: Entry) -> None:
    header, *rows = table(named / f"{entry.module}_compared.csv")
    found = [dict(zip(header, row, strict=True)) for row in rows]
    there = [row for row in found if row["measured"]]
    ours = ["measured"] if entry.measured else ["predicted", "measured"]
    at = header.index("published") + 1
    assert header[at : at + len(ours)] == ours
    assert all(sum(bool(row[how]) for how in ours) == 1 for row in found)
    for spec in taken(entry):
        assert any(row["what"].startswith(f"{spec}: ") for row in there)
    for row in there:
        # What a paper's machine did is no number to deviate from.
        assert entry.measured or row["published"] == NOT_IN_PAPER or not is_number(row["measured"])
        assert entry.measured or re.match(r"\d ranks?: \d x ", row["reason"])


@pytest.mark.parametrize("entry", NAMED, ids=lambda entry: entry.key)
def test_plots_have_what_was_measured_by_its_machine(named: Path, entry: Entry) -> None:
    if entry.module == "a_table1_levels":
        return  # what is measured is said in words
    text = "".join(
        file.read_text()
        for file in named.glob(f"{prefix(entry.module)}*.csv")
        if not file.stem.endswith("_compared")
    )
    for spec in taken(entry):
        plotted = re.sub(r"\W", "_", spec) if entry.module == "d_fig05_cache_pressure" else spec
        names = "".join(file.stem for file in named.glob(f"{prefix(entry.module)}*.png"))
        assert plotted in text + names


def test_what_a_machine_cannot_measure_is_left_out(named: Path) -> None:
    said = (named / "output.txt").read_text().splitlines()
    page = (named / "index.html").read_text(encoding="utf-8")
    for entry in CATALOGUE:
        if entry.module and entry.paper != "C":
            for spec in ELSEWHERE:
                line = entry.refused(gs.Machine(spec))
                assert not line or said.count(line) == 1
            assert (f"<h3>{entry.name}: {escape(entry.about)}</h3>" in page) == bool(taken(entry))
            assert (named / f"{entry.module}_compared.csv").exists() == bool(taken(entry))


def test_a_scale_is_that_of_every_graph(named: Path) -> None:
    for module in ("a_table4_teps", "a_fig06_teps", "a_fig08_profile", "b_teps"):
        header, *rows = table(named / f"{module}_compared.csv")
        for row in rows:
            one = dict(zip(header, row, strict=True))
            assert not one["measured"] or "11" in one["what"] or one["published"] == "yes"
    [_, *rows] = table(named / "a_fig06_teps.csv")
    assert [row[0] for row in rows] == ["5", "7", "9", "11"]


def test_rows_as_json(environment: dict[str, str], tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "gossamer", "reproduce", "e.table6", "--quick", "--json", "-"],
        env=environment, cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    found = json.loads(done.stdout)
    assert found["command"] == "gossamer reproduce e.table6 --quick"
    assert found["hardware"] == "simulated" and found["results"]
    assert (tmp_path / "papers" / "index.html").exists()


#: Of paper C: also on machines that are there, by the same modules.
ON_MACHINES = {
    "c_table3_runtimes": ["cpu:1x1", "cpu:2x1"],
    "c_table5_worklist": ["cpu:1x1", "cpu:2x1"],
    "c_table6_filter": ["cpu:2x1"],
    "c_fig10_traversal": ["cpu:1x1", "cpu:2x1"],
    "c_fig11_pagerank": ["cpu:1x1", "cpu:2x1"],
    "c_fig12_components": ["cpu:1x1", "cpu:2x1"],
}


@pytest.mark.parametrize(("bench", "specs"), ON_MACHINES.items())
def test_paper_c_is_measured_on_machines(
    environment: dict[str, str], tmp_path: Path, bench: str, specs: list[str]
) -> None:
    done = subprocess.run(
        [sys.executable, "-m", f"gossamer.reproduce.figures.{bench}", str(tmp_path), "--quick",
         "--machine", *specs, "--json", str(tmp_path / "rows.json")],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    header, *rows = table(tmp_path / f"{bench}_compared.csv")
    assert "measured" in header
    packed = json.loads((tmp_path / "rows.json").read_text())
    assert [machine["spec"] for machine in packed["machines"]] == specs
    assert len(packed["results"]) == len(rows) > 0
    assert all(row["measured"] for row in packed["results"])


def transfers(verified: bool = True) -> str:
    """As bench_transfers writes it; rates of no machine."""
    curves = {
        "a": ("stores to a peer, coalesced", "stores to a peer, random"),
        "b": ("packets, each awaited by the host",),
        "c": ("peers, push, by the host", "peers, push, stores"),
        "d": ("to each in turn, whole", "ring, whole", "ring, packets", "ring, packets, stores"),
    }
    rows = [
        {"figure": figure, "curve": curve, "packet": packet, "bytes": 100_000_000,
         "seconds": 0.01 * (k + 1), "verified": verified}
        for figure, names in curves.items() for k, curve in enumerate(names)
        for packet in (1_000_000, 100_000_000)
    ]  # fmt: skip
    return json.dumps({"bench": "transfers", "results": rows})


def draw_measured(
    environment: dict[str, str], folder: Path, text: str
) -> subprocess.CompletedProcess[str]:
    (folder / "transfers.json").write_text(text)
    return subprocess.run(
        [sys.executable, "-m", "gossamer.reproduce.figures.c_fig02_transfers", str(folder),
         "--measured", str(folder / "transfers.json")],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_measured_transfers_are_drawn(environment: dict[str, str], tmp_path: Path) -> None:
    done = draw_measured(environment, tmp_path, transfers())
    assert done.returncode == 0, done.stderr
    header, *rows = table(tmp_path / "c_fig02_transfers_compared.csv")
    found = [dict(zip(header, row, strict=True)) for row in rows]
    random = next(row for row in found if row["what"].endswith("coalesced over random"))
    assert float(random["published"]) == 21 and float(random["measured"]) == pytest.approx(2)
    assert {file.stem for file in tmp_path.glob("*.png")} == {f"c_fig02{f}" for f in "abcd"}


def test_transfers_that_were_not_verified_are_refused(
    environment: dict[str, str], tmp_path: Path
) -> None:
    done = draw_measured(environment, tmp_path, transfers(verified=False))
    assert done.returncode != 0
    assert "not all transfers were verified" in done.stderr


def test_the_quad_bends_what_it_bends() -> None:
    """The link between the sockets costs from the fifth GPU on, and nothing within a quad."""
    kind = Kind("small", 1, 1, "road:120", "road:60", "road:60", "road:60", "", False)
    assert scaling.socket_cost("sssp", kind, ranks=4) == pytest.approx(1)
    assert scaling.socket_cost("sssp", kind, ranks=5) > scaling.BEND

"""Whole programs on modelled systems, and what systems' own software does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gossamer as gs
import numpy as np
import pytest
from gossamer import simulation


def test_cg_is_slower_with_more_ranks_on_a_small_matrix(cli: Any) -> None:
    # Paper E on nasa2910: operations take a launch each, whatever the number of ranks.
    out = cli.json("simulate", "cg", "band:2910:174296", "--system", "peach2",
                   "--against", "hapacs-ib", "--ranks", "1,2,4")  # fmt: skip
    assert [row["ranks"] for row in out["rows"]] == [1, 2, 4]
    for row in out["rows"]:
        for one in row["systems"].values():
            assert one["iterations"] == 1000
            assert sum(one["parts"].values()) == pytest.approx(one["seconds"], rel=0.02)
        if row["ranks"] > 1:  # direct communication wins
            assert row["systems"]["peach2"]["seconds"] < row["systems"]["hapacs-ib"]["seconds"]
    assert [entry["hurts_from"] for entry in out["systems"]] == [2, 2]
    assert out["systems"][0]["because"] == "allgather"
    assert out["crossovers"] == []


def test_cg_predicts_any_number_of_iterations_from_a_few() -> None:
    matrix = gs.matrix("band:2910:174296")
    hundred, thousand = (
        simulation.cg(matrix, simulation.System("peach2"), 2, n) for n in (100, 1000)
    )
    solver = gs.CgSolver(
        matrix, "sim:peach2,ranks=2", iterations=100, exchange="allgather", engine="published"
    )
    whole = solver.solve(np.ones(matrix.vertices))
    assert hundred.seconds == pytest.approx(1e-3 * whole.milliseconds, rel=1e-3)
    assert thousand.seconds == pytest.approx(10 * hundred.seconds, rel=0.02)


def test_bfs_compares_bytes_with_paper_bs_formulas(cli: Any) -> None:
    out = cli.json("simulate", "bfs", "kron:10", "--system", "peach3", "--against", "peach3-ib")
    published, compact = out["systems"][0]["runs"]
    assert (published["variant"], compact["variant"]) == ("published", "compact")
    assert {kind: sent["formula_bytes"] for kind, sent in published["messages"].items()} == {
        "flag": 4,
        "out": 4 * 1024 // 2,
        "tree": 8 * 1024 // 2,
    }
    for sent in published["messages"].values():
        assert sent["bytes"] == sent["messages"] * sent["formula_bytes"]
    assert published["messages"]["out"]["rounds"] == published["levels"]
    assert compact["messages"]["out"]["bytes"] < published["messages"]["out"]["bytes"]
    # The same traversal on both systems: only the times differ.
    for first, second in zip(out["systems"][0]["runs"], out["systems"][1]["runs"], strict=True):
        assert first["levels"] == second["levels"]
        assert first["messages"]["out"]["bytes"] == second["messages"]["out"]["bytes"]
        assert first["seconds"] < second["seconds"]


def test_bfs_says_where_one_system_overtakes_the_other_and_why(cli: Any) -> None:
    # Fixed-size frontiers grow with the ranks that get them; compact ones do not.
    pair = ("simulate", "bfs", "kron:12", "--system", "peach2", "--against", "hapacs-ib")
    ranks = ("--ranks", "1,4,8,16")
    assert cli.json(*pair, *ranks)["crossovers"] == [
        {"variant": "published", "between": [8, 16], "from": "peach2", "to": "hapacs-ib",
         "because": "out"}
    ]  # fmt: skip
    text = cli(*pair, *ranks).stdout
    assert (
        "\nbetween 8 and 16 ranks, published: hapacs-ib overtakes peach2, which loses most in out\n"
        in text
    )
    assert "\n1 rank, published: " in text
    assert cli.json(*pair[:5], "--ranks", "2")["crossovers"] == []


def test_systems_that_take_the_same_time_have_no_winner(cli: Any, tmp_path: Path) -> None:
    # On two nodes there is one mapping, so that the question changes nothing, and from two ranks
    # to more of them nobody overtakes anybody.
    cg = ("simulate", "cg", "band:512:4096", "--iterations", 20)
    mapped = (*cg, "--system", "peach2", "--what-if", "own-mapping")
    text = cli(*mapped, "--ranks", "2,16").stdout
    assert "\n2 ranks: peach2 and peach2 + own-mapping take the same time\n" in text
    assert "\n16 ranks: peach2 + own-mapping is faster by " in text
    assert "overtakes" not in text
    # A long broadcast's own mapping is worth 0.03 % at most: one way at one size, the other at the
    # next.
    text = cli("simulate", "broadcast", "--system", "peach2", "--what-if", "own-mapping",
               "--bytes", "512K..1M").stdout  # fmt: skip
    assert "\npeach2 and peach2 + own-mapping take the same time at every size\n" in text
    # For bfs a system beside its double.
    described = Path(__file__).parents[3] / "share" / "systems" / "peach2.toml"
    double = described.read_text(encoding="utf-8").replace('name = "peach2"', 'name = "double"')
    (tmp_path / "double.toml").write_text(double, encoding="utf-8")
    pair = ("--system", "peach2", "--against", "double.toml")
    same = cli("simulate", "bfs", "kron:8", *pair).stdout
    assert "2 ranks, published: " in same and same.count("take the same time") == 2
    assert "is faster by" not in same and "most of it" not in same


def test_programs_plot_their_predictions(cli: Any, tmp_path: Path) -> None:
    cli.json("simulate", "cg", "poisson:8x8", "--ranks", "1,2", "--plot", "cg.png")
    cli.json("simulate", "bfs", "kron:8", "--ranks", "2,4", "--plot", "bfs.png")
    for name in ("cg.png", "bfs.png"):
        assert (tmp_path / name).read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


def test_what_if_changes_what_it_says(cli: Any) -> None:
    def seconds(*arguments: str) -> list[float]:
        row = cli.json("simulate", *arguments)["rows"][0]
        return [one["seconds"] for one in row["systems"].values()]

    scalar = ("allreduce", "--bytes", "8", "--buffers", "host")
    plain, in_hub = seconds(*scalar, "--what-if", "hub-reduction")
    assert in_hub < 0.6 * plain
    # Hops are all that a mapping of its own can save a scalar.
    plain, own = seconds(*scalar, "--ranks", "8", "--what-if", "own-mapping")
    assert 0.9 * plain < own < plain
    staged = cli.json("simulate", "allgather", "--ranks", "4", "--bytes", "64K",
                      "--what-if", "staged-puts")["rows"][0]["systems"]  # fmt: skip
    assert [one["via_host"] for one in staged.values()] == [False, True]


def test_systems_do_what_their_software_does(cli: Any) -> None:
    def algorithms(*arguments: str) -> list[str]:
        rows = cli.json("simulate", "allgather", "--ranks", "16", "--bytes", "8K,64K",
                        *arguments)["rows"]  # fmt: skip
        return [next(iter(row["systems"].values()))["algorithm"] for row in rows]

    assert algorithms("--system", "hapacs-ib") == ["recursive_doubling", "ring_host"]
    assert algorithms("--system", "peach2") == ["recursive_doubling", "recursive_doubling"]
    assert algorithms("--system", "peach2", "--algorithm", "ring") == ["ring", "ring"]


def test_ping_pong_is_what_the_systems_were_calibrated_with() -> None:
    tca, mpi = simulation.System("peach2"), simulation.System("hapacs-ib")
    assert 1e6 * simulation.ping_pong(tca, 8, "host") == pytest.approx(1.0, rel=0.01)
    assert 1e6 * simulation.ping_pong(tca, 8) == pytest.approx(1.9, rel=0.01)
    assert 1e6 * simulation.ping_pong(mpi, 16) == pytest.approx(3.5, rel=0.01)
    assert 1e6 * simulation.device_copy(tca, 1 << 14) == pytest.approx(13.2, rel=0.01)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("cg",), "cg: which matrix?"),
        (("bfs",), "bfs: which graph?"),
        (("cg", "nofile.mtx"), "nofile.mtx"),
        (("cg", "kron:8"), "has no values"),
        (("bfs", "kron:8", "--ranks", "0"), "--ranks: '0' is no number and no list"),
        (("bfs", "kron:8", "--ranks", "2,x"), "--ranks: '2,x' is no number and no list"),
        (("bfs", "kron:8", "--source", "999"), "no vertex 999"),
        (("gather", "kron:8"), "gather: takes no argument 'kron:8'"),
        (("gather", "--ranks", "2,4"), "a collective takes one number"),
        (("gather", "--what-if", "magic"), "--what-if: 'magic' is none of hub-reduction"),
        (
            ("gather", "--what-if", "own-mapping", "--against", "h200"),
            "give --against or --what-if, not both",
        ),
        (
            (
                "allreduce",
                "--bytes",
                "8",
                "--buffers",
                "host",
                "--what-if",
                "hub-reduction",
                "--system",
                "h200",
            ),
            "no row 'pio'",
        ),
        (("gather", "--change", "software.mapping=best"), "expected identity or searched"),
    ],
)
def test_program_errors(cli: Any, arguments: tuple[str, ...], message: str) -> None:
    assert message in cli.fails(2, "simulate", *arguments)

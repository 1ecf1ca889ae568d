"""`gossamer collective` and `gossamer tune`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from gossamer.cli import run


def test_collective_prints_a_checked_schedule(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["collective", "allreduce", "--algorithm", "ring", "--ranks", "3", "--bytes", "48"]
    assert run([*arguments, "--check"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("allreduce ring: 3 ranks, 6 elements of 8 bytes\nrank 0: ")
    assert out.endswith("checked: every element is right, nothing races\n")


def test_collective_json(cli: Any) -> None:
    out = cli.json("collective", "barrier", "--algorithm", "direct", "--ranks", 2)
    assert [part["rank"] for part in out["schedule"]["parts"]] == [0, 1]
    names = [a["name"] for a in cli.json("collective", "reduce")["algorithms"]]
    assert names == ["direct", "direct_host", "binomial", "two_shot", "ring", "relay"]


def test_collective_bad_names(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["collective", "scatter", "--algorithm", "ring"]) == 2
    assert "scatter: no algorithm 'ring' (there are: direct, binomial)" in capsys.readouterr().err
    assert run(["collective", "sum"]) == 2
    assert "no collective 'sum'" in capsys.readouterr().err


def test_collective_is_timed_on_a_machine(cli: Any) -> None:
    out = cli.json("collective", "allreduce", "--machine", "cpu:2x1", "--bytes", 64)
    names = [a["name"] for a in cli.json("collective", "allreduce")["algorithms"]]
    assert [m["algorithm"] for m in out["measured"]] == names
    assert all(m["seconds"] > 0 and m["bytes"] == 64 for m in out["measured"])
    assert out["chosen"] in names
    assert out["machine"]["fabric"] == "threads"
    one = cli("collective", "barrier", "--machine", "cpu:1x1", "--algorithm", "direct")
    assert one.returncode == 0
    assert one.stdout.startswith("barrier of 64 bytes on cpu:1x1: 1 rank(s), fabric threads")


@pytest.mark.parametrize(
    ("arguments", "option"),
    [
        (("collective", "allreduce", "--algorithm", "ring", "--bytes", "0"), "--bytes"),
        (("tune", "--max-bytes", "0", "--machine", "cpu:1x1"), "--max-bytes"),
        (("simulate", "allgather", "--bytes", "0"), "--bytes"),
        (("simulate", "allgather", "--bytes", "0..8"), "--bytes"),
        (("bfs", "kron:4", "--memory", "0"), "--memory"),
        (("filter", "count:10", "<3", "--packet", "0"), "--packet"),
    ],
)
def test_a_size_of_nothing_names_its_option(
    cli: Any, arguments: tuple[str, ...], option: str
) -> None:
    assert cli.fails(2, *arguments) == f"{option}: not a positive number of bytes: 0"


def test_a_librarys_algorithms_are_listed_apart(cli: Any) -> None:
    listed = cli.json("collective", "broadcast")
    assert [a["name"] for a in listed["libraries"]] == ["nccl"]
    assert "nccl" not in [a["name"] for a in listed["algorithms"]]
    assert "without a schedule: nccl (" in cli("collective", "broadcast").stdout
    assert cli.json("collective", "scatter")["libraries"] == []


def test_a_library_that_rules_choose_is_timed_too(cli: Any) -> None:
    # Here it cannot run, and says so; it is not among the algorithms with a schedule.
    done = cli(
        "collective", "allreduce", "--machine", "cpu:2x1", "--bytes", 64,
        GOSSAMER_COLLECTIVES="allreduce:0-inf:@nccl",
    )  # fmt: skip
    assert done.returncode != 0 and "nccl" in done.stderr
    one = cli(
        "collective", "allreduce", "--machine", "cpu:2x1", "--algorithm", "ring",
        GOSSAMER_COLLECTIVES="allreduce:0-inf:@nccl",
    )  # fmt: skip
    assert one.returncode == 0


def test_results_on_a_machine_are_checked(cli: Any) -> None:
    for operation in ("allreduce", "reduce_scatter", "all_to_all", "gather"):
        said = cli.json("collective", operation, "--machine", "cpu:3x1", "--bytes", 800, "--verify")
        assert len(said["measured"]) > 1 and all(m["verified"] for m in said["measured"])
    said = cli.json("collective", "scatter", "--machine", "cpu:2x1")
    assert {m["verified"] for m in said["measured"]} == {None}
    line = cli.fails(2, "collective", "gather", "--algorithm", "direct", "--verify")
    assert line == (
        "collective: --verify does nothing here: --verify is for a --machine, --check for a "
        "schedule"
    )


def test_collective_on_a_machine_bad_arguments(cli: Any) -> None:
    line = cli.fails(2, "collective", "reduce", "--machine", "cpu:2", "--root", 1)
    assert line == (
        "collective: --root does nothing here: --machine goes with --algorithm, --bytes, --verify "
        "and --json only"
    )
    # Also where it says what would be taken anyway.
    line = cli.fails(2, "collective", "reduce", "--machine", "cpu:2", "--ranks", 4)
    assert line.startswith("collective: --ranks does nothing here: --machine ")
    line = cli.fails(2, "collective", "sum", "--machine", "cpu:2")
    assert "no collective 'sum'" in line
    assert "ring" in cli.fails(
        2, "collective", "scatter", "--machine", "cpu:2", "--algorithm", "ring"
    )


@pytest.mark.parametrize(
    ("option", "values"),
    [
        ("--ranks", ["3"]),
        ("--bytes", ["1K"]),
        ("--element", ["4"]),
        ("--root", ["0"]),
        ("--in-place", []),
        ("--direct", []),
        ("--check", []),
    ],
)
def test_collective_lists_without_other_options(cli: Any, option: str, values: list[str]) -> None:
    line = cli.fails(2, "collective", "reduce", option, *values)
    assert line == (
        f"collective: {option} does nothing here: algorithms are listed, unless one is given as "
        "--algorithm or a --machine"
    )


def test_collective_refuses_what_an_operation_has_not(cli: Any) -> None:
    line = cli.fails(2, "collective", "allreduce", "--algorithm", "ring", "--root", 1)
    assert line == "allreduce: --root is for what has one: broadcast, gather, reduce, scatter"
    assert cli("collective", "reduce", "--algorithm", "direct", "--root", 1).returncode == 0
    for option in (("--bytes", 64), ("--element", 4), ("--in-place",), ("--direct",)):
        line = cli.fails(2, "collective", "barrier", "--algorithm", "direct", *option)
        assert line == f"barrier: {option[0]} does nothing: it moves no data"


def test_tune_writes_rules(tmp_path: Path) -> None:
    rules = tmp_path / "rules"
    machine = ["--machine", "cpu:2x1", "--ops", "barrier", "--max-bytes", "64"]
    assert run(["tune", *machine, "--output", str(rules)]) == 0
    assert "barrier:0-inf:@" in rules.read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("allreduce", "--algorithm", "ring", "--bytes", 7),
            "allreduce: 7 bytes are no 8-byte val",
        ),
        (
            ("allreduce", "--machine", "cpu:2x1", "--bytes", 7),
            "allreduce: 7 bytes are no 8-byte va",
        ),
        (
            ("broadcast", "--machine", "cpu:2x1", "--bytes", 7),
            "broadcast: 7 bytes are no 8-byte va",
        ),
        (
            ("broadcast", "--algorithm", "flat", "--bytes", 10, "--element", 4),
            "10 bytes are no 4-byte",
        ),
    ],
)
def test_bytes_that_are_no_elements_are_refused(
    cli: Any, arguments: tuple[Any, ...], message: str
) -> None:
    assert message in cli.fails(2, "collective", *arguments)


def test_tuning_a_modelled_machine_measures_nothing(cli: Any, tmp_path: Path) -> None:
    machine = ("tune", "--machine", "sim:peach2,ranks=2", "--ops", "barrier", "--output")
    printed = cli(*machine, "-").stdout
    assert printed.startswith(
        "# Rules for collectives on sim:peach2,ranks=2 (sim), predicted, in v"
    )
    said = cli(*machine, "rules.txt").stdout
    assert said.endswith("times are those of the modelled system: nothing was measured\n")
    assert "measured" not in (tmp_path / "rules.txt").read_text()


@pytest.mark.parametrize(
    "arguments",
    [
        ("tune", "--ops", "barrier,allgather", "--max-bytes", "1M", "--output", "-"),
        ("collective", "allgather", "--algorithm", "ring", "--bytes", "1M"),
        ("collective", "allgather", "--algorithm", "ring", "--bytes", "1M", "--verify"),
    ],
)
def test_messages_are_no_larger_than_memory(
    cli: Any, arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOSSAMER_MEMORY", "4M")
    said = cli.fails(2, *arguments, "--machine", "cpu:2x1")
    begins, ends = r"allgather of 1.0 MiB by [a-z_]+ takes ", r" MiB on this host; "
    limit = r"the limit is 4.0 MiB \(GOSSAMER_MEMORY\)"
    assert re.fullmatch(begins + r"\d+\.\d" + ends + limit, said), said
    monkeypatch.setenv("GOSSAMER_MEMORY", "64M")
    assert cli(*arguments, "--machine", "cpu:2x1").returncode == 0


def test_the_verifier_copies_what_it_checks(cli: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """12 MiB of input and 24 of output: arenas alone would be within the limit."""
    arguments = ("collective", "allgather", "--algorithm", "ring", "--bytes", "6M")
    monkeypatch.setenv("GOSSAMER_MEMORY", "90M")
    assert cli(*arguments, "--machine", "cpu:2x1").returncode == 0
    assert "(GOSSAMER_MEMORY)" in cli.fails(2, *arguments, "--machine", "cpu:2x1", "--verify")


def test_a_tuned_file_comes_before_a_systems_own_software(
    cli: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    machine = ("--machine", "sim:peach2,ranks=4")
    measured = ("collective", "allgather", *machine)
    assert cli.json(*measured)["chosen"] == "recursive_doubling"
    own = "  allgather: recursive_doubling (the system's own software)\n"
    said = cli("info", *machine).stdout
    assert own in said and "  allgather:0-inf" not in said
    assert "  reduce: direct_host up to 8.0 KiB, direct (the system's own software)\n" in said
    folder = tmp_path / "gossamer" / "collectives"
    folder.mkdir(parents=True)
    (folder / "sim_peach2_ranks_4.rules").write_text("allgather:0-inf:@ring\n")
    assert cli.json(*measured)["chosen"] == "ring"
    said = cli("info", *machine).stdout
    assert "  allgather:0-inf:@ring\n" in said and own not in said
    assert "  broadcast: binomial (the system's own software)\n" in said
    software = cli.json("info", *machine)["machine"]["collectives"]["own_software"]
    assert {"operation": "reduce", "algorithm": "direct_host", "up_to": 8192} in software
    assert "allgather" not in {row["operation"] for row in software}


def test_a_library_is_no_algorithm_to_simulate(cli: Any) -> None:
    line = cli.fails(2, "simulate", "reduce", "--algorithm", "nope")
    assert "reduce: no algorithm 'nope' (there are: " in line and "nccl" not in line

"""`gossamer simulate`: options that would do nothing are refused, and systems end where they do."""

from __future__ import annotations

from typing import Any

import gossamer as gs
import pytest
from gossamer import simulation

VALUES = {
    "--bytes": ["64"],
    "--algorithm": ["fastest"],
    "--root": ["1"],
    "--buffers": ["host"],
    "--mapping": ["searched"],
    "--iterations": ["10"],
    "--values": [],
    "--source": ["1"],
    "--threads": ["1"],
    "--memory": ["1G"],
    "--plot": ["x.png"],
}
#: What each operation takes of these; what all take (--system, --ranks, …) is not in here.
TAKES = {
    "allgather": {"--bytes", "--algorithm", "--buffers", "--mapping", "--plot"},
    "gather": {"--bytes", "--algorithm", "--root", "--buffers", "--mapping", "--plot"},
    "barrier": {"--algorithm", "--buffers", "--mapping"},
    "cg band:300:4001": {"--iterations", "--values", "--threads", "--memory", "--plot"},
    "bfs kron:6": {"--source", "--threads", "--memory", "--plot"},
}
PURPOSE = {
    "--bytes": "collectives that move data: the size of their messages",
    "--algorithm": "collectives: how they are done",
    "--root": "what has a root: broadcast, gather, reduce, scatter",
    "--buffers": "collectives: where their data is",
    "--mapping": "collectives: which rank is on which node",
    "--iterations": "cg: the length to predict",
    "--values": "cg: values for a pattern",
    "--source": "bfs: the vertex to begin at",
    "--threads": "cg and bfs: reading or making their data",
    "--memory": "cg and bfs: reading or making their data",
    "--plot": "what has sizes or numbers of ranks",
}


@pytest.mark.parametrize("option", VALUES)
@pytest.mark.parametrize("operation", TAKES)
def test_an_option_is_taken_or_refused_by_name(cli: Any, operation: str, option: str) -> None:
    arguments = ("simulate", *operation.split(), "--ranks", "2", option, *VALUES[option])
    if option in TAKES[operation]:
        done = cli(*arguments)
        assert done.returncode == 0, done.stderr
    else:
        name = operation.split()[0]
        assert cli.fails(2, *arguments) == f"{name}: {option} is for {PURPOSE[option]}"


def test_a_default_that_is_spelt_out_is_an_option_too(cli: Any) -> None:
    line = cli.fails(2, "simulate", "cg", "band:300:4001", "--bytes", "8..16M")
    assert line.startswith("cg: --bytes is for collectives")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("gather", "--systems"), "--systems lists what there is: OP does nothing beside it"),
        (("--systems", "--bytes", "8"), "--systems lists what there is: --bytes does nothing"),
        (("--systems", "--what-if", "own-mapping"), "--what-if does nothing beside it"),
        (("gathr",), "'gathr' is none of broadcast, scatter"),
        (("reduce", "--bytes", "12"), "reduce: 12 bytes are no 8-byte values"),
        (
            ("bfs", "kron:6", "--what-if", "staged-puts"),
            "bfs: --what-if staged-puts is for collectives and cg",
        ),
        (
            ("bfs", "kron:6", "--what-if", "own-mapping"),
            "bfs: --what-if own-mapping is for collectives and cg",
        ),
        (
            ("bfs", "kron:6", "--what-if", "hub-reduction"),
            "bfs: --what-if hub-reduction is for cg and for scalars: allreduce with --buffers host",
        ),
        (
            ("allreduce", "--bytes", "8", "--what-if", "hub-reduction"),
            "allreduce: --what-if hub-reduction is for cg and for scalars",
        ),
        (
            ("allreduce", "--buffers", "host", "--what-if", "hub-reduction"),
            "allreduce: --what-if hub-reduction is for cg and for scalars",
        ),
        (
            ("allgather", "--buffers", "host", "--what-if", "staged-puts"),
            "allgather: --what-if staged-puts is for --buffers device",
        ),
        (
            ("allgather", "--mapping", "identity", "--what-if", "own-mapping"),
            "allgather: give --what-if own-mapping or --mapping identity, not both",
        ),
        (
            ("cg", "band:300:4001", "--system", "h200", "--what-if", "own-mapping"),
            "cg: --what-if own-mapping changes what a system's own software does, and h200",
        ),
    ],
)
def test_what_would_change_nothing_is_refused(
    cli: Any, arguments: tuple[str, ...], message: str
) -> None:
    assert message in cli.fails(2, "simulate", *arguments)


@pytest.mark.parametrize("option", ["--tolerance", "--max-iterations"])
def test_cg_of_a_fixed_length_stops_nowhere_else(cli: Any, option: str) -> None:
    line = cli.fails(2, "cg", "poisson:4x4", "--iterations", 3, option, 1)
    assert line == f"{option}: --iterations runs exactly 3, whatever it is"


# --- options have their effect --------------------------------------------------------------------


@pytest.mark.parametrize("algorithm", ["ring", "fastest"])
def test_what_if_holds_for_algorithms_that_are_named(cli: Any, algorithm: str) -> None:
    arguments = ("simulate", "allgather", "--ranks", "8", "--bytes", "64K",
                 "--algorithm", algorithm)  # fmt: skip

    def found(question: str) -> list[Any]:
        row = cli.json(*arguments, "--what-if", question)["rows"][0]
        return list(row["systems"].values())

    assert [one["via_host"] for one in found("staged-puts")] == [False, True]
    before, after = found("own-mapping")
    assert before["mapping"] == [] and sorted(after["mapping"]) == list(range(8))


def test_a_question_without_consequence_is_called_that(cli: Any) -> None:
    # The allgather of this system has a mapping of its own already.
    text = cli("simulate", "allgather", "--bytes", "8,1K", "--what-if", "own-mapping").stdout
    assert "peach2 and peach2 + own-mapping take the same time at every size" in text
    assert "faster" not in text


def test_a_barrier_has_one_row_without_bytes(cli: Any) -> None:
    rows = cli.json("simulate", "barrier", "--ranks", "8")["rows"]
    assert [row["bytes"] for row in rows] == [0]
    assert rows[0]["systems"]["peach2"]["seconds"] > 0


def test_sizes_are_taken_to_the_byte(cli: Any) -> None:
    rows = cli.json("simulate", "broadcast", "--ranks", "2", "--bytes", "1000000,1000007")["rows"]
    first, second = (row["systems"]["peach2"]["seconds"] for row in rows)
    assert second > first


# --- how large systems are ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("allreduce", "--system", "/tmp"), "/tmp: is a folder, not a file"),
        (("gather", "--system", "gaming", "--ranks", "5"), "system 'gaming' has 4 nodes: 5 ranks"),
        (
            ("bfs", "kron:6", "--system", "peach3", "--ranks", "2,17"),
            "system 'peach3' has 2 nodes and may be extended to 16: 17 ranks are too many",
        ),
        (
            ("cg", "nofile.mtx", "--system", "m60", "--ranks", "16"),
            "system 'm60' has 8 nodes: 16 ranks are too many",
        ),
        (
            ("gather", "--against", "gaming", "--ranks", "8"),
            "system 'gaming' has 4 nodes: 8 ranks are too many",
        ),
    ],
)
def test_more_ranks_than_a_system_has(cli: Any, arguments: tuple[str, ...], message: str) -> None:
    assert message in cli.fails(2, "simulate", *arguments)


def test_beyond_the_hardware_is_said(cli: Any) -> None:
    arguments = ("simulate", "gather", "--bytes", "8", "--against", "h200", "--ranks")
    note = "h200: 8 ranks are beyond the hardware described, which has 4 nodes"
    assert note in cli(*arguments, "8").stdout
    assert [text.startswith(note) for text in cli.json(*arguments, "8")["notes"]] == [True]
    assert cli.json(*arguments, "4")["notes"] == []
    program = cli.json("simulate", "bfs", "kron:6", "--system", "peach3", "--ranks", "2,4")
    assert program["notes"][0].startswith("peach3: 4 ranks are beyond the hardware")
    run = cli("bfs", "kron:6", "--machine", "sim:peach2,ranks=17").stdout
    assert "peach2: 17 ranks are beyond the hardware described, which has 16 nodes" in run
    run = cli("cg", "poisson:8x8", "--machine", "sim:peach2,ranks=17").stdout
    assert "peach2: 17 ranks are beyond the hardware" in run


def test_machines_and_predictions_end_where_the_system_does() -> None:
    machine = gs.Machine("sim:h200,ranks=8")
    assert machine.beyond.startswith("h200: 8 ranks are beyond")
    assert gs.Machine("sim:h200").size == 4 and gs.Machine("sim:h200").beyond == ""
    assert gs.Machine("cpu:2x1").beyond == ""
    with pytest.raises(gs.UsageError, match="has 4 nodes and may be extended to 8: 9 ranks"):
        gs.Machine("sim:h200,ranks=9")
    with pytest.raises(gs.UsageError, match="system 'gaming' has 4 nodes: 5 ranks are too many"):
        simulation.Collective("gather", simulation.System("gaming"), 5).predict(8)


def test_ranks_default_to_what_the_systems_have(cli: Any) -> None:
    def collective(*arguments: str) -> int:
        found = cli.json("simulate", "gather", "--bytes", "8", *arguments)
        return int(found["ranks"])

    assert collective() == 16
    assert collective("--system", "m60") == 8
    assert collective("--against", "peach3") == 2
    rows = cli.json("simulate", "cg", "band:300:4001", "--system", "gaming")["rows"]
    assert [row["ranks"] for row in rows] == [1, 2, 4]


@pytest.mark.parametrize("name", ["peach2", "grappa"])
def test_a_thousand_ranks_on_a_described_topology(name: str) -> None:
    system = simulation.System(name)

    def seconds(ranks: int) -> float:
        return simulation.Collective(
            "allreduce", system, ranks, "host", algorithm="dissemination"
        ).predict(8).seconds  # fmt: skip

    # Ten steps instead of four, and at least as long ones.
    assert seconds(1024) / 10 > 0.999 * seconds(16) / 4
    assert ("1024 ranks are beyond" in system.beyond(1024)) == (name == "peach2")


def test_a_root_is_for_operations_that_have_one() -> None:
    system = simulation.System("peach2")
    for operation in ("allreduce", "barrier", "all_to_all"):
        with pytest.raises(gs.UsageError, match=f"^{operation}: a root is for broadcast, gather, "):
            simulation.Collective(operation, system, 4, root=1)
        assert simulation.Collective(operation, system, 4, "host").predict(0).seconds > 0
    # Far from rank 0 it is the same operation: the root takes part.
    assert simulation.Collective("broadcast", system, 4, root=3).predict(8).seconds > 0


def test_lists_are_compared_in_ascending_order(cli: Any) -> None:
    """Whichever way they are given: "adding ranks hurts" is said of neighbours."""
    given = ("simulate", "cg", "poisson:60x60", "--iterations", "5", "--ranks")
    up, down = (cli.json(*given, ranks) for ranks in ("2,4,8", "8,4,2,4"))
    assert up["systems"] == down["systems"]
    rows = cli.json("simulate", "allgather", "--ranks", "4", "--bytes", "1M,8,8")["rows"]
    assert [row["bytes"] for row in rows] == [8, 1 << 20]

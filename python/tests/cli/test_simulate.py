"""Predictions on modelled systems: what the paper's figures say holds of them, and the command."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest
from gossamer import _gossamer


def _replay(operation: str, algorithm: str, ranks: int, count: int, system: str, buffers: str,
            mapping: list[int] | None = None) -> Any:  # fmt: skip
    schedule = _gossamer.Schedule(
        operation, algorithm, ranks, count, 8, 0, False, True, 0, mapping or []
    )
    return _gossamer.replay(schedule, system, [], buffers)


@pytest.mark.parametrize(("ranks", "published"), [(2, 1.5), (4, 2.6), (8, 5.0), (16, 6.4)])
def test_scalar_allreduce_on_peach2_is_within_a_fifth(ranks: int, published: float) -> None:
    # Paper E, Table 6, TCA: 8 bytes, dissemination, CPU to CPU. The 2-node value is calibration.
    found = _replay("allreduce", "dissemination", ranks, 1, "peach2", "host")
    assert abs(1e6 * found["seconds"] / published - 1) <= 0.2


def test_parts_add_up_to_the_whole() -> None:
    found = _replay("allgather", "recursive_doubling", 16, 8192, "peach2", "device")
    assert sum(found["parts"].values()) == pytest.approx(found["seconds"], rel=1e-9)
    assert found["parts"][found["largest"]] == max(found["parts"].values())


def test_searched_mapping_avoids_the_conflicts_of_the_identity() -> None:
    def allgather(mapping: list[int]) -> Any:
        return _gossamer.Schedule(
            "allgather", "recursive_doubling", 16, 8192, 8, 0, False, True, 0, mapping
        )

    mapping = _gossamer.search_mapping(allgather([]), "peach2")
    assert sorted(mapping) == list(range(16))
    before = _gossamer.conflicts(allgather([]), "peach2")
    after = _gossamer.conflicts(allgather(mapping), "peach2")
    assert sum(after) < sum(before)
    slow = _gossamer.replay(allgather([]), "peach2", [], "device")["seconds"]
    assert _gossamer.replay(allgather(mapping), "peach2", [], "device")["seconds"] < slow


# --- the command line -------------------------------------------------------------------------


def test_command_compares_two_systems(cli: Any, tmp_path: Path) -> None:
    out = cli.json("simulate", "allgather", "--system", "peach2", "--against", "hapacs-ib",
                   "--ranks", "16", "--bytes", "8..4M", "--algorithm", "recursive_doubling",
                   "--plot", "x.png")  # fmt: skip
    rows = out["rows"]
    assert [row["bytes"] for row in rows] == [8 << i for i in range(20)]
    assert rows[0]["fastest"] == "peach2"  # direct communication wins while messages are small
    for row in rows:
        times = {name: one["seconds"] for name, one in row["systems"].items()}
        assert row["fastest"] == min(times, key=lambda name: times[name])
    for name in ("peach2", "hapacs-ib"):
        series = [row["systems"][name]["seconds"] for row in rows]
        assert series[-1] > 100 * series[0]
    assert (tmp_path / "x.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


def test_searched_mapping_is_printed_with_its_conflicts(cli: Any) -> None:
    arguments = ("simulate", "allgather", "--system", "peach2", "--ranks", "16", "--bytes", "64k",
                 "--algorithm", "recursive_doubling", "--mapping", "searched")  # fmt: skip
    met = next(iter(cli.json(*arguments)["conflicts"].values()))
    assert sorted(met["mapping"]) == list(range(16))
    assert sum(met["mapped"]) < sum(met["in_order"])
    line = next(x for x in cli(*arguments).stdout.splitlines() if "conflicts by step" in x)
    assert " ".join(map(str, met["in_order"])) in line
    assert cli.json(*arguments[:-1], "identity")["conflicts"] == {}


def test_plot_of_an_unknown_kind_is_refused_first(cli: Any) -> None:
    line = cli.fails(2, "simulate", "allgather", "--plot", "x.xyz")
    assert line.startswith("--plot x.xyz: not one of .") and ".png" in line


def test_plot_without_matplotlib_names_the_extra(
    cli: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    line = cli.fails(2, "simulate", "allgather", "--plot", "x.png")
    assert line == "--plot needs matplotlib: pip install 'gossamer[plot]'"
    assert not (tmp_path / "x.png").exists()


def test_command_picks_the_fastest_algorithm(cli: Any) -> None:
    picked = cli.json("simulate", "broadcast", "--ranks", "8", "--bytes", "64K",
                      "--algorithm", "fastest")["rows"][0]  # fmt: skip
    one = picked["systems"]["peach2"]
    for known in _gossamer.collective_algorithms():
        if known["operation"] == "broadcast":
            other = cli.json("simulate", "broadcast", "--ranks", "8", "--bytes", "64K",
                             "--algorithm", known["name"])["rows"][0]  # fmt: skip
            assert other["systems"]["peach2"]["seconds"] >= one["seconds"]


def test_command_changes_a_system_and_lists_them(cli: Any) -> None:
    arguments = ("simulate", "gather", "--ranks", "4", "--bytes", "8")
    before = cli.json(*arguments)["rows"][0]["systems"]["peach2"]["seconds"]
    after = cli.json(*arguments, "--change", "network.latency=1e-3")["rows"][0]["systems"]["peach2"]
    assert after["seconds"] > before + 0.9e-3
    said = cli(*arguments, "--change", "network.latency=1e-3").stdout
    assert said.startswith("peach2: network.latency=1e-3\n")
    names = [entry["name"] for entry in cli.json("simulate", "--systems")["systems"]]
    assert {"peach2", "peach3", "hapacs-ib", "expether", "gaming", "h200"} <= set(names)


def test_command_changes_the_system_that_is_named(cli: Any) -> None:
    arguments = ("simulate", "gather", "--ranks", "2", "--bytes", "8", "--against", "peach3")

    def seconds(*change: str) -> tuple[float, float]:
        options = [word for text in change for word in ("--change", text)]
        systems = cli.json(*arguments, *options)["rows"][0]["systems"]
        return systems["peach2"]["seconds"], systems["peach3"]["seconds"]

    old, new = seconds()
    slow = "network.latency=1e-3"
    # Without a name --system alone, as without --against.
    for change in (slow, f"peach2:{slow}"):
        changed, same = seconds(change)
        assert changed > old + 0.9e-3 and same == new
    same, changed = seconds(f"peach3:{slow}")
    assert same == old and changed > new + 0.9e-3
    assert all(after > 0.9e-3 for after in seconds(slow, f"peach3:{slow}"))
    out = cli.json(*arguments, "--change", f"peach3:{slow}")
    assert out["notes"] == ["peach2: as described, without changes", f"peach3: {slow}"]
    line = cli.fails(2, *arguments, "--change", f"expether:{slow}")
    assert line == (
        f"--change expether:{slow}: 'expether' is not simulated: there is peach2 and peach3"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "which operation?"),
        (("cast",), "'cast' is none of broadcast"),
        (("gather", "--system", "peach9"), "peach9"),
        (("gather", "--algorithm", "magic"), "magic"),
        (("gather", "--bytes", "8..4"), "--bytes: '8..4' is not a range such as 8..16M"),
        (("gather", "--buffers", "disk"), "buffers: 'disk' is neither device nor host"),
        (("gather", "--mapping", "x"), "--mapping: 'x' is none of own, identity and searched"),
        (("gather", "--against", "peach2"), "--against: 'peach2' is the same system"),
        (("gather", "--change", "no.such=1"), "no.such"),
    ],
)
def test_command_errors(cli: Any, arguments: tuple[str, ...], message: str) -> None:
    assert message in cli.fails(2, "simulate", *arguments)

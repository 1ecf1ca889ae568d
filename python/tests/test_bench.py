"""gs.bench: what is measured adds up, and what makes no sense is refused."""

from __future__ import annotations

import mmap
from pathlib import Path
from typing import Any

import gossamer as gs
import pytest

SMALL = {"nodes": 1 << 12, "references": 1 << 12, "repeat": 3}


@pytest.mark.parametrize("machine", ["cpu:1x1", "cpu:3x1"])
@pytest.mark.parametrize("way", ["loop", "tasks"])
def test_rates(machine: str, way: str) -> None:
    result = gs.bench.pointer_chase(7, way=way, machine=machine, **SMALL)
    assert (result.way, result.in_flight) == (way, 7)
    assert result.ranks == gs.Machine(machine).size
    assert len(result.rates) == 3 and min(result.rates) > 0
    assert min(result.rates) <= result.rate <= max(result.rates)
    assert result.nanoseconds == pytest.approx(1e9 * 7 * result.ranks / result.rate)
    assert result.bytes == 64 << 12 and 0 <= result.huge_bytes <= result.bytes
    assert result.page_bytes == (2 << 20 if result.huge_bytes else mmap.PAGESIZE)
    assert result.memory_node is None


def test_a_modelled_node() -> None:
    def chase(machine: str, **how: Any) -> gs.bench.PointerChase:
        return gs.bench.pointer_chase(8, machine=machine, nodes=2, repeat=1, **how)

    near = chase("sim:grappa,ranks=6", references=4000)
    assert near.rate == chase("sim:grappa,ranks=6", references=4000).rate
    assert 0.9 * 275e6 < near.rate < 1.15 * 275e6
    far = chase("sim:grappa,ranks=6", references=4000, memory_node=1)
    assert far.rate < 176e6
    with pytest.raises(gs.UsageError, match="a node of grappa has 12 cores, not 13"):
        chase("sim:grappa,ranks=13")
    assert (near.memory_node, far.memory_node) == (None, 1)
    with pytest.raises(gs.UsageError, match="memory_node 2 of 2 chips"):
        chase("sim:grappa,ranks=6", memory_node=2)


def test_a_memory_node_of_the_host() -> None:
    nodes = gs.bench.NodeList(1 << 12, memory_node=0)
    assert nodes.memory_node == 0 and gs.bench.NodeList(2).memory_node is None
    for along in (nodes, 1 << 12):
        found = gs.bench.pointer_chase(7, **SMALL | {"nodes": along}, memory_node=0)
        assert found.rate > 0 and found.memory_node == 0
    assert gs.bench.pointer_chase(7, **SMALL | {"nodes": nodes}).memory_node == 0
    with pytest.raises(gs.UsageError, match="the list was not made on memory_node 0"):
        gs.bench.pointer_chase(7, nodes=gs.bench.NodeList(100), memory_node=0)
    with pytest.raises(gs.UsageError, match=r"^memory_node 4000: this host has nodes? 0"):
        gs.bench.pointer_chase(7, nodes=100, memory_node=4000)
    with pytest.raises(gs.UsageError, match=r"^memory_node -1: this host has nodes? 0"):
        gs.bench.NodeList(100, memory_node=-1)
    with pytest.raises(gs.UsageError, match="memory_node: expected an integer, got True"):
        gs.bench.NodeList(100, memory_node=True)


def test_plots(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    chases = [
        gs.bench.pointer_chase(n, way=way, machine=machine, **SMALL)
        for way in ("loop", "tasks")
        for machine in ("cpu:1x1", "cpu:2x1")
        for n in (2, 8)
    ]
    gs.bench.plot(chases, tmp_path / "chases.svg")
    text = (tmp_path / "chases.svg").read_text()
    for label in ("loop, 1 rank", "tasks, 2 ranks"):
        assert f"<!-- {label} -->" in text
    gs.bench.plot([gs.bench.global_chase(5, references=500, nodes=1 << 8)], tmp_path / "one.png")
    assert (tmp_path / "one.png").read_bytes()[1:4] == b"PNG"
    with pytest.raises(gs.UsageError, match="nothing to draw"):
        gs.bench.plot([], tmp_path / "none.png")
    assert not (tmp_path / "none.png").exists()


def test_a_delay_bounds_the_rate() -> None:
    # Little: 20 under way, each for a millisecond.
    result = gs.bench.pointer_chase(20, delay=1e-3, nodes=1 << 12, references=400, repeat=1)
    assert 2_000 < result.rate <= 20_000


def test_working_sets() -> None:
    assert gs.bench.pointer_chase(5, working_set=512, updates=4, **SMALL).rate > 0


def test_a_list_is_made_once() -> None:
    nodes = gs.bench.NodeList(1 << 12, seed=3, huge_pages=False)
    for way in ("loop", "tasks"):
        assert gs.bench.pointer_chase(3, way=way, nodes=nodes, references=100, repeat=1).rate > 0
    assert nodes.nodes == 1 << 12 and nodes.bytes == 64 << 12


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"way": "steps"}, "way: 'steps' is none of loop, tasks, fibers"),
        ({"in_flight": 0}, "in_flight and references must be positive"),
        ({"nodes": 1}, "a list of two nodes at least"),
        ({"repeat": 0}, "repeat: one run at least"),
        ({"delay": 2.0}, "delay: not between 0 and 1 second"),
        ({"updates": 2}, "updates of no working set"),
        ({"machine": "sim:peach2,ranks=2"}, "peach2 does not say what its nodes.* chips are"),
    ],
)
def test_what_makes_no_sense_is_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(gs.UsageError, match=said):
        gs.bench.pointer_chase(**(SMALL | {"in_flight": 4} | options))


@pytest.mark.parametrize(
    ("machine", "manager"),
    [("cpu:2x1", "polled"), ("cpu:3x1", "thread"), ("sim:grappa,ranks=4", "hardware")],
)
def test_references_to_other_ranks(machine: str, manager: str) -> None:
    result = gs.bench.global_chase(
        20, machine=machine, manager=manager, references=2000, nodes=500, repeat=2
    )
    assert (result.manager, result.in_flight) == (manager, 20)
    assert result.ranks == gs.Machine(machine).size
    assert len(result.rates) == 2 and min(result.rates) > 0
    assert result.nanoseconds == pytest.approx(1e9 * 20 / result.rate)
    # A request and a reply for each reference, the last ones that look where it arrived apart.
    assert result.parcels * result.messages_a_parcel == pytest.approx(2 * 2000 * result.ranks)


def test_a_modelled_network_bounds_the_rate() -> None:
    # Paper D: 3 us for a round trip.
    slow = gs.bench.global_chase(10, machine="sim:grappa,ranks=2", references=5000)
    assert 0.8 * 10 / 3e-6 < slow.rate < 10 / 3e-6


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"machine": "cpu:1x1"}, "two ranks at least"),
        ({"in_flight": 0}, "must be positive"),
        ({"repeat": 0}, "repeat: one run at least"),
        ({"manager": "fpga"}, "manager: 'fpga' is none of polled, thread, hardware"),
        ({"manager": "hardware"}, "a hardware unit is modelled"),
    ],
)
def test_global_chases_that_make_no_sense_are_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(gs.UsageError, match=said):
        gs.bench.global_chase(**({"references": 100, "nodes": 50} | options))

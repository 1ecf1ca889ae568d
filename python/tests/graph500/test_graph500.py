"""The Graph500 benchmark from Python: its statistics, counts, steps, and what it refuses."""

from __future__ import annotations

import ctypes
import importlib
import math
from typing import Any

import gossamer as gs
import numpy as np
import pytest
from gossamer import _gossamer

ways = importlib.import_module("gossamer.graph500")


# --- statistics ---------------------------------------------------------------------------------


def test_spread_of_values_worked_out_by_hand() -> None:
    four = gs.Spread.of([4.0, 1.0, 3.0, 2.0])
    assert (four.minimum, four.first_quartile, four.median) == (1, 1.5, 2.5)
    assert (four.third_quartile, four.maximum, four.mean) == (3.5, 4, 2.5)
    assert four.stddev == pytest.approx(math.sqrt(5 / 3))
    five = gs.Spread.of([5, 3, 1, 2, 4])
    assert (five.first_quartile, five.median, five.third_quartile) == (2, 3, 4)
    one = gs.Spread.of([7.0])
    assert vars(one) == {**dict.fromkeys(vars(one), 7.0), "stddev": 0.0}
    with pytest.raises(gs.UsageError, match="no values"):
        gs.Spread.of([])


@pytest.mark.parametrize("count", [2, 3, 6, 7, 63, 64])
def test_spread_is_what_numpy_finds(count: int) -> None:
    values = np.random.default_rng(count).lognormal(size=count)
    spread = gs.Spread.of(values.tolist())
    quarters = np.quantile(values, [0, 0.25, 0.5, 0.75, 1], method="averaged_inverted_cdf")
    assert list(vars(spread).values())[:5] == pytest.approx(quarters)
    assert spread.mean == pytest.approx(values.mean())
    assert spread.stddev == pytest.approx(values.std(ddof=1))


def test_harmonic_statistics_of_rates() -> None:
    # Rates 1 and 3: the harmonic mean is 2 / (1 + 1/3); reciprocals deviate by 1/3 from theirs.
    two = gs.RateSpread.of([1, 6], [1.0, 2.0])
    assert (two.minimum, two.maximum) == pytest.approx((1, 3))
    assert two.harmonic_mean == pytest.approx(1.5)
    assert two.median == pytest.approx(1.5)
    assert two.harmonic_stddev == pytest.approx(3 * math.sqrt(2) / 4)
    # The specification's own words: sqrt(sum((1/rate − 1/h)²)) / (N − 1) · h².
    random = np.random.default_rng(5)
    work, seconds = random.integers(1, 99, 64), random.lognormal(size=64)
    rates = work / seconds
    spread = gs.RateSpread.of(work.tolist(), seconds.tolist())
    h = 64 / np.sum(1 / rates)
    assert spread.harmonic_mean == pytest.approx(h)
    assert spread.harmonic_stddev == pytest.approx(
        np.sqrt(np.sum((1 / rates - 1 / h) ** 2)) / 63 * h**2
    )
    assert spread.first_quartile <= spread.median <= spread.third_quartile
    assert gs.RateSpread.of([3], [2.0]).harmonic_stddev == 0
    for work_and_time in (([1, 0], [1.0, 1.0]), ([1, 1], [1.0, 0.0])):
        with pytest.raises(gs.UsageError, match="must be positive"):
            gs.RateSpread.of(*work_and_time)


# --- runs ---------------------------------------------------------------------------------------


def entries_of_component(scale: int, edge_factor: int, seed: int, root: int) -> int:
    """Entries of the edge list in a root's component, from the graph that keeps them all."""
    kept = gs.kronecker(scale, edge_factor, seed, keep_duplicates=True)
    reached = gs.bfs(kept, root, "cpu:1x1").depths >= 0
    sources = np.repeat(np.arange(kept.vertices), kept.degrees)
    loops = kept.indices == sources
    # A loop is stored once, every other entry at both of its ends.
    inside = reached[sources]
    return int(np.sum(inside & loops)) + int(np.sum(inside & ~loops)) // 2


def test_a_run_measures_every_root() -> None:
    seen: list[tuple[int, int]] = []
    result = gs.graph500(
        8, edge_factor=5, machine="cpu:2x1", seed=3, progress=lambda *done: seen.append(done)
    )
    assert (result.scale, result.edge_factor, result.seed) == (8, 5, 3)
    assert (result.machine, result.ranks) == ("cpu:2x1", 2)
    graph = gs.kronecker(8, 5, 3)
    assert [s.root for s in result.searches] == gs.draw_sources(graph, 64, seed=3)
    assert seen == [(i, 64) for i in range(1, 65)]
    assert result.failure is None and result.generation_seconds > 0
    assert set(result.construction) == {"build", "place", "prepare"}
    assert result.construction_seconds == pytest.approx(sum(result.construction.values()))
    for search in result.searches:
        assert search.seconds > 0 and search.validation_seconds > 0
        assert search.teps == search.nedge / search.seconds
        assert search.edges == gs.bfs(graph, search.root, "cpu:1x1").edges
    assert result.time == gs.Spread.of([s.seconds for s in result.searches])


@pytest.mark.parametrize(
    ("scale", "edge_factor", "seed"), [(6, 2, 2), (7, 1, 3), (8, 1, 5), (8, 16, 2)]
)
def test_edges_are_counted_as_entries_of_the_list(scale: int, edge_factor: int, seed: int) -> None:
    result = gs.graph500(scale, edge_factor=edge_factor, machine="cpu:1x1", seed=seed)
    counts = {s.root: s.nedge for s in result.searches}
    for root, count in counts.items():
        assert count == entries_of_component(scale, edge_factor, seed, root)
    if edge_factor == 1:
        assert len(set(counts.values())) > 1  # several components
    assert any(s.nedge > s.edges for s in result.searches)  # repeated ones and loops


def test_the_graph_is_the_generators_own() -> None:
    run = gs.Graph500(9, machine="cpu:1x1", seed=11)
    run.generate()
    graph, other = run.construct().graph, gs.kronecker(9, 16, 11)
    assert np.array_equal(graph.indptr, other.indptr)
    assert np.array_equal(graph.indices, other.indices)
    assert graph.steps == other.steps


def test_fewer_roots_where_fewer_vertices_have_an_edge() -> None:
    result = gs.graph500(3, edge_factor=1, machine="cpu:1x1")
    assert len(result.searches) == int(np.count_nonzero(gs.kronecker(3, 1).degrees)) < 64
    assert "NBFS:" in result.text()


def test_steps_come_in_order() -> None:
    run = gs.Graph500(4, machine="cpu:1x1")
    with pytest.raises(gs.UsageError, match=r"generate\(\) comes first"):
        run.construct()
    run.generate()
    with pytest.raises(gs.UsageError, match=r"construct\(\) comes first"):
        run.search(0)
    with pytest.raises(gs.UsageError, match="no values"):
        _ = run.result.time


# --- refusals -----------------------------------------------------------------------------------


def test_arguments_are_checked() -> None:
    for bad, said in (
        ({"scale": 0}, "graph500: scale must be 1 to 40, not 0"),
        ({"scale": 41}, "graph500: scale must be 1 to 40, not 41"),
        ({"scale": 4.0}, "graph500: scale: expected an integer, got 4.0"),
        ({"scale": 4, "edge_factor": 0}, "graph500: edge_factor must be 1 to 65536, not 0"),
        ({"scale": 4, "roots": 0}, "graph500: roots must be 1 to 64, not 0"),
        ({"scale": 4, "seed": -1}, "graph500: the seed is not in"),
        ({"scale": 4, "machine": "cpu:0"}, "cpu:0"),
    ):
        with pytest.raises(gs.UsageError, match=said):
            gs.graph500(**bad)  # type: ignore[arg-type]


def test_a_graph_without_edges_is_refused() -> None:
    # One entry for each of two vertices: some seed has nothing but self-loops.
    seed = next(s for s in range(99) if gs.kronecker(1, 1, s).arcs == 0)
    with pytest.raises(gs.UsageError, match="no vertex has an edge to search from"):
        gs.graph500(1, edge_factor=1, machine="cpu:1x1", seed=seed)


def test_what_cannot_fit_is_refused_before_it_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*arguments: Any) -> Any:
        raise AssertionError("made although it cannot fit")

    monkeypatch.setattr(_gossamer, "generate_list", never)
    with pytest.raises(gs.CapacityError, match=r"graph500 at scale 20 does not fit the host: .*64"):
        gs.graph500(20, machine="cpu:2x1", memory=64 << 20)
    with pytest.raises(gs.CapacityError, match="at scale 40 does not fit the host"):
        gs.graph500(40, machine="cpu:1x1")
    with pytest.raises(AssertionError, match="made although"):
        gs.graph500(10, machine="cpu:2x1", memory=1 << 30)


def test_the_plan_bounds_the_run_and_is_its_limit() -> None:
    run = gs.Graph500(12, machine="cpu:2x1")
    plan = run.plan()
    assert {e.rank for e in plan.entries} == {-1, 0, 1}
    purposes = {e.purpose: e.bytes for e in plan.entries if e.rank < 0}
    assert purposes["edges by first end"] == 8 << 12
    assert purposes["graph"] >= gs.kronecker(12).indices.nbytes + gs.kronecker(12).indptr.nbytes
    gs.Graph500(12, machine="cpu:2x1", memory=plan.total).check()
    with pytest.raises(gs.CapacityError):
        gs.Graph500(12, machine="cpu:2x1", memory=plan.total - 1).check()


def test_a_wrong_tree_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    fetched = []

    def broken(result: gs.BfsResult) -> Any:
        fetched.append(result.source)
        parents = result.parents.copy()
        if len(fetched) == 3:
            # No vertex's parent is at its own depth.
            deepest = int(np.argmax(result.depths))
            parents[deepest] = deepest
        return parents, result.depths

    monkeypatch.setattr(ways, "_tree", broken)
    with pytest.raises(gs.VerificationError, match="does not span one level"):
        gs.graph500(7, machine="cpu:1x1")
    assert len(fetched) == 3

    fetched.clear()
    run = gs.Graph500(7, machine="cpu:1x1")
    run.generate()
    run.construct()
    failures = [run.search(root).failure for root in run.roots[:3]]
    assert failures[:2] == [None, None] and failures[2] is not None
    assert run.result.failure is failures[2]
    with pytest.raises(gs.UsageError, match="no result, since a validation failed"):
        run.result.text()


# --- in parts -----------------------------------------------------------------------------------


@pytest.mark.parametrize("where", ["cpu:1x1", "cpu:2x1", "cpu:3x2"])
def test_parts_measure_the_same_searches(where: str) -> None:
    how: dict[str, Any] = {"edge_factor": 2, "machine": where, "seed": 4}
    parts, whole = gs.graph500(11, parts=True, **how), gs.graph500(11, **how)
    assert set(parts.construction) == {"generate", "prepare"} and parts.generation_seconds == 0
    assert parts.failure is None
    counts = [[(s.root, s.nedge, s.edges) for s in result.searches] for result in (parts, whole)]
    assert counts[0] == counts[1]
    assert all(s.seconds > 0 and s.validation_seconds > 0 for s in parts.searches)


def test_a_machine_generates_in_parts() -> None:
    machine = gs.Machine("cpu:2x1")
    seen: list[tuple[int, int]] = []
    placed = machine.generate("kron:11:4", progress=lambda *done: seen.append(done))
    graph = gs.generate("kron:11:4")
    assert not placed.whole and placed.name == "kron:11:4"
    assert (placed.vertices, placed.arcs) == (graph.vertices, graph.arcs)
    assert placed.symmetric and placed.steps == graph.steps
    assert placed.part_of.tolist() == [0] * 1024 + [1] * 1024
    assert gs.draw_sources(placed, 9, seed=2) == gs.draw_sources(graph, 9, seed=2)
    with pytest.raises(gs.UsageError, match="lies in parts on its ranks"):
        _ = placed.graph
    root = gs.draw_sources(placed, 1)[0]
    result = gs.bfs(placed, root)
    result.verify()
    gs.verify_bfs(graph, root, result.parents, result.depths)
    assert result.edges == gs.bfs(graph, root, machine).edges
    assert result.gather("cpu", "depths").shape == (2048,)
    plan = machine.plan_generate("kron:11:4")
    assert {e.purpose for e in plan.entries} == {
        "offsets", "ends of entries", "columns", "arcs on their way"
    }  # fmt: skip
    assert [e.purpose for e in placed.plan.entries] == [e.purpose for e in plan.entries]
    with pytest.raises(gs.UsageError, match="fewer than 512 vertices for each of 2 ranks"):
        machine.generate("kron:9")
    with pytest.raises(gs.CapacityError, match="columns"):
        machine.generate("kron:30", memory="1G")


def test_parts_need_less_memory_and_are_refused_all_the_same() -> None:
    machine = gs.Machine("cpu:2x1")
    parts, whole = (gs.Graph500(24, machine=machine, parts=p).plan() for p in (True, False))
    assert parts.total < whole.total / 2
    with pytest.raises(gs.CapacityError, match=r"at scale 24 does not fit the host: .*columns"):
        gs.graph500(24, machine=machine, parts=True, memory="1G")
    with pytest.raises(gs.UsageError, match="graphs made in parts are not renumbered"):
        gs.graph500(12, machine=machine, parts=True, renumber="degree")


def test_a_wrong_tree_in_parts_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(result: gs.BfsResult) -> gs.BfsResult:
        # The memory of the first rank's part: no vertex but the source is its own parent.
        part = result.parts[0]
        depths = np.from_dlpack(part.depths)  # type: ignore[arg-type]
        wrong = int(np.argmax(depths))
        ctypes.c_int32.from_address(part.parents._address + 4 * wrong).value = wrong
        return result

    monkeypatch.setattr(ways, "_result", broken)
    with pytest.raises(gs.VerificationError, match=r"bfs from \d+: vertex \d+ is not one below"):
        gs.graph500(11, machine="cpu:2x1", parts=True)

"""BFS against SciPy, over machines of many kinds; results, plans and what is refused."""

from __future__ import annotations

import gossamer as gs
import numpy as np
import pytest
from gossamer.algorithm.bfs import use_of_ranks
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse.csgraph import breadth_first_order

MACHINES = ["cpu:1x1", "cpu:1x2", "cpu:2x1", "cpu:3x1"]


def scipy_depths(graph: gs.Graph, source: int) -> np.ndarray:
    order, parents = breadth_first_order(graph.to_scipy(), source, directed=True)
    depths = np.full(graph.vertices, -1, np.int32)
    depths[source] = 0
    for v in order[1:]:
        depths[v] = depths[parents[v]] + 1
    return depths


@st.composite
def graphs(draw: st.DrawFn) -> gs.Graph:
    n = draw(st.integers(1, 200))
    m = draw(st.integers(1, 400))
    seed = draw(st.integers(0, 1 << 30))
    u, v = np.random.default_rng(seed).integers(0, n, (2, m))
    return gs.from_edges(u, v, n=n, symmetrize=draw(st.booleans()))


@pytest.mark.parametrize("spec", MACHINES)
@pytest.mark.parametrize("direction", ["auto", "top-down", "bottom-up"])
def test_depths_are_scipys(spec: str, direction: str) -> None:
    machine = gs.Machine(spec)

    @given(graphs(), st.data())
    @settings(deadline=None, max_examples=25)
    def check(graph: gs.Graph, data: st.DataObject) -> None:
        source = data.draw(st.integers(0, graph.vertices - 1))
        result = gs.bfs(graph, source, machine, direction=direction)
        expected = scipy_depths(graph, source)
        assert np.array_equal(result.depths, expected)
        assert result.reached == np.count_nonzero(expected >= 0)
        assert result.levels == expected.max() + 1
        result.verify()

    check()


@pytest.mark.parametrize("spec", MACHINES)
def test_depths_without_levels_are_scipys(spec: str) -> None:
    machine = gs.Machine(spec)

    @given(graphs(), st.data())
    @settings(deadline=None, max_examples=25)
    def check(graph: gs.Graph, data: st.DataObject) -> None:
        source = data.draw(st.integers(0, graph.vertices - 1))
        result = gs.bfs(graph, source, machine, engine="async")
        assert np.array_equal(result.depths, scipy_depths(graph, source))
        assert result.work is not None
        assert result.work.items - result.work.repeated == result.reached
        result.verify()

    check()
    assert gs.bfs(gs.kronecker(6), 0, machine).work is None


@pytest.mark.parametrize("spec", MACHINES)
def test_depths_by_tasks_are_scipys(spec: str) -> None:
    machine = gs.Machine(spec)

    @given(graphs(), st.data(), st.booleans())
    @settings(deadline=None, max_examples=25)
    def check(graph: gs.Graph, data: st.DataObject, deterministic: bool) -> None:
        source = data.draw(st.integers(0, graph.vertices - 1))
        result = gs.bfs(graph, source, machine, engine="tasks", deterministic=deterministic)
        assert np.array_equal(result.depths, scipy_depths(graph, source))
        assert result.work is None
        if deterministic:
            sync = gs.bfs(graph, source, machine, deterministic=True)
            assert np.array_equal(result.parents, sync.parents)
        result.verify()

    check()
    with pytest.raises(gs.UsageError, match="engine 'tasks' goes top-down only"):
        gs.bfs(gs.kronecker(6), 0, machine, engine="tasks", direction="bottom-up")


@pytest.mark.parametrize("partition", ["ranges", "edges", "hash"])
@pytest.mark.parametrize("renumber", ["none", "degree"])
def test_partitions_and_orders_change_no_depth(partition: str, renumber: str) -> None:
    graph = gs.kronecker(10, 8)
    placed = gs.Machine("cpu:3x1").place(graph, partition=partition, renumber=renumber)
    source = gs.draw_sources(graph, 1)[0]
    result = gs.bfs(placed, source)
    assert np.array_equal(result.depths, scipy_depths(graph, source))
    result.verify()


@pytest.mark.parametrize("partition", ["ranges", "edges", "hash"])
@pytest.mark.parametrize("renumber", ["none", "degree"])
def test_a_placement_knows_its_partition(partition: str, renumber: str) -> None:
    graph = gs.kronecker(9)
    placed = gs.Machine("cpu:3x1").place(graph, partition=partition, renumber=renumber)
    assert np.array_equal(placed.part_of, graph.partition(partition, 3))
    assert placed.partition_quality() == graph.partition_quality(placed.part_of, 3)


def test_parts_say_whose_vertices_they_hold() -> None:
    graph = gs.kronecker(9)
    placed = gs.Machine("cpu:3x1").place(graph, partition="hash")
    result = gs.bfs(placed, gs.draw_sources(graph, 1)[0])
    seen = np.full(graph.vertices, -7, np.int32)
    for part in result.parts:
        assert part.device == "cpu"
        depths = np.from_dlpack(part.depths)
        vertices = part.vertices
        assert len(depths) == len(vertices)
        assert (depths[vertices < 0] == -1).all()
        seen[vertices[vertices >= 0]] = depths[vertices >= 0]
    assert np.array_equal(seen, result.depths)


def test_part_arrays_are_views_and_outlive_the_result() -> None:
    graph = gs.grid(20, 20)
    result = gs.bfs(graph, 0, "cpu:1x1")
    part = result.parts[0].depths
    first, second = np.from_dlpack(part), part.numpy()
    assert first.__array_interface__["data"][0] == second.__array_interface__["data"][0]
    expected = result.depths.copy()
    del result, part
    gs.bfs(graph, 399, "cpu:1x1")
    assert np.array_equal(first[: graph.vertices], expected)


def test_host_arrays_have_no_cuda_interface_and_take_no_stream() -> None:
    array = gs.bfs(gs.grid(3, 3), 0).parts[0].depths
    assert not hasattr(array, "__cuda_array_interface__")
    assert array.__dlpack_device__() == (1, 0)
    with pytest.raises(gs.UsageError, match="no stream"):
        array.__dlpack__(stream=1)


def test_gather() -> None:
    result = gs.bfs(gs.grid(4, 4), 5)
    assert np.array_equal(result.gather(), result.parents)
    assert np.array_equal(result.gather("cpu", "depths"), result.depths)
    assert result.parents.dtype == np.int64 and result.depths.dtype == np.int32
    assert result.parents[5] == 5
    with pytest.raises(gs.UsageError, match="no such device"):
        result.gather("tpu")
    with pytest.raises(gs.UsageError, match="neither parents nor depths"):
        result.gather("cpu", "weights")


def test_many_sources_upload_once() -> None:
    graph = gs.kronecker(8)
    placed = gs.Machine("cpu:2x1").place(graph)
    search = gs.BfsSearch(placed)
    sources = gs.draw_sources(graph, 64, seed=3)
    assert len(set(sources)) == 64 and sources == gs.draw_sources(graph, 64, seed=3)
    results = [search.run(source) for source in sources]
    assert placed.uploads == 1
    for source, result in zip(sources, results, strict=True):  # earlier results stay valid
        assert result.source == source
        result.verify()


@pytest.mark.parametrize("spec", MACHINES)
def test_deterministic_parents_are_the_smallest(spec: str) -> None:
    graph = gs.kronecker(9, 4)
    source = gs.draw_sources(graph, 1)[0]
    result = gs.bfs(graph, source, spec, deterministic=True)
    depths = result.depths
    rows = np.repeat(np.arange(graph.vertices), graph.degrees)
    smallest = np.full(graph.vertices, graph.vertices)
    tree = (depths[rows] >= 0) & (depths[graph.indices] == depths[rows] + 1)
    np.minimum.at(smallest, graph.indices[tree], rows[tree])
    expected = np.where(depths > 0, smallest, -1)
    expected[source] = source
    assert np.array_equal(result.parents, expected)


def test_numbers_of_a_result(small: gs.Graph) -> None:
    result = gs.bfs(small, 0)
    assert (result.levels, result.reached, result.edges) == (3, 4, 4)
    assert result.depths.tolist() == [0, 1, 1, 2, -1, -1]
    assert result.parents.tolist() == [0, 0, 0, 2, -1, -1]
    assert [level.frontier for level in result.per_level] == [1, 2, 1]
    assert result.milliseconds > 0
    assert result.teps == pytest.approx(4 / (result.milliseconds / 1e3))
    assert set(result.phases) >= {"expand"}


def test_verifier_finds_what_is_wrong(small: gs.Graph) -> None:
    result = gs.bfs(small, 0)
    parents, depths = result.parents.copy(), result.depths.copy()
    gs.verify_bfs(small, 0, parents, depths)
    for index, parent, depth in [(3, 0, 1), (3, -1, -1), (1, 1, 1), (4, 5, 1), (3, 2, 3)]:
        p, d = parents.copy(), depths.copy()
        p[index], d[index] = parent, depth
        with pytest.raises(gs.VerificationError, match="bfs from 1: "):
            gs.verify_bfs(small, 0, p, d)


@pytest.mark.parametrize("source", [-1, 6, 1 << 40])
def test_no_such_source(small: gs.Graph, source: int) -> None:
    with pytest.raises(gs.UsageError, match=f"no vertex with index {source}"):
        gs.bfs(small, source)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        (
            {"direction": "sideways"},
            gs.UsageError,
            "unknown direction .sideways. .there are auto, top-down, bottom-up",
        ),
        ({"engine": "warp"}, gs.UsageError, "warp"),
        ({"partition": "magic"}, gs.UsageError, "magic"),
        ({"renumber": "magic"}, gs.UsageError, "magic"),
        ({"timeout": 0}, gs.UsageError, "timeout"),
        ({"machine": "cpu:0"}, gs.UsageError, "cpu:0"),
        ({"machine": "abacus"}, gs.UsageError, "abacus"),
        ({"machine": "cuda:99"}, gs.UsageError, "CUDA|cuda:99|GPU"),
        ({"memory": 1}, gs.CapacityError, "plan"),
        ({"partition": [0, 1]}, gs.UsageError, "partition"),
    ],
)
def test_refused(
    small: gs.Graph, options: dict[str, object], error: type[gs.Error], message: str
) -> None:
    with pytest.raises(error, match=message):
        gs.bfs(small, 0, **options)


def test_plans_say_what_is_taken() -> None:
    graph = gs.grid(100, 100)
    machine = gs.Machine("cpu:2x1")
    plan = machine.plan(graph)
    assert plan.total == sum(plan.of(rank) for rank in range(2)) > 0
    assert machine.place(graph).plan.total == plan.total
    assert gs.BfsSearch.plan(graph, machine).total > 0


@pytest.mark.parametrize("symmetrize", [True, False])
def test_columns_alone_are_one_copy_for_the_engine_that_reads_them(symmetrize: bool) -> None:
    u, v = np.random.default_rng(5).integers(0, 3000, (2, 60000))
    graph = gs.from_edges(u, v, n=3000, symmetrize=symmetrize)
    machine = gs.Machine("cpu:3x1")
    engine = "vector_queue"
    rows, columns = (
        gs.BfsSearch.plan(
            graph, machine, engine=engine, partition="hash", by_columns=by_columns
        ).total
        for by_columns in (False, True)
    )
    assert rows - columns > 4 * graph.arcs
    placed = machine.place(graph, partition="hash", by_columns=True)
    assert placed.plan.total < columns
    found = gs.BfsSearch(placed, engine=engine, deterministic=True).run(7)
    found.verify()
    there = gs.bfs(graph, 7, machine, deterministic=True)
    assert np.array_equal(found.parents, there.parents)
    assert np.array_equal(found.depths, there.depths)
    gs.bfs(graph, 7, machine, engine=engine).verify()
    with pytest.raises(gs.UsageError, match="is placed by columns, for engine vector_queue"):
        gs.BfsSearch(placed, engine="sync")


def test_placed_graphs_have_their_machine(small: gs.Graph) -> None:
    placed = gs.Machine("cpu:1x1").place(small)
    with pytest.raises(gs.UsageError, match="has its machine"):
        gs.bfs(placed, 0, "cpu:2x1")


def test_machine_facts() -> None:
    machine = gs.Machine("cpu:2x1")
    assert len(machine) == machine.size == len(machine.devices) == 2
    assert {d.kind for d in machine.devices} == {"cpu"}
    assert machine.link(0, 1).transport == "threads" and machine.all_direct
    assert machine.links[1][1].reach == "self"
    with pytest.raises(gs.UsageError, match="no such rank"):
        machine.link(0, 2)


def test_use_of_ranks() -> None:
    graph, machine = gs.kronecker(6), gs.Machine("cpu:2x1")
    # Only GPUs are ever left out.
    assert gs.bfs(graph, 0, machine).placed.machine is machine
    assert gs.bfs(graph, 0, machine, use="all").placed.machine is machine
    with pytest.raises(gs.UsageError, match="'some' is neither auto nor all"):
        gs.bfs(graph, 0, machine, use="some")
    # A partition is one for all ranks, and another engine is asked for by name.
    for engine in ("auto", "single_kernel", "async"):
        assert use_of_ranks("auto", "auto", engine) == "auto"
    assert use_of_ranks("auto", "hash", "auto") == use_of_ranks("auto", "auto", "tasks") == "all"
    assert use_of_ranks("auto", [0, 1], "auto") == "all"
    with pytest.raises(gs.UsageError, match="'some' is neither auto nor all"):
        gs.bfs(graph, 0, machine, use="some", partition="hash")

"""Graphs: views without copies, ways in and out, names, and what is refused."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gossamer as gs
import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp


def address(array: np.ndarray) -> int:
    return array.__array_interface__["data"][0]


def test_views_share_memory_and_keep_the_graph() -> None:
    graph = gs.grid(5, 4)
    assert address(graph.indptr) == address(graph._handle.indptr())
    assert address(graph.indices) == address(graph._handle.indices())
    indptr, indices = graph.indptr, graph.indices
    before = indptr.copy(), indices.copy()
    del graph
    gc.collect()
    gs.grid(5, 4)
    assert np.array_equal(indptr, before[0]) and np.array_equal(indices, before[1])


def test_views_are_read_only(small: gs.Graph) -> None:
    for array in (small.indptr, small.indices, small.weights):
        assert array is not None
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_facts_of_a_file(small: gs.Graph) -> None:
    assert (small.vertices, small.arcs, small.edges) == (6, 10, 5)
    assert small.symmetric and not small.directed and small.sorted
    assert small.weighted and small.weight_source == "file"
    assert small.name == "small.gr"
    assert small.indptr.tolist() == [0, 2, 4, 7, 8, 9, 10]
    assert small.indices.tolist() == [1, 2, 0, 2, 0, 1, 3, 2, 5, 4]
    assert small.weights is not None and small.weights.tolist() == [5, 2, 5, 7, 2, 7, 1, 1, 9, 9]
    assert small.degrees.tolist() == [2, 2, 3, 1, 1, 1]
    assert small.indptr.dtype == np.int64 and small.indices.dtype == np.int32


def test_a_graph_names_the_format_that_it_was_read_as(small: gs.Graph, tmp_path: Path) -> None:
    assert small.format == "dimacs"
    assert small.rebuild(deduplicate=True).format == "dimacs"
    assert small.largest_component().format == "dimacs"
    small.write(tmp_path / "x.mtx")
    (tmp_path / "x.mtx").rename(tmp_path / "misleading.gr")
    assert gs.read(tmp_path / "misleading.gr", symmetrize=True).format == "mtx"
    (tmp_path / "x.txt").write_text("0 1\n1 2\n")
    assert gs.read(tmp_path / "x.txt", format="edges").format == "edges"
    assert gs.grid(2, 2).format is None and gs.from_edges([0], [1]).format is None


def test_names_are_the_files(small: gs.Graph) -> None:
    assert small.names.tolist() == [1, 2, 3, 4, 5, 6]
    assert small.index_of(1) == 0 and small.name_of(5) == 6
    with pytest.raises(gs.UsageError, match=r"small.gr: no vertex 7 \(ids are 1 to 6\)"):
        small.index_of(7)
    with pytest.raises(gs.UsageError, match="no vertex with index 6"):
        small.name_of(6)


def test_sparse_names_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "sparse.txt"
    path.write_text("# comment\n100 7\n7 900\n")
    graph = gs.read(path)
    assert graph.vertices == 3
    assert sorted(graph.names.tolist()) == [7, 100, 900]
    assert [graph.name_of(graph.index_of(n)) for n in (7, 100, 900)] == [7, 100, 900]
    with pytest.raises(gs.UsageError, match=r"no vertex 8 .*3 ids from 7 to 900"):
        graph.index_of(8)


# --- from_edges -------------------------------------------------------------------------------


def edges(weighted: bool) -> st.SearchStrategy[tuple[np.ndarray, ...]]:
    def arrays(n: int) -> st.SearchStrategy[tuple[np.ndarray, ...]]:
        ids = hnp.arrays(st.sampled_from([np.int32, np.int64]), n, elements=st.integers(0, 30))
        if not weighted:
            return st.tuples(ids, ids)
        return st.tuples(ids, ids, hnp.arrays(np.int32, n, elements=st.integers(1, 99)))

    return st.integers(1, 60).flatmap(arrays)


@given(edges(weighted=True))
@settings(deadline=None, max_examples=100)
def test_from_edges_is_what_scipy_makes(case: tuple[np.ndarray, ...]) -> None:
    u, v, w = case
    graph = gs.from_edges(u, v, w, 31)
    graph.validate()
    assert graph.arcs == len(u)
    expected = sp.coo_array((w.astype(np.int64), (u, v)), shape=(31, 31)).toarray()
    got = np.zeros((31, 31), np.int64)
    rows = np.repeat(np.arange(31), graph.degrees)
    np.add.at(got, (rows, graph.indices), graph.weights)
    assert np.array_equal(got, expected)


@given(edges(weighted=False))
@settings(deadline=None, max_examples=100)
def test_steps_make_a_simple_undirected_graph(case: tuple[np.ndarray, ...]) -> None:
    u, v = case
    graph = gs.from_edges(u, v, n=31, symmetrize=True, deduplicate=True, remove_self_loops=True)
    graph.validate()
    expected = np.zeros((31, 31), bool)
    expected[u, v] = expected[v, u] = True
    np.fill_diagonal(expected, False)
    got = np.zeros((31, 31), bool)
    got[np.repeat(np.arange(31), graph.degrees), graph.indices] = True
    assert np.array_equal(got, expected) and graph.arcs == expected.sum()
    assert graph.symmetric and len(graph.steps) > 0
    later = gs.from_edges(u, v, n=31).rebuild(
        symmetrize=True, deduplicate=True, remove_self_loops=True
    )
    assert np.array_equal(later.indices, graph.indices)


def test_from_edges_takes_lists_and_strided_arrays() -> None:
    graph = gs.from_edges([0, 1, 2], np.arange(6, dtype=np.uint8)[::2] // 2)
    assert graph.arcs == 3 and graph.vertices == 3
    assert graph.weights is None and graph.weight_source == "none"


def test_from_edges_takes_pairs() -> None:
    pairs = [(0, 1), (1, 2), (3, 1)]
    wanted = gs.from_edges([0, 1, 3], [1, 2, 1], [5, 6, 7])
    for ends in (pairs, iter(pairs), np.array(pairs), np.array(pairs, np.int32)):
        graph = gs.from_edges(ends, w=[5, 6, 7])
        assert np.array_equal(graph.indices, wanted.indices)
        assert np.array_equal(graph.weights, wanted.weights)
    named = gs.from_edges([("a", "b"), ("b", ("c", 1))])
    assert named.names.tolist() == ["a", "b", ("c", 1)] and named.arcs == 2


def test_from_edges_takes_dlpack() -> None:
    class Foreign:  # all that a consumer may rely on
        def __init__(self, array: np.ndarray) -> None:
            self.array = array

        def __dlpack__(self, **options: object) -> object:
            return self.array.__dlpack__(**options)

        def __dlpack_device__(self) -> tuple[int, int]:
            return self.array.__dlpack_device__()

    ids = np.array([0, 1, 2], np.int32)
    graph = gs.from_edges(Foreign(ids), Foreign(ids[::-1].copy()))
    assert graph.indices.tolist() == [2, 1, 0]
    depths = gs.bfs(gs.grid(3, 1), 0, "cpu:1x1").parts[0].depths  # our own arrays, too
    assert gs.from_edges(depths, depths).vertices == 3


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (([0, -3], [1, 1]), gs.InputError, "edge 1: source vertex -3 is negative"),
        (([0, 1], [1, -1]), gs.InputError, "edge 1: target vertex -1 is negative"),
        (
            ([0, 5], [1, 1], None, 5),
            gs.InputError,
            "vertex 5 is not below the number of vertices, 5",
        ),
        (([0, 5], [1]), gs.UsageError, "2 sources, but 1 targets"),
        (([0], [1], [1, 2]), gs.UsageError, "1 edges, but 2 weights"),
        (([], []), gs.UsageError, "no vertices"),
        (([0.5], [1]), gs.UsageError, "vertex ids are integers, got float64"),
        (([[0]], [1]), gs.UsageError, "expected one dimension, got 2"),
        (([0], [1], [1 << 40]), gs.UsageError, "integer weights beyond int32"),
        (([0], [1], [1j]), gs.UsageError, "weights are numbers"),
        (([0], [1 << 63]), gs.UsageError, "above 64 bits"),
        ((5,), gs.UsageError, "expected u and v, or pairs of ends, got int"),
        (([1, 2],), gs.UsageError, "expected u and v, or pairs of ends, got list"),
        (([(0, 1), (1, 2, 7)],), gs.UsageError, r"edge 1: a pair has 2 ends, this has 3 \(weights"),
        ((np.zeros((2, 5), int),), gs.UsageError, r"pairs: an array \[m, 2\], not \[2, 5\]"),
        (([0], [(1 << 63) - 1]), gs.InputError, "is not below the number of vertices"),
    ],
)
def test_from_edges_refuses(
    arguments: tuple[object, ...], error: type[gs.Error], message: str
) -> None:
    with pytest.raises(error, match=message):
        gs.from_edges(*arguments)


def test_errors_are_the_built_in_ones_too() -> None:
    with pytest.raises(ValueError):
        gs.from_edges([0], [-1])
    assert issubclass(gs.CapacityError, MemoryError)
    assert issubclass(gs.Timeout, TimeoutError) and issubclass(gs.Timeout, gs.RankError)
    assert issubclass(gs.NotCompiled, gs.UsageError)


# --- SciPy and CSR ----------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [np.int32, np.float32, np.float64])
def test_from_scipy_shares_indices_and_data(dtype: type) -> None:
    matrix = sp.random_array((40, 40), density=0.1, rng=1, format="csr", dtype=np.float64)
    matrix = (matrix * 10).astype(dtype)
    matrix.sort_indices()
    graph = gs.from_scipy(matrix)
    assert address(graph.indices) == address(matrix.indices)
    assert graph.weights is not None and address(graph.weights) == address(matrix.data)
    assert graph.indptr.dtype == np.int64
    assert graph.weights.dtype == dtype and graph.weight_source == "caller"
    back = graph.to_scipy()
    assert address(back.indices) == address(matrix.indices)
    assert address(back.data) == address(matrix.data)
    assert back.indptr.dtype == np.int32
    assert (back != matrix).nnz == 0


def test_from_scipy_keeps_the_arrays_alive() -> None:
    matrix = sp.csr_array(sp.eye_array(1000, format="csr", dtype=np.float64))
    graph = gs.from_scipy(matrix)
    del matrix
    gc.collect()
    assert graph.weights is not None and graph.weights.sum() == 1000
    assert graph.indices.tolist() == list(range(1000))


def test_from_scipy_finds_out_about_symmetry_and_order() -> None:
    one_way = sp.csr_array(([1.0], ([0], [1])), shape=(3, 3))
    assert gs.from_scipy(one_way).directed
    assert gs.from_scipy(one_way + one_way.T).symmetric
    unsorted = sp.csr_array(([1.0, 2.0], [2, 0], [0, 2, 2, 2]), shape=(3, 3))
    graph = gs.from_scipy(unsorted)
    assert not graph.sorted
    assert (graph.to_scipy() != unsorted).nnz == 0


def test_boolean_matrices_make_no_weights() -> None:
    graph = gs.from_scipy(sp.csr_array(np.eye(3, dtype=bool)))
    assert graph.weights is None
    assert graph.to_scipy().dtype == np.int32


def test_other_scipy_formats_are_taken() -> None:
    matrix = sp.coo_array(([1.0, 2.0], ([0, 2], [1, 0])), shape=(3, 3))
    for form in ("coo", "csc", "lil"):
        graph = gs.from_scipy(matrix.asformat(form))
        assert graph.indices.tolist() == [1, 0]


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        (sp.csr_array((2, 3)), "from_scipy: not square: 2 × 3"),
        (sp.coo_array([1, 0, 2]), "from_scipy: expected two dimensions, got 1"),
        (3, "from_scipy: not a sparse matrix or array: int"),
        (np.eye(3), "from_scipy: not a sparse matrix or array: ndarray"),
        (None, "from_scipy: not a sparse matrix or array: NoneType"),
    ],
)
def test_from_scipy_refuses(matrix: object, message: str) -> None:
    with pytest.raises(gs.UsageError) as refused:
        gs.from_scipy(matrix)
    assert str(refused.value) == message


@pytest.mark.parametrize(
    ("indptr", "indices"),
    [([0, 2, 1], [0, 1]), ([0, 1, 3], [0, 1]), ([1, 1, 2], [0, 1]), ([0, 1, 2], [0, 2]),
     ([0, 1, 2], [0, -1])],
)  # fmt: skip
def test_from_csr_refuses_broken_arrays(indptr: list[int], indices: list[int]) -> None:
    with pytest.raises(gs.InputError):
        gs.from_csr(indptr, indices)


def test_from_csr_refuses_a_false_claim() -> None:
    with pytest.raises(gs.InputError, match="symmetric"):
        gs.from_csr([0, 1, 1], [1], symmetric=True)


def test_wide_ids_stay_wide() -> None:
    indices = np.array([1, 0], np.int64)
    graph = gs.from_csr(np.array([0, 1, 2]), indices)
    assert graph.id_width == 8 and address(graph.indices) == address(indices)


# --- files ------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", [".mtx", ".npz", ".gr", ".gsr"])
def test_write_and_read_back(tmp_path: Path, suffix: str) -> None:
    written = {name for _, _, suffixes, _, writes in gs.formats() if writes
               for name in suffixes.split()}  # fmt: skip
    if suffix not in written:
        pytest.skip(f"no format writes {suffix}: {sorted(written)}")
    graph = gs.grid(6, 3, weights=True)
    path = tmp_path / f"grid{suffix}"
    graph.write(path)
    back = gs.read(path)
    assert np.array_equal(back.indptr, graph.indptr)
    assert np.array_equal(back.indices, graph.indices)
    assert graph.weights is not None and back.weights is not None
    assert np.array_equal(back.weights, graph.weights)
    assert [p.name for p in tmp_path.iterdir()] == [path.name] or suffix == ".gr"


def test_largest_component(small: gs.Graph) -> None:
    part = small.largest_component()
    assert part.vertices == 4 and part.names.tolist() == [1, 2, 3, 4]
    assert part.steps[-1] == "kept the largest of 2 components (4 of 6 vertices)"
    whole = part.largest_component()
    assert whole.steps[-1] == "kept the largest of 1 components (4 of 4 vertices)"
    assert whole.names.tolist() == [1, 2, 3, 4]


def test_transposed() -> None:
    graph = gs.from_edges([0, 0], [1, 2])
    assert graph.transposed().indptr.tolist() == [0, 0, 1, 2]


def test_read_refuses_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(gs.InputError, match=r"absent\.mtx"):
        gs.read(tmp_path / "absent.mtx")


def test_memory_limit_is_kept(small_file: Path) -> None:
    with pytest.raises(gs.CapacityError, match="limit"):
        gs.read(small_file, memory=10)
    with pytest.raises(gs.CapacityError):
        gs.kronecker(20, memory="1M")
    with pytest.raises(gs.UsageError, match="not a number of bytes"):
        gs.read(small_file, memory="lots")


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (([2**40], [1]), "1099511627777 vertices, 1 edges; .* 16.0 TiB; the limit is"),
        (([1], [2], None, 2**50), "1125899906842624 vertices, 1 edges; .* 16.0 PiB; the limit is"),
    ],
)
def test_from_edges_refuses_what_no_memory_holds(arguments: tuple[Any, ...], text: str) -> None:
    with pytest.raises(gs.CapacityError, match=f"from_edges: the graph does not fit: {text}"):
        gs.from_edges(*arguments)


def test_memory_that_the_system_has_not_got(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOSSAMER_MEMORY", "8000000T")  # more than any address space
    with pytest.raises(gs.CapacityError, match="host memory: wanted"):
        gs.from_edges([1], [2], n=2**50)


def test_work_on_graphs_keeps_to_a_limit() -> None:
    graph = gs.road(40)
    for work in (
        lambda memory: graph.rebuild(deduplicate=True, memory=memory),
        lambda memory: graph.largest_component(memory=memory),
        lambda memory: graph.statistics(memory=memory),
        lambda memory: graph.partition("hash", 2, memory=memory),
        lambda memory: graph.partition_quality([0] * graph.vertices, 1, memory=memory),
    ):
        with pytest.raises(gs.CapacityError, match=r"the limit is 1\.0 KiB \(--memory\)"):
            work("1K")
        work("1M")


def test_statistics(small: gs.Graph) -> None:
    found = small.statistics()
    assert (found.vertices, found.arcs, found.simple_edges) == (6, 10, 5)
    assert (found.components, found.largest_component) == (2, 4)
    assert (found.weights.minimum, found.weights.maximum, found.weights.source) == (1, 9, "file")


def test_triangles(small: gs.Graph) -> None:
    assert small.count_triangles() == 1 == small.statistics(triangles=True).triangles
    assert small.statistics().triangles is None
    graph = gs.kronecker(10)
    matrix = graph.to_scipy().astype(np.int64)
    expected = int((matrix @ matrix).multiply(matrix).sum()) // 6
    assert graph.count_triangles(threads=1) == graph.count_triangles(threads=3) == expected
    with pytest.raises(gs.UsageError, match="count_triangles: threads: not in 0"):
        graph.count_triangles(threads=-1)


def test_partition_names_are_those_of_the_command_line(small: gs.Graph) -> None:
    for call in (
        lambda: small.partition("edge-ranges", 2),
        lambda: gs.Machine("cpu:2x1").place(small, partition="edge-ranges"),
    ):
        with pytest.raises(gs.UsageError, match="auto, ranges, edges, hash, metis"):
            call()
    for name in ("auto", "ranges", "edges", "hash"):
        assert small.partition(name, 2).max() <= 1


def test_scipy_reads_what_is_written_and_the_reverse(tmp_path: Path) -> None:
    sparse = pytest.importorskip("scipy.sparse")
    for name, graph in (
        ("plain", gs.kronecker(8)),
        ("weighted", gs.road(12)),
        ("directed", gs.from_edges([0, 3, 3, 1], [3, 1, 0, 1], [0.5, 2, 0.25, 4], 5)),
    ):
        graph.write(tmp_path / f"{name}.npz")
        matrix = sparse.load_npz(tmp_path / f"{name}.npz")
        assert matrix.format == "csr" and matrix.shape == (graph.vertices, graph.vertices)
        assert np.array_equal(matrix.indptr, graph.indptr)
        assert np.array_equal(matrix.indices, graph.indices)
        if graph.weighted:
            assert np.array_equal(matrix.data, graph.weights)
        else:
            assert matrix.data.dtype == bool and matrix.data.all()
        for kind in ("csr", "csc", "coo"):
            for compressed in {False, gs._gossamer.build_info()["features"]["gzip"]}:
                path = tmp_path / f"{name}-{kind}-{compressed}.npz"
                sparse.save_npz(path, matrix.asformat(kind), compressed=compressed)
                back = gs.read(path)
                assert np.array_equal(back.indptr, graph.indptr), path
                assert np.array_equal(back.indices, graph.indices), path
                if graph.weighted:
                    assert np.array_equal(back.weights, graph.weights), path


def test_partition_quality(small: gs.Graph) -> None:
    quality = small.partition_quality([0, 0, 0, 1, 1, 1], 2)
    assert quality.cut_arcs == 2 and quality.halo_of == [1, 1]
    assert quality.vertices_of == [3, 3] and quality.vertex_balance == 1
    parts = small.partition("ranges", 2)
    assert parts.tolist() == [0, 0, 0, 1, 1, 1]
    with pytest.raises(gs.UsageError, match="ranges"):
        small.partition("magic", 2)


def runs_of(graph: gs.Graph) -> dict[str, Callable[[], object]]:
    """One of each, prepared for the graph as far as it can be before."""
    right = np.ones(graph.vertices)
    if graph.name == "matrix.gsr":
        solver = gs.CgSolver(graph, "cpu:2x1")
        return {"cg": lambda: solver.solve(right)}
    search = gs.BfsSearch(gs.Machine("cpu:2x1").place(graph))
    paths = gs.SsspSearch(graph, "cpu:2x1")
    program = gs.vertex_program("min", "value + weight", "float64").prepare(graph, "cpu:2x1")
    return {
        "bfs": lambda: search.run(0),
        "sssp": lambda: paths.run(0),
        "components": gs.ComponentsSearch(graph, "cpu:2x1").run,
        "pagerank": gs.PagerankSolver(graph, "cpu:2x1").run,
        "program": lambda: program.run(0),
        "statistics": lambda: graph.statistics(),
        "write": lambda: graph.write("copy.gsr"),
        "place": lambda: gs.Machine("cpu:2x1").place(graph),
        "one bfs": lambda: gs.bfs(graph, 0, "cpu:1x1"),
    }


MAPPED = [("graph.gsr", "road:60"), ("matrix.gsr", "poisson:60x60")]


@pytest.mark.parametrize(("name", "spec"), MAPPED)
def test_a_mapped_file_that_was_cut_short_ends_no_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, spec: str
) -> None:
    monkeypatch.chdir(tmp_path)
    gs.generate(spec).write(name)
    runs = runs_of(gs.read(name))
    size = os.path.getsize(name)
    os.truncate(name, 4096)  # as whoever writes it anew in place begins
    for what, run in runs.items():
        with pytest.raises(gs.InputError) as refused:
            run()
        said = f"{name}: was changed while it was in use: it had {size} bytes, now 4096"
        assert str(refused.value) == said, what
    assert os.listdir() == [name]


@pytest.mark.parametrize(("name", "spec"), MAPPED)
def test_a_mapped_file_that_was_replaced_is_used_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, spec: str
) -> None:
    """The old one stays until the last graph that is mapped from it has gone."""
    monkeypatch.chdir(tmp_path)
    gs.generate(spec).write(name)
    graph = gs.read(name)
    runs = runs_of(graph)
    gs.generate("poisson:3x3").write(name)
    for run in runs.values():
        run()
    assert graph.vertices == 3600

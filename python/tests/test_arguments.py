"""Arguments of the wrong kind: integers that are none, arrays that cannot be taken or handed on."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from typing import Any, ClassVar

import gossamer as gs
import numpy as np
import pytest
import scipy.sparse
from gossamer import _gossamer, simulation
from gossamer.simulation import Collective, System

GRAPH = gs.grid(3, 3)
MATRIX = gs.matrix("poisson:9")
PLACED = gs.Machine("cpu:1x1").place(GRAPH)
RESULT = gs.bfs(PLACED, 0)

#: Every call that takes an integer which would be cut, guessed or be part of a text; and its name.
CALLS: list[tuple[str, Callable[[Any], object]]] = [
    ("bfs: source", lambda x: gs.bfs(GRAPH, x)),
    ("bfs: source", lambda x: gs.bfs(PLACED, x)),
    ("bfs: source", lambda x: gs.BfsSearch(PLACED).run(x)),
    ("verify_bfs: source", lambda x: gs.verify_bfs(GRAPH, x, RESULT.parents, RESULT.depths)),
    ("draw_sources: count", lambda x: gs.draw_sources(GRAPH, x)),
    ("draw_sources: seed", lambda x: gs.draw_sources(GRAPH, 1, x)),
    ("name_of", GRAPH.name_of),
    ("index_of", GRAPH.index_of),
    ("from_edges: n", lambda x: gs.from_edges([0], [0], n=x)),
    ("partition: parts", lambda x: GRAPH.partition("hash", x)),
    ("partition_quality: parts", lambda x: GRAPH.partition_quality([0] * 9, x)),
    ("read_partition: vertices", lambda x: gs.read_partition("absent", x)),
    ("read_partition: parts", lambda x: gs.read_partition("absent", 9, x)),
    ("generate: device", lambda x: gs.generate("grid:2x2", device=x)),
    ("scale", gs.kronecker),
    ("edge_factor", lambda x: gs.kronecker(4, x)),
    ("degree", lambda x: gs.uniform(4, x)),
    ("seed", lambda x: gs.uniform(4, seed=x)),
    ("height", lambda x: gs.grid(4, x)),
    ("side", gs.road),
    ("cg: maxiter", lambda x: gs.CgSolver(MATRIX, maxiter=x)),
    ("cg: iterations", lambda x: gs.CgSolver(MATRIX, iterations=x)),
    ("sssp: source", lambda x: gs.sssp(GRAPH, x)),
    ("verify_sssp: source", lambda x: gs.verify_sssp(GRAPH, x, RESULT.depths)),
    ("pagerank: max_iterations", lambda x: gs.PagerankSolver(GRAPH, max_iterations=x)),
    ("pagerank: precision", lambda x: gs.PagerankSolver(GRAPH, precision=x)),
    ("with_values: seed", lambda x: gs.with_values(MATRIX, x)),
]


@pytest.mark.parametrize(("name", "call"), CALLS, ids=[name for name, _ in CALLS])
@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (1.7, "1.7"),
        (True, "True"),
        ("1", "'1'"),
        (np.True_, f"numpy.{type(np.True_).__name__}"),
        ([1], "list"),
    ],
)
def test_an_integer_is_asked_for(
    name: str, call: Callable[[Any], object], value: object, shown: str
) -> None:
    with pytest.raises(gs.UsageError) as refused:
        call(value)
    assert str(refused.value) == f"{name}: expected an integer, got {shown}"


@pytest.mark.parametrize(("name", "call"), CALLS, ids=[name for name, _ in CALLS])
def test_integers_beyond_any_width_are_refused_in_one_line(
    name: str, call: Callable[[Any], object]
) -> None:
    with pytest.raises(gs.UsageError) as refused:
        call(1 << 70)
    assert name.split(":")[0] in str(refused.value) and "\n" not in str(refused.value)


def test_integers_of_numpy_are_integers() -> None:
    for kind in (np.int8, np.uint64):
        assert gs.bfs(GRAPH, kind(4)).source == 4
        assert gs.kronecker(kind(4)).name == "kron:4:16:1"
    assert gs.draw_sources(GRAPH, 1, (1 << 64) - 1)
    with pytest.raises(gs.UsageError, match=r"draw_sources: the seed is not in 0 … 2\^64 - 1"):
        gs.draw_sources(GRAPH, 1, 1 << 64)
    for memory in (1.5, True):
        with pytest.raises(gs.UsageError, match=f"memory: expected an integer, got {memory}"):
            gs.kronecker(4, memory=memory)
    with pytest.raises(gs.UsageError, match="gather: device: expected an integer, got True"):
        RESULT.gather(True)


# --- arrays ---------------------------------------------------------------------------------------


def test_an_array_on_the_cpu_takes_no_stream_and_no_cuda_interface() -> None:
    depths = RESULT.parts[0].depths
    with pytest.raises(gs.UsageError, match=r"^__dlpack__: arrays on the CPU take no stream$"):
        depths.__dlpack__(stream=1)
    assert not hasattr(depths, "__cuda_array_interface__")


def test_an_array_on_a_gpu_wants_a_stream_that_is_one() -> None:
    there = gs.Array(None, 0, 1, 4, 0)  # as on cuda:0; nothing looks at the memory
    with pytest.raises(gs.UsageError, match=r"^__dlpack__: stream 0 is ambiguous; 1 is the legacy"):
        there.__dlpack__(stream=0)
    with pytest.raises(TypeError, match="this array is on a GPU"):
        np.asarray(there)


@pytest.mark.parametrize(
    "face",
    [
        {"typestr": "<i4", "shape": (2, 2), "strides": None, "data": (0, False)},
        {"typestr": "<i4", "shape": (4,), "strides": (8,), "data": (0, False)},
    ],
)
def test_cuda_arrays_are_one_dimensional_and_contiguous(face: dict[str, Any]) -> None:
    class There:
        __cuda_array_interface__ = face

    with pytest.raises(
        gs.UsageError, match=r"^from_edges: u: expected a contiguous one-dimensional array$"
    ):
        gs.from_edges(There(), [0])


def test_dlpack_arrays_hold_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    class There:
        def __dlpack__(self, **options: object) -> object:
            raise AssertionError

        def __dlpack_device__(self) -> tuple[int, int]:
            return 2, 0

    # What a copy from a GPU gives: bytes, DLPack's code of their type (5: complex), bits.
    copied = (np.zeros(16, np.uint8), 5, 64)
    monkeypatch.setattr(_gossamer, "dlpack_to_host", lambda array: copied)
    with pytest.raises(gs.UsageError, match=r"^from_edges: u: not an array of numbers$"):
        gs.from_edges(There(), [0])


SYSTEM = System("peach2")
MATRIX_B = np.ones(MATRIX.vertices)
NUMBERS: Any = np.arange(9)
BLOCKS: Any = scipy.sparse.bsr_array(np.ones((2, 2)))


class NotThere:
    """An array of less than nothing."""

    __array_interface__: ClassVar[Any] = {
        "shape": (-1,), "typestr": "<i4", "version": 3, "data": (0, False),
    }  # fmt: skip


class NotGiven:
    """Says that it hands an array on, and does not."""

    def __dlpack__(self, **_: object) -> object:
        return object()

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0


class Unlisted:
    """Cannot be listed, as sparse matrices of some kinds."""

    def __iter__(self) -> Any:
        raise NotImplementedError


#: A mistake, and the line that names it.
MISTAKES: list[tuple[Callable[[], object], str]] = [
    (lambda: gs.bfs("kron:5", 0), "bfs: graph: expected a Graph or a PlacedGraph, got 'kron:5'"),
    (lambda: gs.bfs(GRAPH.to_scipy(), 0), "bfs: graph: expected a Graph or a PlacedGraph, got csr"),
    (lambda: gs.BfsSearch(GRAPH), "bfs: graph: expected a PlacedGraph (see Machine.place), got Gr"),
    (lambda: gs.draw_sources("x", 3), "draw_sources: graph: expected a Graph or a PlacedGraph"),
    (lambda: gs.verify_bfs(None, 0, NUMBERS, NUMBERS), "verify_bfs: graph: expected a Graph, got"),
    (lambda: gs.Machine("cpu:1").place("x"), "place: graph: expected a Graph, got 'x'"),
    (lambda: gs.Machine("cpu:1").plan("x"), "plan: graph: expected a Graph or a GraphShape, got '"),
    (lambda: gs.sssp(1, 0), "sssp: graph: expected a Graph or a PlacedGraph, got 1"),
    (lambda: gs.verify_sssp(1, 0, NUMBERS), "verify_sssp: graph: expected a Graph, got 1"),
    (lambda: gs.compare_distances(1, NUMBERS, NUMBERS), "compare_distances: graph: expected a Gra"),
    (lambda: gs.components(1), "components: graph: expected a Graph or a PlacedGraph, got 1"),
    (lambda: gs.verify_components(1, NUMBERS), "verify_components: graph: expected a Graph, got 1"),
    (lambda: gs.verify_generated(1, "path:3"), "verify_generated: graph: expected a Graph, got 1"),
    (lambda: gs.verify_generated(GRAPH, 3), "verify_generated: spec: expected text such as"),
    (lambda: gs.verify_written(1, "a.npz"), "verify_written: graph: expected a Graph, got 1"),
    (lambda: gs.verify_statistics(GRAPH, 1), "verify_statistics: found: expected a Statistics"),
    (lambda: gs.verify_partition_quality(GRAPH, NUMBERS, 1), "verify_partition_quality: found: e"),
    (lambda: gs.verify_steps(1, print), "verify_steps: graph: expected a Graph, got 1"),
    (lambda: gs.verify_bfs(GRAPH, 0, NUMBERS, NUMBERS, smallest_parents=2), "verify_bfs: smallest"),
    (lambda: gs.pagerank(1), "pagerank: graph: expected a Graph or a PlacedGraph, got 1"),
    (lambda: gs.verify_pagerank(1, NUMBERS), "verify_pagerank: graph: expected a Graph, got 1"),
    (lambda: gs.triangles(1), "triangles: graph: expected a Graph or a PlacedGraph, got 1"),
    (lambda: gs.core_numbers(1), "core_numbers: graph: expected a Graph or a PlacedGraph, got 1"),
    (lambda: gs.verify_core_numbers(1, NUMBERS), "verify_core_numbers: graph: expected a Graph,"),
    (lambda: gs.spanning_forest(1), "spanning_forest: graph: expected a Graph or a PlacedGraph,"),
    (lambda: gs.verify_spanning_forest(1, NUMBERS), "verify_spanning_forest: graph: expected a"),
    (lambda: gs.strong_components(1), "strong_components: graph: expected a Graph or a Placed"),
    (lambda: gs.verify_strong_components(1, NUMBERS), "verify_strong_components: graph: expected"),
    (lambda: gs.betweenness(1), "betweenness: graph: expected a Graph or a PlacedGraph, got 1"),
    (lambda: gs.betweenness(GRAPH, samples=1.5), "betweenness: samples: expected an integer, got"),
    (lambda: gs.betweenness(GRAPH, sources=1), "betweenness: sources: expected several vertices,"),
    (lambda: gs.betweenness(GRAPH, sources=np.array(1)), "betweenness: sources: expected several"),
    (lambda: gs.distances(GRAPH, np.array(1)), "distances: sources: expected several vertices,"),
    (lambda: gs.verify_betweenness(1, NUMBERS), "verify_betweenness: graph: expected a Graph, got"),
    (lambda: gs.closeness(1), "distances: graph: expected a Graph or a PlacedGraph, got 1"),
    (lambda: gs.distances(GRAPH, "x"), "distances: sources: "),
    (lambda: gs.closeness(GRAPH, inward=1), "distances: inward: expected True or False, got 1"),
    (lambda: gs.verify_distances(1, NUMBERS, "sums"), "verify_distances: graph: expected a Graph"),
    (lambda: gs.verify_depths(1, NUMBERS, NUMBERS), "verify_depths: graph: expected a Graph, got"),
    (lambda: gs.compare_numbers(1, NUMBERS, NUMBERS), "compare_numbers: graph: expected a Graph"),
    (lambda: gs.condensation(1, NUMBERS), "condensation: graph: expected a Graph, got 1"),
    (lambda: gs.communities(1), "communities: graph: expected a Graph or a PlacedGraph, got 1"),
    (lambda: gs.communities(GRAPH, seed=1.5), "communities: seed: expected an integer, got 1.5"),
    (lambda: gs.modularity(1, NUMBERS), "modularity: graph: expected a Graph, got 1"),
    (lambda: gs.modularity(GRAPH, NUMBERS, "1"), "modularity: resolution: expected a number"),
    (lambda: gs.verify_communities(1, NUMBERS, 0), "verify_communities: graph: expected a Graph,"),
    (lambda: gs.random_walks(1), "random_walks: graph: expected a Graph or a PlacedGraph, got 1"),
    (lambda: gs.random_walks(GRAPH, p="1"), "random_walks: p: expected a number"),
    (lambda: gs.random_walks(GRAPH, sources=1), "random_walks: sources: expected several vertices"),
    (lambda: gs.random_walks(GRAPH, sources=BLOCKS), "random_walks: sources: expected several"),
    (lambda: gs.random_walks(GRAPH, weighted=1), "random_walks: weighted: expected True or False,"),
    (lambda: gs.verify_random_walks(1, NUMBERS), "verify_random_walks: graph: expected a Graph,"),
    (lambda: gs.verify_random_walks(GRAPH, NUMBERS), "verify_random_walks: walks: 1-dimensional,"),
    (lambda: gs.hits(1), "hits: graph: expected a Graph or a PlacedGraph, got 1"),
    (lambda: gs.katz(1), "katz: graph: expected a Graph or a PlacedGraph, got 1"),
    (lambda: gs.eigenvector(1), "eigenvector: graph: expected a Graph or a PlacedGraph, got 1"),
    (lambda: gs.independent_set(1), "independent_set: graph: expected a Graph or a PlacedGraph,"),
    (lambda: gs.coloring(1), "coloring: graph: expected a Graph or a PlacedGraph, got 1"),
    (lambda: gs.verify_hits(1, NUMBERS, NUMBERS), "verify_hits: graph: expected a Graph, got 1"),
    (lambda: gs.verify_katz(1, NUMBERS), "verify_katz: graph: expected a Graph, got 1"),
    (lambda: gs.verify_eigenvector(1, NUMBERS), "verify_eigenvector: graph: expected a Graph, got"),
    (lambda: gs.verify_independent_set(1, NUMBERS), "verify_independent_set: graph: expected a Gr"),
    (lambda: gs.verify_coloring(1, NUMBERS), "verify_coloring: graph: expected a Graph, got 1"),
    (lambda: gs.verify_triangles(1, NUMBERS), "verify_triangles: graph: expected a Graph, got 1"),
    (lambda: gs.triangles(GRAPH, weighted=1), "triangles: weighted: expected True or False, got 1"),
    (lambda: gs.with_values("x"), "with_values: pattern: expected a Graph, got 'x'"),
    (lambda: gs.bfs(GRAPH, 0, machine=3), "machine: expected a Machine, a spec such as cpu:2, or"),
    (lambda: gs.Machine(3), "machine: expected a spec, as text such as cpu:2, got 3"),
    (lambda: gs.bfs(GRAPH, 0, timeout="1"), "bfs: timeout: expected a number, got '1'"),
    (lambda: gs.bfs(GRAPH, 0, timeout=math.inf), "bfs: timeout: expected a finite number, got inf"),
    (lambda: gs.components(GRAPH, timeout=-1), "components: timeout: not a positive number of sec"),
    (lambda: gs.bfs(GRAPH, 0, engine=1), "bfs: engine: expected text, got 1"),
    (lambda: gs.bfs(GRAPH, 0, direction=None), "bfs: direction: expected text, got NoneType"),
    (lambda: gs.bfs(GRAPH, 0, deterministic=1), "bfs: deterministic: expected True or False, got"),
    (lambda: gs.read("x", symmetrize="no"), "read: symmetrize: expected True or False, got 'no'"),
    (lambda: GRAPH.rebuild(deduplicate=1), "rebuild: deduplicate: expected True or False, got 1"),
    (lambda: gs.read("x", threads=-1), "read: threads: not in 0 … 4096: -1"),
    (lambda: GRAPH.largest_component(threads=1 << 40), "largest_component: threads: not in 0 … 40"),
    (lambda: GRAPH.count_triangles(threads=1.5), "count_triangles: threads: expected an integer,"),
    (lambda: gs.BfsSearch.plan(GRAPH, "x"), "'x'"),
    (lambda: gs.BfsSearch.plan(GRAPH, PLACED.machine, engine=1), "bfs: engine: expected text, got"),
    (lambda: gs.SsspSearch.plan(GRAPH, 3), "machine: expected a Machine, a spec such as cpu:2"),
    (lambda: gs.CgSolver.plan(MATRIX, 3), "machine: expected a Machine, a spec such as cpu:2"),
    (lambda: PLACED.machine.here("x"), "here: rank: expected an integer, got 'x'"),
    (lambda: PLACED.machine.link(0, None), "link: rank: expected an integer, got NoneType"),
    (lambda: gs.verify_pagerank(GRAPH, None), "pagerank: ranks is 1-dimensional, of object"),
    (lambda: gs.plan_filter(9, "x"), "filter: dtype 'x' is none of int32, int64, float32, float64"),
    (lambda: gs.filter(NUMBERS, "<3", slowdown=2), "filter: slowdown: expected a factor for each"),
    (lambda: gs.filter(NUMBERS, "<3", slowdown=np.array(5)), "filter: slowdown: expected a factor"),
    (lambda: gs.bfs(GRAPH, 0, use=NUMBERS), "bfs: use: expected text, got numpy"),
    (lambda: gs.components(GRAPH).gather("labels", f"cuda:{10**30}"), "gather: device: 1000000000"),
    (lambda: gs.components(GRAPH).gather(NUMBERS), "gather: what: expected text, got numpy"),
    (lambda: gs.from_torch(BLOCKS), "from_torch: edge_index: rows of bsr_array cannot be taken"),
    (lambda: simulation.ping_pong(SYSTEM, -1), "ping_pong: size: 0 bytes or more, not -1"),
    (lambda: gs.BfsSearch(PLACED, alpha=math.nan), "bfs: alpha: expected a finite number, got nan"),
    (lambda: gs.sssp(GRAPH, 0, delta="x"), "sssp: delta: expected a number, got 'x'"),
    (lambda: gs.pagerank(GRAPH, tolerance=math.inf), "pagerank: tolerance: expected a finite numb"),
    (lambda: gs.pagerank(GRAPH, damping="x"), "pagerank: damping: expected a number, got 'x'"),
    (lambda: gs.cg(MATRIX, MATRIX_B, rtol=math.nan), "cg: rtol: expected a finite number, got nan"),
    (lambda: gs.verify_cg(MATRIX, MATRIX_B, MATRIX_B, atol=True), "verify_cg: atol: expected a nu"),
    (lambda: gs.filter(NUMBERS, "<3", slowdown=[math.inf]), "filter: slowdown: expected a finite"),
    (lambda: gs.generate(None), "generate: spec: expected text such as kron:20, got NoneType"),
    (lambda: gs.matrix(4), "matrix: spec: expected text, got 4"),
    (lambda: gs.road(4, keep="x"), "road: keep: expected a number, got 'x'"),
    (lambda: gs.read(b"x"), "read: path: expected a path, as text or a Path, got bytes"),
    (lambda: gs.read_partition(3, 3), "read_partition: path: expected a path, as text or a Path"),
    (lambda: GRAPH.write(3), "write: path: expected a path, as text or a Path, got 3"),
    (lambda: GRAPH.partition(3, 3), "partition: method: expected text, got 3"),
    (lambda: gs.read_trace(3), "read_trace: path: expected a path, as text or a Path, got 3"),
    (lambda: gs.from_edges([0], [5], n=-3), "from_edges: n: a graph has 1 vertex or more, not -3"),
    (lambda: gs.from_edges([0], [5], threads=None), "from_edges: threads: expected an integer, go"),
    (lambda: gs.from_csr([0.0, 1.0], [0]), "from_csr: indptr: offsets are integers, got float64"),
    (lambda: GRAPH.partition_quality(np.zeros(9), 2), "partition_quality: part_of: parts are inte"),
    (lambda: gs.Machine("cpu:1").place(GRAPH, partition="nofile"),
     "partition: 'nofile' is none of auto, ranges, edges, hash, metis; the parts of a file are"),
    (lambda: System("foo"), "no system 'foo'; there are expether"),
    (lambda: System(1), "System: name: expected text, got 1"),  # type: ignore[arg-type]
    (lambda: SYSTEM.what_if("x"), "System: what_if: 'x' is none of hub-reduction"),
    (lambda: System("peach2", "x=1"), "System: changes: expected a tuple of texts, got 'x=1'"),
    (lambda: SYSTEM.machine(1.5), "System: ranks: expected an integer, got 1.5"),
    (lambda: Collective("foo", SYSTEM, 4), "no collective 'foo' (there are: broadcast, scatter"),
    (lambda: Collective("allreduce", "peach2", 4), "Collective: system: expected a System, got 'p"),
    (lambda: Collective("allreduce", SYSTEM, 0), "allreduce: ranks: 1 or more, not 0"),
    (lambda: Collective("allreduce", SYSTEM, 4, "x"), "buffers: 'x' is neither device nor host"),
    (lambda: Collective("allreduce", SYSTEM, 4, mapping="x"), "mapping: 'x' is none of own, ident"),
    (lambda: Collective("allreduce", SYSTEM, 4).predict(-8), "Collective: size: 0 bytes or more,"),
    (lambda: Collective("allreduce", SYSTEM, 4).predict(1.5), "Collective: size: expected an inte"),
    (lambda: simulation.bfs(GRAPH, SYSTEM, 2, 0, "foo"), "variant 'foo' is none of published, com"),
    (lambda: simulation.bfs(GRAPH, SYSTEM, 2, 0, ""), "variant '' is none of published, compact"),
    (lambda: simulation.cg(MATRIX, SYSTEM, 2, 0), "cg: iterations: 1 or more, not 0"),
    (lambda: System("peach2", 3), "System: changes: expected a tuple of texts, got 3"),
    (lambda: SYSTEM.what_if([1]), "System: what_if: expected text, got list"),
    (lambda: simulation.device_copy("x", 8), "device_copy: system: expected a System, got 'x'"),
    (lambda: simulation.device_copy(SYSTEM, -1), "device_copy: size: 0 bytes or more, not -1"),
    (lambda: simulation.bfs(GRAPH, SYSTEM, 2, 0, NUMBERS), "bfs: variant: expected text, got nump"),
    (lambda: simulation.cg("x", SYSTEM, 2), "cg: matrix: expected a Graph, got 'x'"),
    (lambda: gs.filter([[1], [2, 3]], "<3"), "filter: list is no array: setting an array element"),
    (lambda: gs.filter(NotThere(), "<3"), "filter: NotThere is no array: negative dimensions"),
    (lambda: gs.verify_filter(NUMBERS, "<3", ["a"]), "filter: values: expected an array of int64"),
    (lambda: gs.plan_filter(9, []), "filter: dtype [] is none of int32, int64, float32, float64"),
    (lambda: gs.filter_graph(9, np.complex64), "is none of int32, int64, float32, float64"),
    (lambda: gs.from_edges([[0], [1, 2]], [0]), "from_edges: u: list is no array: setting an arr"),
    (lambda: gs.from_edges(NotGiven(), [0]), "from_edges: u: NotGiven is no array: PyCapsule_GetP"),
    (lambda: gs.from_edges(Unlisted(), ["a"]), "names: Unlisted is no list of names"),
    (lambda: gs.from_edges(np.array(5), [None]), "names: ndarray is no list of names"),
    (lambda: gs.from_edges(np.array("ab"), ["a", "b"]), "names: ndarray is no list of names"),
    (lambda: gs.from_edges([0], [1], names=Unlisted()), "names: Unlisted is no list of names"),
    (lambda: gs.compare_labels(GRAPH, [[0], [1, 2]], NUMBERS), "list is no array: setting an arra"),
    (lambda: gs.verify_depths(GRAPH, [0], NotThere()), "verify_depths: depths: NotThere is no a"),
    (lambda: gs.cg(NotThere(), MATRIX_B), "cg: A: NotThere is no array: negative dimensions are"),
    (lambda: gs.cg(MATRIX, NotThere()), "cg: b: NotThere is no array: negative dimensions are"),
    (lambda: gs.ranks_for_bfs(GRAPH, use=NUMBERS), "bfs: use: expected text, got numpy.ndarray"),
    (lambda: gs.engines([1]), "engines: algorithm: expected a str, got list"),
    (lambda: gs.generate("grid:2x2", progress=3), "generate: progress: expected a function, got 3"),
    (lambda: gs.read("x", progress="x"), "read: progress: expected a function, got 'x'"),
    (lambda: PLACED.machine.generate("kron:9", progress=3), "generate: progress: expected a funct"),
    (lambda: gs.graph500(4, progress=3), "graph500: progress: expected a function, got 3"),
    (lambda: gs.graph500(4, parts=NUMBERS), "graph500: parts: expected True or False, got numpy"),
    (lambda: gs.graph500(4, threads="x"), "graph500: threads: expected an integer, got 'x'"),
    (lambda: gs.graph500(4, renumber=3), "graph500: renumber: expected text, got 3"),
    (lambda: gs.Spread.of(3), "statistics: expected a list of numbers, got int"),
    (lambda: gs.Spread.of(np.array(3)), "statistics: expected a list of numbers, got ndarray"),
    (lambda: gs.Spread.of([math.nan]), "statistics: expected a finite number, got nan"),
    (lambda: gs.RateSpread.of([1], [1, 2]), "statistics of rates: 1 of work, 2 of time"),
    (lambda: gs.RateSpread.of("ab", [1, 2]), "statistics of rates: work: expected a number, got"),
    (lambda: gs.BfsSearch.plan(GRAPH, "cpu:1").on_host(3), "MemoryPlan: machine: expected a Mach"),
    (lambda: gs.BfsSearch.plan(GRAPH, "cpu:1").of(NUMBERS), "MemoryPlan: rank: expected an int"),
    (lambda: gs.BfsSearch.plan(GRAPH, "cpu:1").require_fit("x", PLACED.machine, None, "y"),
     "MemoryPlan: host_limit: expected an integer, got NoneType"),
    (lambda: gs.vertex_program(NUMBERS, "value", "int32"), "vertex_program: update '"),
    (lambda: gs.vertex_program("min", "value", "\udcff"), "vertex_program: dtype '\\udcff' is"),
    (lambda: gs.vertex_steps(GRAPH)[[1]], "vertex_steps: name: expected text, got list"),
    (lambda: gs.vertex_steps(GRAPH).reduce("1", [1], "x"), "vertex_steps: reduce: what is compute"),
    (lambda: gs.vertex_steps(GRAPH).fields(a=[[1], [2, 3]]), "vertex_steps: a: list is no array"),
    (lambda: gs.vertex_program("min", "value", "int32").run("x", 0), "vertex_program: graph: expe"),
    (lambda: gs.vertex_program("min", "value", "int32").run(GRAPH, 0, delta="x"), "vertex_program"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "message"), MISTAKES, ids=[m for _, m in MISTAKES])
def test_mistakes_are_named(call: Callable[[], object], message: str) -> None:
    with pytest.raises(gs.UsageError) as raised:
        call()
    assert message in str(raised.value)
    assert len(str(raised.value).splitlines()) == 1


def test_a_trace_that_is_not_there() -> None:
    with pytest.raises(
        gs.InputError, match=r"^nofile: cannot be opened: No such file or directory$"
    ):
        gs.read_trace("nofile")


def test_a_share_of_roads_is_rounded() -> None:
    assert gs.road(10, keep=1 / 3).name == "road:10:0.333333333:1"
    assert gs.road(10).name == "road:10:0.62:1"
    assert gs.road(10, keep=np.float32(0.5)).name == "road:10:0.5:1"


def test_the_graph_comes_before_the_machine() -> None:
    prepared = (
        gs.SsspSearch, gs.ComponentsSearch, gs.PagerankSolver, gs.CgSolver, gs.VertexSteps,
    )  # fmt: skip
    plans = [kind.plan for kind in (gs.BfsSearch, *prepared[:-1])]
    for call in (*prepared, *plans, gs.ranks_for_bfs):
        names = [name for name in inspect.signature(call).parameters if name != "self"]
        assert names[0] in ("graph", "matrix") and names[1] == "machine", (call, names)


def test_a_plan_takes_what_the_search_takes() -> None:
    for kind in (gs.BfsSearch, gs.SsspSearch, gs.ComponentsSearch, gs.PagerankSolver):
        totals = [kind.plan(GRAPH, where).total for where in ("cpu:1x1", gs.Machine("cpu:1x1"))]
        assert totals[0] == totals[1] > 0
    with pytest.raises(gs.UsageError, match="machine: expected a Machine, a spec such as cpu:2"):
        gs.BfsSearch.plan(gs.Machine("cpu:1x1"), GRAPH)

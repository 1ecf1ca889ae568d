"""Bindings of Gossamer's C++ layers; the package gossamer wraps them."""

from collections.abc import Callable, Sequence
import os
import pathlib
from typing import Annotated, Any, overload

import numpy
import numpy.typing
from numpy.typing import NDArray


def join_abandoned() -> None:
    """Waits for work that Ctrl-C left behind."""

def end_calls() -> None:
    """
    Ends calls of all threads, and waits for work left behind; registered with atexit.
    """

class OutputFile:
    """A file that appears whole or not at all."""

    @property
    def stream(self) -> bool: ...

    def write(self, data: bytes) -> None: ...

    def patch(self, at: int, data: bytes) -> None: ...

    def commit(self) -> None: ...

    def discard(self) -> None: ...

def open_output(path: str) -> OutputFile: ...

def check_output(path: str, files_only: str) -> bool: ...

def file_identity(path: str) -> bytes: ...

def check_input(path: str, what: str) -> None: ...

def read_text(path: str, what: str, most: int) -> bytes: ...

version: str = '0.1.0'

def build_info() -> dict[str, Any]:
    """Version, compiler, build type and optional parts of this build."""

def cuda_versions() -> tuple[int, int]:
    """CUDA runtime and driver version (13000 = 13.0); 0 where there is none."""

def parse_bytes(text: str) -> int:
    """"16G" as a number of bytes."""

def format_bytes(bytes: int) -> str:
    """A number of bytes for people."""

def memory_in_use(ordinal: int) -> tuple[int, int]:
    """
    Bytes that are allocated on a GPU (-1: the host), and their peak since begin_peaks().
    """

def begin_peaks() -> None:
    """Peaks count from now on."""

def peak_bytes() -> int:
    """Largest resident size so far."""

def host_memory() -> tuple[int, str]:
    """
    Bytes of host memory that a run may plan with, and where the limit comes from.
    """

def dlpack_to_host(array: Any) -> tuple[numpy.typing.NDArray[numpy.uint8], int, int]:
    """
    (uint8 array, DLPack type code, bits): a copy of an array on any device.
    """

def pointer_to_host(pointer: int, bytes: int, stream: int | None) -> numpy.typing.NDArray[numpy.uint8]:
    """
    A copy of device memory, after the work submitted to `stream` (None: no wait).
    """

def upload(array: numpy.typing.NDArray[Any], ordinal: int) -> tuple[Any, int]:
    """(DLPack view, address) of a copy on a GPU."""

class Graph:
    """An immutable graph in CSR form; copies share memory."""

    def check_file(self) -> None: ...

    @property
    def name(self) -> str: ...

    @property
    def format(self) -> str: ...

    @property
    def symmetric(self) -> bool: ...

    @property
    def sorted(self) -> bool: ...

    @property
    def weight_source(self) -> str: ...

    @property
    def steps(self) -> list[str]: ...

    @property
    def vertices(self) -> int: ...

    @property
    def arcs(self) -> int: ...

    @property
    def id_width(self) -> int: ...

    @property
    def gpu(self) -> int: ...

    @property
    def weighted(self) -> bool: ...

    @property
    def name_base(self) -> int: ...

    def name_map(self) -> numpy.typing.NDArray[numpy.int64] | None: ...

    def name_of(self, index: int) -> int: ...

    def index_of(self, name: int) -> int: ...

    def indptr(self) -> numpy.typing.NDArray[numpy.int64]: ...

    def indices(self) -> numpy.typing.NDArray[numpy.signedinteger[Any]]: ...

    def weights(self) -> numpy.typing.NDArray[Any] | None: ...

    def validate(self) -> None: ...

    def transposed(self) -> Graph: ...

def rows_ascending(indptr: numpy.typing.NDArray[numpy.int64], indices: numpy.typing.NDArray[numpy.signedinteger[Any]]) -> bool: ...

def from_csr(indptr: numpy.typing.NDArray[numpy.int64], indices: numpy.typing.NDArray[numpy.signedinteger[Any]], weights: numpy.typing.NDArray[Any] | None, sorted: bool, symmetric: bool | None, name: str) -> Graph:
    """
    Shares int64 indptr, int32 or int64 indices and the weights; symmetric=None finds out.
    """

def from_edges(sources: numpy.typing.NDArray[numpy.signedinteger[Any]], targets: numpy.typing.NDArray[numpy.signedinteger[Any]], weights: numpy.typing.NDArray[Any] | None, vertices: int | None, symmetrize: bool, deduplicate: bool, remove_self_loops: bool, threads: int, name: str) -> Graph:
    """Builds a graph from int32 or int64 endpoint arrays."""

def gpu_from_edges(u: tuple[int, int, str, int, int | None], v: tuple[int, int, str, int, int | None], w: tuple[int, int, str, int, int | None] | None, vertices: int | None, symmetrize: bool, deduplicate: bool, remove_self_loops: bool, name: str) -> Graph:
    """A graph in the memory of the GPU that has the arrays."""

def gpu_from_csr(offsets: tuple[int, int, str, int, int | None], indices: tuple[int, int, str, int, int | None], weights: tuple[int, int, str, int, int | None] | None, sorted: bool | None, symmetric: bool | None, name: str, owner: Any) -> Graph:
    """The same; shares what needs no conversion."""

def dlpack_array(array: Any) -> tuple[int, int, str, int] | None:
    """
    (address, length, type, ordinal) of a contiguous array on a GPU; None for others.
    """

def home_of(address: int) -> int:
    """The GPU that memory is of; -1: none."""

def on_host(graph: Graph) -> Graph: ...

def read(path: str | os.PathLike, format: str, symmetrize: bool, deduplicate: bool, remove_self_loops: bool, threads: int, memory: int, verify_data: bool, progress: Callable[[int, int], None] | None) -> Graph: ...

def plan_read(path: str | os.PathLike, format: str, symmetrize: bool, deduplicate: bool, remove_self_loops: bool, threads: int, memory: int) -> dict[str, Any]:
    """The memory that reading takes at its peak; reads no edges."""

def write(graph: Graph, path: str | os.PathLike, format: str) -> None: ...

def use_xz_decoder(make: Callable[[], Callable[[bytes, int], tuple[bytes, bool]]] | None) -> None:
    """
    make() gives decode(more, room) -> (bytes, wants_more); None: the library's own.
    """

def formats() -> list[tuple[str, str, str, bool, bool]]: ...

def read_partition(path: str | os.PathLike, vertices: int, parts: int) -> numpy.typing.NDArray[numpy.int32]: ...

def read_numbers(path: str | os.PathLike, name: str) -> tuple[numpy.typing.NDArray[numpy.uint8], str]:
    """(bytes of the numbers, NumPy's name of their type)."""

class EdgeList:
    @property
    def edges(self) -> int: ...

    def count_by_source(self, threads: int) -> numpy.typing.NDArray[numpy.int64]:
        """[vertices]: entries whose first end is the vertex."""

def generate_list(spec: str, threads: int, memory: int, progress: Callable[[int, int], None] | None) -> EdgeList: ...

def build_list(list: EdgeList, threads: int, progress: Callable[[int, int], None] | None) -> Graph:
    """The graph of a list, which is consumed."""

def is_generator(text: str) -> bool:
    """True when the text begins with a generator's name and a colon."""

def generate(spec: str, weights: bool, keep_duplicates: bool, threads: int, memory: int, device: int, progress: Callable[[int, int], None] | None) -> Graph: ...

def generate_on_gpu(spec: str, weights: bool, device: int, progress: Callable[[int, int], None] | None) -> Graph:
    """The graph in the memory of a GPU."""

def is_matrix(spec: str) -> bool: ...

def plan_generate(spec: str, weights: bool, keep_duplicates: bool, threads: int, memory: int, device: int) -> dict[str, Any]:
    """What generating takes at its peak."""

def rebuild(graph: Graph, symmetrize: bool, deduplicate: bool, remove_self_loops: bool, threads: int, memory: int) -> Graph: ...

def largest_component(graph: Graph, threads: int, memory: int) -> Graph: ...

def count_triangles(graph: Graph, threads: int, progress: Callable[[int, int], None] | None) -> int: ...

def statistics(graph: Graph, strong: bool, triangles: bool, threads: int, memory: int, progress: Callable[[int, int], None] | None) -> dict[str, Any]: ...

def plan_work(work: str, vertices: int, arcs: int, weight_bytes: int = 0, symmetric: bool = False, symmetrize: bool = False, strong: bool = True, triangles: bool = False) -> int:
    """Bytes that work on a graph takes beside it, at most."""

def partition(graph: Graph, method: str, parts: int, memory: int) -> numpy.typing.NDArray[numpy.int32]: ...

def partition_quality(graph: Graph, part_of: numpy.typing.NDArray[numpy.int32], parts: int, memory: int) -> dict[str, Any]: ...

class Machine:
    """The devices a program runs on, one per rank."""

    @property
    def size(self) -> int: ...

    @property
    def spec(self) -> str: ...

    @property
    def fabric(self) -> str: ...

    @property
    def all_direct(self) -> bool: ...

    @property
    def gpu_messages(self) -> str: ...

    @property
    def beyond(self) -> str: ...

    def here(self, rank: int) -> bool: ...

    def sharing(self) -> list[str]: ...

    def hosts(self) -> list[tuple[list[int], int]]: ...

    def devices(self) -> list[dict[str, Any]]: ...

    def link(self, source: int, target: int) -> dict[str, Any]: ...

def open_machine(spec: str) -> Machine: ...

def resolve_spec(spec: str) -> list[dict[str, Any]]:
    """The devices a spec names, one per rank, without opening them."""

def hardware() -> dict[str, Any]:
    """Every GPU and the processor of this host, and which GPUs reach which."""

class Timeline:
    """Events of runs, by rank."""

    def __init__(self, events: int) -> None: ...

    @property
    def events(self) -> int: ...

    @property
    def dropped(self) -> int: ...

    def json(self) -> str: ...

    def write(self, path: str) -> None: ...

def trace_bytes(machine: Machine, events: int) -> int:
    """Bytes of host memory that recording takes per rank."""

def collective_algorithms() -> list[dict[str, Any]]: ...

def library_algorithms() -> list[dict[str, Any]]: ...

class Schedule:
    """A collective as data."""

    def __init__(self, operation: str, algorithm: str, ranks: int, count: int, element: int, root: int, in_place: bool, direct: bool, segments: int, mapping: Sequence[int], via_host: bool = False, apart: bool = False) -> None: ...

    def text(self) -> str: ...

    def json(self) -> str: ...

    def check(self) -> str: ...

def tune(machine: Machine, operations: Sequence[str], max_bytes: int, progress: Callable[[int, int], None] | None) -> dict[str, Any]: ...

def measure_collective(machine: Machine, operation: str, algorithm: str, bytes: int) -> dict[str, Any]: ...

def collective_choice(machine: Machine, operation: str, bytes: int) -> str: ...

def collective_own_software(machine: Machine) -> list[tuple[str, str, int | None]]: ...

def collective_rules(machine: Machine) -> str: ...

def collective_rules_file(machine: Machine) -> pathlib.Path | None: ...

class PlacedGraph:
    """A graph laid over a machine; kept and reused."""

    @property
    def machine(self) -> Machine: ...

    @property
    def graph(self) -> Graph: ...

    @property
    def whole(self) -> bool: ...

    @property
    def name(self) -> str: ...

    @property
    def vertices(self) -> int: ...

    @property
    def arcs(self) -> int: ...

    @property
    def symmetric(self) -> bool: ...

    @property
    def steps(self) -> list[str]: ...

    @property
    def seconds(self) -> float: ...

    @property
    def uploads(self) -> int: ...

    @property
    def identity(self) -> bool: ...

    @property
    def id_width(self) -> int: ...

    def plan(self) -> dict[str, Any]: ...

    def vertices_of(self, rank: int) -> numpy.typing.NDArray[numpy.int64]:
        """Vertex of each local index of a rank, -1 for holes."""

def place(machine: Machine, graph: Graph, partition: str, part_of: numpy.typing.NDArray[numpy.int32] | None, renumber: str, both_directions: bool, memory: int) -> PlacedGraph: ...

class GraphShape:
    """A graph before it is made or read."""

    def __init__(self, vertices: int, arcs: int, symmetric: bool, vertices_are: str, arcs_are: str, longest_row: int) -> None: ...

@overload
def plan_placement(machine: Machine, graph: Graph, partition: str, part_of: numpy.typing.NDArray[numpy.int32] | None, renumber: str, both_directions: bool, memory: int) -> dict[str, Any]: ...

@overload
def plan_placement(machine: Machine, graph: GraphShape, partition: str, part_of: numpy.typing.NDArray[numpy.int32] | None, renumber: str, both_directions: bool, memory: int) -> dict[str, Any]: ...

def generate_placed(machine: Machine, spec: str, memory: int, progress: Callable[[int, int], None] | None) -> PlacedGraph:
    """A generator's graph made on the ranks, in parts."""

def plan_generate_placed(machine: Machine, spec: str, memory: int) -> dict[str, Any]: ...

def kept_items() -> list[tuple[str, str, str, dict[str, int], int, bool]]:
    """
    (graph, machine, what, bytes by memory, uses, in use) of each, the least recently used first.
    """

def forget_all() -> None: ...

def forget(graph: Graph) -> None: ...

def algorithms() -> dict[str, dict[str, list[dict[str, Any]]]]:
    """Engines and options by algorithm, as dicts."""

class BfsResult:
    @property
    def source(self) -> int: ...

    @property
    def levels(self) -> int: ...

    @property
    def engine(self) -> str: ...

    @property
    def engine_reason(self) -> str: ...

    @property
    def reached(self) -> int: ...

    @property
    def arcs_of_reached(self) -> int: ...

    @property
    def milliseconds(self) -> float: ...

    @property
    def teps(self) -> float: ...

    def per_level(self) -> list[tuple[int, bool, float]]: ...

    def phases(self) -> dict[str, float]: ...

    def messages(self) -> list[tuple[str, int, int, int, float]]: ...

    def overlap(self) -> list[tuple[list[int], float, float, float, float]]: ...

    def work(self) -> tuple[int, ...] | None: ...

    @property
    def link_limit(self) -> float: ...

    @property
    def hidden(self) -> float: ...

    def parents(self) -> numpy.typing.NDArray[numpy.int64]: ...

    def depths(self) -> numpy.typing.NDArray[numpy.int32]: ...

    @property
    def part_count(self) -> int: ...

    def part(self, index: int, parents: bool, length: int = -1) -> tuple[Any, int, int, int, int]: ...

    @property
    def placed(self) -> PlacedGraph: ...

class BfsSearch:
    def run(self, source: int) -> BfsResult: ...

    @property
    def placed(self) -> PlacedGraph: ...

def make_bfs_search(placed: PlacedGraph, timeout: float | None, trace: Timeline | None, **options) -> BfsSearch: ...

@overload
def choose_bfs_ranks(machine: Machine, graph: Graph, renumber: str, memory: int, **options) -> tuple[str, str, str]: ...

@overload
def choose_bfs_ranks(machine: Machine, graph: GraphShape, renumber: str, memory: int, **options) -> tuple[str, str, str]:
    """(spec, why so many ranks, what that takes for granted)."""

@overload
def plan_bfs(machine: Machine, graph: Graph, partition: str, part_of: numpy.typing.NDArray[numpy.int32] | None, renumber: str, both_directions: bool, memory: int, **options) -> dict[str, Any]: ...

@overload
def plan_bfs(machine: Machine, graph: GraphShape, partition: str, part_of: numpy.typing.NDArray[numpy.int32] | None, renumber: str, both_directions: bool, memory: int, **options) -> dict[str, Any]:
    """What placement and search take."""

def verify_bfs(graph: Graph, source: int, parents: numpy.typing.NDArray[numpy.int64], depths: numpy.typing.NDArray[numpy.int32], threads: int, timeout: float | None) -> tuple[bool, str]:
    """(ok, first violation)."""

def verify_parts(result: BfsResult, timeout: float | None) -> tuple[bool, str]:
    """(ok, first violation): checked by the ranks, where the result lies."""

def entries_of_reached(result: BfsResult) -> int:
    """Entries of the generated edge list inside the tree's component."""

@overload
def draw_sources(graph: Graph, count: int, seed: int) -> list[int]: ...

@overload
def draw_sources(graph: PlacedGraph, count: int, seed: int) -> list[int]: ...

class ResultValues:
    """Values by vertex where a run left them."""

    @property
    def ordinal(self) -> int: ...

    def numpy(self) -> numpy.typing.NDArray[Any]: ...

    def view(self) -> tuple[Any, int, int, int, int, str]: ...

class SsspSearch:
    def run(self, source: int) -> dict[str, Any]: ...

def make_sssp_search(machine: Machine, graph: Graph, part_of: numpy.typing.NDArray[numpy.int32] | None, timeout: float | None, **options) -> SsspSearch: ...

@overload
def plan_sssp(machine: Machine, graph: Graph, part_of: numpy.typing.NDArray[numpy.int32] | None, **options) -> dict[str, Any]: ...

@overload
def plan_sssp(machine: Machine, graph: GraphShape, weight_bytes: int, part_of: numpy.typing.NDArray[numpy.int32] | None, **options) -> dict[str, Any]: ...

def verify_sssp(graph: Graph, source: int, distances: numpy.typing.NDArray[Any], parents: numpy.typing.NDArray[numpy.int64] | None, threads: int, timeout: float | None) -> tuple[bool, str]:
    """(ok, first violation)."""

def compare_distances(graph: Graph, distances: numpy.typing.NDArray[Any], expected: numpy.typing.NDArray[numpy.float64], tolerance: float) -> tuple[bool, str]:
    """(ok, first difference)."""

class ComponentsSearch:
    def run(self) -> dict[str, Any]: ...

def make_components_search(machine: Machine, graph: Graph, part_of: numpy.typing.NDArray[numpy.int32] | None, timeout: float | None, **options) -> ComponentsSearch: ...

@overload
def plan_components(machine: Machine, graph: Graph, part_of: numpy.typing.NDArray[numpy.int32] | None, **options) -> dict[str, Any]: ...

@overload
def plan_components(machine: Machine, graph: GraphShape, part_of: numpy.typing.NDArray[numpy.int32] | None, **options) -> dict[str, Any]: ...

def verify_components(graph: Graph, labels: numpy.typing.NDArray[Any], timeout: float | None) -> tuple[bool, str]:
    """(ok, first violation)."""

class PagerankSolver:
    def run(self, personalization: numpy.typing.NDArray[numpy.float64] | None, start: numpy.typing.NDArray[numpy.float64] | None) -> dict[str, Any]: ...

def make_pagerank_solver(machine: Machine, graph: Graph, part_of: numpy.typing.NDArray[numpy.int32] | None, timeout: float | None, **options) -> PagerankSolver: ...

@overload
def plan_pagerank(machine: Machine, graph: Graph, part_of: numpy.typing.NDArray[numpy.int32] | None, **options) -> dict[str, Any]: ...

@overload
def plan_pagerank(machine: Machine, graph: GraphShape, part_of: numpy.typing.NDArray[numpy.int32] | None, **options) -> dict[str, Any]: ...

def verify_pagerank(graph: Graph, ranks: numpy.typing.NDArray[numpy.float64], damping: float, tolerance: float, precision: int, weighted: bool, personalization: numpy.typing.NDArray[numpy.float64] | None, timeout: float | None) -> tuple[bool, float, float, str]:
    """(ok, residual, allowed, reason)."""

def generate_matrix(spec: str, threads: int, memory: int) -> Graph: ...

def with_values(pattern: Graph, seed: int, threads: int) -> Graph: ...

class CgSolver:
    def solve(self, b: numpy.typing.NDArray[numpy.float64], x0: numpy.typing.NDArray[numpy.float64] | None) -> dict[str, Any]: ...

def make_cg_solver(machine: Machine, matrix: Graph, part_of: numpy.typing.NDArray[numpy.int32] | None, timeout: float | None, trace: Timeline | None, **options) -> CgSolver: ...

def plan_cg(machine: Machine, graph: Graph, part_of: numpy.typing.NDArray[numpy.int32] | None, **options) -> dict[str, Any]: ...

def verify_cg(matrix: Graph, b: numpy.typing.NDArray[numpy.float64], x: numpy.typing.NDArray[numpy.float64], tolerance: float, absolute: float, iterations: int, threads: int, timeout: float | None) -> tuple[bool, float, float, str]:
    """(ok, residual, allowed, reason)."""

def program_text(type: int, update: int, expression: str, gpus: int) -> str:
    """Source for the CPU's compiler (0 GPUs) or NVRTC."""

def builtin_expressions() -> list[str]: ...

def program_architectures(machine: Machine) -> list[int]: ...

class ProgramSearch:
    def run(self, initial: numpy.typing.NDArray[Any], active: numpy.typing.NDArray[numpy.int64]) -> dict[str, Any]: ...

def make_program_search(machine: Machine, graph: Graph, type: int, update: int, threshold: float, weighted: bool, label_setting: bool, expression: str, row: int, images: dict[int, bytes], delta: float | None, memory: int, timeout: float | None) -> ProgramSearch: ...

def steps_text(gpu: bool) -> str:
    """What a program's source begins with, for the CPU's compiler or NVRTC."""

class VertexSteps:
    def add_array(self, element: int, shared: bool) -> int: ...

    def write(self, array: int, values: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu')]) -> None: ...

    def read(self, array: int, values: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu')]) -> None: ...

    @property
    def skewed(self) -> bool: ...

    def add_program(self, cpu: int, images: dict[int, bytes], words: int, gathered: int) -> int: ...

    def run(self, program: int, numbers: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu')], timeout: float | None) -> tuple[int, float]: ...

def make_vertex_steps(machine: Machine, graph: Graph, memory: int) -> VertexSteps: ...

def filter(machine: Machine, array: numpy.typing.NDArray[Any], predicate: str, split: str, gather: bool, packet: int, buffers: int, slowdown: Sequence[float], memory: int, timeout: float | None, trace: Timeline | None) -> dict[str, Any]: ...

def verify_filter(array: numpy.typing.NDArray[Any], predicate: str, values: numpy.typing.NDArray[Any]) -> str: ...

def plan_filter(machine: Machine, n: int, element: int, split: str, gather: bool, packet: int, buffers: int, memory: int) -> dict[str, Any]: ...

def filter_graph(machine: Machine, n: int, element: int, split: str, gather: bool, packet: int, buffers: int, json: bool = False) -> str:
    """The graph of endpoints in Graphviz's language, or as JSON."""

class Wiring:
    def __init__(self, machine: Machine) -> None: ...

    def device(self, rank: int) -> int: ...

    def add_endpoint(self, rank: int, name: str) -> int: ...

    def add_router(self, inputs: int, outputs: int, policy: str, choose: Callable[..., list[int]] | None, to_all: bool, name: str) -> int: ...

    def add_reduction(self, inputs: int, outputs: int, endpoints: Sequence[int], parents: Sequence[int], name: str) -> int: ...

    def reduction_parents(self, root: int, shape: str) -> list[int]: ...

    def connect(self, source: int, target: int, packet: int, buffers: int, one_at_a_time: bool) -> int: ...

    def check(self) -> None: ...

    def dot(self) -> str: ...

    def json(self) -> str: ...

    def run(self, program: Callable[[Flow], tuple[BaseException, str] | None], timeout: float | None, trace: Timeline | None) -> None: ...

class Sending:
    def done(self) -> bool: ...

    def wait(self) -> None: ...

class Segment:
    @property
    def released(self) -> bool: ...

    @property
    def usable(self) -> bool: ...

    @property
    def ordinal(self) -> int: ...

    @property
    def number(self) -> int: ...

    @property
    def offset(self) -> int: ...

    @property
    def bytes(self) -> int: ...

    @property
    def total(self) -> int: ...

    @property
    def tag(self) -> int: ...

    @property
    def source(self) -> int: ...

    def view(self, code: int, bits: int) -> Any: ...

    def release(self, stream: int | None) -> None: ...

class Flow:
    @property
    def rank(self) -> int: ...

    @property
    def ranks(self) -> int: ...

    @property
    def ordinal(self) -> int: ...

    def check(self, link: int) -> None: ...

    def send(self, link: int, address: int, bytes: int, element: int, tag: int, to: int, after: int | None) -> Sending: ...

    def shutdown(self, link: int) -> None: ...

    def ready(self, link: int) -> bool: ...

    def receive(self, link: int) -> Segment | None: ...

    def on_receive(self, link: int, callback: Callable[[Segment], None]) -> None: ...

    def progress(self) -> None: ...

    def serve(self) -> None: ...

    def finish(self) -> None: ...

    def clock(self) -> float: ...

    def charge(self, seconds: float) -> None: ...

class NodeList:
    @property
    def nodes(self) -> int: ...

    @property
    def huge_bytes(self) -> int: ...

def make_node_list(nodes: int, seed: int, huge_pages: bool) -> NodeList: ...

def chase_pointers(machine: Machine, list: NodeList, way: str, in_flight: int, references: int, draw: int, delay: float, working_set: int, updates: int) -> tuple[float, int]:
    """(seconds of the slowest rank, references of all)."""

def chase_global(machine: Machine, in_flight: int, references: int, nodes: int, manager: str) -> tuple[float, int, int, float]:
    """
    (seconds of the slowest rank, references of all, parcels of all, messages a parcel).
    """

def system_names() -> list[str]:
    """The modelled systems that are compiled in."""

def system_title(name: str) -> str: ...

def system_nodes(system: str, changes: Sequence[str]) -> int:
    """Nodes of the hardware described; 0 = any number."""

def system_beyond(system: str, changes: Sequence[str], ranks: int) -> str:
    """
    A sentence when there are more ranks than nodes, else empty; UsageError when they are more than the description may be extended to.
    """

def system_software(system: str, changes: Sequence[str]) -> tuple[bool, bool]:
    """What holds for all collectives: (via host memory, mapping searched)."""

def system_collective(system: str, changes: Sequence[str], operation: str, bytes: int, ranks: int, buffers: str) -> tuple[str, bool, bool] | None:
    """
    What the system's own software does: (algorithm, via host memory, mapping searched), or None.
    """

def replay(schedule: Schedule, system: str, changes: Sequence[str], buffers: str) -> dict[str, Any]:
    """What one epoch of a schedule takes on a modelled system."""

def conflicts(schedule: Schedule, system: str, changes: Sequence[str] = []) -> list[int]:
    """By round: how many flows the busiest link carries beyond one."""

def search_mapping(schedule: Schedule, system: str, changes: Sequence[str] = []) -> list[int]:
    """A mapping whose transfers meet less often."""

# Types of the compiled module (python/bindings); tests compare its names with the module's.
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

__version__: str

Progress = Callable[[int, int], None]
Int32s = npt.NDArray[np.int32]
Int64s = npt.NDArray[np.int64]
Doubles = npt.NDArray[np.float64]

class Graph:
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
    def name_map(self) -> Int64s | None: ...
    def name_of(self, index: int) -> int: ...
    def index_of(self, name: int) -> int: ...
    def indptr(self) -> Int64s: ...
    def indices(self) -> npt.NDArray[np.signedinteger[Any]]: ...
    def weights(self) -> npt.NDArray[Any] | None: ...
    def validate(self) -> None: ...
    def transposed(self) -> Graph: ...

class Machine:
    @property
    def size(self) -> int: ...
    @property
    def spec(self) -> str: ...
    @property
    def fabric(self) -> str: ...
    @property
    def beyond(self) -> str: ...
    @property
    def all_direct(self) -> bool: ...
    @property
    def gpu_messages(self) -> str: ...
    def here(self, rank: int) -> bool: ...
    def sharing(self) -> list[str]: ...
    def hosts(self) -> list[tuple[list[int], int]]: ...
    def devices(self) -> list[dict[str, Any]]: ...
    def link(self, source: int, target: int) -> dict[str, Any]: ...

class PlacedGraph:
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
    def vertices_of(self, rank: int) -> Int64s: ...

class BfsResult:
    @property
    def source(self) -> int: ...
    @property
    def engine(self) -> str: ...
    @property
    def engine_reason(self) -> str: ...
    @property
    def levels(self) -> int: ...
    @property
    def reached(self) -> int: ...
    @property
    def arcs_of_reached(self) -> int: ...
    @property
    def milliseconds(self) -> float: ...
    @property
    def teps(self) -> float: ...
    @property
    def link_limit(self) -> float: ...
    @property
    def hidden(self) -> float: ...
    @property
    def part_count(self) -> int: ...
    def overlap(self) -> list[tuple[list[int], float, float, float, float]]: ...
    def work(self) -> tuple[int, int, int, int, int, int, int, int, int, int, int] | None: ...
    @property
    def placed(self) -> PlacedGraph: ...
    def per_level(self) -> list[tuple[int, bool, float]]: ...
    def phases(self) -> dict[str, float]: ...
    def messages(self) -> list[tuple[str, int, int, int, float]]: ...
    def parents(self) -> Int64s: ...
    def depths(self) -> Int32s: ...
    def part(
        self, index: int, parents: bool, length: int = -1
    ) -> tuple[Any, int, int, int, int]: ...

class BfsSearch:
    @property
    def placed(self) -> PlacedGraph: ...
    def run(self, source: int) -> BfsResult: ...

def system_names() -> list[str]: ...
def system_title(name: str) -> str: ...
def replay(schedule: Schedule, system: str, changes: list[str], buffers: str) -> dict[str, Any]: ...
def conflicts(schedule: Schedule, system: str, changes: list[str] = []) -> list[int]: ...
def search_mapping(schedule: Schedule, system: str, changes: list[str] = []) -> list[int]: ...
def system_nodes(system: str, changes: list[str]) -> int: ...
def system_beyond(system: str, changes: list[str], ranks: int) -> str: ...
def system_software(system: str, changes: list[str]) -> tuple[bool, bool]: ...
def system_collective(
    system: str, changes: list[str], operation: str, bytes: int, ranks: int, buffers: str
) -> tuple[str, bool, bool] | None: ...

class ResultValues:
    @property
    def ordinal(self) -> int: ...
    def numpy(self) -> npt.NDArray[Any]: ...
    def view(self) -> tuple[Any, int, int, int, int, str]: ...

class SsspSearch:
    def run(self, source: int) -> dict[str, Any]: ...

def make_sssp_search(
    machine: Machine,
    graph: Graph,
    engine: str,
    delta: float | None,
    parents: bool,
    deterministic: bool,
    balance: str,
    priority: str,
    partition: str,
    part_of: Int32s | None,
    route: str,
    packet: int,
    use: str,
    memory: int,
    timeout: float | None,
) -> SsspSearch: ...
def plan_sssp(
    machine: Machine,
    graph: Graph,
    engine: str,
    parents: bool,
    balance: str,
    priority: str,
    partition: str,
    part_of: Int32s | None,
    route: str,
    packet: int,
    use: str,
    memory: int,
) -> dict[str, Any]: ...
def plan_sssp_shape(
    machine: Machine,
    graph: GraphShape,
    weight_bytes: int,
    engine: str,
    parents: bool,
    balance: str,
    priority: str,
    partition: str,
    part_of: Int32s | None,
    route: str,
    packet: int,
    use: str,
    memory: int,
) -> dict[str, Any]: ...
def verify_sssp(
    graph: Graph,
    source: int,
    distances: npt.NDArray[Any],
    parents: Int64s | None,
    threads: int,
    timeout: float | None,
) -> tuple[bool, str]: ...
def compare_distances(
    graph: Graph, distances: npt.NDArray[Any], expected: Doubles, tolerance: float
) -> tuple[bool, str]: ...

class ProgramSearch:
    def run(self, initial: npt.NDArray[Any], active: Int64s) -> dict[str, Any]: ...

def program_text(type: int, larger: bool, expression: str, gpus: int) -> str: ...
def builtin_expressions() -> list[str]: ...
def program_architectures(machine: Machine) -> list[int]: ...
def make_program_search(
    machine: Machine,
    graph: Graph,
    type: int,
    larger: bool,
    weighted: bool,
    label_setting: bool,
    expression: str,
    row: int,
    images: dict[int, bytes],
    delta: float | None,
    memory: int,
    timeout: float | None,
) -> ProgramSearch: ...

class ComponentsSearch:
    def run(self) -> dict[str, Any]: ...

def make_components_search(
    machine: Machine,
    graph: Graph,
    engine: str,
    balance: str,
    priority: str,
    partition: str,
    part_of: Int32s | None,
    packet: int,
    deterministic: bool,
    use: str,
    memory: int,
    timeout: float | None,
) -> ComponentsSearch: ...
def plan_components(
    machine: Machine,
    graph: Graph | GraphShape,
    engine: str,
    balance: str,
    priority: str,
    partition: str,
    part_of: Int32s | None,
    packet: int,
    use: str,
    memory: int,
) -> dict[str, Any]: ...
def verify_components(
    graph: Graph, labels: npt.NDArray[Any], timeout: float | None
) -> tuple[bool, str]: ...

class PagerankSolver:
    def run(self, personalization: Doubles | None, start: Doubles | None) -> dict[str, Any]: ...

def make_pagerank_solver(
    machine: Machine,
    graph: Graph,
    engine: str,
    balance: str,
    priority: str,
    partition: str,
    part_of: Int32s | None,
    damping: float,
    tolerance: float,
    most_iterations: int,
    precision: int,
    weighted: bool,
    deterministic: bool,
    use: str,
    memory: int,
    timeout: float | None,
) -> PagerankSolver: ...
def plan_pagerank(
    machine: Machine,
    graph: Graph | GraphShape,
    engine: str,
    balance: str,
    priority: str,
    partition: str,
    part_of: Int32s | None,
    precision: int,
    weighted: bool,
    use: str,
    memory: int,
) -> dict[str, Any]: ...
def verify_pagerank(
    graph: Graph,
    ranks: Doubles,
    damping: float,
    tolerance: float,
    precision: int,
    weighted: bool,
    personalization: Doubles | None,
    timeout: float | None,
) -> tuple[bool, float, float, str]: ...

class CgSolver:
    def solve(self, b: Doubles, x0: Doubles | None) -> dict[str, Any]: ...

class NodeList:
    @property
    def nodes(self) -> int: ...
    @property
    def huge_bytes(self) -> int: ...

def make_node_list(nodes: int, seed: int, huge_pages: bool) -> NodeList: ...
def chase_pointers(
    machine: Machine,
    list: NodeList,
    way: str,
    in_flight: int,
    references: int,
    draw: int,
    delay: float,
    working_set: int,
    updates: int,
) -> tuple[float, int]: ...
def chase_global(
    machine: Machine, in_flight: int, references: int, nodes: int, manager: str
) -> tuple[float, int, int, float]: ...
def generate_matrix(spec: str, threads: int, memory: int) -> Graph: ...
def with_values(pattern: Graph, seed: int, threads: int) -> Graph: ...

class OutputFile:
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

class Timeline:
    def __init__(self, events: int) -> None: ...
    @property
    def events(self) -> int: ...
    @property
    def dropped(self) -> int: ...
    def json(self) -> str: ...
    def write(self, path: str) -> None: ...

def trace_bytes(machine: Machine, events: int) -> int: ...
def make_cg_solver(
    machine: Machine,
    matrix: Graph,
    tolerance: float,
    absolute: float,
    most_iterations: int | None,
    exactly: int | None,
    jacobi: bool,
    exchange: str,
    partition: str,
    part_of: Any,
    engine: str,
    use: str,
    memory: int,
    timeout: float | None,
    trace: Timeline | None,
) -> CgSolver: ...
def plan_cg(
    machine: Machine,
    matrix: Graph,
    jacobi: bool,
    exchange: str,
    partition: str,
    part_of: Any,
    engine: str,
    use: str,
    memory: int,
) -> dict[str, Any]: ...
def verify_cg(
    matrix: Graph,
    b: Doubles,
    x: Doubles,
    tolerance: float,
    absolute: float,
    iterations: int,
    threads: int,
    timeout: float | None,
) -> tuple[bool, float, float, str]: ...
def filter(
    machine: Machine,
    array: npt.NDArray[Any],
    predicate: str,
    split: str,
    gather: bool,
    packet: int,
    buffers: int,
    slowdown: list[float],
    memory: int,
    timeout: float | None,
    trace: Timeline | None,
) -> dict[str, Any]: ...
def verify_filter(array: npt.NDArray[Any], predicate: str, values: npt.NDArray[Any]) -> str: ...
def plan_filter(
    machine: Machine,
    n: int,
    element: int,
    split: str,
    gather: bool,
    packet: int,
    buffers: int,
    memory: int,
) -> dict[str, Any]: ...
def filter_graph(
    machine: Machine,
    n: int,
    element: int,
    split: str,
    gather: bool,
    packet: int,
    buffers: int,
    json: bool = False,
) -> str: ...
def join_abandoned() -> None: ...
def end_calls() -> None: ...
def build_info() -> dict[str, Any]: ...
def cuda_versions() -> tuple[int, int]: ...
def parse_bytes(text: str) -> int: ...
def format_bytes(bytes: int) -> str: ...
def peak_bytes() -> int: ...
def memory_in_use(ordinal: int) -> tuple[int, int]: ...
def begin_peaks() -> None: ...
def host_memory() -> tuple[int, str]: ...
def dlpack_to_host(array: Any) -> tuple[npt.NDArray[np.uint8], int, int]: ...
def pointer_to_host(pointer: int, bytes: int, stream: int | None) -> npt.NDArray[np.uint8]: ...
def upload(array: npt.NDArray[Any], ordinal: int) -> tuple[Any, int]: ...
def rows_ascending(indptr: Int64s, indices: npt.NDArray[np.signedinteger[Any]]) -> bool: ...
def from_csr(
    indptr: Int64s,
    indices: npt.NDArray[np.signedinteger[Any]],
    weights: npt.NDArray[Any] | None,
    sorted: bool,
    symmetric: bool | None,
    name: str,
) -> Graph: ...
def from_edges(
    sources: npt.NDArray[np.signedinteger[Any]],
    targets: npt.NDArray[np.signedinteger[Any]],
    weights: npt.NDArray[Any] | None,
    vertices: int | None,
    symmetrize: bool,
    deduplicate: bool,
    remove_self_loops: bool,
    threads: int,
    name: str,
) -> Graph: ...
def read(
    path: str,
    format: str,
    symmetrize: bool,
    deduplicate: bool,
    remove_self_loops: bool,
    threads: int,
    memory: int,
    verify_data: bool,
    progress: Progress | None,
) -> Graph: ...
def plan_read(
    path: str,
    format: str,
    symmetrize: bool,
    deduplicate: bool,
    remove_self_loops: bool,
    threads: int,
    memory: int,
) -> dict[str, Any]: ...
def write(graph: Graph, path: str, format: str) -> None: ...
def use_xz_decoder(
    make: Callable[[], Callable[[bytes, int], tuple[bytes, bool]]] | None,
) -> None: ...
def formats() -> list[tuple[str, str, str, bool, bool]]: ...
def read_partition(path: str, vertices: int, parts: int) -> Int32s: ...
def read_numbers(path: str, name: str) -> tuple[npt.NDArray[np.uint8], str]: ...
def is_generator(text: str) -> bool: ...
def generate(
    spec: str,
    weights: bool,
    keep_duplicates: bool,
    threads: int,
    memory: int,
    device: int,
    progress: Progress | None,
) -> Graph: ...

class EdgeList:
    @property
    def edges(self) -> int: ...
    def count_by_source(self, threads: int) -> Int64s: ...

def generate_list(spec: str, threads: int, memory: int, progress: Progress | None) -> EdgeList: ...
def build_list(list: EdgeList, threads: int, progress: Progress | None) -> Graph: ...
def plan_generate(
    spec: str, weights: bool, keep_duplicates: bool, threads: int, memory: int, device: int
) -> dict[str, Any]: ...
def rebuild(
    graph: Graph,
    symmetrize: bool,
    deduplicate: bool,
    remove_self_loops: bool,
    threads: int,
    memory: int,
) -> Graph: ...
def largest_component(graph: Graph, threads: int, memory: int) -> Graph: ...
def count_triangles(graph: Graph, threads: int, progress: Progress | None) -> int: ...
def statistics(
    graph: Graph,
    strong: bool,
    triangles: bool,
    threads: int,
    memory: int,
    progress: Progress | None,
) -> dict[str, Any]: ...
def plan_work(
    work: str,
    vertices: int,
    arcs: int,
    weight_bytes: int = 0,
    symmetric: bool = False,
    symmetrize: bool = False,
    strong: bool = True,
    triangles: bool = False,
) -> int: ...
def partition(graph: Graph, method: str, parts: int, memory: int) -> Int32s: ...
def partition_quality(graph: Graph, part_of: Int32s, parts: int, memory: int) -> dict[str, Any]: ...
def open_machine(spec: str) -> Machine: ...
def resolve_spec(spec: str) -> list[dict[str, Any]]: ...
def hardware() -> dict[str, Any]: ...

class GraphShape:
    def __init__(
        self,
        vertices: int,
        arcs: int,
        symmetric: bool,
        vertices_are: str,
        arcs_are: str,
        longest_row: int,
    ) -> None: ...

def generate_on_gpu(spec: str, weights: bool, device: int, progress: Progress | None) -> Graph: ...
def is_matrix(spec: str) -> bool: ...
def gpu_from_edges(
    u: tuple[int, int, str, int, int | None],
    v: tuple[int, int, str, int, int | None],
    w: tuple[int, int, str, int, int | None] | None,
    vertices: int | None,
    symmetrize: bool,
    deduplicate: bool,
    remove_self_loops: bool,
    name: str,
) -> Graph: ...
def gpu_from_csr(
    offsets: tuple[int, int, str, int, int | None],
    indices: tuple[int, int, str, int, int | None],
    weights: tuple[int, int, str, int, int | None] | None,
    sorted: bool | None,
    symmetric: bool | None,
    name: str,
    owner: Any,
) -> Graph: ...
def dlpack_array(array: Any) -> tuple[int, int, str, int] | None: ...
def home_of(address: int) -> int: ...
def on_host(graph: Graph) -> Graph: ...
def kept_items() -> list[tuple[str, str, str, dict[str, int], int, bool]]: ...
def forget_all() -> None: ...
def forget(graph: Graph) -> None: ...
def place(
    machine: Machine,
    graph: Graph,
    partition: str,
    part_of: Int32s | None,
    renumber: str,
    both_directions: bool,
    memory: int,
) -> PlacedGraph: ...
def generate_placed(
    machine: Machine, spec: str, memory: int, progress: Progress | None
) -> PlacedGraph: ...
def plan_generate_placed(machine: Machine, spec: str, memory: int) -> dict[str, Any]: ...
def plan_placement(
    machine: Machine,
    graph: Graph | GraphShape,
    partition: str,
    part_of: Int32s | None,
    renumber: str,
    both_directions: bool,
    memory: int,
) -> dict[str, Any]: ...
def make_bfs_search(
    placed: PlacedGraph,
    direction: str,
    engine: str,
    transport: str,
    results: str,
    duplicates: str,
    balance: str,
    priority: str,
    deterministic: bool,
    alpha: float,
    beta: float,
    timeout: float | None,
    trace: Timeline | None,
) -> BfsSearch: ...
def plan_bfs(
    machine: Machine,
    graph: Graph | GraphShape,
    partition: str,
    part_of: Int32s | None,
    renumber: str,
    both_directions: bool,
    memory: int,
    direction: str,
    engine: str,
    transport: str,
    results: str,
    duplicates: str,
    balance: str,
    priority: str,
    deterministic: bool,
) -> dict[str, Any]: ...
def verify_bfs(
    graph: Graph,
    source: int,
    parents: Int64s,
    depths: Int32s,
    threads: int,
    timeout: float | None,
) -> tuple[bool, str]: ...
def verify_parts(result: BfsResult, timeout: float | None) -> tuple[bool, str]: ...
def entries_of_reached(result: BfsResult) -> int: ...
def choose_bfs_ranks(
    machine: Machine,
    graph: Graph | GraphShape,
    renumber: str,
    memory: int,
    engine: str,
    deterministic: bool,
) -> tuple[str, str, str]: ...
def draw_sources(graph: Graph | PlacedGraph, count: int, seed: int) -> list[int]: ...

class Schedule:
    def __init__(
        self,
        operation: str,
        algorithm: str,
        ranks: int,
        count: int,
        element: int,
        root: int,
        in_place: bool,
        direct: bool,
        segments: int,
        mapping: list[int],
        via_host: bool = False,
        apart: bool = False,
    ) -> None: ...
    def text(self) -> str: ...
    def json(self) -> str: ...
    def check(self) -> str: ...

def collective_algorithms() -> list[dict[str, Any]]: ...
def library_algorithms() -> list[dict[str, Any]]: ...
def tune(
    machine: Machine, operations: list[str], max_bytes: int, progress: Progress | None
) -> dict[str, Any]: ...
def measure_collective(
    machine: Machine, operation: str, algorithm: str, bytes: int
) -> dict[str, Any]: ...
def collective_choice(machine: Machine, operation: str, bytes: int) -> str: ...
def collective_own_software(machine: Machine) -> list[tuple[str, str, int | None]]: ...
def collective_rules(machine: Machine) -> str: ...
def collective_rules_file(machine: Machine) -> Path | None: ...

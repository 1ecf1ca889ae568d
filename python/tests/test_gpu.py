"""Arrays of GPUs in and out without host copies, and searches on GPUs."""

from __future__ import annotations

from typing import Any

import gossamer as gs
import numpy as np
import pytest

pytestmark = pytest.mark.gpu


@pytest.fixture(scope="module")
def searched() -> gs.BfsResult:
    graph = gs.kronecker(14)
    return gs.bfs(graph, gs.draw_sources(graph, 1)[0], "cuda:0")


def expected(result: gs.BfsResult) -> np.ndarray:
    return gs.bfs(result.graph, result.source, "cpu:1").depths


def in_graph_order(part: gs.Part, values: np.ndarray, n: int) -> np.ndarray:
    out = np.empty(n, values.dtype)
    here = part.vertices >= 0
    out[part.vertices[here]] = values[here]
    return out


def test_results_are_right(searched: gs.BfsResult) -> None:
    assert np.array_equal(searched.depths, expected(searched))
    searched.verify()


def test_the_interfaces_name_device_memory(searched: gs.BfsResult) -> None:
    (part,) = searched.parts
    assert part.device == "cuda:0" and part.depths.__dlpack_device__() == (2, 0)
    face = part.depths.__cuda_array_interface__
    assert face["typestr"] == "<i4" and face["shape"] == part.depths.shape
    with pytest.raises(gs.UsageError, match="ambiguous"):
        part.depths.__dlpack__(stream=0)
    depths = in_graph_order(part, part.depths.numpy(), searched.graph.vertices)
    assert np.array_equal(depths, searched.depths)
    with pytest.raises(TypeError, match="on a GPU"):
        np.asarray(part.depths)


def test_cupy_takes_parts_and_gives_edges(searched: gs.BfsResult) -> None:
    cupy: Any = pytest.importorskip("cupy")
    (part,) = searched.parts
    address = part.depths.__cuda_array_interface__["data"][0]
    with cupy.cuda.Stream(non_blocking=True):
        for array in (cupy.from_dlpack(part.depths), cupy.asarray(part.depths)):
            assert array.data.ptr == address
            depths = in_graph_order(part, cupy.asnumpy(array), searched.graph.vertices)
            assert np.array_equal(depths, searched.depths)
        u, v = cupy.arange(999, dtype=cupy.int32), cupy.arange(1, 1000, dtype=cupy.int32)
        graph = gs.from_edges(u, v, symmetrize=True)
    assert gs.bfs(graph, 0, "cuda:0").levels == 1000


def test_torch_takes_parts_and_gives_edges(searched: gs.BfsResult) -> None:
    torch: Any = pytest.importorskip("torch")
    (part,) = searched.parts
    tensor = torch.from_dlpack(part.depths)
    assert tensor.device.index == 0 and tensor.device.type == "cuda"
    assert tensor.data_ptr() == part.depths.__cuda_array_interface__["data"][0]
    depths = in_graph_order(part, tensor.cpu().numpy(), searched.graph.vertices)
    assert np.array_equal(depths, searched.depths)
    u = torch.arange(0, 999, device="cuda:0")
    graph = gs.from_edges(u, u + 1, symmetrize=True)
    assert graph.vertices == 1000 and graph.arcs == 1998


def test_gather_on_a_gpu(searched: gs.BfsResult) -> None:
    for what, host in (("depths", searched.depths), ("parents", searched.parents)):
        there = searched.gather("cuda:0", what)
        assert there.device == "cuda:0" and len(there) == searched.graph.vertices
        assert np.array_equal(there.numpy(), host)


def test_gpu_memory_outlives_the_result() -> None:
    graph = gs.grid(100, 100)
    placed = gs.Machine("cuda:0").place(graph)
    search = gs.BfsSearch(placed)
    first = search.run(0)
    depths, kept = first.depths.copy(), first.parts[0]
    del first
    for source in range(1, 20):
        search.run(source)
    assert np.array_equal(in_graph_order(kept, kept.depths.numpy(), graph.vertices), depths)
    assert placed.uploads == 1


def test_generating_on_a_gpu_gives_the_same_bytes() -> None:
    there, here = gs.kronecker(12, device=0), gs.kronecker(12)
    assert np.array_equal(there.indptr, here.indptr)
    assert np.array_equal(there.indices, here.indices)


@pytest.mark.parametrize("spec", ["cuda:0*3", "cpu:1x2+cuda:0", "cuda"])
def test_machines_with_gpus(spec: str) -> None:
    graph = gs.kronecker(10)
    source = gs.draw_sources(graph, 1)[0]
    result = gs.bfs(graph, source, spec)
    assert np.array_equal(result.depths, gs.bfs(graph, source, "cpu:1").depths)
    result.verify()
    assert [p.rank for p in result.parts] == list(range(len(result.parts)))


@pytest.mark.parametrize("spec", ["cuda:0", "cuda:0*3", "cuda"])
def test_components_on_gpus(spec: str) -> None:
    graph = gs.kronecker(12)
    found = gs.components(graph, spec)
    assert found.engine == "sync"
    assert np.array_equal(found.labels, gs.components(graph, "cpu:1").labels)
    gs.verify_components(graph, found.labels)
    flooded = gs.components(graph, spec, engine="async", use="all")
    assert flooded.engine == "async" and np.array_equal(flooded.labels, found.labels)
    with pytest.raises(gs.NotCompiled, match="engine 'tasks' of bfs on GPUs"):
        gs.bfs(graph, 0, spec, engine="tasks")


@pytest.mark.parametrize("spec", ["cuda:0", "cuda:0*3", "cpu:1x2+cuda:0", "cpu:2x1+cuda:0*2"])
def test_routed_components_on_gpus(spec: str) -> None:
    graph = gs.kronecker(12)
    found = gs.components(graph, spec, engine="routed")
    assert len(found.edges_of_ranks) == gs.Machine(spec).size
    assert np.array_equal(found.labels, gs.components(graph, "cpu:1").labels)


@pytest.mark.parametrize("spec", ["cuda:0", "cuda:0*3"])
@pytest.mark.parametrize("weighted", [False, True])
def test_pagerank_on_gpus(spec: str, weighted: bool) -> None:
    graph = gs.kronecker(12, weights=True)
    result = gs.pagerank(graph, spec, weighted=weighted)
    assert result.engine == "sync" and result.milliseconds > 0
    gs.verify_pagerank(graph, result.ranks, weighted=weighted)
    there = gs.pagerank(graph, "cpu:1", weighted=weighted).ranks
    assert np.abs(result.ranks - there).sum() < 1e-5
    pushed = gs.pagerank(graph, spec, engine="async", weighted=weighted)
    gs.verify_pagerank(graph, pushed.ranks, weighted=weighted)
    assert np.abs(pushed.ranks - there).sum() < 2e-5
    assert pushed.engine == "async" and pushed.change <= 1e-6 and set(pushed.phases) == {"push"}
    assert pushed.work is not None and pushed.work.items >= np.count_nonzero(graph.degrees)
    assert (pushed.work.sent > 0) == (spec != "cuda:0")


@pytest.mark.parametrize("spec", ["cuda:0", "cuda:0*3"])
def test_worklists_on_gpus(spec: str) -> None:
    graph = gs.kronecker(12, weights=True)
    source = gs.draw_sources(graph, 1)[0]
    found = gs.bfs(graph, source, spec, engine="async", use="all")
    found.verify()
    assert found.work is not None and found.work.items >= found.reached
    paths = gs.sssp(graph, source, spec, engine="async", use="all")
    assert np.array_equal(paths.distances, gs.sssp(graph, source, "cpu:1").distances)
    assert paths.work is not None and (paths.work.sent > 0) == (spec != "cuda:0")


@pytest.mark.parametrize("spec", ["cuda:0", "cuda:0*3", "cpu:1x1+cuda:0"])
def test_filter_on_gpus(spec: str) -> None:
    array = np.random.default_rng(1).random(1_000_003, dtype=np.float32)
    result = gs.filter(array, "<0.3", spec)
    assert np.array_equal(result.values, array[array < 0.3])
    assert sum(share.elements for share in result.shares) == len(array)


def test_graph500_makes_its_graph_on_the_gpus() -> None:
    how = {"edge_factor": 4, "seed": 4, "roots": 8}
    for where in ("cuda:0", "cuda:0*2"):
        run = gs.Graph500(13, machine=where, **how)
        assert run.parts and not gs.Graph500(13, machine=where, renumber="degree", **how).parts
        purposes = {e.purpose: e.memory for e in run.plan().entries}
        assert purposes["validation"] == purposes["sorting"] == "device"
        parts = run.run()
        assert parts.failure is None and set(parts.construction) == {"generate", "prepare"}
        whole = gs.graph500(13, machine="cpu:1x1", **how)
        for one, other in zip(parts.searches, whole.searches, strict=True):
            assert (one.root, one.nedge, one.edges) == (other.root, other.nedge, other.edges)
    assert not gs.Graph500(9, machine="cuda:0*2").parts

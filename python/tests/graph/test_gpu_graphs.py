"""Graphs of arrays on GPUs: made there, searched there, copied to the host when asked."""

from __future__ import annotations

import gc
from typing import Any

import gossamer as gs
import numpy as np
import pytest

pytestmark = pytest.mark.gpu


@pytest.fixture(scope="module", params=["cupy", "torch"])
def library(request: pytest.FixtureRequest) -> Any:
    return pytest.importorskip(request.param)


def there(library: Any, array: Any) -> Any:
    if library.__name__ == "torch":
        return library.from_numpy(np.array(array)).to("cuda:0")
    return library.asarray(array)


@pytest.fixture(scope="module")
def host() -> gs.Graph:
    return gs.kronecker(12, weights=True)


@pytest.fixture
def graph(library: Any, host: gs.Graph) -> gs.Graph:
    arrays = (there(library, a) for a in (host.indptr, host.indices, host.weights))
    return gs.from_csr(*arrays, symmetric=True, name=host.name)


def copied(graph: gs.Graph) -> bool:
    return "_copy" in vars(graph)


def test_it_stays_there(graph: gs.Graph, host: gs.Graph) -> None:
    assert graph.device == "cuda:0" and host.device == "host"
    assert (graph.vertices, graph.arcs, graph.symmetric) == (host.vertices, host.arcs, True)
    assert graph.weighted and graph.id_width == 4 and graph.sorted
    machine = gs.Machine("cuda:0")
    source = gs.draw_sources(host, 1)[0]
    tree = gs.bfs(graph, source, machine)
    paths = gs.sssp(graph, source, machine)
    parts = gs.components(graph, machine)
    ranks = gs.pagerank(graph, machine)
    weighted = gs.pagerank(graph, machine, weighted=True)
    assert not copied(graph)
    assert np.array_equal(tree.depths, gs.bfs(host, source, machine).depths)
    assert np.array_equal(paths.distances, gs.sssp(host, source, machine).distances)
    assert np.array_equal(parts.labels, gs.components(host, machine).labels)
    assert np.array_equal(ranks.ranks, gs.pagerank(host, machine).ranks)
    assert np.array_equal(weighted.ranks, gs.pagerank(host, machine, weighted=True).ranks)
    assert not copied(graph)


def test_the_host_gets_a_copy_when_it_needs_one(graph: gs.Graph, host: gs.Graph) -> None:
    assert np.array_equal(graph.indices, host.indices) and copied(graph)
    assert graph.device == "cuda:0"
    assert np.array_equal(graph.to("host").weights, host.weights)
    assert graph.to("host").device == "host" and host.to("host") is host
    with pytest.raises(gs.UsageError, match="to: a graph is copied to 'host', not to 'cuda:1'"):
        graph.to("cuda:1")
    graph.validate()
    source = gs.draw_sources(graph, 1)[0]
    gs.bfs(graph, source, "cuda:0").verify()
    gs.verify_components(graph, gs.components(graph, "cuda:0").labels)
    assert gs.components(graph, "cpu:2").count == gs.components(graph, "cuda:0").count
    tree = gs.sssp(graph, source, "cuda:0", parents=True)
    assert tree.parents is not None
    gs.verify_sssp(graph, source, tree.distances, tree.parents)
    flooded = gs.components(graph, "cuda:0", engine="async")
    assert np.array_equal(flooded.labels, gs.components(host, "cpu:1").labels)
    assert gs.SsspSearch.plan(graph, gs.Machine("cuda:0")).total > 0


def test_results_on_the_device(library: Any, graph: gs.Graph, host: gs.Graph) -> None:
    labels = gs.components(graph, "cuda:0").gather("labels", "cuda:0")
    assert labels.device == "cuda:0" and labels.dtype == np.int32
    ranks = gs.pagerank(graph, "cuda:0").gather("ranks", 0)
    assert ranks.dtype == np.float32
    taken = library.from_dlpack(ranks)
    assert abs(float(taken.sum()) - 1) < 1e-4
    assert np.array_equal(labels.numpy(), gs.components(host, "cuda:0").labels)
    paths = gs.sssp(graph, 0, "cuda:0")
    assert np.array_equal(paths.gather("distances", "cuda:0").numpy(), paths.distances)
    with pytest.raises(
        gs.UsageError, match="gather: 'depths' is none of raw_distances, distances, parents"
    ):
        paths.gather("depths")
    with pytest.raises(gs.UsageError, match="gather: this result has no parents"):
        paths.gather("parents", 0)


def test_edges(library: Any) -> None:
    rng = np.random.default_rng(3)
    u, v = rng.integers(0, 5000, (2, 40000), dtype=np.int32)
    w = rng.integers(1, 255, 40000, dtype=np.int32)
    for options in (
        {},
        {"symmetrize": True},
        {"symmetrize": True, "deduplicate": True, "remove_self_loops": True},
    ):
        for weights in (None, w):
            made = gs.from_edges(
                there(library, u), there(library, v),
                None if weights is None else there(library, weights), **options,
            )  # fmt: skip
            want = gs.from_edges(u, v, weights, **options)
            assert made.device == "cuda:0" and made.symmetric == want.symmetric
            assert made.steps == want.steps
            assert np.array_equal(made.indptr, want.indptr)
            assert np.array_equal(made.indices, want.indices)
            if weights is not None:
                assert np.array_equal(made.weights, want.weights)


@pytest.mark.parametrize(
    ("u", "v", "n"), [([0, 1, -3], [1, 2, 0], None), ([0, 1, 7], [1, 2, 0], 5)]
)
def test_what_the_host_refuses(library: Any, u: Any, v: Any, n: Any) -> None:
    arrays = [np.array(a, dtype=np.int64) for a in (u, v)]
    with pytest.raises(gs.InputError) as on_host:
        gs.from_edges(*arrays, n=n)
    with pytest.raises(gs.InputError) as on_gpu:
        gs.from_edges(*(there(library, a) for a in arrays), n=n)
    assert str(on_gpu.value) == str(on_host.value)


def test_weights_that_are_refused(library: Any, host: gs.Graph) -> None:
    weights = np.array(host.weights, dtype=np.float32)
    weights[77] = -1
    wrong = [gs.from_csr(host.indptr, host.indices, weights, symmetric=False)]
    arrays = (there(library, a) for a in (host.indptr, host.indices, weights))
    wrong.append(gs.from_csr(*arrays, symmetric=False))
    messages = []
    for graph in wrong:
        with pytest.raises(gs.InputError) as refused:
            gs.sssp(graph, 0, "cuda:0")
        messages.append(str(refused.value))
    assert messages[0] == messages[1] and "has the weight -1" in messages[0]


def test_arrays_of_other_types_go_by_the_host(library: Any) -> None:
    u = there(library, np.arange(0, 99, dtype=np.int16))
    v = there(library, np.arange(1, 100, dtype=np.int16))
    graph = gs.from_edges(u, v)
    assert graph.device == "host" and graph.arcs == 99


def test_it_keeps_the_arrays(library: Any, host: gs.Graph) -> None:
    indptr, indices = there(library, host.indptr), there(library, host.indices)
    graph = gs.from_csr(indptr, indices, symmetric=True)
    del indptr, indices
    gc.collect()
    filler = there(library, np.full(host.arcs, 3, dtype=np.int32))  # where they would have been
    assert gs.components(graph, "cuda:0").count == gs.components(host, "cpu:1").count
    del filler
    graph.forget()
    assert all(e.graph != graph.name for e in gs.cache().entries)


def test_directed(library: Any) -> None:
    rng = np.random.default_rng(4)
    u, v = rng.integers(0, 900, (2, 5000), dtype=np.int32)
    here = gs.from_edges(u, v, deduplicate=True)
    graph = gs.from_edges(there(library, u), there(library, v), deduplicate=True)
    assert graph.directed
    assert np.array_equal(
        gs.components(graph, "cuda:0").labels, gs.components(here, "cpu:1").labels
    )
    ranks = gs.pagerank(graph, "cuda:0").ranks
    assert np.array_equal(ranks, gs.pagerank(here, "cuda:0").ranks)
    assert not copied(graph)
    tree = gs.bfs(graph, 0, "cuda:0")  # in both directions, by the host's copy
    assert np.array_equal(tree.depths, gs.bfs(here, 0, "cpu:1").depths)


@pytest.mark.parametrize("weights", [False, True])
@pytest.mark.parametrize("spec", ["kron:12", "uniform:10", "grid:50x40", "road:60"])
def test_generators(spec: str, weights: bool) -> None:
    there = gs.generate(spec, weights=weights, device=0)
    here = gs.generate(spec, weights=weights)
    assert there.device == "cuda:0" and there.steps == here.steps and there.symmetric
    assert there.weight_source == here.weight_source and there.name == here.name
    assert gs.draw_sources(there, 5) == gs.draw_sources(here, 5) and not copied(there)
    assert np.array_equal(there.indptr, here.indptr)
    assert np.array_equal(there.indices, here.indices)
    if here.weighted:
        assert np.array_equal(there.weights, here.weights)
    assert gs.generate("poisson:9", device=0).device == "host"
    assert gs.generate("kron:8", device=0, keep_duplicates=True).device == "host"

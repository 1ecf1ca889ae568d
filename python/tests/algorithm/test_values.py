"""Results by vertex, on the host; graph/test_gpu_graphs.py has those that stay on a GPU."""

from __future__ import annotations

import dataclasses
from typing import Any

import gossamer as gs
import numpy as np
import pytest


@pytest.fixture(scope="module")
def graph() -> gs.Graph:
    return gs.kronecker(8, weights=True)


def test_arrays_by_name(graph: gs.Graph) -> None:
    paths = gs.sssp(graph, 1, "cpu:1", parents=True)
    parts, ranks = gs.components(graph, "cpu:1"), gs.pagerank(graph, "cpu:1")
    assert paths.gather("distances") is paths.distances
    assert paths.gather("raw_distances") is paths.raw_distances
    assert np.array_equal(paths.gather("parents", "cpu"), paths.parents)
    assert parts.gather("labels") is parts.labels and parts.labels.dtype == np.int32
    assert ranks.gather("ranks") is ranks.ranks and ranks.ranks.dtype == np.float32


def test_results_say_how_many_ranks_worked(graph: gs.Graph) -> None:
    for machine, ranks in (("cpu:1x1", 1), ("cpu:3x1", 3), ("sim:peach2,ranks=4", 4)):
        results: list[Any] = [
            gs.bfs(graph, 1, machine), gs.sssp(graph, 1, machine), gs.components(graph, machine),
            gs.pagerank(graph, machine),
            gs.CgSolver(gs.matrix("poisson:9x9"), machine, use="all").solve(np.ones(81)),
        ]  # fmt: skip
        assert [result.ranks_used for result in results] == [ranks] * 5
        assert not any(result.ranks_reason for result in results)
    placed = gs.Machine("cpu:2x1").place(graph)
    assert gs.BfsSearch(placed).run(1).ranks_used == 2
    assert "ranks used" in gs.bfs(placed, 1)._repr_html_()


def test_values_are_no_part_of_the_text(graph: gs.Graph) -> None:
    result = gs.components(graph, "cpu:1")
    assert "_values" not in repr(result) and "count=" in repr(result)
    assert dataclasses.replace(result, count=7).count == 7


@pytest.mark.parametrize(
    ("what", "device", "message"),
    [
        ("depths", "cpu", "gather: 'depths' is none of raw_distances, distances, parents"),
        ("parents", "cuda:0", "gather: this result has no parents"),
        ("distances", "tpu", "no such device: 'tpu' (cpu, cuda:K)"),
        ("distances", 1.5, "gather: device: expected an integer, got 1.5"),
    ],
)
def test_what_gather_refuses(graph: gs.Graph, what: Any, device: Any, message: Any) -> None:
    with pytest.raises(gs.UsageError) as refused:
        gs.sssp(graph, 1, "cpu:1").gather(what, device)
    assert str(refused.value) == message


def test_a_host_graph_says_where_it_is(graph: gs.Graph) -> None:
    assert graph.device == "host" and graph.to("host") is graph
    with pytest.raises(gs.UsageError, match="to: a graph is copied to 'host', not to 'cuda:0'"):
        graph.to("cuda:0")

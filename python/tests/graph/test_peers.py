"""Graphs of igraph, and edges as PyTorch Geometric has them."""

from __future__ import annotations

import sys
from typing import Any

import gossamer as gs
import numpy as np
import pytest


def ig() -> Any:
    return pytest.importorskip("igraph")


def test_igraph_with_names_and_weights() -> None:
    theirs = ig().Graph([(0, 1), (1, 0), (2, 2)], directed=True)
    theirs.vs["name"] = ["a", "b", "c"]
    theirs.es["weight"] = [1.5, 2.5, 3.5]
    graph = gs.from_igraph(theirs)
    assert graph.names.tolist() == ["a", "b", "c"]
    assert graph.to_scipy().toarray().tolist() == [[0, 1.5, 0], [2.5, 0, 0], [0, 0, 3.5]]
    assert not gs.from_igraph(theirs, weight=None).weighted


def test_igraph_without_direction_keeps_parallel_edges() -> None:
    graph = gs.from_igraph(ig().Graph([(0, 1), (1, 0), (2, 2)]))
    assert graph.symmetric and graph.arcs == 5 and graph.indices.tolist() == [1, 1, 0, 0, 2]
    assert gs.from_igraph(ig().Graph(4)).vertices == 4


def test_igraph_distances_agree() -> None:
    theirs = ig().Graph.Erdos_Renyi(n=60, m=150)
    theirs.es["weight"] = [1 + e.index % 7 for e in theirs.es]
    want = np.array(theirs.distances(0, weights="weight")[0])
    gs.compare_distances(gs.from_igraph(theirs), want, want)
    found = gs.sssp(gs.from_igraph(theirs), 0, "cpu:1")
    gs.compare_distances(gs.from_igraph(theirs), found.distances, want)


def test_igraph_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    theirs = ig().Graph([(0, 1), (1, 2)])
    theirs.es["weight"] = [1, None]
    with pytest.raises(gs.InputError, match="from_igraph: edge 1, 1 -> 2, has no weight"):
        gs.from_igraph(theirs)
    theirs.vs["name"] = ["ann", "bob", "cleo"]
    with pytest.raises(gs.InputError, match="from_igraph: edge 1, 'bob' -> 'cleo', has no weight"):
        gs.from_igraph(theirs)
    with pytest.raises(gs.UsageError, match=r"expected an igraph.Graph, got list"):
        gs.from_igraph([])
    monkeypatch.setitem(sys.modules, "igraph", None)
    with pytest.raises(gs.UsageError, match="from_igraph needs igraph, which is not installed"):
        gs.from_igraph(theirs)


class Tensor:
    """What is used of a tensor that needs a gradient: NumPy may have it only once detached."""

    def __init__(self, values: Any, attached: bool = False) -> None:
        self.values = np.asarray(values)
        self.attached = attached

    @property
    def shape(self) -> tuple[int, ...]:
        return self.values.shape

    def __getitem__(self, row: int) -> Tensor:
        return Tensor(self.values[row])

    def detach(self) -> Tensor:
        return Tensor(self.values)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        if self.attached:
            raise RuntimeError("needs a gradient")
        return self.values if dtype is None else self.values.astype(dtype)


def tensor(values: Any, attached: bool = False) -> Any:
    try:
        import torch
    except ModuleNotFoundError:
        return Tensor(values, attached)
    return torch.tensor(values, requires_grad=attached)


def test_torch() -> None:
    graph = gs.from_torch(tensor([[0, 1], [1, 2]]), tensor([0.5, 2.0], True), num_nodes=4)
    assert graph.vertices == 4 and graph.indices.tolist() == [1, 2]
    assert graph.weights is not None and graph.weights.tolist() == [0.5, 2]
    assert gs.from_torch(tensor([[0], [1]]), names=["a", "b"]).index_of("b") == 1
    for shape in ([[0, 1]], [0, 1]):
        with pytest.raises(gs.UsageError, match="from_torch: edge_index: expected a tensor of 2"):
            gs.from_torch(tensor(shape))

"""Checks of graphs that were made, written and counted: what is right passes, whatever is altered
in it is caught."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gossamer as gs
import numpy as np
import pytest
from gossamer import _gossamer
from gossamer.cli import run

SPECS = [
    "kron:6", "kron:5:4:7:degree", "uniform:6:5", "grid:7x4", "grid:1x9", "road:12", "road:9:0.9:3",
    "star:9", "star:1", "path:12", "tree:4", "tree:3:3", "cliques:4x5", "lollipop:5x6",
    "bipartite:4x30:2", "small-world:40:4:200", "mesh:4x3x2", "preferential:50:3",
    "geometric:60:5", "web:60:4", "poisson:9", "poisson:4x3", "poisson:3x4x2", "band:10:50",
    "band:7:20",
]  # fmt: skip
FORMATS = ["npz", "gsr", "gr", "mtx"]


def altered(graph: gs.Graph, draw: np.random.Generator, alter: Callable[..., None]) -> gs.Graph:
    """The graph with other arrays, which nothing checks."""
    indptr, indices = np.array(graph.indptr), np.array(graph.indices)
    weights = None if graph.weights is None else np.array(graph.weights)
    alter(draw, indptr, indices, weights)
    return gs.from_csr(indptr, indices, weights, name=graph.name)


def another_arc(draw: Any, indptr: Any, indices: Any, weights: Any) -> None:
    if indices.size:
        indices[draw.integers(indices.size)] = draw.integers(indptr.size - 1)


def another_weight(draw: Any, indptr: Any, indices: Any, weights: Any) -> None:
    if weights is not None and weights.size:
        weights[draw.integers(weights.size)] += 1


def another_row(draw: Any, indptr: Any, indices: Any, weights: Any) -> None:
    """An arc goes to the row before or after."""
    v = draw.integers(1, indptr.size - 1) if indptr.size > 2 else 0
    if v > 0 and indptr[v] < indptr[v + 1]:
        indptr[v] += 1


def same(a: gs.Graph, b: gs.Graph) -> bool:
    """By sorted arcs: Python's own lists."""

    def arcs(g: gs.Graph) -> Any:
        weights = [0] * g.arcs if g.weights is None else g.weights.tolist()
        tails = np.repeat(np.arange(g.vertices), np.diff(g.indptr)).tolist()
        return g.vertices, sorted(zip(tails, g.indices.tolist(), weights, strict=True))

    return bool(arcs(a) == arcs(b))


ALTERATIONS = [another_arc, another_weight, another_row]


@pytest.mark.parametrize("duplicates", [False, True])
@pytest.mark.parametrize("weights", [False, True])
@pytest.mark.parametrize("spec", SPECS)
def test_generated_graphs_are_what_their_specs_say(
    spec: str, weights: bool, duplicates: bool
) -> None:
    graph = gs.generate(spec, weights=weights, keep_duplicates=duplicates)
    gs.verify_generated(graph, spec, weights=weights, keep_duplicates=duplicates)


@pytest.mark.parametrize("spec", SPECS)
def test_altered_graphs_are_none_of_the_spec(spec: str) -> None:
    graph = gs.generate(spec, weights=True)
    draw = np.random.default_rng(1)
    caught = tried = 0
    for number in range(60):
        # Of graphs that are drawn an arc or a weight alone leaves no mirror.
        wrong = altered(graph, draw, ALTERATIONS[number % 3])
        if same(wrong, graph):
            continue
        tried += 1
        try:
            gs.verify_generated(wrong, spec, weights=True)
        except gs.VerificationError:
            caught += 1
    assert caught == tried and (tried > 10 or graph.arcs < 10)


def test_specs_are_told_apart() -> None:
    for spec, other in (
        ("grid:7x4", "grid:4x7"), ("path:9", "star:9"), ("tree:3", "path:15"),
        ("cliques:4x5", "cliques:5x4"), ("mesh:4x3x2", "mesh:2x3x4"), ("kron:5", "kron:6"),
        ("bipartite:4x30:2", "bipartite:4x30:3"), ("road:9", "grid:9x9"),
        ("poisson:4x3", "poisson:12"), ("band:10:50", "band:10:48"),
    ):  # fmt: skip
        with pytest.raises(gs.VerificationError):
            gs.verify_generated(gs.generate(spec, weights=True), other, weights=True)
    with pytest.raises(gs.VerificationError, match=r"^star:4: it has no weights$"):
        gs.verify_generated(gs.generate("star:4"), "star:4", weights=True)
    with pytest.raises(gs.UsageError, match="'star' is no spec of a generator"):
        gs.verify_generated(gs.generate("star:4"), "star")
    for odd in ("mesh:0x2x3", "tree:3:2:1", "star:3x4", "lollipop:3"):
        with pytest.raises(gs.UsageError, match=f"'{odd}' is no spec of a generator"):
            gs.verify_generated(gs.generate("star:4"), odd)


@pytest.mark.parametrize(
    "spec",
    ["grid:99999999x99999999", "tree:999999999:999999999", "star:999999999999", "cliques:1x1000000",
     "lollipop:1000000x1", "poisson:9999999x999999999"],
)  # fmt: skip
def test_specs_of_huge_graphs_take_no_memory(spec: str) -> None:
    for graph in (gs.generate("star:9"), gs.from_edges([0], [999_999], name="wide")):
        with pytest.raises(gs.VerificationError):
            gs.verify_generated(graph, spec)


@pytest.mark.parametrize("suffix", FORMATS)
@pytest.mark.parametrize("spec", ["kron:5", "road:8", "poisson:4x3", "web:40:3", "star:1"])
def test_files_are_compared_with_their_graphs(tmp_path: Path, spec: str, suffix: str) -> None:
    graph = gs.generate(spec)
    path = tmp_path / f"graph.{suffix}"
    graph.write(path)
    named = suffix in ("npz", "gsr")
    gs.verify_written(graph, path, names=named)
    draw = np.random.default_rng(2)
    for number in range(30):
        wrong = altered(graph, draw, ALTERATIONS[number % 3]) if graph.arcs else graph
        if same(wrong, graph):
            continue
        with pytest.raises(gs.VerificationError, match=r"graph\.\w+: read back, "):
            gs.verify_written(wrong, path, names=named)


def test_names_in_files_are_compared(tmp_path: Path) -> None:
    (tmp_path / "a.el").write_text("10 20\n20 30\n")
    (tmp_path / "b.el").write_text("10 20\n20 31\n")
    a, b = gs.read(tmp_path / "a.el"), gs.read(tmp_path / "b.el")
    a.write(tmp_path / "a.npz")
    gs.verify_written(a, tmp_path / "a.npz")
    with pytest.raises(gs.VerificationError, match=r"read back, vertex 31 is called 30$"):
        gs.verify_written(b, tmp_path / "a.npz")


def edges(seed: int, directed: bool = True) -> gs.Graph:
    """With loops, parallel arcs, isolated vertices and pieces."""
    draw = np.random.default_rng(seed)
    n = int(draw.integers(1, 60))
    u, v = draw.integers(0, n, (2, int(draw.integers(0, 2 * n))))
    w = [None, draw.integers(-3, 5, u.size), draw.choice([0.0, np.nan, -1.5, 2], u.size)]
    return gs.from_edges(u, v, w[seed % 3], n, symmetrize=not directed)


@pytest.mark.parametrize("seed", range(24))
def test_statistics_are_counted_anew(seed: int) -> None:
    graph = edges(seed, directed=seed % 2 == 0)
    found = graph.statistics()
    gs.verify_statistics(graph, found)
    for field in dataclasses.fields(found):
        value = getattr(found, field.name)
        if field.name in ("strong_components", "largest_strong_component", "symmetric", "triangles",
                          "mean_degree", "weights"):  # fmt: skip
            continue
        wrong: Any = value + 1 if isinstance(value, int) else value[:-1]
        with pytest.raises(gs.VerificationError, match=field.name):
            gs.verify_statistics(graph, dataclasses.replace(found, **{field.name: wrong}))
    if graph.weights is not None and graph.arcs:
        for name in ("zeros", "negatives", "nans"):
            more = dataclasses.replace(found.weights, **{name: getattr(found.weights, name) + 1})
            with pytest.raises(gs.VerificationError, match=f"weights: {name} is"):
                gs.verify_statistics(graph, dataclasses.replace(found, weights=more))


@pytest.mark.parametrize("seed", range(12))
def test_partitions_are_measured_anew(seed: int) -> None:
    graph = edges(seed)
    draw = np.random.default_rng(seed)
    parts = int(draw.integers(1, 5))
    part_of = draw.integers(0, parts, graph.vertices)
    found = graph.partition_quality(part_of, parts)
    gs.verify_partition_quality(graph, part_of, found)
    for name in ("arcs", "cut_arcs", "halo_total"):
        wrong = dataclasses.replace(found, **{name: getattr(found, name) + 1})
        with pytest.raises(gs.VerificationError, match=f"{name} is"):
            gs.verify_partition_quality(graph, part_of, wrong)
    for name in ("vertices_of", "arcs_of", "halo_of"):
        wrong = dataclasses.replace(found, **{name: [x + 1 for x in getattr(found, name)]})
        with pytest.raises(gs.VerificationError, match=f"{name} is"):
            gs.verify_partition_quality(graph, part_of, wrong)
    for name in ("vertex_balance", "arc_balance"):
        wrong = dataclasses.replace(found, **{name: getattr(found, name) + 0.01})
        if getattr(found, name) > 0:
            with pytest.raises(gs.VerificationError, match=f"{name} is"):
                gs.verify_partition_quality(graph, part_of, wrong)


def test_commands_verify_what_they_make(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["generate", "kron:6", "-o", "k.gr", "--verify"]) == 0
    assert "verified: k.gr was read back, and is the same graph" in capsys.readouterr().out
    for to in ("k.npz", "k.gsr", "k.mtx"):
        assert run(["convert", "k.gr", to, "--verify", "--json", "said.json"]) == 0
        assert json.loads(Path("said.json").read_text())["verified"] is True
    assert run(["stats", "k.npz", "--verify", "--partition", "3:hash"]) == 0
    assert "verified: counted anew, the same" in capsys.readouterr().out
    assert run(["stats", "k.npz", "--json", "said.json"]) == 0
    assert json.loads(Path("said.json").read_text())["verified"] is None
    Path("names.csv").write_text("source,target\nann,bob\n")
    assert run(["convert", "names.csv", "names.npz", "--verify"]) == 0


def test_a_file_that_is_wrong_ends_with_3(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    other = gs.generate("path:9")
    monkeypatch.setattr(
        gs.Graph, "write", lambda self, path, to: _gossamer.write(other._handle, str(path), to)
    )
    assert run(["generate", "path:8", "-o", "p.npz", "--verify", "--json", "said.json"]) == 3
    assert "p.npz: read back, it has 9 vertices, the graph 8" in capsys.readouterr().err
    assert json.loads(Path("said.json").read_text())["verified"] is False

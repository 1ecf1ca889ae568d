"""Hubs and authorities, Katz's and eigenvector centrality: against NetworkX's, their verifiers,
errors and commands."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import gossamer as gs
import numpy as np
import pytest
from gossamer.program import nvrtc

if TYPE_CHECKING:
    from conftest import Cli

on_gpus = [
    pytest.mark.gpu,
    pytest.mark.skipif(nvrtc.find_nvrtc() is None, reason="no libnvrtc"),
]
MACHINES = [
    "cpu:1x1", "cpu:1x2", "cpu:3x1",
    *(pytest.param(m, marks=on_gpus) for m in ("cuda:0", "cuda:0*3")),
]  # fmt: skip
FAMILIES = [
    "kron:7", "uniform:7:6", "star:90", "cliques:9x12", "lollipop:30x20", "bipartite:6x90:3",
    "small-world:200:6:50", "preferential:300:4", "road:14", "web:300:6", "random-arcs",
]  # fmt: skip


def _graph(family: str, weighted: bool = False) -> gs.Graph:
    """Without parallel arcs, which NetworkX's graphs do not have; weights are alike both ways."""
    if family == "random-arcs":
        ends = np.random.default_rng(5).integers(0, 120, (2, 900))
        graph = gs.from_edges(ends[0], ends[1], n=130, deduplicate=True)
    else:
        graph = gs.generate(family).rebuild(deduplicate=True)
    if not weighted:
        return graph
    u, v = _ends(graph)
    return gs.from_edges(u, v, ((u + v) % 5 + (u * v) % 3) / 2.0, graph.vertices)


def _ends(graph: gs.Graph) -> tuple[Any, Any]:
    return np.repeat(np.arange(graph.vertices), graph.degrees), np.asarray(graph.indices)


def _networkx(graph: gs.Graph) -> Any:
    nx = pytest.importorskip("networkx")
    made = (nx.Graph if graph.symmetric else nx.DiGraph)()
    made.add_nodes_from(range(graph.vertices))
    u, v = _ends(graph)
    w = np.ones(graph.arcs) if graph.weights is None else np.asarray(graph.weights)
    made.add_weighted_edges_from(zip(u.tolist(), v.tolist(), w.tolist(), strict=True))
    return made


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("weighted", [False, True])
def test_katz_is_networkx_s(family: str, weighted: bool) -> None:
    nx = pytest.importorskip("networkx")
    graph = _graph(family, weighted)
    theirs, weight = _networkx(graph), "weight" if weighted else None
    for options in ({}, {"normalized": False}, {"beta": 3.0}):
        result = gs.katz(graph, "cpu:2x1", alpha=0.004, weighted=weighted, **options)
        wanted = nx.katz_centrality(theirs, 0.004, weight=weight, backend="networkx", **options)
        np.testing.assert_allclose(result.values, list(wanted.values()), rtol=1e-9)
        assert result.converged and result.weighted == weighted
        gs.verify_katz(
            graph, result.values, alpha=0.004, weighted=weighted, tolerance=result.change, **options
        )


@pytest.mark.parametrize(
    ("family", "weighted"), [("random-arcs", False), *((family, True) for family in FAMILIES)]
)
def test_eigenvectors_by_iterations_are_networkx_s(family: str, weighted: bool) -> None:
    nx = pytest.importorskip("networkx")
    graph = _graph(family, weighted)
    weight = "weight" if weighted else None
    result = gs.eigenvector(graph, "cpu:2x1", max_iterations=5000, weighted=weighted)
    wanted = nx.eigenvector_centrality(_networkx(graph), 5000, weight=weight, backend="networkx")
    np.testing.assert_allclose(result.values, list(wanted.values()), rtol=1e-9, atol=1e-15)
    gs.verify_eigenvector(graph, result.values, weighted=weighted, tolerance=result.change)


@pytest.mark.parametrize("family", FAMILIES)
def test_eigenvectors_by_gradients_are_numpy_s(family: str) -> None:
    graph = _graph(family).rebuild(symmetrize=True, deduplicate=True)
    start = np.random.default_rng(1).random(graph.vertices) + 0.1
    for tolerance, begin in ((1e-6, None), (1e-13, None), (1e-13, start)):
        result = gs.eigenvector(
            graph, "cpu:2x1", start=begin, tolerance=tolerance, max_iterations=500
        )
        assert result.converged and result.change <= 1.01 * tolerance
        gs.verify_eigenvector(graph, result.values, tolerance=1.01 * tolerance)
        if tolerance < 1e-6:
            _, vectors = np.linalg.eigh((graph.to_scipy() != 0).toarray().astype(float))
            np.testing.assert_allclose(result.values, np.abs(vectors[:, -1]), rtol=0, atol=1e-8)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("weighted", [False, True])
def test_hits_are_singular_vectors(family: str, weighted: bool) -> None:
    graph = _graph(family, weighted)
    result = gs.hits(graph, "cpu:2x1", weighted=weighted)
    assert result.converged
    gs.verify_hits(
        graph, result.hubs, result.authorities, weighted=weighted, tolerance=result.change
    )
    matrix = np.zeros((graph.vertices, graph.vertices))
    u, v = _ends(graph)
    matrix[u, v] = 1 if graph.weights is None or not weighted else graph.weights
    left, sizes, right = np.linalg.svd(matrix)
    if sizes[1] < 0.99 * sizes[0]:  # else several pairs are as good
        for mine, theirs in ((result.hubs, left[:, 0]), (result.authorities, right[0])):
            np.testing.assert_allclose(mine, theirs / theirs.sum(), rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("machine", MACHINES)
def test_machines_agree(machine: str) -> None:
    graph = _graph("random-arcs")
    for find in (gs.katz, gs.eigenvector, gs.hits):
        options = {"alpha": 0.01} if find is gs.katz else {}
        mine, one = (find(graph, on, **options) for on in (machine, "cpu:1x1"))
        for name in mine._arrays:
            np.testing.assert_allclose(
                getattr(mine, name), getattr(one, name), rtol=1e-9, atol=1e-12
            )
        assert (mine.engine, mine.ranks_used) == ("steps", gs.Machine(machine).size)


def test_beta_and_start_of_each_vertex() -> None:
    nx = pytest.importorskip("networkx")
    graph = _graph("random-arcs")
    beta = np.arange(130.0) % 7 - 2
    theirs = nx.katz_centrality(
        _networkx(graph), 0.01, dict(enumerate(beta.tolist())), backend="networkx"
    )
    found = gs.katz(graph, "cpu:1x1", alpha=0.01, beta=beta)
    np.testing.assert_allclose(found.values, list(theirs.values()), rtol=1e-9)
    gs.verify_katz(graph, found.values, alpha=0.01, beta=beta, tolerance=found.change)
    # From the answer itself one iteration is enough.
    plain = gs.katz(graph, "cpu:1x1", alpha=0.01, normalized=False)
    again = gs.katz(graph, "cpu:1x1", alpha=0.01, normalized=False, start=plain.values)
    assert again.iterations == 1
    at_two = gs.katz(graph, "cpu:1x1", alpha=0.01, beta={2: 1.0})
    assert at_two[2] == at_two.values.max() and not at_two.values[graph.degrees < 0].any()
    zeros = gs.katz(graph, "cpu:1x1", beta=0.0)
    assert not zeros.values.any()
    gs.verify_katz(graph, zeros.values, beta=0.0)


def test_results_by_name() -> None:
    names = ["ann", "bob", "cy"]
    graph = gs.from_networkx(
        pytest.importorskip("networkx").DiGraph([("ann", "bob"), ("cy", "bob")])
    )
    found = gs.hits(graph, "cpu:1x1")
    assert found["bob"] == 1 and found.hubs.tolist() == [0.5, 0, 0.5]
    assert found.to_dict() == {"ann": 0.0, "bob": 1.0, "cy": 0.0}
    assert "converged=True" in repr(found) and "iterations" in found._repr_html_()
    assert list(gs.katz(graph, "cpu:1x1").to_dict()) == names
    frame = pytest.importorskip("pandas") and found.to_frame()
    assert list(frame.columns) == ["authority", "hub"] and list(frame.index) == names
    np.testing.assert_array_equal(found.gather("hubs"), found.hubs)


@pytest.mark.parametrize("find", [gs.hits, gs.katz, gs.eigenvector])
def test_graphs_without_arcs(find: Any) -> None:
    lone = find(gs.from_edges([], [], n=4), "cpu:1x1")
    wanted = {gs.hits: 0.0, gs.katz: 0.5, gs.eigenvector: 0.5}[find]
    assert getattr(lone, lone._arrays[0]).tolist() == [wanted] * 4
    if find is gs.hits:
        gs.verify_hits(gs.from_edges([], [], n=4), lone.hubs, lone.authorities)


def test_what_does_not_converge_warns() -> None:
    graph = _graph("kron:7")
    with pytest.warns(
        gs.ConvergenceWarning, match=r"^katz of .* did not converge in 50 .* alpha"
    ) as warned:
        found = gs.katz(graph, "cpu:1x1", alpha=0.5, max_iterations=50)
    assert warned[0].filename == __file__
    assert not found.converged and found.iterations == 50
    # What is beyond all floats is given up.
    said = (
        r"^katz of .* diverged: after \d+ iterations numbers are beyond the range of floats; take "
        r"a smaller alpha than 0\.5, below one over the largest eigenvalue$"
    )
    with pytest.warns(gs.ConvergenceWarning, match=said):
        found = gs.katz(graph, "cpu:1x1", alpha=0.5, max_iterations=5000)
    assert not found.converged and found.iterations < 500
    with pytest.warns(gs.ConvergenceWarning, match=r"^eigenvector of .* in 2 iterations: one more"):
        gs.eigenvector(graph, "cpu:1x1", max_iterations=2)
    with pytest.warns(gs.ConvergenceWarning, match=r"^hits of .* in 1 iterations: .* of its"):
        gs.hits(_graph("random-arcs"), "cpu:1x1", max_iterations=1)


WEIGHTED = gs.from_edges([0, 1], [1, 2], [1.0, -2.0], 3)
PLAIN = gs.from_edges([0, 1], [1, 2], n=3)


class _Odd:
    """Says that it is an array, and is none."""

    __array_interface__: ClassVar[Any] = {
        "shape": 3, "typestr": "<i4", "version": 3, "data": (0, False),
    }  # fmt: skip


ODD: Any = _Odd()

MISTAKES: list[tuple[Callable[[], object], str]] = [
    (lambda: gs.katz(PLAIN, alpha=-1), r"^katz: alpha: zero or more, not -1$"),
    (lambda: gs.katz(PLAIN, alpha="much"), r"^katz: alpha: expected a number, got 'much'$"),
    (lambda: gs.katz(PLAIN, beta=[1.0]), r"^katz: beta: 1 numbers for 3 vertices$"),
    (lambda: gs.katz(PLAIN, beta=[1.0, np.nan, 1]), r"^katz: beta: nan of vertex 1 is not finite$"),
    (lambda: gs.katz(PLAIN, beta="one"), r"^katz: beta is 0-dimensional, of <U3; one number a ver"),
    (lambda: gs.katz(PLAIN, beta=True), r"^katz: beta: expected a number, got True$"),
    (lambda: gs.hits(PLAIN, start=ODD), r"^hits: start: _Odd is no array"),
    (lambda: gs.verify_katz(PLAIN, [1] * 3, beta=ODD), r"^verify_katz: beta: _Odd is no array"),
    (lambda: gs.katz(PLAIN, beta={7: 1}), r"no vertex 7"),
    (lambda: gs.katz(PLAIN, tolerance=-1), r"^katz: tolerance: zero or more, not -1$"),
    (lambda: gs.katz(PLAIN, max_iterations=0), r"^katz: max_iterations: at least 1, not 0$"),
    (lambda: gs.katz(PLAIN, normalized=1), r"^katz: normalized: expected True or False, got 1$"),
    (lambda: gs.hits(PLAIN, weighted=True), r"^hits: weighted: .* has no weights \(generators"),
    (lambda: gs.hits(PLAIN, weighted=1), r"^hits: weighted: expected True or False, got 1$"),
    (lambda: gs.hits(PLAIN, start=[1, 0, 1]), r"^hits: start: 0 of vertex 1 is not positive$"),
    (lambda: gs.eigenvector(PLAIN, start=[1, 1, -1]), r"^eigenvector: start: -1 of vertex 2 is no"),
    (lambda: gs.eigenvector(PLAIN, max_iterations=1.5), r"^eigenvector: max_iterations: expected"),
    (lambda: gs.eigenvector(PLAIN, timeout=0), r"^vertex_steps: timeout: not a positive number"),
    (lambda: gs.hits(PLAIN, "abacus"), r"abacus"),
]


@pytest.mark.parametrize(("call", "message"), MISTAKES, ids=range(len(MISTAKES)))
def test_mistakes_are_named(call: Callable[[], object], message: str) -> None:
    with pytest.raises(gs.UsageError, match=message):
        call()


@pytest.mark.parametrize("find", [gs.hits, gs.katz, gs.eigenvector])
def test_negative_weights_are_refused(find: Any) -> None:
    what = find.__name__
    with pytest.raises(gs.InputError, match=rf"^{what}: the weight of 1 -> 2 is -2.0; weights are"):
        find(WEIGHTED, "cpu:1x1", weighted=True)
    find(WEIGHTED, "cpu:1x1", tolerance=1e-3)  # where weights do not count


@pytest.mark.parametrize("find", [gs.hits, gs.katz, gs.eigenvector])
def test_other_machines_and_deadlines(find: Any) -> None:
    graph = gs.kronecker(12)
    with pytest.raises(gs.NotCompiled, match="vertex steps"):
        find(graph, "sim:peach2,ranks=2")
    with pytest.raises(gs.CapacityError):
        find(graph, "cpu:1x1", memory=1000)
    with pytest.raises(gs.Timeout), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        # An alpha with which it diverges would end it.
        small = {"alpha": 1e-4} if find is gs.katz else {}
        find(graph, "cpu:1x1", tolerance=0, max_iterations=(1 << 31) - 1, timeout=0.05, **small)
    placed = gs.Machine("cpu:2x1").place(PLAIN)
    assert find(placed, tolerance=1e-3).ranks_used == 2


def _wrong(values: Any, at: int, by: float) -> Any:
    changed = np.array(values)
    changed[at] += by
    return changed


@pytest.mark.parametrize("family", ["kron:7", "random-arcs", "road:14"])
def test_verifiers_see_every_altered_element(family: str) -> None:
    graph = _graph(family)
    katz = gs.katz(graph, "cpu:1x1", alpha=0.004, tolerance=1e-12)
    vector = gs.eigenvector(graph, "cpu:1x1", tolerance=1e-9, max_iterations=50_000)
    hits = gs.hits(graph, "cpu:1x1")
    for at in range(graph.vertices):
        for by in (1e-3, -1e-3):
            with pytest.raises(gs.VerificationError):
                gs.verify_katz(graph, _wrong(katz.values, at, by), alpha=0.004, tolerance=1e-12)
            with pytest.raises(gs.VerificationError):
                gs.verify_eigenvector(graph, _wrong(vector.values, at, by), tolerance=1e-9)
            for hub, authority in ((by, 0), (0, by)):
                with pytest.raises(gs.VerificationError):
                    gs.verify_hits(
                        graph, _wrong(hits.hubs, at, hub), _wrong(hits.authorities, at, authority)
                    )
            # With the length or the sum that it has to have.
            for check, right, size in (
                (lambda x: gs.verify_katz(graph, x, alpha=0.004, tolerance=1e-9), katz.values, 2),
                (lambda x: gs.verify_eigenvector(graph, x, tolerance=1e-9), vector.values, 2),
                (lambda x: gs.verify_hits(graph, hits.hubs, x), hits.authorities, 1),
                (lambda x: gs.verify_hits(graph, x, hits.authorities), hits.hubs, 1),
            ):
                scaled = _wrong(right, at, by)
                with pytest.raises(gs.VerificationError):
                    check(scaled / np.linalg.norm(scaled, size))


@pytest.mark.parametrize("tolerance", [1e-2, 1e-6, 1e-12])
@pytest.mark.parametrize("family", ["kron:12", "star:3000", "random-arcs", "web:3000:6"])
def test_what_a_result_promises_is_enough(family: str, tolerance: float) -> None:
    """Whatever the multiple that it was scaled by."""
    graph = _graph(family)
    found = gs.katz(graph, "cpu:1x1", alpha=1e-3, tolerance=tolerance)
    gs.verify_katz(graph, found.values, alpha=1e-3, tolerance=found.change)
    with pytest.raises(gs.VerificationError):
        gs.verify_katz(graph, -found.values, alpha=1e-3, tolerance=found.change)
    vector = gs.eigenvector(graph, "cpu:1x1", tolerance=tolerance, max_iterations=100_000)
    gs.verify_eigenvector(graph, vector.values, tolerance=vector.change)
    hits = gs.hits(graph, "cpu:1x1", tolerance=tolerance)
    gs.verify_hits(graph, hits.hubs, hits.authorities, tolerance=hits.change)


def test_hits_of_parts_that_are_nearly_as_good() -> None:
    """Numbers below 0 may be left in the weaker part, and become 0."""
    star = [(0, v) for v in range(1, 400)] + [(400, v) for v in range(401, 799)]
    u, v = np.array(star).T
    graph = gs.from_edges(u, v, n=799, symmetrize=True)
    for tolerance in (1e-3, 1e-6, 1e-10):
        found = gs.hits(graph, "cpu:1x1", tolerance=tolerance)
        gs.verify_hits(graph, found.hubs, found.authorities, tolerance=found.change)


@pytest.mark.parametrize("weight", [5e-324, 1e-309, 1e300])
def test_hits_of_weights_of_any_size(weight: float) -> None:
    graph = gs.from_edges([0, 1, 2], [1, 2, 0], [weight] * 3, symmetrize=True)
    found = gs.hits(graph, "cpu:1x1", weighted=True)
    np.testing.assert_allclose(found.hubs, [1 / 3] * 3)
    gs.verify_hits(graph, found.hubs, found.authorities, weighted=True)


def test_verifiers_say_what_is_wrong() -> None:
    graph = gs.from_edges([0, 1, 2, 3, 3, 4], [1, 2, 0, 4, 4, 3], n=5)
    half, third = [0, 0, 0, 0.5, 0.5], [1 / 3] * 3 + [0, 0]

    def said(check: Callable[..., None], *given: Any, **options: Any) -> str:
        with pytest.raises(gs.VerificationError) as caught:
            check(graph, *given, **options)
        return str(caught.value).partition(": ")[2].rpartition("hits of ")[2]

    assert said(gs.verify_hits, [0.2] * 4, half) == "there are 4 hubs, the graph has 5 vertices"
    assert said(gs.verify_hits, [-1, 1, 1, 0, 0], half) == "hubs of vertex 0 is -1.0"
    assert said(gs.verify_hits, third, [0.1] * 5) == "authorities sum to 0.5, not to 1"
    assert said(gs.verify_hits, third, third).endswith("not the most")
    assert said(gs.verify_hits, half, third).startswith("the hub of vertex 0 is 0.0, by its")
    assert said(gs.verify_katz, [1.0] * 5).startswith("their length is 2.236")
    assert said(gs.verify_katz, [0.0] * 5, normalized=False).startswith(
        "one more iteration changes"
    )
    assert said(gs.verify_katz, [np.nan] * 5) == "katz of vertex 0 is nan"
    assert said(gs.verify_eigenvector, [2.0] * 5).startswith("their length is 4.47")
    assert said(gs.verify_eigenvector, [1, 0, 0, 0, 0]).startswith("one more iteration changes")
    with pytest.raises(gs.UsageError, match=r"^verify_katz: tolerance: zero or more, not -1$"):
        gs.verify_katz(graph, [1.0] * 5, tolerance=-1)
    with pytest.raises(gs.UsageError, match=r"^verify_hits: weighted: .* has no weights$"):
        gs.verify_hits(graph, third, third, weighted=True)
    with pytest.raises(gs.UsageError, match=r"^verify_katz: beta: 2 numbers for 5 vertices$"):
        gs.verify_katz(graph, [1.0] * 5, beta=[1, 2])
    with pytest.raises(gs.Timeout, match="verification"):
        gs.verify_eigenvector(gs.kronecker(14), np.ones(1 << 14) / (1 << 7), timeout=1e-6)


@pytest.mark.parametrize("name", ["hits", "katz", "eigenvector"])
def test_commands(cli: Cli, tmp_path: Path, name: str) -> None:
    given = (name, "kron:7", "--weights", "--weighted", "--machine", "cpu:2x1", "--repeat", "2",
             *(("--alpha", "1e-5") if name == "katz" else ()))  # fmt: skip
    out = cli.json(*given, "--verify", "--output", "x.npz")
    assert out["algorithm"] == name and out["summary"]["verified"] is True
    assert out["options"]["weighted"] is True and out["options"]["repeat"] == 2
    first = out["runs"][0]
    assert first["converged"] is True and first["iterations"] > 0 and first["change"] < 1e-6
    graph = gs.generate("kron:7", weights=True)
    options = {"alpha": 1e-5} if name == "katz" else {}
    found = getattr(gs, name)(graph, "cpu:1x1", weighted=True, **options)
    with np.load(tmp_path / "x.npz") as file:
        arrays = ("authorities", "hubs") if name == "hits" else (name,)
        for array, of in zip(arrays, found._arrays, strict=True):
            np.testing.assert_allclose(file[array], getattr(found, of), rtol=1e-6, atol=1e-12)
    assert first["largest_of"] == int(getattr(found, found._arrays[0]).argmax())
    assert cli(*given, "--verify-with", "x.npz").returncode == 0
    np.save(tmp_path / "wrong.npy", np.ones(128))
    done = cli(*given, "--verify-with", "wrong.npy")
    assert done.returncode == 3 and "vertex 0 has" in done.stderr


def test_commands_refuse_and_give_up(cli: Cli) -> None:
    assert cli.fails(2, "katz", "star:5", "--alpha", "-1") == "katz: --alpha: zero or more, not -1"
    assert "has no weights (generators" in cli.fails(2, "hits", "star:5", "--weighted")
    assert cli.fails(2, "hits", "star:5", "--partition", "hash") == (
        "hits: --partition hash: vertex steps use ranges"
    )
    assert cli.fails(2, "hits", "star:5", "--trace", "t.json").endswith("steps are not recorded")
    assert cli.fails(2, "eigenvector", "star:5", "--max-iterations", "0").endswith(
        "at least 1, not 0"
    )
    done = cli("katz", "kron:7", "--alpha", "0.9", "--max-iterations", "2000", "--json", "-")
    assert done.returncode == 1 and '"change": null' in done.stdout
    done = cli("katz", "kron:7", "--alpha", "0.9", "--max-iterations", "9")
    assert "; --alpha 0.9 may be one over the largest eigenvalue, or more" in done.stdout
    done = cli("katz", "kron:7", "--alpha", "0.9")
    smaller = "; take a smaller --alpha than 0.9, below one over the largest eigenvalue"
    assert "diverged: after " in done.stdout and smaller in done.stdout
    done = cli("katz", "kron:7", "--alpha", "0.9", "--verify", "--max-iterations", "2000")
    # Not that a check has failed: there is nothing to check.
    assert (done.returncode, done.stderr) == (1, "") and smaller in done.stdout
    done = cli("eigenvector", "road:14", "--max-iterations", "3", "--machine", "cpu:1x1")
    assert done.returncode == 1 and "did not converge in 3 iterations" in done.stdout
    assert cli.fails(4, "hits", "kron:12", "--timeout", "1e-6", "--machine", "cpu:1x1")

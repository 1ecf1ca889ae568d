"""What is asked, with options drawn at random, and what must hold of the answer.

Answers are compared with SciPy and NumPy; verifiers of the project are asked beside, not instead.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import gossamer as gs
import numpy as np
from scipy.sparse import coo_array, csgraph, diags_array

from soak.graphs import Array, Random, ends_of, matrix_of


@dataclass
class Call:
    """What is run, with which options, and what must hold of its result."""

    text: str
    run: Callable[..., Any]  # takes more options: a deadline, a limit of memory
    check: Callable[[Any], None]
    options: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.text} {self.options}"

    def __call__(self, **more: Any) -> Any:
        return self.run(**self.options | more)


def _same(found: Any, wanted: Any, what: str, tolerance: float = 0.0) -> None:
    found, wanted = (np.atleast_1d(np.asarray(x, dtype=np.float64)) for x in (found, wanted))
    if found.shape != wanted.shape:
        raise AssertionError(f"{what}: shape {found.shape}, not {wanted.shape}")
    with np.errstate(invalid="ignore"):
        near = np.abs(found - wanted) <= tolerance * np.abs(wanted)
    wrong = np.flatnonzero(~((found == wanted) | near))
    if len(wrong):
        at = wrong[0]
        raise AssertionError(f"{what}: {found[at]} at {at}, not {wanted[at]} ({len(wrong)} differ)")


def _some(rng: Random, **choices: list[Any]) -> dict[str, Any]:
    """Each option with one of its values, or, as often, not at all."""
    return {
        name: values[int(rng.integers(0, len(values)))]
        for name, values in choices.items()
        if rng.random() < 0.5
    }


def _placing(graph: gs.Graph, machine: str, rng: Random) -> dict[str, Any]:
    """Options that algorithms with placed graphs share."""
    parts = rng.integers(0, gs.Machine(machine).size, graph.vertices).astype(np.int32)
    named = ["auto", "ranges", "edges", "hash", "metis"]
    return _some(rng, partition=[*named, parts], spill=["auto", "host", "none"]) | {"use": "all"}


def _ranks(machine: str) -> str:
    """What a machine's ranks are, as tables of engines have it."""
    if machine.startswith("mpi"):
        return "mpi:cuda" if "cuda" in machine else "cpu"
    return "+".join(kind for kind in ("cpu", "cuda") if kind in machine) or "cpu"


def _engine(algorithm: str, machine: str, rng: Random) -> str:
    """An engine that such ranks may have, with some of its own options.

    Where there is none, the call has to say so.
    """
    engines = [e for e in gs.engines(algorithm) if _ranks(machine) in e.runs_on]
    if not engines:
        return "auto"
    chosen = engines[int(rng.integers(0, len(engines)))]
    numbers: dict[str, list[Any]] = {
        "packet": [64, 4096, 1 << 20], "label_bytes": [0, 4, 8], "residual": [0.001, 0.02],
    }  # fmt: skip
    asked = []
    for option in chosen.options:
        values = [*option.choices, *numbers.get(option.name, [])]
        if values and rng.random() < 0.4:
            asked.append(f"{option.name}={values[int(rng.integers(0, len(values)))]}")
    if rng.random() < 0.2:
        return "auto"
    return chosen.name + (":" + ",".join(asked) if asked else "")


def _bfs(graph: gs.Graph, machine: str, rng: Random) -> Call:
    source = int(rng.integers(0, graph.vertices))
    options = {"engine": _engine("bfs", machine, rng)} | _placing(graph, machine, rng)
    options |= _some(
        rng, deterministic=[True, False], direction=["auto", "top-down", "bottom-up"],
        alpha=[0.5, 4.0, 1000.0], beta=[1.0, 200.0], renumber=["none", "degree"],
    )  # fmt: skip

    def check(result: Any) -> None:
        far = csgraph.dijkstra(matrix_of(graph), indices=source, unweighted=True)
        depths = np.where(np.isinf(far), -1, far)
        _same(result.depths, depths, "depths")
        gs.verify_bfs(graph, source, result.parents, result.depths)
        if options.get("deterministic"):
            u, v = ends_of(graph)
            down = (depths[u] >= 0) & (depths[v] == depths[u] + 1)
            parents = np.full(graph.vertices, graph.vertices)
            np.minimum.at(parents, v[down], u[down])
            parents[depths < 0] = -1
            parents[source] = source
            _same(result.parents, parents, "smallest parents")

    return Call(
        f"bfs from {source}",
        lambda **given: gs.bfs(graph, source, machine, **given), check, options,
    )  # fmt: skip


def _sssp(graph: gs.Graph, machine: str, rng: Random) -> Call:
    source = int(rng.integers(0, graph.vertices))
    options = {"engine": _engine("sssp", machine, rng)} | _placing(graph, machine, rng)
    options |= _some(rng, delta=[0.01, 0.5, 16.0, 1e6], parents=[True], deterministic=[True, False])

    def check(result: Any) -> None:
        w = np.asarray(graph.weights)
        far = csgraph.dijkstra(matrix_of(graph, w), indices=source)
        _same(result.distances, far, "distances", 0 if w.dtype.kind == "i" else 1e-4)
        parents = result.parents if options.get("parents") else None
        gs.verify_sssp(graph, source, result.distances, parents)

    return Call(
        f"sssp from {source}",
        lambda **given: gs.sssp(graph, source, machine, **given), check, options,
    )  # fmt: skip


def _components(graph: gs.Graph, machine: str, rng: Random) -> Call:
    options = {"engine": _engine("components", machine, rng)} | _placing(graph, machine, rng)
    options |= _some(rng, deterministic=[True, False])

    def check(result: Any) -> None:
        _same(result.labels, smallest_of_each(graph), "labels")

    return Call(
        "components", lambda **given: gs.components(graph, machine, **given), check, options
    )


def smallest_of_each(graph: gs.Graph) -> Array:
    """The smallest vertex of every vertex' component."""
    _, parts = csgraph.connected_components(matrix_of(graph), directed=True, connection="weak")
    smallest = np.full(int(parts.max(initial=-1)) + 1, graph.vertices)
    np.minimum.at(smallest, parts, np.arange(graph.vertices))
    return np.asarray(smallest[parts])


def fixed_point(graph: gs.Graph, damping: float, weighted: bool, jump: Array | None) -> Array:
    """PageRank's fixed point by power iteration in double precision. Arcs count one by one."""
    n = graph.vertices
    u, v = ends_of(graph)
    w = np.asarray(graph.weights, dtype=np.float64) if weighted else np.ones(graph.arcs)
    out = np.bincount(u, weights=w, minlength=n)
    share = np.divide(w, out[u], out=np.zeros_like(w), where=out[u] > 0)
    pull = coo_array((share, (v, u)), shape=(n, n)).tocsr()
    jump = np.full(n, 1 / n) if jump is None else jump / jump.sum()
    ranks = jump.copy()
    for _ in range(2000):
        lost = ranks[out == 0].sum()
        new = (1 - damping) * jump + damping * (pull @ ranks + lost * jump)
        if np.abs(new - ranks).sum() < 1e-13:
            break
        ranks = new
    return np.asarray(ranks)


def _pagerank(graph: gs.Graph, machine: str, rng: Random) -> Call:
    damping = float(rng.choice([0.5, 0.85, 0.95]))
    tolerance = float(rng.choice([1e-3, 1e-6]))
    options: dict[str, Any] = {"engine": _engine("pagerank", machine, rng)}
    options |= {"damping": damping, "tolerance": tolerance}
    options |= _placing(graph, machine, rng) | _some(rng, precision=[32, 64])
    if graph.weighted and rng.random() < 0.3:
        options["weighted"] = True
    jump = None
    if rng.random() < 0.3:
        jump = rng.random(graph.vertices)
        options["personalization"] = jump

    def check(result: Any) -> None:
        if "residual" in options["engine"] or not result.converged:
            return
        ranks = np.asarray(result.ranks, dtype=np.float64)
        wanted = fixed_point(graph, damping, options.get("weighted", False), jump)
        # The last change was within the tolerance; all that is left is d / (1 - d) of that. Steps
        # that went beyond what the definition gives are taken back: then the change is the result's
        # own, of which 1 / (1 - d) is left. Single precision adds a rounding an iteration.
        engine = options["engine"].replace("auto", "sync")
        steps = engine.startswith("sync") and "power" not in engine and "sim:" not in machine
        beyond = steps and graph.symmetric and not options.get("weighted")
        left = 1.0 if beyond else damping
        rounding = 2e-7 if options.get("precision", 32) == 32 else 1e-14
        far = float(np.abs(ranks - wanted).sum())
        near = (tolerance * left + rounding) / (1 - damping)
        if not far <= 1.01 * near:
            raise AssertionError(f"ranks: {far:.3g} from the fixed point, more than {near:.3g}")

    return Call("pagerank", lambda **given: gs.pagerank(graph, machine, **given), check, options)


def _cg(graph: gs.Graph, machine: str, rng: Random) -> Call:
    """The graph's Laplacian, and more on the diagonal: symmetric and positive definite."""
    pattern = matrix_of(graph)
    pattern.setdiag(0)
    pattern = pattern + pattern.T
    matrix = diags_array(pattern.sum(axis=0) + float(rng.choice([1.0, 1e-2]))) - pattern
    b = rng.standard_normal(graph.vertices)
    rtol = float(rng.choice([1e-3, 1e-8]))
    options: dict[str, Any] = {"engine": _engine("cg", machine, rng), "rtol": rtol}
    options |= _some(
        rng, jacobi=[True, False], exchange=["auto", "allgather", "halo"],
        partition=["auto", "ranges", "edges", "hash", "metis"], maxiter=[3, 100000],
        x0=[rng.standard_normal(graph.vertices)],
    )  # fmt: skip

    def check(result: Any) -> None:
        x, info = result
        far = float(np.linalg.norm(b - matrix @ x))
        near = rtol * float(np.linalg.norm(b))
        if info == 0 and not far <= near * (1 + 1e-6):
            raise AssertionError(f"x: a residual of {far:.3g}, more than {near:.3g}")
        if info and "maxiter" not in options:
            raise AssertionError(f"x: not solved in {info} iterations")

    return Call("cg", lambda **given: gs.cg(matrix, b, machine=machine, **given), check, options)


def corners(graph: gs.Graph, weighted: bool) -> Array:
    """What the triangles at each vertex are worth: of sums of both directions, half of what is on
    the diagonal of the third power."""
    worth = matrix_of(graph, graph.weights if weighted else None)
    worth.setdiag(0)
    if weighted:
        # Of all arcs, whether they count or not.
        largest = float(np.max(np.asarray(graph.weights), initial=0))
        worth.data = np.cbrt(worth.data / (largest or 1))
    sides = worth if graph.symmetric else worth + worth.T
    return np.asarray((sides @ sides).multiply(sides.T).sum(axis=1)).ravel() / 2


def _triangles(graph: gs.Graph, machine: str, rng: Random) -> Call:
    options: dict[str, Any] = {"engine": _engine("triangles", machine, rng)}
    if graph.weighted and rng.random() < 0.3:
        options["weighted"] = True

    def check(result: Any) -> None:
        wanted = corners(graph, options.get("weighted", False))
        # Equal but for the order of sums, beside which a weight may be nothing.
        _same(np.round(result.counts, 9), np.round(wanted, 9), "counts", 1e-9)

    return Call("triangles", lambda **given: gs.triangles(graph, machine, **given), check, options)


def _core_numbers(graph: gs.Graph, machine: str, rng: Random) -> Call:
    def check(result: Any) -> None:
        ways = matrix_of(graph)
        ways.setdiag(0)
        ways.eliminate_zeros()
        if not graph.symmetric:
            ways = ways + ways.T
        left, level = ways.sum(axis=1), 0
        wanted = np.full(graph.vertices, -1)
        while (here := wanted < 0).any():
            level = max(level, int(left[here].min()))
            leaves = here & (left <= level)
            wanted[leaves] = level
            left = left - ways @ leaves
        _same(result.numbers, wanted, "core numbers")

    options = {"engine": _engine("core_numbers", machine, rng)}
    return Call(
        "core numbers", lambda **given: gs.core_numbers(graph, machine, **given), check, options
    )


def _spanning_forest(graph: gs.Graph, machine: str, rng: Random) -> Call:
    both = graph if graph.symmetric else graph.rebuild(symmetrize=True)

    def check(result: Any) -> None:
        u, v = ends_of(both)
        arcs = np.flatnonzero(u < v)
        weights = np.ones(both.arcs) if both.weights is None else np.asarray(both.weights)
        arcs = arcs[np.argsort(weights[arcs], kind="stable")]
        # Places in the order stand for weights: no two are equal, and none is zero. Of parallel
        # arcs only the first counts.
        pairs, first = np.unique(np.stack([u[arcs], v[arcs]]), axis=1, return_index=True)
        shape = (both.vertices, both.vertices)
        ranks = coo_array((first + 1.0, tuple(pairs)), shape=shape).tocsr()
        places = csgraph.minimum_spanning_tree(ranks).data.astype(np.int64) - 1
        _same(result.arcs, np.sort(arcs[places]), "arcs of the forest")
        _same(result.weight, weights[result.arcs].sum(dtype=np.float64), "its weight", 1e-9)

    options = {"engine": _engine("spanning_forest", machine, rng)}
    return Call(
        "spanning forest", lambda **given: gs.spanning_forest(both, machine, **given), check,
        options,
    )  # fmt: skip


def _strong_components(graph: gs.Graph, machine: str, rng: Random) -> Call:
    def check(result: Any) -> None:
        count, theirs = csgraph.connected_components(matrix_of(graph), connection="strong")
        _, first = np.unique(theirs, return_index=True)
        _same(result.labels, first[theirs], "labels of strong components")
        _same(result.count, count, "their number")

    options = {"engine": _engine("strong_components", machine, rng)}
    return Call(
        "strong components", lambda **given: gs.strong_components(graph, machine, **given), check,
        options,
    )  # fmt: skip


def _betweenness(graph: gs.Graph, machine: str, rng: Random) -> Call:
    n = graph.vertices
    options: dict[str, Any] = {"engine": _engine("betweenness", machine, rng), "normalized": False}
    options |= _some(rng, endpoints=[True], seed=[2, 3], samples=[1, min(3, n), min(20, n)])
    if "samples" not in options:
        options["sources"] = rng.choice(n, min(n, int(rng.integers(1, 9))), replace=False)

    def check(result: Any) -> None:
        simple = (matrix_of(graph) != 0).astype(np.float64)
        simple.setdiag(0)
        simple.eliminate_zeros()
        ends = bool(options.get("endpoints"))
        sums = np.sum([_between(simple, int(source), ends) for source in result.sources], axis=0)
        count = len(result.sources)
        others = np.full(n, float(count))
        if not ends:
            others[result.sources] -= 1
        # Of so many sources as there may be; an undirected graph has each pair once.
        all_sources = n if ends else n - 1
        if all_sources >= 2:
            with np.errstate(invalid="ignore", divide="ignore"):
                sums = sums * (all_sources / others) / (2 if graph.symmetric else 1)
                sums[others == 0] = np.nan
        known = ~np.isnan(sums)
        _same(np.isnan(result.scores), ~known, "scores that are not known")
        _same(result.scores[known], sums[known], "betweenness", 1e-9)

    return Call(
        "betweenness", lambda **given: gs.betweenness(graph, machine, **given), check, options
    )  # fmt: skip


def _between(arcs: Any, source: int, ends: bool) -> Array:
    """What paths from a source give each vertex, level by level with whole vectors."""
    n = arcs.shape[0]
    paths, met = np.zeros(n), np.zeros(n, bool)
    paths[source], met[source] = 1, True
    levels = [np.array([source])]
    while levels[-1].size:
        front = np.zeros(n)
        front[levels[-1]] = paths[levels[-1]]
        more = arcs.T @ front
        more[met] = 0
        levels.append(np.flatnonzero(more))
        paths[levels[-1]] = more[levels[-1]]
        met[levels[-1]] = True
    inside = np.zeros(n)
    for near, far in zip(reversed(levels[:-1]), reversed(levels[1:]), strict=True):
        shares = np.zeros(n)
        shares[far] = (1 + inside[far]) / paths[far]
        inside[near] = paths[near] * (arcs @ shares)[near]
    inside[source] = 0
    if ends:
        inside[met] += 1
        inside[source] = np.count_nonzero(met) - 1
    return inside


def _distances(graph: gs.Graph, machine: str, rng: Random) -> Call:
    """From up to a hundred vertices, to all; or bounds of all eccentricities."""
    count = int(rng.integers(1, 101))
    sources = rng.integers(0, graph.vertices, count)
    inward = bool(rng.random() < 0.5)
    options = {"engine": _engine("distances", machine, rng), "inward": inward}

    def check(result: Any) -> None:
        along = matrix_of(graph)
        theirs = csgraph.shortest_path(
            along.T if inward else along, method="D", unweighted=True, indices=sources
        )
        known = np.isfinite(theirs)
        _same(result.depths.ravel(), np.where(known, theirs, -1).ravel(), "depths")
        _same(result.sums, np.where(known, theirs, 0).sum(axis=1), "sums of distances")
        _same(result.eccentricities, np.where(known, theirs, 0).max(axis=1), "eccentricities")

    def run(**given: Any) -> Any:
        found = gs.distances(graph, sources, None, machine, **given)
        every = gs.eccentricity(graph, machine, **{k: v for k, v in given.items() if k != "inward"})
        if not inward or graph.symmetric:
            _same(every.values[sources], found.eccentricities, "eccentricities of all")
        return found

    return Call("distances", run, check, options)


def _communities(graph: gs.Graph, machine: str, rng: Random) -> Call:
    """No other library finds the same: the modularity is checked, and that nothing is apart."""
    both = graph if graph.symmetric else graph.rebuild(symmetrize=True)
    options = {
        "engine": _engine("communities", machine, rng),
        "method": str(rng.choice(["louvain", "leiden"])),
        "resolution": float(rng.choice([0.0, 0.5, 1.0, 3.0])),
        "seed": int(rng.integers(0, 1 << 40)),
    }

    def check(result: Any) -> None:
        u, v = ends_of(both)
        weights = np.ones(both.arcs) if both.weights is None else np.asarray(both.weights)
        weights = np.where(u == v, 2.0, 1.0) * weights
        all_of_it, labels = weights.sum(), np.asarray(result.labels)
        within = labels[u] == labels[v]
        of_label = np.bincount(labels[u], weights, both.vertices)
        q = 0.0
        if all_of_it > 0:
            shares = of_label / all_of_it
            q = weights[within].sum() / all_of_it - options["resolution"] * (shares @ shares)
        _same(1 + result.modularity, 1 + q, "one and the modularity", 1e-9)
        shape = (both.vertices, both.vertices)
        inner = coo_array((np.ones(int(within.sum())), (u[within], v[within])), shape=shape)
        _, parts = csgraph.connected_components(inner.tocsr(), directed=False)
        _same(result.count, np.unique(labels).size, "number of communities")
        _, first = np.unique(labels, return_index=True)
        _same(labels[first], first, "smallest vertices of communities")
        if options["method"] == "leiden":
            _, first = np.unique(parts, return_index=True)
            _same(labels, first[parts], "labels of connected communities")

    return Call(
        "communities", lambda **given: gs.communities(both, machine, **given), check, options
    )


def _philox(counter: list[int], key: list[int]) -> tuple[int, int]:
    """Philox4x32-10's words, two and two."""
    low, c, k = (1 << 32) - 1, list(counter), list(key)
    for _ in range(10):
        a, b = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [(b >> 32) ^ c[1] ^ k[0], b & low, (a >> 32) ^ c[3] ^ k[1], a & low]
        k = [(k[0] + 0x9E3779B9) & low, (k[1] + 0xBB67AE85) & low]
    return c[0] | c[1] << 32, c[2] | c[3] << 32


def _whole(weights: Array) -> list[int]:
    """A row's weights as walks take them: whole ones as they are, others in units that leave the
    largest as many bits as fit."""
    if weights.dtype.kind == "i":
        return [int(w) for w in weights]
    largest = math.frexp(float(weights.max(initial=0)))[1]
    up = 62 - max(len(weights) - 1, 0).bit_length() - largest
    return [int(math.ldexp(float(w), up)) for w in weights]


def _walk(
    graph: gs.Graph, source: int, number: int, options: dict[str, Any], weighted: bool
) -> list[int]:
    """One walk by the definition, in Python's own integers."""
    of_weights = graph.weights
    counts = [1 / options["p"], 1.0, 1 / options["q"]]
    bounds = [max(1, int(math.ldexp(of / max(counts), 63))) for of in counts]
    key = [options["seed"] & 0xFFFFFFFF, options["seed"] >> 32]

    def bound(before: int, x: int) -> int:
        row = graph.indices[graph.indptr[before] : graph.indptr[before + 1]]
        return bounds[0 if x == before else 1 if x in row else 2]

    def first_beyond(shares: list[int], a: int) -> int:
        drawn = a * sum(shares) >> 64
        up_to = itertools.accumulate(shares)
        return next(i for i, total in enumerate(up_to) if total > drawn)

    walk = [source]
    while len(walk) <= options["length"]:
        first, last = graph.indptr[walk[-1]], graph.indptr[walk[-1] + 1]
        row = [int(x) for x in graph.indices[first:last]]
        shares = [1] * len(row)
        if weighted and of_weights is not None:
            shares = _whole(np.asarray(of_weights[first:last]))
        if sum(shares) == 0:
            return walk + [-1] * (options["length"] + 1 - len(walk))
        step = len(walk) - 1
        for attempt in range(65):
            a, b = _philox([step, attempt, number, 0], key)
            if attempt == 64:
                shares = [w * bound(walk[-2], x) for w, x in zip(shares, row, strict=True)]
            x = row[first_beyond(shares, a)]
            if attempt == 64 or step == 0 or b >> 1 < bound(walk[-2], x):
                walk.append(x)
                break
    return walk


def _random_walks(graph: gs.Graph, machine: str, rng: Random) -> Call:
    """Some of the walks are made anew; others are verified."""
    weighted = bool(graph.weighted and rng.random() < 0.5)
    options: dict[str, Any] = {
        "engine": _engine("random_walks", machine, rng),
        "length": int(rng.integers(1, 41)),
        "walks": int(rng.integers(1, 4)),
        "seed": int(rng.integers(0, 1 << 40)),
        "p": float(rng.choice([1.0, 0.5, 4.0])),
        "q": float(rng.choice([1.0, 2.0, 0.25])),
    } | ({"weighted": True} if weighted else {})
    sources = rng.integers(0, graph.vertices, int(rng.integers(1, 300)))

    def check(result: Any) -> None:
        for number in np.linspace(0, result.count - 1, 5).astype(int).tolist():
            source = int(sources[number // options["walks"]])
            wanted = np.array(_walk(graph, source, number, options, weighted))
            _same(result.walks[number], wanted, f"walk {number}")
        _same(result.steps, int((result.walks[:, 1:] >= 0).sum()), "steps")
        like = {name: options[name] for name in ("seed", "p", "q")}
        gs.verify_random_walks(graph, result.walks, sources=sources, weighted=weighted, **like)

    return Call(
        "random_walks",
        lambda **given: gs.random_walks(graph, machine, sources=sources, **given), check, options,
    )  # fmt: skip


def _own_weights(graph: gs.Graph, rng: Random) -> dict[str, Any]:
    """Half of the time weights count, where there are any that may."""
    weights = graph.weights
    usable = weights is not None and bool((np.asarray(weights) >= 0).all())
    return {"weighted": True} if usable and rng.random() < 0.5 else {}


def _into(graph: gs.Graph, options: dict[str, Any]) -> Any:
    """The matrix that takes what vertices have along arcs; parallel ones add."""
    u, v = ends_of(graph)
    w = np.ones(graph.arcs)
    if options.get("weighted"):
        w = np.asarray(graph.weights, dtype=np.float64)
    return coo_array((w, (v, u)), shape=(graph.vertices, graph.vertices)).tocsr()


def _hits(graph: gs.Graph, machine: str, rng: Random) -> Call:
    options = _own_weights(graph, rng)

    def check(result: Any) -> None:
        into = _into(graph, options)
        if not into.nnz or not into.data.any():
            _same(result.hubs, np.zeros(graph.vertices), "hubs without arcs")
            return
        into /= into.data.max()
        hubs, authorities = np.asarray(result.hubs), np.asarray(result.authorities)
        wanted = into.T @ authorities
        _same(hubs, wanted / wanted.sum(), "hubs of authorities", 1e-9)
        _same([hubs.sum(), authorities.sum()], [1, 1], "sums", 1e-9)
        turned = into @ wanted
        size = (turned @ authorities) / (authorities @ authorities)
        far = float(np.linalg.norm(turned - size * authorities) / np.linalg.norm(turned))
        if result.converged and not far <= 1e-12 + 1.001 * result.change:
            raise AssertionError(f"authorities: turned by {far:.3g}")

    return Call("hits", lambda **given: gs.hits(graph, machine, **given), check, options)


def _katz(graph: gs.Graph, machine: str, rng: Random) -> Call:
    """With half of what one over a bound of the largest eigenvalue is."""
    options = _own_weights(graph, rng)
    bound = float(_into(graph, options).sum(axis=1).max(initial=0))
    options |= {
        "alpha": 0.5 / bound if bound > 0 else 0.1, "tolerance": 1e-10,
        "beta": rng.random(graph.vertices), "normalized": bool(rng.random() < 0.5),
    }  # fmt: skip

    def check(result: Any) -> None:
        step = options["alpha"] * _into(graph, options)
        wanted = options["beta"].copy()
        for _ in range(100):
            wanted = step @ wanted + options["beta"]
        if options["normalized"]:
            wanted /= np.linalg.norm(wanted)
        far = float(np.abs(result.values - wanted).sum())
        if not far <= 1e-8 * graph.vertices:
            raise AssertionError(f"katz: {far:.3g} from the fixed point")

    return Call("katz", lambda **given: gs.katz(graph, machine, **given), check, options)


def _eigenvector(graph: gs.Graph, machine: str, rng: Random) -> Call:
    options = _own_weights(graph, rng) | {"tolerance": 1e-7, "max_iterations": 1000}

    def check(result: Any) -> None:
        values = np.asarray(result.values)
        new = values + _into(graph, options) @ values
        far = float(np.abs(new / np.linalg.norm(new) - values).mean())
        if not abs(result.change - far) <= 1e-12 + 1e-3 * far:
            raise AssertionError(f"eigenvector: change {result.change:.6g}, not {far:.6g}")
        _same(values @ values, 1, "length", 1e-9)
        if (values < 0).any():
            raise AssertionError("eigenvector: a negative number")

    return Call(
        "eigenvector", lambda **given: gs.eigenvector(graph, machine, **given), check, options
    )


def _order(vertices: int, seed: int) -> Array:
    """The vertices in the order of a seed, by Python's own numbers."""
    key = _mixed((seed + 0x9E3779B97F4A7C15) % (1 << 64))
    return np.array(sorted(range(vertices), key=lambda v: _mixed(v ^ key)), np.int64)


def _mixed(x: int) -> int:
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        x = (x ^ x >> shift) * factor % (1 << 64)
    return x ^ x >> 31


def _greedy(graph: gs.Graph, machine: str, rng: Random) -> Call:
    """An independent set and a colouring, by going through the vertices one by one."""
    both = graph if graph.symmetric else graph.rebuild(symmetrize=True)
    seed = int(rng.integers(0, 1 << 63))

    def check(result: Any) -> None:
        near = matrix_of(both)
        chosen, colors = np.zeros(both.vertices), np.full(both.vertices, -1)
        for v in _order(both.vertices, seed).tolist():
            beside = near.indices[near.indptr[v] : near.indptr[v + 1]]
            beside = beside[beside != v]
            chosen[v] = not chosen[beside].any()
            left = np.setdiff1d(np.arange(beside.size + 1), colors[beside])
            colors[v] = left[0]
        _same(result[0], chosen, "independent set")
        _same(result[1], colors, "colours")

    def run(**given: Any) -> Any:
        found = gs.independent_set(both, machine, seed=seed, **given)
        return found.chosen, gs.coloring(both, machine, seed=seed, **given).colors

    return Call(f"greedy of seed {seed}", run, check)


def _program(graph: gs.Graph, machine: str, rng: Random) -> Call:
    """Own programs that need no compiler when they run."""
    source = int(rng.integers(0, graph.vertices))
    kind = str(rng.choice(["hops", "labels", "wide"] if graph.weighted else ["hops", "labels"]))
    options = _some(rng, delta=[1.0, 100.0])
    if kind == "hops":
        program = gs.vertex_program("min", "value + 1", "uint32")
        given: dict[str, Any] = {"sources": source}
    elif kind == "labels":
        program = gs.vertex_program("min", "value", "int64")
        given = {"values": np.arange(graph.vertices)}
    else:
        program = gs.vertex_program("max", "min(value, weight)", "float64", initial=-1)
        given = {"sources": source}

    def check(result: Any) -> None:
        matrix = matrix_of(graph)
        if kind == "hops":
            far = csgraph.dijkstra(matrix, indices=source, unweighted=True)
            wanted = np.where(np.isinf(far), 2.0**32 - 1, far)
        elif kind == "labels":
            wanted = np.arange(graph.vertices)
            u, v = ends_of(graph)
            while True:
                before = wanted.copy()
                np.minimum.at(wanted, v, wanted[u])
                if np.array_equal(before, wanted):
                    break
        else:
            wanted = widest(graph, source)
        _same(result.values, wanted, f"values of {kind}")

    return Call(
        f"program {kind} from {source}",
        lambda **more: program.run(graph, machine=machine, **given, **more), check, options,
    )  # fmt: skip


def widest(graph: gs.Graph, source: int) -> Array:
    """The width of the widest path to every vertex, -1 where there is none."""
    u, v = ends_of(graph)
    w = np.asarray(graph.weights, dtype=np.float64)
    width = np.full(graph.vertices, -1.0)
    width[source] = np.inf
    while True:
        before = width.copy()
        np.maximum.at(width, v, np.minimum(width[u], np.where(width[u] < 0, -1, w)))
        if np.array_equal(before, width):
            return width


_COMBINE: dict[str, tuple[Any, Any]] = {
    "sum": (np.add, 0), "min": (np.minimum, np.iinfo(np.int64).max),
    "max": (np.maximum, np.iinfo(np.int64).min), "or": (np.bitwise_or, 0),
}  # fmt: skip


def _steps(graph: gs.Graph, machine: str, rng: Random) -> Call:
    """One message along every arc, combined; twice, so that what came is sent on."""
    combine = str(rng.choice(list(_COMBINE)))
    along = str(rng.choice(["out", "in", "both"]))
    x = rng.integers(-1000, 1000, graph.vertices)

    def run(**given: Any) -> Any:
        with gs.vertex_steps(graph, machine, **given) as s:
            s.fields(x=x)
            s.send("x", combine, into="got", along=along, where="x > -900")
            s.map(x="(got ^ x) & 4095")
            s.send("x", combine, into="again", along=along)
            return s["again"]

    def sent(values: Array, where: Array) -> Array:
        ufunc, start = _COMBINE[combine]
        got = np.full(graph.vertices, start, dtype=np.int64)
        u, v = ends_of(graph)
        ways = {"out": [(u, v)], "in": [(v, u)], "both": [(u, v), (v, u)]}[along]
        # Arcs of a symmetric graph lead both ways already.
        for begin, end in ways[:1] if graph.symmetric else ways:
            ufunc.at(got, end[where[begin]], values[begin[where[begin]]])
        return got

    def check(result: Any) -> None:
        y = (sent(x, x > -900) ^ x) & 4095
        wanted = sent(y, np.ones(graph.vertices, dtype=bool))
        if not np.array_equal(result, wanted):
            raise AssertionError(f"again: {np.count_nonzero(result != wanted)} values differ")

    return Call(f"steps {combine} along {along}", run, check)


def _filter(graph: gs.Graph, machine: str, rng: Random) -> Call:
    dtype = [np.int32, np.int64, np.float32, np.float64][int(rng.integers(0, 4))]
    array = (1000 * rng.random(int(rng.integers(0, 50000)))).astype(dtype)
    low, high = sorted(int(x) for x in rng.integers(0, 1000, 2))
    predicate, keeps = [
        (f"<{low}", array < low), (f">={low}", array >= low), (f"!={low}", array != low),
        (f"{low}..{high}", (array >= low) & (array <= high)),
    ][int(rng.integers(0, 4))]  # fmt: skip
    options = _some(
        rng, split=["first-available", "even"], packet=[64, 4096, 1 << 20], buffers=[1, 2, 7]
    )

    def check(result: Any) -> None:
        if gs.Machine(machine).here(0):
            _same(result.values, array[keeps], "kept elements")

    return Call(
        f"filter {predicate} of {len(array)} {array.dtype}",
        lambda **given: gs.filter(array, predicate, machine, **given), check, options,
    )  # fmt: skip


def _placed(graph: gs.Graph, machine: str, rng: Random) -> Call:
    """A graph that stays on the machine, and several calls of it."""
    sources = [int(s) for s in rng.integers(0, graph.vertices, 3)]
    options = _some(rng, partition=["auto", "edges", "hash"], renumber=["none", "degree"])

    def run(timeout: float | None = None, **given: Any) -> Any:
        placed = gs.Machine(machine).place(graph, **given)
        return [gs.bfs(placed, s, timeout=timeout).depths for s in sources] + [
            gs.components(placed, timeout=timeout).labels
        ]

    def check(result: Any) -> None:
        for source, depths in zip(sources, result[:-1], strict=True):
            far = csgraph.dijkstra(matrix_of(graph), indices=source, unweighted=True)
            _same(depths, np.where(np.isinf(far), -1, far), f"depths from {source}")
        _same(result[-1], smallest_of_each(graph), "labels")

    return Call(f"placed, bfs from {sources}, components", run, check, options)


ALGORITHMS: dict[str, Callable[[gs.Graph, str, Random], Call]] = {
    "bfs": _bfs, "sssp": _sssp, "components": _components, "pagerank": _pagerank, "cg": _cg,
    "triangles": _triangles, "core_numbers": _core_numbers,
    "spanning_forest": _spanning_forest, "strong_components": _strong_components,
    "betweenness": _betweenness, "distances": _distances, "communities": _communities,
    "random_walks": _random_walks, "hits": _hits, "katz": _katz,
    "eigenvector": _eigenvector, "greedy": _greedy,
    "program": _program, "steps": _steps, "filter": _filter, "placed": _placed,
}  # fmt: skip

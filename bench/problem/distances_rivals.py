"""Distances beside SciPy, NetworKit, igraph and rustworkx: the same graphs and sources.

    python bench/problem/distances_rivals.py [GRAPH ...] [--rounds 3] [--machine cpu]
        [--tasks closeness:64,…] [--against scipy,networkit,igraph,rustworkx] [--limit 60]
        [--out FILE]

A task is `closeness`, `harmonic`, `eccentricity` or `distances` of so many sources of degree 1 or
more, or of `all` vertices, or `diameter`. Each library does each task in a process of its own,
which is ended after the limit; it holds the graph before it is timed. What it finds must add up to
what Gossamer finds. Wall and processor milliseconds, the least of the rounds.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import math
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gossamer as gs
import numpy as np
from processor import processor_name
from rivals import timed

GRAPHS = ("kron:18", "data:road-NY", "data:cnr-2000", "data:slashdot")
TASKS = (
    "closeness:64", "closeness:1024", "closeness:all", "harmonic:64", "eccentricity:64",
    "distances:64", "eccentricity:all", "diameter",
)  # fmt: skip
#: What takes Gossamer itself longer than a minute.
LONG = {("kron:18", "closeness:all"), ("data:road-NY", "closeness:all")}

Work = Callable[[], float]


def ends(graph: gs.Graph) -> tuple[Any, Any]:
    """Of each arc; of an undirected graph's edges each once."""
    u = np.repeat(np.arange(graph.vertices), graph.degrees)
    v = np.asarray(graph.indices).astype(u.dtype)
    taken = u < v if graph.symmetric else np.ones(u.size, bool)
    return u[taken], v[taken]


def drawn(graph: gs.Graph, task: str) -> Any:
    """The task's sources; None: all vertices."""
    count = task.partition(":")[2]
    if count in ("", "all"):
        return None
    able = np.flatnonzero(graph.degrees > 0)
    return np.random.default_rng(1).choice(able, int(count), replace=False)


def gossamer(graph: gs.Graph, task: str, machine: str) -> Work:
    where, sources, name = gs.Machine(machine), drawn(graph, task), task.partition(":")[0]
    if name == "diameter":
        return lambda: float(gs.diameter(graph, where).diameter)
    if name == "eccentricity":
        return lambda: float(gs.eccentricity(graph, where, vertices=sources).values.sum())
    if name == "distances":
        return lambda: _sum(gs.distances(graph, sources, None, where).depths)
    function = gs.closeness if name == "closeness" else gs.harmonic
    how = {"wf_improved": False} if name == "closeness" else {}
    return lambda: float(function(graph, where, vertices=sources, inward=False, **how).values.sum())


def _sum(depths: Any) -> float:
    """Of those that are no less than 0, whatever stands for none."""
    depths = np.asarray(depths)
    return float(depths.sum(where=(depths >= 0) & (depths < 1e9), dtype=np.float64))


def _numbers(name: str, rows: Any) -> float:
    """Of rows of distances, what a task adds up to."""
    rows = np.where((rows >= 0) & (rows < 1e9), rows, np.nan)
    if name == "eccentricity":
        return float(np.nanmax(rows, axis=1).sum())
    if name == "distances":
        return float(np.nansum(rows))
    rows = np.where(rows > 0, rows, np.nan)
    if name == "harmonic":
        return float(np.nansum(1 / rows))
    sums = np.nansum(rows, axis=1)
    return float((np.isfinite(rows).sum(axis=1)[sums > 0] / sums[sums > 0]).sum())


def scipy(graph: gs.Graph, task: str) -> Work | None:
    from scipy.sparse import csgraph

    held, sources, name = graph.to_scipy(), drawn(graph, task), task.partition(":")[0]
    if name == "diameter" or sources is None:
        return None  # a matrix of all pairs
    return lambda: _numbers(
        name, csgraph.shortest_path(held, method="D", unweighted=True, indices=sources)
    )


def networkit(graph: gs.Graph, task: str) -> Work | None:
    import networkit as nk

    u, v = ends(graph)
    directed = not graph.symmetric
    held = nk.GraphFromCoo((np.ones(u.size), (u, v)), n=graph.vertices, directed=directed)
    sources, name = drawn(graph, task), task.partition(":")[0]

    def diameter() -> float:
        found = nk.distance.Diameter(held, algo=nk.distance.DiameterAlgo.EXACT).run()
        return float(found.getDiameter()[0])

    def lengths() -> float:
        found = nk.distance.SPSP(held, list(map(int, sources))).run()
        return _numbers(name, np.asarray(found.getDistances()))

    def closeness() -> float:
        # Of disconnected graphs only the generalized variant.
        found = nk.centrality.Closeness(held, False, nk.centrality.ClosenessVariant.GENERALIZED)
        found.run()
        return math.nan if len(found.scores()) else 0.0

    if name == "diameter":
        return None if directed else diameter
    if sources is None:
        return closeness if name == "closeness" else None
    return lengths


def igraph(graph: gs.Graph, task: str) -> Work | None:
    import igraph as ig

    held = ig.Graph(graph.vertices, np.column_stack(ends(graph)), directed=not graph.symmetric)
    drew, name = drawn(graph, task), task.partition(":")[0]
    sources = None if drew is None else drew.tolist()
    if name == "diameter":
        return lambda: float(held.diameter(directed=True, unconn=True))
    if name == "distances":
        return lambda: _sum(held.distances(source=sources, mode="out"))
    if name == "eccentricity":
        return lambda: float(np.sum(held.eccentricity(vertices=sources, mode="out")))
    if name == "harmonic":
        others = graph.vertices - 1
        return lambda: float(
            np.sum(held.harmonic_centrality(vertices=sources, mode="out")) * others
        )
    return lambda: float(np.nansum(held.closeness(vertices=sources, mode="out")))


def rustworkx(graph: gs.Graph, task: str) -> Work | None:
    import rustworkx as rx

    if task != "closeness:all":
        return None
    held = (rx.PyGraph if graph.symmetric else rx.PyDiGraph)()
    held.add_nodes_from(range(graph.vertices))
    u, v = ends(graph)
    held.add_edges_from_no_data(list(zip(u.tolist(), v.tolist(), strict=True)))
    # Its distances lead to a vertex: another number, as much work.
    return lambda: math.nan if len(rx.closeness_centrality(held, False)) else 0.0


PEERS = {"scipy": scipy, "networkit": networkit, "igraph": igraph, "rustworkx": rustworkx}


def is_file(name: str) -> bool:
    """A data set or a path, not a generator."""
    return ":" not in name or name.startswith("data:")


def one(graph_name: str, task: str, of: str, machine: str, rounds: int) -> None:
    """In a process of its own: prints each round, and what was found."""
    graph = gs.read(graph_name) if is_file(graph_name) else gs.generate(graph_name)
    work = gossamer(graph, task, machine) if of == "gossamer" else PEERS[of](graph, task)
    if work is None:
        return
    found: list[float] = []
    for _ in range(rounds):
        graph.forget()  # the order of sources is part of each call
        spent = timed(lambda: found.append(work()))
        print(json.dumps({"wall": spent[0], "processor": spent[1], "found": found[-1]}), flush=True)


def child(arguments: list[str], limit: float) -> list[dict[str, float]]:
    """The rounds that ended in time."""
    command = [sys.executable, __file__, "--one", *arguments]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit, check=False)
        text = done.stdout
        if done.returncode:
            raise RuntimeError(f"{arguments}: {done.stderr[-2000:]}")
    except subprocess.TimeoutExpired as late:
        text = late.stdout.decode() if isinstance(late.stdout, bytes) else late.stdout or ""
    return [json.loads(line) for line in text.splitlines()]


def compare(
    name: str, task: str, machine: str, rounds: int, against: list[str], limit: float
) -> dict[str, Any]:
    wall, processor = {}, {}
    want = None
    for of in ("gossamer", *against):
        if of != "gossamer" and not importlib.util.find_spec(of):
            continue
        made = child([name, task, of, machine, str(rounds)], limit * (rounds + 1))
        if not made:
            continue
        found = made[0]["found"]
        want = found if want is None else want
        if not math.isnan(found) and not math.isclose(found, want, rel_tol=1e-6):
            raise AssertionError(f"{name}: {task}: {of} finds {found}, not {want}")
        wall[of] = round(min(run["wall"] for run in made), 2)
        processor[of] = round(min(run["processor"] for run in made), 2)
    return {"graph": name, "task": task, "wall_ms": wall, "processor_ms": processor}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("graphs", nargs="*", default=list(GRAPHS), metavar="GRAPH")
    parser.add_argument("--machine", default="cpu")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--tasks", default=",".join(TASKS), help="with commas")
    parser.add_argument("--against", default=",".join(PEERS), help="peers, with commas")
    parser.add_argument("--limit", type=float, default=60, help="seconds that a round may take")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    found = []
    for name in options.graphs:
        for task in options.tasks.split(","):
            if (name, task) in LONG:
                continue
            against = options.against.split(",")
            made = compare(name, task, options.machine, options.rounds, against, options.limit)
            found.append(made)
            print(json.dumps(made), flush=True)
    if options.out is not None:
        report = {"processor": processor_name(), "machine": options.machine, "tasks": found}
        options.out.write_text(json.dumps(report, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        name, task, of, machine, rounds = sys.argv[2:7]
        one(name, task, of, machine, int(rounds))
    else:
        main()

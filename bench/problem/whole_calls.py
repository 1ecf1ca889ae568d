"""What a caller waits for: first and second calls by the wall, beside what the device was busy.

    python bench/problem/whole_calls.py [--graph kron:24] [--machine cuda:0] [--out FILE.json]

A graph comes as CSR in NumPy arrays, as it would from elsewhere; of each algorithm a first call on
a graph that was never used, then more on the same one. `device` is the time that the result
reports. `copy` is cupy.asarray of the same arrays, where CuPy is: what moving them takes others.
CUDA's context exists before the first call.
"""

from __future__ import annotations

import argparse
import datetime
import json
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gossamer as gs
import numpy as np
from gossamer import _gossamer


def timed(call: Callable[[], Any]) -> tuple[float, Any]:
    """Milliseconds by the wall, and what came back."""
    begin = time.perf_counter()
    value = call()
    return (time.perf_counter() - begin) * 1e3, value


def calls(source: int, machine: gs.Machine) -> dict[str, tuple[bool, Callable[[gs.Graph], Any]]]:
    """By name: whether it takes weights, and the call."""
    return {
        "bfs": (False, lambda g: gs.bfs(g, source, machine)),
        "sssp": (True, lambda g: gs.sssp(g, source, machine)),
        "components": (False, lambda g: gs.components(g, machine)),
        "pagerank": (False, lambda g: gs.pagerank(g, machine)),
    }


def device_ms(result: Any) -> float | None:
    """What a result says that it took."""
    for name in ("milliseconds", "device_milliseconds"):
        if hasattr(result, name):
            return float(getattr(result, name))
    return 1e3 * float(result.seconds) if hasattr(result, "seconds") else None


def algorithm(arrays: Any, weighted: bool, call: Callable[[gs.Graph], Any]) -> dict[str, Any]:
    """First and later calls; every first one on a graph of its own."""

    def fresh() -> gs.Graph:
        return gs.from_csr(
            arrays["indptr"],
            arrays["indices"],
            arrays["weights"] if weighted else None,
            sorted=True,
            symmetric=True,
        )

    made, first = [], []
    for _ in range(3):
        ms, graph = timed(fresh)
        made.append(ms)
        ms, result = timed(lambda graph=graph: call(graph))
        first.append(ms)
        del result
    later = []
    for _ in range(5):
        ms, result = timed(lambda: call(graph))
        later.append(ms)
    return {
        "from_csr_ms": statistics.median(made),
        "first_ms": statistics.median(first),
        "second_ms": statistics.median(later),
        "device_ms": device_ms(result),
    }


def accesses(graph: gs.Graph, source: int, machine: gs.Machine) -> dict[str, Any]:
    """Arrays of results, first access."""
    arrays: dict[str, Callable[[], Any]] = {
        "parents": lambda: gs.bfs(graph, source, machine),
        "depths": lambda: gs.bfs(graph, source, machine),
        "distances": lambda: gs.sssp(graph, source, machine),
        "labels": lambda: gs.components(graph, machine),
        "ranks": lambda: gs.pagerank(graph, machine),
    }
    found: dict[str, Any] = {}
    for name, call in arrays.items():
        times, size = [], 0
        for _ in range(5):
            result = call()
            ms, array = timed(lambda result=result, name=name: getattr(result, name))
            times.append(ms)
            size = array.nbytes
        ms = statistics.median(times)
        found[name] = {"ms": ms, "GB/s": size / ms / 1e6}
    return found


def verify(graph: gs.Graph, source: int, machine: gs.Machine) -> None:
    """All results of calls that found what earlier ones left."""
    gs.bfs(graph, source, machine).verify()
    gs.verify_sssp(graph, source, gs.sssp(graph, source, machine).distances)
    gs.verify_components(graph, gs.components(graph, machine).labels)
    gs.verify_pagerank(graph, gs.pagerank(graph, machine).ranks)


def kept_bytes(graph: gs.Graph, source: int, machine: gs.Machine) -> dict[str, Any]:
    """What four algorithms leave of one weighted graph, in all and of an arc."""
    gs.cache().clear()
    for _, call in calls(source, machine).values():
        call(graph)
    cache = gs.cache()
    return {
        "bytes": cache.bytes,
        "with arenas": _gossamer.memory_in_use(0)[0],  # all that the process has there
        "entries": {f"{e.kind} {i}": e.bytes for i, e in enumerate(cache.entries)},
        "vertices": graph.vertices,
        "arcs": graph.arcs,
    }


def on_gpu(arrays: Any, source: int, machine: gs.Machine) -> dict[str, Any] | None:
    """The same calls on arrays in CuPy, and graphs of edges there; None without it or a GPU."""
    try:
        import cupy
    except ImportError:
        return None
    there = {name: cupy.asarray(array) for name, array in arrays.items()}
    found: dict[str, Any] = {}
    for name, (weighted, call) in calls(source, machine).items():
        found[name] = algorithm(there, weighted, call)
    del there
    gs.cache().clear()
    rng = cupy.random.default_rng(1)
    u, v = (rng.integers(0, 1 << 24, 1 << 28, dtype=cupy.int32) for _ in range(2))
    times = []
    for _ in range(4):
        cupy.cuda.Device().synchronize()
        ms, graph = timed(lambda: gs.from_edges(u, v, symmetrize=True, deduplicate=True))
        times.append(ms)
    found["from_edges"] = {
        "edges": 1 << 28,
        "arcs": graph.arcs,
        "first_ms": times[0],
        "second_ms": statistics.median(times[1:]),
    }
    return found


def copies(arrays: Any) -> dict[str, float] | None:
    """cupy.asarray of the arrays, milliseconds; None without CuPy or a GPU."""
    try:
        import cupy
    except ImportError:
        return None

    def one(names: tuple[str, ...]) -> float:
        times = []
        for _ in range(3):
            begin = time.perf_counter()
            kept = [cupy.asarray(arrays[name]) for name in names]
            cupy.cuda.Device().synchronize()
            times.append((time.perf_counter() - begin) * 1e3)
            del kept
        return statistics.median(times)

    return {
        "structure_ms": one(("indptr", "indices")),
        "weighted_ms": one(("indptr", "indices", "weights")),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--graph", default="kron:24")
    parser.add_argument("--machine", default="cuda:0")
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    made = gs.generate(given.graph, weights=True)
    arrays = {
        "indptr": np.array(made.indptr),
        "indices": np.array(made.indices),
        "weights": np.array(made.weights),
    }
    source = gs.draw_sources(made, 1)[0]
    machine = gs.Machine(given.machine)
    gs.bfs(gs.kronecker(10), 1, machine)  # contexts, kernels
    rows = {}
    for name, (weighted, call) in calls(source, machine).items():
        rows[name] = algorithm(arrays, weighted, call)
        print(name, {k: round(v, 2) for k, v in rows[name].items() if v is not None}, flush=True)
    verify(made, source, machine)
    result = {
        "date": datetime.date.today().isoformat(),
        "graph": given.graph,
        "vertices": made.vertices,
        "arcs": made.arcs,
        "machine": machine.spec,
        "device": machine.devices[0].name,
        "calls": rows,
        "results": accesses(made, source, machine),
        "copy": copies(arrays),
        "kept": kept_bytes(made, source, machine),
        "on_gpu": on_gpu(arrays, source, machine),
    }
    for name in ("results", "copy", "kept", "on_gpu"):
        print(name, result[name])
    if given.out:
        given.out.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

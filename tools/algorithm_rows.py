"""Rows of the newer algorithms: beside peers on two cores, and on an H200 beside goals."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gpu_rows import short

#: What results call the four graphs.
GRAPHS = {
    "kron:18": "kron:18",
    "NY": "data:road-NY road-NY USA-road-d.NY.gr.xz",
    "cnr-2000": "data:cnr-2000 cnr-2000 cnr-2000.graph-txt.xz",
    "Slashdot": "data:slashdot slashdot soc-Slashdot0902.txt.xz",
}
PEERS = {"networkit": "NetworKit", "igraph": "igraph", "scipy": "SciPy", "rustworkx": "rustworkx",
         "networkx": "NetworkX"}  # fmt: skip


@dataclass(frozen=True)
class Row:
    """An algorithm on a graph: milliseconds by who worked, wall and processor."""

    algorithm: str
    graph: str
    ours: str
    first: str
    #: By peer, each of its functions.
    peers: dict[str, list[str]]
    wall: dict[str, float]
    processor: dict[str, float]


def _row(
    algorithm: str, found: dict[str, Any], ours: str, first: str,
    parts: tuple[str, ...] = ("",),
) -> Row | None:  # fmt: skip
    # `parts`: what names of peers' functions have one of.
    graph = next((g for g, names in GRAPHS.items() if found["graph"] in names.split()), None)
    wall = found["wall_ms"]
    if graph is None or ours not in wall:
        return None
    peers = {
        of: [name for name in wall if name.startswith(of) and any(part in name for part in parts)]
        for of in PEERS
    }
    return Row(algorithm, graph, ours, first, peers, wall, found["processor_ms"])


def _plain(algorithm: str) -> Callable[[dict[str, Any]], Iterator[Row | None]]:
    """Of a bench whose rows have `call` and `first`."""

    def rows(result: dict[str, Any]) -> Iterator[Row | None]:
        for found in result["graphs"]:
            what = algorithm
            if "weighted" in found:
                what += ", weights" if found["weighted"] else ", no weights"
            if found.get("samples"):
                what += f", {found['samples']} samples"
            yield _row(what, found, "call", "first")

    return rows


def _distances(result: dict[str, Any]) -> Iterator[Row | None]:
    for found in result["tasks"]:
        name, _, count = found["task"].partition(":")
        words = {"distances": "distances (many-source bfs), from ", "diameter": "diameter"}
        yield _row(words.get(name, f"{name} of ") + count, found, "gossamer", "")


def _communities(result: dict[str, Any]) -> Iterator[Row | None]:
    kinds = {"louvain": ("_plm", "_multilevel", "_louvain"), "leiden": ("_leiden",)}
    for found in result["graphs"]:
        for kind, ends in kinds.items():
            yield _row(f"communities, {kind}", found, kind, f"{kind}, first", ends)


def _by_steps(result: dict[str, Any]) -> Iterator[Row | None]:
    names = {"set": "independent_set"}
    together: dict[tuple[str, str], dict[str, Any]] = {}
    for found in result["graphs"]:
        for task, times in found["tasks"].items():
            one = together.setdefault((task, found["graph"]), {"graph": found["graph"]})
            for of in ("wall_ms", "processor_ms"):
                for who, ms in times[of].items():
                    known = one.setdefault(of, {})
                    known[who] = min(ms, known.get(who, ms))
    for (task, _), found in together.items():
        yield _row(names.get(task, task), found, "call", "")


def _walks(result: dict[str, Any]) -> Iterator[Row | None]:
    for found in result["graphs"]:
        for kind in ("uniform", "weighted", "node2vec", "node2vec, weighted"):
            what = f"random_walks, {kind}, {found['walks']:,} of {found['length']} steps"
            first = "weighted, first" if kind == "weighted" else ""
            yield _row(what, found, kind, first, (f", {kind}",))


KINDS: dict[str, Callable[[dict[str, Any]], Iterator[Row | None]]] = {
    "triangles": _plain("triangles"),
    "betweenness": _plain("betweenness"),
    "core-numbers": _plain("core_numbers"),
    "strong-components": _plain("strong_components"),
    "spanning-forest": _plain("spanning_forest"),
    "communities": _communities,
    "distances": _distances,
    "by-steps": _by_steps,
    "random-walks": _walks,
}


def _cell(row: Row, names: list[str]) -> str:
    """The fastest of several, with its processor time."""
    there = [name for name in names if name in row.wall]
    if not there:
        return "–"
    best = min(there, key=row.wall.__getitem__)
    return f"{short(row.wall[best])} ({short(row.processor[best])})"


def peer_lines(folder: Path) -> list[str]:
    """Each algorithm on each graph, by the latest result that has it, and which have none."""
    latest: dict[tuple[str, str], tuple[Row, str]] = {}
    used: dict[str, str] = {}
    for kind, rows_of in KINDS.items():
        # Of one day the run on cores of its own counts.
        files = sorted(
            folder.glob(f"*-{kind}-rivals*.json"), key=lambda p: (p.name[:10], "xeon" in p.name)
        )
        for path in files:
            result = json.loads(path.read_text())
            for row in rows_of(result):
                if row is not None:
                    latest[row.algorithm, row.graph] = (row, path.name)
                    used[path.name] = _run(path, result)
    used = {name: of for name, of in used.items() if any(name == at for _, at in latest.values())}
    number = {name: str(i + 1) for i, name in enumerate(used)}
    algorithms = list(dict.fromkeys(algorithm for algorithm, _ in latest))
    lines = [
        "Two CPU cores, from a graph in memory to the result: wall milliseconds, in brackets "
        "processor milliseconds, which say more where other jobs ran. *First* lays out what later "
        "calls find. Of a peer the fastest of its functions is shown. *Faster* is the fastest "
        "peer's wall time over a later call's, and the last column the same of processor time. "
        "The design pages say what each peer's function is, "
        "and how many rounds were taken. By runs:",
        "",
        *(f"{number[name]}. {of}" for name, of in used.items()),
        "",
        "| algorithm | graph | run | Gossamer | first | "
        + " | ".join(PEERS.values()) + " | faster | by processor |",
        "|---|---|---:|---:|---:|" + "---:|" * (len(PEERS) + 2),
    ]  # fmt: skip
    for algorithm in algorithms:
        for graph in GRAPHS:
            if (algorithm, graph) not in latest:
                continue
            row, name = latest[algorithm, graph]
            call = _cell(row, [row.ours])
            first = _cell(row, [row.first])
            peers = [_cell(row, row.peers[of]) for of in PEERS]
            theirs = [name for names in row.peers.values() for name in names]
            faster = " | ".join(
                f"{min(times[name] for name in theirs) / times[row.ours]:.1f} ×" if theirs else "–"
                for times in (row.wall, row.processor)
            )
            lines.append(
                f"| {algorithm} | {graph} | {number[name]} | {call} | {first} | "
                + " | ".join(peers) + f" | {faster} |"
            )  # fmt: skip
    missing = [
        f"{algorithm} of {', '.join(absent)}"
        for algorithm in algorithms
        if (absent := [graph for graph in GRAPHS if (algorithm, graph) not in latest])
    ]
    if missing:
        lines += ["", f"No result: {'; '.join(missing)}."]
    return [*lines, ""]


def _run(path: Path, result: dict[str, Any]) -> str:
    said = f"{result.get('hardware', result['processor'])}, `{result['machine']}`, {path.name[:10]}"
    if "load" in result:
        said += f", {result['load']}"
    if "command" in result:
        said += f"; `{result['command']}`"
    return f"{said} (`bench/results/{path.name}`)"


#: Milliseconds on one H200, or times one `bfs`, that were asked for.
GOALS = {
    ("triangles", "kron:22"): "≤ 80 ms",
    ("triangles", "cnr-2000, symmetrised"): "≤ 0.6 ms",
    ("betweenness from 16", "kron:22"): "≤ 64 ms",
    ("betweenness from 1", "road:2000"): "≤ 25 ms",
    ("betweenness from 16", "road:2000"): "≤ 96 ms",
    ("core_numbers", "kron:22"): "≤ 8 ms",
    ("strong_components", "cnr-2000"): "≤ 5 ms",
    ("spanning_forest", "kron:22"): "≤ 12 ms",
    ("spanning_forest", "road:5000"): "≤ 12 ms",
    ("communities, louvain", "kron:20"): "≤ 150 ms",
    ("distances from 64", "kron:22"): "≤ 12 × one bfs",
    ("random_walks, uniform", "kron:22"): "≤ 120 ms",
    ("random_walks, weighted", "kron:22"): "≤ 300 ms",
    ("random_walks, node2vec", "kron:22"): "≤ 1000 ms",
}


def _h200(kind: str, row: dict[str, Any]) -> Iterator[tuple[str, float, float | None, str]]:
    """(algorithm, ms of the device, ms of the call, more)."""
    if kind == "triangles":
        yield "triangles", row["device_ms_median"], row["wall_ms_median"], ""
    elif kind == "betweenness" and not row["edges"]:
        yield f"betweenness from {row['sources']}", row["ms"], None, ""
    elif kind == "communities":
        for method in ("louvain", "leiden"):
            yield f"communities, {method}", row[method]["ms"], None, ""
    elif kind == "distances" and row["what"] != "bfs, one source":
        names = {"numbers": "closeness of 64", "depths": "distances from 64",
                 "depths between them": "distances between 64"}  # fmt: skip
        more = f"{row['times']:.1f} × one bfs" if "times" in row else ""
        yield names.get(row["what"], row["what"]), row["ms"], row.get("call_ms"), more
    elif kind == "cores":
        yield row["what"], row["ms"], row.get("call_ms"), ""


def h200_lines(folder: Path) -> list[str]:
    """What the device takes beside the goals, by the latest result of each."""
    patterns = {"triangles": "*-triangles-h200.json", "cores": "*-gpu-cores-*h200.json",
                "betweenness": "*-gpu-betweenness-h200.json",
                "distances": "*-gpu-distances-*h200.json",
                "communities": "*-gpu-communities-h200.json"}  # fmt: skip
    latest: dict[tuple[str, str], str] = {}
    runs: dict[str, str] = {}
    for kind, pattern in patterns.items():
        # Of one day the smaller run is the later one.
        for path in sorted(folder.glob(pattern), key=lambda p: (p.name[:10], -p.stat().st_size)):
            result = json.loads(path.read_text())
            runs[path.name] = f"`{result['command']}` ({result['date']})"
            for row in result.get("rows", result.get("graphs")):
                graph = row["graph"].removesuffix(".graph-txt")
                for what, ms, call, more in _h200(kind, row):
                    goal = GOALS.get((what, graph), "–")
                    called = "–" if call is None else f"{short(call)} ms"
                    beside = f" ({more})" if more else ""
                    latest[what, graph] = f"{short(ms)} ms{beside} | {called} | {goal}"
    lines = [
        "One H200, CUDA 13.0, the device's time and the caller's, with results on the host; walks "
        "are 10^7 of 80 steps. By " + ", ".join(runs.values()) + ":",
        "",
        "| algorithm | graph | device | call | goal |",
        "|---|---|---:|---:|---:|",
        *(f"| {what} | {graph} | {cells} |" for (what, graph), cells in latest.items()),
        "",
    ]
    return lines

"""Rows of CPU machines: peers from PyPI in the same run, latencies and rates."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gpu_rows import short

#: How often as fast as SciPy an algorithm is to be on two cores, by problem and graph.
GOALS = {
    ("sssp", "kron:20"): (8, "`dijkstra`"),
    ("sssp", "USA-road-d.NY.gr.xz"): (5, "`dijkstra`"),
    ("components", "kron:20"): (22, "`connected_components`"),
    ("pagerank", "kron:20"): (4, "CSR product"),
}

#: The rows of the README: real graphs and a benchmark's, and what they are.
ALL = ("bfs", "sssp", "components", "pagerank")
SHOWN = (
    ("kron:18", "Graph500's generator", ALL),
    ("soc-Slashdot0902", "social network", ALL),
    ("USA-road-d.BAY", "roads", ("bfs", "sssp")),
)


def peer_rows(runs: list[dict[str, Any]]) -> list[str]:
    """Ten rows of `bench/problem/zoo.py`, each of the latest run that has it."""
    latest: dict[tuple[str, str], dict[str, Any]] = {}
    for run in sorted(runs, key=lambda run: str(run["date"])):
        for row in run["rows"]:
            if row["peers"]:
                latest[row["graph"].split(".gsr")[0].split(".txt")[0].split(".gr")[0],
                       row["algorithm"]] = row  # fmt: skip
    rows = ["| | graph | Gossamer | best peer | faster |", "|---|---|---:|---:|---:|"]
    for graph, kind, algorithms in SHOWN:
        for algorithm in algorithms:
            found = latest[graph, algorithm]
            ours = found["auto"]["ms"]
            peer, theirs = min(found["peers"].items(), key=lambda item: item[1])
            name = {"scipy": "SciPy", "networkit": "NetworKit"}.get(peer, peer)
            rows.append(
                f"| {algorithm} | {graph} ({kind}) | {ours:.3g} ms | "
                f"{theirs:.3g} ms, {name} | {theirs / ours:.1f} × |"
            )
    return rows


def cpu_rows(results: dict[str, Any]) -> list[str]:
    """Beside SciPy and NetworKit, in one run."""
    rows = [
        "| graph | Gossamer | SciPy `breadth_first_order` | NetworKit `BFS` |",
        "|---|---:|---:|---:|",
    ]
    for result in results["results"]:
        peers, ratio = result["peers_ms"], result["ratio"]
        rows.append(
            f"| {Path(result['graph']).name} | {result['gossamer_ms']:.1f} ms | "
            + " | ".join(f"{peers[p]:.1f} ms ({ratio[p]:.1f} ×)" for p in ("scipy", "networkit"))
            + " |"
        )
    return rows


def rival_rows(results: dict[str, Any]) -> list[str]:
    """One row an algorithm and graph, with what SciPy takes and how far ahead we are to be."""
    rows = [
        "| algorithm | graph | Gossamer | SciPy | ratio | goal |",
        "|---|---|---:|---:|---:|---:|",
    ]
    for r in results["results"]:
        goal, rival = GOALS[r["problem"], r["graph"]]
        what = r["problem"] + ", an iteration" * (r["problem"] == "pagerank")
        rows.append(
            f"| {what} | {r['graph']} | {r['gossamer_ms']:.1f} ms | {rival} "
            f"{r['scipy_ms']:.0f} ms | {r['ratio']:.1f} × | ≥ {goal} × |"
        )
    return rows


def host_sentence(host: dict[str, Any]) -> str:
    """Latencies and rates of one small machine."""
    r = host["results"]
    trip, shared = (r[k]["put_signal_round_trip_ns"] for k in ("put_signal", "put_signal_one_core"))
    generated = r["generate"]
    trips = r["put_signal"].get("round_trips_ns", [trip])
    spread = f" ({trips[0]:.0f} to {trips[-1]:.0f} in {len(trips)} processes)" * (len(trips) > 1)
    bare = r["put_signal"].get("bare_round_trips_ns", [0])
    floor = f", where bare threads need {min(bare):.0f} to {max(bare):.0f}" * (min(bare) > 0)
    return (
        f"{host['cores']} cores of an {host['processor']} ({host['date']}, `{host['command']}`): "
        f"a put_signal of 8 bytes there and back takes {trip:.0f} ns between two "
        f"cores{spread}{floor}, and {short(shared / 1e3)} µs where both ranks share one; "
        f"a text edge list is parsed at {r['readers']['parse_megabytes_per_second']:.0f} MB/s, "
        f"and memory peaks at {r['readers']['memory_ratio']:.2f} × (8 B an edge + CSR); "
        f"`{generated['spec']}` is generated in {generated['seconds']:.0f} s and "
        f"{generated['peak_bytes'] / 2**30:.1f} GiB; "
        f"`import gossamer` takes {r['import_seconds']:.2f} s."
    )

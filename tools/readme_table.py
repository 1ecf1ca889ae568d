"""Writes the README's table from the newest results in bench/results.

python tools/readme_table.py [--check]

--check changes nothing and fails when the README's table is not what the results give.
"""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from typing import Any

from task_rows import task_lines
from vector_queue_rows import vector_queue_lines

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "bench" / "results"
README = ROOT / "README.md"
BEGIN = "<!-- results: made by tools/readme_table.py from bench/results, do not edit -->"
END = "<!-- /results -->"


def newest(pattern: str) -> dict[str, Any]:
    """The latest file of that kind: names begin with the date."""
    found: dict[str, Any] = json.loads(max(RESULTS.glob(pattern)).read_text())
    return found


def when(result: dict[str, Any]) -> str:
    """The day, and the commit where it is known."""
    return str(result["date"]) + (f", commit {result['code']}" if "code" in result else "")


def gpu_rows(results: dict[str, Any]) -> list[str]:
    """One row a graph, one column pair a number of GPUs."""
    cells: dict[str, dict[int, str]] = {}
    for result in results["results"]:
        gpus = len(result["machine"]["devices"])
        summary = result["summary"]
        if not summary["verified"]:
            raise SystemExit(f"{result['graph']['name']}: not verified")
        rate = summary["harmonic_mean_teps"] / 1e9
        text = f"{summary['median_milliseconds']:.2f} ms ({rate:.3g} GTEPS)"
        cells.setdefault(result["graph"]["name"], {})[gpus] = text
    counts = sorted({n for row in cells.values() for n in row})
    rows = [
        "| graph | " + " | ".join(f"{n} GPU{'s' if n > 1 else ''}" for n in counts) + " |",
        "|---|" + "---:|" * len(counts),
    ]
    for graph, row in sorted(cells.items()):
        rows.append(f"| {graph} | " + " | ".join(row.get(n, "–") for n in counts) + " |")
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


def algorithm_rows(results: dict[str, Any]) -> list[str]:
    """One row an algorithm and graph, one column a number of GPUs."""
    cells: dict[tuple[str, str], dict[int, str]] = {}
    for r in results["results"]:
        if not r["verified"]:
            raise SystemExit(f"{r['algorithm']} {r['graph']}: not verified")
        text = f"{r['median_ms']:.3g} ms"
        if "harmonic_mean_teps" in r:  # of the mean time, as in Graph500
            text = f"{r['mean_ms']:.3g} ms (median {r['median_ms']:.3g}, "
            text += f"{r['harmonic_mean_teps'] / 1e9:.3g} GTEPS)"
        if "code" in r:  # measured before the rest, and not touched since
            text += f" ({r['code']})"
        cells.setdefault((r["algorithm"], r["graph"]), {})[r["ranks"]] = text
    counts = sorted({n for row in cells.values() for n in row})
    rows = [
        "| algorithm | graph | " + " | ".join(f"{n} GPU{'s' * (n > 1)}" for n in counts) + " |",
        "|---|---|" + "---:|" * len(counts),
    ]
    for (algorithm, graph), row in cells.items():
        times = " | ".join(row.get(n, "–") for n in counts)
        rows.append(f"| {algorithm} | {graph} | {times} |")
    return rows


def parts_lines() -> list[str]:
    """Graphs made, searched and checked on the GPUs; nothing where it was not run yet."""
    if not any(RESULTS.glob("*-bfs-parts-h200.json")):
        return []
    found = newest("*-bfs-parts-h200.json")
    rows = [
        f"Graphs made in parts on {found['hardware']} ({when(found)}, `{found['command']}`), some "
        "of the trees verified there:",
        "",
        "| graph | GPUs | made in | search, median | harmonic mean | a verification | verified |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for r in found["results"]:
        rows.append(
            f"| {r['graph']} | {r['ranks']} | {r['place_ms'] / 1e3:.2g} s | "
            f"{r['median_ms']:.3g} ms | {r['harmonic_mean_teps'] / 1e9:.3g} GTEPS | "
            f"{r['verify_ms'] / 1e3:.2g} s | {r['verified']} of {r['sources']} |"
        )
    return [*rows, ""]


def graph500_lines() -> list[str]:
    """The benchmark at the largest scales; nothing where it was not run yet."""
    if not any(RESULTS.glob("*-graph500-h200.json")):
        return []
    found = newest("*-graph500-h200.json")
    rows = [
        f"Graph500 there ({when(found)}, `{found['command']}`): graphs made, searched from 64 "
        "roots and every tree validated on the GPUs:",
        "",
        "| scale | GPUs | made in | search, mean | harmonic mean | a validation |",
        "|---:|---:|---:|---:|---:|---:|",
    ]
    for r in found["results"]:
        if r["summary"] is None:
            raise SystemExit(f"{r['graph']['name']}: not valid")
        s, seconds = r["summary"], r["seconds"]
        rows.append(
            f"| {r['options']['scale']} | {len(r['machine']['devices'])} | "
            f"{seconds['construction']:.1f} s | {s['seconds']['mean'] * 1e3:.3g} ms | "
            f"{s['teps']['harmonic_mean'] / 1e9:.3g} GTEPS | "
            f"{s['validation_seconds']['mean']:.2f} s |"
        )
    return [*rows, ""]


def filter_sentence(results: dict[str, Any]) -> str:
    """What filtering arrays in the GPUs' own memory takes."""
    filtered = results["filter"]
    each = "; ".join(
        f"{r['median_ms']:.2f} ms on {r['gpus']} GPU{'s' * (r['gpus'] > 1)} "
        f"({r['of_copy']:.0%} of a copy's rate)"
        for r in filtered["runs"]
    )
    gib = filtered["bytes_a_gpu"] / 2**30
    code = f", commit {filtered['code']}" if "code" in filtered else ""
    text = (
        f"Filtering {gib:.0f} GiB of int32 in each GPU's memory, {filtered['kept_percent']} of 100 "
        f"kept, results left there (`{filtered['command']}`{code}): {each}."
    )
    pinned = ", ".join(
        f"{r['gb_s_a_gpu']:.1f} GB/s a GPU on {r['gpus']}" for r in filtered.get("pinned", ())
    )
    return f"{text} From pinned host memory, by `filter()`: {pinned}." if pinned else text


def size(n: int) -> str:
    """As people write it: 8 B, 4 KiB, 16 MiB."""
    for unit in ("B", "KiB", "MiB"):
        if n < 1024:
            return f"{n} {unit}"
        n //= 1024
    return f"{n} GiB"


def short(microseconds: float) -> str:
    """Three digits, or all before the point."""
    return f"{microseconds:.3g}" if microseconds < 1000 else f"{microseconds:.0f}"


def collective_rows(results: dict[str, Any], sizes: tuple[int, ...]) -> list[str]:
    """The fastest own algorithm of each operation beside NCCL."""
    rows = [
        "| operation | " + " | ".join(size(n) for n in sizes) + " |",
        "|---|" + "---:|" * len(sizes),
    ]
    most = max(
        r.get("ranks", 0) for r in results["results"]
    )  # one call may measure machines of 2 and 4
    measured = [r for r in results["results"] if r.get("ranks", most) == most]
    for operation in ("broadcast", "scatter", "gather", "reduce", "allgather", "allreduce"):
        if all(r["operation"] != operation for r in measured):
            continue
        cells = []
        for n in sizes:
            here = [r for r in measured if (r["operation"], r["bytes"]) == (operation, n)]
            own = [r for r in here if r["by"] in ("one_kernel", "steps")]
            if not own:
                cells.append("–")
                continue
            best = min(own, key=lambda r: float(r["microseconds"]))
            rival = next(r for r in here if r["by"] == "nccl")["microseconds"]
            times = f"{short(best['microseconds'])} ({short(rival)}) µs"
            cells.append(f"{times} `{best['algorithm']}`")
        rows.append(f"| {operation} | " + " | ".join(cells) + " |")
    return rows


def gpus_of(spec: str) -> int:
    """cuda:0 is one, cuda:0-3 are four."""
    first, _, last = spec.removeprefix("cuda:").partition("-")
    return int(last or first) - int(first) + 1


def cg_rows(results: dict[str, Any]) -> list[str]:
    """The fastest way of each engine: one row a matrix and engine, one column a number of GPUs."""
    best: dict[tuple[str, str], dict[int, dict[str, Any]]] = {}
    for result in results["results"]:
        asked = result.get("use", "all") == "all"
        engine = f"`{result['engine']}`" if asked else "by default"
        engine += " (cuSPARSE and cuBLAS)" * (result["engine"] == "library")
        row = best.setdefault((result["matrix"], engine), {})
        gpus = gpus_of(result["spec"])
        if gpus not in row or result["us_per_iteration"] < row[gpus]["us_per_iteration"]:
            row[gpus] = result
    counts = sorted({n for row in best.values() for n in row})
    rows = [
        "| matrix | engine | "
        + " | ".join(f"{n} GPU{'s' if n > 1 else ''}" for n in counts)
        + " |",
        "|---|---|" + "---:|" * len(counts),
    ]
    for (matrix, engine), row in best.items():
        cells = []
        for n in counts:
            if n not in row:
                cells.append("")
                continue
            how = "" if row[n]["exchange"] == "none" else f" `{row[n]['exchange']}`"
            cells.append(f"{short(row[n]['us_per_iteration'])} µs{how}")
        rows.append(f"| {matrix} | {engine} | " + " | ".join(cells) + " |")
    return rows


def cg_bound_sentence(results: dict[str, Any]) -> str:
    """How near the largest matrix comes to what its bytes take on one GPU."""
    sys.path.append(str(ROOT / "bench" / "problem"))
    bound = importlib.import_module("cg_bound")
    matrix = next(r["matrix"] for r in results["results"] if r["matrix"].startswith("poisson:"))
    rows, entries = bound.poisson(matrix)
    least = bound.microseconds(rows, entries)
    one = [r for r in results["results"] if r["matrix"] == matrix and gpus_of(r["spec"]) == 1]
    shares = ", ".join(
        f"{least / r['us_per_iteration']:.0%} by `{r['engine']}`"
        for r in sorted(one, key=lambda r: float(r["us_per_iteration"]))
    )
    return (
        f"An iteration on {matrix} moves {bound.bytes_an_iteration(rows, entries) / 1e9:.2f} GB "
        f"(12 B an entry, {bound.ROW} a row), {short(least)} µs at {bound.RATE / 1e12:.1f} TB/s. "
        f"One GPU reaches {shares} (rows in slices have no offsets to read)."
    )


def prediction_rows(results: dict[str, Any]) -> list[str]:
    """How far predictions are from what the papers say, by figure; calibration left out."""
    rows = [
        "| figure | numbers | half of them within | farthest | statements that agree |",
        "|---|---:|---:|---:|---:|",
    ]
    figures = list(dict.fromkeys(r["figure"] for r in results["results"]))
    for figure in figures:
        here = [r for r in results["results"] if r["figure"] == figure and not r["calibration"]]
        far = sorted(
            abs(r["deviation_percent"]) for r in here if r["deviation_percent"] is not None
        )
        said = [
            r["published"] == r["ours"]
            for r in here
            if r["deviation_percent"] is None and None not in (r["published"], r["ours"])
        ]
        if not far and not said:
            continue
        half = f"{far[(len(far) - 1) // 2]:.0f} %" if far else "–"
        most = f"{far[-1]:.0f} %" if far else "–"
        agree = f"{sum(said)} of {len(said)}" if said else "–"
        rows.append(f"| {figure} | {len(far) or '–'} | {half} | {most} | {agree} |")
    return rows


def sentence(results: dict[str, Any]) -> str:
    """What the collectives' bench measures once."""
    by = {r["by"]: r for r in results["results"] if r["algorithm"] in ("", "one_shot")}
    rate = {k: by[k]["bytes"] / by[k]["microseconds"] / 1e3 for k in ("stores", "copy engine")}
    return (
        f"On {results['hardware'].partition(',')[0]} an allreduce of 8 bytes called from inside a "
        f"kernel takes "
        f"{by['inside a kernel']['microseconds']:.2f} µs; a put moves {rate['stores']:.0f} GB/s by "
        f"stores, {rate['copy engine']:.0f} GB/s by copy engine."
    )


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


def tasks() -> list[str]:
    """Nothing where they were not measured yet."""
    return [*task_lines(newest("*-tasks.json")), ""] if any(RESULTS.glob("*-tasks.json")) else []


def vector_queue() -> list[str]:
    """Nothing where it was not measured yet."""
    kind = "*-bfs-vector-queue-*.json"
    return [*vector_queue_lines(newest(kind)), ""] if any(RESULTS.glob(kind)) else []


def table() -> str:
    """All tables with what they were measured on."""
    gpu, cpu = newest("*bfs-h200.json"), newest("*bfs-rivals.json")
    gpu_pair, algorithms = newest("*bfs-2xh200.json"), newest("*-algorithms-h200.json")
    collectives = newest("*gpu-collectives-h200.json")
    pair = newest("*gpu-collectives-2xh200.json")
    cg, predicted = newest("*-cg-h200.json"), newest("*-paper-predictions.json")
    lines = [
        BEGIN,
        f"BFS on {gpu['hardware']} ({when(gpu)}, `{gpu['command']}`):",
        "",
        *gpu_rows(gpu),
        "",
        f"On another host, {gpu_pair['hardware']} ({when(gpu_pair)}, `{gpu_pair['command']}`):",
        "",
        *gpu_rows(gpu_pair),
        "",
        f"Algorithms on {algorithms['hardware']} ({when(algorithms)}, `{algorithms['command']}`); "
        "medians, but the mean of all sources where the median stands beside it:",
        "",
        *algorithm_rows(algorithms),
        "",
        *parts_lines(),
        *graph500_lines(),
        *vector_queue(),
        filter_sentence(algorithms),
        "",
        f"BFS on {cpu['cores']} cores of an {cpu['processor']}, peers in the same run "
        f"({cpu['date'][:10]}, `{cpu['command']}`):",
        "",
        *cpu_rows(cpu),
        "",
        host_sentence(newest("*-host.json")),
        "",
        *tasks(),
        f"Collectives on {collectives['hardware']} ({when(collectives)}, "
        f"`{collectives['command']}`), beside NCCL {collectives['nccl']} in brackets; a vector or "
        "its block has the bytes; one kernel an operation up to 16 MiB, above it that or copy "
        "engines. The fastest of our algorithms; by default more than two GPUs now take NCCL where "
        "that leads ([docs/design/collectives.md](docs/design/collectives.md#nccl-as-an-algorithm)"
        "):",
        "",
        *collective_rows(collectives, (8, 4096, 16 << 20, 256 << 20)),
        "",
        sentence(collectives),
        "",
        f"On {pair['hardware']} ({when(pair)}, `{pair['command']}`), NCCL {pair['nccl']} in "
        "brackets:",
        "",
        *collective_rows(pair, (8, 4096, 16 << 20, 256 << 20)),
        "",
        f"Conjugate gradient on {cg['hardware']} ({when(cg)}, `{cg['command']}`), an iteration; "
        "every result verified:",
        "",
        *cg_rows(cg),
        "",
        cg_bound_sentence(cg),
        "",
        f"Predicted, not measured ({predicted['date']}, `{predicted['command']}`): the papers' "
        "figures on models of their own systems. A size off by a factor of two counts as 100 or "
        "50 %; "
        "[docs/design/simulation.md](docs/design/simulation.md) gives reasons for what deviates, "
        "[docs/design/paper_c.md](docs/design/paper_c.md) those of paper C, whose graphs are 30 to "
        "390 times smaller here:",
        "",
        *prediction_rows(predicted),
        END,
    ]
    return "\n".join(lines)


def main() -> None:
    text = README.read_text()
    before, rest = text.split(BEGIN)
    made = before + table() + rest.split(END)[1]
    if "--check" in sys.argv:
        if made != text:
            raise SystemExit("README.md: run python tools/readme_table.py")
        return
    README.write_text(made)


if __name__ == "__main__":
    main()

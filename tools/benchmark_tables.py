"""Writes the tables of docs/benchmarks.md, the README's, and how near paper C's predictions come in
docs/design/paper_c.md, from the newest of bench/results.

python tools/benchmark_tables.py [--check]

--check changes nothing and fails when a table is not what the results give.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from algorithm_rows import h200_lines, peer_lines
from cpu_rows import cpu_rows, host_sentence, peer_rows, rival_rows
from gap_rows import gap_lines, rival_lines
from gpu_rows import cg_bound_sentence, cg_rows, collective_rows, sentence
from paper_c_rows import closing_lines
from task_rows import task_lines
from vector_queue_rows import vector_queue_lines

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "bench" / "results"
BEGIN = "<!-- results: made by tools/benchmark_tables.py from bench/results, do not edit -->"
END = "<!-- /results -->"


def newest(pattern: str) -> dict[str, Any]:
    """The latest file of that kind: names begin with the date."""
    found: dict[str, Any] = json.loads(max(RESULTS.glob(pattern)).read_text())
    return found


def when(result: dict[str, Any]) -> str:
    """The day, and the commit where it is known."""
    return str(result["date"]) + (f", commit {result['code']}" if "code" in result else "")


def counts_lines() -> list[str]:
    """By default on several GPUs beside one, which takes turns with them: no table, the spread."""
    lines = []
    for found in (newest("*gpu-counts-auto-2xh200.json"), newest("*gpu-counts-auto-4xh200.json")):
        over = []
        for row in found["rows"]:
            one, *_, last = row["ms"].values()
            *_, how = row["how"].values()
            over.append(
                (last / one, not how.endswith(": all"), row["algorithm"], row["graph"], one)
            )
        by_one = [o for o in over if o[1]]
        worst = max(over)
        lines += [
            f"By default on {found['hardware']}, {len(over)} rows (graphs of all families, four "
            f"algorithms): {len(by_one)} run on one GPU. Over one GPU, in turns, those take "
            f"{min(by_one)[0]:.2f} to {max(by_one)[0]:.2f} times as long, by the same kernels; the "
            f"others {min(o for o in over if not o[1])[0]:.2f} to "
            f"{max(o for o in over if not o[1])[0]:.2f}. The farthest is {worst[2]} of {worst[3]}, "
            f"{worst[4]:.2g} ms on one ({found['date'][:10]}, `{found['command']}`).",
            "",
        ]
    return lines


def algorithm_rows(results: list[dict[str, Any]]) -> list[str]:
    """One row an algorithm and graph, one column a number of GPUs."""
    cells: dict[tuple[str, str], dict[int, str]] = {}
    for r in results:
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
        if r["ranks"] > 1:
            continue  # of older code
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
        f"Graph500 on {found['hardware']} ({when(found)}, `{found['command']}`; rows with a "
        "commit: on that): graphs made, searched from 64 roots, every tree validated on the GPUs:",
        "",
        "| scale | GPUs | made in | search, mean | harmonic mean | a validation |",
        "|---:|---:|---:|---:|---:|---:|",
    ]
    for r in found["results"]:
        if r["summary"] is None:
            raise SystemExit(f"{r['graph']['name']}: not valid")
        s, seconds = r["summary"], r["seconds"]
        code = f" ({r['code']})" if "code" in r else ""
        rows.append(
            f"| {r['options']['scale']} | {len(r['machine']['devices'])} | "
            f"{seconds['construction']:.1f} s | {s['seconds']['mean'] * 1e3:.3g} ms | "
            f"{s['teps']['harmonic_mean'] / 1e9:.3g} GTEPS | "
            f"{s['validation_seconds']['mean']:.2f} s{code} |"
        )
    return [*rows, ""]


def filter_sentence(results: dict[str, Any]) -> str:
    """What filtering arrays in the GPUs' own memory takes."""
    each = "; ".join(
        f"{r['median_ms']:.2f} ms on {r['gpus']} GPU{'s' * (r['gpus'] > 1)} "
        f"({r['of_copy']:.0%} of a copy's rate)"
        for r in results["runs"]
    )
    pinned = ", ".join(
        f"{r['gb_s_a_gpu']:.1f} GB/s a GPU on {r['gpus']}" for r in results["pinned"]
    )
    return (
        f"Filtering {results['bytes_a_gpu'] / 2**30:.0f} GiB of int32 in each GPU's memory, "
        f"{results['kept_percent']} of 100 kept, results left there ({results['hardware']}, "
        f"{results['date']}, `{results['command']}`): {each}. From pinned host memory, by "
        f"`filter()`: {pinned}."
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


def tasks() -> list[str]:
    """Nothing where they were not measured yet."""
    return [*task_lines(newest("*-tasks.json")), ""] if any(RESULTS.glob("*-tasks.json")) else []


def vector_queue() -> list[str]:
    """Nothing where it was not measured yet."""
    kind = "*-bfs-vector-queue-*.json"
    return [*vector_queue_lines(newest(kind)), ""] if any(RESULTS.glob(kind)) else []


def peers() -> str:
    """Ten rows beside the best of three peers, with what they were measured on."""
    runs = [
        json.loads(path.read_text())
        for path in sorted(RESULTS.glob("*-zoo-cpu*.json"), key=lambda path: path.name)
    ]
    newest_run = max(runs, key=lambda run: str(run["date"]))
    lines = [
        BEGIN,
        f"{newest_run['cores']} virtual cores of an {newest_run['processor']}, "
        f"{newest_run['date'][:10]}, from a graph in memory to the result, median;",
        "the best of SciPy, NetworKit and igraph in the same run:",
        "",
        *peer_rows(runs),
        END,
    ]
    return "\n".join(lines)


def tables() -> str:
    """All tables with what they were measured on."""
    several, cpu = newest("*several-gpus-h200.json"), newest("*bfs-rivals.json")
    rivals = newest("*-algorithm-rivals.json")
    algorithms = newest("*-algorithms-h200.json")
    collectives = newest("*gpu-collectives-h200.json")
    cg, predicted = newest("*-cg-h200.json"), newest("*-paper-predictions.json")
    lines = [
        BEGIN,
        f"Several GPUs: {several['hardware']} ({when(several)}, `{several['command']}`); sssp: "
        "engine sync on one GPU, async on several, as by default for large graphs with hubs; "
        "medians:",
        "",
        *algorithm_rows(several["results"]),
        "",
        *counts_lines(),
        f"Algorithms on {algorithms['hardware']} ({when(algorithms)}, `{algorithms['command']}`); "
        "medians, but the mean of all sources where the median stands beside it:",
        "",
        *algorithm_rows([r for r in algorithms["results"] if r["ranks"] == 1]),
        "",
        *parts_lines(),
        *graph500_lines(),
        *vector_queue(),
        filter_sentence(newest("*-filter-h200.json")),
        "",
        f"BFS on {cpu['cores']} cores of an {cpu['processor']}, peers in the same run "
        f"({cpu['date'][:10]}, `{cpu['command']}`):",
        "",
        *cpu_rows(cpu),
        "",
        f"Algorithms on {rivals['cores']} cores of an {rivals['processor']}, SciPy "
        f"{rivals['versions']['scipy']} on one of them in the same run ({rivals['date'][:10]}, "
        f"`{rivals['command']}`), every result verified:",
        "",
        *rival_rows(rivals),
        "",
        *peer_lines(RESULTS),
        *h200_lines(RESULTS),
        *gap_lines(RESULTS),
        *rival_lines(RESULTS),
        host_sentence(newest("*-host.json")),
        "",
        *tasks(),
        f"Collectives on {collectives['hardware']} ({when(collectives)}, "
        f"`{collectives['command']}`), beside NCCL {collectives['nccl']} in brackets; a vector or "
        "its block has the bytes; one kernel an operation up to 16 MiB, above it that or copy "
        "engines. The fastest of our algorithms; by default more than two GPUs now take NCCL where "
        "that leads ([design/collectives.md](design/collectives.md#nccl-as-an-algorithm)"
        "):",
        "",
        *collective_rows(collectives, (8, 4096, 1 << 20, 16 << 20, 256 << 20)),
        "",
        sentence(collectives),
        "",
        f"Conjugate gradient on {cg['hardware']} ({when(cg)}, `{cg['command']}`), an iteration; "
        "every result verified:",
        "",
        *cg_rows(cg),
        "",
        cg_bound_sentence(cg),
        "",
        f"Predicted, not measured ({predicted['date'][:10]}, `{predicted['command']}`): the "
        "papers' figures on models of their own systems. A size off by a factor of two counts as "
        "100 or 50 %; "
        "[design/simulation.md](design/simulation.md) gives reasons for what deviates, "
        "[design/paper_c.md](design/paper_c.md) those of paper C, whose graphs have 2.7 to "
        "100 times fewer vertices here, PageRank's up to 780 times:",
        "",
        *prediction_rows(predicted),
        END,
    ]
    return "\n".join(lines)


def paper_c() -> str:
    """How near its predictions come."""
    return "\n".join([BEGIN, *closing_lines(newest("*-paper-predictions.json")["results"]), END])


def main() -> None:
    made_by = {"README.md": peers, "docs/benchmarks.md": tables, "docs/design/paper_c.md": paper_c}
    for name, made_of in made_by.items():
        text = (ROOT / name).read_text()
        before, rest = text.split(BEGIN)
        made = before + made_of() + rest.split(END)[1]
        if "--check" not in sys.argv:
            (ROOT / name).write_text(made)
        elif made != text:
            raise SystemExit(f"{name}: run python tools/benchmark_tables.py")


if __name__ == "__main__":
    main()

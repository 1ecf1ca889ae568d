"""Rows of GPU machines: collectives beside NCCL, conjugate gradient."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

BENCHES = Path(__file__).parent.parent / "bench" / "problem"


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
    sys.path.append(str(BENCHES))
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

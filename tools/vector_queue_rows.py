"""The table of paper A's engine: bench/results/DATE-bfs-vector-queue-….json as rows."""

from __future__ import annotations

from typing import Any


def way(options: dict[str, Any]) -> str:
    """How a search was made, in words, by what differs from the engine's own choice. The engine's
    options stand behind its name; records of 2026-11-24 and before have them beside it."""
    behind = options.get("engine", "").partition(":")[2].split(",")
    asked = options | dict(pair.split("=", 1) for pair in behind if "=" in pair)
    transport = asked.get("transport", "auto")
    words = ["copy" if transport == "auto" else transport]
    if asked.get("results", "stay") != "stay":
        words.append(f"results {asked['results']}")
    if asked.get("duplicates", "vector") != "vector":
        words.append(asked["duplicates"])
    return ", ".join(words)


def hidden(runs: list[dict[str, Any]]) -> float | None:
    """Of all runs' copies, the share that computing did not wait for; None where nobody can tell
    (one GPU, direct reads, results that were packed without it)."""
    levels = [level for run in runs for level in (run.get("overlap") or {"levels": []})["levels"]]
    copied = sum(level["copy_milliseconds"] or 0 for level in levels)
    waited = sum(level["idle_milliseconds"] for level in levels)
    return max(0.0, 1 - waited / copied) if copied > 0 else None


def fastest(runs: list[dict[str, Any]]) -> float:
    """Bytes a second of all links together in the best level; 0 where it is not known."""
    return max(
        (
            level["throughput"] or 0
            for run in runs
            for level in (run.get("overlap") or {"levels": []})["levels"]
        ),
        default=0,
    )


def cell(result: dict[str, Any]) -> str:
    """Time, what copies hide, and how much all links carry; a run kept from another commit says
    so."""
    if not result["summary"]["verified"]:
        raise SystemExit(f"{result['graph']['name']}, {way(result['options'])}: not verified")
    text = f"{result['summary']['median_milliseconds']:.3g} ms"
    share, rate = hidden(result["runs"]), fastest(result["runs"])
    if share is not None:
        text += f", {share:.0%} hidden"
    if rate > 0:
        text += f", {rate / 1e9:.0f} GB/s"
    return text + (f" ({result['code']})" if "code" in result else "")


def vector_queue_lines(results: dict[str, Any]) -> list[str]:
    """What was measured on, then one row a graph and way, one column a number of GPUs."""
    cells: dict[tuple[str, str], dict[int, str]] = {}
    for result in results["results"]:
        key = (result["graph"]["name"], way(result["options"]))
        cells.setdefault(key, {})[len(result["machine"]["devices"])] = cell(result)
    counts = sorted({n for row in cells.values() for n in row})
    code = f", commit {results['code']}" if "code" in results else ""
    return [
        f"Paper A's engine on {results['hardware']} ({results['date']}{code}, "
        f"`{results['command']}`), medians; every search verified:",
        "",
        "| graph | way | " + " | ".join(f"{n} GPU{'s' * (n > 1)}" for n in counts) + " |",
        "|---|---|" + "---:|" * len(counts),
        *(
            f"| {graph} | {how} | " + " | ".join(row.get(n, "–") for n in counts) + " |"
            for (graph, how), row in sorted(cells.items())
        ),
    ]

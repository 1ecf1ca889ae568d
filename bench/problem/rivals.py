"""What comparisons with rivals share: options, clocks, and the report of a run."""

from __future__ import annotations

import argparse
import importlib.util
import json
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from processor import processor_name

#: By who worked: wall and processor milliseconds of each round.
Times = dict[str, list[tuple[float, float]]]


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """Wall and processor milliseconds."""
    wall, processor = time.perf_counter(), time.process_time()
    work()
    return (time.perf_counter() - wall) * 1e3, (time.process_time() - processor) * 1e3


def installed(options: argparse.Namespace) -> list[str]:
    """Of the peers that were asked for those that are here."""
    return [of for of in options.against.split(",") if importlib.util.find_spec(of)]


def of_rounds(times: Times, pick: Callable[[Iterable[float]], float] = min) -> dict[str, Any]:
    """The least of all rounds, or what `pick` takes, for a row of the report."""
    return {
        of: {who: round(pick(one[i] for one in all_of), 2) for who, all_of in times.items()}
        for i, of in enumerate(("wall_ms", "processor_ms"))
    }


def options_of(
    doc: str | None, graphs: Iterable[str], against: Iterable[str], rounds: int = 5
) -> argparse.ArgumentParser:
    """Those that all have."""
    parser = argparse.ArgumentParser(description=(doc or "").splitlines()[0])
    parser.add_argument("graphs", nargs="*", default=list(graphs), metavar="GRAPH")
    parser.add_argument("--machine", default="cpu")
    parser.add_argument("--rounds", type=int, default=rounds)
    parser.add_argument("--against", default=",".join(against), help="peers, with commas")
    parser.add_argument("--out", type=Path)
    return parser


def write_report(
    parser: argparse.ArgumentParser,
    compare: Callable[[str, argparse.Namespace], dict[str, Any]],
) -> None:
    """A row for each graph, printed when it is there, and all of them to --out."""
    options = parser.parse_args()
    found = []
    for name in options.graphs:
        found.append(compare(name, options) | {"graph": Path(name).name})  # no machine's paths
        print(json.dumps(found[-1]), flush=True)
    if options.out is not None:
        report = {"processor": processor_name(), "machine": options.machine, "graphs": found}
        options.out.write_text(json.dumps(report, indent=1) + "\n", "utf-8")

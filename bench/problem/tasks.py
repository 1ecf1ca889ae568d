"""What tasks reach on two cores, beside their rivals and what paper D's runtime is to reach.

    python bench/problem/tasks.py BENCHES [--out bench/results] [--quick]

BENCHES is the folder of the preset `bench`'s programs. Writes DATE-tasks.json, from which
tools/benchmark_tables.py makes a table; --quick measures next to nothing and writes no file. Meant
for a machine that does nothing else: ranks that wait for each other suffer from what runs beside
them. Each value is the best of several runs, and its rival's too, taken in turns: what
disturbs comes and goes, and only ever slows down.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from gossamer.bench import NodeList, global_chase, pointer_chase
from processor import processor_name

DELAY = 3e-6
#: Paper D's network and nothing else, as in `gossamer reproduce D.network`.
NETWORK = (
    "sim:grappa,ranks=2,network.bandwidth=1e15,network.port_bandwidth=1e15,"
    "transfer.message.bandwidth=1e15,kernel.bandwidth=1e15"
)


@dataclass
class Row:
    """One line of the table."""

    what: str
    value: float
    unit: str
    goal: str
    #: Rivals in the same unit; the ratio is the value's to the first of them.
    beside: dict[str, float] = field(default_factory=dict)
    #: How a ratio is written: in per cent, as a multiple, or not at all.
    ratio: str = ""


@dataclass
class Extent:
    """How much is measured."""

    #: Runs of each measurement.
    rounds: int = 5
    #: 1 GiB, well beyond any cache.
    nodes: int = 1 << 24
    references: int = 1 << 22
    in_flight: tuple[int, ...] = (16, 32, 48, 64, 96, 128)
    delayed: tuple[int, ...] = (1, 4, 16, 53, 100)
    updates: int = 10_000_000
    accumulates: int = 1_000_000
    graph: str = "kron:20"
    graph_rounds: int = 3
    network_steps: int = 200


QUICK = Extent(1, 1 << 14, 1 << 12, (8, 48), (1, 16), 100_000, 20_000, "kron:14", 1, 50)


def printed(*command: str) -> str:
    """What a program says; RuntimeError with what it complained of when it fails."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


def switch_rows(bench: Callable[[str], str], extent: Extent) -> list[Row]:
    """One core: the program's own medians of 9, the least of the rounds."""
    runs = [
        json.loads(printed(bench("task_switch")).splitlines()[-1]) for _ in range(extent.rounds)
    ]
    least = {k: min(r["nanoseconds"][k] for r in runs) for k in runs[0]["nanoseconds"]}
    rivals = {
        "bare resume": "bare resume",
        "symmetric transfer in a ring": "symmetric transfer, ring of 32",
        "Boost.Context": "Boost.Context switch",
    }
    floor = {name: least[k] for name, k in rivals.items() if k in least}
    return [
        Row("task switch, 32 tasks", least["switch, 32 tasks"], "ns", "≤ 2.5 ns", floor),
        Row("spawn and join, one at a time", least["spawn and join, 1 at a time"], "ns", "≤ 15 ns"),
        Row("spawn and join, 1,000 at a time", least["spawn and join, 1000 at a time"], "ns",
            "≤ 15 ns"),
        Row("memory of a task that waits for a full/empty word",
            max(r["bytes of a waiting task"] for r in runs), "B", "≤ 128 B"),
    ]  # fmt: skip


def cores_text(cores: int) -> str:
    return f"{cores} core{'s' * (cores > 1)}"


def chase_rows(extent: Extent) -> list[Row]:
    """The most of all runs at all numbers in flight; loop and tasks in turns at each."""
    nodes = NodeList(extent.nodes)
    rows = []
    for cores in (1, 2):
        best = {"loop": 0.0, "tasks": 0.0}
        for n in extent.in_flight:
            for way in best:
                found = pointer_chase(
                    n, way=way, machine=f"cpu:{cores}x1", nodes=nodes,
                    references=extent.references, repeat=extent.rounds,
                )  # fmt: skip
                best[way] = max(best[way], *found.rates)
        pages = f"{100 * nodes.huge_bytes / nodes.bytes:.0f} % of the list on huge pages"
        pages += f" of {nodes.page_bytes >> 20} MiB" * (nodes.huge_bytes > 0)
        rows.append(
            Row(f"pointer chasing, {cores_text(cores)}, {pages}", best["tasks"] / 1e6, "M/s",
                "≥ 95 %", {"best explicit loop": best["loop"] / 1e6}, "%")
        )  # fmt: skip
    for cores in (1, 2):
        worst: tuple[float, float, float, int] | None = None
        for n in extent.delayed:
            found = pointer_chase(
                n, machine=f"cpu:{cores}x1", nodes=nodes, delay=DELAY, repeat=extent.rounds,
                references=min(extent.references, n * 50_000),
            )  # fmt: skip
            rate, bound = max(found.rates) / 1e6, cores * n / DELAY / 1e6
            worst = min(worst or (2.0, 0.0, 0.0, 0), (rate / bound, rate, bound, n))
        assert worst is not None
        few, many = extent.delayed[0], extent.delayed[-1]
        what = (
            f"completions after 3 µs, {cores_text(cores)}, the worst of {few} to {many} tasks a "
            f"core (at {worst[3]})"
        )
        rows.append(Row(what, worst[1], "M/s", "≥ 90 %", {"Little's law": worst[2]}, "%"))
    return rows


def launcher() -> list[str] | None:
    """mpirun with what Open MPI needs."""
    mpirun = shutil.which("mpirun")
    if mpirun is None:
        return None
    said = printed(mpirun, "--version")
    if "Open MPI" in said or "OpenRTE" in said:
        return [mpirun, "--allow-run-as-root", "--oversubscribe", "--bind-to", "none"]
    return [mpirun]


def gups_rows(bench: Callable[[str], str], extent: Extent) -> list[Row]:
    """Two processes, half of the updates local, verified; millions a second of each core."""
    mpirun = launcher()
    if mpirun is None or not Path(bench("gups_rivals")).exists():
        return []
    pair = [*mpirun, "-n", "2"]

    def number(pattern: str, *command: str) -> float:
        said = printed(*pair, *command)
        found = re.search(rf"^(\S+) {pattern}", said, re.MULTILINE)
        if found is None:
            raise RuntimeError(f"{' '.join(command)}: {said}")
        return float(found[1])

    rows = []
    for bits in (16, 24):
        ours = theirs = 0.0
        for _ in range(extent.rounds):
            ours = max(ours, number("million updates", bench("gups"), "mpi:1", str(bits),
                                    str(extent.updates)))  # fmt: skip
            theirs = max(theirs, number("by MPI_Accumulate", bench("gups_rivals"), str(bits),
                                        str(extent.accumulates), "1"))  # fmt: skip
        rows.append(
            Row(f"GUPS, 2^{bits} words, 2 MPI processes, a core", ours / 2, "M/s",
                "≥ 70 M/s, ≥ 8 ×", {"MPI_Accumulate": theirs / 2}, "×")
        )  # fmt: skip
    return rows


def tcp_rows(bench: Callable[[str], str], extent: Extent) -> list[Row]:
    """The same between two network namespaces, where this user may make some (root)."""
    script = Path(__file__).parents[2] / "tests" / "conformance" / "namespaces.sh"

    def number(pattern: str, *command: str) -> float | None:
        done = subprocess.run(
            [str(script), *command], capture_output=True, text=True, check=False,
            env=os.environ | {"OMPI_MCA_osc": "pt2pt"},  # rdma, the default, makes no window there
        )  # fmt: skip
        if done.returncode == 77:
            return None
        found = re.search(rf"^(\S+) {pattern}", done.stdout, re.MULTILINE)
        if done.returncode != 0 or found is None:
            raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip() or done.stdout.strip()}")
        return float(found[1])

    rows = []
    for bits in (16, 24):
        ours = number("million updates", bench("gups"), "mpi:1", str(bits), str(extent.updates))
        if ours is None:
            return []
        theirs = number("by MPI_Accumulate", bench("gups_rivals"), str(bits),
                        str(extent.accumulates), "1")  # fmt: skip
        rows.append(
            Row(f"GUPS over TCP, 2^{bits} words, 2 MPI processes, a core", ours / 2, "M/s",
                "(≥ 40 ×, a guess)", {"MPI_Accumulate": (theirs or 0) / 2}, "×")
        )  # fmt: skip
    return rows


def graph_rows(bench: Callable[[str], str], extent: Extent) -> list[Row]:
    """Medians of each run over its sources or repetitions; the least of the rounds."""
    problems = {
        "bfs": ("OpenMP, top-down", ["--sources", "16"], ["--direction", "top-down"], "≤ 1.5 ×"),
        "sssp": ("OpenMP", ["--sources", "8"], [], "≤ 3 ×"),
        "components": ("OpenMP", ["--runs", "12"], [], "≤ 3 ×"),
    }
    rows = []
    for problem, (rival, both, other, goal) in problems.items():
        ours = theirs = float("inf")
        common = [bench(problem), extent.graph, *both]
        for _ in range(extent.graph_rounds):
            found = printed(*common, "--machine", "cpu:2x1", "--engine", "tasks")
            ours = min(ours, json.loads(found.splitlines()[-1])["median_ms"])
            found = printed(*common, "--machine", "cpu:1x2", "--engine", "sync", *other)
            theirs = min(theirs, json.loads(found.splitlines()[-1])["median_ms"])
        what = f"{problem}, {extent.graph}, by tasks"
        rows.append(Row(what, ours, "ms", goal, {rival: theirs}, "×"))
    return rows


def network_rows(extent: Extent) -> list[Row]:
    """Virtual time: the same in every run."""
    found = global_chase(300, machine=NETWORK, references=300 * extent.network_steps)
    what = "paper D's network alone (`sim`), 300 references under way, a node"
    return [Row(what, found.rate / 1e6, "M/s", "100 M/s ± 10 %")]


def measure(benches: Path, extent: Extent) -> dict[str, Any]:
    """All of it, with what it was measured on."""

    def bench(name: str) -> str:
        return str(benches / f"bench_{name}")

    load = os.getloadavg()[0]
    rows = [
        *switch_rows(bench, extent),
        *chase_rows(extent),
        *gups_rows(bench, extent),
        *tcp_rows(bench, extent),
        *graph_rows(bench, extent),
        *network_rows(extent),
    ]
    return {
        "date": datetime.date.today().isoformat(),
        "processor": processor_name(),
        "cores": 2,
        "command": "./run bench tasks",
        "load_before": load,
        "rounds": [extent.rounds, extent.graph_rounds],
        "results": [asdict(row) for row in rows],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("benches", type=Path)
    parser.add_argument("--out", type=Path, default=Path("bench/results"))
    parser.add_argument("--quick", action="store_true", help="a few points, no file")
    given = parser.parse_args()
    packed = measure(given.benches, QUICK if given.quick else Extent())
    text = json.dumps(packed, indent=1, ensure_ascii=False) + "\n"
    print(text, end="")
    if not given.quick:
        (given.out / f"{packed['date']}-tasks.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

"""python tools/soak [--minutes 2] [--seed S] [--case N [--cases K | --processes [FATE]]]
    [--machine SPEC …]

Case N of a seed is always the same graph and call. A refusal (UsageError, NotCompiled,
CapacityError) is an answer.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from soak import leaks, processes
from soak.batches import MACHINES, call_of, run_case, soak


def main() -> None:
    """Runs one case, or as many as the time allows."""
    parser = argparse.ArgumentParser(description="random cases against SciPy and NumPy")
    parser.add_argument("--minutes", type=float, default=2)
    parser.add_argument("--seed", type=int, default=time.time_ns() % 1_000_000_007)
    parser.add_argument("--case", type=int)
    parser.add_argument("--machine", nargs="+", default=MACHINES)
    parser.add_argument("--cases", type=int, default=1, help="so many from there")
    parser.add_argument(
        "--processes", nargs="?", const="none", choices=processes.FATES,
        help="cases from N in an MPI job, of which a process is lost, slow, or none is",
    )  # fmt: skip
    parser.add_argument("--rank-in", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.rank_in is not None:
        processes.rank(given.seed, given.case, given.rank_in)
    if given.case is None:
        print(f"seed {given.seed}", flush=True)
        soak(given.seed, given.minutes, given.machine)
        return
    if given.processes:
        print(processes.job(given.seed, given.case, given.processes) or "right")
        return
    before = leaks.at_first(given.machine)
    for case in range(given.case, given.case + given.cases):
        print(call_of(given.seed, case, given.machine)[0], flush=True)
        print(run_case(given.seed, case, given.machine))
    if grown := leaks.in_use().beyond(before):
        sys.exit(f"left behind: {grown}")


if __name__ == "__main__":
    main()
